# SPDX-License-Identifier: MIT
"""Caches that ADALs fill by their own rules for the same people, and whose each refresh token is.

ADAL for Python is itself here. The rules of the others are those of `cache-driver.js` (Node), `TokenCache.cs` (.NET)
and `ADTokenCacheAccessor.m` (iOS and macOS): which token a request takes, and which rows its answer changes.
"""

import json
from datetime import datetime, timezone

import archive
import make
import others
from people import RESOURCES
from real_adal import CLICache, PythonCache


class NodeCache:
    """The list of ADAL for Node. A new refresh token, AD FS's too, is laid over those of all rows for several resources
    of the client and user name, or of all without one, and no row is replaced."""

    def __init__(self, world):
        self.world, self.rows = world, []

    def step(self):
        world = self.world
        person, tenant, authority = world.sign_in()
        client, resource = world.random.choice(world.clients), world.random.choice(RESOURCES)
        expires = datetime.fromtimestamp(world.expiry(), timezone.utc)
        row = {"tokenType": "Bearer", "expiresIn": 3599, "expiresOn": expires.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
               "resource": resource, "_clientId": client}
        if world.chance(5):
            token = f"adfs-{len(self.rows)}"
            return self.add(row | {"accessToken": f"access-{token}", "refreshToken": token, "userId": person.name,
                                   "_authority": "https://adfs.example.com/adfs"})
        row |= {"accessToken": world.access(person, tenant, client, resource), "refreshToken": world.token(person),
                "isMRRT": True, "_authority": authority}
        if not world.chance(4):
            row |= {"tenantId": tenant, "oid": person.objects[tenant], "userId": person.name,
                    "isUserIdDisplayable": True}
            if tenant != person.home:
                row["identityProvider"] = person.provider
        return self.add(row)

    def add(self, row):
        for other in self.rows:
            if "isMRRT" in other and all(other.get(part) == row.get(part) for part in ("_clientId", "userId")):
                other["refreshToken"] = row["refreshToken"]
        self.rows.append(row)

    def save(self, path):
        path.write_text(json.dumps(self.rows), "utf-8")


class DotNetCache:
    """The blob of ADAL.NET 3 or 5. Any row of the client and user, of any tenant of the cloud, serves a request; what
    an answer without an ID token does not say is that row's."""

    def __init__(self, world, version):
        self.world, self.version, self.rows = world, version, []

    def found(self, authority, client, user):
        return [row for row in self.rows if row["client"] == client and authority in (None, row["authority"]) and all(
            user[part] in (None, (row["user"] or {}).get(part)) for part in user)]

    def step(self):
        world = self.world
        client, resource = world.random.choice(world.clients), world.random.choice(RESOURCES)
        if not self.rows or world.chance(45):
            person, tenant, authority = world.sign_in()
            # `common` becomes the tenant of the ID token.
            authority = authority.replace("/common", f"/{tenant}")
            return self.store(self.answer(person, tenant, client), authority, client, resource, person, tenant)
        user = world.random.choice(self.rows)["user"] or {}
        part = world.random.choice(["UniqueId", "DisplayableId"])
        tenant = world.random.choice(world.tenants)
        authority = f"https://{world.hosts[tenant]}/{world.random.choice([tenant, world.domain(tenant)])}"
        user = {part: user.get(part)}
        found = self.found(authority, client, user) or [
            row for row in self.found(None, client, user) if row["authority"].split("/")[2] == world.hosts[tenant]]
        old = found[0] if found else None
        if old and tenant in world.owners[old["refresh"]].objects:
            answer = self.answer(world.owners[old["refresh"]], tenant, client, old["refresh"])
            if answer["token"] is None:
                answer |= {part: old[part] for part in ("token", "tenant", "user")}
            self.store(answer, authority, client, resource, world.owners[old["refresh"]], tenant)

    def answer(self, person, tenant, client, refresh=None):
        world = self.world
        answer = {"refresh": refresh if refresh and world.chance(30) else world.token(person),
                  "expires": world.expiry(), "token": None, "tenant": None, "user": None, "info": None}
        if not refresh or world.chance(60):
            claims = world.claims(person, tenant, client)
            answer |= {"token": others.signed(claims), "tenant": tenant,
                       "user": {"UniqueId": claims["oid"], "DisplayableId": claims.get("upn", claims.get("email")),
                                "IdentityProvider": claims.get("idp", claims["iss"])}}
            if self.version == 5:
                answer["info"] = world.client_info(person)
        return answer

    def store(self, answer, authority, client, resource, person, tenant):
        access = self.world.signed_access if self.world.chance(50) else self.world.access
        answer["access"] = access(person, tenant, client, resource)
        key = {"authority": authority, "client": client, "resource": resource, "user": answer["user"]}
        self.rows = [row for row in self.rows if any(row[part] != key[part] for part in key)] + [answer | key]
        if user := answer["user"]:
            for row in self.found(None, client, {part: user[part] for part in ("UniqueId", "DisplayableId")}):
                row["refresh"] = answer["refresh"]

    def save(self, path):
        rows = []
        for row in self.rows:
            result = {"AccessToken": row["access"], "AccessTokenType": "Bearer", "IdToken": row["token"],
                      "ExpiresOn": others.instant(row["expires"]), "TenantId": row["tenant"], "UserInfo": row["user"]}
            rows.append((f"{row['authority']}/:::{row['resource']}:::{row['client']}:::0", json.dumps({
                "RawClientInfo": row["info"], "RefreshToken": row["refresh"], "ResourceInResponse": row["resource"],
                "Result": result})))
        path.write_bytes(others.dotnet(rows))


