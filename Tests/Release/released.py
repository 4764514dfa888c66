# SPDX-License-Identifier: MIT
"""A release as it is packed here, of the command that ADAL2MSAL names."""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2]
sys.path.append(str(PACKAGE / "scripts" / "packaging"))
# Of the folder in which the installed command is built. SwiftPM lets only one program use the package's own at a time, and
# the Swift tests use it for minutes.
CHECKOUTS = PACKAGE / ".build" / "shipped" / "checkouts"
SYSTEM = f"linux-{platform.machine()}" if sys.platform == "linux" else "macos-universal"
EPOCH = "1700000000"
PYTHON = Path(sys.executable).parent


def tool(name):
    """A program on the path, or beside this Python."""
    return shutil.which(name) or shutil.which(name, path=str(PYTHON))


def needs(name):
    return pytest.mark.skipif(not tool(name), reason=f"not checked: there is no {name}")


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300, **options)


def command():
    return os.environ.get("ADAL2MSAL")


def was_run(paths):
    """Whether the command of the release `unused`, which was installed in one of these folders, was run for more than its
    version."""
    return any(Path(path, "adal2msal.was-run").exists() for path in paths)


def pack(version, folder, work):
    """Packs the command, stripped, as a release is packed."""
    binary, stage = work / "adal2msal", work / "stage"
    shutil.copy(command(), binary)
    subprocess.run(["strip", "-x", binary], check=True, capture_output=True)
    environment = {**os.environ, "SOURCE_DATE_EPOCH": EPOCH, "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([PACKAGE / "scripts" / "install", stage], check=True, capture_output=True,
                   env={**environment, "ADAL2MSAL": str(binary)})
    script = [sys.executable, PACKAGE / "scripts" / "packaging" / "package.py"]
    subprocess.run([*script, "system", version, SYSTEM, stage, command(), CHECKOUTS, "", folder],
                   check=True, env=environment)
    subprocess.run([*script, "collect", version, folder], check=True, env=environment)
    return folder
