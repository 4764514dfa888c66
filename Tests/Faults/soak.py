#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random caches through random commands with random faults, for as long as one likes.

Usage: soak.py [--minutes N] [--seed S]

A seed makes the same cache, commands and faults again. One that fails is printed with what did not hold, and
belongs into seeds.txt, with a word on what it was.
"""
import argparse
import base64
import json
import os
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import caches
from command import KILLED, Fault, run
from matrix import LASTING, UNCHANGED, number
from operations import JOURNAL, PLACES, STORES

VECTORS = caches.PACKAGE / "Tests" / "Vectors" / "adal"
SEEDS = Path(__file__).parent / "seeds.txt"
CLOCK = ("--now", str(caches.NOW + 300_000))
FORMATS = ["text", "json", "markdown", "sarif", "junit", "github", "azure", "html", "summary"]
ERRORS = ["EIO", "ENOSPC", "EDQUOT", "EROFS", "EMFILE", "EACCES", "EINTR", "ENOLCK", "ENOMEM", "ESTALE"]
# What a run that no fault has met may end with.
PLAIN = (0, 1)


def kept():
    """The seeds that once failed."""
    lines = (line.split("#")[0].strip() for line in SEEDS.read_text().splitlines())
    return [int(line) for line in lines if line]


def decoded(item):
    return {key: base64.b64decode(value) if key in ("data", "gena") else value
            for key, value in item.items()}


class Story:
    """What happens to one folder of caches."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.folder = Path(tempfile.mkdtemp(prefix=f"soak-{seed}-")).resolve()
        self.cache = caches.Cache(seed, people=self.random.randint(1, 6))
        self.windows = caches.Windows(self.cache.tokens)
        self.told = []

    def wrong(self, what):
        raise AssertionError(f"{what}; after:\n  " + "\n  ".join(self.told))

    def items(self):
        """Rows with known tokens, and some of those that ADAL's own code wrote; a few of all are damaged."""
        items = list(self.cache.items)
        for folder in self.random.sample(sorted(VECTORS.glob("ios-*")), self.random.randint(0, 6)):
            for name in ("items.json", "other-items.json"):
                if "big" not in folder.name and (folder / name).exists():
                    items += map(decoded, json.loads((folder / name).read_text()))
        items = {(item["agrp"], item.get("acct", ""), item.get("svce", "")): item for item in items}
        damaged = []
        for item in items.values():
            if self.random.random() < 0.05 and item.get("data"):
                data = bytearray(item["data"])
                for _ in range(self.random.randint(1, 4)):
                    data[self.random.randrange(len(data))] = self.random.randrange(256)
                item = {**item, "data": bytes(data)}
            damaged.append({"acct": "", "svce": "", "class": "genp", **item})
        self.random.shuffle(damaged)
        return damaged

    def fault(self):
        kind = self.random.choice(["kill", "kill", "short", *map(number, ERRORS)])
        lasts = kind in map(number, LASTING) and self.random.random() < 0.5
        return Fault(self.random.randint(1, 90), kind, lasts)

    def options(self):
        options = ["--format", self.random.choice(FORMATS)]
        if self.random.random() < 0.2:
            options += ["--show-usernames"]
        if self.random.random() < 0.2:
            options += ["--report", f"report.{self.random.choice(['txt', 'json', 'md', 'sarif', 'xml'])}"]
        return options

    def source(self):
        return self.random.choice(["one.sqlite", "two.items.json"])

    def words(self):
        """A command, and the name of what it may write."""
        source = self.source()
        match self.random.randint(0, 10):
            case 0:
                return ["inspect", source, *self.options()], None
            case 1:
                return ["migrate", source, "-n", *self.options()], None
            case 2 | 3 | 4:
                return ["migrate", source, "--into", source, *self.options(), "--fail-on", "never"], source
            case 5:
                target = PLACES["folder"]
                return ["migrate", source, "--into-folder", target, *self.options()], target
            case _:
                target = self.random.choice(list(STORES.values()))
                more = ["--no-access-tokens"] if self.random.random() < 0.2 else []
                return ["migrate", source, "--into", target, *more, *self.options()], target

    def tell(self):
        items = self.items()
        for name in ("one.sqlite", "two.items.json"):
            caches.write(self.folder / name, items)
        for _ in range(self.random.randint(1, 4)):
            match self.random.randint(0, 7):
                case 0:
                    self.go_and_come_back()
                case 1:
                    self.scrub()
                case _:
                    words, target = self.words()
                    self.step([*words, *CLOCK], target, self.some_fault())

    def some_fault(self):
        return self.fault() if self.random.random() < 0.7 else None

    def go(self, words, fault, plain=PLAIN):
        """Runs the command, which ends as the contract has it."""
        result = run(self.folder, words, fault)
        self.told.append(f"{' '.join(words)}  {fault}: {result.status} {result.sentence.strip()}")
        self.look_at_output(result)
        is_killed = fault is not None and fault.kind == "kill" and result.status == KILLED
        # The tokens of a source that fails while it is read are not migrated: status 1 is one of the good.
        if result.status not in plain and not is_killed:
            if fault is None or result.status not in UNCHANGED:
                self.wrong("not the contract's status")
        return result

    def go_and_come_back(self):
        """Whatever a run has added, its journal takes it back."""
        names = caches.names(self.folder)
        target = self.random.choice([*STORES.values(), "one.sqlite", "two.items.json"])
        rows = self.rows(target)
        into = ["migrate", self.source(), "--into", target, "--journal", JOURNAL, "--fail-on", "never"]
        into += [*CLOCK, "--format", "json"]
        journal = self.folder / JOURNAL
        self.go(into, self.some_fault())
        if not journal.exists() or not (self.folder / target).exists():
            journal.unlink(missing_ok=True)
            self.go(into, None)
        # Where there is nothing to write, nothing is made.
        if (self.folder / target).exists():
            self.go(["undo", JOURNAL, target], self.some_fault(), plain=(0,))
            self.go(["undo", JOURNAL, target], None, plain=(0,))
        if self.rows(target) != rows:
            self.wrong("what was added is not what was taken back")
        journal.unlink()
        self.look_around(names, {target})

    def scrub(self):
        """What is scrubbed has nothing of a token."""
        names = caches.names(self.folder)
        source = self.source()
        target = f"scrubbed-{source}"
        words = ["scrub", source, "--into", target, "--seed", "soak"]
        self.go(words, self.some_fault(), plain=(0,))
        self.go(words, None, plain=(0, 73))
        path = self.folder / target
        if self.windows.are_in(path.read_bytes()):
            self.wrong("a secret is in what is scrubbed")
        path.unlink()
        self.look_around(names, set())

    def step(self, words, target, fault):
        before, names = caches.files(self.folder), caches.names(self.folder)
        rows = self.rows(target)
        self.go(words, fault)
        report = {words[words.index("--report") + 1]} if "--report" in words else set()
        for name, data in before.items():
            if name.split("/")[0] not in {target} | report and (self.folder / name).read_bytes() != data:
                self.wrong(f"{name} has changed")
        self.look_at_rows(rows, target)
        if fault is not None:
            self.go(words, None)
            self.look_at_rows(rows, target)
        self.look_around(names, {target} | report)
        if target:
            self.run_once_more(words)

    def run_once_more(self, words):
        """Running again changes nothing."""
        at = words.index("--format")
        again = run(self.folder, [*words[:at], "--format", "json", *words[at + 2:]])
        if again.status not in PLAIN or json.loads(again.output)["summary"]["written"]:
            self.told.append(f"once more: {again.status} {again.sentence.strip()}")
            self.wrong("a run after a run writes")

    def look_at_output(self, result):
        if self.windows.are_in(result.output) or self.windows.are_in(result.errors):
            self.wrong("a secret is in the output")

    def rows(self, target):
        """Every item or entry of a target, as a set."""
        path = self.folder / (target or "")
        if not target or not path.exists():
            return set()
        if target.endswith(".sqlite"):
            caches.content(path)
            with tempfile.TemporaryDirectory() as folder:
                for suffix in ("", "-journal", "-wal"):
                    if os.path.exists(f"{path}{suffix}"):
                        shutil.copy(f"{path}{suffix}", f"{folder}/copy{suffix}")
                database = sqlite3.connect(f"{folder}/copy")
                rows = set(database.execute("SELECT * FROM items"))
                database.close()
                return rows
        if path.is_dir():
            return {(name, row) for name, _ in caches.content(path) for row in self.rows(f"{target}/{name}")}
        document = json.loads(path.read_text("utf-8"))
        if "items" in document:
            return {json.dumps(item, sort_keys=True) for item in document["items"]}
        return {json.dumps([section, key, value], sort_keys=True)
                for section, entries in document.items() for key, value in entries.items()}

    def look_at_rows(self, before, target):
        if not before <= self.rows(target):
            self.wrong("what was in the target has changed")

    def look_around(self, before, written):
        left = caches.names(self.folder) - before - written
        documents = {name for name in left if name.split("/")[0] in written}
        left -= {name for name in documents
                 if not Path(name).name.startswith(".") and not name.endswith(caches.COMPANIONS)}
        if left:
            self.wrong(f"{sorted(left)} is left")


