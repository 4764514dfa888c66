# SPDX-License-Identifier: MIT
"""The job of a web app on real PostgreSQL, which the tests start on loopback and stop."""
from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from conftest import HERE, caches

sys.path.insert(0, str(HERE.parent / "jobs"))
import postgres  # noqa: E402

from fleet import made  # noqa: E402
from fleet.child import Command  # noqa: E402

COUNT = 120


def binaries() -> Path | None:
    """The folder of the server's programs, which Debian keeps off the path."""
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    return next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)


pytestmark = pytest.mark.skipif(binaries() is None, reason="not checked: there is no PostgreSQL server")


def as_server(folder: Path, *words: object) -> None:
    """Runs a program of the server's, which none does as root."""
    prefix = []
    if os.geteuid() == 0:
        prefix = ["runuser", "-u", "postgres", "--"]
    subprocess.run([*prefix, *map(str, words)], check=True, stdout=subprocess.DEVNULL, cwd="/", timeout=60)


@pytest.fixture(scope="session")
def port() -> Iterator[int]:
    # Not pytest's folder, which the server's user cannot enter.
    folder = Path(tempfile.mkdtemp(prefix="fleet-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    bin_ = binaries()
    assert bin_
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number = int(probe.getsockname()[1])
    try:
        as_server(folder, bin_ / "initdb", "-D", folder / "data", "-U", "fleet", "-A", "trust", "--no-sync", "-E", "UTF8")
        options = f"-c listen_addresses=127.0.0.1 -c port={number} -c unix_socket_directories={folder} -c fsync=off"
        as_server(folder, bin_ / "pg_ctl", "-D", folder / "data", "-w", "-l", folder / "log", "-o", options, "start")
        yield number
    finally:
        with contextlib.suppress(subprocess.CalledProcessError):
            as_server(folder, bin_ / "pg_ctl", "-D", folder / "data", "-w", "-m", "immediate", "stop")
        shutil.rmtree(folder)


@pytest.fixture
def dsn(port: int) -> str:
    text = f"postgresql://fleet@127.0.0.1:{port}/postgres"
    with psycopg.connect(text, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return text


def fill(dsn: str, contents: list[bytes | str], kind: str = "bytea") -> None:
    with psycopg.connect(dsn) as connection:
        connection.execute(f"CREATE TABLE caches (id bigint PRIMARY KEY, cache {kind})")
        with connection.cursor() as cursor:
            cursor.executemany("INSERT INTO caches VALUES (%s, %s)", enumerate(contents))


def job(dsn: str, adal2msal: str, run: str = "one") -> postgres.Job:
    command = Command(into="msal-json", now=made.NOW, reader="net", program=(adal2msal,))
    return postgres.Job(dsn, "caches", "documents", run, command)


def documents(dsn: str) -> dict[str, dict]:
    with psycopg.connect(dsn) as connection:
        rows = connection.execute("SELECT home_account_id, document FROM documents").fetchall()
    return {home: json.loads(document) for home, document in rows}


def home(number: int) -> str:
    user = made._user(number)
    return f"{user['oid']}.{user['tid']}"


def signed_in(count: int = COUNT) -> set[str]:
    # Guests and users of AD FS have no home account id.
    return {home(number) for number in range(count) if number % 10 not in (7, 9)}


def test_a_document_for_each_user(dsn: str, adal2msal: str) -> None:
    fill(dsn, caches(COUNT))
    own = job(dsn, adal2msal)
    own.run()
    found = documents(dsn)
    assert set(found) == signed_in()
    for number in (0, 1, 4):
        tokens = {entry["secret"] for section in ("RefreshToken", "AccessToken")
                  for entry in found[home(number)].get(section, {}).values()}
        assert tokens == set(made.made(number).tokens)
    assert own.totals() == [
        (0, None, 4 * COUNT // 10), (0, "resource.trailing-slash", 4 * COUNT // 10), (1, "adfs.unsupported", COUNT // 10),
        (1, "home.guest-unresolved", COUNT // 10)]
    with psycopg.connect(dsn) as connection:
        assert connection.execute("SELECT count(*), count(DISTINCT id) FROM documents_answers_one").fetchone() == (
            COUNT, COUNT)
        assert connection.execute("SELECT count(*) FROM documents_staged_one").fetchone() == (0,)


def test_once_more_changes_nothing(dsn: str, adal2msal: str) -> None:
    fill(dsn, caches(30))
    job(dsn, adal2msal).run()
    first = documents(dsn)
    job(dsn, adal2msal).run()
    job(dsn, adal2msal, "two").run()
    assert documents(dsn) == first


def test_two_caches_of_one_user_become_one_document(dsn: str, adal2msal: str) -> None:
    # The same user's other cache has another client's tokens.
    other = made.made(0).cache.replace(made.CLIENT.encode(), b"00000000-5251-4030-b22d-91ecd9a37ea4")
    assert other != made.made(0).cache
    fill(dsn, [made.made(0).cache, other])
    job(dsn, adal2msal).run()
    found = documents(dsn)
    assert set(found) == {home(0)}
    assert len(found[home(0)]["RefreshToken"]) == 2


def test_what_the_app_has_stays(dsn: str, adal2msal: str) -> None:
    fill(dsn, caches(10))
    own = job(dsn, adal2msal)
    own.stage()
    # The app signs a user in while the job is between its steps.
    theirs = {"RefreshToken": {f"{home(0)}-login.windows.net-refreshtoken-app--": {
        "home_account_id": home(0), "environment": "login.windows.net", "credential_type": "RefreshToken",
        "client_id": "app", "secret": "the app's own"}}}
    with psycopg.connect(dsn) as connection:
        connection.execute("INSERT INTO documents VALUES (%s, %s)", [home(0), json.dumps(theirs).encode()])
    own.run()
    tokens = {entry["secret"] for entry in documents(dsn)[home(0)]["RefreshToken"].values()}
    assert tokens == {"the app's own", made.made(0).tokens[0]}


def test_text_and_bytes_are_the_same(dsn: str, adal2msal: str) -> None:
    text = [cache.decode() for cache in caches(10) if cache.startswith(b"{")]
    fill(dsn, text, "text")
    job(dsn, adal2msal).run()
    assert set(documents(dsn)) == {home(number) for number in (1, 2, 8)}


VECTORS = HERE.parents[2] / "Tests" / "Vectors" / "other-adals"
BLOBS = sorted(VECTORS.glob("adal-net-*/m[ei]*/cache.dat"))


@pytest.mark.parametrize("kind", ["bytea", "text"])
def test_the_blobs_of_a_web_app(kind: str, dsn: str, adal2msal: str, tmp_path: Path) -> None:
    """ADAL.NET's, as bytes and in base64: what `migrate --into-folder` makes of each, one after the other."""
    assert len(BLOBS) >= 8
    contents = [path.read_bytes() for path in BLOBS]
    fill(dsn, [base64.b64encode(blob).decode() for blob in contents] if kind == "text" else contents, kind)
    job(dsn, adal2msal).run()
    folder = tmp_path / "documents"
    for path in BLOBS:
        subprocess.run(
            [adal2msal, "migrate", path, "--into-folder", folder, "--for", "net", "--now", str(made.NOW)],
            capture_output=True, check=False)
    assert documents(dsn) == {path.name: json.loads(path.read_bytes()) for path in folder.iterdir()}


class LosingCommits:
    """A proxy that cuts the connection when the server has answered a COMMIT, so that the client does not hear of it."""

    def __init__(self, port: int, commits: set[int]) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.listener.getsockname()[1])
        self.server, self.commits, self.seen, self.lost = port, commits, 0, 0
        self.lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                server = socket.create_connection(("127.0.0.1", self.server))
                for back, to in ((False, (client, server)), (True, (server, client))):
                    threading.Thread(target=self._pass, args=(*to, back), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, back: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                if back and b"COMMIT\0" in data and self._loses():
                    break
                target.sendall(data)
        for each in (source, target):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def _loses(self) -> bool:
        with self.lock:
            self.seen += 1
            if self.seen not in self.commits:
                return False
            self.lost += 1
            return True


@pytest.mark.parametrize("commits", [{1}, {2}, {3}, {1, 3, 4}], ids=str)
def test_acknowledgements_lost_after_a_commit(commits: set[int], dsn: str, port: int, adal2msal: str) -> None:
    fill(dsn, caches(60))
    job(dsn, adal2msal, "quiet").run()
    expected = documents(dsn)
    with psycopg.connect(dsn) as connection:
        answers = connection.execute("SELECT * FROM documents_answers_quiet ORDER BY id").fetchall()
        connection.execute("DROP TABLE documents")
    proxy = LosingCommits(port, commits)
    job(dsn.replace(f":{port}/", f":{proxy.port}/"), adal2msal, "lossy").run()
    proxy.listener.close()
    assert proxy.lost == len(commits)
    assert documents(dsn) == expected
    with psycopg.connect(dsn) as connection:
        assert connection.execute("SELECT * FROM documents_answers_lossy ORDER BY id").fetchall() == answers
        assert connection.execute("SELECT count(*) FROM documents_staged_lossy").fetchone() == (0,)


def test_the_command_line(dsn: str, adal2msal: str) -> None:
    fill(dsn, [base64.b64decode(base64.b64encode(cache)) for cache in caches(10)])
    ran = subprocess.run(
        [sys.executable, HERE.parent / "jobs" / "postgres.py", dsn, "caches", "documents", "--run", "first", "--now",
         str(made.NOW)], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == [
        "       4  status 0   -", "       4  status 0   resource.trailing-slash", "       1  status 1   adfs.unsupported",
        "       1  status 1   home.guest-unresolved"]


@pytest.mark.skipif(not shutil.which("psql"), reason="not checked: there is no psql")
def test_lines_from_a_table(dsn: str, adal2msal: str, tmp_path: Path) -> None:
    """The line of shell on the page: each row is a line, whose answers are those of its caches."""
    page = (HERE.parent / "README.md").read_text("utf-8")
    [script] = [line for line in page.splitlines() if line.startswith("psql ")]
    contents = [*caches(20), b"", b"no cache"]
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("CREATE TABLE caches (id int, cache bytea)")
        with connection.cursor() as cursor:
            cursor.executemany("INSERT INTO caches VALUES (%s, %s)", enumerate(contents))
    subprocess.run(["bash", "-c", script], check=True, cwd=tmp_path, env=os.environ | {"DSN": dsn}, timeout=60)
    lines = (tmp_path / "lines.json").read_bytes()
    assert [base64.b64decode(json.loads(line)["cache"]) for line in lines.splitlines()] == contents
    run = subprocess.run(
        [adal2msal, "stream", "--into", "msal-json", "--now", str(made.NOW)], input=lines, capture_output=True, timeout=60,
        check=True)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == list(range(22))
    assert run.stderr.decode() == "adal2msal: 22 lines: 16 with status 0, 4 with status 1, 2 with status 65\n"
