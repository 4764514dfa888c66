# SPDX-License-Identifier: MIT
"""Nobody gets the refresh token of somebody else out of lists that ADAL for Python's own rules fill: it lays a new refresh
token over those of all rows of the client and user name, and without an ID token over those of everybody (cache_driver.py).
Half of the seeds change every day."""

import json
import random
import time
import uuid
from datetime import datetime, timezone

import make
import pytest
from clients import adal2msal

TODAY = int(time.time()) // 86400 * 100
SEEDS = [*range(40), *range(TODAY, TODAY + 40)]
HOSTS = ["login.microsoftonline.com"] * 4 + ["login.microsoftonline.us"]
RESOURCES = "https://graph.microsoft.com", "https://vault.azure.net", "https://management.azure.com"
# What Azure CLI takes out of a row when it saves the list.
UNSAVED = "tenantId", "familyName", "givenName", "isUserIdDisplayable"


class List:
    """A list of ADAL for Python, or of Azure CLI, and the home account id of each refresh token."""

    def __init__(self, seed, library):
        self.random = random.Random(f"{library} {seed}")
        self.rows, self.owners = [], {}
        self.tenants = [self.guid() for _ in range(self.random.randint(1, 3))]
        self.hosts = [self.random.choice(HOSTS) for _ in self.tenants]
        self.people = []
        for number in range(self.random.randint(1, 4)):
            self.people.append(self.person(number))
        clients = [self.guid() for _ in range(self.random.randint(1, 2))]
        for step in range(self.random.randint(1, 14)):
            self.sign_in(self.random.choice(self.people), self.random.choice(clients), step)
        if library == "cli":
            self.rows = [{key: row[key] for key in row if key not in UNSAVED} for row in self.rows]

    def guid(self):
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    def person(self, number):
        """Somebody with a home tenant, by its number, and an object in each tenant."""
        home, name = self.random.randrange(len(self.tenants)), None
        cloud = [tenant for tenant in range(len(self.tenants)) if self.hosts[tenant] == self.hosts[home]]
        visited = [tenant for tenant in cloud if tenant == home or self.random.random() < 0.5]
        first = self.people[0] if self.people else None
        # An account that was made again under a name. Whose a guest's refresh token is of two, nothing in the list says.
        if first and len(first["objects"]) == 1 and self.random.random() < 0.2:
            home, name = first["home"], first["name"]
            visited = [home]
        return {"home": home, "name": name or f"user{number}@tenant{home}.example.com",
                "objects": {tenant: self.guid() for tenant in visited}}

    def sign_in(self, person, client, step):
        home, tenant = person["home"], self.random.choice(list(person["objects"]))
        asked = [self.tenants[tenant], f"tenant{tenant}.example.com"] + (["common"] if tenant == home else [])
        refresh = f"rt-{step}-{self.random.getrandbits(96):024x}"
        self.owners[refresh] = f"{person['objects'][home]}.{self.tenants[home]}"
        expires = datetime.fromtimestamp(make.NOW + self.random.choice([-9000, 3000]), timezone.utc)
        row = {"tokenType": "Bearer", "expiresIn": 3599, "expiresOn": expires.strftime("%Y-%m-%d %H:%M:%S.%f"),
               "resource": self.random.choice(RESOURCES), "accessToken": f"at-{refresh}", "refreshToken": refresh,
               "isMRRT": True, "_clientId": client,
               "_authority": f"https://{self.hosts[tenant]}/{self.random.choice(asked)}"}
        if self.random.random() > 0.04:
            row |= {"tenantId": self.tenants[tenant], "oid": person["objects"][tenant], "userId": person["name"],
                    "isUserIdDisplayable": True, "givenName": "Given", "familyName": "Family"}
            if tenant != home:
                row["identityProvider"] = f"https://sts.windows.net/{self.tenants[home]}/"
        self.store(row)

    def store(self, row):
        user, key = row.get("userId"), ("_clientId", "_authority", "resource", "userId")
        for other in self.rows:
            if other["_clientId"] == row["_clientId"] and user in (None, other.get("userId")):
                other["refreshToken"] = row["refreshToken"]
        self.rows = [other for other in self.rows if any(other.get(part) != row.get(part) for part in key)] + [row]


@pytest.mark.parametrize("library", ["python", "cli"])
@pytest.mark.parametrize("seed", SEEDS)
def test_every_refresh_token_is_its_owners(tmp_path, library, seed):
    cache = List(seed, library)
    source, target = tmp_path / "accessTokens.json", tmp_path / "cache.json"
    source.write_text(json.dumps(cache.rows), "utf-8")
    source.chmod(0o600)
    run = adal2msal("migrate", source, "--into", target, "--now", make.NOW, "--time-zone", "UTC", "--format", "json")
    assert run.returncode in (0, 1), run.stderr
    document = json.loads(target.read_text("utf-8")) if target.exists() else {}
    for entry in document.get("RefreshToken", {}).values():
        assert entry["home_account_id"] == cache.owners[entry["secret"]]
    homes = set(cache.owners.values())
    assert {entry["home_account_id"] for entry in document.get("Account", {}).values()} <= homes
    names = {person["name"] for person in cache.people}
    if library == "python" and len(names) == len(cache.people) and all("userId" in row for row in cache.rows):
        # Nothing was overwritten: whoever signed in at home has an account, and nobody else.
        at_home = {cache.owners[row["refreshToken"]] for row in cache.rows if "identityProvider" not in row}
        assert at_home == {entry["home_account_id"] for entry in document.get("RefreshToken", {}).values()}
