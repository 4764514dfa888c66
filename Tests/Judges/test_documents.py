# SPDX-License-Identifier: MIT
"""What the documents say is true: links lead somewhere, Swift is Swift, consoles print what is printed.

ADAL2MSAL names the command and SWIFT_MODULES the folder of our built modules; without them the tests
that need them are skipped, and say so.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("ADAL2MSAL")
MODULES = os.environ.get("SWIFT_MODULES", str(PACKAGE / ".build" / "debug" / "Modules"))
DOCUMENTS = sorted(PACKAGE.glob("*.md"))

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


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda d: d.name)
def test_links_lead_somewhere(document):
    text = BLOCK.sub("", document.read_text("utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = document.parent / path if path else document
        assert file.exists(), f"{document.name}: {target}"
        if anchor:
            assert anchor in anchors(file), f"{document.name}: {target}"


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
    source.write_text(text, "utf-8")
    check = subprocess.run(
        ["swiftc", "-typecheck", "-swift-version", "5", "-warnings-as-errors", "-I", stubs, "-I", MODULES,
         source], capture_output=True, text=True, timeout=300)
    assert check.returncode == 0, check.stderr


@pytest.fixture(scope="session")
def clone(tmp_path_factory):
    """A folder as a reader has it after cloning: with the samples, and with the command on the path."""
    folder = tmp_path_factory.mktemp("clone")
    shutil.copytree(PACKAGE / "Samples", folder / "Samples")
    return folder


def with_output(console, folder):
    """A console block with what its commands print, one after the other, in this folder."""
    script = ["exec 2>&1", "status=0"]
    for line in console.splitlines():
        if line.startswith("$ "):
            quoted = line.replace("'", "'\\''")
            script += [f"printf '%s\\n' '{quoted}'", "(exit $status)", line[2:], "status=$?"]
    environment = dict(os.environ, PATH=f"{Path(COMMAND).resolve().parent}:{os.environ['PATH']}")
    run = subprocess.run(
        ["bash", "-c", "\n".join(script)], cwd=folder, capture_output=True, text=True, env=environment, timeout=120)
    return run.stdout


@pytest.mark.skipif(not COMMAND, reason="not checked: ADAL2MSAL does not name the command")
def test_consoles_print_what_is_printed(clone):
    """RECORD_GOLDENS=1 writes the output into the guide, and then fails."""
    guide = PACKAGE / "MIGRATION.md"
    text = guide.read_text("utf-8")
    consoles = [block for language, block in BLOCK.findall(text) if language == "console"]
    assert len(consoles) > 5
    made = [(block, with_output(block, clone)) for block in consoles]
    if os.environ.get("RECORD_GOLDENS") == "1":
        for block, output in made:
            text = text.replace(f"```console\n{block}```", f"```console\n{output}```", 1)
        guide.write_text(text, "utf-8")
        pytest.fail("the consoles were recorded")
    for block, output in made:
        assert output == block
