# SPDX-License-Identifier: MIT
"""A release to try things on: the folder that RELEASE names, as `scripts/release` wrote it, else one that is packed
here of the command that ADAL2MSAL names. Without either nothing here is checked, and the run says so."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from released import CHECKOUTS, PACKAGE, SYSTEM, command, pack


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
        pytest.skip("not checked: the command was not built here")
    return pack(version, tmp_path_factory.mktemp("packed"), tmp_path_factory.mktemp("work"))


@pytest.fixture(scope="session")
def release(request):
    """What `scripts/release` wrote, or else what `packed` has."""
    if os.environ.get("RELEASE"):
        return Path(os.environ["RELEASE"])
    return request.getfixturevalue("packed")


# Stands in for curl where the address is the mirror's: it sees that nothing but https is taken, and reads the file.
CURL = """#!{python}
import os, sys
words, place = sys.argv[1:], "https://mirror.test"
if words[-1].startswith(place):
    for option in ("--proto", "--proto-redir"):
        at = words.index(option)
        assert words[at + 1] == "=https", words
        del words[at:at + 2]
    words[-1] = "{folder}" + words[-1].removeprefix(place)
os.execv("{curl}", ["curl", *words])
"""


@pytest.fixture(scope="session")
def mirror_folder(release, version, tmp_path_factory):
    folder = tmp_path_factory.mktemp("mirror")
    shutil.copytree(release, folder / f"v{version}")
    return folder


@pytest.fixture(scope="session")
def mirror(mirror_folder, tmp_path_factory):
    """A place to get releases from, laid out as the project's own."""
    tools = tmp_path_factory.mktemp("tools")
    script = CURL.format(python=sys.executable, folder=mirror_folder.as_uri(), curl=shutil.which("curl"))
    (tools / "curl").write_text(script, "utf-8")
    (tools / "curl").chmod(0o755)
    before = os.environ["PATH"]
    os.environ["PATH"] = f"{tools}:{before}"
    yield "https://mirror.test"
    os.environ["PATH"] = before


@pytest.fixture(scope="session")
def unused(mirror_folder, tmp_path_factory):
    """The version of a release whose command is not to be run: it tells its version, and leaves a file if it is asked for
    anything else. Unpacked it is one small file, where the real release has 31 MB."""
    version, unpacked = "8.8.8", tmp_path_factory.mktemp("unused") / "unused"
    (unpacked / "bin").mkdir(parents=True)
    (unpacked / "bin" / "adal2msal").write_text(
        f'#!/bin/sh\n[ "$*" = --version ] && exec echo {version}\ntouch "$0.was-run"\nexit 70\n', "utf-8")
    (unpacked / "bin" / "adal2msal").chmod(0o755)
    folder, name = mirror_folder / f"v{version}", f"adal2msal-{version}-{SYSTEM}.tar.gz"
    folder.mkdir()
    with tarfile.open(folder / name, "w:gz") as archive:
        archive.add(unpacked, "unused")
    digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    (folder / "SHA256SUMS").write_text(f"{digest}  {name}\n", "utf-8")
    return version


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
