# SPDX-License-Identifier: MIT
"""How a run ends that is told to, or that is killed, and what the next one finds; streams that make it wait."""
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import caches
import command
from command import run
from operations import CLOCK, FULL, STORES, existing, source
from test_concurrency import EIGHT, entries, migrate, write_eight
from test_limits import many

pytestmark = pytest.mark.skipif(not command.COMMAND, reason="not checked: ADAL2MSAL names no command")
each_store = pytest.mark.parametrize("target", list(STORES.values()))


def wait_for(condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.0005)


def heed_signals():
    """A shell has its jobs in the background ignore some."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def started(folder, target):
    """A run that takes a while, once it has something beside its target."""
    caches.write(folder / "many.items.json", many(2000))
    before = set(os.listdir(folder))
    process = subprocess.Popen(
        [command.COMMAND, "migrate", "many.items.json", "--into", target, *CLOCK], cwd=folder,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=heed_signals)
    wait_for(lambda: set(os.listdir(folder)) - before or process.poll() is not None)
    assert process.poll() is None, "it was over too soon"
    return process


@each_store
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("is_new", [True, False], ids=["new", "existing"])
def test_a_run_that_is_told_to_end_leaves_nothing(tmp_path, target, number, is_new):
    if is_new:
        source(tmp_path)
    else:
        existing(tmp_path, target)
    process = started(tmp_path, target)
    process.send_signal(number)
    assert process.wait(timeout=60) == -number
    left = set(os.listdir(tmp_path)) - {"source.items.json", "many.items.json", target}
    assert not left
    result = migrate(tmp_path, "source.items.json", target)
    assert result.status == 0, result.sentence


@pytest.mark.parametrize("target", ["t.items.json", "t.json"])
@pytest.mark.parametrize("module", ["filelock", "cache_lock"])
def test_the_lock_of_a_killed_run_is_taken_over_while_the_extension_library_waits(tmp_path, target, module):
    """Without a person: the next run writes, and the library gets the lock."""
    existing(tmp_path, target)
    process = started(tmp_path, target)
    wait_for((tmp_path / f"{target}.lockfile").exists)
    script = f"""
import sys, time
from msal_extensions.{module} import CrossPlatLock
print("waiting", flush=True)
with CrossPlatLock(sys.argv[1] + ".lockfile"):
    print("held", flush=True)
