# SPDX-License-Identifier: MIT
"""What Apple's compilers would say of the modules that an app links, as far as the one here knows it: which declarations
are newer than the systems that the package names, whether the modules can be built for distribution, and whether the names
of Security's that they use are Apple's."""

import functools
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2]
STUBS = Path(__file__).parent / "Stubs"
# What an app links, each after what it imports.
ROOMS = ["PlatformFoundation", "KeyedArchive", "CacheJSON", "KeychainItems", "ADALCache", "MSALCache", "MSALLookup",
         "ADALMigration"]

pytestmark = pytest.mark.skipif(not shutil.which("swiftc"), reason="not checked: there is no Swift compiler")


def run(*arguments, **options):
    return subprocess.run([str(a) for a in arguments], capture_output=True, text=True, timeout=900, **options)


def sources(room):
    return sorted(file for file in (PACKAGE / "Sources" / room).rglob("*.swift") if ".docc" not in str(file))


@functools.cache
def target():
    return json.loads(run("swiftc", "-print-target-info").stdout)["target"]["triple"]


# Library evolution: what BUILD_LIBRARY_FOR_DISTRIBUTION turns on.

@pytest.fixture(scope="session")
def distributed(tmp_path_factory):
    """The modules with their textual interfaces, as an XCFramework is built."""
    folder = tmp_path_factory.mktemp("distributed")
    for room in ROOMS:
        made = run("swiftc", "-emit-module", "-wmo", "-parse-as-library", "-module-name", room, "-swift-version", "6",
                   "-enable-library-evolution", "-package-name", "adal2msal", "-I", folder,
                   "-emit-module-path", folder / f"{room}.swiftmodule",
                   "-emit-module-interface-path", folder / f"{room}.swiftinterface",
                   "-emit-package-module-interface-path", folder / f"{room}.package.swiftinterface",
                   "-no-verify-emitted-module-interface", *sources(room))
        assert made.returncode == 0, made.stderr
        # SwiftPM's own setting; without it the interface is for anybody.
        assert (folder / f"{room}.swiftinterface").exists()
    return folder


def read_back(interface, room, folder):
    """What the compiler says of an interface that it reads as another program's compiler would."""
    return run("swiftc", "-frontend", "-typecheck-module-from-interface", interface, "-module-name", room,
               "-package-name", "adal2msal", "-swift-version", "6", "-enable-library-evolution", "-I", folder,
               "-target", target())


@pytest.mark.parametrize("room", ROOMS)
def test_every_interface_can_be_read_back(distributed, room):
    for kind in ("swiftinterface", "package.swiftinterface"):
        check = read_back(distributed / f"{room}.{kind}", room, distributed)
        assert (check.returncode, check.stderr) == (0, ""), f"{room}.{kind}"


def test_a_type_with_the_name_of_its_module_is_noticed(distributed, tmp_path):
    """swift#56573: Swift writes Module.Type, and then looks for Type in the type that is called as the module."""
    source = tmp_path / "Shadow.swift"
    source.write_text("package struct Shadow { package init() {} }\npackage struct Other {}\n"
                      "package func f(_ other: Other) {}\n", "utf-8")
    made = run("swiftc", "-emit-module", "-wmo", "-parse-as-library", "-module-name", "Shadow", "-enable-library-evolution",
               "-package-name", "adal2msal", "-swift-version", "6", source, "-emit-module-path", tmp_path / "Shadow.swiftmodule",
               "-emit-package-module-interface-path", tmp_path / "Shadow.package.swiftinterface",
               "-emit-module-interface-path", tmp_path / "Shadow.swiftinterface", "-no-verify-emitted-module-interface")
    assert made.returncode == 0, made.stderr
    check = read_back(tmp_path / "Shadow.package.swiftinterface", "Shadow", tmp_path)
    assert "'Other' is not a member type of struct 'Shadow.Shadow'" in check.stderr


