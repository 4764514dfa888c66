# SPDX-License-Identifier: MIT
"""A scrubbed cache is migrated where it is and taken back: then it is what it was, value for value (law of scrub and
undo together). Of every sample and vector that is keychain items or a cache document."""

import json
import os
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("ADAL2MSAL")
SAMPLES = PACKAGE / "Samples" / "Caches"
NOW = "1700000000"

pytestmark = pytest.mark.skipif(not COMMAND, reason="not checked: ADAL2MSAL names no command")


def run(*words, cwd):
    done = subprocess.run([COMMAND, *map(str, words)], cwd=cwd, capture_output=True, text=True, timeout=120)
    return done


def content(path):
    if path.suffix == ".sqlite":
        with sqlite3.connect(path) as connection:
            return sorted(map(repr, connection.execute("SELECT * FROM items")))
    return json.loads(path.read_bytes())


def caches():
    """Each sample and vector that a run can add to."""
    found = [path for path in sorted(SAMPLES.iterdir()) if path.suffix == ".sqlite" or path.name.endswith(".items.json")]
    # Most files of the vectors say what is in the caches beside them.
    for path in sorted((PACKAGE / "Tests" / "Vectors").rglob("*.json")):
        text = path.read_bytes()
        if b'"svce"' in text or b'"RefreshToken"' in text:
            found.append(path)
    return found


def undone(source, folder):
    """Whether a cache was scrubbed, migrated and taken back; None when it is none that a run can add to."""
    place = folder / f"scrubbed{source.suffix}"
    done = run("scrub", source, "--into", place, "--seed", "7", cwd=folder)
    # 70 says that the copy had something of the source.
    assert done.returncode != 70, f"{source}: {done.stderr}"
    if done.returncode != 0 or place.suffix == ".json" and place.read_bytes()[:1] not in b"[{":
        return None
    before, bytes_before = content(place), place.read_bytes()
    done = run("migrate", place, "--into", place, "--journal", "journal.json", "--now", NOW, "--fail-on", "never", cwd=folder)
    if done.returncode != 0:
        return None
    added = content(place) != before
    done = run("undo", "journal.json", place, cwd=folder)
    assert done.returncode == 0, f"{source}: {done.stderr}"
    assert content(place) == before, source
    if place.suffix == ".json" and isinstance(before, list):
        assert place.read_bytes() == bytes_before, source
    return added


def test_scrub_migrate_undo(tmp_path):
    counts = {True: 0, False: 0, None: 0}
    for number, source in enumerate(caches()):
        folder = tmp_path / str(number)
        folder.mkdir()
        counts[undone(source, folder)] += 1
        shutil.rmtree(folder)
    print(counts)
    # So many were added to and taken back; in the others there was nothing to do, or they are no caches.
    assert counts[True] >= 60
