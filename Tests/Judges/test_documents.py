# SPDX-License-Identifier: MIT
"""What the documents say is true: links lead somewhere, Swift is Swift, consoles print what is printed.

ADAL2MSAL names the command and SWIFT_MODULES the folder of our built modules; without them the tests
that need them are skipped, and say so.
"""

import json
import os
import plistlib
import re
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("ADAL2MSAL")
MODULES = os.environ.get("SWIFT_MODULES", str(PACKAGE / ".build" / "debug" / "Modules"))
DOCUMENTS = sorted(PACKAGE.glob("*.md"))
# Those beside them that people read on the web; `.build` and the like are none of ours.
MORE = [path for folder in ("Samples", "Tests", "Schemas", "Documentation") for path in sorted((PACKAGE / folder).rglob("*.md"))
        if not any(part.startswith(".") for part in path.relative_to(PACKAGE).parts)]

needs_command = pytest.mark.skipif(not COMMAND, reason="not checked: ADAL2MSAL does not name the command")

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


def blocks(language, documents=DOCUMENTS, needed=""):
    return [
        pytest.param(text, id=f"{document.name}-{number}")
        for document in DOCUMENTS
        for number, (name, text) in enumerate(BLOCK.findall(document.read_text("utf-8")))
        if name == language and document in documents and needed in text
    ]


def anchors(document):
    """The anchors that GitHub gives a document's headings, and those that it writes itself."""
    text = BLOCK.sub("", document.read_text("utf-8"))
    found = set(re.findall(r'<a id="([^"]+)">', text))
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        words = re.sub(r"\[([^]]*)]\([^)]*\)", r"\1", heading).lower()
        found.add(re.sub(r"[^\w\- ]", "", words).replace(" ", "-"))
    return found


@pytest.mark.parametrize("document", [*DOCUMENTS, *MORE], ids=lambda d: str(d.relative_to(PACKAGE)))
def test_links_lead_somewhere(document):
    text = BLOCK.sub("", document.read_text("utf-8"))
    text = re.sub(r"`[^`\n]*`", "", text)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = document.parent / path if path else document
        assert file.exists(), f"{document.name}: {target}"
        if anchor:
            assert anchor in anchors(file), f"{document.name}: {target}"


# Pages, and the workflows and plans that a reader copies.
COPIED = [PACKAGE / "action.yml", *sorted((PACKAGE / "Samples").glob("*/*.yml")),
          *sorted((PACKAGE / "Tests" / "Goldens" / "plans").iterdir())]
OURS = "adal2msal/adal2msal"
OF_A_RELEASE = re.compile(r"(?:adal2msal@|refs/tags/|releases/tag/|releases/download/|compare/)v(\d+\.\d+\.\d+)")


def published():
    """The versions that have a tag."""
    tags = subprocess.run(["git", "-C", PACKAGE, "tag", "--list", "v*"], capture_output=True, text=True)
    return {tag.removeprefix("v") for tag in tags.stdout.split()}


def unmarked(text, published):
    """The versions of releases that a text links to, without a tag and without a line that calls them planned."""
    planned = "\n".join(line for line in text.splitlines() if "planned" in line.lower())
    return [version for version in sorted(set(OF_A_RELEASE.findall(text)))
            if version not in published and version not in planned]


@pytest.mark.parametrize("document", [*DOCUMENTS, *MORE, *COPIED], ids=lambda d: str(d.relative_to(PACKAGE)))
def test_our_addresses_lead_somewhere_or_are_planned(document):
    text = document.read_text("utf-8")
    assert unmarked(text, published()) == []
    for path, anchor in re.findall(rf"{OURS}/(?:blob|tree)/main/([^\s)\"'#>]+)(?:#([\w.-]+))?", text):
        assert (PACKAGE / path).exists(), f"{document.name}: {path}"
        if anchor:
            assert anchor in anchors(PACKAGE / path), f"{document.name}: {path}#{anchor}"


@pytest.mark.parametrize(("text", "tags", "found"), [
    ("uses: adal2msal/adal2msal@v1.2.3", set(), ["1.2.3"]),
    ("ref: refs/tags/v1.2.3", {"1.2.3"}, []),
    ("# Planned: from v1.2.3 on\nref: refs/tags/v1.2.3", set(), []),
    ("# Planned: from v1.2.0 on\n…/releases/download/v1.2.3/a.zip", {"1.2.0"}, ["1.2.3"]),
])
def test_a_link_to_a_release_is_seen(text, tags, found):
    assert unmarked(text, tags) == found


@pytest.fixture(scope="session")
def stubs(tmp_path_factory):
    """MSAL's declarations as a module."""
    folder = tmp_path_factory.mktemp("stubs")
    source = Path(__file__).parent / "Stubs" / "MSAL.swift"
    subprocess.run(
        ["swiftc", "-emit-module", "-module-name", "MSAL", "-parse-as-library", source,
         "-emit-module-path", folder / "MSAL.swiftmodule"], check=True, timeout=300)
    return folder