def test_the_facade_shows_no_module_of_ours():
    """The framework has one module: what its public lines name must not be in another one."""
    for file in sorted((PACKAGE / "Sources" / "ADALMigrationObjC").glob("*.swift")):
        imports = re.findall(r"^(?:(\w+) )?import (\w+)$", file.read_text("utf-8"), re.M)
        for access, module in imports:
            assert module == "Foundation" or access in ("internal", "package", "private", "fileprivate", ""), file
        public = re.findall(r"^ *(?:@objc[^\n]*? )?public [^\n{]*", file.read_text("utf-8"), re.M)
        for line in public:
            assert not re.search(r"\b(Migration|Report|Source|Target|Policy|StoreError)\b", line), line


# Availability: every declaration in use against the systems that the package names.

SYSTEMS = {"iOS": (15, 0), "macOS": (12, 0)}
# A requirement of a protocol whose default is for every system: each use of an integer names it.
UNRESTRICTED = {"FixedWidthInteger.&*(_:_:)"}


def introduced(symbol):
    """The systems of ours that a symbol of the toolchain is newer than."""
    newer = []
    for entry in symbol.get("availability", []):
        version = entry.get("introduced", {})
        if entry.get("domain") in SYSTEMS and (version.get("major", 0), version.get("minor", 0)) > SYSTEMS[entry["domain"]]:
            newer.append(entry["domain"])
    return newer


@pytest.fixture(scope="session")
def symbols(tmp_path_factory):
    """The symbols of Swift's library and Foundation that are newer than our systems, by USR, and all that are known."""
    folder = tmp_path_factory.mktemp("graphs")
    newer, known = {}, set()
    for module in ("Swift", "_Concurrency", "FoundationEssentials", "Foundation"):
        made = run("swift", "symbolgraph-extract", "-module-name", module, "-target", target(), "-output-dir", folder)
        assert made.returncode == 0, made.stderr
    for graph in folder.glob("*.json"):
        for symbol in json.loads(graph.read_text("utf-8"))["symbols"]:
            usr = symbol["identifier"]["precise"]
            known.add(usr)
            if introduced(symbol):
                newer[usr] = ".".join(symbol["pathComponents"])
    return newer, known


def used(files, room, modules, folder):
    """The USRs of all declarations that a module's files use. Each is dumped as a primary file: else the compiler writes
    down the first alone."""
    folder.mkdir()
    words = ["swiftc", "-frontend", "-dump-ast", "-dump-ast-format", "json", "-parse-as-library", "-module-name", room,
             "-package-name", "adal2msal", "-swift-version", "6", "-I", modules, "-target", target()]
    trees = [folder / f"{number}.json" for number, _ in enumerate(files)]
    dumped = run(*words, *[part for file in files for part in ("-primary-file", file)],
                 *[part for tree in trees for part in ("-o", tree)])
    assert dumped.returncode == 0, dumped.stderr[-4000:]
    return {usr for tree in trees for usr in re.findall(r'"decl_usr":"([^"]*)"', tree.read_text("utf-8"))}


def test_nothing_in_use_is_newer_than_our_systems(distributed, symbols, tmp_path):
    newer, known = symbols
    all_used = set().union(*(used(sources(room), room, distributed, tmp_path / room) for room in ROOMS))
    found = {newer[usr] for usr in all_used if usr in newer}
    assert found <= UNRESTRICTED
    # A reader of trees that found nothing would pass too.
    assert len(all_used & known) > 400 and len(newer) > 300


def test_a_newer_declaration_is_noticed(symbols, tmp_path):
    newer, _ = symbols
    source = tmp_path / "New.swift"
    source.write_text("func f() -> Duration { .seconds(1) }\n", "utf-8")
    usrs = used([source], "New", tmp_path, tmp_path / "trees")
    assert any(newer.get(usr, "").startswith("Duration") for usr in usrs)


# Apple's own header, which is under Apple's license and is read where it is, never kept here.

HEADERS = ("keychain/headers/SecItem.h", "base/SecBase.h", "keychain/headers/SecAccessControl.h")


