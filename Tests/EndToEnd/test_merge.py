# SPDX-License-Identifier: MIT
"""Migration into a document that MSAL for Python and its extension library use at the same time."""

import json
import os
import subprocess
import sys
import time
from urllib.parse import parse_qsl, urlsplit

import clients
import make
import pytest
import samples
from clients import adal2msal, cache_of, migrate
from msal_extensions import FilePersistence, PersistedTokenCache
from token_service import User

CONTOSO = next(sample for sample in samples.all_samples() if sample.name == "contoso.sqlite")
CLOUD = "login.microsoftonline.com"
NESTOR = User(f"{make.guid('nestor')}.{make.CONTOSO}", "nestor@contoso.com", CLOUD)
PEOPLE = {(person.home, person.username) for person in CONTOSO.people}
ADELE = next(person for person in CONTOSO.people if person.username == "adele@contoso.com")


@pytest.fixture
def contoso(service, clock):
    clock.now = CONTOSO.now
    service.start_over(CONTOSO.issued())
    return service


def sign_in(service, client, cache, person, client_id, tenant):
    """Signs somebody in with MSAL, which writes what it writes."""
    app, code = client(cache, client_id, CLOUD, tenant).app, f"code of {person.username}"
    flow = app.initiate_auth_code_flow([f"{make.GRAPH}/.default"], response_mode="form_post")
    asked = dict(parse_qsl(urlsplit(flow["auth_uri"]).query))
    service.issued.codes[code] = person, client_id, asked["nonce"]
    answer = app.acquire_token_by_auth_code_flow(flow, {"code": code, "state": asked["state"]})
    assert "access_token" in answer, answer
    return answer["access_token"]


def written(path, cache):
    path.write_text(cache.serialize(), "utf-8")
    return json.loads(path.read_text("utf-8"))


def refresh_tokens(document, person, client_id):
    return [entry for entry in document["RefreshToken"].values()
            if (entry["home_account_id"], entry["client_id"]) == (person.home, client_id)]


def everybody_gets_tokens(cache, client, clock):
    """The migrated people get their access tokens from the cache, and new ones a day later."""
    for token in CONTOSO.accessible():
        app = client(cache, token.client, CLOUD, token.tenant)
        assert app.token(token.person, token.resource) == (token.access, True)
    clock.now += 24 * 3600
    for person, client_id in CONTOSO.clients:
        app = client(cache, client_id, CLOUD, CONTOSO.tenant(person))
        access, cached = app.token(person, make.OUTLOOK)
        assert not cached and app.call(make.OUTLOOK, access)[0] == 200


def test_what_msal_wrote_stays(contoso, clock, client, tmp_path):
    cache, path = cache_of(""), tmp_path / "cache.json"
    access = sign_in(contoso, client, cache, NESTOR, make.MAIL, make.CONTOSO)
    before = written(path, cache)
    before["A section of the future"] = {"key": [1, 2.5, None, {"Zoë": "</script>"}]}
    for entry in before["Account"].values():
        entry["a field of the future"] = {"n": 12345678901234567890, "e": 1e-7}
    path.write_text(json.dumps(before), "utf-8")

    assert migrate(CONTOSO, path).status == 0
    after = json.loads(path.read_text("utf-8"))
    for section, entries in before.items():
        assert {key: after[section].get(key) for key in entries} == entries
    read = cache_of(path.read_text("utf-8"))
    assert client(read, make.MAIL, CLOUD, make.CONTOSO).people() == PEOPLE | {(NESTOR.home, NESTOR.username)}
    assert client(read, make.MAIL, CLOUD, make.CONTOSO).token(NESTOR, make.GRAPH) == (access, True)
    everybody_gets_tokens(read, client, clock)
    app = client(read, make.MAIL, CLOUD, make.CONTOSO)
    access, cached = app.token(NESTOR, make.OUTLOOK)
    assert not cached and app.call(make.OUTLOOK, access)[0] == 200
    assert client(cache_of(read.serialize()), make.FILES, CLOUD, "organizations").people() == (
        PEOPLE | {(NESTOR.home, NESTOR.username)})


def test_who_signed_in_with_msal_keeps_those_tokens(contoso, clock, client, tmp_path):
    cache, path = cache_of(""), tmp_path / "cache.json"
    megan = next(person for person in CONTOSO.people if person.username == "megan@contoso.com")
    contoso.issued.family.clear()
    access = sign_in(contoso, client, cache, megan, make.MAIL, make.CONTOSO)
    before = written(path, cache)
    assert migrate(CONTOSO, path).status == 0
    after = json.loads(path.read_text("utf-8"))
    for section, entries in before.items():
        assert {key: after[section].get(key) for key in entries} == entries
    assert len(refresh_tokens(after, megan, make.MAIL)) == 1
    read = cache_of(path.read_text("utf-8"))
    app = client(read, make.MAIL, CLOUD, make.CONTOSO)
    assert app.people() == PEOPLE
    assert app.token(megan, make.GRAPH) == (access, True)
    everybody_gets_tokens(read, client, clock)


