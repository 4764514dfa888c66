# SPDX-License-Identifier: MIT
"""Nobody gets the refresh token of somebody else out of caches that ADALs fill by their own rules: out of one, out of
several in a folder, and out of one that goes on living between two runs. Half of the seeds change every day."""

import base64
import json
import time

import make
import pytest
from clients import adal2msal
from living_caches import KINDS, saved
from people import HOSTS, World

TODAY = int(time.time()) // 86400 * 100
SEEDS = [*range(20), *range(TODAY, TODAY + 20)]


SECTIONS = {1003: "Account", 2001: "AccessToken", 2002: "RefreshToken", 2003: "IdToken"}


def migrated(source, target, *options):
    into = "--into-folder" if target.is_dir() else "--into"
    run = adal2msal("migrate", source, into, target, "--now", make.NOW, "--time-zone", "UTC", *options)
    assert run.returncode in (0, 1), run.stderr
    return {} if target.is_dir() else entries(target)


def entries(path):
    """What a document has, or the items of a keychain, by the sections of a document."""
    found = json.loads(path.read_text("utf-8")) if path.exists() else {}
    if "items" not in found:
        return found
    document = {section: {} for section in SECTIONS.values()}
    for item in found["items"]:
        if section := SECTIONS.get(item.get("type")):
            document[section][item["acct"], item["svce"]] = json.loads(base64.b64decode(item["data"]))
    return document


def claims(token):
    return json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))


def owners(document, world):
    """The accounts that have a refresh token, each its own, as is everything else of theirs."""
    people = {person.identifier: person for person in world.people}
    for entry in document.get("Account", {}).values():
        person = people[entry["home_account_id"]]
        assert entry.get("local_account_id") in (None, person.objects.get(entry["realm"]))
    for entry in document.get("AccessToken", {}).values():
        person, tenant, client, resource = world.accesses[entry["secret"]]
        assert (entry["home_account_id"], entry["realm"]) == (person.identifier, tenant)
        assert (entry["client_id"], entry["target"]) == (client, f"{resource}/.default")
    for entry in document.get("IdToken", {}).values():
        said = claims(entry["secret"])
        assert entry["realm"] == said["tid"]
        assert people[entry["home_account_id"]].objects[said["tid"]] == said["oid"]
    tokens = document.get("RefreshToken", {}).values()
    for entry in tokens:
        person = world.owners[entry["secret"]]
        assert entry["home_account_id"] == person.identifier
        # The host that MSAL files China under is another.
        host = entry["environment"].replace("login.partner.microsoftonline.cn", "login.chinacloudapi.cn")
        assert HOSTS[host] == world.cloud(person.home)
    return {entry["home_account_id"] for entry in tokens}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_refresh_token_is_its_owners(tmp_path, kind, seed):
    world = World(f"{kind} {seed}")
    source, target = tmp_path / kind, tmp_path / "cache.json"
    cache = saved(world, kind, source)
    found = owners(migrated(source, target), world)
    names = {person.name for person in world.people}
    if kind == "python.json" and len(names) == len(world.people) and all(
            "userId" in row and "/adfs" not in row["_authority"] for row in cache.rows):
        # Nothing was overwritten: whoever signed in at home has an account, and nobody else.
        assert found == {person.identifier for person in world.people for row in cache.rows
                         if row["userId"].lower() == person.name and row["oid"] == person.objects[person.home]}
    if kind.startswith("apple"):
        # A member's ID token tells the account, and so does what the service said of a guest.
        assert found == {world.owners[row["refresh"]].identifier for row in cache.rows.values()
                         if row["refresh"] and (row["server"] or "upn" in row["claims"])}
    # The cache goes on living.
    for _ in range(3):
        cache.step()
    cache.save(source)
    assert found <= owners(migrated(source, target), world)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_target_has_the_same_of_everybody(tmp_path, kind, seed):
    world = World(f"{kind} {seed} of all targets")
    source, document, folder = tmp_path / kind, tmp_path / "cache.json", tmp_path / "folder"
    saved(world, kind, source)
    library = world.random.choice(["python", "net", "java", "node", "go"])
    found = owners(migrated(source, document, "--for", library), world)
    keychain = tmp_path / "keychain.items.json"
    group = [] if kind == "apple.items.json" else ["--into-group", make.GROUP]
    assert owners(migrated(source, keychain, *group), world) == found
    folder.mkdir()
    migrated(source, folder)
    names = {path.name for path in folder.iterdir()}
    assert {name.partition(".json")[0] for name in names} == found
    assert {home for name in names for home in owners(entries(folder / name), world)} == found
    # From one into the other.
    if found:
        assert owners(migrated(keychain, tmp_path / "other.json"), world) == found
        assert owners(migrated(document, tmp_path / "other.items.json", "--into-group", make.GROUP), world) == found


@pytest.mark.parametrize("seed", [*SEEDS, *range(20, 60), *range(TODAY + 20, TODAY + 60)])
def test_a_folder_of_them(tmp_path, seed):
    world = World(f"folder {seed}")
    folder, target = tmp_path / "caches", tmp_path / "cache.json"
    folder.mkdir()
    for number in range(world.random.randint(2, 4)):
        kind = world.random.choice(list(KINDS))
        saved(world, kind, folder / f"{number}.{kind}")
    document = migrated(folder, target)
    owners(document, world)
    assert migrated(folder, target) == document
