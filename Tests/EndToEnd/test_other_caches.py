# SPDX-License-Identifier: MIT
"""The laws hold for random caches of ADAL.NET and ADAL for Python. Half of the seeds change every day."""

import json
import time

import make
import pytest
from clients import adal2msal
from other_caches import OtherCache

TODAY = int(time.time()) // 86400 * 100
SEEDS = [*range(20), *range(TODAY, TODAY + 20)]


class Runs:
    """Runs over one cache, in a folder of their own."""

    def __init__(self, cache, folder):
        self.cache, self.folder = cache, folder
        self.source = folder / "cache"
        self.options = [[], ["--no-access-tokens"], ["--client-id", cache.clients[0]], ["--join-guests"],
                        ["--for", "net"]][cache.seed % 5]
        self.write()

    def write(self):
        self.source.write_bytes(self.cache.encoded)
        self.source.chmod(0o600)

    def migrate(self, *arguments):
        run = adal2msal(
            "migrate", self.source, *arguments, *self.options, "--now", make.NOW, "--time-zone", "UTC",
            "--format", "json", "--show-usernames")
        assert run.returncode in (0, 1), run.stderr
        report = json.loads(run.stdout)
        assert run.returncode == int(any(finding["severity"] == "error" for finding in report["findings"]))
        return report

    def entries(self, path):
        """The tokens and accounts of a document, by section and key."""
        document = json.loads(path.read_text("utf-8")) if path.exists() else {}
        return {(section, key): entry for section, entries in document.items() if section != "AppMetadata"
                for key, entry in entries.items()}


def states(report):
    """Who is signed in, by home account id, or without one by name."""
    return sorted((account.get("homeAccountId") or account.get("userId") or "", account["signedIn"])
                  for account in report["accounts"])


@pytest.mark.parametrize("library", ["net", "python"])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_laws_hold(tmp_path, library, seed):
    cache = OtherCache(seed, library)
    if not cache.rows:
        return
    runs, document = Runs(cache, tmp_path), tmp_path / "document.json"
    planned = runs.migrate("-n", "--into", document)
    assert not document.exists()
    report = runs.migrate("--into", document)
    assert {**planned, "applied": True} == report
    assert [entry["row"] for entry in report["entries"]] == list(range(len(cache.rows)))

    written = document.read_bytes() if document.exists() else b""
    again = runs.migrate("--into", document)
    assert again["summary"]["written"] == 0 and (document.read_bytes() if written else b"") == written
    assert states(again) == states(report)
    for first, second in zip(report["entries"], again["entries"], strict=True):
        assert first["outcome"] != "converted" or second["outcome"] == "already-there", (first, second)

    entries = runs.entries(document)
    for (section, _), entry in entries.items():
        if section == "RefreshToken":
            assert entry["home_account_id"] == cache.world.owners[entry["secret"]].identifier
        elif section == "AccessToken":
            person, *issued = cache.world.accesses[entry["secret"]]
            assert entry["home_account_id"] == person.identifier
            assert [entry["realm"], entry["client_id"], entry["target"].removesuffix("/.default")] == issued

    folder = tmp_path / "folder"
    folder.mkdir()
    assert states(runs.migrate("--into-folder", folder)) == states(report)
    parts = {}
    for path in folder.iterdir():
        parts |= runs.entries(path)
    assert parts == entries

    cache.world.random.shuffle(cache.rows)
    runs.write()
    other = tmp_path / "other.json"
    runs.migrate("--into", other)
    assert (other.read_bytes() if other.exists() else b"") == written
