# SPDX-License-Identifier: MIT
"""A change of words changes no fact: of every vector and sample, a digest of the JSON without its prose.

ADAL2MSAL names the command. RECORD_GOLDENS=1 writes the digests into Tests/Goldens/facts.txt, and then fails.
"""

import hashlib
import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2]
GOLDEN = PACKAGE / "Tests" / "Goldens" / "facts.txt"
COMMAND = os.environ.get("ADAL2MSAL")
NOW = "1700000000"
# Prose where it is a text: the counts of a report are a `summary`, too.
PROSE = {"message", "remedy", "summary", "why", "error", "accountError"}
NO_CACHES = {".md", ".py", ".csv", ".xml", ".txt"}

pytestmark = pytest.mark.skipif(not COMMAND, reason="not checked: ADAL2MSAL does not name the command")


def facts(value):
    """A value without prose and without the version of the program."""
    if isinstance(value, dict):
        return {key: facts(part) for key, part in value.items()
                if key != "tool" and not (key in PROSE and isinstance(part, str))}
    return [facts(part) for part in value] if isinstance(value, list) else value


def digest(text):
    whole = json.dumps(facts(json.loads(text)), sort_keys=True).encode()
    return hashlib.sha256(whole).hexdigest()[:16]


def answer(*words):
    """The status of a command and the digest of what it prints."""
    run = subprocess.run([COMMAND, *words, "--now", NOW, "--format", "json"], cwd=PACKAGE, capture_output=True, text=True,
                         timeout=60)
    return f"{words[0]} {run.returncode} {digest(run.stdout) if run.returncode in (0, 1) else '-'}"


def line(path):
    if path.is_dir():
        answers = [answer("doctor", path)]
    else:
        answers = [answer("migrate", path, "-n", "--time-zone", "UTC"), answer("lookup", path)]
    return f"{path}: {', '.join(answers)}"


def paths():
    folders = [PACKAGE / "Tests" / "Vectors", PACKAGE / "Samples" / "Caches"]
    caches = [path for folder in folders for path in sorted(folder.rglob("*"))
              if path.is_file() and path.suffix not in NO_CACHES and path.name != "expected.json"
              and "__pycache__" not in path.parts]
    projects = [PACKAGE / "Samples" / "LegacyApp", PACKAGE / "Samples" / "ObjectiveCApp"]
    return [path.relative_to(PACKAGE) for path in caches + projects]


def test_a_change_of_words_changes_no_fact():
    with ThreadPoolExecutor(2) as pool:
        lines = list(pool.map(line, paths()))
    # The program's own tests compare these with what it prints.
    lines += [f"{path.relative_to(PACKAGE)}: {digest(path.read_text('utf-8'))}"
              for path in sorted((PACKAGE / "Tests" / "Goldens").rglob("*.json")) if path.name == "report.json"]
    found = "\n".join(lines) + "\n"
    expected = GOLDEN.read_text("utf-8") if GOLDEN.exists() else ""
    if os.environ.get("RECORD_GOLDENS") == "1":
        GOLDEN.write_text(found, "utf-8")
    changed = set(found.splitlines()) ^ set(expected.splitlines())
    assert not changed, "\n".join(sorted(changed)[:20])


@pytest.mark.parametrize("prose", sorted(PROSE))
def test_prose_is_left_out_and_counts_are_not(prose):
    report = {"findings": [{"reason": "rt.missing", prose: "one text"}], "summary": {"rows": 1}, "tool": {"version": "1"}}
    words = json.loads(json.dumps(report).replace("one text", "another text"))
    counts = {**report, "summary": {"rows": 2}}
    assert digest(json.dumps(words)) == digest(json.dumps(report)) != digest(json.dumps(counts))
