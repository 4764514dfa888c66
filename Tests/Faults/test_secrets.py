# SPDX-License-Identifier: MIT
"""No 8 bytes of a token are anywhere but in the caches: no output, no file, no argument, no core."""
import base64
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import caches
import command
from command import run
from operations import CLOCK, FULL, STORES, source

pytestmark = [
    pytest.mark.skipif(not command.COMMAND, reason="not checked: ADAL2MSAL names no command"),
    pytest.mark.skipif(sys.platform != "linux", reason="not checked: /proc is Linux's"),
]
WINDOWS = caches.Windows(FULL.tokens)
NOBODY = 65534
FORMATS = ["text", "json", "markdown", "sarif", "junit", "github", "azure", "html", "summary"]


def test_the_search_finds_what_it_looks_for():
    token = FULL.tokens[0]
    assert WINDOWS.are_in(f"…{token[11:19]}…".encode())
    for filling in (b"", b"x", b"xy"):
        assert WINDOWS.are_in(base64.b64encode(filling + token.encode()))
    assert WINDOWS.are_in(f"{token[11:19]}__contoso.com".encode())
    assert not WINDOWS.are_in(b"0123456789abcdef" * 100)
    assert not WINDOWS.are_in(f"auth.placeholder-{token[11:19]}__contoso.com".encode())
    assert not WINDOWS.are_in(f'<text x="1">{token[11:19]}…com'.encode())


@pytest.mark.parametrize("form", FORMATS)
def test_no_output_has_a_secret(tmp_path, form):
    source(tmp_path)
    clock = [argument for argument in CLOCK if argument not in ("--format", "json")] + ["--format", form]
    for words in (["inspect", "source.items.json"],
                  ["migrate", "source.items.json", "--into", "t.json"],
                  ["migrate", "source.items.json", "--into", "t.json", "--show-usernames"]):
        result = run(tmp_path, [*words, *clock])
        assert result.status == 0 and result.output
        assert not WINDOWS.are_in(result.output) and not WINDOWS.are_in(result.errors)


@pytest.fixture
def waiting(tmp_path):
    """A run that has read a cache and waits for more; nobody's, where that can be said."""
    caches.write(tmp_path / "source.items.json", FULL.items)
    options = {} if os.getuid() else {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    process = subprocess.Popen(
        [command.COMMAND, "inspect", "-"], cwd="/", stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, env={"PATH": os.environ["PATH"]}, **options)
    process.stdin.write((tmp_path / "source.items.json").read_bytes())
    process.stdin.flush()
    # It is what it was started as until it has gone to sleep.
    for _ in range(600):
        if "S (sleeping)" in Path(f"/proc/{process.pid}/status").read_text():
            break
        time.sleep(0.05)
    time.sleep(0.2)
    yield process
    process.kill()
    process.communicate()


def test_arguments_and_environment_have_no_secret(waiting):
    for name in ("cmdline", "environ"):
        path = Path(f"/proc/{waiting.pid}/{name}")
        # What excludes core dumps closes the environment to its own user, too.
        if os.access(path, os.R_OK):
            assert not WINDOWS.are_in(path.read_bytes())


def test_a_crash_leaves_no_core(waiting):
    limits = Path(f"/proc/{waiting.pid}/limits").read_text()
    core = next(line for line in limits.splitlines() if line.startswith("Max core file size"))
    assert core.split()[4:6] == ["0", "0"]
    # Nobody looks into the memory of a process that is not dumpable, not even its own user.
    assert os.stat(f"/proc/{waiting.pid}/mem").st_uid == 0
    waiting.send_signal(signal.SIGSEGV)
    assert waiting.wait(timeout=10) == -signal.SIGSEGV


@pytest.mark.parametrize("target", list(STORES.values()))
def test_nothing_but_caches_has_a_secret_after_a_run(tmp_path, target):
    source(tmp_path)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    reports = [word for end in ("txt", "json", "md", "sarif", "xml") for word in ("--report", f"report.{end}")]
    assert run(
        tmp_path, ["migrate", "source.items.json", "--into", target, *reports, *CLOCK],
        environment={"TMPDIR": str(temporary)}).status == 0
    assert list(temporary.iterdir()) == []
    others = [path for path in tmp_path.iterdir()
              if path.is_file() and path.name not in (target, "source.items.json")]
    assert len(others) == 5
    for path in others:
        assert not WINDOWS.are_in(path.read_bytes()), path.name
