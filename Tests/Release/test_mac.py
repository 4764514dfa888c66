# SPDX-License-Identifier: MIT
"""What the scripts for a Mac do, with programs in the place of a Mac's that write down how they were called. Nothing here
says that Apple's own programs take those words; .github/workflows/apple.yml and release.yml say that, on a Mac."""

import json
import os
import re
import shutil
import sys
import tarfile
from pathlib import Path

import pytest
import yaml
from released import PACKAGE, PYTHON, needs, run, tool


class Mac:
    """A folder of programs that come first on the path."""

    def __init__(self, folder):
        self.folder, self.log = folder, folder / "log"
        self.program("uname", 'case ${1-} in -m) echo arm64 ;; *) echo Darwin ;; esac')
        self.says_swift("6.3")

    def program(self, name, body="true"):
        path = self.folder / name
        path.write_text(f'#!/usr/bin/env bash\nprintf \'%s\\n\' "{name} $*" >>"{self.log}"\n{body}\n', "utf-8")
        path.chmod(0o755)

    def says_swift(self, version, build=""):
        self.program("swift", f'case "$*" in --version) echo "swift-driver version: 1.127 Apple Swift version {version} (swiftlang)" ;; '
                              f"*) {build or 'true'} ;; esac")

    def run(self, *words, **environment):
        path = f"{self.folder}:{PYTHON}:{os.environ['PATH']}"
        return run(*words, cwd=PACKAGE, env={**os.environ, "PATH": path, **environment})

    def calls(self, name):
        """The words of each call of a program."""
        lines = self.log.read_text("utf-8").splitlines() if self.log.exists() else []
        return [line.removeprefix(f"{name} ") for line in lines if line.startswith(f"{name} ")]


@pytest.fixture
def mac(tmp_path):
    folder = tmp_path / "mac"
    folder.mkdir()
    return Mac(folder)


@pytest.mark.parametrize(("version", "taken"), [
    ("6.2", True), ("6.2.1", True), ("6.10", True), ("7.0", True), ("6.1.2", False), ("6.0", False), ("5.10.1", False),
    ("unknown", False)])
def test_an_old_compiler_is_named(mac, version, taken):
    mac.says_swift(version)
    asked = mac.run("bash", "-euo", "pipefail", "-c", ". scripts/needs.sh && echo taken")
    assert (asked.returncode == 0, "taken" in asked.stdout) == (taken, taken), asked.stderr
    if not taken:
        assert asked.stderr.startswith("Swift 6.2 or newer is needed")
        assert version == "unknown" or f" is {version}: " in asked.stderr


def test_a_release_for_a_mac_is_two_builds(mac, version, tmp_path):
    """SwiftPM takes another build system for two architectures in one build."""
    command = tmp_path / "command"
    command.write_text(f"#!/bin/sh\ncase $1 in --version) echo {version} ;; *) echo '#compdef' ;; esac\n", "utf-8")
    command.chmod(0o755)
    built = tmp_path / "built"
    built.mkdir()
    mac.says_swift("6.3", f'case "$*" in *--show-bin-path) echo "{built}" ;; *) cp "{command}" "{built}/adal2msal" ;; esac')
    mac.program("lipo", f'mkdir -p "$(dirname "${{*: -1}}")" && cp "{command}" "${{*: -1}}"')
    for name in ("strip", "codesign", "otool", "python3"):
        mac.program(name)
    folder = tmp_path / "release"
    folder.mkdir()
    (folder / "SHA256SUMS").touch()
    merged = PACKAGE / ".build" / "release-command" / "adal2msal"
    kept = merged.exists()
    made = mac.run("bash", "scripts/release", version, folder)
    assert made.returncode == 0, made.stdout + made.stderr
    if not kept:
        merged.unlink()
    builds = [words for words in mac.calls("swift") if "--product adal2msal" in words and "--show-bin-path" not in words]
    assert [re.findall(r"--arch (\S+)", words) for words in builds] == [["arm64"], ["x86_64"]]
    assert all(f"-Xswiftc -file-prefix-map -Xswiftc {PACKAGE}=." in words for words in builds)
    assert mac.calls("lipo") == [f"-create {built}/adal2msal {built}/adal2msal -output {merged}"]
    [stripped], [signed] = mac.calls("strip"), mac.calls("codesign")
    assert stripped.startswith("-Sx ") and "--sign - " in signed
    assert any(" macos-universal " in words for words in mac.calls("python3"))