def test_a_family_member_that_signed_in_with_msal(contoso, clock, client, tmp_path):
    """The client that is there keeps its token, the other client of the family gets its own."""
    cache, path = cache_of(""), tmp_path / "cache.json"
    sign_in(contoso, client, cache, ADELE, make.MAIL, make.CONTOSO)
    before = written(path, cache)
    assert migrate(CONTOSO, path).status == 0
    after = json.loads(path.read_text("utf-8"))
    for section, entries in before.items():
        assert {key: after[section].get(key) for key in entries} == entries
    assert len(refresh_tokens(after, ADELE, make.FILES)) == 1
    read = cache_of(path.read_text("utf-8"))
    assert client(read, make.FILES, CLOUD, make.CONTOSO).people() == PEOPLE
    clock.now += 24 * 3600
    for client_id in (make.MAIL, make.FILES):
        app = client(read, client_id, CLOUD, make.CONTOSO)
        access, cached = app.token(ADELE, make.OUTLOOK)
        assert not cached and app.call(make.OUTLOOK, access)[0] == 200


def test_who_signs_in_after_the_migration(contoso, clock, client, tmp_path):
    """MSAL for Python files new people under its authority's host and then lists that host alone: who came
    with the migration, under the name that caches have for it, is known by the home account id."""
    path = tmp_path / "cache.json"
    assert migrate(CONTOSO, path).status == 0
    cache = cache_of(path.read_text("utf-8"))
    known = {person: client(cache, make.MAIL, CLOUD, make.CONTOSO).account(person) for person in CONTOSO.people}
    sign_in(contoso, client, cache, NESTOR, make.MAIL, make.CONTOSO)
    assert client(cache, make.MAIL, CLOUD, make.CONTOSO).people() == {(NESTOR.home, NESTOR.username)}
    for token in CONTOSO.accessible():
        app = client(cache, token.client, CLOUD, token.tenant)
        assert app.token(token.person, token.resource, known[token.person]) == (token.access, True)
    clock.now += 24 * 3600
    for person, client_id in CONTOSO.clients:
        app = client(cache, client_id, CLOUD, CONTOSO.tenant(person))
        access, cached = app.token(person, make.OUTLOOK, known[person])
        assert not cached and app.call(make.OUTLOOK, access)[0] == 200


def test_a_second_run_writes_nothing(contoso, client, tmp_path):
    cache, path = cache_of(""), tmp_path / "cache.json"
    sign_in(contoso, client, cache, NESTOR, make.MAIL, make.CONTOSO)
    written(path, cache)
    assert migrate(CONTOSO, path).report["summary"]["written"] > 0
    before = path.read_bytes(), path.stat()
    assert migrate(CONTOSO, path).report["summary"]["written"] == 0
    after = path.read_bytes(), path.stat()
    assert before[0] == after[0]
    assert (before[1].st_mtime_ns, before[1].st_ino) == (after[1].st_mtime_ns, after[1].st_ino)
    assert os.listdir(tmp_path) == ["cache.json"]


def test_a_running_app_sees_the_migrated(contoso, clock, client, tmp_path):
    path = tmp_path / "cache.json"
    cache = PersistedTokenCache(FilePersistence(str(path)))
    sign_in(contoso, client, cache, NESTOR, make.MAIL, make.CONTOSO)
    app = client(cache, make.MAIL, CLOUD, make.CONTOSO)
    assert app.people() == {(NESTOR.home, NESTOR.username)}
    assert migrate(CONTOSO, path).status == 0
    assert path.stat().st_mode & 0o777 == 0o600
    assert app.people() == PEOPLE | {(NESTOR.home, NESTOR.username)}
    everybody_gets_tokens(cache, client, clock)
    assert len(json.loads(path.read_text("utf-8"))["Account"]) == len(CONTOSO.people) + 1


# The lock

HOLDER = """
import json, sys
from msal_extensions.{module} import CrossPlatLock
path, shown = sys.argv[1], int(sys.argv[2])
with CrossPlatLock(path + ".lockfile"):
    with open(path) as file: text = file.read()
    with open(path, "w") as file: file.write(text[:shown])
    print("held", flush=True)
    entries = sys.stdin.readline()
    document = json.loads(text)
    if entries.strip(): document["Account"].update(json.loads(entries))
    with open(path, "w") as file: json.dump(document, file)
"""


