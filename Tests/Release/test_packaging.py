# SPDX-License-Identifier: MIT
"""What a release consists of: archives, checksums, bill of materials, formula, Dockerfile; and what a release says it
is of. Of a command that was built in any way; `test_release.py` looks at the one of a release."""

import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import archives
import pytest
import yaml
from released import CHECKOUTS, EPOCH, PACKAGE, PYTHON, SYSTEM, needs, pack, run, tool

FILES = [
    "bin/adal2msal", "share/bash-completion/completions/adal2msal", "share/doc/adal2msal/CHANGELOG.md",
    "share/doc/adal2msal/LICENSE", "share/doc/adal2msal/REFERENCE.md",
    "share/doc/adal2msal/third-party/swift-argument-parser.txt", "share/fish/vendor_completions.d/adal2msal.fish",
    "share/man/man1/adal2msal.1", "share/zsh/site-functions/_adal2msal"]
on_linux = pytest.mark.skipif(not SYSTEM.startswith("linux"), reason="not checked: this is no Linux")


# What it says it is of.

def test_every_place_names_the_version(version):
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    changes = (PACKAGE / "CHANGELOG.md").read_text("utf-8")
    headings = re.findall(r"^## \[(.*)\](?: - (\d{4}-\d\d-\d\d))?$", changes, re.M)
    assert headings[0] == ("Unreleased", "") and headings[1][0] == version and headings[1][1]
    assert yaml.safe_load((PACKAGE / "action.yml").read_text("utf-8"))["inputs"]["version"]["default"] == version
    samples = PACKAGE / "Samples" / "ContinuousIntegration"
    template = yaml.safe_load((samples / "azure-template.yml").read_text("utf-8"))
    assert template["parameters"][0] == {"name": "version", "type": "string", "default": version}
    assert f"adal2msal/adal2msal@v{version} " in (samples / "github-actions.yml").read_text("utf-8")
    assert f"ref: refs/tags/v{version}\n" in (samples / "azure-pipelines.yml").read_text("utf-8")
    readme = (PACKAGE / "README.md").read_text("utf-8")
    assert 'branch: "main"' in readme
    assert set(re.findall(r"adal2msal[-_](\d+\.\d+\.\d+)[-_]", readme)) == {version}


def test_the_command_says_it(version):
    command = os.environ.get("ADAL2MSAL")
    if not command:
        pytest.skip("not checked: ADAL2MSAL does not name the command")
    assert run(command, "--version").stdout == f"{version}\n"


@on_linux
def test_it_runs_without_proc(version):
    """Swift's own library asks /proc for the words of the command line."""
    command = os.environ.get("ADAL2MSAL")
    words = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
    if not command:
        pytest.skip("not checked: ADAL2MSAL does not name the command")
    if not shutil.which("unshare") or run(*words, "true").returncode != 0:
        pytest.skip("not checked: /proc cannot be hidden here")
    asked = run(*words, command, "--version")
    assert (asked.returncode, asked.stdout, asked.stderr) == (0, f"{version}\n", "")
    asked = run(*words, command, "lookup", "none", "--format", "html")
    assert asked.returncode == 64 and "--client-id" in asked.stderr


def test_another_version_is_not_released(tmp_path):
    asked = run(PACKAGE / "scripts" / "release", "9.9.9", tmp_path / "release")
    assert asked.returncode == 1 and asked.stderr.startswith("the sources say version ")
    assert not (tmp_path / "release").exists()
    assert run(PACKAGE / "scripts" / "release").returncode == 64
    assert "scripts/release VERSION [FOLDER]" in run(PACKAGE / "scripts" / "release", "--help").stdout


# Archives.

@pytest.fixture(scope="module")
def archive(packed, version):
    return packed / f"adal2msal-{version}-{SYSTEM}.tar.gz"