"""
    process.kill()
    process.wait()
    waiting = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / target)], stdout=subprocess.PIPE, text=True)
    try:
        assert waiting.stdout.readline() == "waiting\n"
        assert migrate(tmp_path, "source.items.json", target).status == 0
        assert waiting.communicate(timeout=20)[0] == "held\n" and waiting.returncode == 0
    finally:
        waiting.kill()
    assert not (tmp_path / f"{target}.lockfile").exists()


@pytest.mark.parametrize("target", ["t.items.json", "t.json"])
def test_a_lock_file_that_stays_empty_is_taken_over(tmp_path, target):
    """The older library for Python empties the lock file for which it waits, whoever has it."""
    existing(tmp_path, target)
    (tmp_path / f"{target}.lockfile").write_text("")
    begun = time.monotonic()
    result = migrate(tmp_path, "source.items.json", target)
    assert result.status == 0 and time.monotonic() - begun > 0.25, result.sentence
    assert not (tmp_path / f"{target}.lockfile").exists()


def with_log(path):
    """Makes a snapshot one with a write-ahead log."""
    database = sqlite3.connect(path)
    assert database.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
    database.close()


@pytest.mark.parametrize("is_open", [False, True], ids=["alone", "beside a program that has it open"])
def test_eight_runs_at_once_with_a_write_ahead_log(tmp_path, is_open):
    write_eight(tmp_path)
    existing(tmp_path, "t.sqlite")
    with_log(tmp_path / "t.sqlite")
    union = set(entries(tmp_path / "t.sqlite"))
    for number in range(8):
        assert migrate(tmp_path, f"{number}.items.json", f"{number}.sqlite").status == 0
        union |= entries(tmp_path / f"{number}.sqlite")
    other = sqlite3.connect(tmp_path / "t.sqlite") if is_open else None
    if other:
        other.execute("SELECT count(*) FROM items").fetchone()
    with ThreadPoolExecutor(8) as workers:
        results = list(workers.map(
            lambda number: migrate(tmp_path, f"{number}.items.json", "t.sqlite"), range(8)))
    assert all(result.status in (0, 75) for result in results), [
        (result.status, result.sentence) for result in results]
    for number, result in enumerate(results):
        if result.status == 75:
            assert migrate(tmp_path, f"{number}.items.json", "t.sqlite").status == 0
    if other:
        other.close()
    assert not {name for name in os.listdir(tmp_path) if name.startswith("t.sqlite-")}
    assert entries(tmp_path / "t.sqlite") == union


def test_eight_runs_in_place_with_a_write_ahead_log(tmp_path):
    caches.write(tmp_path / "t.sqlite", [item for cache in EIGHT for item in cache.items])
    shutil.copy(tmp_path / "t.sqlite", tmp_path / "one.sqlite")
    assert migrate(tmp_path, "one.sqlite", "one.sqlite").status == 0
    with_log(tmp_path / "t.sqlite")
    with ThreadPoolExecutor(8) as workers:
        results = list(workers.map(lambda _: migrate(tmp_path, "t.sqlite", "t.sqlite"), range(8)))
    assert all(result.status in (0, 75) for result in results), [
        (result.status, result.sentence) for result in results]
    assert entries(tmp_path / "t.sqlite") == entries(tmp_path / "one.sqlite")


def test_a_source_with_a_write_ahead_log_is_waited_for_or_refused(tmp_path):
    """Somebody at work is 75, who was interrupted is 66; the source is not touched."""
    caches.write(tmp_path / "t.sqlite", FULL.items)
    with_log(tmp_path / "t.sqlite")
    script = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute("UPDATE items SET labl = 'x'")
database.commit()
print("written", flush=True)
sys.stdin.read()
"""
    writer = subprocess.Popen([sys.executable, "-c", script, tmp_path / "t.sqlite"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True)
    try:
        assert writer.stdout.readline() == "written\n"
        before = caches.files(tmp_path)
        result = run(tmp_path, ["inspect", "t.sqlite"])
        assert result.status == 75 and "being written by another program" in result.sentence, result.sentence
        assert {name: data for name, data in caches.files(tmp_path).items() if not name.endswith("-shm")} == {
            name: data for name, data in before.items() if not name.endswith("-shm")}
    finally:
        writer.kill()
        writer.communicate()
    result = run(tmp_path, ["inspect", "t.sqlite"])
    assert result.status == 66 and "t.sqlite-wal has changes" in result.sentence, result.sentence


def test_standard_input_that_does_not_wait_is_waited_for(tmp_path):
    source(tmp_path)
    data = (tmp_path / "source.items.json").read_bytes()
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    process = subprocess.Popen(
        [command.COMMAND, "inspect", "-", *CLOCK], stdin=reading, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.close(reading)
    for start in range(0, len(data), 4096):
        time.sleep(0.05)
        os.write(writing, data[start:start + 4096])
    os.close(writing)
    output, errors = process.communicate(timeout=20)
    assert process.returncode == 0, errors
    expected = json.loads(run(tmp_path, ["inspect", "source.items.json", *CLOCK]).output)
    assert json.loads(output)["summary"] == expected["summary"]


def test_standard_output_that_does_not_wait_is_waited_for(tmp_path):
    """Without taking the processor."""
    caches.write(tmp_path / "source.items.json", many(200))
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    process = subprocess.Popen(
        [command.COMMAND, "inspect", "source.items.json", *CLOCK], cwd=tmp_path, stdout=writing,
        stderr=subprocess.DEVNULL)
    os.close(writing)
    time.sleep(3)
    with open(reading, "rb") as pipe:
        output = pipe.read()
    _, status, taken = os.wait4(process.pid, 0)
    process.returncode = 0
    assert os.waitstatus_to_exitcode(status) == 0
    assert len(output) > 1 << 17 and output == run(tmp_path, ["inspect", "source.items.json", *CLOCK]).output
    assert taken.ru_utime + taken.ru_stime < 2
