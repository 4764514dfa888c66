# SPDX-License-Identifier: MIT
"""The lines in the documentation of the libraries, and the steps of the tutorial, are Swift that the compiler takes.

SWIFT_MODULES names the folder of our built modules; without them the tests are skipped, and say so."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2]
MODULES = Path(os.environ.get("SWIFT_MODULES", PACKAGE / ".build" / "debug" / "Modules"))
SQLITE = PACKAGE / "Sources" / "CKeychainSnapshot"
PAGES = sorted((PACKAGE / "Sources").glob("*/*.docc/*.md"))
STEPS = sorted((PACKAGE / "Sources" / "ADALMigration" / "ADALMigration.docc" / "Resources").glob("*.swift"))


def blocks(page):
    return re.findall(r"^```swift\n(.*?)^```$", page.read_text("utf-8"), re.M | re.S)


BLOCKS = [pytest.param(text, id=f"{page.stem}-{number}") for page in PAGES for number, text in enumerate(blocks(page))]
LANDING = blocks(PACKAGE / "Sources" / "ADALMigration" / "ADALMigration.docc" / "ADALMigration.md")[0]
# What a page takes from the app that its reader has.
APP = """
import ADALMigration
import Foundation
import KeychainItems
import MSAL

final class Settings { var userID = "", accountIdentifier: String? }
struct WelcomeBack { init(_ report: TokenCacheMigration.Report) {}; let lines: [String] = [] }
struct RedisDocument: DocumentStore {
  let key: String
  func read() throws -> [UInt8] { [] }
  func update(_ change: ([UInt8]) throws -> [UInt8]) throws {}
}
let settings = Settings(), defaults = UserDefaults.standard, migration = TokenCacheMigration()
let saved = "", path = "", group = "", identifier = "", cacheFile = URL(fileURLWithPath: ""), bytes: [UInt8] = []
let items: [KeychainItem] = []
func protectedDataAvailable() async {}
func replaceSavedUserIDs(as report: TokenCacheMigration.Report) {}
func application() throws -> MSALPublicClientApplication { throw CancellationError() }
"""

pytestmark = [
    pytest.mark.skipif(not shutil.which("swiftc"), reason="not checked: there is no Swift compiler"),
    pytest.mark.skipif(not (MODULES / "ADALMigration.swiftmodule").exists(), reason="not checked: the package has not been built"),
]


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    folder = tmp_path_factory.mktemp("app")
    (folder / "App.swift").write_text(APP, "utf-8")
    made = subprocess.run(["swiftc", "-emit-module", "-module-name", "MSAL", "-parse-as-library",
                           PACKAGE / "Tests" / "Judges" / "Stubs" / "MSAL.swift", "-emit-module-path", folder / "MSAL.swiftmodule"],
                          capture_output=True, text=True, timeout=300)
    assert made.returncode == 0, made.stderr
    return folder


def compiled(text, app, folder):
    """What the compiler says of lines as the body of a function of the app's."""
    # The macros of Testing need its plug-in.
    text = re.sub(r"@Test(\(.*\))?\s+", "", text).replace("import Testing\n", "").replace("#expect(", "precondition(")
    text = text.replace("application.", "application().")
    imports = re.findall(r"^import .*$", text, re.M)
    body = re.sub(r"^import .*$", "", text, flags=re.M)
    source = folder / "Page.swift"
    source.write_text("\n".join(["import ADALMigration", "import CacheFiles", "import Foundation", "import MSAL", *imports,
                                 f"func page() {'async ' if 'await' in body else ''}throws {{", body, "}"]), "utf-8")
    return subprocess.run(["swiftc", "-typecheck", "-parse-as-library", "-swift-version", "5", "-I", app, "-I", MODULES, "-I", SQLITE,
                           app / "App.swift", source], capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("text", BLOCKS)
def test_lines_of_a_page_are_swift(text, app, tmp_path):
    check = compiled(text, app, tmp_path)
    assert check.returncode == 0, check.stderr


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.stem)
def test_a_step_of_the_tutorial_is_swift(step, app, tmp_path):
    check = compiled(step.read_text("utf-8"), app, tmp_path)
    assert check.returncode == 0, check.stderr


def test_the_landing_page_begins_with_the_call():
    """The three lines of README are the first that a reader of the documentation sees."""
    lines = [re.sub(r" *//.*", "", line) for line in LANDING.splitlines()]
    readme = re.sub(r" *//.*", "", (PACKAGE / "README.md").read_text("utf-8"))
    assert len(lines) == 3 and "import ADALMigration\n\n" + "\n".join(lines) + "\n" in readme


@pytest.mark.parametrize("word", ["TokenCacheMigration().run", "forADALUserID", "?.identifier"])
def test_a_name_that_is_none_is_found(word, app, tmp_path):
    check = compiled(LANDING.replace(word, f"{word}X", 1), app, tmp_path)
    assert f"{word.split('.')[-1].strip('?')}X" in check.stderr