def test_the_archive_holds_everything(archive, version):
    with tarfile.open(archive) as members:
        entries = members.getmembers()
    root = f"adal2msal-{version}-{SYSTEM}"
    assert [entry.name.removeprefix(f"{root}/") for entry in entries if entry.isfile()] == FILES
    assert [entry.name for entry in entries] == sorted(entry.name for entry in entries)
    assert {(entry.uid, entry.gid, entry.uname, entry.gname, entry.mtime) for entry in entries} == {
        (0, 0, "root", "root", int(EPOCH))}
    assert {entry.mode for entry in entries if entry.isfile() and entry.name.endswith("bin/adal2msal")} == {0o755}
    assert {entry.mode for entry in entries if entry.isfile() and "/share/" in entry.name} == {0o644}


def test_packing_again_gives_the_same_bytes(packed, version, tmp_path):
    (tmp_path / "work").mkdir()
    mask = os.umask(0o077)
    try:
        again = pack(version, tmp_path / "again", tmp_path / "work")
    finally:
        os.umask(mask)
    names = sorted(path.name for path in packed.iterdir())
    assert sorted(path.name for path in again.iterdir()) == names and len(names) >= 6
    assert [name for name in names if (packed / name).read_bytes() != (again / name).read_bytes()] == []


def test_the_sums_are_of_all_files(packed):
    lines = (packed / "SHA256SUMS").read_text("utf-8").splitlines()
    assert {line.split("  ")[1]: line.split("  ")[0] for line in lines} == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in packed.iterdir() if path.name != "SHA256SUMS"}


@on_linux
@needs("dpkg-deb")
def test_the_debian_package_unpacks(packed, version, tmp_path):
    [package] = packed.glob("*.deb")
    fields = run("dpkg-deb", "--field", package, "Package", "Version", "Depends").stdout
    assert fields == f"Package: adal2msal\nVersion: {version}\n"
    assert run("dpkg-deb", "--extract", package, tmp_path).returncode == 0
    assert run(tmp_path / "usr" / "bin" / "adal2msal", "--version").stdout == f"{version}\n"
    listed = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert {"usr/share/man/man1/adal2msal.1.gz", "usr/share/zsh/vendor-completions/_adal2msal",
            "usr/share/doc/adal2msal/copyright", "usr/share/doc/adal2msal/changelog.gz"} <= listed
    assert "/etc" not in run("dpkg-deb", "--contents", package).stdout


def test_the_bundle_is_one_of_swiftpm(packed, archive, version):
    with zipfile.ZipFile(packed / "adal2msal.artifactbundle.zip") as bundle:
        info = json.loads(bundle.read("adal2msal.artifactbundle/info.json"))
        [variant] = info["artifacts"]["adal2msal"]["variants"]
        binary = bundle.read(f"adal2msal.artifactbundle/{variant['path']}")
        modes = {entry.filename: entry.external_attr >> 16 for entry in bundle.infolist()}
    assert (info["schemaVersion"], info["artifacts"]["adal2msal"]["type"]) == ("1.0", "executable")
    assert info["artifacts"]["adal2msal"]["version"] == version
    machine = SYSTEM.split("-")[1]
    assert variant["supportedTriples"] == (
        [f"{machine}-unknown-linux-gnu"] if SYSTEM.startswith("linux") else ["arm64-apple-macosx", "x86_64-apple-macosx"])
    with tarfile.open(archive) as members:
        assert binary == members.extractfile(f"adal2msal-{version}-{SYSTEM}/bin/adal2msal").read()
    assert modes[f"adal2msal.artifactbundle/{variant['path']}"] == 0o100755


# The bill of materials.

@pytest.fixture(scope="module")
def bill(packed, version):
    return packed / f"adal2msal-{version}-{SYSTEM}.spdx.json"


