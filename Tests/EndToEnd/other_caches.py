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

    def authority(self, tenant, *, by_domain=False):
        return f"https://{self.world.hosts[tenant]}/{self.world.domain(tenant) if by_domain else tenant}"

    def python(self, person, client, tenant, refresh, resource):
        expires = datetime.fromtimestamp(self.world.expiry(), timezone.utc).strftime("%Y-%m-%d %H:%M:%S")
        row = {
            "tokenType": "Bearer", "expiresIn": 3599, "expiresOn": expires, "resource": resource,
            "accessToken": self.world.access(person, tenant, client, resource), "refreshToken": refresh,
            "tenantId": tenant, "oid": person.objects[tenant], "userId": person.name, "isUserIdDisplayable": True,
            "isMRRT": True, "_clientId": client,
            "_authority": self.authority(tenant)}
        if tenant != person.home:
            row["identityProvider"] = person.provider
        return self.without(
            row, ["oid"], ["tenantId"], ["userId"], ["userId", "oid", "tenantId"], ["refreshToken"], ["expiresOn"])

    def dotnet(self, person, client, tenant, refresh, resource):
        world = self.world
        # An answer without an ID token gets a copy of that of the row which was refreshed, maybe of another tenant.
        known = world.random.choice(world.visited(person)) if world.chance(20) else tenant
        claims = world.claims(person, known, client)
        user = self.without(
            {"DisplayableId": person.name, "UniqueId": claims["oid"],
             "IdentityProvider": claims.get("idp", claims["iss"])}, ["DisplayableId"], ["UniqueId"])
        access = (world.signed_access if world.chance(50) else world.access)(person, tenant, client, resource)
        result = self.without(
            {"AccessToken": access, "AccessTokenType": "Bearer",
             "ExpiresOn": others.instant(world.expiry()),
             "IdToken": others.signed(self.without(claims, ["oid"])), "TenantId": known, "UserInfo": user},
            ["IdToken"], ["TenantId"])
        value = self.without(
            {"RawClientInfo": world.client_info(person) if world.chance(50) else None,
             "RefreshToken": refresh, "ResourceInResponse": resource, "Result": result}, ["RefreshToken"])
        authority = self.authority(tenant, by_domain=world.chance(30))
        return f"{authority}/:::{resource}:::{client}:::0", json.dumps(value)

    @property
    def encoded(self):
        return others.dotnet(self.rows) if self.library == "net" else json.dumps(self.rows).encode()
