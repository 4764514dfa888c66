# SPDX-License-Identifier: MIT
"""Runs of the command, with one of their system calls spoiled."""
import functools
import os
import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

COMMAND = os.environ.get("ADAL2MSAL")
HERE = Path(__file__).resolve().parent
KILLED = -signal.SIGKILL


@functools.cache
def shim():
    """The library that spoils calls, compiled."""
    swift = shutil.which("swift")
    beside = Path(os.path.realpath(swift)).parent / "clang" if swift else None
    compiler = str(beside) if beside and beside.exists() else shutil.which("clang") or "cc"
    made = Path(tempfile.mkdtemp()) / "faults.so"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", str(made),
         str(HERE / "faults.c"), "-ldl"], check=True)
    return made


@dataclass(frozen=True)
class Fault:
    """What happens to one call, or to all from there on."""

    at: int
    kind: str
    lasts: bool = False

    def environment(self):
        return {"FAULT_AT": str(self.at), "FAULT": self.kind,
                "FAULT_FOR": "1000000000" if self.lasts else "1"}


@dataclass
class Result:
    """How a run ended."""

    status: int
    output: bytes
    errors: bytes
    calls: list = field(default_factory=list)

    @property
    def sentence(self):
        return self.errors.decode("utf-8")


def run(folder, arguments, fault=None, counts=False, limits=None, timeout=60, **options):
    """Runs the command in a folder, whose files' calls are counted or spoiled."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LC_ALL": "C.UTF-8",
                   "TMPDIR": str(folder)}
    log = None
    if fault or counts:
        environment |= {"LD_PRELOAD": str(shim()), "FAULT_FOLDER": str(folder)}
    if fault:
        environment |= fault.environment()
    if counts:
        handle, log = tempfile.mkstemp()
        os.close(handle)
        environment["FAULT_LOG"] = log
    environment |= options.pop("environment", {})
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    result = subprocess.run(
        [COMMAND, *map(str, arguments)], cwd=folder, env=environment, timeout=timeout,
        preexec_fn=limits, **options)
    calls = []
    if log:
        calls = [line.split(" ", 1)[1] for line in Path(log).read_text().splitlines()]
        os.unlink(log)
    return Result(result.returncode, result.stdout or b"", result.stderr or b"", calls)