XCODEBUILD = r"""
if [ "$1" = -create-xcframework ]; then mkdir -p "${*: -1}"; exit; fi
while [ $# -gt 0 ]; do
  case $1 in -archivePath) archive=$2 ;; -derivedDataPath) derived=$2 ;; esac
  shift
done
name=ADALMigrationObjC
mkdir -p "$archive/Products/Library/Frameworks/$name.framework" "$archive/dSYMs/$name.framework.dSYM"
products=$derived/Build/Intermediates.noindex/ArchiveIntermediates/BuildProductsPath/Release
mkdir -p "$products/MODULE"
touch "$derived/Build/Intermediates.noindex/$name-Swift.h"
"""


def make_framework(mac, version, folder, module="ADALMigrationObjC.swiftmodule"):
    mac.program("xcodebuild", XCODEBUILD.replace("MODULE", module))
    # BSD's sed takes an argument with -i.
    mac.program("sed", 'if [ "$1" = -i ]; then shift 2; set -- -i "$@"; fi\nexec /usr/bin/env -S PATH="${PATH#*:}" sed "$@"')
    mac.program("ditto", 'touch "${*: -1}"')
    mac.program("python3")
    return mac.run("bash", "scripts/xcframework", version, folder)


def test_the_framework_is_for_extensions_and_catalyst(mac, version, tmp_path):
    made = make_framework(mac, version, tmp_path / "out")
    assert made.returncode == 0, made.stdout + made.stderr
    archives = [words for words in mac.calls("xcodebuild") if words.startswith("archive ")]
    assert [re.search(r"-destination generic/platform=(.*?) -archivePath", words)[1] for words in archives] == [
        "iOS", "iOS Simulator", "macOS", "macOS,variant=Mac Catalyst"]
    for word in ("APPLICATION_EXTENSION_API_ONLY=YES", "CODE_SIGNING_ALLOWED=NO", "BUILD_LIBRARY_FOR_DISTRIBUTION=YES"):
        assert all(word in words for words in archives), word
    [created] = [words for words in mac.calls("xcodebuild") if words.startswith("-create-xcframework")]
    assert created.count("-framework ") == 4
    assert len(re.findall(r"-debug-symbols /\S.*?ADALMigrationObjC\.framework\.dSYM", created)) == 4


def test_a_framework_without_modules_is_not_made(mac, version, tmp_path):
    made = make_framework(mac, version, tmp_path / "out", module="Other.swiftmodule")
    assert made.returncode == 1 and "there is no Swift module for iOS" in made.stderr


SIMCTL = r"""
case "$*" in
*"list runtimes"*) echo "iOS 18.6 (18.6 - 22G86) - com.apple.CoreSimulator.SimRuntime.iOS-18-6" ;;
*"list devicetypes"*) echo "iPhone 16e (com.apple.CoreSimulator.SimDeviceType.iPhone-16e)" ;;
*create*) echo 00000000-1111 ;;
esac
"""


@pytest.fixture
def volunteer(mac, tmp_path):
    """A Mac with everything that scripts/try-on-a-mac calls, whose team is ABCDE12345."""
    binaries = tmp_path / "bin"
    binaries.mkdir()
    command = binaries / "adal2msal"
    command.write_text("#!/bin/sh\nexit 77\n", "utf-8")
    command.chmod(0o755)
    mac.says_swift("6.3", f'case "$*" in *--show-bin-path) echo "{binaries}" ;; esac')
    mac.program("sw_vers", "echo 15.6")
    mac.program("xcrun", SIMCTL)
    mac.program("xcodebuild", 'case $1 in -version) echo "Xcode 26.6" ;; test) echo "- check 1, A: passed"; '
                              'echo "- check 2, B: FAILED"; echo "  - 7 add: got -50"; echo ABCDE12345.group; exit 65 ;; esac')
    mac.program("pbcopy", f'cat >"{tmp_path}/clipboard"')
    return mac


