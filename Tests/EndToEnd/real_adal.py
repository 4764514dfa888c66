# SPDX-License-Identifier: MIT
"""Lists that ADAL for Python itself writes, and Azure CLI by it, against a service that knows whose each token is."""

import json
from unittest import mock
from urllib.parse import parse_qsl, urlparse

import adal
import archive
from people import HOSTS, RESOURCES


class Answer:
    """What `requests` gives back."""

    headers = {}

    def __init__(self, status, body):
        self.status_code, self.text = status, json.dumps(body)

    def json(self):
        return json.loads(self.text)


class Service:
    """The token endpoints of Entra ID's first version and of AD FS, in the place of `requests`.

    Some answers have no ID token. A sign-in without one lays its token over those of everybody. The list tells that if
    all refreshes have an ID token, so that theirs stay the same, or none has, so that nobody's row stays nobody's."""

    def __init__(self, world, has_id_tokens):
        self.world, self.has_id_tokens, self.codes, self.federated = world, has_id_tokens, {}, {}

    def post(self, url, data, **_):
        form, address = dict(parse_qsl(data)), urlparse(url)
        answer = self.federate if address.path.startswith("/adfs") else self.answer
        body = answer(form, f"https://{address.netloc}/{address.path.split('/')[1]}")
        return Answer(200, body) if body else Answer(400, {"error": "invalid_grant"})

    def answer(self, form, authority):
        world = self.world
        client, old = form["client_id"], form.get("refresh_token")
        resource = form.get("resource", RESOURCES[0])
        body = {"token_type": "Bearer", "expires_in": world.random.choice(["200", "3600"]), "resource": resource}
        if form["grant_type"] == "client_credentials":
            return body | {"access_token": "of the app"}
        if old in self.federated:
            return None
        person, tenant = self.codes[form["code"]] if old is None else (
            world.owners[old], world.tenant(authority, world.owners[old]))
        if tenant not in world.visited(person) or HOSTS[authority.split("/")[2]] != world.cloud(person.home):
            return None
        body |= {"access_token": world.signed_access(person, tenant, client, resource),
                 "refresh_token": old if old and world.chance(30) else world.token(person)}
        if world.chance(self.has_id_tokens if old else 100 if self.has_id_tokens == 70 else 96):
            body["id_token"] = archive.id_token(world.claims(person, tenant, client))
        return body

    def federate(self, form, _):
        """AD FS: no resource, and refresh tokens that Entra ID does not take."""
        old = form.get("refresh_token")
        if old and old not in self.federated:
            return None
        person = self.federated[old] if old else self.codes[form["code"]][0]
        token = f"adfs-{len(self.federated)}"
        self.federated[token] = person
        claims = {"iss": "https://adfs.example.com/adfs", "upn": person.name, "sub": person.name}
        return {"token_type": "Bearer", "expires_in": "3600", "access_token": f"access-{token}",
                "refresh_token": token, "id_token": archive.id_token(claims)}


class PythonCache:
    """ADAL for Python: people sign in with a code, and ask for other resources and tenants later."""

    def __init__(self, world):
        self.world, self.cache, self.people = world, adal.TokenCache(), []
        self.service = Service(world, has_id_tokens=world.random.choice([0, 70, 100]))

    @property
    def rows(self):
        return json.loads(self.cache.serialize())

    def context(self, authority):
        is_validated = "/adfs" not in authority
        return adal.AuthenticationContext(authority, is_validated, cache=self.cache, api_version=None)

    def step(self):
        with mock.patch.object(adal.oauth2_client, "requests", self.service):
            try:
                self.ask()
            except (adal.AdalError, KeyError):
                # Another tenant's user, say, or two rows that differ in nothing but case, or a row of AD FS.
                pass

    def ask(self):
        world, chance = self.world, self.world.chance
        client, resource = world.random.choice(world.clients), world.random.choice(RESOURCES)
        if not self.people or chance(45):
            person, tenant, authority = world.sign_in()
            if chance(5):
                authority = "https://adfs.example.com/adfs"
            return self.sign_in(person, tenant, authority, client, resource)
        person, authority = world.random.choice(self.people)
        if chance(5):
            return self.context(authority).acquire_token_with_client_credentials(resource, client, "secret")
        if chance(40):
            tenant = world.random.choice(world.visited(person))
            authority = f"https://{world.hosts[tenant]}/{tenant}"
        name = None if chance(15) else person.name.upper() if chance(10) else person.name
        return self.context(authority).acquire_token(resource, name, client)

    def sign_in(self, person, tenant, authority, client, resource):
        code = f"code {len(self.service.codes)}"
        self.service.codes[code] = person, tenant
        answer = self.context(authority).acquire_token_with_authorization_code(code, "https://app", resource, client)
        self.people.append((person, authority))
        return answer

    def save(self, path):
        path.write_text(self.cache.serialize(), "utf-8")


class CLICache(PythonCache):
    """Azure CLI: one client, one cloud. A user who signs in gets a token for each tenant; when the list is saved,
    each row loses its tenant (`_profile.py` of azure-cli-core 2.0 to 2.29)."""

    RESOURCE = "https://management.core.windows.net/"
    UNSAVED = "tenantId", "isUserIdDisplayable"

    def __init__(self, world):
        super().__init__(world)
        self.client, self.cloud = world.guid(), world.hosts[world.tenants[0]]

    def authority(self, tenant):
        return f"https://{self.cloud}/{tenant}"

    def ask(self):
        world = self.world
        if not self.people or world.chance(35):
            people = [person for person in world.people if world.cloud(person.home) == world.cloud(world.tenants[0])]
            if people and (visited := world.visited(person := world.random.choice(people))):
                self.log_in(person, visited)
        else:
            person, name = world.random.choice(self.people)
            if world.chance(8):
                self.cache.remove(self.cache.find({"userId": name}))
            else:
                tenant = world.random.choice(world.visited(person))
                self.context(self.authority(tenant)).acquire_token(world.random.choice(RESOURCES), name, self.client)
        self.take_tenants_away()

    def log_in(self, person, visited):
        """Into a tenant that is named, or else into that of `common`, and all others after it."""
        tenant = self.world.random.choice(visited)
        is_named = self.world.chance(40)
        if not is_named and person.home in visited:
            tenant = person.home
        asked = self.authority(tenant if is_named else "common")
        name = self.sign_in(person, tenant, asked, self.client, self.RESOURCE).get("userId")
        self.people[-1] = person, name
        for other in [] if is_named else visited:
            self.context(self.authority(other)).acquire_token(self.RESOURCE, name, self.client)

    def take_tenants_away(self):
        for _, row in self.cache.read_items():
            for part in self.UNSAVED:
                row.pop(part, None)
