# SPDX-License-Identifier: MIT
"""What the command can be asked to do with a store: a line for each operation, a name for each store."""
from dataclasses import dataclass
from typing import Callable

import caches
from command import run

STORES = {"snapshot": "t.sqlite", "items file": "t.items.json", "document": "t.json"}
# A folder of documents is none of the stores that have one name.
PLACES = STORES | {"folder": "documents"}
KEYCHAINS = ("snapshot", "items file")
JOURNAL = "journal.json"
CLOCK = ("--now", str(caches.NOW), "--format", "json")


@dataclass(frozen=True)
class Operation:
    """One thing that the command does with a target.

    `prepare` makes what is there before, and `arguments` are the command's; both get the target's name.
    """

    name: str
    stores: tuple
    prepare: Callable
    arguments: Callable
    # What the same again ends with once the target is there.
    again: int = 0
    # The arguments that take back what the run added, by its journal.
    back: Callable | None = None


def source(folder):
    caches.write(folder / "source.items.json", FULL.items)


def existing(folder, target):
    """A target that holds what another cache brought, of which the source has nothing."""
    caches.write(folder / "first.items.json", FIRST.items)
    made = run(folder, ["migrate", "first.items.json", "--into", target, *CLOCK])
    assert made.status == 0, made.sentence
    (folder / "first.items.json").unlink()
    source(folder)


def existing_documents(folder, target):
    """A folder with the document of somebody of whom the source has other rows."""
    caches.write(folder / "first.items.json", FIRST.items)
    made = run(folder, ["migrate", "first.items.json", "--into-folder", target, *CLOCK])
    assert made.status == 0, made.sentence
    (folder / "first.items.json").unlink()
    source(folder)


def written(folder, target):
    """A target that a run with a journal has added to, and the journal."""
    existing(folder, target)
    made = run(folder, into_journaled(target))
    assert made.status == 0, made.sentence
    (folder / "source.items.json").unlink()


def into(target):
    return ["migrate", "source.items.json", "--into", target, *CLOCK]


def into_journaled(target):
    return [*into(target), "--journal", JOURNAL]


def into_folder(target):
    return ["migrate", "source.items.json", "--into-folder", target, *CLOCK]


def undo(target):
    return ["undo", JOURNAL, target]


def same_kind(folder, target):
    """A source of the kind that the target will be."""
    caches.write(folder / "source.items.json", FULL.items)
    if target == "t.json":
        made = run(folder, ["migrate", "source.items.json", "--into", f"source-{target}", *CLOCK])
        assert made.status == 0, made.sentence
    else:
        caches.write(folder / f"source-{target}", FULL.items)
    (folder / "source.items.json").unlink()


def same_documents(folder, target):
    """A folder of documents to make another one of."""
    source(folder)
    made = run(folder, into_folder(f"source-{target}"))
    assert made.status == 0, made.sentence
    (folder / "source.items.json").unlink()


FULL = caches.Cache(seed=19)
# Another app's cache, with somebody of the same name in it: were a target made anew, these would be missing.
FIRST = caches.Cache(seed=23, people=0)
FIRST.add("p0-19@contoso.com")

OPERATIONS = [
    Operation(
        "migrate in place", KEYCHAINS, lambda folder, target: caches.write(folder / target, FULL.items),
        lambda target: ["migrate", target, "--into", target, *CLOCK]),
    Operation("migrate into new", tuple(STORES), lambda folder, target: source(folder), into),
    Operation("migrate into existing", tuple(STORES), existing, into),
    Operation("migrate with journal", tuple(STORES), existing, into_journaled, back=undo),
    Operation("migrate into new", ("folder",), lambda folder, target: source(folder), into_folder),
    Operation("migrate into existing", ("folder",), existing_documents, into_folder),
    Operation(
        "scrub", tuple(STORES), same_kind,
        lambda target: ["scrub", f"source-{target}", "--into", target, "--seed", "faults"], again=73),
    Operation(
        "scrub", ("folder",), same_documents,
        lambda target: ["scrub", f"source-{target}", "--into", target, "--seed", "faults"], again=73),
    Operation("undo", tuple(STORES), written, undo),
]
