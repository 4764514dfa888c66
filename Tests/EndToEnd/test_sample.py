# SPDX-License-Identifier: MIT
"""Samples/PythonClient does what its page says."""

import json
import re
import subprocess
import sys

import pytest
import samples

FOLDER = samples.PACKAGE / "Samples" / "PythonClient"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What the program prints, and the document that it leaves."""
    document = tmp_path_factory.mktemp("sample") / "cache.json"
    run = subprocess.run(
        [sys.executable, "-B", FOLDER / "client.py", document], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    return run.stdout, json.loads(document.read_text("utf-8"))


def test_everybody_is_taken_over(run):
    said, document = run
    line = r"^  (\w+) +(\S+@\S+) +(?:access token from: (\w+) +the API says: (.*)|never.*)$"
    rows = re.findall(line, said, re.M)
    sources = [source for _, user, source, answer in rows if answer == f"200, {user}"]
    first = ["cache", "cache", "identity_provider", "cache", "identity_provider"]
    assert len(rows) == 16 and sources == first + ["identity_provider"] * 5
    assert "asked for 2 tokens" in said and "asked for 7 tokens" in said
    assert len(document["Account"]) == 4


def test_its_page_shows_what_it_prints(run):
    shown = (FOLDER / "README.md").read_text("utf-8").split("```text\n")[1].split("```")[0].splitlines()
    assert [line for line in shown if line != "  ..." and line not in run[0].splitlines()] == []


def test_it_has_the_versions_of_the_tests():
    wanted = (FOLDER / "requirements.txt").read_text("utf-8").splitlines()[1:]
    assert set(wanted) <= set((samples.PACKAGE / "Tests" / "requirements.txt").read_text("utf-8").splitlines())