def live(seed):
    """Nil when everything held; else what did not."""
    story = Story(seed)
    try:
        story.tell()
        return None
    except Exception as error:  # a check that cannot be made is one that fails
        return f"seed {seed}: {type(error).__name__}: {error}"
    finally:
        shutil.rmtree(story.folder, ignore_errors=True)


def soak(seeds, seconds):
    """Lives through seeds until the time is over: how many, and what did not hold."""
    end = time.monotonic() + seconds
    count, wrong = 0, []

    def coming():
        for seed in seeds:
            if time.monotonic() > end:
                return
            yield seed

    with ProcessPoolExecutor(os.cpu_count()) as workers:
        batch = []
        for seed in coming():
            batch.append(seed)
            if len(batch) == 4 * os.cpu_count():
                results = list(workers.map(live, batch))
                count += len(batch)
                wrong += [result for result in results if result]
                batch = []
        results = list(workers.map(live, batch))
        return count + len(batch), wrong + [result for result in results if result]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, help="live through this one alone")
    arguments = parser.parse_args()
    if arguments.seed is not None:
        count, wrong = 1, [result for result in [live(arguments.seed)] if result]
    else:
        first = int(time.time()) * 1000
        count, wrong = soak(range(first, first + 10_000_000), arguments.minutes * 60)
    print("\n".join(wrong))
    print(f"{count} seeds, {len(wrong)} failed")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
