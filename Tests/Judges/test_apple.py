# SPDX-License-Identifier: MIT
"""What can be said of Tests/Apple without a system of Apple's: its checks run against the model of the keychain, the
rest is type-checked against stubs, and project, entitlements and rows are what the code takes them for."""

import functools
import json
import os
import plistlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2]
APPLE = PACKAGE / "Tests" / "Apple"
STUBS = Path(__file__).parent / "Stubs"
SCRATCH = PACKAGE / ".build" / "apple-checks"
CHECKS = sorted((APPLE / "Checks").glob("*.swift"))
SCRIPT = PACKAGE / "Tests" / "KeychainModel" / "ScriptedCalls.swift"

pytestmark = pytest.mark.skipif(not shutil.which("swift"), reason="not checked: there is no Swift compiler")


def run(*arguments, **options):
    return subprocess.run([str(a) for a in arguments], capture_output=True, text=True, timeout=900, **options)


# The modules that an app links, each with what it imports; Security is there for all of them.
ROOMS = {
    "Security": [], "PlatformFoundation": [], "KeyedArchive": [], "CacheJSON": [],
    "KeychainItems": ["PlatformFoundation", "Security"],
    "ADALCache": ["KeyedArchive", "CacheJSON", "KeychainItems"], "MSALCache": ["KeychainItems", "CacheJSON"],
    "MSALLookup": ["MSALCache", "CacheJSON", "KeychainItems"],
    "ADALMigration": ["PlatformFoundation", "ADALCache", "MSALCache", "MSALLookup", "KeychainItems", "CacheJSON"],
    "ItemStoreConformance": ["KeychainItems"], "KeychainModel": ["KeychainItems", "Security"],
    "Runner": ["ADALMigration", "KeychainItems", "ItemStoreConformance", "KeychainModel", "Security"],
}


def place(name):
    """Where the sources of a module are."""
    return next(p for p in (PACKAGE / "Sources" / name, PACKAGE / "Tests" / name) if p.exists())


@functools.cache
def runner():
    """The checks with the library's lines for Apple's systems and a keychain that is the model, as one program."""
    sources = SCRATCH / "Sources"
    shutil.rmtree(sources, ignore_errors=True)
    for name in ROOMS:
        folder = sources / name
        folder.mkdir(parents=True)
        if name == "Security":
            declared = (STUBS / "Security.swift").read_text("utf-8")
            # Its three functions are in the other file.
            declared, count = re.subn(r"public func SecItem\w+\([^)]*\) -> OSStatus \{[^}]*\}\n", "", declared)
            assert count == 3
            (folder / "Security.swift").write_text(declared, "utf-8")
            files = (STUBS / "Apple" / "Security").glob("*.swift")
        elif name == "Runner":
            files = [*CHECKS, *(STUBS / "Apple" / "Runner").glob("*.swift")]
        else:
            files = [file for file in place(name).rglob("*.swift") if ".docc" not in str(file)]
        for file in files:
            assert not (folder / file.name).exists(), file
            (folder / file.name).symlink_to(file)
    # ScriptedCalls is a file of the app there, and of the model here.
    model = ', swiftSettings: [.unsafeFlags(["-Xfrontend", "-import-module", "-Xfrontend", "KeychainModel"])]'
    targets = ",\n".join(
        f'.{"executableTarget" if name == "Runner" else "target"}(name: "{name}", dependencies: {json.dumps(needs)}'
        f'{model if name == "Runner" else ""})' for name, needs in ROOMS.items())
    (SCRATCH / "Package.swift").write_text(
        "// swift-tools-version: 6.1\nimport PackageDescription\n"
        f'let package = Package(name: "checks", targets: [{targets}], swiftLanguageModes: [.v6])\n', "utf-8")
    build = run("swift", "build", "--package-path", SCRATCH, "--scratch-path", SCRATCH / "build", "--disable-index-store",
                "-Xswiftc", "-gnone")
    assert build.returncode == 0, build.stdout[-6000:] + build.stderr[-4000:]
    program = SCRATCH / "build" / "debug" / "Runner"
    shutil.copy(PACKAGE / "Samples" / "Caches" / "contoso.items.json", program.parent / "contoso.items.json")
    return program


