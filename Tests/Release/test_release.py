# SPDX-License-Identifier: MIT
"""The command of a release. RELEASE names the folder that `scripts/release` wrote; with RELEASE_BUILD=1 it is written
here, which takes minutes. Without either nothing here is checked, and the run says so."""

import json
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest
from released import PACKAGE, SYSTEM

RELEASE, BUILD = os.environ.get("RELEASE"), os.environ.get("RELEASE_BUILD")
pytestmark = [
    pytest.mark.skipif(not RELEASE and not BUILD, reason="not checked: RELEASE names no release, RELEASE_BUILD is not set"),
]
on_linux = pytest.mark.skipif(not SYSTEM.startswith("linux"), reason="not checked: this is no Linux")
SAMPLES = PACKAGE / "Samples" / "Caches"


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=3600, **options)


@pytest.fixture(scope="module")
def released(version, tmp_path_factory):
    if RELEASE:
        return Path(RELEASE)
    folder = tmp_path_factory.mktemp("release")
    made = run(PACKAGE / "scripts" / "release", version, folder)
    assert made.returncode == 0, made.stdout[-4000:] + made.stderr[-4000:]
    return folder


@pytest.fixture(scope="module")
def prefix(released, version, tmp_path_factory):
    folder = tmp_path_factory.mktemp("prefix")
    with tarfile.open(released / f"adal2msal-{version}-{SYSTEM}.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    return folder / f"adal2msal-{version}-{SYSTEM}"


@on_linux
def test_it_needs_no_library(prefix):
    binary = prefix / "bin" / "adal2msal"
    segments = run("readelf", "-lW", binary).stdout
    assert "LOAD" in segments and "INTERP" not in segments
    assert not re.search("NEEDED|RPATH|RUNPATH", run("readelf", "-dW", binary).stdout)
    assert "no symbols" in run("nm", binary).stderr
    assert str(PACKAGE).encode() not in binary.read_bytes()


def chroot():
    """The words before a command in a folder that becomes `/`, or None where that is not allowed."""
    for words in (["chroot"], ["unshare", "--user", "--map-root-user", "chroot"]):
        program = shutil.which(words[0])
        if program and run(*words, "/", "true").returncode == 0:
            return [program, *words[1:]]
    return None


@on_linux
def test_it_works_where_nothing_else_is(prefix, tmp_path):
    """In a folder that has the command and the caches and nothing else: no /proc, /dev, /etc, /tmp or library."""
    words = chroot()
    if not words:
        pytest.skip("not checked: chroot is not allowed here")
    root = tmp_path / "root"
    root.mkdir()
    shutil.copy(prefix / "bin" / "adal2msal", root)
    for name in ("contoso.sqlite", "contoso.adalcache"):
        shutil.copy(SAMPLES / name, root)

    def inside(*arguments):
        return run(*words, root, "/adal2msal", *arguments, env={"LC_ALL": "C"})

    first = inside("migrate", "/contoso.sqlite", "--into", "/contoso.sqlite", "--now", "1700000000", "--format", "json")
    assert first.returncode == 0, first.stderr
    assert json.loads(first.stdout)["summary"] == {
        "rows": 12, "converted": 11, "alreadyThere": 0, "notConverted": 1, "foreign": 1, "accounts": 4,
        "accountsSignedIn": 4, "accountsToSignIn": 0, "written": 22}
    second = inside("migrate", "/contoso.sqlite", "--into", "/contoso.sqlite", "--now", "1700000000", "--format", "json")
    assert second.returncode == 0 and json.loads(second.stdout)["summary"]["written"] == 0
    looked = inside("lookup", "/contoso.sqlite", "--client-id", "019bfc6b-c510-5eb5-8700-2a5726560fdb",
                    "--username", "megan@contoso.com", "--now", "1700000000")
    assert looked.stdout.startswith("Everything was found.")
    document = inside("migrate", "/contoso.adalcache", "--into", "/cache.json", "--now", "1700000000")
    assert document.returncode == 0 and len(json.loads((root / "cache.json").read_text("utf-8"))["Account"]) == 4
    assert sorted(path.name for path in root.iterdir()) == ["adal2msal", "cache.json", "contoso.adalcache", "contoso.sqlite"]


def test_it_answers_as_any_other_build(prefix):
    other = os.environ.get("ADAL2MSAL")
    if not other:
        pytest.skip("not checked: ADAL2MSAL does not name another command")
    for arguments in (["--version"], ["explain"], ["inspect", SAMPLES / "contoso.sqlite", "--now", "1700000000"],
                      ["migrate", SAMPLES / "leftovers.items.json", "-n", "--now", "1700000000", "--format", "json"]):
        answers = [run(tool, *arguments) for tool in (prefix / "bin" / "adal2msal", other)]
        assert (answers[0].returncode, answers[0].stdout) == (answers[1].returncode, answers[1].stdout)


@on_linux
def test_the_bill_names_what_is_in_it(released, version):
    document = json.loads((released / f"adal2msal-{version}-{SYSTEM}.spdx.json").read_text("utf-8"))
    linked = {one["relatedSpdxElement"].removeprefix("SPDXRef-Package-") for one in document["relationships"]
              if one["relationshipType"] == "STATIC_LINK"}
    assert linked == {"swift-argument-parser", "swift-runtime", "sqlite", "glibc", "libstdc--", "libgcc"}
    assert not [p["name"] for p in document["packages"] if p["versionInfo"] in ("", "NOASSERTION")]


@on_linux
@pytest.mark.skipif(not shutil.which("lintian"), reason="not checked: there is no lintian")
def test_lintian_has_no_error(released):
    [package] = released.glob("*.deb")
    judged = run("lintian", "--no-cfg", "--fail-on", "error", package)
    assert judged.returncode == 0, judged.stdout


@pytest.mark.skipif(not shutil.which("swift"), reason="not checked: there is no Swift compiler")
def test_a_plugin_uses_the_bundle(released, tmp_path):
    """A package of somebody else with a plugin for its developers that runs the command."""
    shutil.unpack_archive(released / "adal2msal.artifactbundle.zip", tmp_path)
    binary = next((tmp_path / "adal2msal.artifactbundle").rglob("adal2msal"))
    binary.chmod(0o755)
    (tmp_path / "Package.swift").write_text("""
        // swift-tools-version: 6.0
        import PackageDescription
        let package = Package(name: "App", targets: [
          .binaryTarget(name: "adal2msal", path: "adal2msal.artifactbundle"),
          .plugin(name: "Look", capability: .command(intent: .custom(verb: "look", description: "Looks.")),
                  dependencies: ["adal2msal"])])
        """.strip().replace("\n        ", "\n"), "utf-8")
    plugin = tmp_path / "Plugins" / "Look"
    plugin.mkdir(parents=True)
    (plugin / "Look.swift").write_text("""
        import Foundation
        import PackagePlugin
        @main struct Look: CommandPlugin {
          func performCommand(context: PluginContext, arguments: [String]) throws {
            let process = try Process.run(try context.tool(named: "adal2msal").url, arguments: arguments)
            process.waitUntilExit()
          }
        }
        """, "utf-8")
    shutil.copy(SAMPLES / "contoso.sqlite", tmp_path)
    asked = run("swift", "package", "--package-path", tmp_path, "--disable-sandbox", "look", "inspect",
                tmp_path / "contoso.sqlite", "--now", "1700000000")
    assert "4 accounts" in asked.stdout, asked.stdout + asked.stderr
