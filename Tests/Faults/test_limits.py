# SPDX-License-Identifier: MIT
"""What is too large is refused before it costs anything, and what is not takes memory in proportion."""
import json
import os
import resource
import sqlite3
import subprocess
import sys
import time

import pytest

import caches
import command
import make
from command import run
from operations import CLOCK, FULL, STORES, source

pytestmark = [
    pytest.mark.skipif(not command.COMMAND, reason="not checked: ADAL2MSAL names no command"),
    pytest.mark.skipif(sys.platform != "linux", reason="not checked: address space is limited on Linux only"),
]
MIB = 1 << 20
# What the program maps before it does anything: its libraries, and ICU's data.
START = 600 * MIB


def within(mebibytes):
    """Lets a process have so much memory, beside what it starts with."""
    room = START + mebibytes * MIB
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (room, room))


def sparse(path, start, size):
    path.write_bytes(start)
    os.truncate(path, size)
    return path.name


PADDING = b" " * 5000
LARGE = {
    "JSON": (b"{" + PADDING, (1 << 30) + 1, 66),
    "a list": (b"[" + PADDING, (1 << 30) + 1, 66),
    "a dump": (b'keychain: "' + PADDING, (1 << 30) + 1, 66),
    "an archive": (b"bplist00", 48 * MIB + 1, 66),
    "JSON of zeros": (b'{"', 1 << 30, 65),
    "a dump of zeros": (b'keychain: "', 1 << 30, 65),
    "a snapshot of zeros": (b"SQLite format 3\0", 1 << 30, 65),
    "zeros": (b"", 1 << 30, 65),
}


@pytest.mark.parametrize("kind", LARGE)
def test_what_is_too_large_is_refused_before_it_is_read(tmp_path, kind):
    start, size, status = LARGE[kind]
    name = sparse(tmp_path / "large", start, size)
    source(tmp_path)
    before = time.monotonic()
    for words in (["inspect", name], ["migrate", name, "--into", "new.json"],
                  ["migrate", "source.items.json", "--into", name]):
        result = run(tmp_path, words, limits=within(64))
        assert result.status == status or (words[1] != name and result.status == 73 and status == 66), (
            result.status, result.sentence)
    assert time.monotonic() - before < 15
    assert not (tmp_path / "new.json").exists()


@pytest.mark.parametrize("option", ["--account-map", "--policy"])
def test_a_side_file_that_is_too_large_is_refused(tmp_path, option):
    source(tmp_path)
    name = sparse(tmp_path / "large", b"{" + PADDING, (1 << 30) + 1)
    result = run(
        tmp_path, ["migrate", "source.items.json", "--into", "new.json", option, name], limits=within(64))
    assert result.status == 64 and "more than" in result.sentence, result.sentence


def deep(depth):
    return b"[" * depth + b"]" * depth


def archive_of(objects):
    """A property list that says to have so many objects, and has room for them."""
    offset = 8 + objects
    return (b"bplist00" + b"\\x08" * objects + bytes(4 * objects) + bytes(6) + bytes([4, 4])
            + objects.to_bytes(8, "big") + bytes(8) + offset.to_bytes(8, "big"))