@functools.cache
def checked(**environment):
    answer = run(runner(), env=os.environ | environment)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout.splitlines()


def test_the_checks_pass_in_the_model():
    assert checked() == [
        "- system: Linux", "- team prefix: 10 characters",
        "- check 1, SystemKeychain passes the exam of all stores: passed",
        "- check 2, The keychain answers as its model does: passed",
        "- check 3, A migration beside 500 items of others: passed",
        # Nothing is left of what they wrote, and they asked for no face.
        "- questions: 0, left: []",
    ]


@pytest.mark.parametrize(("lie", "failing"), [("duplicates", {1, 2}), ("type", {1, 2, 3}), ("asks", {3})])
def test_the_checks_notice_another_keychain(lie, failing):
    lines = checked(LIE=lie)
    failed = {int(number) for number in re.findall(r"^- check (\d), .*: FAILED$", "\n".join(lines), re.M)}
    questions = int(re.search(r"questions: (\d+)", lines[-1])[1])
    # The model answers the question itself; on a device somebody would have to.
    assert failed >= failing - {3} and (failed >= failing or questions > 0), lines


def test_the_report_names_nobody():
    text = "\n".join(checked())
    assert "ABCDE12345" not in text and "contoso" not in text and "@" not in text


@pytest.fixture(scope="session")
def stubs(tmp_path_factory):
    """The modules of Apple's and Microsoft's that the apps and tests import."""
    folder = tmp_path_factory.mktemp("stubs")
    security = [STUBS / "Security.swift", STUBS / "Apple" / "Security" / "Declarations.swift"]
    for name, files in (("Security", security), ("UIKit", [STUBS / "Apple" / "UIKit" / "UIKit.swift"]),
                        ("SwiftUI", [STUBS / "Apple" / "SwiftUI" / "SwiftUI.swift"]), ("MSAL", [STUBS / "MSAL.swift"])):
        module = run("swiftc", "-emit-module", "-module-name", name, "-parse-as-library", "-swift-version", "6",
                     "-I", folder, *files, "-emit-module-path", folder / f"{name}.swiftmodule")
        assert module.returncode == 0, module.stderr
    return folder


def type_check(files, name, *folders, defines=()):
    runner()
    modules = SCRATCH / "build" / "debug" / "Modules"
    # The stubs come first: the modules' own Security is the one with a keychain behind it.
    imports = [part for folder in [*folders, modules] for part in ("-I", folder)]
    return run("swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", "-warnings-as-errors", "-enable-testing",
               "-module-name", name, *[part for define in defines for part in ("-D", define)], *imports, *files)


def test_the_app_of_checks_is_swift(stubs, tmp_path):
    files = [*CHECKS, *(APPLE / "Check").glob("*.swift"), SCRIPT]
    # Linux takes the lines of neither system: those of a device are made plain.
    plain = []
    for file in files:
        text = file.read_text("utf-8")
        text = text.replace("#if os(iOS) && !targetEnvironment(simulator)", "#if true").replace("#if os(iOS)", "#if true")
        (tmp_path / file.name).write_text(text, "utf-8")
        plain.append(tmp_path / file.name)
    check = type_check(plain, "Check", stubs)
    assert check.returncode == 0, check.stderr
    app = tmp_path / "CheckApp.swift"
    for word, other in (("LockedCheck.problems", "LockedCheck.problem"), ("isProtectedDataAvailable", "isProtected")):
        text = app.read_text("utf-8")
        assert word in text
        app.write_text(text.replace(word, other), "utf-8")
        assert other in type_check(plain, "Check", stubs).stderr
        app.write_text(text, "utf-8")