class AppleCache:
    """Keychain items of ADAL for iOS, or the blob of ADAL for macOS. A row is known by authority, resource, client, and
    user; what an answer does not say is the row's whose refresh token was taken."""

    def __init__(self, world, form):
        self.world, self.form, self.rows = world, form, {}
        self.has_client_info = world.chance(30)
        self.family = [client for client in world.clients if world.chance(50)]

    def step(self):
        world = self.world
        client, resource = world.random.choice(world.clients), world.random.choice(RESOURCES)
        if not self.rows or world.chance(50):
            person, tenant, authority = world.sign_in()
            return self.store({}, person, tenant, authority, client, resource)
        authority, _, _, user = world.random.choice(list(self.rows))
        old = self.rows.get((authority, None, client, user))
        if client in self.family:
            old = self.rows.get((authority, None, "foci-1", user)) or old
        if old:
            person = world.owners[old["refresh"]]
            self.store(old, person, world.tenant(authority, person), authority, client, resource)

    def store(self, old, person, tenant, authority, client, resource):
        world = self.world
        token = old["refresh"] if old and world.chance(30) else world.token(person)
        row = old | {"authority": authority, "client": client, "refresh": token}
        if not old or world.chance(60):
            row["claims"] = world.claims(person, tenant, client)
            row["user"] = row["claims"].get("upn", row["claims"].get("email", row["claims"]["sub"]))
            row["server"] = {"client_info": world.client_info(person)} if self.has_client_info else {}
        if client in self.family:
            row["family"] = "1"
            self.put(row | {"client": "foci-1"})
        self.put(row)
        access = world.access(person, tenant, client, resource)
        self.put(row | {"resource": resource, "access": access, "expires": world.expiry(), "refresh": None})

    def put(self, row):
        self.rows[row["authority"], row.get("resource"), row["client"], row["user"]] = row

    def save(self, path):
        if self.form == "blob":
            path.write_bytes(archive.blob(self.rows.values()))
        else:
            make.write_items(path, [archive.keychain_item(row, make.GROUP, make.NOW) for row in self.rows.values()])


KINDS = {
    "python.json": PythonCache, "cli.json": CLICache, "node.json": NodeCache,
    "net3.bin": lambda world: DotNetCache(world, 3), "net5.bin": lambda world: DotNetCache(world, 5),
    "apple.items.json": lambda world: AppleCache(world, "items"), "apple.blob": lambda world: AppleCache(world, "blob"),
}


def saved(world, kind, path):
    """A cache of one library after some requests, in a file."""
    cache = KINDS[kind](world)
    for _ in range(world.random.randint(1, 14)):
        cache.step()
    cache.save(path)
    path.chmod(0o600)
    return cache
