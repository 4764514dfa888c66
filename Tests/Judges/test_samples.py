# SPDX-License-Identifier: MIT
"""The sample packages are built and run; what needs Apple's systems is type-checked against stubs."""

import functools
import json
import os
import plistlib
import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2]
SAMPLES = PACKAGE / "Samples"
STUBS = Path(__file__).parent / "Stubs"
COMMAND = os.environ.get("ADAL2MSAL")
# One folder for all of them. In the package's own, each would compile the other's modules again: the samples
# have not the trait of the command.
SCRATCH = PACKAGE / ".build" / "samples"
# Nobody debugs these programs or looks a name up in them: without that a build takes a third less.
FLAGS = [*os.environ.get("BUILD_FLAGS", "-Xswiftc -warnings-as-errors -debug-info-format none").split(), "--disable-index-store"]
# CacheFiles needs the map of this one to be imported.
SQLITE = PACKAGE / "Sources" / "CKeychainSnapshot"
GROUP = "ABCDE12345.com.microsoft.identity.universalstorage"

pytestmark = pytest.mark.skipif(not shutil.which("swift"), reason="not checked: there is no Swift compiler")
needs_command = pytest.mark.skipif(not COMMAND, reason="not checked: ADAL2MSAL names no command")


def run(*arguments, **options):
    return subprocess.run(
        [str(a) for a in arguments], capture_output=True, text=True, timeout=900, **options)


@functools.cache
def built(package):
    """The program of a package, built."""
    # With other versions of what it depends on, that would be compiled again.
    if (PACKAGE / "Package.resolved").exists():
        shutil.copy(PACKAGE / "Package.resolved", package / "Package.resolved")
    build = run("swift", "build", "--package-path", package, "--scratch-path", SCRATCH, *FLAGS)
    assert build.returncode == 0, build.stdout[-4000:] + build.stderr[-4000:]
    return SCRATCH / "debug" / package.name


@pytest.fixture(scope="session")
def modules():
    built(SAMPLES / "StartupMigration")
    return SCRATCH / "debug" / "Modules"


@pytest.fixture(scope="session")
def stubs(tmp_path_factory):
    """MSAL's, Security's and UIKit's declarations as modules, and what KeychainItems imports."""
    folder = tmp_path_factory.mktemp("stubs")
    for name in ("MSAL", "Security", "UIKit"):
        module = run("swiftc", "-emit-module", "-module-name", name, "-parse-as-library", "-swift-version", "6",
                     STUBS / f"{name}.swift", "-emit-module-path", folder / f"{name}.swiftmodule")
        assert module.returncode == 0, module.stderr
    name = "PlatformFoundation"
    module = run("swiftc", "-emit-module", "-module-name", name, "-parse-as-library", "-swift-version", "6",
                 "-package-name", "adal2msal", *(PACKAGE / "Sources" / name).glob("*.swift"),
                 "-emit-module-path", folder / f"{name}.swiftmodule")
    assert module.returncode == 0, module.stderr
    return folder


def type_check(files, name, *folders):
    """What the compiler has to say about files, with modules from these folders."""
    imports = [part for folder in [*folders, SQLITE] for part in ("-I", folder)]
    return run("swiftc", "-typecheck", "-wmo", "-D", "DEBUG", "-swift-version", "6", "-warnings-as-errors",
               "-module-name", name, "-package-name", "adal2msal", *imports, *files)


def test_startup_migration(tmp_path):
    program = built(SAMPLES / "StartupMigration")
    shutil.copy(SAMPLES / "Caches" / "contoso.sqlite", tmp_path / "keychain.sqlite")
    first = run(program, "keychain.sqlite", "Adele@contoso.com", "nobody@contoso.com", cwd=tmp_path)
    adele = "5084cc53-43f3-5faa-9c46-a3b2ce681c13.bf3a02d2-85c5-5d71-b49b-fe55573a28d6"
    assert first.stdout.splitlines() == [
        "migration: read(rows: 12, otherItems: 1)",
        "migration: planned(entries: 17)",
        "migration: written(entries: 17)",
        f"Adele@contoso.com: {adele}",
        "nobody@contoso.com: must sign in",
    ]
    second = run(program, "keychain.sqlite", "adele@contoso.com", cwd=tmp_path)
    assert second.stdout.splitlines() == [
        "migration: read(rows: 29, otherItems: 1)",
        "migration: planned(entries: 0)",
        "migration: written(entries: 0)",
        f"adele@contoso.com: {adele}",
    ]
    # Where nothing can be read, the app goes on.
    none = run(program, "adele@contoso.com", cwd=tmp_path)
    assert none.stdout.splitlines() == [
        "migration: there is no keychain on this system", "adele@contoso.com: must sign in"]


