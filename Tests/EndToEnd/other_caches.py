# SPDX-License-Identifier: MIT
"""Caches of ADAL.NET and ADAL for Python, whose rows lack a value now and then."""

import json
from datetime import datetime, timezone

import others
from people import RESOURCES, World


class OtherCache:
    """A cache of one library: its rows in any order."""

    def __init__(self, seed, library):
        self.seed, self.library, self.rows, self.clients = seed, library, [], []
        self.world = world = World(f"{library} {seed}")
        for client in world.clients:
            for person in world.people:
                for tenant in world.visited(person):
                    if not world.chance(40):
                        self.sign_in(person, client, tenant)
        world.random.shuffle(self.rows)

    def sign_in(self, person, client, tenant):
        if client not in self.clients:
            self.clients.append(client)
        refresh = self.world.token(person)
        row = self.python if self.library == "python" else self.dotnet
        for resource in self.world.random.sample(RESOURCES, self.world.random.randint(1, 3)):
            self.rows.append(row(person, client, tenant, refresh, resource))

    def without(self, values, *groups):
        """The same, now and then without some of its values."""
        for group in groups:
            if self.world.chance(5):
                values = {key: value for key, value in values.items() if key not in group}
        return values

    def authority(self, tenant):
        return f"https://{self.world.hosts[tenant]}/{tenant}"

    def access(self):
        return f"at-{len(self.rows)}-{self.world.random.getrandbits(160):040x}"

    def python(self, person, client, tenant, refresh, resource):
        expires = datetime.fromtimestamp(self.world.expiry(), timezone.utc).strftime("%Y-%m-%d %H:%M:%S")
        row = {
            "tokenType": "Bearer", "expiresIn": 3599, "expiresOn": expires, "resource": resource,
            "accessToken": self.access(), "refreshToken": refresh, "tenantId": tenant, "oid": person.objects[tenant],
            "userId": person.name, "isUserIdDisplayable": True, "isMRRT": True, "_clientId": client,
            "_authority": self.authority(tenant)}
        if tenant != person.home:
            row["identityProvider"] = person.provider
        return self.without(
            row, ["oid"], ["tenantId"], ["userId"], ["userId", "oid", "tenantId"], ["refreshToken"], ["expiresOn"])

    def dotnet(self, person, client, tenant, refresh, resource):
        claims = self.world.claims(person, tenant, client)
        user = self.without(
            {"DisplayableId": person.name, "UniqueId": claims["oid"],
             "IdentityProvider": claims.get("idp", claims["iss"])}, ["DisplayableId"], ["UniqueId"])
        result = self.without(
            {"AccessToken": self.access(), "AccessTokenType": "Bearer",
             "ExpiresOn": others.instant(self.world.expiry()),
             "IdToken": others.signed(self.without(claims, ["oid"])), "TenantId": tenant, "UserInfo": user},
            ["IdToken"], ["TenantId"])
        value = self.without(
            {"RawClientInfo": self.world.client_info(person) if self.world.chance(50) else None,
             "RefreshToken": refresh, "ResourceInResponse": resource, "Result": result}, ["RefreshToken"])
        return f"{self.authority(tenant)}/:::{resource}:::{client}:::0", json.dumps(value)

    @property
    def encoded(self):
        return others.dotnet(self.rows) if self.library == "net" else json.dumps(self.rows).encode()
