# SPDX-License-Identifier: MIT
"""The released MSAL for Python takes over the lists of ADAL for Python and Node, and of Azure CLI.

What is expected is what the service said (`expected.json` of Tests/Vectors/other-adals) and the rules of
other-adals §8.2, worked out here once more.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import msal
import pytest
import samples
from clients import adal2msal, cache_of
from token_service import Issued, User, cloud_of

VECTORS = samples.PACKAGE / "Tests" / "Vectors" / "other-adals"
LISTS = ("adal-python-", "adal-node-", "azure-cli-")


@dataclass(frozen=True)
class List:
    name: str
    path: Path
    now: int
    zone: str
    rows: tuple

    def person(self, row):
        """Whose a row is, as the service knows it."""
        name = next((r["userId"] for r in self.rows if r["person"] == row["person"] and r.get("userId")), "")
        return User(row["home_account_id"], name, cloud_of(row["_authority"].split("/")[2]))

    @property
    def reached(self):
        """(person, client, refresh token, row) of everybody whom the list proves."""
        found = {}
        for row in self.rows:
            token, client = row.get("refreshToken"), row["_clientId"].lower()
            if not token or not row["home_account_id"] or self.is_shared(token):
                continue
            if any(self.proves(other) for other in self.rows
                   if other["person"] == row["person"] and other["_clientId"].lower() == client
                   and (other is row or other.get("refreshToken") == token)):
                found[self.person(row), client, token] = row
        return found

    def is_shared(self, token):
        return len({row["person"] for row in self.rows if row.get("refreshToken") == token}) > 1

    def tenant(self, row):
        """The tenant of a row: its own, its authority's, or that of other rows of the same object."""
        others = {own_tenant(other) for other in self.rows if other.get("oid") == row.get("oid")} - {None}
        return own_tenant(row) or (others.pop() if len(others) == 1 else None)

    def proves(self, row):
        """A member: an object, a tenant, a name, and nobody else who vouched (E4)."""
        tenant, provider = self.tenant(row), row.get("identityProvider")
        return bool(row.get("oid") and tenant and "@" in row.get("userId", "") and "/adfs" not in row["_authority"]
                    and (not provider or f"/{tenant}/" in provider))


def own_tenant(row):
    named = row["_authority"].rstrip("/").split("/")[3]
    return row.get("tenantId") or (named if len(named) == 36 else None)


def lists():
    for folder in sorted(VECTORS.iterdir()):
        if not folder.name.startswith(LISTS):
            continue
        for scenario in sorted(folder.iterdir()):
            expected = json.loads((scenario / "expected.json").read_text("utf-8"))
            yield List(f"{folder.name}/{scenario.name}", next(scenario.glob("cache.*")), expected["reader_now"],
                       expected.get("time_zone", "UTC"), tuple(expected["rows"]))


@pytest.fixture(scope="module", params=lists(), ids=lambda sample: sample.name)
def migrated(request, tmp_path_factory):
    sample, path = request.param, tmp_path_factory.mktemp("list") / "cache.json"
    run = adal2msal("migrate", sample.path, "--into", path, "--for", "python", "--now", sample.now,
                    "--time-zone", sample.zone, "--format", "json", "--show-usernames")
    assert run.returncode in (0, 1), run.stderr
    return sample, path.read_text("utf-8") if path.exists() else "{}", json.loads(run.stdout)


@pytest.fixture
def opened(migrated, service, clock):
    sample, text, report = migrated
    clock.now = sample.now
    service.start_over(Issued(refresh={
        row["refreshToken"]: (sample.person(row), row["_clientId"]) for row in sample.rows
        if row.get("refreshToken") and cloud_of(row["_authority"].split("/")[2])}))
    return sample, text, report


def app(service, cache, client, cloud, tenant, discovery):
    return msal.PublicClientApplication(
        client, authority=f"https://{cloud}/{tenant}", token_cache=cache, http_client=service.session,
        **({} if discovery else {"instance_discovery": False}))


@pytest.mark.parametrize("discovery", [True, False], ids=["discovery", "no discovery"])
def test_exactly_the_people_are_there(opened, service, discovery):
    sample, text, _ = opened
    people = {person for person, _, _ in sample.reached}
    for cloud in {person.cloud for person in people}:
        own = {(p.home, p.username.lower()) for p in people if p.cloud == cloud}
        for person, client, _ in sample.reached:
            if person.cloud != cloud:
                continue
            found = app(service, cache_of(text), client, cloud, person.tenant("common"), discovery).get_accounts()
            assert {(a["home_account_id"], a["username"].lower()) for a in found} == own
            assert len(found) == len(own)
    accounts = json.loads(text).get("Account", {}).values()
    assert {account["home_account_id"] for account in accounts} == {person.home for person in people}


@pytest.mark.parametrize("discovery", [True, False], ids=["discovery", "no discovery"])
def test_the_right_refresh_token_is_redeemed(opened, service, discovery):
    sample, text, _ = opened
    for (person, client, token), row in sample.reached.items():
        service.log = []
        service.issued.refresh[token] = person, row["_clientId"]
        it = app(service, cache_of(text), row["_clientId"], person.cloud, sample.tenant(row), discovery)
        account = next(a for a in it.get_accounts() if a["home_account_id"] == person.home)
        answer = it.acquire_token_silent_with_error([f"{row['resource']}/.default"], account)
        assert answer and "error" not in answer, answer
        status, said = service.call(row["resource"], answer["access_token"], person.cloud)
        assert status == 200 and said["upn"] == person.username
        assert token in service.redeemed


def test_the_report_counts_every_row(migrated):
    sample, text, report = migrated
    written = {entry["secret"] for entry in json.loads(text).get("RefreshToken", {}).values()}
    assert written == {token for _, _, token in sample.reached}
    assert report["summary"]["rows"] >= len(sample.rows)
    kept = [e for e in report["entries"] if e["outcome"] == "converted"]
    assert {e["homeAccountId"] for e in kept} == {person.home for person, _, _ in sample.reached}


def test_no_secret_of_a_service_principal_is_read(migrated):
    sample, text, report = migrated
    for row in json.loads(sample.path.read_text("utf-8-sig")):
        if "servicePrincipalId" in row and row.get("accessToken"):
            assert row["accessToken"] not in text + json.dumps(report)
