# SPDX-License-Identifier: MIT
"""The sample caches, and what the token service knows of them: the truth that a client is held against.

Of a vector it is what ADAL's own code read back (`expected.json`); of a cache in Samples/Caches, the rows that
it was made of. Our reports have no part in it.
"""

import base64
import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
VECTORS = PACKAGE / "Tests" / "Vectors" / "adal"
CACHES = PACKAGE / "Samples" / "Caches"
sys.path += [str(CACHES), str(PACKAGE / "Samples" / "PythonClient")]

import make  # noqa: E402
from client import home_account_id  # noqa: E402
from token_service import Issued, User, cloud_of  # noqa: E402

# Scenarios of which nobody can be moved, and the reason that a report must give.
NOBODY = {
    "adfs-no-user": "adfs.unsupported",
    "adfs-with-idtoken": "adfs.unsupported",
    "guest-user": "home.guest-unresolved",
    "no-expiry-raw": "home.empty-user",
    "no-idtoken-aad": "home.empty-user",
    "no-refresh-token": "rt.missing",
    "refresh-invalid-grant": "rt.missing",
    "session-key-raw": "rt.session-key",
    "subject-only-user": "home.no-oid",
    "userid-only-1x": "home.username-only",
}


@dataclass(frozen=True)
class Token:
    """A token of ADAL's as the service knows it."""

    person: User
    client: str
    tenant: str
    resource: str
    access: str
    refresh: str
    expires: float
    family: bool


@dataclass(frozen=True)
class Sample:
    name: str
    path: Path
    now: int
    tokens: tuple
    nobody: str = ""  # the reason why nobody can be moved

    @property
    def people(self):
        """Who has a refresh token: whom a client must find."""
        return {token.person for token in self.tokens if token.refresh} if not self.nobody else set()

    @property
    def clients(self):
        """(person, client) that can get tokens."""
        return sorted({(t.person, t.client) for t in self.tokens if t.refresh and not is_family(t.client)
                       and t.person in self.people}, key=str)

    def accessible(self):
        """The live access tokens with an ID token, of two for the same the one that expires last."""
        best = {}
        for token in self.tokens:
            if token.access and token.expires >= self.now + 300 and token.tenant and token.person in self.people:
                key = token.person, token.client.lower(), token.tenant, token.resource.lower()
                best[key] = max(best.get(key, token), token, key=lambda t: t.expires)
        return list(best.values())

    def resources(self, person, client):
        """(tenant, resource) that ADAL had tokens for."""
        return sorted({(t.tenant or self.tenant(person), t.resource or "https://graph.microsoft.com")
                       for t in self.tokens if t.person == person and t.client.lower() == client.lower()})

    def tenant(self, person):
        """A tenant that the person has signed in to."""
        return next((t.tenant for t in self.tokens if t.person == person and t.tenant), person.home.split(".")[1])

    def issued(self):
        """What the service has issued. Of two refresh tokens of a person and client only the last is good."""
        last = {(t.person, t.client.lower()): t.refresh for t in self.tokens if t.refresh}
        family = {t.client.lower() for t in self.tokens if t.family}
        members = sorted(client for client in family if not is_family(client))
        return Issued(
            refresh={secret: (person, client if not is_family(client) else members[0])
                     for (person, client), secret in last.items() if not is_family(client) or members},
            access={t.access: (t.person, t.client, t.resource, t.expires) for t in self.tokens if t.access},
            family=family)


def is_family(client):
    return client.startswith("foci-")


def decoded(part):
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def user(claims, otherwise):
    """The name by which ADAL and MSAL know the person of a v1 ID token."""
    names = ["upn", "email", "sub", "oid", "unique_name", "altsecid"]
    return next((claims[name] for name in names if claims.get(name)), otherwise or "").strip().lower()


def vector(folder):
    recorded = json.loads((folder / "expected.json").read_text("utf-8"))
    order = {step.get("response", {}).get("refresh_token"): n for n, step in enumerate(recorded["steps"])}
    rows = sorted(recorded["tokens"], key=lambda row: order.get(row.get("refreshToken"), -1))
    guest_known = recorded["scenario"] == "guest-user" and any(row.get("clientInfoInResponse") for row in rows)
    return Sample(
        folder.name, next(p for p in (folder / "items.json", folder / "cache.bin") if p.exists()),
        recorded["steps"][-1].get("now", recorded["clock"]), named([token(row) for row in rows]),
        "" if guest_known else NOBODY.get(recorded["scenario"], ""))


def named(tokens):
    """The tokens, with names for people whom some rows do not name."""
    names = {(t.person.home, t.person.cloud): t.person for t in tokens if t.person.username}
    return tuple(replace(t, person=names.get((t.person.home, t.person.cloud), t.person)) for t in tokens)


def token(row):
    """A row of `expected.json`."""
    information = row.get("userInformation") or {}
    raw = row.get("rawIdToken") or information.get("rawIdToken")
    claims = decoded(raw.split(".")[1]) if raw else {}
    home = row.get("homeAccountIdAtTheService") or row.get("homeAccountId")
    if not home and row.get("clientInfoInResponse"):
        home = "{uid}.{utid}".format(**decoded(row["clientInfoInResponse"]))
    if not home and claims.get("oid"):
        home = "{oid}.{tid}".format(**claims)
    name = user(claims, information.get("userId") or row.get("legacyAccountId"))
    cloud = cloud_of(row["authority"].split("/")[2]) or "adfs"
    return Token(
        User(home or f"unknown.{name}", name, cloud), row["clientId"], claims.get("tid", ""),
        row.get("resource") or "", row.get("accessToken"), row.get("refreshToken"),
        row.get("expiresOn") or 0, row.get("familyId") == "1")


def made(name, rows, nobody=""):
    """A cache in Samples/Caches, from the rows that it was made of."""
    tokens = []
    for row in rows:
        tokens.append(Token(
            User(home_account_id(row), row["user"], cloud_of(row["authority"].split("/")[2])),
            row["client"], row["claims"]["tid"], row.get("resource", ""), row.get("access"),
            row.get("refresh"), row.get("expires", 0), "family" in row))
    return Sample(name, CACHES / name, make.NOW, tuple(tokens), nobody)


def all_samples():
    vectors = [vector(folder) for folder in sorted(VECTORS.iterdir()) if (folder / "expected.json").exists()]
    upgraded = next(v for v in vectors if v.name == "ios-2.7.18-upgrade-d-2718")
    return vectors + [
        made("contoso.sqlite", make.contoso()),
        made("contoso.adalcache", make.contoso()),
        replace(upgraded, name="contoso.items.json", path=CACHES / "contoso.items.json"),
    ]
