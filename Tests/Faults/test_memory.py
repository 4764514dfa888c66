# SPDX-License-Identifier: MIT
"""A run that runs out of memory: what it leaves, and that the next run needs no person for it."""
import os
import resource
import signal
import subprocess
import sys
import time

import pytest

import caches
import command
from operations import CLOCK, FULL, STORES, existing
from test_concurrency import entries, migrate
from test_endings import started, wait_for
from test_limits import MIB, many

pytestmark = [
    pytest.mark.skipif(not command.COMMAND, reason="not checked: ADAL2MSAL names no command"),
    pytest.mark.skipif(sys.platform != "linux", reason="not checked: address space is limited on Linux only"),
]
# Where the loader does not find room for the libraries, the command has not begun.
NOT_LOADED = 127
# How a program in Swift ends for which the system has no memory, by the place that asks for it.
CRASHES = (-signal.SIGABRT, -signal.SIGSEGV, -signal.SIGTRAP, -signal.SIGILL)


def within(size):
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))


def left(folder, target):
    return set(os.listdir(folder)) - {"source.items.json", "many.items.json", target}


def expect_taken_over(folder, target, union):
    """The next run ends well, has what is added, and leaves nothing beside the target."""
    result = migrate(folder, "many.items.json", target)
    assert result.status == 0, result.sentence
    assert not left(folder, target)
    assert entries(folder / target) == union


@pytest.mark.parametrize("target", list(STORES.values()))
def test_a_run_without_enough_memory_is_taken_over(tmp_path, target):
    """At any limit: the target is as it was or has all, and the next run goes on."""
    existing(tmp_path, target)
    caches.write(tmp_path / "many.items.json", many(300))
    old, files = entries(tmp_path / target), caches.files(tmp_path)

    def run_within(size):
        for name in left(tmp_path, target):
            os.unlink(tmp_path / name)
        for name, data in files.items():
            (tmp_path / name).write_bytes(data)
        return command.run(
            tmp_path, ["migrate", "many.items.json", "--into", target, *CLOCK], limits=within(size)).status

    too_few, enough = 16 * MIB, 4096 * MIB
    while enough - too_few > MIB // 4:
        middle = (too_few + enough) // 2
        if run_within(middle) == 0:
            enough = middle
        else:
            too_few = middle
    assert run_within(4096 * MIB) == 0
    union = entries(tmp_path / target)
    assert old < union
    # Down from the least memory that is enough, closer there, where a run gets furthest.
    statuses = []
    for step in range(24):
        statuses.append(run_within(too_few - (step * step * MIB) // 16))
        if statuses[-1] == NOT_LOADED:
            break
        assert statuses[-1] in (0, 74, *CRASHES), statuses
        assert entries(tmp_path / target) in (old, union)
        expect_taken_over(tmp_path, target, union)
    assert -signal.SIGABRT in statuses, statuses


WAIT = """
import sys
from msal_extensions.{module} import CrossPlatLock
print("waiting", flush=True)
with CrossPlatLock(sys.argv[1] + ".lockfile"):
    print("held", flush=True)
"""


@pytest.mark.parametrize("target", ["t.items.json", "t.json"])
@pytest.mark.parametrize("module", ["filelock", "cache_lock"])
def test_the_lock_of_a_run_without_memory_is_taken_over_while_the_extension_library_waits(tmp_path, target, module):
    """All memory is taken from a run at the moment at which it has the lock."""
    existing(tmp_path, target)
    for _ in range(8):
        process = started(tmp_path, target)
        lock = tmp_path / f"{target}.lockfile"
        wait_for(lambda: lock.exists() or process.poll() is not None)
        resource.prlimit(process.pid, resource.RLIMIT_AS, (MIB, MIB))
        if process.wait(timeout=60) != 0 and lock.exists():
            break
        (tmp_path / target).unlink()
        existing(tmp_path, target)
    assert process.returncode in CRASHES
    old = entries(tmp_path / target)
    waiting = subprocess.Popen(
        [sys.executable, "-c", WAIT.format(module=module), str(tmp_path / target)], stdout=subprocess.PIPE, text=True)
    try:
        assert waiting.stdout.readline() == "waiting\n"
        time.sleep(0.3)
        assert migrate(tmp_path, "many.items.json", target).status == 0
        assert waiting.communicate(timeout=20)[0] == "held\n" and waiting.returncode == 0
    finally:
        waiting.kill()
    assert not left(tmp_path, target)
    assert entries(tmp_path / target) > old


def test_a_good_snapshot_is_not_called_damaged(tmp_path):
    """A page that SQLite has no memory for is told as a damaged page."""
    caches.write(tmp_path / "t.sqlite", many(1200))
    caches.write(tmp_path / "few.items.json", FULL.items)
    good = caches.files(tmp_path)

    def run_within(size):
        for name, data in good.items():
            (tmp_path / name).write_bytes(data)
        words = ["migrate", "few.items.json", "--into", "t.sqlite", *CLOCK]
        return command.run(tmp_path, words, limits=within(size))

    too_few, enough = 4 * MIB, 4096 * MIB
    while enough - too_few > MIB // 4:
        middle = (too_few + enough) // 2
        if run_within(middle).status == 0:
            enough = middle
        else:
            too_few = middle
    results = [run_within(enough - step * MIB // 16) for step in range(160)]
    assert {result.status for result in results} <= {0, 74, NOT_LOADED, *CRASHES}, [
        result.sentence for result in results]
    assert any(result.status not in (0, NOT_LOADED) for result in results)