def test_a_volunteer_gets_one_block(volunteer, tmp_path):
    tried = volunteer.run("bash", "scripts/try-on-a-mac")
    assert tried.returncode == 0, tried.stderr
    block = (tmp_path / "clipboard").read_text("utf-8").splitlines()
    assert [line for line in block if not line.startswith("- commit: ")] == [
        "- macOS: 15.6, arm64", "- Xcode: 26.6", "- Swift: 6.3", "- build: passed", "- tests of the library: passed",
        "- inspect keychain: without entitlements, status (77 is right): 77", "- simulator: iOS-18-6",
        "- checks in a simulator: FAILED (status 65)", "- check 1, A: passed", "- check 2, B: FAILED", "  - 7 add: got -50"]
    assert "ABCDE12345" not in "\n".join(block)
    # The simulator goes again, and nothing was opened.
    assert volunteer.calls("xcrun")[-1] == "simctl delete 00000000-1111"
    assert not (PACKAGE / "Tests" / "Apple" / "Local.xcconfig").exists() and volunteer.calls("open") == []


def test_a_volunteer_with_a_phone_gets_an_identifier(volunteer):
    local = PACKAGE / "Tests" / "Apple" / "Local.xcconfig"
    if local.exists():
        pytest.skip("not checked: there is an identifier of somebody's own")
    volunteer.program("uuidgen", "echo 01234567-89AB-CDEF-0123-456789ABCDEF")
    volunteer.program("open")
    try:
        tried = volunteer.run("bash", "scripts/try-on-a-mac", "--device")
        assert tried.returncode == 0, tried.stderr
        assert local.read_text("utf-8") == "CHECK_IDENTIFIER = com.contoso.adal2msal.check.01234567\n"
        assert volunteer.calls("open") == ["Tests/Apple/AppleCheck.xcodeproj"]
    finally:
        local.unlink(missing_ok=True)


def test_try_on_a_mac_says_where_it_belongs():
    script = PACKAGE / "scripts" / "try-on-a-mac"
    assert run("bash", script, "--help").stdout.startswith("Tries adal2msal on this Mac")
    assert run("bash", script, "--other").returncode == 64
    if sys.platform == "linux":
        asked = run("bash", script)
        assert asked.returncode == 1 and asked.stderr == "this needs a Mac with Xcode 16.3 or newer\n"


# What a Mac has: bash 3.2.57 and, of Apple's tools, Python 3.9.6.

SCRIPTS = [path for path in sorted((PACKAGE / "scripts").iterdir()) if path.is_file()
           and (path.suffix == ".sh" or path.read_bytes().startswith(b"#!/usr/bin/env bash"))]
# Words of later versions, and an empty array under `set -u`, which 3.2 to 4.3 take for an unset name.
LATER = {
    r"\b(mapfile|readarray|coproc)\b": "4.0", r"\bdeclare -[a-z]*A": "4.0", r"\$\{\w+(,,?|\^\^?)\}": "4.0", r"&>>": "4.0",
    r"\|&": "4.0", r";;&|;&": "4.0", r"\bdeclare -[a-z]*n\b|\blocal -n\b": "4.3", r"\$\{\w+@[A-Z]\}": "4.4",
    r"\bwait -n\b": "4.3", r"\$EPOCH(SECONDS|REALTIME)": "5.0", r"\[\[ -v ": "4.2", r"\$\{\w+: -\d": "4.2",
}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_of_the_bash_of_a_mac(script):
    text = script.read_text("utf-8")
    found = {word: version for word, version in LATER.items() if re.search(word, re.sub(r"^\s*#.*$", "", text, flags=re.M))}
    assert found == {}


def test_a_later_bash_is_noticed():
    lines = ("mapfile -t lines", "declare -A map", "echo ${name,,}", "wait -n", "a |& b")
    assert all(any(re.search(word, line) for word in LATER) for line in lines)


PYTHONS = sorted((PACKAGE / "scripts").rglob("*.py"))


@pytest.mark.parametrize("script", PYTHONS, ids=lambda path: path.name)
def test_scripts_are_of_the_python_of_a_mac(script):
    import ast
    ast.parse(script.read_text("utf-8"), feature_version=(3, 9))


def test_packing_needs_nothing_newer_than_the_python_of_a_mac(packed, version, tmp_path, monkeypatch):
    """`filter` came with Python 3.12 and 3.9.17, after Apple's 3.9.6, and `file_digest` with 3.11."""
    import hashlib
    import package
    monkeypatch.delattr(hashlib, "file_digest", raising=False)
    for name in ("extract", "extractall"):
        monkeypatch.setattr(tarfile.TarFile, name, lambda self, member, path="", set_attrs=True, *, numeric_owner=False: None)
    folder = tmp_path / "release"
    shutil.copytree(packed, folder)
    before = (folder / "adal2msal.artifactbundle.zip").read_bytes()
    (folder / "adal2msal.artifactbundle.zip").unlink()
    monkeypatch.setattr(package, "INSTANT", 1700000000)
    package.collect(version, folder)
    assert (folder / "adal2msal.artifactbundle.zip").read_bytes() == before


