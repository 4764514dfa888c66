# SPDX-License-Identifier: MIT
"""Real Spark: the answers are the same whatever fails, and no token is left lying about."""
from __future__ import annotations

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

from fleet import made
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
    # The guests are known through the map; who has AD FS is still asked.
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


def test_killed_executors_and_workers(run: Any, tmp_path: Path) -> None:
    found = run("killed")
    assert found == {"executor": quiet(), "worker": quiet()}
    log = (tmp_path / "log").read_text(errors="replace")
    assert "killed CoarseGrainedExecutorBackend" in log
    assert "killed pyspark.daemon" in log


def test_speculation(run: Any) -> None:
    found = run("speculated")
    assert found["speculated"] == quiet()
    assert found["speculative"] >= 1


def test_connect(run: Any) -> None:
    pytest.importorskip("grpc_status", reason="not checked: Spark Connect, whose client's packages are missing")
    assert run("connected")["connected"] == quiet()


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]


def leaks(data: bytes, windows: set[bytes]) -> set[bytes]:
    return {data[i:i + 8] for i in range(len(data) - 7)} & windows


def test_no_token_is_left_lying_about(run: Any, tmp_path: Path) -> None:
    count = 120
    found = run("secret", count)
    assert (found["secret"]["count"], found["messages"]) == (count, 1)
    tokens = [token.encode() for each in made.all_made(count) for token in each.tokens]
    windows = {token[i:i + 8] for token in tokens for i in range(len(token) - 7)}
    # As base64 has them, whatever comes before.
    import base64

    for token in tokens:
        for shift in range(3):
            text = base64.b64encode(b"x" * shift + token)[4:-4]
            windows |= {text[i:i + 8] for i in range(len(text) - 7)}
    plain = [folder for folder in ("caches.parquet", "poisoned.parquet") if (tmp_path / folder).exists()]
    seen = 0
    for path in files(tmp_path):
        if path.name in plain:
            continue
        if path.is_relative_to(tmp_path / "out"):
            # The documents themselves: nobody else's to read.
            assert path.stat().st_mode & 0o777 == 0o600, path
            continue
        assert not leaks(path.read_bytes(), windows), path
        seen += 1
    kept = files(tmp_path / "kept")
    assert any(path.stat().st_size > 100_000 for path in kept), "nothing was shuffled"
    assert any("shuffle" in path.name for path in kept)
    assert any(path.stat().st_size for path in files(tmp_path / "events"))
    assert seen > 10
    # A search that finds nothing would find nothing here, too.
    assert any(leaks(path.read_bytes(), windows) for path in files(tmp_path / "out"))


def test_without_protection_it_refuses(run: Any) -> None:
    said = run("unprotected", 10)
    assert len(said) == 5
    for name, words in said.items():
        assert words.startswith("tokens would be in plain text") and name in words
