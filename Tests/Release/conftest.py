# SPDX-License-Identifier: MIT
"""A release to try things on: the folder that RELEASE names, as `scripts/release` wrote it, else one that is packed
here of the command that ADAL2MSAL names. Without either nothing here is checked, and the run says so."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from released import CHECKOUTS, PACKAGE, command, pack


@pytest.fixture(scope="session")
def version():
    source = (PACKAGE / "Sources/ADALMigration/Report/MaskedReport.swift").read_text("utf-8")
    return re.search(r'toolVersion = "(.*)"', source)[1]


@pytest.fixture(scope="session")
def packed(version, tmp_path_factory):
    """A release of the command as it is, to try how it is packed."""
    if not command():
        pytest.skip("not checked: ADAL2MSAL does not name the command")
    if not CHECKOUTS.exists():
        pytest.skip("not checked: the package was not built here")
    # The samples are built in the same folder, and resolve nothing of what the command alone needs.
    subprocess.run(["swift", "package", "resolve"], cwd=PACKAGE, check=True, capture_output=True)
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
