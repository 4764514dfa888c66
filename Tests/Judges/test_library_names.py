# SPDX-License-Identifier: MIT
"""Names of the library that pages mention are public declarations, as the compiler lists them.

SWIFT_MODULES names the folder of our built modules; without them the test is skipped, and says so.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2]
MODULES = Path(os.environ.get("SWIFT_MODULES", PACKAGE / ".build" / "debug" / "Modules"))
# Those of the products; `@_exported` imports bring in the others.
LIBRARIES = ["ADALMigration", "KeychainItems", "MigrationReports", "MigrationUndo", "MigrationReceipts",
             "MigrationDocuments", "MigrationPolicies", "CacheFiles", "MigrationFiles",
             "ItemStoreConformance", "DocumentStoreConformance"]
# What CHANGELOG says of earlier versions need not be there any more.
PAGES = [*(path for path in sorted(PACKAGE.glob("*.md")) if path.stem != "CHANGELOG"),
         *sorted((PACKAGE / "Documentation").glob("*.md")), *sorted((PACKAGE / "Samples").rglob("*.md")),
         *sorted((PACKAGE / "Sources").glob("*/*.docc/*.md"))]
# A type and its member, or a call: `Journal.undo(in:)`, `Source.caches(inFile: path)`, `Migration(from:into:)`.
NAME = re.compile(r"^(?P<type>[A-Z]\w+|report)(?:\.(?P<member>\w+))?(?P<labels>\(.*?\))?(?=$|[.\[ ])")
# Types of ADAL, MSAL, Apple and .NET, names of files, and rooms that no app imports.
OTHERS = re.compile(
    r"^(?:MSAL|MSID|MSOpenTech|AD[A-Z]|ADAL|NS|UI|Microsoft|Msal|Info|Package|Podfile|PATH|NAME|User\.Read$|MachineKey|TokenCache|"
    r"PrivacyInfo|ActiveDirectory|Serialize|Deserialize|With[A-Z]|String$|Open[A-Z]|Output|File[A-Z]|\w+Tests$|Credential$)")
SWIFT_FILE = re.compile(r"\.(?:swift|m|h|json|md|plist|dat|sqlite)$")
TYPES = {"swift.struct", "swift.class", "swift.enum", "swift.protocol"}
HOSTING = {"report": "Report"}

pytestmark = [
    pytest.mark.skipif(not shutil.which("swift-symbolgraph-extract"), reason="not checked: there is no Swift compiler"),
    pytest.mark.skipif(not (MODULES / "ADALMigration.swiftmodule").exists(),
                       reason="not checked: the package has not been built"),
]


@pytest.fixture(scope="session")
def declared(tmp_path_factory):
    """The members of each public type, by name, with the text of each declaration."""
    folder = tmp_path_factory.mktemp("graphs")
    target = json.loads(subprocess.run(
        ["swiftc", "-print-target-info"], capture_output=True, text=True, check=True).stdout)["target"]["triple"]
    found = {}
    for module in LIBRARIES:
        subprocess.run(
            ["swift-symbolgraph-extract", "-module-name", module, "-I", MODULES, "-target", target,
             "-minimum-access-level", "public", "-skip-inherited-docs", "-output-dir", folder,
             "-I", PACKAGE / "Sources" / "CKeychainSnapshot"], check=True, capture_output=True, timeout=300)
    for graph in sorted(folder.glob("*.symbols.json")):
        for symbol in json.loads(graph.read_text("utf-8"))["symbols"]:
            *outer, last = symbol["pathComponents"]
            # Pages call a type by its short name once they have said what it is nested in.
            if symbol["kind"]["identifier"] in TYPES and outer:
                found.setdefault("", {}).setdefault(last, []).append((last, ""))
            text = "".join(part["spelling"] for part in symbol["declarationFragments"])
            found.setdefault(outer[-1] if outer else "", {}).setdefault(last.partition("(")[0], []).append((last, text))
    assert len(found[""]) > 30
    # The façade is for Apple's compiler; what it declares is read from its sources.
    for path in sorted((PACKAGE / "Sources" / "ADALMigrationObjC").glob("*.swift")):
        text = path.read_text("utf-8")
        for kind, body in re.findall(r"@objc\((A2M\w+)\) public .*?\{\n(.*?)^  \}", text, re.M | re.S):
            found[""][kind] = [(kind, "")]
            found[kind] = {name: [(name, "")] for name in re.findall(r"(?:public static var|public (?:var|let)|case) (\w+)", body)}
    return found


def spans(path):
    text = re.sub(r"^ *```.*?^ *```$", "", path.read_text("utf-8"), flags=re.M | re.S)
    return sorted(set(re.findall(r"(?<!`)`{1,2}([^`\n]+)`{1,2}", text)))


def is_declared(declared, name):
    """Whether a type has such a member; what the call leaves out must have a default."""
    kind = HOSTING.get(name["type"], name["type"])
    member = name["member"] or ("init" if name["labels"] else None)
    if member is None:
        return kind in declared[""]
    for last, text in declared.get(kind, {}).get(member, []):
        if name["labels"] is None:
            return True
        given = re.findall(r"(\w+):", name["labels"]) or ["_"] * (name["labels"] != "()")
        labels = re.findall(r"(\w+):", last.partition("(")[2])
        left_out = iter(labels)
        is_part = all(any(label == one for one in left_out) for label in given)
        required = [label for label in labels if label not in given
                    and not re.search(rf"[(,] ?{label}(?: \w+)?: [^,]*?(?:=|->)", text)]
        if is_part and not required:
            return True
    return False


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_names_on_pages_are_declared(path, declared):
    missing = []
    for span in spans(path):
        name = NAME.match(span)
        if not name or SWIFT_FILE.search(span) or not (name["member"] or name["labels"]):
            continue
        kind = HOSTING.get(name["type"], name["type"])
        if kind in declared or kind in declared[""]:
            if not is_declared(declared, name):
                missing.append(span)
        # Pages for engineers name inner types, too, and those of many other projects.
        elif path.parent.name != "Documentation" and not OTHERS.match(span):
            missing.append(span)
    assert missing == []


def test_a_private_or_misspelled_name_is_found(declared):
    for span in ("Journal.undone(_:)", "Journal.undo(from:)", "TokenCacheMigration.run(at:)", "StoreError.closed", "report.names"):
        assert not is_declared(declared, NAME.match(span)), span
    for span in ("Journal.undo(in:)", "TokenCacheMigration.run(since:)", "TokenCacheMigration(from:into:)", "TokenCacheMigration()", "StoreError.locked", "report.accounts"):
        assert is_declared(declared, NAME.match(span)), span