@pytest.fixture(scope="session")
def headers():
    """The text of Apple's headers: of the folder that APPLE_SECURITY names, a checkout of apple-oss-distributions/Security,
    or of a Mac's SDK."""
    folder = os.environ.get("APPLE_SECURITY")
    if folder:
        return "\n".join((Path(folder) / name).read_text("utf-8", "replace") for name in HEADERS)
    if shutil.which("xcrun"):
        sdk = Path(run("xcrun", "--show-sdk-path").stdout.strip()) / "System/Library/Frameworks/Security.framework/Headers"
        return "\n".join((sdk / Path(name).name).read_text("utf-8", "replace") for name in HEADERS)
    pytest.skip("not checked: APPLE_SECURITY names no checkout of Apple's Security, and this is no Mac")


def declaration(name, headers):
    """The declaration of a constant or function, up to its end; an enumerator up to the comma."""
    found = re.search(rf"^[^\n/*]*\b{name}\b[^;,]*[;,]", headers, re.M)
    return found and found[0]


def names_in_use():
    files = [*sources("KeychainItems"), *(PACKAGE / "Tests" / "Apple").rglob("*.swift"), *(PACKAGE / "Tests" / "Apple").rglob("*.m")]
    text = "\n".join(file.read_text("utf-8") for file in files)
    return set(re.findall(r"\b(kSec[A-Z]\w+|SecItem(?:Add|CopyMatching|Delete)|errSec[A-Z]\w+|SecAccessControlCreateWithFlags)\b", text))


def test_every_name_of_security_is_apples(headers):
    names = names_in_use()
    assert len(names) > 30
    missing = sorted(name for name in names if not declaration(name, headers))
    assert missing == []


def test_no_name_of_security_is_newer_than_our_systems(headers):
    for name in names_in_use():
        for system, oldest in (("ios", 15.0), ("macos", 12.0)):
            version = re.search(rf"\b{system}\((\d+(?:\.\d+)?)", declaration(name, headers) or "")
            assert not version or float(version[1]) <= oldest, name


def test_no_name_of_security_is_deprecated(headers):
    deprecated = {name for name in names_in_use() if re.search(r"DEPRECATED|\w+\(\d[\d.]*, ?\d", declaration(name, headers) or "")}
    # MSAL's own accessibility of the hint would be one; its value is written instead.
    assert deprecated == set()


# What an app resolves that names this package by its repository.

def resolved_by_an_app(folder, traits):
    """The packages in Package.resolved of an app that takes ours from a repository, with these words about traits."""
    ours, app = folder / "adal2msal", folder / "app"
    for place in (ours, app / "Sources" / "App"):
        place.mkdir(parents=True)
    shutil.copy(PACKAGE / "Package.swift", ours)
    git = ["git", "-C", ours, "-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "1"], ["tag", "1.0.0"]):
        assert run(*git, *words).returncode == 0
    (app / "Sources" / "App" / "main.swift").write_text("import ADALMigration\n", "utf-8")
    (app / "Package.swift").write_text(
        "// swift-tools-version: 6.1\nimport PackageDescription\n"
        'let package = Package(name: "App", platforms: [.macOS(.v12)],\n'
        f'  dependencies: [.package(url: "{ours.as_uri()}", from: "1.0.0"{traits})],\n'
        '  targets: [.executableTarget(name: "App", dependencies: [.product(name: "ADALMigration", package: "adal2msal")])])\n',
        "utf-8")
    made = run("swift", "package", "--package-path", app, "--scratch-path", folder / "scratch", "resolve")
    assert made.returncode == 0, made.stderr
    return {pin["identity"] for pin in json.loads((app / "Package.resolved").read_text("utf-8"))["pins"]}


def test_an_app_resolves_nothing_of_the_command(tmp_path):
    assert resolved_by_an_app(tmp_path / "default", "") == {"adal2msal"}
    assert resolved_by_an_app(tmp_path / "command", ', traits: ["Command"]') == {"adal2msal", "swift-argument-parser"}


def test_a_clone_has_the_command(tmp_path):
    # With a folder of its own it waits for no other build.
    dumped = run("swift", "package", "--package-path", PACKAGE, "--scratch-path", tmp_path, "dump-package")
    described = json.loads(dumped.stdout)
    [default] = [trait for trait in described["traits"] if trait["name"] == "default"]
    assert default["enabledTraits"] == ["Command"]
