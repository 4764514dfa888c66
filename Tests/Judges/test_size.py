# SPDX-License-Identifier: MIT
"""How much code an app gets that links ADALMigration, by the linker's map of a release."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PACKAGE / "Tests" / "Benchmarks"))
import code_kept  # noqa: E402
import code_size  # noqa: E402

SHIPPED = PACKAGE / ".build" / "shipped"
# The words with which the command is built: with others everything would be compiled again, here and for whoever needs the command
# next. They make 1.3 % more code than an app has.
FLAGS = re.search(r"shipped\+=\((.*?)\)", (PACKAGE / "scripts" / "needs.sh").read_text("utf-8"), re.S)[1].split()
# What a linker for Linux keeps, which drops by section, and what the lines of README need: a little more than they are now.
# Documentation/performance.md has the goals (P9).
MOST_LINKED = 1_924_000
MOST_KEPT = 1_770_000


@pytest.mark.skipif(sys.platform != "linux", reason="not checked: the map is that of a linker for Linux")
@pytest.mark.skipif(not (SHIPPED / "release").exists() or not shutil.which("swift"),
                    reason="not checked: there is no release build")
def test_an_app_grows_no_more_than_it_did(tmp_path):
    linker_map = tmp_path / "App.map"
    built = subprocess.run(
        ["swift", "build", "-c", "release", "--scratch-path", SHIPPED, *FLAGS, "--product", "App", "-Xlinker", f"-Map={linker_map}"],
        cwd=PACKAGE, env=os.environ | {"BENCHMARKS": "1"}, capture_output=True, text=True, timeout=1200)
    assert built.returncode == 0, built.stdout[-4000:] + built.stderr[-4000:]
    assert all(code_kept.is_apart(path) for path in code_kept.objects(SHIPPED / "release"))
    ours, all_of_it = code_size.sizes(linker_map)
    assert 1_000_000 < ours <= MOST_LINKED < all_of_it
    kept, containers = code_kept.kept(SHIPPED / "release")
    assert 1_000_000 < kept <= MOST_KEPT and 100_000 < containers < kept
    # What an app links and does not ask for is in products of its own.
    text = linker_map.read_text("utf-8", "replace")
    for room in ("MigrationUndo", "MigrationReceipts", "MigrationDocuments", "MigrationPolicies", "MigrationReports", "CacheFiles", "LookupAnswers"):
        assert f"/{room}.build/" not in text, room


ROOM = """
public func called(_ words: [String]) -> Int { Set(words).count }
public func uncalled(_ numbers: [Double]) -> Int { Set(numbers).count &* numbers.count }
public struct Compared: Hashable { public var name = "", number = 1.0; public init() {} }
"""


@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("swiftc"), reason="not checked: this reads object files of Linux")
def test_what_nobody_calls_is_not_kept(tmp_path):
    """Of two functions the one that the app calls is kept, with its containers; a conformance is, since Swift has a record of it."""
    def kept(room, calls):
        for name, text in (("ADALCache", room), ("App", f"import ADALCache\n{calls}\n")):
            folder = tmp_path / f"{name}.build"
            folder.mkdir(exist_ok=True)
            source = folder / ("main.swift" if name == "App" else "Room.swift")
            source.write_text(text, "utf-8")
            made = subprocess.run(
                ["swiftc", "-Osize", "-c", "-module-name", name, "-emit-module", "-emit-module-path", tmp_path / f"{name}.swiftmodule",
                 "-I", tmp_path, *(["-parse-as-library"] if name != "App" else []), "-Xfrontend", "-function-sections", source,
                 "-o", folder / "code.o"], capture_output=True, text=True)
            assert made.returncode == 0, made.stderr
        return code_kept.kept(tmp_path)

    one, one_containers = kept(ROOM, 'print(called(["a"]))')
    both, both_containers = kept(ROOM, 'print(called(["a"]), uncalled([1]))')
    none, none_containers = kept(ROOM, 'print("")')
    bare, _ = kept(ROOM.replace(": Hashable", ""), 'print("")')
    assert none_containers < one_containers < both_containers
    untyped, _ = kept(ROOM[:ROOM.index("public struct")], 'print("")')
    assert none + 500 < one < both - 500 and bare + 200 < none
    # What copies and destroys a value hangs on its metadata, which has a name for its middle.
    assert untyped + 400 < bare
