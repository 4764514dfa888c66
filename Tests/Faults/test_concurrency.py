# SPDX-License-Identifier: MIT
"""Programs that meet at one target: nobody sees half of a change, and nobody loses an entry."""
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

import caches
import command
from command import run
from operations import CLOCK, PLACES, existing

pytestmark = [
    # Who reads all the time must not have ended early.
    pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning"),
    pytest.mark.skipif(not command.COMMAND, reason="not checked: ADAL2MSAL names no command"),
]
ROUNDS = int(os.environ.get("FAULT_ROUNDS", "2"))
EIGHT = [caches.Cache(seed=seed, people=2) for seed in range(100, 108)]


def migrate(folder, source, target, **options):
    into = "--into-folder" if target.endswith(PLACES["folder"]) else "--into"
    return run(folder, ["migrate", source, into, target, *CLOCK], **options)


def entries(path):
    """The keys of MSAL's entries in a file, each with what it is of; in a folder, also in which document."""
    if path.is_dir():
        return {(name, *entry) for name, _ in caches.content(path) for entry in entries(path / name)}
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
            time.sleep(0.0005)
            try:
                found = entries(self.path)
            except (FileNotFoundError, IsADirectoryError):
                # It is not there yet, or a folder came where there was nothing a moment ago.
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


@pytest.mark.parametrize("store", PLACES)
def test_eight_runs_at_once_add_what_each_would(tmp_path, store, eight_table):
    target = PLACES[store]
    write_eight(tmp_path)
    wholes = []
    for number in range(8):
        assert migrate(tmp_path, f"{number}.items.json", f"{number}-{target}").status == 0
        wholes.append(entries(tmp_path / f"{number}-{target}"))
    # App metadata is of the clients and not of the people.
    shared = {entry for a in wholes for b in wholes if a is not b for entry in a & b}
    union = set().union(*wholes)
    if store == "folder":
        # There each document is written for itself.
        wholes = [{entry for entry in union if entry[0] == name} for name in {entry[0] for entry in union}]
    before = caches.names(tmp_path)
    path = tmp_path / target
    counts = Counter()
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
        left = caches.names(tmp_path) - before - {target} - {f"{target}/{entry[0]}" for entry in union}
        assert not left
        counts.update({"rounds": 1, "done": 8 - len(late), "late": len(late), "reads": poller.reads})
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    eight_table.append(
        f"{store}: {counts['rounds']} rounds, {counts['done']} runs ended with 0 and {counts['late']} with 75; the "
        f"target was the union each time, and whole in {counts['reads']} looks")


@pytest.mark.parametrize("store", PLACES)
def test_a_target_that_another_run_makes_at_any_moment(tmp_path, store):
    """Before each call of a run about its files, the target of another one is there all at once."""
    target = PLACES[store]
    write_eight(tmp_path)
    path, other, waiting, late = (
        tmp_path / f"{prefix}{target}{end}"
        for prefix, end in (("", ""), ("other-", ""), ("waiting-", ""), ("waiting-", ".late")))
    for number, made in ((0, path), (1, other)):
        assert migrate(tmp_path, f"{number}.items.json", made.name).status == 0
    own, theirs = entries(path), entries(other)
    before = caches.names(tmp_path)
    moments = Counter()
    for moment in range(1, 1000):
        for place in (path, waiting, late):
            shutil.rmtree(place, ignore_errors=True)
            place.unlink(missing_ok=True)
        (shutil.copytree if other.is_dir() else shutil.copy2)(other, waiting)
        arrival = {"LD_PRELOAD": str(command.shim()), "FAULT_FOLDER": str(tmp_path), "FAULT_LOOK": str(moment),
                   "FAULT_FROM": str(waiting), "FAULT_TO": str(path)}
        result = migrate(tmp_path, "0.items.json", target, environment=arrival)
        assert result.status in (0, 75), (moment, result.sentence)
        if waiting.exists() and entries(path) == own:
            # The run was over, or its own target was there.
            break
        moments[result.status] += 1
        if result.status == 75:
            assert entries(path) == theirs, moment
            assert migrate(tmp_path, "0.items.json", target).status == 0
        assert entries(path) == (own if late.exists() else own | theirs), moment
        left = caches.names(tmp_path) - before - {f"{target}/{entry[0]}" for entry in theirs}
        assert all(name.startswith(late.name) for name in left), moment
    assert moments[0] > 5


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
