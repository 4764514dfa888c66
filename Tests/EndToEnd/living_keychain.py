# SPDX-License-Identifier: MIT
"""A keychain that several apps share, and that goes on living while one after the other moves to MSAL.

Apps with ADAL up to 2.6 write rows; those with 2.7 or newer also write MSAL's refresh tokens and accounts beside them
(`MSIDLegacyTokenCacheAccessor.m`, `MSIDDefaultTokenCacheAccessor.m`); those with MSAL write its entries alone.
"""

import base64
import json

import archive
import make
from people import HOSTS, RESOURCES

# The host that a cloud's entries are filed under, for each of its hosts.
PREFERRED = {"login.microsoftonline.com": "login.windows.net",
             "login.chinacloudapi.cn": "login.partner.microsoftonline.cn"}


def filed(host):
    return PREFERRED.get(host, host)


class App:
    """An app: its client ID, and what it signs in with."""

    def __init__(self, world, client):
        self.client = client
        self.library = world.random.choice(["2.6", "2.7", "2.7"])
        self.in_family = world.chance(50)
        # Since 2.5.2 rows are filed under the cloud's preferred host.
        self.is_filed = self.library == "2.7" or world.chance(60)
        self.gets_client_info = world.chance(80)


class Keychain:
    """One access group of it."""

    def __init__(self, world, group=make.GROUP):
        self.world, self.group, self.now = world, group, make.NOW - 100000
        self.apps = [App(world, client) for client in world.clients]
        self.rows, self.entries = {}, {}

    def step(self):
        """One request, or what changes meanwhile: a user is renamed, or a row goes."""
        world = self.world
        if world.chance(6):
            world.random.choice(world.people).name = f"renamed{world.random.randint(0, 9)}@example.com"
        if self.rows and world.chance(5):
            del self.rows[world.random.choice(list(self.rows))]
        app, self.now = world.random.choice(self.apps), self.now + world.random.choice([0, 1, 60])
        if app.library == "msal" and world.chance(30):
            return self.sign_out(app)
        if app.library == "msal" or not self.rows or world.chance(50):
            person, tenant, authority = world.sign_in()
            host = authority.split("/")[2]
            authority = authority.replace(host, filed(host)) if app.is_filed else authority
            return self.store(app, {}, person, tenant, authority)
        authority, _, _, user = world.random.choice(list(self.rows))
        host = authority.split("/")[2]
        if old := self.found(app, authority, user):
            person = world.owners[old["refresh"]]
            if app.library == "2.7":
                authority = authority.replace(host, filed(host))
            tenant = world.tenant(authority, person)
            if tenant in person.objects:
                self.store(app, old, person, tenant, authority)

    def found(self, app, authority, user):
        """The row that a silent request takes its refresh token from."""
        authorities, host = [authority], authority.split("/")[2]
        if app.library == "2.7":
            hosts = [other for other in [*HOSTS, *PREFERRED.values()] if filed(other) == filed(host)]
            authorities = [authority.replace(host, other) for other in hosts]
            authorities += [f"https://{other}/common" for other in hosts]
        keys = [(each, None, client, user) for client in [app.client] + ["foci-1"] * app.in_family
                for each in authorities]
        return next((self.rows[key] for key in keys if key in self.rows), None)

    def store(self, app, old, person, tenant, authority):
        world = self.world
        token = old["refresh"] if old and world.chance(30) else world.token(person)
        row = {part: value for part, value in old.items() if part != "family"}
        row |= {"authority": authority, "client": app.client, "refresh": token, "library": app.library}
        if not old or app.library != "2.6" or world.chance(60):
            claims = world.claims(person, tenant, app.client)
            row |= {"claims": claims, "server": {}, "home": None,
                    "user": claims.get("upn", claims.get("email", claims["sub"])).lower()}
            if app.library == "2.6" and world.chance(20):
                row["server"] = {"client_info": world.client_info(person)}
            if app.library == "2.7" and app.gets_client_info:
                row["home"] = person.identifier
        if app.library != "msal":
            if app.in_family:
                row["family"] = "1"
                self.put(row | {"client": "foci-1"})
            self.put(row)
            resource = world.random.choice(RESOURCES)
            access = world.access(person, tenant, app.client, resource)
            self.put(row | {"resource": resource, "access": access, "expires": world.expiry(), "refresh": None})
        if app.library == "msal" or row["home"]:
            self.put_entries(app, row, person, tenant)

    def put(self, row):
        self.rows[row["authority"], row.get("resource"), row["client"], row["user"]] = row | {"time": self.now}

    def put_entries(self, app, row, person, tenant):
        """What ADAL 2.7 writes in MSAL's form, and MSAL itself."""
        host, name, home = filed(row["authority"].split("/")[2]), row["authority"].split("/")[3], person.identifier
        token = {"client_id": app.client, "credential_type": "RefreshToken", "secret": row["refresh"],
                 "environment": host, "home_account_id": home}
        for client in [app.client] + ["1"] * app.in_family:
            self.put_entry(f"{home}-{host}", f"refreshtoken-{client}--", 2002, f"refreshtoken-{client}-",
                           token | ({"family_id": "1"} if client == "1" else {}))
        # ADAL files the account under the tenant as the app wrote it, even if it is a domain.
        realm = tenant if app.library == "msal" or name == "common" else name
        self.put_entry(f"{home}-{host}", realm, 1003, row["user"], {
            "authority_type": "MSSTS", "home_account_id": home, "local_account_id": row["claims"]["oid"],
            "username": row["user"], "environment": host, "realm": realm,
            "client_info": self.world.client_info(person)})
        if app.library == "msal":
            token |= {"credential_type": "IdToken", "secret": archive.id_token(row["claims"]), "realm": tenant}
            self.put_entry(f"{home}-{host}", f"idtoken-{app.client}-{tenant}-", 2003,
                           f"idtoken-{app.client}-{tenant}", token)
            family = "1" if app.in_family else ""
            self.put_entry(host, f"appmetadata-{app.client}", 3001, family,
                           {"client_id": app.client, "environment": host, "family_id": family})
            self.note_state(app, home, "signed_in")

    def sign_out(self, app):
        """MSAL removes the client's tokens of an account, and notes that it is signed out."""
        tokens = {key: json.loads(entry["data"]) for key, entry in self.entries.items() if entry["type"] in (2002, 2003)}
        tokens = {key: token for key, token in tokens.items()
                  if token["client_id"] == app.client and "family_id" not in token}
        if tokens:
            home = self.world.random.choice(list(tokens.values()))["home_account_id"]
            for key in tokens:
                if tokens[key]["home_account_id"] == home:
                    del self.entries[key]
            self.note_state(app, home, "signed_out")

    def note_state(self, app, home, state):
        states = self.states(app.client) | {home: state}
        self.put_entry("authority_map", app.client, 5001, "", {"client_id": app.client, "account_metadata_map": {
            each: {"client_id": app.client, "home_account_id": each, "sign_in_state": states[each]} for each in states}})

    def states(self, client):
        """What MSAL has noted of the accounts of a client."""
        entry = self.entries.get(("authority_map", client), {"data": "{}"})
        states = json.loads(entry["data"]).get("account_metadata_map", {})
        return {home: states[home]["sign_in_state"] for home in states}

    def put_entry(self, account, service, kind, generic, payload):
        old = self.entries.get((account, service), {"data": b"{}", "cdat": self.now})
        self.entries[account, service] = {
            "class": "genp", "agrp": self.group, "acct": account, "svce": service, "type": kind, "pdmn": "cku",
            "gena": generic.encode(), "cdat": old["cdat"], "mdat": self.now,
            "data": json.dumps(json.loads(old["data"]) | payload).encode()}

    @property
    def items(self):
        return [*(item(row, self.group) for row in self.rows.values()), *self.entries.values()]

    def read(self, path):
        """Takes MSAL's entries from a file."""
        self.entries = {}
        for found in json.loads(path.read_text("utf-8"))["items"]:
            if "type" in found and found["agrp"] == self.group:
                found |= {part: base64.b64decode(found[part]) for part in ("data", "gena") if part in found}
                self.entries[found["acct"], found["svce"]] = found


def save(keychains, path):
    make.write_items(path, [item for keychain in keychains for item in keychain.items])
    path.chmod(0o600)


def item(row, group):
    """A row in the form of its ADAL."""
    found = archive.keychain_item(row, group, row["time"])
    if row["library"] == "2.7":
        token = archive.item(row)
        del token.fields["sessionKey"]
        token.fields |= {"additionalClient": archive.MutableDictionary(), "homeAccountId": row["home"],
                         "cachedAt": archive.Date(row["time"])}
        if "access" in row:
            token.fields["familyId"] = None
        found["data"] = archive.archived(token)
    return found
