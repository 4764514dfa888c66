# SPDX-License-Identifier: MIT
"""Every operation on every store with every fault: what must hold after each."""
import errno
import os
import shutil
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import caches
from command import KILLED, Fault, run
from operations import FIRST, FULL, JOURNAL, PLACES

EVERY = os.environ.get("FAULTS") == "full"
# Of each kind of fault but killing, so many are tried on one operation and store.
SOME = 2
# The calls that only look at what is there.
LOOKS = ("stat", "getcwd", "readlink", "access", "realpath")
# The errors that a call can end with, by what it is for.
GROWING = ("EIO", "ENOSPC", "EDQUOT", "EINTR")
ERRORS = {
    "open": ("EIO", "EMFILE", "EACCES", "EINTR"),
    "open-to-write": ("EIO", "EMFILE", "EACCES", "EROFS", "EINTR"),
    "create": (*GROWING, "EMFILE", "EACCES", "EROFS"),
    "read": ("EIO", "EINTR"),
    "write": GROWING,
    "sync": GROWING,
    "truncate": ("EIO", "ENOSPC", "EINTR"),
    "lock": ("ENOLCK", "EINTR"),
    "rename": ("EIO", "ENOSPC", "EDQUOT", "EROFS"),
    "link": ("EIO", "ENOSPC", "EDQUOT", "EPERM", "EROFS"),
    "unlink": ("EIO", "EROFS"),
    "fchmod": ("EIO", "EPERM", "EROFS"),
    "fchown": ("EIO", "EPERM", "EROFS"),
    "mkdir": ("EIO", "ENOSPC", "EDQUOT", "EROFS"),
    "rmdir": ("EIO", "EROFS"),
} | dict.fromkeys(LOOKS, ("EIO", "EACCES", "ENOMEM", "ESTALE"))
# What a disk that breaks, is full or becomes read-only goes on to say.
LASTING = ("EIO", "ENOSPC", "EROFS")
# What a run may end with that has changed nothing (contract §5).
UNCHANGED = (66, 73, 74, 75)
# What is said where the target is new all the same.
KNOWN = ("was written", "cannot confirm that")
# Where SQLite does not try again what a signal interrupted.
SQLITE_GIVES_UP = ("sync", "lock")


def number(name):
    return str(getattr(errno, name))


@dataclass
class Line:
    """A line of the table: one operation on one store."""

    operation: str
    store: str
    calls: int = 0
    tried: Counter = field(default_factory=Counter)
    broken: list = field(default_factory=list)

    columns = ("killed", "errors", "short", "lasting", "swapped")

    def __str__(self):
        tried = sum(self.tried.values())
        counts = " ".join(f"{self.tried[column]:>8}" for column in self.columns)
        return (f"{self.operation:<22} {self.store:<11} {self.calls:>5} {counts} {tried:>7}"
                f" {tried - len(self.broken):>7}")

    @classmethod
    def head(cls):
        counts = " ".join(f"{column:>8}" for column in cls.columns)
        return f"{'operation':<22} {'store':<11} calls {counts}   tried    held"


def column(fault):
    if fault.kind == "kill":
        return "killed"
    if fault.kind == "swap":
        return "swapped"
    if fault.kind == "short":
        return "short"
    return "lasting" if fault.lasts else "errors"


def faults(calls):
    """Every fault at every call, those of one kind together."""
    count = len(calls)
    yield [Fault(at, "kill") for at, call in enumerate(calls, 1) if call not in ("open", "read", *LOOKS)]
    yield [Fault(at, "short") for at, call in enumerate(calls, 1) if call in ("read", "write")]
    yield [Fault(at, "swap") for at in range(1, count + 1)]
    for name in LASTING:
        yield [Fault(at, number(name), lasts=True) for at in range(1, count + 1)]
    for name in sorted({name for names in ERRORS.values() for name in names}):
        yield [Fault(at, number(name)) for at, call in enumerate(calls, 1) if name in ERRORS[call]]