def test_the_bill_names_what_was_resolved(bill, version):
    document = json.loads(bill.read_text("utf-8"))
    packages = {package["name"]: package for package in document["packages"]}
    pins = json.loads((PACKAGE / "Package.resolved").read_text("utf-8"))["pins"]
    assert {pin["identity"]: pin["state"]["version"] for pin in pins} == {
        name: package["versionInfo"] for name, package in packages.items() if name != "adal2msal"}
    for pin in pins:
        package = packages[pin["identity"]]
        assert package["downloadLocation"].endswith(f"@{pin['state']['revision']}")
        source = subprocess.run(["git", "-C", CHECKOUTS / pin["identity"], "archive", "--format=tar", "HEAD"],
                                capture_output=True, check=True).stdout
        assert package["checksums"] == [{"algorithm": "SHA256", "checksumValue": hashlib.sha256(source).hexdigest()}]
    assert {name: package["licenseDeclared"] for name, package in packages.items()} == {
        "adal2msal": "MIT", "swift-argument-parser": "Apache-2.0 WITH Swift-exception"}
    relations = {(one["spdxElementId"], one["relationshipType"], one["relatedSpdxElement"])
                 for one in document["relationships"]}
    assert ("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-Package-adal2msal") in relations
    assert ("SPDXRef-Package-adal2msal", "STATIC_LINK", "SPDXRef-Package-swift-argument-parser") in relations
    assert document["creationInfo"]["created"] == "2023-11-14T22:13:20Z"


def test_the_bill_has_every_file(bill, archive, version):
    document = json.loads(bill.read_text("utf-8"))
    stated = {file["fileName"]: {c["algorithm"]: c["checksumValue"] for c in file["checksums"]} for file in document["files"]}
    with tarfile.open(archive) as members:
        packed = {f"./{'/'.join(entry.name.split('/')[1:])}": members.extractfile(entry).read()
                  for entry in members.getmembers() if entry.isfile()}
    assert stated == {name: {"SHA1": hashlib.sha1(data).hexdigest(), "SHA256": hashlib.sha256(data).hexdigest()}
                      for name, data in packed.items()}
    code = hashlib.sha1("".join(sorted(sums["SHA1"] for sums in stated.values())).encode()).hexdigest()
    [ours] = [package for package in document["packages"] if package["name"] == "adal2msal"]
    assert ours["packageVerificationCode"] == {"packageVerificationCodeValue": code}


def test_the_bill_is_spdx(bill):
    parse = pytest.importorskip("spdx_tools.spdx.parser.parse_anything", reason="not checked: there is no spdx-tools")
    validate = pytest.importorskip("spdx_tools.spdx.validation.document_validator")
    assert validate.validate_full_spdx_document(parse.parse_file(str(bill))) == []


# What uses a release.

@on_linux
def test_the_image_is_made_of_the_archive(packed, version, tmp_path):
    """What the Dockerfile runs, without Docker."""
    text = (PACKAGE / "Packaging" / "Dockerfile").read_text("utf-8")
    copied = re.search(r"^COPY (.*) \./$", text, re.M)[1].replace("${VERSION}", version).split()
    for pattern in copied:
        for path in packed.glob(pattern):
            shutil.copy(path, tmp_path)
    script = re.search(r"^RUN (.*?)\n\n", text, re.M | re.S)[1]
    target = {"x86_64": "amd64", "aarch64": "arm64"}[SYSTEM.split("-")[1]]
    done = run("bash", "-euo", "pipefail", "-c", script, cwd=tmp_path,
               env={**os.environ, "VERSION": version, "TARGETARCH": target})
    assert done.returncode == 0, done.stderr
    assert "COPY --from=unpacked /release/unpacked /usr/local\n" in text
    assert sorted(str(path.relative_to(tmp_path / "unpacked")) for path in (tmp_path / "unpacked").rglob("*")
                  if path.is_file()) == FILES
    assert 'ENTRYPOINT ["/usr/local/bin/adal2msal"]\n' in text
    [name] = [path.name for path in tmp_path.glob("*.tar.gz")]
    (tmp_path / name).write_bytes(b"another")
    broken = run("bash", "-euo", "pipefail", "-c", script, cwd=tmp_path,
                 env={**os.environ, "VERSION": version, "TARGETARCH": target})
    assert broken.returncode != 0 and "FAILED" in broken.stdout


