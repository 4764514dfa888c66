# SPDX-License-Identifier: MIT
"""Reports, judged by tools that know nothing of adal2msal.

The samples are the golden files that the Swift tests compare with; strings that were made to do
harm are in `hostile`. Where the environment variable ADAL2MSAL names the command, its own reports on the caches
in Samples/Caches are judged too.
"""

import json
import os
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest
from junitparser import JUnitXml
from markdown_it import MarkdownIt
from sarif import loader
from sarif_pydantic import Sarif

PACKAGE = Path(__file__).resolve().parents[2]
GOLDENS = PACKAGE / "Tests" / "Goldens"
COMMAND = os.environ.get("ADAL2MSAL")
EXTENSIONS = {".json": "report.json", ".md": "summary.md", ".sarif": "results.sarif", ".xml": "tests.xml"}

SCHEMA = json.loads((PACKAGE / "Schemas" / "report.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def golden_samples():
    return sorted(folder for folder in GOLDENS.iterdir() if (folder / "report.json").exists())


def caches():
    """The caches that the command can be asked about; files without a known extension are documents."""
    folder = PACKAGE / "Samples" / "Caches"
    known = {".sqlite", ".db", ".json", ".plist", ".archive", ".bin"}
    return sorted(p for p in folder.rglob("*") if p.suffix in known and not p.name.startswith("."))


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """Folders with reports of the command, one for each cache and kind of run."""
    if not COMMAND:
        return []
    folders = []
    for cache in caches():
        for arguments in (["inspect", cache], ["migrate", cache, "-n"]):
            folder = tmp_path_factory.mktemp(cache.stem)
            reports = [x for name in EXTENSIONS.values() for x in ("--report", folder / name)]
            run = subprocess.run(
                [COMMAND, *arguments, "--now", "2026-01-01T00:00:00Z", *reports],
                capture_output=True, timeout=60)
            assert run.returncode in (0, 1), (cache, arguments, run.stderr)
            folders.append(folder)
    assert folders, "no cache in Samples/Caches to ask about"
    return folders


@pytest.fixture
def folders(made):
    return golden_samples() + made


def read(folder, name):
    return (folder / name).read_text("utf-8")


def test_there_are_samples():
    assert {"mixed", "hostile", "inspection", "nothing"} <= {f.name for f in golden_samples()}


def test_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_json_is_as_the_schema_says(folders):
    for folder in folders:
        errors = list(VALIDATOR.iter_errors(json.loads(read(folder, "report.json"))))
        assert not errors, (folder, errors[0].message, list(errors[0].absolute_path))


def test_the_schema_can_fail():
    report = json.loads(read(GOLDENS / "mixed", "report.json"))
    report["entries"][0]["kind"] = "something-else"
    assert not VALIDATOR.is_valid(report)
    report = json.loads(read(GOLDENS / "mixed", "report.json"))
    del report["applied"]
    assert not VALIDATOR.is_valid(report)


def test_json_counts_add_up(folders):
    for folder in folders:
        report = json.loads(read(folder, "report.json"))
        summary = report["summary"]
        assert summary["rows"] == len(report["entries"])
        assert [entry["row"] for entry in report["entries"]] == list(range(summary["rows"]))
        if "applied" in report:
            outcomes = [entry["outcome"] for entry in report["entries"]]
            assert summary["converted"] == outcomes.count("converted")
            assert summary["alreadyThere"] == outcomes.count("already-there")
            assert summary["notConverted"] == outcomes.count("not-converted")


def test_sarif_is_read_by_sarif_tools(folders):
    for folder in folders:
        findings = json.loads(read(folder, "report.json")).get("findings", [])
        records = loader.load_sarif_file(str(folder / "results.sarif")).get_records()
        wanted = sorted((finding["severity"], finding["reason"]) for finding in findings)
        found = sorted((record["Severity"], record["Code"]) for record in records)
        assert found == wanted, folder
        assert all(record["Location"] and record["Line"] == 1 for record in records)


def test_sarif_is_as_its_model_says(folders):
    for folder in folders:
        text = read(folder, "results.sarif")
        run = Sarif.model_validate_json(text).runs[0]
        rules = [rule.id for rule in run.tool.driver.rules or []]
        fingerprints = set()
        for result in run.results or []:
            assert rules[result.rule_index] == result.rule_id
            assert result.locations
            fingerprints.add(tuple((result.partial_fingerprints or {}).items()))
        assert len(fingerprints) == len(run.results or [])


def test_junit_is_read_by_junitparser(folders):
    for folder in folders:
        report = json.loads(read(folder, "report.json"))
        tests = JUnitXml.fromfile(str(folder / "tests.xml"))
        cases = [case for suite in tests for case in suite]
        rows = [case for case in cases if case.name.startswith("row ")]
        assert len(rows) == report["summary"]["rows"]
        failed = {
            int(re.match(r"row (\d+):", case.name)[1])
            for case in rows if any(r.__class__.__name__ == "Failure" for r in case.result)
        }
        errors = [f for f in report.get("findings", []) if f["severity"] == "error"]
        assert failed == {row for finding in errors for row in finding["rows"]}
        # What a suite says of itself is what it holds.
        for suite in tests:
            said = (suite.tests, suite.failures, suite.skipped)
            suite.update_statistics()
            assert said == (suite.tests, suite.failures, suite.skipped)


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.text = set(), [], []

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes += [(tag, name, value) for name, value in attributes]

    def handle_data(self, data):
        self.text.append(data)


def test_markdown_renders_to_tables_and_nothing_else(folders):
    for folder in folders:
        report = json.loads(read(folder, "report.json"))
        # With raw HTML and links from plain text, as on GitHub.
        page = MarkdownIt("gfm-like", {"html": True, "linkify": True}).render(read(folder, "summary.md"))
        tags = Tags()
        tags.feed(page)
        assert tags.tags <= {
            "h3", "p", "table", "thead", "tbody", "tr", "th", "td", "code", "strong", "details", "summary"
        }, folder
        assert all(name == "style" for _, name, _ in tags.attributes), folder
        rows = page.count("<tr>")
        parts = [report["accounts"], report["entries"], report.get("findings", [])]
        assert rows == sum(len(part) + 1 for part in parts if part), folder


def test_names_survive_markdown():
    page = MarkdownIt("gfm-like", {"html": True, "linkify": True}).render(
        read(GOLDENS / "hostile", "summary.md"))
    tags = Tags()
    tags.feed(page)
    for name in ("[link](https://evil.example)@contoso.com", "| cell | cell |@contoso.com",
                 "<script>alert(1)</script>@contoso.com", "a\\|b@contoso.com", "&lt;b&gt;&#60;i&#62;@contoso.com"):
        assert name in tags.text


def test_annotations_are_lines_of_one_form():
    for folder in golden_samples():
        for line in read(folder, "github.log").splitlines():
            assert re.fullmatch(r"::(notice|warning|error) title=[a-z0-9.-]+::.+", line), line
        for line in read(folder, "azure.log").splitlines()[1:]:
            assert re.fullmatch(
                r"(##vso\[task\.logissue type=(warning|error);code=[a-z0-9.-]+\]|note [a-z0-9.-]+: ).+", line), line
