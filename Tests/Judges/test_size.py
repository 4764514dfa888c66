# SPDX-License-Identifier: MIT
"""How much code an app gets that links ADALMigration, by the linker's map of a release."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PACKAGE / "Tests" / "Benchmarks"))
import code_size  # noqa: E402

SHIPPED = PACKAGE / ".build" / "shipped"
# What it is now, and one percent. Documentation/performance.md has the goal.
MOST = 2_740_000


@pytest.mark.skipif(sys.platform != "linux", reason="not checked: the map is that of a linker for Linux")
@pytest.mark.skipif(not (SHIPPED / "release").exists() or not shutil.which("swift"),
                    reason="not checked: there is no release build")
def test_an_app_grows_no_more_than_it_did(tmp_path):
    linker_map = tmp_path / "App.map"
    built = subprocess.run(
        ["swift", "build", "-c", "release", "--scratch-path", SHIPPED, "--static-swift-stdlib", "--product", "App",
         "-Xlinker", f"-Map={linker_map}"],
        cwd=PACKAGE, env=os.environ | {"BENCHMARKS": "1"}, capture_output=True, text=True, timeout=1200)
    assert built.returncode == 0, built.stdout[-4000:] + built.stderr[-4000:]
    ours, all_of_it = code_size.sizes(linker_map)
    assert 1_000_000 < ours <= MOST < all_of_it
    # What an app links and does not ask for is in products of its own.
    text = linker_map.read_text("utf-8", "replace")
    for room in ("MigrationUndo", "MigrationReceipts", "MigrationDocuments", "MigrationReports", "CacheFiles"):
        assert f"/{room}.build/" not in text, room
