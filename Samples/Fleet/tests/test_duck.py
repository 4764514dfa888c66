# SPDX-License-Identifier: MIT
"""The same generator on DuckDB."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from conftest import COUNT, FAULTY, HERE, MODES, caches, digest

from fleet import duck, made
from fleet.child import Command, Stream, request

OPTIONS = {"into": "msal-json", "now": made.NOW}


def with_caches(contents: list[bytes]) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    given = pa.table({  # noqa: F841
        "id": [f"cache {n}" for n in range(len(contents))], "cache": contents})
    connection.execute("CREATE TABLE caches AS SELECT * FROM given")
    return connection


def answers(contents: list[bytes], program: str, **more: object) -> list[tuple]:
    connection = with_caches(contents)
    result = duck.migrate(connection, "SELECT * FROM caches", command=[program], **OPTIONS, **more)  # noqa: F841
    return connection.execute("SELECT * FROM result").fetchall()


@pytest.fixture(scope="module")
def quiet(adal2msal: str) -> list[tuple]:
    return answers(caches(), adal2msal)


def test_answers_are_those_of_the_command(quiet: list[tuple], adal2msal: str) -> None:
    command = Command(**OPTIONS, program=(adal2msal,))
    expected = Stream(command).answers(request(cache) for cache in caches())
    assert quiet == [
        (f"cache {n}", each.status, each.report, each.cache, each.error) for n, each in enumerate(expected)]


def test_order_does_not_matter(quiet: list[tuple], adal2msal: str) -> None:
    connection = with_caches(caches())
    result = duck.migrate(  # noqa: F841
        connection, "SELECT * FROM caches ORDER BY hash(id)", command=[adal2msal], **OPTIONS)
    shuffled = connection.execute("SELECT * FROM result").fetchall()
    assert shuffled != quiet
    assert digest(shuffled) == digest(quiet)


def test_a_poisoned_row_alone_gets_70(quiet: list[tuple], tmp_path: Path) -> None:
    poison = {number: mode for number, mode in enumerate(m for m in MODES if m != "hang")}
    poison[COUNT - 1] = "segfault"
    rows = answers(caches(poison=poison), FAULTY)
    assert [row[0] for row in rows if row[1] == 70] == [f"cache {n}" for n in sorted(poison)]
    assert digest(row for row in rows if row[1] != 70) == digest(
        row for n, row in enumerate(quiet) if n not in poison)


def test_totals(quiet: list[tuple], adal2msal: str) -> None:
    connection = with_caches([each.cache for each in made.all_made(60)])
    result = duck.migrate(connection, "SELECT * FROM caches", command=[adal2msal], **OPTIONS)  # noqa: F841
    connection.execute("CREATE TABLE answers AS SELECT * FROM result")
    version = subprocess.run([adal2msal, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    assert [(s, r, n) for s, r, _, _, n in duck.totals(connection, "answers")] == [
        (0, None, 24), (0, "resource.trailing-slash", 24), (1, "adfs.unsupported", 6), (1, "home.guest-unresolved", 6)]
    assert {(library, v) for _, _, library, v, _ in duck.totals(connection, "answers")} == {("adal2msal", version)}


def test_the_folder_job(adal2msal: str, tmp_path: Path) -> None:
    folder = tmp_path / "caches"
    folder.mkdir()
    for each in made.all_made(30):
        (folder / f"{each.id:02}").write_bytes(each.cache)
    (folder / "broken").write_bytes(b"nothing")
    job = subprocess.run(
        [sys.executable, HERE.parent / "jobs" / "duck.py", folder, tmp_path / "out.duckdb", "--now", str(made.NOW)],
        capture_output=True, text=True, check=True)
    assert job.stdout.splitlines()[0] == f"31 caches are answered in {tmp_path / 'out.duckdb'}"
    with duckdb.connect(str(tmp_path / "out.duckdb"), read_only=True) as connection:
        rows = connection.execute("SELECT * FROM answers").fetchall()
    expected = dict(enumerate(answers([each.cache for each in made.all_made(30)], adal2msal)))
    assert {row[0]: row[1:] for row in rows if row[0] != "broken"} == {
        f"{n:02}": row[1:] for n, row in expected.items()}
    assert [row[1:] for row in rows if row[0] == "broken"] == [(65, None, None, "the cache is not a token cache")]
    assert os.stat(tmp_path / "out.duckdb").st_mode & 0o777 == 0o600
