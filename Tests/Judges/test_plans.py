# SPDX-License-Identifier: MIT
"""The code in plans of `doctor` is code: Swift and Objective-C that the compilers take, with MSAL and UIKit as stubs."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from test_samples import APPLE, FACADE, SQLITE, STUBS, header  # noqa: F401

PACKAGE = Path(__file__).resolve().parents[2]
PLANS = PACKAGE / "Tests" / "Goldens" / "plans"
MODULES = Path(os.environ.get("SWIFT_MODULES", PACKAGE / ".build" / "debug" / "Modules"))

pytestmark = pytest.mark.skipif(not shutil.which("swiftc"), reason="not checked: there is no Swift compiler")


def run(*arguments):
    return subprocess.run([str(a) for a in arguments], capture_output=True, text=True, timeout=600)


def blocks(plan, language, needed):
    found = re.findall(rf"^```{language}\n(.*?)^```$", (PLANS / f"{plan}.txt").read_text("utf-8"), re.M | re.S)
    return [block for block in found if re.search(needed, block, re.M)]


@pytest.fixture(scope="session")
def stubs(tmp_path_factory):
    """MSAL, UIKit and the façade as modules."""
    if not (MODULES / "ADALMigration.swiftmodule").exists():
        pytest.skip("not checked: the package has not been built")
    folder = tmp_path_factory.mktemp("stubs")
    facade = folder / "facade"
    facade.mkdir()
    (folder / "ObjectiveC.swift").touch()
    for file in FACADE:
        # Linux's Foundation has no Objective-C to show classes to.
        (facade / file.name).write_text(re.sub(r"@objc(\([^)]*\))? ", "", file.read_text("utf-8")), "utf-8")
    for name, files in (("MSAL", [STUBS / "MSAL.swift"]), ("UIKit", [STUBS / "UIKit.swift"]),
                        ("ObjectiveC", [folder / "ObjectiveC.swift"]), ("ADALMigrationObjC", sorted(facade.glob("*.swift")))):
        module = run("swiftc", "-emit-module", "-module-name", name, "-parse-as-library", "-swift-version", "6", "-package-name",
                     "adal2msal", "-I", folder, "-I", MODULES, "-I", SQLITE, *files, "-emit-module-path", folder / f"{name}.swiftmodule")
        assert module.returncode == 0, module.stderr
    return folder


def swift(plan, stubs, folder, change=lambda text: text):
    code = blocks(plan, "swift", "^import ")
    assert len(code) == 2
    files = []
    for number, text in enumerate(code):
        if "import MSAL\n" in text:
            text = text.replace("import MSAL\n", "import Foundation\nimport MSAL\n")
        # What the app adds to the lines of the plan.
        if "@main" in text:
            text += "\nextension AppDelegate { func startMSAL() { _ = try? makeApplication() } }\n"
        files.append(folder / f"{number}.swift")
        files[-1].write_text(change(text), "utf-8")
    return run("swiftc", "-typecheck", "-swift-version", "5", "-warnings-as-errors", "-parse-as-library", "-I", stubs, "-I", MODULES,
               "-I", SQLITE, *files)


@pytest.mark.parametrize("plan", ["legacy-app", "swift"])
def test_swift_of_plans_is_swift(plan, stubs, tmp_path):
    check = swift(plan, stubs, tmp_path)
    assert check.returncode == 0, check.stderr
    for word in ("startMSAL", "forADALUserID", "?.identifier", "keychain" if plan == "swift" else "A2MMigration", "redirectUri"):
        broken = swift(plan, stubs, tmp_path, lambda text, word=word: text.replace(word, f"{word}X", 1))
        assert f"{word}X" in broken.stderr or word == "startMSAL" and broken.returncode, word


def test_objective_c_of_plans_is_objective_c(header, tmp_path):  # noqa: F811
    clang = ["clang", "-fsyntax-only", "-Wall", "-Werror", "-Wno-unused-function", "-target", "arm64-apple-ios15", "-fobjc-arc",
             "-fblocks", "-ffreestanding", "-nostdlibinc", "-fmodules", f"-fmodules-cache-path={tmp_path}/cache", "-I", header,
             "-I", APPLE, "-I", STUBS / "ObjectiveC"]
    delegate = ("#import <UIKit/UIKit.h>\n@interface AppDelegate : UIResponder <UIApplicationDelegate>\n@end\n"
                "@interface AppDelegate (Later)\n- (void)startMSAL;\n@end\n")
    configuration, start = blocks("objective-c", "objective-c", "import")
    code = tmp_path / "AppDelegate.m"
    text = delegate + configuration + start
    code.write_text(text, "utf-8")
    check = run(*clang, code)
    assert check.returncode == 0, check.stderr
    for word in ("runWithCompletion", "A2MErrorCodeLocked", "accessGroup", "keychainSharingGroup", "initWithURL"):
        code.write_text(text.replace(word, f"{word}X"), "utf-8")
        assert f"{word}X" in run(*clang, code).stderr, word