@pytest.mark.skipif(not shutil.which("swiftc"), reason="not checked: there is no Swift compiler")
@pytest.mark.parametrize("text", blocks("swift", needed="import "))
def test_swift_blocks_are_swift(text, stubs, tmp_path):
    if "import ADALMigration" in text and not (Path(MODULES) / "ADALMigration.swiftmodule").exists():
        pytest.skip("not checked: the package has not been built")
    source = tmp_path / "main.swift"
    if re.search(r"^(?:let|var) .*\bawait\b", text, re.M):
        # A part of an asynchronous function of the app's, which has what it saved.
        imports = re.findall(r"^import .*$", text, re.M)
        rest = re.sub(r"^import .*$", "", text, flags=re.M)
        text = "\n".join([*imports, "func part(saved: String, settings: inout (accountIdentifier: String?, Int)) async throws {",
                          rest, "}"])
    source.write_text(text, "utf-8")
    check = subprocess.run(
        ["swiftc", "-typecheck", "-swift-version", "5", "-warnings-as-errors", "-I", stubs, "-I", MODULES,
         source], capture_output=True, text=True, timeout=300)
    assert check.returncode == 0, check.stderr


@pytest.fixture(scope="session")
def clone(tmp_path_factory):
    """Makes folders as a reader has them after cloning: with the samples and nothing else."""
    def make():
        folder = tmp_path_factory.mktemp("clone")
        shutil.copytree(PACKAGE / "Samples", folder / "Samples")
        return folder
    return make


def with_output(console, folder):
    """A console block with what its commands print, one after the other, in this folder."""
    script = ["exec 2>&1", "status=0"]
    # A command may go on in the next line, as in a shell.
    for command in re.findall(r"^\$ ((?:.*\\\n)*.*)$", console, re.M):
        quoted = command.replace("'", "'\\''")
        script += [f"printf '$ %s\\n' '{quoted}'", "(exit $status)", command, "status=$?"]
    # The width of a terminal is none of theirs.
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    environment["PATH"] = f"{Path(COMMAND).resolve().parent}:{os.environ['PATH']}"
    run = subprocess.run(
        ["bash", "-c", "\n".join(script)], cwd=folder, capture_output=True, text=True, env=environment, timeout=120)
    return run.stdout


@needs_command
@pytest.mark.parametrize("name", ["README.md", "MIGRATION.md", "REFERENCE.md"])
def test_consoles_print_what_is_printed(name, clone):
    """RECORD_GOLDENS=1 writes the output into the document, and then fails."""
    document = PACKAGE / name
    text = document.read_text("utf-8")
    made = []
    # A chapter is read by itself, so its commands need no file that another chapter has made.
    for chapter in re.split(r"^(?=## )", text, flags=re.M):
        blocks = [block for language, block in BLOCK.findall(chapter) if language == "console"]
        folder = clone() if blocks else None
        made += [(block, with_output(block, folder)) for block in blocks]
    assert made
    if os.environ.get("RECORD_GOLDENS") == "1":
        for block, output in made:
            text = text.replace(f"```console\n{block}```", f"```console\n{output}```", 1)
        document.write_text(text, "utf-8")
        pytest.fail("the consoles were recorded")
    for block, output in made:
        assert output == block


REFERENCE = (PACKAGE / "REFERENCE.md").read_text("utf-8")


def rows(heading):
    """The first cells of the table below a heading of REFERENCE.md."""
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", REFERENCE, re.M | re.S)
    return re.findall(r"^\| `?([^|`]*?)`? \|", section[1], re.M)[1:]


def sources():
    return "\n".join(path.read_text("utf-8") for path in sorted((PACKAGE / "Sources").rglob("*.swift")))


@pytest.fixture(scope="session")
def commands():
    """What the command says of itself: its commands, and the options of each."""
    dump = subprocess.run([COMMAND, "--experimental-dump-help"], capture_output=True, text=True, check=True)
    return [c for c in json.loads(dump.stdout)["command"]["subcommands"] if c["commandName"] != "help"]


@needs_command
def test_every_command_and_option_is_in_the_reference(commands):
    assert {c["commandName"] for c in commands} == {
        "inspect", "migrate", "undo", "stream", "lookup", "scrub", "doctor", "ci", "explain", "demo"}
    for command in commands:
        name = command["commandName"]
        section = re.search(rf"^### {name}\n(.*?)(?=^##)", REFERENCE, re.M | re.S)[1]
        assert f"$ adal2msal {name} --help\n" in section
        for argument in command["arguments"]:
            for one in argument.get("names", []):
                option = ("-" if one["kind"] == "short" else "--") + one["name"]
                assert re.search(rf"^  .*{option}\b", section, re.M), (name, option)
            for value in argument.get("allValues", []):
                assert re.search(rf"\b{value}\b", section), (name, value)


def test_every_exit_status_is_in_the_documents():
    source = (PACKAGE / "Sources" / "adal2msal" / "ExitCodes.swift").read_text("utf-8")
    enum = re.search(r"enum ExitStatus.*?^}", source, re.M | re.S)[0]
    statuses = re.findall(r"case \w+ = (\d+)", enum)
    assert len(statuses) > 10
    assert rows("Exit status") == statuses
    guide = (PACKAGE / "MIGRATION.md").read_text("utf-8")
    for status in statuses:
        assert re.search(rf"^\| {status} \|", guide, re.M), status


