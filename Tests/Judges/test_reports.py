# SPDX-License-Identifier: MIT
"""Reports, judged by tools that know nothing of adal2msal.

The samples are the golden files that the Swift tests compare with; strings that were made to do
harm are in `hostile`. Where the environment variable ADAL2MSAL names the command, its own reports on the caches
in Samples/Caches are judged too.
"""

import hmac
import itertools
import json
import os
import re
import subprocess
import sys
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
REPORTS = ["report.json", "summary.md", "results.sarif", "tests.xml", "report.txt"]

sys.path.append(str(PACKAGE / "Samples" / "Caches"))
import make  # noqa: E402

# What a name, an authority or a resource may try in a terminal, a build log, a page, an XML file.
HOSTILE = [
    "::error file=a.js,line=1::owned", "##vso[task.setvariable variable=a]b", "##[error]owned", "a\n::warning::owned",
    "a\r##vso[task.complete result=Failed]", "<script>alert(1)</script>", "| cell |\n|---|", "[link](https://evil.example)",
    "![image](https://evil.example/a.png)", "@somebody #1 owner/repo#1", "]]><failure/>", "\"/><testcase name=\"a",
    "\x1b[2J\x1b]0;owned\x07", "\u202eowned\u2066", "%0A::error::owned", "`code` ~~gone~~ **bold**", "&lt;b&gt;&amp;",
    "\0", "\ufeff\u200b", "a" * 3000,
]