def test_the_tests_of_the_reader_are_swift(stubs, tmp_path):
    """Against the stub of MSAL and the XCTest of Linux. What has a class of Objective-C's behind it is not checked: the
    exchange of a method."""
    files = []
    for file in [*(APPLE / "ReaderTests").glob("*.swift"), *(APPLE / "Reader").glob("*.swift")]:
        text = file.read_text("utf-8").replace("import Foundation\n", "import Foundation\nimport FoundationNetworking\n")
        text = text.replace("@objc dynamic ", "").replace("#selector(URLSessionConfiguration.answeredConfiguration)",
                                                        'NSSelectorFromString("answeredConfiguration")')
        if file.name == "TokenService.swift":
            text += """
              func NSSelectorFromString(_ name: String) -> String { name }
              func class_getClassMethod(_ kind: AnyClass?, _ name: String) -> OpaquePointer? { nil }
              func method_exchangeImplementations(_ a: OpaquePointer, _ b: OpaquePointer) {}
            """
        (tmp_path / file.name).write_text(text, "utf-8")
        files.append(tmp_path / file.name)
    check = type_check(files, "ReaderTests", stubs)
    assert check.returncode == 0, check.stderr
    tests = tmp_path / "ReaderTests.swift"
    tests.write_text(tests.read_text("utf-8").replace("forIdentifier", "forIdentity"), "utf-8")
    assert "forIdentity" in type_check(files, "ReaderTests", stubs).stderr


def test_the_writer_is_objective_c(tmp_path):
    folder = STUBS / "Apple" / "ObjectiveC"
    clang = ["clang", "-fsyntax-only", "-Wall", "-Werror", "-target", "arm64-apple-ios15", "-fobjc-arc", "-fblocks",
             "-ffreestanding", "-nostdlibinc", "-fmodules", f"-fmodules-cache-path={tmp_path}/cache", "-I", folder,
             "-I", APPLE / "WriterTests"]
    for file in (APPLE / "WriterTests" / "WriterTests.m", APPLE / "Writer" / "main.m"):
        check = run(*clang, file)
        assert check.returncode == 0, check.stderr
    text = (APPLE / "WriterTests" / "WriterTests.m").read_text("utf-8")
    broken = tmp_path / "WriterTests.m"
    for word, other in (("correlationId:nil", "correlation:nil"), ("item.familyId", "item.family"), ("(id)kSecClass ", "(id)kSecClas ")):
        assert word in text
        broken.write_text(text.replace(word, other), "utf-8")
        assert run(*clang, broken).returncode != 0, word


def test_the_names_of_adal_are_those_of_its_headers():
    """Each name that is looked up when the tests run, with the version whose header has it."""
    text = (APPLE / "WriterTests" / "WriterTests.m").read_text("utf-8")
    names = set(re.findall(r'@"(AD\w+)"', text))
    assert names == {
        "ADKeychainTokenCacheStore", "ADTokenCacheStoreItem", "ADKeychainTokenCache", "ADTokenCacheItem",
        "ADALKeychainTokenCache", "ADALTokenCacheItem", "ADUserInformation", "ADALUserInformation"}


def test_the_entitlements_have_the_first_group_first():
    def groups(name):
        return plistlib.loads((APPLE / f"{name}.entitlements").read_bytes())["keychain-access-groups"]

    prefix = "$(AppIdentifierPrefix)"
    assert groups("Host") == [f"{prefix}com.microsoft.adalcache", f"{prefix}com.contoso.check"]
    assert groups("Check") == [f"{prefix}com.contoso.adal2msal.check", f"{prefix}com.contoso.adal2msal.check.other"]
    # The code names the second of each.
    assert '".com.contoso.check"' in (APPLE / "WriterTests" / "WriterTests.m").read_text("utf-8")
    for file in ("Check/CheckApp.swift", "CheckTests/CheckTests.swift"):
        assert '"com.contoso.adal2msal.check.other"' in (APPLE / file).read_text("utf-8")


def test_the_rows_are_of_every_kind():
    rows = json.loads((APPLE / "rows.json").read_text("utf-8"))
    assert [row["name"] for row in rows] == ["single-resource", "multi-resource", "family", "expired", "guest", "no-user"]
    assert [row["name"] for row in rows if "family" in row] == ["family"]
    assert [row["name"] for row in rows if row.get("expiresIn", 1) < 0] == ["expired"]
    assert [row["name"] for row in rows if "user" not in row] == ["no-user"]
    # Made-up tokens only.
    assert all(row[kind].startswith("synthetic-") for row in rows for kind in ("access", "refresh") if kind in row)