def test_every_environment_variable_is_in_the_reference():
    used = set(re.findall(r'environment\["(\w+)"\]', sources())) | set(re.findall(r'\bvariable\("(\w+)"', sources()))
    assert used
    assert set(rows("Environment")) == used


@needs_command
def test_every_reason_has_its_page():
    listed = subprocess.run([COMMAND, "explain"], capture_output=True, text=True, check=True).stdout
    reasons, rest = listed.split("Checks of lookup\n")
    checks, rules = rest.split("\n\n", 1)
    codes = re.findall(r"^  ([a-z0-9.-]+)  ", reasons + rules, re.M)
    pages = "".join((PACKAGE / "Documentation" / name).read_text("utf-8") for name in ("reasons.md", "rules.md"))
    assert len(codes) > 50
    section = re.search(r"^Checks of lookup\n(.*?)^```", REFERENCE, re.M | re.S)[1]
    assert re.findall(r"^  (\w+)  ", section, re.M) == re.findall(r"^  (\w+)  ", checks, re.M)
    assert re.findall(r"^### ([a-z0-9.-]+)$", pages, re.M) == codes


def test_every_format_and_place_is_in_the_reference():
    formats = (PACKAGE / "Sources" / "MigrationReports" / "ReportFormat.swift").read_text("utf-8")
    assert rows("Reports") == re.findall(r"^  case (\w+)$", formats, re.M)
    places = PACKAGE / "Sources" / "adal2msal" / "Places"
    schemes = set(re.findall(r'PlaceScheme\("([a-z-]+)"', (places / "PlaceScheme.swift").read_text("utf-8")))
    assert schemes == {"keychain", "sqlite", "items", "msal-json"}
    assert all(f"`{scheme}:" in REFERENCE for scheme in schemes)


@needs_command
def test_the_example_of_queries_is_answered(tmp_path):
    example = next(block for block in BLOCK.findall(REFERENCE) if block[0] == "json")[1]
    (tmp_path / "queries.json").write_text(example, "utf-8")
    cache = tmp_path / "asked.sqlite"
    shutil.copy(PACKAGE / "Samples" / "Caches" / "contoso.sqlite", cache)
    for arguments in (["migrate", cache, "--into", cache], ["lookup", cache, "--queries", tmp_path / "queries.json"]):
        run = subprocess.run([COMMAND, *arguments, "--now", "1700000000"], capture_output=True, text=True)
        assert run.returncode == 0, (run.stdout, run.stderr)
    operations = set(re.findall(r'case \w+ = "(\w+)"|case (\w+)$', (
        PACKAGE / "Sources" / "MSALLookup" / "LookupQuery.swift").read_text("utf-8"), re.M))
    for operation in filter(None, (name for pair in operations for name in pair)):
        assert f"`{operation}`" in REFERENCE, operation


@needs_command
def test_the_page_that_follows_a_row_follows_the_samples_row(tmp_path):
    """Each value of Documentation/row-to-entry.md is in the sample, or in what the command makes of it."""
    page = (PACKAGE / "Documentation" / "row-to-entry.md").read_text("utf-8")
    cache = tmp_path / "contoso.sqlite"
    shutil.copy(PACKAGE / "Samples" / "Caches" / "contoso.sqlite", cache)

    def item(described):
        """The data of the item with these attributes."""
        attributes = dict(line.split("  ", 1) for line in described.splitlines())
        with sqlite3.connect(cache) as items:
            where = " and ".join(f"cast({name} as text) = ?" for name in attributes)
            found = items.execute(f"select data from items where {where}", list(attributes.values())).fetchall()
        assert len(found) == 1, attributes
        return found[0][0]

    texts = [text for language, text in BLOCK.findall(page) if language == "text"]
    others = {language: text for language, text in BLOCK.findall(page) if language != "text"}
    row = item(texts[0])
    assert row.startswith(bytes.fromhex(others["hex"]))
    objects = plistlib.loads(row)["$objects"]
    for number, value in re.findall(r"^\| (\d+) \| `([^`]+)` \(`", page, re.M):
        assert objects[int(number)] == value
    for claim, value in re.findall(r"^\| `(oid|tid)` \| `([^`]+)`", page, re.M):
        assert value in objects, claim
    run = subprocess.run(
        [COMMAND, "migrate", cache, "--into", cache, "--now", "1700000000", "--format", "json"],
        capture_output=True, text=True, check=True)
    entry = next(entry for entry in json.loads(run.stdout)["entries"] if entry["row"] == 10)
    assert entry["homeAccountId"] == texts[1].strip()
    assert item(texts[2]).decode() == others["json"].strip()
    assert len(entry["writes"]) == 4
    end = page[page.index("## 6."):]
    assert set(entry["reasons"] + entry["evidence"]) <= set(re.findall(r"`([^`]+)`", end))
