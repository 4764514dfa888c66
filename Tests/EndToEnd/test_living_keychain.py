# SPDX-License-Identifier: MIT
"""Apps that share a keychain move to MSAL one after the other: each finds the accounts that its rows tell, with their
newest refresh token, who has signed out stays so, and no entry of MSAL's changes. Half of the seeds change every day."""

import json
import time

import make
import pytest
from clients import adal2msal
from living_keychain import Keychain, filed, save
from people import World

TODAY = int(time.time()) // 86400 * 100
SEEDS = [*range(60), *range(TODAY, TODAY + 60)]


def migrate(path, *options):
    run = adal2msal("migrate", path, "--into", path, "--now", make.NOW, "--time-zone", "UTC", *options)
    # No token may be of a client that signed in to nothing yet.
    assert run.returncode in (0, 1) or "no token in the cache belongs to client" in run.stderr, run.stderr


def payloads(entries, kind):
    return [json.loads(entry["data"]) for entry in entries.values() if entry["type"] == kind]


def tokens(entries):
    """Refresh tokens by home account ID, host, and client or family."""
    return {(token["home_account_id"], token["environment"], f"foci-{token['family_id']}" if token.get("family_id")
             else token["client_id"]): token["secret"] for token in payloads(entries, 2002)}


def check_sign_ins(keychain, before, client):
    """Of each row of a client whose account something tells, the account is there and has the newest refresh token."""
    world, after = keychain.world, tokens(keychain.entries)
    accounts = {(entry["home_account_id"], entry["environment"]) for entry in payloads(keychain.entries, 1003)}
    newest = {}
    for row in keychain.rows.values():
        if row["client"] != client or not row["refresh"]:
            continue
        person, host = world.owners[row["refresh"]], filed(row["authority"].split("/")[2])
        if row["home"] or row["server"] or "upn" in row["claims"]:
            newest[person.identifier, host] = max(newest.get((person.identifier, host), 0), row["time"])
    for (home, host), moment in newest.items():
        if keychain.states(client).get(home) == "signed_out":
            assert (home, host, client) in before or (home, host, client) not in after
            continue
        assert (home, host) in accounts
        secret = after[home, host, client]
        times = [row["time"] for row in keychain.rows.values() if row["refresh"] == secret]
        assert (home, host, client) in before or max(times) >= moment


def check(keychain, before, clients):
    """Nothing of MSAL's has changed, nobody has somebody else's, and the clients find their users."""
    world = keychain.world
    assert before.items() <= keychain.entries.items()
    people = {person.identifier for person in world.people}
    assert {entry["home_account_id"] for entry in payloads(keychain.entries, 1003)} <= people
    for (home, _, _), secret in tokens(keychain.entries).items():
        assert world.owners[secret].identifier == home
    for entry in payloads(keychain.entries, 2001):
        person, tenant, client, resource = world.accesses[entry["secret"]]
        assert (entry["home_account_id"], entry["realm"]) == (person.identifier, tenant)
        assert (entry["client_id"], entry["target"]) == (client, f"{resource}/.default")
    for client in clients:
        check_sign_ins(keychain, tokens(before), client)


@pytest.mark.parametrize("seed", SEEDS)
def test_apps_move_one_after_the_other(tmp_path, seed):
    world = World(f"keychain {seed}")
    keychains, path = [Keychain(world)], tmp_path / "keychain.items.json"
    if world.chance(40):
        keychains.append(Keychain(world, "ABCDE12345.com.example.shared"))
    for _ in range(3):
        for _ in range(world.random.randint(2, 10)):
            world.random.choice(keychains).step()
        app = world.random.choice(world.random.choice(keychains).apps)
        app.library = "msal"
        save(keychains, path)
        before = [dict(keychain.entries) for keychain in keychains]
        asked = ["--client-id", app.client] if world.chance(50) else []
        migrate(path, *asked)
        for keychain, entries in zip(keychains, before):
            keychain.read(path)
            check(keychain, entries, [app.client] if asked else world.clients)
        text = path.read_bytes()
        migrate(path, *asked)
        assert path.read_bytes() == text
