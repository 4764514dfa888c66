# SPDX-License-Identifier: MIT
"""The command, and apps with MSAL that work with what it wrote."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import msal
import samples

COMMAND = os.environ.get("ADAL2MSAL")


def adal2msal(*arguments, **options):
    """Runs the command."""
    return subprocess.run(
        [COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=120, **options)


@dataclass
class Migrated:
    """A document that a sample was migrated into, and what was reported."""

    sample: samples.Sample
    path: Path
    status: int
    report: dict

    @property
    def text(self):
        return self.path.read_text("utf-8") if self.path.exists() else ""


def migrate(sample, path, *options):
    run = adal2msal("migrate", sample.path, "--into", path, "--now", sample.now, "--format", "json",
                    "--show-usernames", *options)
    assert run.returncode in (0, 1), (sample.name, run.returncode, run.stderr)
    return Migrated(sample, path, run.returncode, json.loads(run.stdout))


class Client:
    """An app with MSAL: one client id, one authority, a cache."""

    def __init__(self, service, cache, client, cloud, tenant):
        self.service, self.cache, self.cloud = service, cache, cloud
        self.app = msal.PublicClientApplication(
            client, authority=f"https://{cloud}/{tenant}", token_cache=cache, http_client=service.session)

    def people(self):
        found = [(account["home_account_id"], account["username"]) for account in self.app.get_accounts()]
        assert len(found) == len(set(found))
        return set(found)

    def account(self, person):
        return next(a for a in self.app.get_accounts(person.username) if a["home_account_id"] == person.home)

    def token(self, person, resource, account=None):
        """(access token, whether it comes from the cache), or the refusal."""
        account = account or self.account(person)
        answer = self.app.acquire_token_silent_with_error([f"{resource}/.default"], account)
        if not answer or "error" in answer:
            return answer
        return answer["access_token"], answer["token_source"] == "cache"

    def call(self, resource, access):
        return self.service.call(resource, access, self.cloud)


def cache_of(text):
    cache = msal.SerializableTokenCache()
    cache.deserialize(text)
    return cache