def test_what_a_release_is_built_of_is_pinned(packed):
    """One version of each package, in one place; images by digest; what tries a release by hashes, after its upload."""
    pins = [line.split() for line in (PACKAGE / "Packaging" / "dependencies").read_text("utf-8").splitlines()]
    resolved = json.loads((PACKAGE / "Package.resolved").read_text("utf-8"))["pins"]
    assert pins == [[pin["identity"], pin["state"]["version"], pin["state"]["revision"]] for pin in resolved]
    for name in ("install", "release"):
        script = (PACKAGE / "scripts" / name).read_text("utf-8")
        assert script.index("pin_packages") < script.index("--only-use-versions-from-resolved-file")
    assert re.search(r"^FROM debian:\S+@sha256:[0-9a-f]{64} ", (PACKAGE / "Packaging/Dockerfile").read_text("utf-8"), re.M)
    jobs = yaml.safe_load((PACKAGE / ".github/workflows/release.yml").read_text("utf-8"))["jobs"]
    images = {one["container"] for one in jobs["command"]["strategy"]["matrix"]["include"]}
    assert all(not image or re.fullmatch(r"swift:\S+@sha256:[0-9a-f]{64}", image) for image in images) and len(images) == 2
    assert "pip" not in json.dumps(jobs["command"]) and "upload-artifact" not in json.dumps(jobs["trial"])
    assert "--require-hashes" in json.dumps(jobs["trial"]) and "trial" in jobs["publish"]["needs"]
    assert jobs["trial"]["permissions"] == {"contents": "read"}
    lines = (PACKAGE / "Tests/Release/requirements.txt").read_text("utf-8").splitlines()
    hashed = [line.split()[0] for line in lines if not line.startswith("#")]
    assert all(re.fullmatch(r"\S+==\S+ --hash=sha256:[0-9a-f]{64}", line) for line in lines if not line.startswith("#"))
    ours = (PACKAGE / "Tests" / "requirements.txt").read_text("utf-8").split()
    assert [word for word in ours if word.startswith("pytest==")] == [word for word in hashed if word.startswith("pytest==")]


def test_another_revision_is_not_linked(tmp_path):
    """Somebody has moved a tag: the script ends before anything is built."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(PACKAGE / "scripts" / "needs.sh", tmp_path / "scripts")
    (tmp_path / "Packaging").mkdir()
    (tmp_path / "Packaging" / "dependencies").write_text(f"other 1.0.0 {'a' * 40}\n", "utf-8")
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "swift").write_text(
        f'#!/bin/sh\necho Swift version 6.3\necho \'{{"revision" : "{"b" * 40}"}}\' >Package.resolved\n', "utf-8")
    (tools / "swift").chmod(0o755)
    script = '. scripts/needs.sh; pin_packages; echo built'
    made = run("bash", "-c", script, cwd=tmp_path, env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"})
    assert (made.returncode, made.stdout) == (1, "")
    assert made.stderr == f"other 1.0.0 is not the revision {'a' * 40}\n"


def test_sudo_is_asked_about(tmp_path):
    """A sudo that asks for no password is no answer: without a person and outside of CI nothing is installed."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, body in (("sudo", 'echo "sudo $*" >>"$LOG"'), ("id", "echo 1000"), ("apt-get", "exit 0"), ("swift", "echo Swift version 6.3")):
        (tools / name).write_text(f"#!/bin/sh\n{body}\n", "utf-8")
        (tools / name).chmod(0o755)
    log = tmp_path / "log"
    for ci, ends, asked in (("", 1, False), ("true", 0, True)):
        log.write_text("", "utf-8")
        made = run("bash", "-c", f'. "{PACKAGE}/scripts/needs.sh"; add_packages something', stdin=subprocess.DEVNULL, env={
            **os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "LOG": str(log), "CI": ci})
        assert made.returncode == ends, made.stderr
        assert bool(log.read_text("utf-8")) == asked
        assert asked or "Please run:  sudo sh -c" in made.stderr


