# SPDX-License-Identifier: MIT
"""A release to try things on: the folder that RELEASE names, as `scripts/release` wrote it, else one that is packed
here of the command that ADAL2MSAL names. Without either nothing here is checked, and the run says so."""

import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2]
sys.path.append(str(PACKAGE / "scripts" / "packaging"))
CHECKOUTS = PACKAGE / ".build" / "checkouts"
SYSTEM = f"linux-{platform.machine()}" if sys.platform == "linux" else "macos-universal"
EPOCH = "1700000000"


def command():
    return os.environ.get("ADAL2MSAL")


@pytest.fixture(scope="session")
def version():
    source = (PACKAGE / "Sources/ADALMigration/Report/MaskedReport.swift").read_text("utf-8")
    return re.search(r'toolVersion = "(.*)"', source)[1]


def pack(version, folder, work):
    """Packs the command, stripped, as a release is packed."""
    binary, stage = work / "adal2msal", work / "stage"
    shutil.copy(command(), binary)
    subprocess.run(["strip", "-x", binary], check=True, capture_output=True)
    environment = {**os.environ, "SOURCE_DATE_EPOCH": EPOCH, "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([PACKAGE / "scripts" / "install", stage], check=True, capture_output=True,
                   env={**environment, "ADAL2MSAL": str(binary)})
    script = [sys.executable, PACKAGE / "scripts" / "packaging" / "package.py"]
    subprocess.run([*script, "system", version, SYSTEM, stage, command(), CHECKOUTS, "", folder],
                   check=True, env=environment)
    subprocess.run([*script, "collect", version, folder], check=True, env=environment)
    return folder


@pytest.fixture(scope="session")
def packed(version, tmp_path_factory):
    """A release of the command as it is, to try how it is packed."""
    if not command():
        pytest.skip("not checked: ADAL2MSAL does not name the command")
    if not CHECKOUTS.exists():
        pytest.skip("not checked: the package was not built here")
    return pack(version, tmp_path_factory.mktemp("packed"), tmp_path_factory.mktemp("work"))


@pytest.fixture(scope="session")
def release(request):
    """What `scripts/release` wrote, or else what `packed` has."""
    if os.environ.get("RELEASE"):
        return Path(os.environ["RELEASE"])
    return request.getfixturevalue("packed")


@pytest.fixture(scope="session")
def mirror(release, version, tmp_path_factory):
    """A place to get releases from, laid out as the project's own."""
    folder = tmp_path_factory.mktemp("mirror")
    shutil.copytree(release, folder / f"v{version}")
    return folder.as_uri()


@pytest.fixture
def repository(tmp_path):
    """Somebody else's repository: an app, and a fixture of its cache."""
    folder = tmp_path / "contoso-app"
    (folder / "App").mkdir(parents=True)
    (folder / "App" / "SignIn.swift").write_text("import MSAL\n", "utf-8")
    (folder / "Fixtures").mkdir()
    for name in ("contoso.sqlite", "leftovers.items.json"):
        shutil.copy(PACKAGE / "Samples" / "Caches" / name, folder / "Fixtures")
    subprocess.run(["git", "init", "-q", folder], check=True)
    return folder
