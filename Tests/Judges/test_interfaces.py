# SPDX-License-Identifier: MIT
"""scripts/api finds what an app can no longer say, in a small package with one commit."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2]
MANIFEST = """// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Small", products: [.library(name: "Door", targets: ["Door"])],
  targets: [.target(name: "Room"), .target(name: "Door", dependencies: ["Room"])])
"""
ROOM = "package func room() -> Int { 1 }\n"
DOOR = """import Room

public struct Door: Sendable, Hashable {
  public var width = 1
  package var key = 1
  public func open() -> Int { room() }
  package func lock() {}
}
"""

pytestmark = pytest.mark.skipif(not shutil.which("swift-api-digester"), reason="not checked: there is no swift-api-digester")


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("small")
    for path, text in (("Package.swift", MANIFEST), ("Sources/Room/Room.swift", ROOM), ("Sources/Door/Door.swift", DOOR)):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    identity = {f"GIT_{who}_{what}": "nobody@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Small"]):
        subprocess.run(["git", *words], cwd=folder, env=os.environ | identity, check=True)
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, capture_output=True, text=True, check=True).stdout
    (folder / "Tests").mkdir()
    (folder / "Tests" / "api-baseline").write_text(commit, "utf-8")
    shutil.copytree(PACKAGE / "scripts", folder / "scripts")
    return folder


@pytest.mark.parametrize("changes, found", [
    ([("struct Door", "/* wide */ struct Door"), ("lock", "close"), ("var key", "let key")], []),
    ([("width", "breadth"), ("lock", "close")], ["Door: Var Door.width has been removed"]),
    ([("public func open", "package func open")], ["Door: Func Door.open() has been removed"]),
    ([("Sendable, Hashable", "Hashable")], ["Door: Struct Door has removed conformance to Sendable",
                                            "Door: Struct Door has removed conformance to SendableMetatype"]),
    ([("open() -> Int", "open() -> Int?")], ["Door: Func Door.open() has return type change from Swift.Int to Swift.Int?"]),
])
def test_a_break_is_found(changes, found, small):
    text = DOOR
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (small / "Sources" / "Door" / "Door.swift").write_text(text, "utf-8")
    done = subprocess.run([small / "scripts" / "api"], capture_output=True, text=True, timeout=300)
    *breaks, last = done.stdout.splitlines()
    assert sorted(breaks) == [f"break: {line}" for line in found], done.stderr
    assert last.startswith("modules compared with ") and last.endswith(": 1") and done.returncode == bool(found)


def test_a_clone_without_the_commit_says_so(small):
    baseline = small / "Tests" / "api-baseline"
    commit = baseline.read_text("utf-8")
    baseline.write_text("0" * 40 + "\n", "utf-8")
    done = subprocess.run([small / "scripts" / "api"], capture_output=True, text=True, timeout=300)
    baseline.write_text(commit, "utf-8")
    assert (done.returncode, done.stdout) == (75, f"not checked: this clone has no commit {'0' * 40}\n")
