# SPDX-License-Identifier: MIT
"""Programs that meet at one target: nobody sees half of a change, and nobody loses an entry."""
import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import caches
import command
from command import run
from operations import CLOCK, FULL, STORES, existing

pytestmark = [
    pytest.mark.skipif(not command.COMMAND, reason="not checked: ADAL2MSAL names no command"),
]
each_store = pytest.mark.parametrize("target", list(STORES.values()))
ROUNDS = 1000 if os.environ.get("FAULTS") == "full" else 2
EIGHT = [caches.Cache(seed=seed, people=2) for seed in range(100, 108)]


def migrate(folder, source, target, **options):
    return run(folder, ["migrate", source, "--into", target, *CLOCK], **options)


def entries(path):
    """The keys of MSAL's entries in a file, each with what it is of."""
    if path.name.endswith(".sqlite"):
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=20)
        try:
            return {(service, account) for service, account in database.execute(
                "SELECT svce, acct FROM items WHERE type IS NOT NULL")}
        finally:
            database.close()
    document = json.loads(path.read_text("utf-8"))
    if "items" in document:
        return {(item["svce"], item["acct"]) for item in document["items"] if "type" in item}
    return {(section, key) for section, entries in document.items() for key in entries}


def write_eight(folder):
    for number, cache in enumerate(EIGHT):
        caches.write(folder / f"{number}.items.json", cache.items)


class Poller(threading.Thread):
    """Reads a target all the time, and remembers what it found."""

    def __init__(self, path, wholes):
        super().__init__()
        self.path, self.wholes = path, wholes
        self.reads, self.faults, self.is_over = 0, [], False

    def run(self):
        while not self.is_over:
            try:
                found = entries(self.path)
            except FileNotFoundError:
                continue
            except sqlite3.OperationalError as error:
                if "unable to open" not in str(error):
                    self.faults.append(str(error))
                continue
            except ValueError as error:
                self.faults.append(str(error))
                continue
            self.reads += 1
            for whole in self.wholes:
                if found & whole not in (set(), whole):
                    self.faults.append(f"{len(found & whole)} of {len(whole)} entries of a run")


@each_store
def test_eight_runs_at_once_add_what_each_would(tmp_path, target):
    write_eight(tmp_path)
    wholes = []
    for number in range(8):
        assert migrate(tmp_path, f"{number}.items.json", f"{number}-{target}").status == 0
        wholes.append(entries(tmp_path / f"{number}-{target}"))
    # App metadata is of the clients and not of the people.
    shared = {entry for a in wholes for b in wholes if a is not b for entry in a & b}
    union = set().union(*wholes)
    before = sorted(path.name for path in tmp_path.iterdir())
    path = tmp_path / target
    for _ in range(ROUNDS):
        poller = Poller(path, [whole - shared for whole in wholes])
        poller.start()
        with ThreadPoolExecutor(8) as workers:
            results = list(workers.map(
                lambda number: migrate(tmp_path, f"{number}.items.json", target), range(8)))
        poller.is_over = True
        poller.join()
        assert poller.faults == []
        late = [number for number, result in enumerate(results) if result.status == 75]
        assert all(result.status in (0, 75) for result in results), [
            result.sentence for result in results]
        for number in late:
            assert migrate(tmp_path, f"{number}.items.json", target).status == 0
        assert entries(path) == union
        assert sorted(name.name for name in tmp_path.iterdir()) == sorted([*before, target])
        path.unlink()


HOLD = """
import sys, time
from msal_extensions.filelock import CrossPlatLock
with CrossPlatLock(sys.argv[1] + ".lockfile"):
    print("held", flush=True)
    time.sleep(float(sys.argv[2]))
"""
WRITE = """
import json, sys, time
from msal_extensions.filelock import CrossPlatLock
for number in range(20):
    with CrossPlatLock(sys.argv[1] + ".lockfile"):
        document = json.load(open(sys.argv[1]))
        document.setdefault("Others", {})[str(number)] = {"number": number}
        # As the library's own persistence does: in place.
        with open(sys.argv[1], "w") as file:
            text = json.dumps(document)
            file.write(text[:len(text) // 2])
            file.flush()
            time.sleep(0.01)
            file.write(text[len(text) // 2:])
"""


def start(script, *arguments):
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)], stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize("target", ["t.items.json", "t.json"])
@pytest.mark.parametrize("seconds, status", [(1, 0), (20, 75)])
def test_the_lock_of_the_extension_library_is_waited_for(tmp_path, target, seconds, status):
    existing(tmp_path, target)
    old = caches.content(tmp_path / target)
    holder = start(HOLD, tmp_path / target, seconds)
    try:
        assert holder.stdout.readline() == "held\n"
        begun = time.monotonic()
        result = migrate(tmp_path, "source.items.json", target)
        taken = time.monotonic() - begun
        assert result.status == status, result.sentence
        if status:
            assert 4 < taken < 15 and "another program" in result.sentence
            assert caches.content(tmp_path / target) == old
            assert (tmp_path / f"{target}.lockfile").exists()
    finally:
        holder.kill()
        holder.communicate()


def test_nobody_loses_an_entry_beside_the_extension_library(tmp_path):
    write_eight(tmp_path)
    assert migrate(tmp_path, "0.items.json", "t.json").status == 0
    writer = start(WRITE, tmp_path / "t.json")
    try:
        for number in range(1, 8):
            assert migrate(tmp_path, f"{number}.items.json", "t.json").status in (0, 75)
        assert writer.wait(timeout=60) == 0
    finally:
        writer.kill()
        writer.communicate()
    document = json.loads((tmp_path / "t.json").read_text())
    assert sorted(map(int, document["Others"])) == list(range(20))
    for number in range(8):
        result = migrate(tmp_path, f"{number}.items.json", "t.json")
        assert result.status == 0, result.sentence


@pytest.mark.parametrize("begin", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
@pytest.mark.parametrize("seconds, status", [(1, 0), (20, 75)])
def test_an_open_transaction_is_waited_for(tmp_path, begin, seconds, status):
    existing(tmp_path, "t.sqlite")
    old = caches.content(tmp_path / "t.sqlite")
    writer = sqlite3.connect(tmp_path / "t.sqlite", isolation_level=None, check_same_thread=False)
    writer.execute(begin)
    writer.execute("INSERT INTO items (agrp, acct, svce) VALUES ('G', 'a', 's')")
    end = threading.Timer(seconds, lambda: writer.execute("COMMIT"))
    end.start()
    begun = time.monotonic()
    result = migrate(tmp_path, "source.items.json", "t.sqlite")
    taken = time.monotonic() - begun
    assert result.status == status, result.sentence
    if status:
        assert 4 < taken < 18
        end.cancel()
        writer.execute("ROLLBACK")
        writer.close()
        assert caches.content(tmp_path / "t.sqlite") == old
    else:
        end.join()
        rows = writer.execute("SELECT count(*) FROM items WHERE agrp = 'G'").fetchone()
        writer.close()
        assert rows == (1,) and caches.content(tmp_path / "t.sqlite") != old
