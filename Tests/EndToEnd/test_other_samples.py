# SPDX-License-Identifier: MIT
"""Samples/PythonService and Samples/WebAppTable do what their pages say."""

import json
import subprocess
import sys

import msal
import pytest
import samples
from clients import adal2msal

SAMPLES = samples.PACKAGE / "Samples"


def test_the_script_makes_the_caches(tmp_path):
    subprocess.run([sys.executable, "-B", SAMPLES / "Caches" / "others.py", tmp_path], check=True, timeout=60)
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    assert [str(path) for path in made] == [
        "PythonService/tokens.json", "WebAppTable/rows/1.txt", "WebAppTable/rows/2.txt", "WebAppTable/rows/3.txt"]
    for path in made:
        assert (tmp_path / path).read_bytes() == (SAMPLES / path).read_bytes()


def test_the_service_goes_on(tmp_path):
    folder, document = SAMPLES / "PythonService", tmp_path / "cache.json"
    run = subprocess.run(
        [sys.executable, "-B", folder / "service.py", document], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    shown = (folder / "README.md").read_text("utf-8").split("```text\n")[1].split("```")[0].splitlines()
    assert len(shown) == 4 and [line for line in shown if line not in run.stdout.splitlines()] == []
    assert len(json.loads(document.read_text("utf-8"))["Account"]) == 2


@pytest.fixture
def documents(tmp_path):
    folder = tmp_path / "caches"
    run = adal2msal("migrate", SAMPLES / "WebAppTable" / "rows", "--into-folder", folder, "--for", "net",
                    "--now", 1700000000, "--format", "json", "--show-usernames")
    assert run.returncode == 0, run.stderr
    return folder, json.loads(run.stdout)


def test_the_table_becomes_a_document_for_each_person(documents):
    folder, report = documents
    files = {path.name: path.read_text("utf-8") for path in folder.iterdir()}
    assert set(files) == {account["homeAccountId"] for account in report["accounts"]} and len(files) == 3
    assert oct(folder.stat().st_mode & 0o777) == "0o700"
    assert {oct(path.stat().st_mode & 0o777) for path in folder.iterdir()} == {"0o600"}
    for entry in report["entries"]:
        assert entry.get("document") == entry.get("homeAccountId")
        assert entry["library"] == "adal-net"
    for name, text in files.items():
        cache = msal.SerializableTokenCache()
        cache.deserialize(text)
        homes = {token["home_account_id"] for token in cache.search(msal.TokenCache.CredentialType.REFRESH_TOKEN)}
        assert homes == {name}
    # Each of the refresh tokens is in one document, and only there.
    for person in ("adele", "alex", "lynne"):
        assert sum(f"synthetic-rt-web-{person}" in text for text in files.values()) == 1
    assert not any("synthetic-at-web\"" in text for text in files.values())