PYTHON_3_9 = shutil.which("python3.9", path=os.pathsep.join(
    [os.environ["PATH"], *map(str, Path.home().glob(".pyenv/versions/3.9.*/bin"))]))


@pytest.mark.skipif(not PYTHON_3_9 or run(PYTHON_3_9, "--version").returncode, reason="not checked: there is no Python 3.9")
def test_packing_runs_on_python_3_9(packed, version, tmp_path):
    folder = tmp_path / "release"
    shutil.copytree(packed, folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for name in ("adal2msal.artifactbundle.zip", "adal2msal.rb", "SHA256SUMS"):
        (folder / name).unlink()
    packing = run(PYTHON_3_9, PACKAGE / "scripts" / "packaging" / "package.py", "collect", version, folder,
                  env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
    assert packing.returncode == 0, packing.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@needs("shellcheck")
def test_the_scripts_for_a_mac_are_clean():
    names = [PACKAGE / "scripts" / name for name in ("try-on-a-mac", "release", "xcframework")]
    judged = run(tool("shellcheck"), "-x", "-P", PACKAGE / "scripts", *names)
    assert (judged.returncode, judged.stdout) == (0, "")


# Workflows and forms.

WORKFLOWS = sorted((PACKAGE / ".github" / "workflows").glob("*.yml"))


@needs("check-jsonschema")
def test_workflows_and_forms_are_what_github_takes():
    form = PACKAGE / ".github" / "ISSUE_TEMPLATE" / "apple.yml"
    for schema, files in (("github-workflows", WORKFLOWS), ("github-issue-forms", [form])):
        judged = run(tool("check-jsonschema"), "--builtin-schema", f"vendor.{schema}", *files)
        assert judged.returncode == 0, judged.stdout


@needs("shellcheck")
def test_the_words_of_workflows_are_clean(tmp_path):
    for workflow in WORKFLOWS:
        jobs = yaml.safe_load(workflow.read_text("utf-8"))["jobs"]
        for job in jobs.values():
            for step in job["steps"]:
                script = tmp_path / "step.sh"
                script.write_text("#!/usr/bin/env bash\nset -e\n" + re.sub(r"\$\{\{.*?\}\}", "words", step.get("run", "")), "utf-8")
                # Words that GitHub sets.
                judged = run(tool("shellcheck"), "-e", "SC2153,SC2154", script)
                assert judged.returncode == 0, f"{workflow.name}, {step.get('name')}: {judged.stdout}"


def test_every_mac_has_an_xcode_of_its_runner():
    """Xcodes of the images in August 2026; README and needs.sh ask for Swift 6.2, which Xcode 26 brings."""
    there = {"macos-15": {"26.0.1", "26.1.1", "26.2", "26.3"}, "macos-26": {"26.0.1", "26.1.1", "26.2", "26.3", "26.4.1", "26.5", "26.6"}}
    for workflow in WORKFLOWS:
        for name, job in yaml.safe_load(workflow.read_text("utf-8"))["jobs"].items():
            rows = job.get("strategy", {}).get("matrix", {}).get("include", [{}])
            steps = json.dumps(job["steps"])
            for row in rows:
                runner = row.get("runner", job["runs-on"])
                if not runner.startswith("macos"):
                    continue
                chosen = re.search(r"/Applications/Xcode_([\d.]+)\.app", steps)
                xcode = chosen[1] if chosen else row.get("xcode")
                assert xcode in there[runner], f"{workflow.name}, {name}: {xcode} on {runner}"


def test_the_form_asks_what_the_script_prints():
    form = yaml.safe_load((PACKAGE / ".github" / "ISSUE_TEMPLATE" / "apple.yml").read_text("utf-8"))
    assert [field["id"] for field in form["body"] if "id" in field] == [
        "block", "device", "xcode", "team", "sheet", "failed", "restarted"]
    link = "https://github.com/adal2msal/adal2msal/issues/new?template=apple.yml"
    for name in ("README.md", "SECURITY.md", "scripts/try-on-a-mac"):
        assert link in (PACKAGE / name).read_text("utf-8"), name