def test_what_comes_after_the_migration_is_swift(modules, stubs, tmp_path):
    files = sorted((SAMPLES / "StartupMigration" / "Sources" / "StartupMigration").glob("*.swift"))
    check = type_check(files, "StartupMigration", stubs, modules)
    assert check.returncode == 0, check.stderr
    # The lines for MSAL are among what is checked.
    text = (files[0].parent / "TokenSource.swift").read_text("utf-8")
    broken = tmp_path / "TokenSource.swift"
    broken.write_text(text.replace("forIdentifier", "forIdentity"), "utf-8")
    check = type_check([f for f in files if f.name != broken.name] + [broken], "StartupMigration", stubs, modules)
    assert "forIdentity" in check.stderr
    # So are those for UIKit.
    broken = tmp_path / "ProtectedData.swift"
    broken.write_text((files[0].parent / broken.name).read_text("utf-8").replace(".willEnter", ".hasEntered"), "utf-8")
    check = type_check([f for f in files if f.name != broken.name] + [broken], "StartupMigration", stubs, modules)
    assert "hasEnteredForegroundNotification" in check.stderr


def test_own_store(tmp_path):
    program = built(SAMPLES / "OwnStore")
    cache = SAMPLES / "Caches" / "contoso.sqlite"
    # The sample's access tokens ended in 2023.
    for added in (17, 0):
        migrated = run(program, cache, "own.plist", cwd=tmp_path)
        assert migrated.returncode == 0, migrated.stderr
        assert migrated.stdout.splitlines() == [
            "the store passes its exam", "4 of 4 accounts stay signed in", f"{added} entries were added, 17 are there"]
    stored = plistlib.loads((tmp_path / "own.plist").read_bytes())
    assert len(stored) == 17 and {row["accessGroup"] for row in stored} == {b"ABCDE12345.com.microsoft.adalcache"}
    assert stat.S_IMODE((tmp_path / "own.plist").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["own.plist"]
    # A store that forgets an attribute does not pass.
    copy = tmp_path / "Samples" / "OwnStore"
    shutil.copytree(SAMPLES / "OwnStore", copy)
    source = copy / "Sources" / "OwnStore" / "PropertyListStore.swift"
    source.write_text(source.read_text("utf-8").replace("comment: text(comment),", "comment: nil,"), "utf-8")
    manifest = copy / "Package.swift"
    manifest.write_text(manifest.read_text("utf-8").replace('"../.."', f'"{PACKAGE}"'), "utf-8")
    forgetful = run(built(copy), cache, "other.plist", cwd=tmp_path)
    assert forgetful.returncode == 1 and 'item 0 has another ["icmt"]' in forgetful.stdout
    assert run(program, cwd=tmp_path).returncode == 64


def test_blob_on_mac(tmp_path):
    program = built(SAMPLES / "BlobOnMac")
    blob = SAMPLES / "Caches" / "contoso.adalcache"
    outputs, contents = [], []
    for _ in range(2):
        migrated = run(program, blob, "mac.items.json", GROUP, cwd=tmp_path)
        assert migrated.returncode == 0, migrated.stderr
        outputs.append(migrated.stdout.splitlines())
        contents.append((tmp_path / "mac.items.json").read_bytes())
    people = [f"{name}: yes" for name in (
        "adele@contoso.com", "alex@fabrikam.com", "lynne@fabrikam.com", "megan@contoso.com")]
    assert outputs == [people, people]
    assert contents[0] == contents[1]
    assert {item["agrp"] for item in json.loads(contents[0])["items"]} == {GROUP}
    assert run(program, cwd=tmp_path).returncode == 64


@needs_command
def test_snapshot_from_device(tmp_path):
    program = built(SAMPLES / "SnapshotFromDevice")
    device = SAMPLES / "Caches" / "contoso.sqlite"
    copied = run(program, device, "keychain.sqlite", cwd=tmp_path)
    assert (copied.returncode, copied.stdout, copied.stderr) == (0, "", "")
    copy = tmp_path / "keychain.sqlite"
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    reports = [
        run(COMMAND, "inspect", path, "--now", "1700000000", "--show-usernames").stdout.replace(str(path), "CACHE")
        for path in (device, copy)]
    assert reports[0] == reports[1]
    assert "adele@contoso.com" in reports[0]


def test_snapshot_helper_is_not_in_what_ships(modules):
    folder = SAMPLES / "SnapshotFromDevice" / "Sources" / "SnapshotFromDevice"
    check = type_check(sorted(folder.glob("*.swift")), "SnapshotFromDevice", modules)
    assert check.returncode == 0, check.stderr
    text = (folder / "SaveSnapshot.swift").read_text("utf-8")
    assert re.search(r"^#if DEBUG$.*saveSnapshot.*^#endif$", text, re.M | re.S)


MODULES = Path(os.environ.get("SWIFT_MODULES", PACKAGE / ".build" / "debug" / "Modules"))
FACADE = sorted((PACKAGE / "Sources" / "ADALMigrationObjC").glob("*.swift"))
APPLE = STUBS / "AppleFoundation"


@pytest.fixture(scope="session")
def header(tmp_path_factory):
    """A folder with the header that the compiler writes of the façade for Objective-C, as a module."""
    folder = tmp_path_factory.mktemp("facade")
    flags = ["-swift-version", "6", "-enable-objc-interop", "-parse-as-library", "-package-name", "adal2msal",
             "-I", APPLE, "-I", folder]
    for name in ("Foundation", "ADALMigration", "MigrationPolicies"):
        module = run("swiftc", "-frontend", "-emit-module", *flags, "-module-name", name, APPLE / f"{name}.swift",
                     "-o", folder / f"{name}.swiftmodule")
        assert module.returncode == 0, module.stderr
    check = run("swiftc", "-frontend", "-typecheck", "-warnings-as-errors", *flags, "-module-name", "ADALMigrationObjC",
                "-emit-objc-header-path", folder / "ADALMigrationObjC-Swift.h", *FACADE)
    assert check.returncode == 0, check.stderr
    (folder / "module.modulemap").write_text(
        'module ADALMigrationObjC { header "ADALMigrationObjC-Swift.h" export * }\n', "utf-8")
    return folder


def test_the_facade_shows_itself_to_objective_c(header):
    text = (header / "ADALMigrationObjC-Swift.h").read_text("utf-8")
    for line in (
        "- (void)planWithCompletion:(void (^ _Nonnull)(A2MReport * _Nullable, NSError * _Nullable))completion;",
        "- (void)runWithCompletion:(void (^ _Nonnull)(A2MReport * _Nullable, NSError * _Nullable))completion;",
        "+ (NSString * _Nonnull)errorDomain SWIFT_WARN_UNUSED_RESULT;",
        "@property (nonatomic, copy) NSString * _Nullable accessGroup;",
        "@property (nonatomic, copy) NSData * _Nullable blob;", "@property (nonatomic, copy) NSData * _Nullable policy;",
        "@property (nonatomic, readonly, copy) NSString * _Nullable userID;",
        "@property (nonatomic, readonly, copy) NSString * _Nullable identifier;",
        "@property (nonatomic, readonly) enum A2MSignedIn signedIn;",
        "@property (nonatomic, readonly, copy) NSArray * _Nonnull reasons;",
        "- (A2MAccount * _Nullable)accountForADALUserID:(NSString * _Nullable)userID SWIFT_WARN_UNUSED_RESULT;",
        "- (NSArray * _Nonnull)accountsForADALUserID:(NSString * _Nullable)userID SWIFT_WARN_UNUSED_RESULT;",
        "  A2MSignedInNo = 0,", "  A2MErrorCodeNotACache = 1,", "  A2MErrorCodeOtherVersion = 42,",
    ):
        assert line in text, line
    assert sorted(set(re.findall(r"@interface (\w+)", text))) == ["A2MAccount", "A2MMigration", "A2MReport"]


@pytest.mark.skipif(not (MODULES / "MigrationPolicies.swiftmodule").exists(), reason="not checked: the package has not been built")
def test_the_facade_is_swift_of_the_library(tmp_path):
    """Against the modules themselves and Linux's Foundation, which has no Objective-C to show classes to."""
    objective_c = tmp_path / "ObjectiveC.swift"
    objective_c.touch()
    made = run("swiftc", "-emit-module", "-module-name", "ObjectiveC", "-parse-as-library", objective_c,
               "-emit-module-path", tmp_path / "ObjectiveC.swiftmodule")
    assert made.returncode == 0, made.stderr
    for file in FACADE:
        text = file.read_text("utf-8")
        assert text.splitlines()[1] == "#if canImport(ObjectiveC)" and "@objc" in text
        (tmp_path / file.name).write_text(re.sub(r"@objc(\([^)]*\))? ", "", text), "utf-8")
    check = type_check([tmp_path / file.name for file in FACADE], "ADALMigrationObjC", tmp_path, MODULES)
    assert check.returncode == 0, check.stderr
    broken = tmp_path / "A2MReport.swift"
    broken.write_text(broken.read_text("utf-8").replace("account.identifier", "account.ofMSAL"), "utf-8")
    check = type_check([tmp_path / file.name for file in FACADE], "ADALMigrationObjC", tmp_path, MODULES)
    assert "ofMSAL" in check.stderr


def test_objective_c_app(header, tmp_path):
    folder = SAMPLES / "ObjectiveCApp"
    clang = ["clang", "-fsyntax-only", "-Wall", "-Werror", "-target", "arm64-apple-ios15", "-fobjc-arc", "-fblocks",
             "-ffreestanding", "-nostdlibinc", "-fmodules", f"-fmodules-cache-path={tmp_path}/cache", "-I", header, "-I", APPLE,
             "-I", STUBS / "ObjectiveC", "-I", folder]
    check = run(*clang, folder / "AppDelegate.m")
    assert check.returncode == 0, check.stderr
    text = (folder / "AppDelegate.m").read_text("utf-8")
    broken = tmp_path / "AppDelegate.m"
    for word, other in (
        ("runWithCompletion", "run"), ("A2MErrorCodeLocked", "A2MErrorCodeX"), (".identifier", ".name"),
        ("isProtectedDataAvailable", "isAvailable"), ("DataDidBecomeAvailable", "DataAvailable"),
    ):
        broken.write_text(text.replace(word, other), "utf-8")
        assert run(*clang, broken).returncode != 0, word


FLEET = SAMPLES / "Fleet" / "migrate-fleet"


def fleet(*words):
    return run(FLEET, *words, env=os.environ | {"ADAL2MSAL": str(Path(COMMAND).resolve())})


@needs_command
def test_fleet(tmp_path):
    """Every file by its bytes, whatever its name."""
    for name, cache in (("ann.adalcache", "contoso.adalcache"), ("bob.dat", "contoso.adalcache"), ("carl", "contoso.items.json"),
                        ("dora.items.json", "leftovers.items.json"), ("eve.sqlite", "contoso.sqlite")):
        shutil.copy(SAMPLES / "Caches" / cache, tmp_path / name)
    first = fleet(tmp_path, "--now", "1700000000")
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout == (
        "4 moved, 1 moved with users who must sign in, 0 to try again, 0 failed, 0 left out\n")
    document = (tmp_path / "ann.json").read_bytes()
    assert len(json.loads(document)["Account"]) == 4
    assert (tmp_path / "bob.json").read_bytes() == document
    assert json.loads((tmp_path / "bob.report.json").read_text("utf-8"))["summary"]["converted"] == 11
    assert sorted(path.name for path in tmp_path.iterdir() if not path.name.endswith(".lockfile")) == [
        "ann.adalcache", "ann.json", "ann.report.json", "bob.dat", "bob.json", "bob.report.json", "carl", "carl.json",
        "carl.report.json", "dora.items.json", "dora.items.msal.report.json", "eve.json", "eve.report.json", "eve.sqlite"]
    assert {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("ann.json", "bob.report.json")} == {0o600}

    # What an earlier run made is no cache of its own, and stays.
    second = fleet(tmp_path, "--now=1700000000")
    assert (second.returncode, second.stderr, second.stdout) == (0, "", first.stdout)
    assert (tmp_path / "ann.json").read_bytes() == document


@needs_command
def test_fleet_takes_no_name_for_an_option(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(SAMPLES / "Caches" / "contoso.sqlite", tmp_path / "--into-folder=x.sqlite")
    done = fleet(".", "--now", "1700000000")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads((tmp_path / "--into-folder=x.report.json").read_text("utf-8"))["summary"]["accountsSignedIn"] == 4
    assert not (tmp_path / "x.sqlite").exists()


@needs_command
def test_fleet_counts_what_it_leaves_out(tmp_path):
    shutil.copy(SAMPLES / "Caches" / "contoso.adalcache", tmp_path / "ann.dat")
    (tmp_path / "notes.txt").write_text("not a blob", "utf-8")
    (tmp_path / "empty").touch()
    (tmp_path / "sub").mkdir()
    shutil.copy(tmp_path / "ann.dat", tmp_path / "ann.bin")
    (tmp_path / "cut.dat").write_bytes((tmp_path / "ann.dat").read_bytes()[:100])
    done = fleet(tmp_path, "--now", "1700000000")
    assert done.returncode == 1
    assert done.stdout == "1 moved, 0 moved with users who must sign in, 0 to try again, 1 failed, 4 left out\n"
    assert done.stderr.splitlines() == [
        f"migrate-fleet: {tmp_path}/cut.dat: status 65: the blob is not a token cache, or is damaged: "
        "malformed-trailer at byte 68",
        "migrate-fleet: left out, being no token cache: empty, notes.txt",
        "migrate-fleet: left out, folders are not searched: sub",
        "migrate-fleet: left out, its document would be that of ann.bin: ann.dat",
    ]
    assert not (tmp_path / "cut.json").exists() and not (tmp_path / "notes.json").exists()


@needs_command
def test_fleet_says_what_is_wrong(tmp_path):
    """The error of every file that fails, in a process of its own too, and of the run."""
    shutil.copy(SAMPLES / "Caches" / "contoso.adalcache", tmp_path / "ann.dat")
    (tmp_path / "ann.json").write_text("{", "utf-8")
    shutil.copy(SAMPLES / "Caches" / "contoso.adalcache", tmp_path / "bob.dat")
    done = fleet(tmp_path, "--now", "1700000000")
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert line.startswith(f"migrate-fleet: {tmp_path}/ann.dat: status 65: {tmp_path}/ann.json ")
    assert (tmp_path / "ann.json").read_text("utf-8") == "{"

    assert fleet(tmp_path / "nowhere").returncode == 66
    assert fleet(tmp_path / "nowhere").stderr == f"migrate-fleet: {tmp_path}/nowhere does not exist\n"
    assert fleet(tmp_path / "bob.dat").returncode == 66
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "x").write_text("hello", "utf-8")
    none = fleet(tmp_path / "none")
    assert (none.returncode, none.stdout.split(", ")[-1]) == (65, "1 left out\n")
    assert none.stderr.endswith(f"migrate-fleet: no file in {tmp_path}/none is a token cache\n")
    assert (fleet().returncode, fleet("--for", "net").returncode) == (64, 64)
    lost = run(FLEET, tmp_path, env=os.environ | {"ADAL2MSAL": "/nowhere/adal2msal"})
    assert (lost.returncode, lost.stdout) == (69, "")
    for words in (("--help",), (tmp_path, "--help")):
        told = fleet(*words)
        assert (told.returncode, told.stderr) == (0, "")
        assert told.stdout.startswith("usage: migrate-fleet FOLDER [OPTION...]\n")


@needs_command
@pytest.mark.skipif(not shutil.which("jq"), reason="not checked: there is no jq")
def test_lines_from_files(tmp_path):
    """The page's lines of shell that make lines of files, and files of the answers."""
    page = (SAMPLES / "Fleet" / "README.md").read_text("utf-8")
    script = re.search(r"^```sh\n(umask 077\n.*?jq .*?)^```", page, re.M | re.S)[1]
    assert script.count("jq ") == 2
    (tmp_path / "caches").mkdir()
    for name in ("a b.dat", "c"):
        shutil.copy(SAMPLES / "Caches" / "contoso.adalcache", tmp_path / "caches" / name)
    (tmp_path / "caches" / "empty").touch()
    environment = os.environ | {"PATH": f"{Path(COMMAND).resolve().parent}:{os.environ['PATH']}"}
    done = run("bash", "-c", script, cwd=tmp_path, env=environment)
    assert (done.returncode, done.stderr) == (
        0, "adal2msal: 3 lines: 2 with status 0, 1 with status 65\n")
    lines = [json.loads(line) for line in (tmp_path / "answers.json").read_text("utf-8").splitlines()]
    assert [(line["id"], line["status"]) for line in lines] == [("a b.dat", 0), ("c", 0), ("empty", 65)]
    assert sorted(path.name for path in (tmp_path / "documents").iterdir()) == ["a b.dat.json", "c.json"]
    document = (tmp_path / "documents" / "c.json").read_bytes()
    assert len(json.loads(document)["Account"]) == 4
    assert stat.S_IMODE((tmp_path / "documents" / "c.json").stat().st_mode) == 0o600


def test_entitlements():
    entitlements = plistlib.loads((SAMPLES / "Fleet" / "adal2msal.entitlements").read_bytes())
    assert entitlements["keychain-access-groups"] == [GROUP]
    assert entitlements["com.apple.application-identifier"].startswith("ABCDE12345.")


def test_keychain_lines_for_apple(stubs, tmp_path):
    files = sorted((PACKAGE / "Sources" / "KeychainItems").glob("*.swift"))
    check = type_check(files, "KeychainItems", stubs)
    assert check.returncode == 0, check.stderr
    # Every name that the lines for Apple's systems use is checked: without one of them they are no Swift.
    # Those for macOS are checked as if this were one.
    for file, prefix, count in (
        ("KeychainCalls.swift", "kSec", 25), ("KeychainCalls.swift", "SecItem", 3),
        ("KeychainSystem.swift", "SecTask", 2),
    ):
        whole = next(f for f in files if f.name == file)
        text = whole.read_text("utf-8").replace("os(macOS)", "os(Linux)")
        names = set(re.findall(rf"\b{prefix}(\w+)", text.split("#if canImport(Security)", 2)[2]))
        assert len(names) == count
        changed = tmp_path / file
        rest = [f for f in files if f != whole]
        changed.write_text(text, "utf-8")
        check = type_check([*rest, changed], "KeychainItems", stubs)
        assert check.returncode == 0, check.stderr
        changed.write_text(re.sub(rf"\b{prefix}(\w+)", rf"{prefix}X\1", text), "utf-8")
        check = type_check([*rest, changed], "KeychainItems", stubs)
        for name in names:
            assert f"{prefix}X{name}" in check.stderr, name


def test_consumer_resolves_nothing():
    """What an app gets that links the library alone, without the trait of the command."""
    consumer = PACKAGE / "Tests" / "Consumer"
    shown = run("swift", "package", "--package-path", consumer, "--scratch-path", SCRATCH,
                "show-dependencies", "--format", "json")
    assert shown.returncode == 0, shown.stderr
    resolved, open_ = set(), json.loads(shown.stdout)["dependencies"]
    while open_:
        package = open_.pop()
        resolved.add(package["name"])
        open_ += package["dependencies"]
    assert resolved == {"adal2msal"}
    program = built(consumer)
    assert run(program).stdout == "0 rows, 0 accounts\n"
    # Neither SQLite nor the argument parser comes along.
    symbols = run("nm", program).stdout
    assert "sqlite3_" not in symbols and "14ArgumentParser" not in symbols
    assert "13ADALMigration" in symbols


def test_consumer_uses_its_own_names():
    """An app's nouns stay the app's, without qualification, where the library is imported beside them."""
    built(PACKAGE / "Tests" / "Consumer")
    names = ["Account", "Inspection", "Journal", "Migration", "Policy", "Reason", "Receipt", "Record", "Report", "Secret",
             "Source", "Target"]
    assert run(SCRATCH / "debug" / "NamesConsumer").stdout.splitlines() == [
        *(f"AppNames.{name}" for name in names), "ADALMigration.TokenCacheMigration.Report true"]


def test_consumer_of_files_opens_what_it_is_given(tmp_path):
    """A program that links one product reads whatever cache it is given and writes a document."""
    built(PACKAGE / "Tests" / "Consumer")
    program, document = SCRATCH / "debug" / "FileConsumer", tmp_path / "new.json"
    caches = SAMPLES / "Caches"
    for name, rows in (("contoso.sqlite", 12), ("contoso.keychain.txt", 12), ("contoso.adalcache", 12)):
        answer = run(program, caches / name, document).stdout
        assert re.fullmatch(rf"{rows} rows, [34] of 4 accounts signed in\n", answer), answer
    assert "RefreshToken" in json.loads(document.read_text("utf-8"))
    assert run(program, document, document).stdout.endswith("signed in\n")
    assert run(program, caches / "README.md", document).stdout == "not a cache\n"
    assert run(program, tmp_path / "none", document).stdout == "unreadable\n"
    assert run(program, caches / "contoso.sqlite", caches / "make.py").stdout == "not a cache\n"