SCHEMA = json.loads((PACKAGE / "Schemas" / "report.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
LOOKUP_SCHEMA = json.loads((PACKAGE / "Schemas" / "lookup.schema.json").read_text("utf-8"))
LOOKUP_VALIDATOR = jsonschema.Draft202012Validator(LOOKUP_SCHEMA)


def golden_samples():
    return sorted(folder for folder in GOLDENS.iterdir() if (folder / "report.json").exists())


def caches():
    """The caches that the command can be asked about; the others are documents and programs."""
    folder = PACKAGE / "Samples" / "Caches"
    return sorted(p for p in folder.iterdir() if p.suffix in {".sqlite", ".json", ".adalcache"})


def hostile_cache(folder):
    """A cache made to do harm, in a file whose name is too: people that stay, guests, and rows of AD FS."""
    items = []
    for number, text in enumerate(HOSTILE):
        user = f"{text}@contoso.com"
        claims = make.claims("A B", user, make.CONTOSO, make.MAIL)
        guest = make.claims("A B", f"guest {user}", make.CONTOSO, make.MAIL, altsecid=f"5::{text}",
                            idp=f"https://sts.windows.net/{make.FABRIKAM}/")
        row = make.refresh(user, make.MAIL, make.COMMON, claims, f"row-{number}")
        items += [make.keychain_item(row, make.GROUP, make.NOW) for row in (
            row, make.access(row, f"https://{number}.example/{text}", make.NOW + 3600),
            make.refresh(f"guest {user}", make.MAIL, f"https://login.windows.net/{make.CONTOSO}", guest, f"g-{number}"),
            make.refresh(f"other {user}", text, f"https://fs.example/adfs/{text}", claims, f"fs-{number}"))]
    path = folder / "a]::error::b|<img src=x> ##vso[task.complete]`@x`.items.json"
    make.write_items(path, items)
    return path


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """Folders with reports of the command, one for each cache, kind of run and clock, with names and without."""
    if not COMMAND:
        return []
    folders = []
    kinds = [["inspect"], ["migrate", "-n"], ["migrate", "-n", "--show-usernames"]]
    hostile = hostile_cache(tmp_path_factory.mktemp("hostile"))
    for cache in [*caches(), hostile]:
        for kind, now in itertools.product(kinds, [make.NOW, "2026-01-01T00:00:00Z"]):
            folder = tmp_path_factory.mktemp("reports")
            reports = [x for name in REPORTS for x in ("--report", folder / name)]
            for log in ("github", "azure"):
                run = subprocess.run(
                    [COMMAND, *kind, cache, "--now", str(now), "--format", log, *reports], capture_output=True, timeout=60)
                assert run.returncode in (0, 1), (cache, kind, run.stderr)
                (folder / f"{log}.log").write_bytes(run.stdout)
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
    for schema in (SCHEMA, LOOKUP_SCHEMA):
        jsonschema.Draft202012Validator.check_schema(schema)


def test_json_is_as_the_schema_says(folders):
    for folder in folders:
        errors = list(VALIDATOR.iter_errors(json.loads(read(folder, "report.json"))))
        assert not errors, (folder, errors[0].message, list(errors[0].absolute_path))


def test_the_summary_is_as_its_schema_says():
    schema = json.loads((PACKAGE / "Schemas" / "summary.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for folder in golden_samples():
        summary = json.loads(read(folder, "telemetry.json"))
        assert not list(validator.iter_errors(summary)), folder
        report = json.loads(read(folder, "report.json"))
        assert summary["rows"] == report["summary"]["rows"] == sum(summary["kinds"].values())
        assert not validator.is_valid(summary | {"user": "megan@contoso.com"})
        assert not validator.is_valid(summary | {"outcomes": {"converted": "megan"}})


@pytest.mark.skipif(not COMMAND, reason="not checked: ADAL2MSAL does not name the command")
@pytest.mark.parametrize("length", [16, 63, 64, 65, 200])
def test_a_mask_with_a_key_is_an_hmac(length):
    cache, key = PACKAGE / "Samples" / "Caches" / "contoso.sqlite", "k" * length

    def names(*options):
        run = subprocess.run(
            [COMMAND, "inspect", cache, "--now", str(make.NOW), "--format", "json", *options], capture_output=True, timeout=60,
            env={**os.environ, "ADAL2MSAL_MASK_KEY": key}, check=True)
        return [account["userId"] for account in json.loads(run.stdout)["accounts"]]
    wanted = [f"user-{hmac.new(key.encode(), name.lower().encode(), 'sha256').hexdigest()[:16]}"
              for name in names("--show-usernames")]
    assert names("--mask", "salted") == wanted and len(set(wanted)) == 4


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
        # A comment on GitHub has room for 65536 characters.
        assert len(page) < 1 << 20 and len(read(folder, "summary.md")) < 65536
        left = re.findall(r"^… and (\d+) more rows; the JSON report has them all\.$", read(folder, "summary.md"), re.M)
        assert rows + sum(map(int, left)) == sum(len(part) + 1 for part in parts if part), folder


def test_names_survive_markdown():
    page = MarkdownIt("gfm-like", {"html": True, "linkify": True}).render(
        read(GOLDENS / "hostile", "summary.md"))
    tags = Tags()
    tags.feed(page)
    for name in ("[link](https://evil.example)@contoso.com", "| cell | cell |@contoso.com",
                 "<script>alert(1)</script>@contoso.com", "a\\|b@contoso.com", "&lt;b&gt;&#60;i&#62;@contoso.com"):
        assert name in tags.text


def test_annotations_are_lines_of_one_form(folders):
    for folder in folders:
        for line in read(folder, "github.log").splitlines():
            assert re.fullmatch(r"::(notice|warning|error) (file=[^:,]+,)?title=(adal2msal|[^:,]+ \([a-z0-9.-]+\))::.+", line), line
        # The runner looks for commands anywhere in a line.
        assert not re.search(r"##\[|##vso\[", read(folder, "github.log"))
        commands = re.findall(r"##(?:vso)?\[", read(folder, "azure.log"))
        assert len(commands) == len(re.findall(r"^##vso\[task.logissue ", read(folder, "azure.log"), re.M))
        for line in read(folder, "azure.log").splitlines()[1:]:
            assert re.fullmatch(
                r"(##vso\[task\.logissue type=(warning|error);(sourcepath=[^;\]]+;)?code=[a-z0-9.-]+\]|note: ).+ \([a-z0-9.-]+(, \d+ \w+)?\)\. .+", line), line


def assert_harmless(text):
    """It neither steers a terminal nor is taken for a command by a build."""
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066\u2067]", text)
    assert "##vso[" not in text and "##[" not in text
    assert not re.search(r"^\s*::", text, re.M)


def test_text_is_harmless(made):
    for folder in made:
        assert_harmless(read(folder, "report.txt"))


@pytest.mark.skipif(not COMMAND, reason="not checked: ADAL2MSAL does not name the command")
def test_lookups_are_harmless(tmp_path):
    items, document = hostile_cache(tmp_path), tmp_path / "cache.json"
    for target in (items, document):
        subprocess.run([COMMAND, "migrate", items, "--into", target, "--now", str(make.NOW), "--fail-on", "never"],
                       check=True, capture_output=True)
    name = f"{HOSTILE[0]}@contoso.com"
    asked = [[], ["--show-usernames"], ["--show-usernames", "--username", name, "--scope", HOSTILE[1]],
             ["--account-id", HOSTILE[12], "--scope", HOSTILE[12]], ["--authority", HOSTILE[12]], ["--client-id", HOSTILE[3]]]
    clients = ["--client-id", make.MAIL], []
    for cache, words, form, client in itertools.product((items, document), asked, ("text", "json"), clients):
        run = subprocess.run([COMMAND, "lookup", cache, "--now", str(make.NOW), "--format", form, *client, *words],
                             capture_output=True, text=True)
        assert run.returncode in (0, 1, 64), (cache, words, run.stderr)
        assert_harmless(run.stdout + run.stderr)
        if run.returncode != 64 and form == "json":
            LOOKUP_VALIDATOR.validate(json.loads(run.stdout))


@pytest.mark.skipif(not COMMAND, reason="not checked: ADAL2MSAL does not name the command")
def test_lookups_are_as_the_schema_says(tmp_path):
    found = []
    for cache in caches():
        document = tmp_path / f"{cache.name}.json"
        subprocess.run([COMMAND, "migrate", cache, "--into", document, "--now", str(make.NOW)], capture_output=True)
        places = [cache, document] if document.exists() else [cache]
        scope = ["--scope", f"{make.GRAPH}/.default"]
        asked = [[], ["--username", "adele@contoso.com", *scope], ["--username", "diego@fabrikam.com", "--show-usernames"],
                 ["--username", "nobody", *scope], ["--account-id", "a.b", *scope]]
        for place, words in itertools.product(places, asked):
            run = subprocess.run([COMMAND, "lookup", place, "--client-id", make.MAIL, "--now", str(make.NOW), "--format",
                                  "json", *words], capture_output=True, text=True)
            answer = json.loads(run.stdout)
            LOOKUP_VALIDATOR.validate(answer)
            assert answer["found"] == (run.returncode == 0)
            found.append(answer["found"])
    assert {True, False} == set(found)
    # The schema can fail.
    assert not LOOKUP_VALIDATOR.is_valid({**answer, "found": "yes"})
    assert not LOOKUP_VALIDATOR.is_valid({**answer, "secret": "x"})


@pytest.mark.skipif(not COMMAND, reason="not checked: ADAL2MSAL does not name the command")
def test_a_lookup_without_a_client_asks_every_client():
    """Each client's answer is that of a look-up which names the client."""
    forms = set()
    for cache, words in itertools.product(caches(), ([], ["--username", "adele@contoso.com"], ["--username", "absent"])):
        def ask(*more):
            run = subprocess.run([COMMAND, "lookup", cache, "--now", str(make.NOW), "--format", "json", *words, *more],
                                 capture_output=True, text=True)
            answer = json.loads(run.stdout)
            LOOKUP_VALIDATOR.validate(answer)
            return run.returncode, answer

        status, answer = ask()
        if "knownClients" in answer:
            forms.add("list")
            assert status == 0 and words == [] and len(answer["knownClients"]) != 1
            continue
        forms.add("answers")
        assert status == (0 if all(client["answer"]["found"] for client in answer["clients"]) else 1)
        if words:
            singles = [ask("--client-id", client["clientId"]) for client in answer["clients"]]
            assert [single for _, single in singles] == [client["answer"] for client in answer["clients"]], cache
    assert forms == {"list", "answers"}
