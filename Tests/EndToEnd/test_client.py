# SPDX-License-Identifier: MIT
"""The released MSAL for Python takes over every sample that adal2msal migrates.

The client has its real authority, and an `http_client` that leads all hosts to a token service on this machine.
"""

import json
import shutil
from collections import Counter
from dataclasses import replace

import pytest
import samples
from clients import cache_of, migrate

DAY = 24 * 3600


# Samples that are migrated as on a device first, where MSAL's entries join ADAL's rows, and then into a document.
BY_KEYCHAIN = [
    "contoso.sqlite", "contoso.adalcache", "ios-1.2.10-cloud-china", "ios-1.2.10-upgrade-a-1210",
    "ios-2.6.6-adfs-no-user", "ios-2.6.6-foci-family", "ios-2.7.18-guest-user", "ios-2.7.18-mrrt-many-resources",
    "ios-2.7.18-single-mrrt-novalidation", "ios-2.7.18-upgrade-d-2718", "mac-2.6.6-foci-family",
]


def routes():
    for sample in samples.all_samples():
        yield pytest.param((sample, False), id=sample.name)
        if sample.name in BY_KEYCHAIN:
            yield pytest.param((sample, True), id=f"{sample.name} by keychain")


@pytest.fixture(scope="module", params=routes())
def migrated(request, tmp_path_factory):
    sample, by_keychain = request.param
    folder = tmp_path_factory.mktemp("document")
    if by_keychain:
        sample = replace(sample, path=on_device(sample, folder))
    return migrate(sample, folder / "cache.json")


def on_device(sample, folder):
    """The keychain after a migration: in place, or beside a blob."""
    if sample.path.suffix in (".json", ".sqlite"):
        keychain = shutil.copy(sample.path, folder)
        migrate(replace(sample, path=keychain), keychain)
        return keychain
    keychain = folder / "keychain.items.json"
    assert migrate(sample, keychain, "--into-group", "ABCDE12345.com.microsoft.adalcache").status == 0
    return keychain


@pytest.fixture
def sample(migrated, service, clock):
    clock.now = migrated.sample.now
    service.start_over(migrated.sample.issued())
    return migrated.sample


def entries(cache, section):
    return json.loads(cache.serialize()).get(section, {})


def identities(cache):
    """What makes an entry the entry that it is, for every entry: none may be there twice."""
    for section, names in {
        "Account": ["realm"], "AppMetadata": ["client_id"], "IdToken": ["client_id", "realm"],
        "AccessToken": ["client_id", "realm", "target"], "RefreshToken": ["client_id"],
    }.items():
        for key, entry in entries(cache, section).items():
            family = key.split("-refreshtoken-")[-1].startswith("1-")
            yield (section, family, *(
                str(entry.get(name)).lower() for name in ["home_account_id", "environment", *names]))


def test_the_same_people_are_there(migrated, sample, client):
    cache = cache_of(migrated.text)
    for person, client_id in sample.clients:
        app = client(cache, client_id, person.cloud, sample.tenant(person))
        wanted = {(p.home, p.username) for p in sample.people if p.cloud == person.cloud}
        assert app.people() == wanted
    assert {a["home_account_id"] for a in entries(cache, "Account").values()} == {p.home for p in sample.people}


def test_access_tokens_need_no_token_service(migrated, sample, service, client):
    cache = cache_of(migrated.text)
    for token in sample.accessible():
        app = client(cache, token.client, token.person.cloud, token.tenant)
        assert app.token(token.person, token.resource) == (token.access, True)
        status, person = app.call(token.resource, token.access)
        assert (status, person.get("sub")) == (200, token.person.home)
    assert service.redeemed == []


def test_refresh_tokens_are_redeemed(migrated, sample, service, clock, client):
    cache = cache_of(migrated.text)
    before = {section: set(entries(cache, section)) for section in ("Account", "RefreshToken", "AppMetadata")}
    clock.now = max([clock.now, *(token.expires for token in sample.tokens)]) + DAY
    fresh = {}
    for person, client_id in sample.clients:
        for tenant, resource in sample.resources(person, client_id):
            sent = len(service.redeemed)
            app = client(cache, client_id, person.cloud, tenant)
            access, cached = app.token(person, resource)
            assert not cached and len(service.redeemed) == sent + 1
            assert app.call(resource, access) == (200, {
                "sub": person.home, "upn": person.username, "aud": resource, "azp": client_id})
            fresh[person, client_id, tenant, resource] = access
    # Once more, from what was written.
    read = cache_of(cache.serialize())
    for (person, client_id, tenant, resource), access in fresh.items():
        assert client(read, client_id, person.cloud, tenant).token(person, resource) == (access, True)
    assert {section: set(entries(cache, section)) for section in before} == before
    assert [found for found, count in Counter(identities(cache)).items() if count > 1] == []
    assert all(int(entry["expires_on"]) > clock.now for entry in entries(cache, "AccessToken").values())


def test_who_cannot_be_moved_is_not_there(migrated, sample, client):
    left = {t.person for t in sample.tokens} - sample.people
    reported = {a.get("userId") or "": a for a in migrated.report["accounts"]}
    for person in left:
        assert reported[person.username]["signedIn"] == "no"
        if person.cloud == "adfs":
            continue
        app = client(cache_of(migrated.text), sample.tokens[0].client, person.cloud, "organizations")
        assert (person.home, person.username) not in app.people()
    for token in sample.tokens:
        if token.person in left:
            assert not any(secret and secret in migrated.text for secret in (token.access, token.refresh))
    if sample.nobody:
        reasons = {reason for entry in migrated.report["entries"] for reason in entry["reasons"]}
        assert sample.nobody in reasons
        assert "Account" not in json.loads(migrated.text or "{}")
    signed_in = {(a["homeAccountId"], a["userId"]) for a in migrated.report["accounts"] if a["signedIn"] == "yes"}
    assert signed_in == {(p.home, p.username) for p in sample.people}


def test_a_family_serves_its_other_clients(migrated, sample, service, client):
    """A client of the family that never signed in gets its first token; one outside of it does not."""
    people = {t.person for t in sample.tokens if t.family and t.refresh and t.person in sample.people}
    for person in people:
        service.start_over(sample.issued())
        service.issued.family.add("another client of the family")
        tenant, resource = sample.tenant(person), "https://another.example"
        stranger = client(cache_of(migrated.text), "a stranger", person.cloud, tenant)
        assert stranger.token(person, resource) is None and len(service.redeemed) == 1
        cache = cache_of(migrated.text)
        member = client(cache, "another client of the family", person.cloud, tenant)
        access, cached = member.token(person, resource)
        assert not cached and member.call(resource, access)[0] == 200
        assert [found for found, count in Counter(identities(cache)).items() if count > 1] == []
        # The others of the family still get theirs.
        for client_id in {c for p, c in sample.clients if p == person}:
            app = client(cache, client_id, person.cloud, tenant)
            access, cached = app.token(person, resource)
            assert not cached and app.call(resource, access)[0] == 200


def test_leftovers_are_left(tmp_path):
    """One row of each kind that cannot be moved: nobody and nothing is in the document."""
    sample = samples.Sample("leftovers", samples.CACHES / "leftovers.items.json", samples.make.NOW, ())
    migrated = migrate(sample, tmp_path / "cache.json")
    assert migrated.status == 1
    assert len(migrated.report["accounts"]) >= 5
    assert {account["signedIn"] for account in migrated.report["accounts"]} == {"no"}
    assert migrated.text == ""
