# SPDX-License-Identifier: MIT
"""Real Spark: the answers are the same whatever fails, and no token is left lying about."""
from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from conftest import COUNT, HERE, MODES, caches, digest, needs_java

from fleet import made, spark
from fleet.child import Command, Stream, request

pytestmark = needs_java
# First, adjacent and last rows of what are four partitions.
QUARTER = COUNT // 4
POISON = {0: "segfault", QUARTER: "exit0", QUARTER + 1: "exit3", 2 * QUARTER - 1: "half", COUNT - 2: "killed",
          COUNT - 1: "hang"}
assert set(POISON.values()) == set(MODES)


def write(path: Path, contents: list[bytes]) -> None:
    each = list(made.all_made(len(contents)))
    parquet.write_table(pa.table({
        "id": pa.array(range(len(contents)), pa.int64()), "cache": contents, "library": [m.library for m in each],
        "version": [m.version for m in each]}), path)


@pytest.fixture
def run(tmp_path: Path, adal2msal: str) -> Any:
    """Runs a scenario in a folder of its own, which only its owner can enter."""
    tmp_path.chmod(0o700)

    def scenario(name: str, count: int = COUNT) -> Any:
        write(tmp_path / "caches.parquet", caches(count))
        write(tmp_path / "poisoned.parquet", caches(count, POISON))
        with open(tmp_path / "log", "wb") as log:
            ran = subprocess.run(
                [sys.executable, "-B", HERE / "scenarios.py", name, tmp_path], stdout=subprocess.PIPE, stderr=log,
                timeout=300, cwd=tmp_path, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        said = [line for line in ran.stdout.decode().splitlines() if line.startswith("RESULT ")]
        assert said, (tmp_path / "log").read_text(errors="replace")[-6000:]
        return json.loads(said[-1].removeprefix("RESULT "))

    return scenario


@cache
def quiet(count: int = COUNT, without: frozenset[int] = frozenset()) -> dict[str, object]:
    """What the command itself answers."""
    command = Command(into="msal-json", now=made.NOW, program=(os.environ["ADAL2MSAL"],))
    rows = [(n, each.status, each.report, each.cache, each.error)
            for n, each in enumerate(Stream(command).answers(request(c) for c in caches(count)))]
    return {"count": count, "ids": count, "digest": digest(row for row in rows if row[0] not in without), "died": []}


def test_local(run: Any) -> None:
    found = run("partitions")
    assert found["quiet"] == quiet()
    assert found["other"] == quiet()
    assert found["retried"] == quiet()
    assert found["poisoned"] == {**quiet(without=frozenset(POISON)), "died": sorted(POISON)}
    # The guests are known through the map; users of AD FS must still sign in.
    assert found["mapped"]["asked"] == COUNT // 10
    assert (found["mapped"]["count"], found["mapped"]["ids"]) == (COUNT, COUNT)
    assert not found["broadcasts"]
    counts: dict[tuple, int] = {}
    for status, reason, _, _, number in found["totals"]:
        counts[status, reason] = counts.get((status, reason), 0) + number
    tenth = COUNT // 10
    assert counts == {
        (0, None): 4 * tenth, (0, "resource.trailing-slash"): 4 * tenth, (1, "adfs.unsupported"): tenth,
        (1, "home.guest-unresolved"): tenth}
    assert {(row[2], row[3]) for row in found["totals"]} == {
        ("adal-ios", "1.2.10"), ("adal-ios", "2.6.6"), ("adal-macos", "2.2.7"), ("adal-macos", "2.6.6"),
        ("adal-macos", "2.7.18")}
    assert found["collected types"] == ["bigint", "int", "string", "binary", "string"]


needs_linux = pytest.mark.skipif(
    sys.platform != "linux", reason="not checked: what needs /proc and 127.0.0.2, as Linux has them")
# Five minutes of a core, for what changes with Spark and hardly ever with us.
needs_night = pytest.mark.skipif(
    "FLEET_CLUSTERS" not in os.environ, reason="not checked: clusters that lose executors; FLEET_CLUSTERS=1 starts them")


@needs_linux
@needs_night
def test_killed_executors_and_workers(run: Any, tmp_path: Path) -> None:
    found = run("killed")
    assert found == {"executor": quiet(), "worker": quiet()}
    log = (tmp_path / "log").read_text(errors="replace")
    assert "killed CoarseGrainedExecutorBackend" in log
    assert "killed pyspark.daemon" in log


def test_connect(run: Any) -> None:
    pytest.importorskip("grpc_status", reason="not checked: Spark Connect, whose client's packages are missing")
    assert run("connected")["connected"] == quiet()


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]


def leaks(data: bytes, windows: set[bytes]) -> set[bytes]:
    return {data[i:i + 8] for i in range(len(data) - 7)} & windows


@needs_linux
@needs_night
def test_speculation_and_what_is_left_lying_about(run: Any, tmp_path: Path) -> None:
    count = 120
    found = run("clustered", count)
    assert found["speculated"] == quiet(count)
    assert found["speculative"] >= 1
    assert (found["written"]["count"], found["written"]["ids"], found["failed"]) == (count, count, True)
    # The message of the failure names a row, and no more.
    assert "the answer to row 0 is none" in (tmp_path / "message").read_text()

    tokens = [token.encode() for each in made.all_made(count) for token in each.tokens]
    texts = [*tokens, *(base64.b64encode(b"x" * shift + token)[4:-4] for token in tokens for shift in range(3))]
    windows = {text[i:i + 8] for text in texts for i in range(len(text) - 7)}
    outputs = [tmp_path / "out", tmp_path / "speculated"]
    seen = []
    for path in files(tmp_path):
        if path.parent == tmp_path and path.suffix == ".parquet":
            continue
        if any(path.is_relative_to(output) for output in outputs):
            # The documents themselves: only their owner may read them.
            assert path.stat().st_mode & 0o777 == 0o600, path
        else:
            assert not leaks(path.read_bytes(), windows), path
            seen.append(path)
    # However many executors shared the shuffle.
    assert sum(path.stat().st_size for path in seen if "shuffle" in path.name) > 100_000
    for name in ("events", "work", "ui.json", "log", "daemon-1.log"):
        assert any(name in path.parts and path.stat().st_size > 500 for path in seen), name
    # A search that finds nothing would find nothing here, too.
    assert any(leaks(path.read_bytes(), windows) for path in files(tmp_path / "out"))


class Settings:
    """A session, as far as its settings go."""

    def __init__(self, settings: dict[str, str]) -> None:
        self.conf = settings


@pytest.mark.parametrize("missing", [*spark.PROTECTION, spark.SECRET])
def test_without_one_setting_it_refuses(missing: str) -> None:
    settings = {**spark.PROTECTION, spark.SECRET: "x"}
    spark.check_protection(Settings(settings))
    for other in ({}, {missing: ""}, {missing: "false"} if missing != spark.SECRET else {}):
        without = {name: value for name, value in settings.items() if name != missing} | other
        with pytest.raises(spark.UnprotectedCluster, match=f"; set {missing}$"):
            spark.check_protection(Settings(without))


def test_a_session_as_spark_makes_it_is_refused(run: Any) -> None:
    found = run("unprotected", 10)
    assert found["said"].startswith("tokens would be in plain text")
    assert all(name in found["said"] for name in [*spark.PROTECTION, spark.SECRET])
    assert found["statuses"] == [65]
