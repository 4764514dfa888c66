# SPDX-License-Identifier: MIT
"""`lookup --as python` answers what MSAL for Python does with the same document, hit or miss."""

import hashlib
import json
from dataclasses import replace

import pytest
import samples
from clients import adal2msal, cache_of, migrate

CHOSEN = [
    "contoso.sqlite", "contoso.items.json", "ios-1.2.10-cloud-china", "ios-2.6.6-foci-family",
    "ios-2.6.6-guest-user-client-info", "mac-2.6.6-expired-and-valid",
]


@pytest.fixture(scope="module", params=[s for s in samples.all_samples() if s.name in CHOSEN], ids=lambda s: s.name)
def migrated(request, tmp_path_factory):
    return migrate(request.param, tmp_path_factory.mktemp("document") / "cache.json")


def questions(sample):
    """What an app may ask for, as (person, client, host, tenant, scope, instant): hits and near misses."""
    last = max(token.expires for token in sample.tokens)
    for person, client in sample.clients:
        for tenant, resource in sample.resources(person, client):
            asked = person, client, person.cloud, tenant, f"{resource}/.default", sample.now
            yield asked
            yield *asked[:5], last - 299
        yield *asked[:5], last + 1
        yield *asked[:4], f"{resource}/Read", sample.now
        yield *asked[:4], asked[4].upper(), sample.now
        yield *asked[:3], "common", *asked[4:]
        yield *asked[:3], tenant.upper(), *asked[4:]
        yield person, "another client", *asked[2:]
        yield person, client.swapcase(), *asked[2:]
        yield replace(person, home="x." + person.home), *asked[1:]
        alias = {"login.microsoftonline.com": "login.windows.net",
                 "login.partner.microsoftonline.cn": "login.chinacloudapi.cn"}[person.cloud]
        yield *asked[:2], alias, *asked[3:]
        yield *asked[:2], "login.microsoftonline.us", *asked[3:]


def digest(secret):
    return hashlib.sha256(secret.encode()).hexdigest()[:16]


def told(answer):
    """The access token and refresh token of an answer of ours, or nothing."""
    return [answer[name].get("secretSha256") if answer[name]["found"] else None
            for name in ("accessToken", "refreshToken")]


def found_by_msal(text, service, client, asked):
    """The accounts, the access token in the cache, and the refresh token that is sent first when one is wanted."""
    person, client_id, host, tenant, scope, now = asked
    service.clock.now = now
    app = client(cache_of(text), client_id, host, tenant).app
    accounts = app.get_accounts()
    account = next((a for a in accounts if a["home_account_id"] == person.home), {"home_account_id": person.home})
    answer = app.acquire_token_silent([scope], account)
    access = answer["access_token"] if answer and answer["token_source"] == "cache" else None
    service.log.clear()
    again = client(cache_of(text), client_id, host, tenant).app
    again.acquire_token_silent([scope], account, force_refresh=True)
    sent = [digest(secret) for secret in service.redeemed[:1]] or [None]
    return {(a["home_account_id"], a["username"]) for a in accounts}, [access and digest(access), *sent]


def test_lookups_agree_with_msal(migrated, service, clock, client):
    hits, listed = [], {}
    for asked in questions(migrated.sample):
        person, client_id, host, tenant, scope, now = asked
        service.start_over(migrated.sample.issued())
        accounts, tokens = found_by_msal(migrated.text, service, client, asked)
        arguments = ["lookup", migrated.path, "--as", "python", "--client-id", client_id, "--now", now,
                     "--authority", f"https://{host}/{tenant}", "--format", "json", "--show-usernames"]
        if (client_id, host, tenant) not in listed:
            listing = json.loads(adal2msal(*arguments).stdout)["accounts"]
            listed[client_id, host, tenant] = {(a["identifier"], a["username"]) for a in listing}
        assert listed[client_id, host, tenant] == accounts, asked
        run = adal2msal(*arguments, "--account-id", person.home, "--scope", scope)
        answer = json.loads(run.stdout)
        assert told(answer) == tokens, (asked, answer)
        assert (run.returncode == 0) == answer["found"]
        hits.append(tokens)
    # Neither all hits nor all misses.
    for column in zip(*hits):
        assert {bool(found) for found in column} == {True, False}
