# SPDX-License-Identifier: MIT
"""Made-up people, who sign in to tenants of several clouds, and whose each refresh token is."""

import json
import random
import uuid
from dataclasses import dataclass

import archive
import make

# Which cloud a host is of.
HOSTS = {"login.microsoftonline.com": "world", "login.windows.net": "world",
         "login.microsoftonline.us": "us", "login.chinacloudapi.cn": "china"}
CONSUMERS = "9188040d-6c67-4c5b-b112-36a304b66dad"
RESOURCES = "https://graph.microsoft.com", "https://graph.windows.net/", "https://vault.azure.net"


@dataclass
class Person:
    home: str
    name: str
    objects: dict

    @property
    def identifier(self):
        return f"{self.objects[self.home]}.{self.home}"

    @property
    def provider(self):
        """Who vouches for the user in another tenant, as the service says it."""
        return "live.com" if self.home == CONSUMERS else f"https://sts.windows.net/{self.home}/"


class World:
    """Tenants, clients, and people, who have an object in each tenant that they can visit."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        hosts = list(HOSTS)
        self.hosts = {self.guid(): self.random.choice(hosts[:2] if self.chance(80) else hosts)
                      for _ in range(self.random.randint(1, 3))}
        self.tenants = list(self.hosts)
        self.clients = [self.guid() for _ in range(self.random.randint(1, 2))]
        self.owners, self.accesses = {}, {}
        self.people = []
        for number in range(self.random.randint(1, 4)):
            self.people.append(self.person(number))

    def guid(self):
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    def chance(self, percent):
        return self.random.random() * 100 < percent

    def person(self, number):
        home = self.random.choice(self.tenants)
        cloud = [tenant for tenant in self.tenants if self.cloud(tenant) == self.cloud(home)]
        first = self.people[0] if self.people else None
        # An account that was made again under a name. Whose a guest's refresh token is of two, nothing in a list says.
        if first and len(first.objects) == 1 and self.chance(20):
            return Person(first.home, first.name, {first.home: self.guid()})
        objects = {tenant: self.guid() for tenant in cloud if tenant == home or self.chance(50)}
        if self.cloud(home) == "world" and self.chance(10):
            return Person(CONSUMERS, f"user{number}@outlook.com",
                          objects | {CONSUMERS: f"00000000-0000-0000-{self.guid()[19:]}"})
        return Person(home, f"user{number}@{self.domain(home)}", objects)

    def cloud(self, tenant):
        return HOSTS[self.hosts.get(tenant, "login.microsoftonline.com")]

    def domain(self, tenant):
        return f"tenant{self.tenants.index(tenant)}.example.com"

    def tenant(self, authority, person):
        """The tenant that an authority means for somebody."""
        name = authority.split("/")[3]
        return person.home if name == "common" else {self.domain(each): each for each in self.tenants}.get(name, name)

    def visited(self, person):
        """The tenants that somebody signs in to: no app with ADAL signs in to that of personal accounts."""
        return [tenant for tenant in person.objects if tenant != CONSUMERS]

    def sign_in(self):
        """Somebody who signs in to a tenant, and the authority that the app asked."""
        person = self.random.choice(self.people)
        tenant = self.random.choice(self.visited(person))
        asked = [tenant, self.domain(tenant)] + (["common"] if tenant == person.home else [])
        return person, tenant, f"https://{self.hosts[tenant]}/{self.random.choice(asked)}"

    def token(self, person):
        token = f"rt-{len(self.owners)}-{self.random.getrandbits(96):024x}"
        self.owners[token] = person
        return token

    def access(self, person, tenant, client, resource):
        token = f"at-{len(self.accesses)}-{self.random.getrandbits(96):024x}"
        self.accesses[token] = person, tenant, client, resource
        return token

    def signed_access(self, person, tenant, client, resource):
        """An access token that says whose it is, as those of Entra ID do."""
        token = self.access(person, tenant, client, resource)
        signed = archive.id_token({"aud": resource, "tid": tenant, "oid": person.objects[tenant], "jti": token})
        self.accesses[signed] = self.accesses.pop(token)
        return signed

    def expiry(self):
        return make.NOW + self.random.choice([-86400, 200, 3600])

    def claims(self, person, tenant, client):
        """What the service says of somebody in an ID token."""
        claims = {"aud": client, "iss": f"https://sts.windows.net/{tenant}/", "iat": make.NOW - 5000, "ver": "1.0",
                  "exp": make.NOW - 1400, "oid": person.objects[tenant], "tid": tenant,
                  "sub": f"{person.objects[tenant]} and {client}", "unique_name": person.name}
        if tenant == person.home:
            return claims | {"upn": person.name}
        return claims | {"idp": person.provider} | ({"email": person.name} if self.chance(60) else {})

    def client_info(self, person):
        return archive.base64url(json.dumps({"uid": person.objects[person.home], "utid": person.home}))
