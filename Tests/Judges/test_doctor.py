# SPDX-License-Identifier: MIT
"""The doctor's reports on the sample app, judged by tools that know nothing of adal2msal."""

import json
import os
import subprocess
from pathlib import Path

import jsonschema
import pytest
from junitparser import JUnitXml
from markdown_it import MarkdownIt
from sarif import loader
from sarif_pydantic import Sarif

PACKAGE = Path(__file__).resolve().parents[2]
APP = PACKAGE / "Samples" / "LegacyApp"
COMMAND = os.environ.get("ADAL2MSAL")
SCHEMA = json.loads((PACKAGE / "Schemas" / "doctor.schema.json").read_text("utf-8"))

pytestmark = pytest.mark.skipif(not COMMAND, reason="not checked: ADAL2MSAL does not name the command")


@pytest.fixture
def reports(tmp_path):
    names = ["report.json", "results.sarif", "tests.xml", "summary.md"]
    options = [word for name in names for word in ("--report", str(tmp_path / name))]
    run = subprocess.run([COMMAND, "doctor", str(APP), *options], capture_output=True, text=True, timeout=120)
    assert run.returncode == 1, run.stderr
    return tmp_path


def test_the_json_is_what_the_schema_says(reports):
    diagnosis = json.loads((reports / "report.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(SCHEMA).validate(diagnosis)
    assert diagnosis["summary"]["errors"] == 2


def test_each_place_is_a_result_with_a_region_in_its_file(reports):
    places = json.loads((reports / "report.json").read_text("utf-8"))["summary"]["places"]
    Sarif.model_validate_json((reports / "results.sarif").read_text("utf-8"))
    log = json.loads((reports / "results.sarif").read_text("utf-8"))
    results = log["runs"][0]["results"]
    assert len(results) == places
    assert loader.load_sarif_file(str(reports / "results.sarif")).get_result_count() == places
    assert log["runs"][0]["originalUriBaseIds"]["SRCROOT"]["uri"] == PACKAGE.as_uri() + "/"
    for result in results:
        place = result["locations"][0]["physicalLocation"]
        # From the root of the repository, as code scanning has it.
        lines = (PACKAGE / place["artifactLocation"]["uri"]).read_text("utf-8").splitlines()
        region = place["region"]
        line = lines[region["startLine"] - 1]
        assert 1 <= region["startColumn"] <= len(line) + 1
        assert line[region["startColumn"] - 1:].strip()


def test_junit_is_read(reports):
    suites = JUnitXml.fromfile(str(reports / "tests.xml"))
    assert sum(suite.failures for suite in suites) == 3


# What a name, a group or an address of a project may try in Markdown.
HOSTILE = ["<img src=x onerror=alert(1)>", "a`b``c```d", "`", " a ", "[x](javascript:alert(1))", "www.evil.example", "a|b", "a\\|b",
           "*b*", "</details>", "&lt;i&gt;", "<!--", "$(x)", "~~s~~", "@someone"]


def rendered(text):
    """The tokens of a text, with raw HTML and links from plain text, as on GitHub."""
    tokens = MarkdownIt("gfm-like", {"html": True, "linkify": True}).parse(text)
    return tokens + [child for token in tokens for child in token.children or []]


def test_nothing_of_a_project_acts_in_its_plan(tmp_path):
    app = tmp_path / "app"
    app.mkdir()
    lines = ["#import <ADAL/ADAL.h>"]
    for number, text in enumerate(HOSTILE):
        quoted = text.replace("\\", "\\\\")
        lines += [f'[c acquireTokenWithResource:@"https://h{number}.example/{quoted}" clientId:@"{quoted}"];',
                  f'[settings setDefaultKeychainGroup:@"{quoted}"];']
        if "/" not in text:
            (app / f"{text}.m").write_text("#import <ADAL/ADAL.h>\n", "utf-8")
    (app / "a.m").write_text("\n".join(lines), "utf-8")
    plan, report = tmp_path / "plan.md", tmp_path / "report.md"
    run = subprocess.run([COMMAND, "doctor", str(app), "--plan", str(plan), "--report", str(report), "--fail-on", "never"],
                         capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    for document in (plan, report):
        text = document.read_text("utf-8")
        tokens = rendered(text)
        html = {token.content.strip() for token in tokens if token.type in ("html_block", "html_inline")}
        assert html <= {"<code>", "</code>", "<s>", "</s>", "</details>"} | {h for h in html if h.startswith("<details><summary>")}, html
        links = [token.attrs["href"] for token in tokens if token.type == "link_open"]
        assert links and all(link.endswith(tuple(f"#L{n}" for n in range(1, 99))) for link in links), links
        assert not [token for token in tokens if token.type in ("image", "em_open", "s_open")]
        code = {token.content for token in tokens if token.type == "code_inline"}
        assert "https://h1.example/a`b``c```d" in code
    assert {token.tag for token in rendered(plan.read_text("utf-8")) if token.type == "fence"} == {"code"}