@pytest.fixture(params=["filelock", "cache_lock"])
def hold(request, tmp_path):
    """Makes a document whose lock another process holds, as far as that has written it, and that process."""
    path, holders = tmp_path / "cache.json", []

    def hold(shown=1000):
        path.write_text(json.dumps({"AppMetadata": {}, "Account": {}}), "utf-8")
        holder = subprocess.Popen(
            [sys.executable, "-c", HOLDER.format(module=request.param), path, str(shown)], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        holders.append(holder)
        assert holder.stdout.readline() == "held\n"
        return path, holder
    yield hold
    for holder in holders:
        holder.communicate()
        assert holder.returncode == 0


ENTRY = {"authority_type": "MSSTS", "environment": CLOUD, "home_account_id": NESTOR.home,
         "local_account_id": "", "realm": make.CONTOSO, "username": NESTOR.username}


def let_go(holder):
    """Has the holder write an account and end."""
    holder.stdin.write(json.dumps({"key": ENTRY}) + "\n")
    holder.stdin.flush()


def started(*arguments):
    """The command, running."""
    start = "import os, sys; print(flush=True); os.execv(sys.argv[1], sys.argv[1:])"
    running = subprocess.Popen(
        [sys.executable, "-c", start, clients.COMMAND, *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert running.stdout.readline() == "\n"
    return running


@pytest.mark.parametrize("shown", [1000, 25], ids=["whole", "half"])
def test_the_lock_is_waited_for(hold, shown):
    path, _ = hold(shown)
    before, start = path.read_bytes(), time.monotonic()
    run = adal2msal("migrate", CONTOSO.path, "--into", path, "--now", CONTOSO.now)
    assert run.returncode == 75, run
    assert 2 < time.monotonic() - start < 60
    assert "lock" in run.stderr
    assert path.read_bytes() == before
    assert sorted(os.listdir(path.parent)) == ["cache.json", "cache.json.lockfile"]


@pytest.mark.parametrize("shown", [1000, 25, 0], ids=["whole", "half", "empty"])
def test_the_lock_is_let_go_in_time(hold, shown):
    path, holder = hold(shown)
    migration = started("migrate", CONTOSO.path, "--into", path, "--now", CONTOSO.now)
    time.sleep(1)
    assert migration.poll() is None
    let_go(holder)
    _, said = migration.communicate(timeout=60)
    assert migration.returncode == 0, said
    accounts = json.loads(path.read_text("utf-8"))["Account"]
    assert accounts["key"] == ENTRY
    assert {a["username"] for a in accounts.values()} == {n for _, n in PEOPLE} | {NESTOR.username}


@pytest.mark.parametrize("shown", [25, 5, 0], ids=["half", "start", "empty"])
def test_a_document_that_is_being_written_is_read_when_it_is_whole(hold, shown):
    path, holder = hold(shown)
    inspection = started("inspect", path, "--now", CONTOSO.now, "--format", "json")
    time.sleep(1)
    assert inspection.poll() is None
    let_go(holder)
    report, said = inspection.communicate(timeout=60)
    assert inspection.returncode == 0, said
    assert json.loads(report)["summary"]["rows"] == 1


WRITER = """
import base64, json, sys, time
from msal_extensions import FilePersistence, PersistedTokenCache
cache = PersistedTokenCache(FilePersistence(sys.argv[1]))
print("ready", flush=True)
for number in range(int(sys.argv[3])):
    info = {"uid": f"{sys.argv[2]}-{number}", "utid": "t"}
    cache.add({
        "client_id": "client", "scope": ["s"],
        "token_endpoint": "https://login.microsoftonline.com/t/oauth2/v2.0/token",
        "response": {"access_token": "synthetic-at", "refresh_token": "synthetic-rt", "expires_in": 3600,
                     "client_info": base64.urlsafe_b64encode(json.dumps(info).encode()).decode()}})
    time.sleep(0.02)
"""


def test_nothing_is_lost_between_processes(tmp_path):
    """Two apps sign people in while samples are migrated into their document."""
    path, number = tmp_path / "cache.json", 8
    apps = [subprocess.Popen([sys.executable, "-c", WRITER, path, name, str(number)], stdout=subprocess.PIPE)
            for name in ("a", "b")]
    for app in apps:
        assert app.stdout.readline() == b"ready\n"
    chosen = [s for s in samples.all_samples() if s.name in (
        "contoso.sqlite", "ios-2.6.6-single-mrrt", "mac-2.7.18-foci-family", "ios-1.2.10-upgrade-a-1210")]
    for sample in chosen:
        for _ in range(5):
            run = adal2msal("migrate", sample.path, "--into", path, "--now", sample.now)
            if run.returncode != 75:
                break
        assert run.returncode == 0, run.stderr
    for app in apps:
        app.communicate(timeout=120)
        assert app.returncode == 0
    accounts = json.loads(path.read_text("utf-8"))["Account"].values()
    wanted = {f"{name}-{n}.t" for name in ("a", "b") for n in range(number)}
    assert {a["home_account_id"] for a in accounts} == wanted | {p.home for s in chosen for p in s.people}
    assert os.listdir(tmp_path) == ["cache.json"]