REFUSED = {
    "128 levels of JSON": b'{"format": "keychain-items", "version": 1, "items": ' + deep(129) + b"}",
    "almost empty items": b'{"format": "keychain-items", "version": 1, "items": [' + b"{}," * 131_073 + b"{}]}",
    "almost empty values": b'{"AccessToken": [' + b"1," * 262_145 + b"1]}",
    "objects of an archive": archive_of((2 << 20) + 1),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_asks_for_too_much_is_refused(tmp_path, kind):
    (tmp_path / "bomb").write_bytes(REFUSED[kind])
    source(tmp_path)
    for words in (["inspect", "bomb"], ["migrate", "bomb", "--into", "new.json"]):
        result = run(tmp_path, words, limits=within(192))
        assert result.status in (65, 66), (result.status, result.sentence)


def test_a_value_of_a_snapshot_that_is_too_large_is_refused(tmp_path):
    caches.write(tmp_path / "t.sqlite", FULL.items)
    database = sqlite3.connect(tmp_path / "t.sqlite")
    database.execute("INSERT INTO items (agrp, acct, svce, data) VALUES ('G', 'a', 's', zeroblob(?))", [64 * MIB + 1])
    database.commit()
    database.close()
    result = run(tmp_path, ["inspect", "t.sqlite"], limits=within(192))
    assert result.status == 65, (result.status, result.sentence)


SLOW = "+".join(f"length(hex(zeroblob({15000000 + number}+length(acct))))" for number in range(50))
HEAVY = "length(max(" + ",".join(f"hex(zeroblob({30000000 + number}+length(acct)))" for number in range(20)) + "))"
# What a schema can have SQLite evaluate, with (7) for the expression.
EVALUATED = {
    "a generated column": "ALTER TABLE items ADD COLUMN g INT GENERATED ALWAYS AS (7) VIRTUAL",
    "a CHECK constraint": "ALTER TABLE items ADD COLUMN c CHECK (7)",
    "a default": "CREATE TABLE other (acct, more DEFAULT (7))",
    "an index on an expression": "CREATE INDEX e ON items((7))",
    "a partial index": "CREATE INDEX e ON items(acct) WHERE (7)",
    "statistics": "ANALYZE",
    "a view": "CREATE VIEW e AS SELECT (7) FROM items",
    "a trigger": "CREATE TRIGGER e AFTER INSERT ON items BEGIN SELECT (7); END",
}


@pytest.mark.parametrize("expression", [SLOW, HEAVY], ids=["slow", "large"])
@pytest.mark.parametrize("kind", EVALUATED)
def test_what_a_schema_computes_is_not_computed(tmp_path, kind, expression):
    """Each run ends within a second of processor time and 100 MB, with 65, and the file stays as it is."""
    caches.write(tmp_path / "t.sqlite", FULL.items)
    source(tmp_path)
    database = sqlite3.connect(tmp_path / "t.sqlite")
    database.execute(EVALUATED[kind])
    database.execute("PRAGMA writable_schema = ON")
    if kind == "statistics":
        database.execute("UPDATE sqlite_master SET sql = 'CREATE TABLE sqlite_stat1(tbl, idx, acct, stat AS (7))' "
                         "WHERE name = 'sqlite_stat1'")
    database.execute("UPDATE sqlite_master SET sql = replace(sql, '(7)', ?)", [f"({expression})"])
    database.commit()
    database.close()
    before = (tmp_path / "t.sqlite").read_bytes()
    made = run(tmp_path, ["migrate", "source.items.json", "--into", "other.sqlite", "--journal", "j.json", *CLOCK])
    assert made.status in (0, 1), made.sentence
    for words in (["inspect", "t.sqlite"], ["migrate", "source.items.json", "--into", "t.sqlite", *CLOCK],
                  ["migrate", "t.sqlite", "--into", "t.sqlite", *CLOCK],
                  ["undo", "j.json", "t.sqlite"], ["lookup", "t.sqlite", "--client-id", "x"], ["scrub", "t.sqlite", "--into", "scrubbed.sqlite"]):
        process = subprocess.Popen([command.COMMAND, *words], cwd=tmp_path, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, taken = os.wait4(process.pid, 0)
        process.returncode = 0
        assert os.waitstatus_to_exitcode(status) == 65, words
        assert taken.ru_utime + taken.ru_stime < 1 and taken.ru_maxrss < 100_000, (words, taken)
    assert (tmp_path / "t.sqlite").read_bytes() == before


def many(people):
    """A cache of many people, with as little as they have."""
    rows = []
    for number in range(people):
        user = f"person{number}@contoso.com"
        claims = make.claims("Some Body", user, make.CONTOSO, make.MAIL)
        rows.append(make.keychain_item(
            make.refresh(user, make.MAIL, make.COMMON, claims, "", refresh=os.urandom(32).hex()),
            caches.GROUP, caches.NOW))
    return rows


def usage(folder, words):
    """What a run takes: the most memory at one time, in KiB, and processor time, in seconds."""
    with open(folder / "report", "wb") as report:
        process = subprocess.Popen(
            [command.COMMAND, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=report)
    _, status, taken = os.wait4(process.pid, 0)
    process.returncode = 0
    assert os.waitstatus_to_exitcode(status) in (0, 1)
    return taken.ru_maxrss, taken.ru_utime + taken.ru_stime


@pytest.mark.parametrize("target", list(STORES.values()))
def test_memory_grows_with_rows_and_no_faster(tmp_path, target):
    """A row takes less than 64 KiB, however many there are."""
    few, more = 100, 400
    memory = {}
    for people in (few, more):
        caches.write(tmp_path / f"{people}.items.json", many(people))
        memory[people], _ = usage(
            tmp_path, ["migrate", f"{people}.items.json", "--into", f"{people}-{target}", *CLOCK])
        report = json.loads((tmp_path / "report").read_text())
        assert report["summary"]["accountsSignedIn"] == people
    assert (memory[more] - memory[few]) / (more - few) < 64, memory


@pytest.mark.parametrize("form", ["text", "json"])
def test_damaged_rows_take_time_in_proportion(tmp_path, form):
    """Four times as many take less than eight times as long."""
    items = [{**FULL.items[0], "acct": f"a{number}", "data": b"bplist00" + os.urandom(200)}
             for number in range(6400)]
    seconds = {}
    for count in (1600, 6400):
        caches.write(tmp_path / "t.items.json", items[:count])
        _, seconds[count] = usage(tmp_path, ["inspect", "t.items.json", "--format", form])
    assert seconds[6400] < 8 * seconds[1600], seconds