@needs("hadolint")
def test_the_dockerfile_is_clean():
    judged = run(tool("hadolint"), PACKAGE / "Packaging" / "Dockerfile")
    assert (judged.returncode, judged.stdout) == (0, "")


@needs("zizmor")
def test_the_workflows_are_safe():
    files = [PACKAGE / "action.yml", *sorted((PACKAGE / ".github/workflows").glob("*.yml")),
             PACKAGE / "Samples/ContinuousIntegration/github-actions.yml"]
    judged = run(tool("zizmor"), "--offline", "--quiet", "--no-progress", *files)
    assert judged.returncode == 0, judged.stdout + judged.stderr


@needs("shellcheck")
def test_the_scripts_are_clean():
    scripts = [path for path in sorted((PACKAGE / "scripts").iterdir())
               if path.is_file() and path.read_bytes().startswith(b"#!/usr/bin/env bash")]
    assert PACKAGE / "scripts" / "release" in scripts
    judged = run(tool("shellcheck"), "-x", "-P", PACKAGE / "scripts", *[s for s in scripts if s.name in ("release", "xcframework")])
    assert (judged.returncode, judged.stdout) == (0, "")
    judged = run(tool("shellcheck"), "-s", "bash", *sorted((PACKAGE / "Packaging" / "ci").iterdir()))
    assert (judged.returncode, judged.stdout) == (0, "")


RECIPES = PACKAGE / "Tests" / "Release" / "recipes.rb"


@needs("ruby")
def test_the_formula_installs_the_archive(packed, archive, version, tmp_path):
    assert run("ruby", "-wc", packed / "adal2msal.rb").stdout == "Syntax OK\n"
    with tarfile.open(archive) as members:
        members.extractall(tmp_path / "unpacked", filter="data")
    cellar = tmp_path / "cellar"
    made = run("ruby", RECIPES, "formula", packed / "adal2msal.rb", SYSTEM, cellar,
               cwd=tmp_path / "unpacked" / f"adal2msal-{version}-{SYSTEM}")
    assert made.returncode == 0, made.stderr
    assert json.loads(made.stdout) == {
        "version": version, "license": "MIT", "homepage": "https://github.com/adal2msal/adal2msal",
        "url": f"https://github.com/adal2msal/adal2msal/releases/download/v{version}/{archive.name}",
        "sha256": archives.digest(archive)}
    assert sorted(str(path.relative_to(cellar)) for path in cellar.rglob("*") if path.is_file())[:4] == [
        "bash_completion/adal2msal", "bin/adal2msal", "doc/CHANGELOG.md", "doc/LICENSE"]


@needs("ruby")
def test_the_pod_is_of_the_framework(version, tmp_path):
    framework = io.BytesIO(b"a framework")
    (tmp_path / "ADALMigrationObjC.xcframework.zip").write_bytes(framework.getvalue())
    made = run(sys.executable, PACKAGE / "scripts/packaging/package.py", "pod", version, tmp_path,
               env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    assert made.returncode == 0, made.stderr
    spec = tmp_path / "ADALMigrationObjC.podspec"
    assert run("ruby", "-wc", spec).stdout == "Syntax OK\n"
    shown = json.loads(run("ruby", RECIPES, "pod", spec).stdout)
    assert (shown["name"], shown["version"], shown["vendored_frameworks"]) == (
        "ADALMigrationObjC", version, "ADALMigrationObjC.xcframework")
    assert shown["source"] == {
        "http": f"https://github.com/adal2msal/adal2msal/releases/download/v{version}/ADALMigrationObjC.xcframework.zip",
        "sha256": hashlib.sha256(framework.getvalue()).hexdigest()}
    assert (shown["ios.deployment_target"], shown["osx.deployment_target"]) == ("15.0", "12.0")
