# SPDX-License-Identifier: MIT
"""What a run of a command costs: processor time, memory, instructions, allocations; and what it ran on."""
import dataclasses
import os
import pathlib
import platform
import re
import subprocess
import sys
import time

# The same order of every hash on every run.
ENVIRONMENT = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}


@dataclasses.dataclass
class Usage:
    """Seconds of the processor outside the kernel and inside, seconds on the wall, and the most memory in bytes."""
    user: float
    system: float
    wall: float
    peak: int

    @property
    def cpu(self):
        return self.user + self.system


def run(*words):
    """What a run takes. It may end with 1, which says that somebody must sign in again."""
    start = time.monotonic()
    process = subprocess.Popen([str(word) for word in words], env=ENVIRONMENT,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    check(process.returncode, words, errors.decode())
    scale = 1 if sys.platform == "darwin" else 1024
    return Usage(usage.ru_utime, usage.ru_stime, wall, usage.ru_maxrss * scale)


def check(status, words, errors):
    if status not in (0, 1):
        name = " ".join(str(word) for word in words)
        sys.exit(f"{name} ended with {status}:\n{errors[-2000:]}")


def valgrind(tool, pattern, *words):
    done = subprocess.run(["valgrind", *tool, *(str(word) for word in words)], env=ENVIRONMENT,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    check(done.returncode, words, done.stderr)
    counted = re.search(pattern, done.stderr)
    if not counted:
        sys.exit(f"valgrind counted nothing; is there debug information left?\n{done.stderr[-2000:]}")
    return int(counted[1].replace(",", ""))


def instructions(*words):
    """How many instructions a run takes: the same on every run."""
    tool = ["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    return valgrind(tool, r"I +refs: +([\d,]+)", *words)


def instructions_within(function, *words):
    """How many instructions of a run a function takes, with all that it calls."""
    tool = ["--tool=callgrind", f"--toggle-collect={function}", "--callgrind-out-file=/dev/null"]
    return valgrind(tool, r"Collected : ([\d,]+)", *words)


def allocations(*words):
    """How often a run asks for memory."""
    tool = ["--tool=memcheck", "--leak-check=no", "--undef-value-errors=no"]
    return valgrind(tool, r"total heap usage: ([\d,]+) allocs", *words)


def machine():
    """The machine in a few words, none of which names it."""
    info = pathlib.Path("/proc/cpuinfo")
    model = re.search(r"model name\s*: (.*)", info.read_text()) if info.exists() else None
    release = pathlib.Path("/etc/os-release")
    system = re.search(r'PRETTY_NAME="(.*)"', release.read_text()) if release.exists() else None
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=False)
    version = re.search(r"Swift version (\S+)", swift.stdout)
    return ", ".join([
        f"{platform.machine()} ({model[1] if model else platform.processor()})",
        f"{os.cpu_count()} cores", system[1] if system else platform.system(),
        f"Swift {version[1] if version else '?'}", f"Python {platform.python_version()}",
    ])
