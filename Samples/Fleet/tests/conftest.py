# SPDX-License-Identifier: MIT
"""What the fleet's tests share: the command, made caches, poisoned ones, and digests of answers."""
from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from fleet import made  # noqa: E402

FAULTY = str(HERE / "faulty.py")
# How many caches a test has; CI takes fewer than a developer may.
COUNT = int(os.environ.get("FLEET_TEST_CACHES", "600"))
MODES = ("segfault", "exit0", "exit3", "half", "killed", "hang")


@pytest.fixture(scope="session", autouse=True)
def adal2msal() -> str:
    command = os.environ.get("ADAL2MSAL") or shutil.which("adal2msal")
    if not command:
        pytest.skip("not checked: ADAL2MSAL names no command")
    os.environ["ADAL2MSAL"] = command
    return command


needs_java = pytest.mark.skipif(not shutil.which("java"), reason="not checked: there is no Java, so no Spark")


def caches(count: int = COUNT, poison: dict[int, str] | None = None) -> list[bytes]:
    """Made caches, some of them poisoned."""
    poison = poison or {}
    return [
        f"poison {poison[each.id]}".encode() if each.id in poison else each.cache for each in made.all_made(count)]


def digest(rows: Iterable[tuple]) -> str:
    """Of answers by id, in whatever order they come."""
    return hashlib.sha256(repr(sorted(tuple(row) for row in rows)).encode()).hexdigest()