def chosen(calls, day=int(time.time()) // 86_400):
    """Every fault, or those of one day."""
    for turn, kind in enumerate(faults(calls)):
        if EVERY:
            yield from kind
        elif not turn:
            yield from kind[day % 2::2]
        elif kind:
            step = max(1, len(kind) // SOME)
            yield from kind[(day * 7 + turn) % step::step][:SOME]
    if not EVERY:
        # A look that fails must not pass for a file that is not there.
        looks = [Fault(at, number("EIO")) for at, call in enumerate(calls, 1) if call in LOOKS]
        yield from looks[day % 2::2]
        # A disk that breaks where what is new is taken for good.
        yield from (Fault(at, str(errno.EIO), lasts=True) for at, call in enumerate(calls, 1) if call == "sync")


class Scene:
    """One operation on one store, prepared once and copied for each fault."""

    def __init__(self, operation, store):
        self.operation = operation
        self.target = PLACES[store]
        self.arguments = operation.arguments(self.target)
        self.windows = caches.Windows(FULL.tokens + FIRST.tokens)
        self.line = Line(operation.name, store)
        self.place = Path(tempfile.mkdtemp()).resolve()
        self.template = self.place / "template"
        self.template.mkdir()
        operation.prepare(self.template, self.target)
        self.before = caches.files(self.template)
        self.old = self.content(self.template)
        folder = self.copy("whole")
        whole = run(folder, self.arguments, counts=True)
        assert whole.status == 0, whole.sentence
        self.calls = whole.calls
        self.line.calls = len(self.calls)
        self.new = self.content(folder)
        self.after = caches.names(folder)
        assert self.new != self.old

    def remove(self):
        shutil.rmtree(self.place)

    def copy(self, name):
        return Path(shutil.copytree(self.template, self.place / name))

    def content(self, folder):
        """What is in the target; None where there is nothing, be it in a folder without documents."""
        return caches.content(folder / self.target) or None

    def is_whole(self, found):
        """Whether a target is entirely old or new; of a folder, each document for itself."""
        if found in (self.old, self.new):
            return True
        if not isinstance(found, frozenset):
            return False
        old = self.old or frozenset()
        return found <= old | self.new and {name for name, _ in old} <= {name for name, _ in found}

    def try_all(self, chosen):
        with ThreadPoolExecutor(os.cpu_count()) as workers:
            for fault, faults in workers.map(lambda fault: (fault, self.attempt(fault)), chosen):
                self.line.tried[column(fault)] += 1
                if faults:
                    self.line.broken.append((fault, faults))

    def attempt(self, fault):
        """What does not hold after a fault, in words."""
        folder = self.copy(f"{fault.at}-{fault.kind}-{fault.lasts}")
        try:
            result = run(folder, self.arguments, fault)
            wrong = list(self.judge(folder, fault, result))
            moved = Path(f"{folder}.aside")
            wrong += self.go_on(moved if moved.exists() else folder)
            return wrong
        except Exception as error:  # a check that cannot even be made is one that fails
            return [f"{type(error).__name__}: {error}"]
        finally:
            if folder.is_symlink():
                folder.unlink()
                shutil.rmtree(f"{folder}.aside")
                shutil.rmtree(f"{folder}.empty")
            else:
                shutil.rmtree(folder)

    def judge(self, folder, fault, result):
        name = self.calls[fault.at - 1]
        said = f"{name} {fault}: {result.status} {result.sentence.strip()!r}"
        if self.windows.are_in(result.output) or self.windows.are_in(result.errors):
            yield f"{said}: a secret is in the output"
        folders = [folder]
        if fault.kind == "swap" and folder.is_symlink():
            folders = [Path(f"{folder}.aside"), Path(f"{folder}.empty")]
        founds = [self.content(place) for place in folders]
        if not self.is_whole(founds[0]):
            yield f"{said}: the target is neither old nor new"
        if len(founds) > 1:
            if founds[1] is not None and not self.is_whole(founds[1]):
                yield f"{said}: the target in the other folder is half made"
            yield from self.secrets_beside(folders[1], said)
        for name, data in self.before.items():
            if not name.startswith(self.target) and (folders[0] / name).read_bytes() != data:
                yield f"{said}: {name} has changed"
        yield from self.judge_status(fault, result, founds, said)

    def judge_status(self, fault, result, founds, said):
        if fault.kind == "kill":
            if result.status != KILLED:
                yield f"{said}: not killed"
            return
        if result.status == 0:
            if self.new not in founds:
                yield f"{said}: done, and the target is not new"
            return
        if not result.sentence.startswith("adal2msal: ") or result.output:
            yield f"{said}: not the contract's words"
        if self.new in founds:
            if result.status != 74 or not any(words in result.sentence for words in KNOWN):
                yield f"{said}: the target is new"
        elif any(found not in (None, self.old) for found in founds):
            if result.status not in (74, 75) or "written" not in result.sentence:
                yield f"{said}: some documents are new"
        elif result.status not in UNCHANGED:
            yield f"{said}: not the contract's status"
        is_harmless = fault.kind == "short" or fault.kind == number("EINTR") and not (
            self.target.endswith(".sqlite") and self.calls[fault.at - 1] in SQLITE_GIVES_UP)
        if is_harmless:
            yield f"{said}: a harmless fault ends the run"

    def go_on(self, folder):
        """The next run completes, and leaves nothing but what a run without faults leaves."""
        if self.operation.back:
            yield from self.take_back(folder)
        is_new = self.content(folder) == self.new
        result = run(folder, self.arguments)
        if result.status != (self.operation.again if is_new else 0):
            yield f"the next run: {result.status} {result.sentence.strip()!r}"
            return
        if self.content(folder) != self.new:
            yield "the next run: the target is not what it should be"
        left = caches.names(folder) - self.after
        if left:
            yield f"the next run leaves {sorted(left)}"
        yield from self.secrets_beside(folder, "the next run")

    def take_back(self, folder):
        """Whatever was added, the journal that a run leaves takes it back."""
        journal = folder / JOURNAL
        if journal.exists():
            result = run(folder, self.operation.back(self.target))
            if result.status:
                yield f"taking back: {result.status} {result.sentence.strip()!r}"
            journal.unlink()
        if self.content(folder) != self.old:
            yield "taken back, the target is not what it was"

    def secrets_beside(self, folder, said):
        for name, data in caches.files(folder).items():
            if name not in self.after and self.windows.are_in(data):
                yield f"{said}: {name} has a secret"
