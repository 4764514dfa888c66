# SPDX-License-Identifier: MIT
"""Made-up caches of ADAL.NET and ADAL for Python, whose maker knows whose each refresh token is."""

import json
import random
import uuid
from dataclasses import dataclass, field
from datetime import datetime, timezone

import make
import others

HOSTS = {"login.microsoftonline.com": "world", "login.windows.net": "world",
         "login.microsoftonline.us": "us", "login.chinacloudapi.cn": "china"}
RESOURCES = "https://graph.microsoft.com", "https://graph.windows.net/", "https://vault.azure.net"


@dataclass
class Person:
    host: str
    home: str
    name: str
    objects: dict
    is_personal: bool

    @property
    def identifier(self):
        return f"{self.objects[self.home]}.{self.home}"


@dataclass
class SignIn:
    """What one user got for one client in one tenant."""

    person: Person
    client: str
    tenant: str
    refresh: str

    @property
    def authority(self):
        return f"https://{self.person.host}/{self.tenant}"

    @property
    def provider(self):
        """Who vouched for the user, as the service says it."""
        if self.person.is_personal:
            return "live.com"
        return f"https://sts.windows.net/{self.person.home}/"


@dataclass
class OtherCache:
    """A cache of one library: its rows in any order, and the home account id of each refresh token."""

    seed: int
    library: str
    clients: list = field(default_factory=list)
    people: list = field(default_factory=list)
    rows: list = field(default_factory=list)
    owners: dict = field(default_factory=dict)
    signed_in: set = field(default_factory=set)

    def __post_init__(self):
        self.random = random.Random(f"{self.library} {self.seed}")
        tenants = [self.guid() for _ in range(self.random.randint(1, 3))]
        self.clients = [self.guid() for _ in range(self.random.randint(1, 3))]
        self.people = [self.person(number, tenants) for number in range(self.random.randint(1, 5))]
        for person in self.people:
            for client in self.clients:
                for tenant in person.objects:
                    if not self.chance(40):
                        self.sign_in(person, client, tenant)
        self.clients = [client for client in self.clients if client in self.signed_in]
        self.random.shuffle(self.rows)

    def guid(self):
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    def chance(self, percent):
        return self.random.random() * 100 < percent

    def person(self, number, tenants):
        home = self.random.choice(tenants)
        host = self.random.choice(list(HOSTS)[: 2 if self.chance(80) else 4])
        objects = {tenant: self.guid() for tenant in tenants if tenant == home or self.chance(50)}
        return Person(host, home, f"user{number}@tenant{tenants.index(home)}.example.com", objects, self.chance(10))

    def sign_in(self, person, client, tenant):
        refresh = f"rt-{len(self.owners)}-{self.random.getrandbits(128):032x}"
        self.owners[refresh] = person.identifier
        self.signed_in.add(client)
        for resource in self.random.sample(RESOURCES, self.random.randint(1, 3)):
            row = self.python if self.library == "python" else self.dotnet
            self.rows.append(row(SignIn(person, client, tenant, refresh), resource))

    def without(self, values, *groups):
        """The same, now and then without some of its values."""
        for group in groups:
            if self.chance(5):
                values = {key: value for key, value in values.items() if key not in group}
        return values

    def expiry(self):
        return make.NOW + self.random.choice([-86400, 200, 3600])

    def access(self):
        return f"at-{len(self.rows)}-{self.random.getrandbits(160):040x}"

    def python(self, sign_in, resource):
        person = sign_in.person
        expires = datetime.fromtimestamp(self.expiry(), timezone.utc).strftime("%Y-%m-%d %H:%M:%S")
        row = {
            "tokenType": "Bearer", "expiresIn": 3599, "expiresOn": expires, "resource": resource,
            "accessToken": self.access(), "refreshToken": sign_in.refresh, "tenantId": sign_in.tenant,
            "oid": person.objects[sign_in.tenant], "userId": person.name, "isUserIdDisplayable": True, "isMRRT": True,
            "_clientId": sign_in.client, "_authority": sign_in.authority}
        if person.is_personal or sign_in.tenant != person.home:
            row["identityProvider"] = sign_in.provider
        return self.without(
            row, ["oid"], ["tenantId"], ["userId"], ["userId", "oid", "tenantId"], ["refreshToken"], ["expiresOn"])

    def dotnet(self, sign_in, resource):
        person, tenant = sign_in.person, sign_in.tenant
        claims = {
            "aud": sign_in.client, "iss": f"https://sts.windows.net/{tenant}/", "iat": make.NOW - 5000, "ver": "1.0",
            "oid": person.objects[tenant], "tid": tenant, "sub": f"subject {len(self.rows)}",
            "unique_name": person.name}
        if person.is_personal or tenant != person.home:
            claims["idp"] = sign_in.provider
        else:
            claims["upn"] = person.name
        user = self.without(
            {"DisplayableId": person.name, "UniqueId": claims["oid"],
             "IdentityProvider": claims.get("idp", claims["iss"])}, ["DisplayableId"], ["UniqueId"])
        result = self.without(
            {"AccessToken": self.access(), "AccessTokenType": "Bearer", "ExpiresOn": others.instant(self.expiry()),
             "IdToken": others.signed(self.without(claims, ["oid"])), "TenantId": tenant, "UserInfo": user},
            ["IdToken"], ["TenantId"])
        home = {"uid": person.objects[person.home], "utid": person.home}
        value = self.without(
            {"RawClientInfo": others.base64url(json.dumps(home)) if self.chance(50) else None,
             "RefreshToken": sign_in.refresh, "ResourceInResponse": resource, "Result": result}, ["RefreshToken"])
        return f"{sign_in.authority}/:::{resource}:::{sign_in.client}:::0", json.dumps(value)

    @property
    def encoded(self):
        return others.dotnet(self.rows) if self.library == "net" else json.dumps(self.rows).encode()
