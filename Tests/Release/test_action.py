# SPDX-License-Identifier: MIT
"""action.yml, in a repository of somebody else: its steps are executed, with stand-ins for GitHub's own actions."""

import base64
import json
import re
import shutil
import subprocess
from pathlib import Path

import archives
import junitparser
import pytest
import yaml
from composite import Action, annotations
from released import PACKAGE, SYSTEM, was_run

SAMPLE = PACKAGE / "Samples" / "ContinuousIntegration" / "github-actions.yml"
SARIF, ARTIFACT, CACHE = "github/codeql-action/upload-sarif", "actions/upload-artifact", "actions/cache"
# As the keychain names bob@contoso.com.
BOB = "Ym9iQGNvbnRvc28uY29t"


class GitHub:
    """What GitHub keeps of a run. Code scanning may be missing."""

    def __init__(self, folder, scanning=True):
        self.folder, self.scanning = folder, scanning
        self.alerts, self.kept = {}, {}

    def artifact(self, inputs, _):
        copied = shutil.copytree(inputs["path"], self.folder / inputs["name"])
        self.kept[inputs["name"]] = sorted(path.name for path in Path(copied).iterdir())

    def sarif(self, inputs, _):
        if not self.scanning:
            raise RuntimeError("Advanced Security must be enabled for this repository to use code scanning.")
        self.alerts[inputs["category"]] = json.loads(Path(inputs["sarif_file"]).read_text("utf-8"))["runs"][0]["results"]

    def cache(self, inputs, _):
        assert re.fullmatch(r"adal2msal-\w+-\w+-[0-9a-f]{40}", inputs["key"])
        kept = self.folder / inputs["key"]
        if kept.exists():
            shutil.copytree(kept, inputs["path"])
        return {"cache-hit": str(kept.exists()).lower()}


@pytest.fixture
def github(tmp_path):
    return GitHub(tmp_path)


def action(repository, tmp_path, github, **environment):
    temporary = tmp_path / "runner"
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(parents=True)
    return Action(PACKAGE / "action.yml", repository, temporary,
                  {SARIF: github.sarif, ARTIFACT: github.artifact, CACHE: github.cache}, environment)


def log(made, name):
    return made.steps[name].log


def test_a_repository_gets_everything(repository, tmp_path, github, mirror, version):
    """The inputs of the sample workflow, in a repository that has nothing of ours."""
    job = yaml.safe_load(SAMPLE.read_text("utf-8"))["jobs"]["dry-run"]
    inputs = next(step["with"] for step in job["steps"] if step.get("uses", "").startswith("adal2msal/"))
    assert inputs == {"cache": "Samples/Caches/contoso.sqlite", "now": "1700000000", "project": ".",
                      "project-fail-on": "error"}
    inputs |= {"cache": "Fixtures/contoso.sqlite", "releases": mirror}
    made = action(repository, tmp_path, github)
    good, outputs = made.run(**inputs)
    assert good, {name: step.log for name, step in made.steps.items()}
    assert made.order == ["Install adal2msal", "Dry run", "Keep the reports", "Code scanning of the cache",
                          "Code scanning of the project"]
    assert outputs == {"status": "0", "signed-in": "4", "to-sign-in": "0", "signed-out": "0",
                       "reports": f"{tmp_path}/runner/adal2msal-reports/adal2msal"}
    assert log(made, "install").startswith(f"adal2msal {version}, SHA-256 of the archive ")
    assert github.kept == {"adal2msal": [
        f"{name}.{kind}" for name in ("cache", "project") for kind in ("json", "md", "sarif", "xml")]}
    # Each of these: summary, annotations that name the file, alerts, test results.
    summary = made.summary.read_text("utf-8")
    assert summary == "".join((tmp_path / "adal2msal" / f"{name}.md").read_text("utf-8") for name in ("cache", "project"))
    assert "All 4 accounts stay signed in." in summary
    assert ("Access token has expired or is about to expire (at.expired)", "Fixtures/contoso.sqlite") in [
        (values["title"], values.get("file")) for _, values, _ in annotations(log(made, "dry-run"), repository)]
    # Each report ends with the command that repeats it.
    [again, project] = re.findall(r"^The same run at your desk, in the root of the repository:\n\n    (.*)\n", summary, re.M)
    assert again == "adal2msal migrate Fixtures/contoso.sqlite -n --now 1700000000 --fail-on error"
    assert project == "adal2msal doctor . --fail-on error" and summary.endswith(f"    {project}\n")
    assert sorted(github.alerts) == ["adal2msal/cache/adal2msal", "adal2msal/project/adal2msal"]
    tests = junitparser.JUnitXml.fromfile(str(tmp_path / "adal2msal" / "cache.xml"))
    assert sum(suite.tests for suite in tests) > 0
    # Nothing was left in the checkout.
    assert sorted(path.name for path in repository.iterdir()) == [".git", "App", "Fixtures"]


def test_somebody_has_to_sign_in(repository, tmp_path, github, mirror):
    made = action(repository, tmp_path, github)
    good, outputs = made.run(cache="Fixtures/leftovers.items.json", now="1700000000", releases=mirror)
    assert not good
    # The one with a tombstone had to sign in with ADAL too: four errors, five accounts.
    assert (outputs["status"], outputs["to-sign-in"], outputs["signed-out"]) == ("1", "5", "1")
    errors = [(values, message) for kind, values, message in annotations(log(made, "dry-run"), repository) if kind == "error"]
    assert len(errors) == 4
    assert errors[0] == (
        {"file": "Fixtures/leftovers.items.json", "title": "Authority is an AD FS server (adfs.unsupported)"},
        "authority is an AD FS server; 1 account must sign in again (1 token). "
        "Who: auth.placeholder-7703e288__contoso.com. To do: let the user sign in once, through Microsoft Entra ID.")
    assert "4 must sign in again, 1 must sign in (ADAL could not have signed it in silently either)." in made.summary.read_text("utf-8")
    # All the same it is reported.
    assert "Keep the reports" in made.order and github.kept["adal2msal"]
    assert len(github.alerts["adal2msal/cache/adal2msal"]) > 0
    # Without a project there is nothing of one.
    assert made.steps["project-scanning"].outcome == "skipped"
    never = action(repository, tmp_path / "never", GitHub(tmp_path / "never"))
    good, outputs = never.run(cache="Fixtures/leftovers.items.json", now="1700000000", releases=mirror, fail_on="never",
                              uploads="summary")
    assert (good, outputs["to-sign-in"]) == (True, "5")
    assert never.order == ["Install adal2msal", "Dry run"]


def test_a_row_that_cannot_be_read_is_a_sign_in(repository, tmp_path, github, mirror):
    """D42: of one user all rows are cut in half."""
    cache = repository / "Fixtures" / "contoso.items.json"
    document = json.loads((PACKAGE / "Samples" / "Caches" / "contoso.items.json").read_text("utf-8"))
    for row in [item for item in document["items"] if item.get("acct") == BOB]:
        data = base64.b64decode(row["data"])
        row["data"] = base64.b64encode(data[:len(data) // 2]).decode()
    cache.write_text(json.dumps(document), "utf-8")
    made = action(repository, tmp_path, github)
    good, outputs = made.run(cache="Fixtures/contoso.items.json", now="1700000000", releases=mirror)
    assert not good
    assert (outputs["status"], outputs["signed-in"], outputs["to-sign-in"]) == ("1", "1", "1")
    assert [(values["file"], values["title"]) for kind, values, _ in annotations(log(made, "dry-run"), repository)
            if kind == "error"] == [("Fixtures/contoso.items.json", "Row cannot be decoded (row.undecodable)")]
    assert "1 account stays signed in, 1 must sign in again." in made.summary.read_text("utf-8")
    assert [alert["level"] for alert in github.alerts["adal2msal/cache/adal2msal"]
            if alert["ruleId"] == "row.undecodable"] == ["error"]


def test_without_code_scanning_it_says_so(repository, tmp_path, mirror):
    github = GitHub(tmp_path, scanning=False)
    made = action(repository, tmp_path, github)
    good, _ = made.run(cache="Fixtures/contoso.sqlite", now="1700000000", project="App", releases=mirror)
    assert good
    assert made.order[-1] == "Say that there is no code scanning"
    assert log(made, list(made.steps)[-1]).startswith(
        "::notice title=adal2msal::Code scanning did not take the report: this repository does not have it, the job")
    assert github.kept and not github.alerts


def test_policy_and_map_are_given(repository, tmp_path, github, mirror):
    (repository / "policy.json").write_text('{"accessTokens": false}', "utf-8")
    made = action(repository, tmp_path, github)
    good, outputs = made.run(cache="Fixtures/contoso.sqlite", policy="policy.json", now="1700000000", releases=mirror,
                             formats="markdown")
    assert good
    # The numbers of the outputs come from a report that is always written.
    assert github.kept == {"adal2msal": ["cache.json", "cache.md"]}
    report = json.loads((tmp_path / "adal2msal" / "cache.json").read_text("utf-8"))
    assert not any(write["type"] == "AccessToken" for entry in report["entries"] for write in entry["writes"])
    (repository / "map.csv").write_text("no,such,columns\n", "utf-8")
    broken = action(repository, tmp_path / "map", GitHub(tmp_path / "map"))
    good, outputs = broken.run(cache="Fixtures/contoso.sqlite", map="map.csv", releases=mirror)
    assert not good and outputs["status"] == "64"


def test_what_cannot_run_is_told(repository, tmp_path, github, mirror):
    """An annotation, a line of the summary and the outputs; what can run, runs."""
    made = action(repository, tmp_path, github)
    good, outputs = made.run(cache="Fixtures/nothing.sqlite", project="App", releases=mirror)
    assert not good
    assert (outputs["status"], outputs["signed-in"], outputs["to-sign-in"]) == ("66", "", "")
    told = annotations(log(made, "dry-run"), repository)
    assert told[0] == ("error", {"title": "adal2msal could not run"}, "Fixtures/nothing.sqlite does not exist")
    summary = made.summary.read_text("utf-8")
    assert summary.startswith("### adal2msal could not run\n\n    Fixtures/nothing.sqlite does not exist\n\n### ")
    assert "problems.md" in github.kept["adal2msal"] and "project.json" in github.kept["adal2msal"]
    # Without a summary there is none.
    quiet = action(repository, tmp_path / "quiet", GitHub(tmp_path / "quiet"))
    assert quiet.run(cache="README", releases=mirror, uploads="artifact")[0] is False
    assert quiet.summary.read_text("utf-8") == ""


def test_a_folder_and_a_project_below_the_root(repository, tmp_path, github, mirror):
    """Annotations and alerts name files from the repository's root; the file that cannot be read is among them."""
    (repository / "apps").mkdir()
    shutil.move(repository / "App", repository / "apps" / "ios")
    (repository / "apps" / "ios" / "Old.swift").write_text("import ADAL\n", "utf-8")
    blob = (PACKAGE / "Samples" / "Caches" / "contoso.adalcache").read_bytes()
    (repository / "Fixtures" / "cut.adalcache").write_bytes(blob[:100])
    made = action(repository, tmp_path, github)
    good, outputs = made.run(cache="./Fixtures/", project="apps/ios", now="1700000000", releases=mirror)
    assert not good and outputs["status"] == "1"
    files = {(kind, values["file"]) for kind, values, _ in annotations(log(made, "dry-run"), repository) if "file" in values}
    assert files == {
        ("error", "Fixtures/cut.adalcache"), ("error", "Fixtures/leftovers.items.json"),
        ("notice", "Fixtures/contoso.sqlite"), ("notice", "Fixtures/leftovers.items.json"),
        ("notice", "apps/ios/Old.swift")}

    def uris(category):
        return {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in github.alerts[category]}
    assert uris("adal2msal/cache/adal2msal") == {
        "Fixtures/cut.adalcache", "Fixtures/leftovers.items.json", "Fixtures/contoso.sqlite"}
    assert uris("adal2msal/project/adal2msal") == {"apps/ios/Old.swift"}
    assert made.summary.read_text("utf-8").startswith("### 1 file cannot be read, and its users are unknown. 4 accounts stay signed in, ")


def test_the_decisions_are_given(repository, tmp_path, github, mirror):
    """`into`, `for` and `join-guests`."""
    made = action(repository, tmp_path, github)
    good, _ = made.run(cache="Fixtures/contoso.sqlite", into="new cache.json", **{"for": "net"}, join_guests="true",
                       now="1700000000", releases=mirror, formats="markdown")
    assert good
    report = json.loads((tmp_path / "adal2msal" / "cache.json").read_text("utf-8"))
    assert report["target"] == {"kind": "document", "place": "new cache.json"}
    summary = made.summary.read_text("utf-8")
    assert summary.endswith(
        "    adal2msal migrate Fixtures/contoso.sqlite -n --now 1700000000 --into 'new cache.json' --for net --join-guests "
        "--fail-on error\n")
    assert not (repository / "new cache.json").exists()
    # Nobody has named an instant: the one of the run is in the command that repeats it.
    later = action(repository, tmp_path / "later", GitHub(tmp_path / "later"))
    later.run(cache="Fixtures/contoso.sqlite", releases=mirror, formats="markdown")
    assert re.search(r"^    adal2msal migrate Fixtures/contoso.sqlite -n --now \d{10} --fail-on error$",
                     later.summary.read_text("utf-8"), re.M)


def test_what_the_doctor_is_told(repository, tmp_path, github, mirror):
    """`baseline`, `exclude` and `msal`."""
    for name in ("Old", "Older"):
        (repository / "App" / f"{name} One.swift").write_text("import ADAL\n", "utf-8")
    options = {"project": ".", "project_fail_on": "note", "releases": mirror, "formats": "json"}
    made = action(repository, tmp_path, github)
    good, _ = made.run(**options, exclude="App/Old One.swift\nApp/Older*\n", msal="2.10.0")
    assert good
    report = json.loads((tmp_path / "adal2msal" / "project.json").read_text("utf-8"))
    assert report["msal"]["target"] == "2.10.0"
    half = action(repository, tmp_path / "half", GitHub(tmp_path / "half"))
    assert half.run(**options, exclude="App/Old One.swift")[0] is False
    subprocess.run([shutil.which("adal2msal", path=":".join(half.paths)), "doctor", ".", "--write-baseline", "known.json"],
                   cwd=repository, check=True, capture_output=True)
    known = action(repository, tmp_path / "known", GitHub(tmp_path / "known"))
    assert known.run(**options, baseline="known.json")[0] is True


def test_the_workflow_that_the_command_writes_runs(repository, tmp_path, github, mirror):
    """`adal2msal ci github`, in a repository of somebody else."""
    first = action(repository, tmp_path / "first", GitHub(tmp_path / "first"))
    first.run(releases=mirror)
    program = shutil.which("adal2msal", path=":".join(first.paths))
    written = subprocess.run([program, "ci", "github", "--now", "1700000000"], cwd=repository / "App", check=True,
                             capture_output=True, text=True)
    assert written.stdout.splitlines()[:2] == [".github/workflows/adal2msal.yml is written.", "  project   ."]
    workflow = yaml.safe_load((repository / ".github" / "workflows" / "adal2msal.yml").read_text("utf-8"))
    runs = [step["with"] for step in workflow["jobs"]["dry-run"]["steps"] if "cache" in step["with"]]
    assert [run["cache"] for run in runs] == ["Fixtures/contoso.sqlite", "Fixtures/leftovers.items.json"]
    for number, inputs in enumerate(runs):
        made = action(repository, tmp_path / str(number), GitHub(tmp_path / str(number)))
        inputs = {name.replace("-", "_"): value for name, value in inputs.items()}
        good, outputs = made.run(**inputs, releases=mirror)
        assert (good, outputs["status"]) == ((True, "0"), (False, "1"))[number]


def test_the_gate(repository, tmp_path, github, mirror):
    (repository / "App" / "SignOut.swift").write_text("import ADAL\n", "utf-8")
    made = action(repository, tmp_path, github)
    good, outputs = made.run(project=".", project_fail_on="note", releases=mirror)
    assert not good and outputs["status"] == "1" and outputs["signed-in"] == ""
    assert "import.adal" in log(made, "dry-run") and "file=App/SignOut.swift" in log(made, "dry-run")
    assert "adal2msal/project/adal2msal" in github.alerts


def test_an_archive_of_another_checksum_is_refused(repository, tmp_path, github, mirror, release, version):
    archive = release / f"adal2msal-{version}-{SYSTEM}.tar.gz"
    right, wrong = archives.digest(archive), "0" * 64
    made = action(repository, tmp_path, github)
    good, outputs = made.run(cache="Fixtures/contoso.sqlite", releases=mirror, checksum=wrong)
    assert (good, outputs["status"]) == (False, "65")
    problem = f"{archive.name} does not have the SHA-256 '{wrong}', but {right}"
    assert problem + "\n" in log(made, "install")
    assert annotations(log(made, "install"), repository) == [
        ("error", {"title": "adal2msal could not be installed"}, problem)]
    assert made.summary.read_text("utf-8") == f"### adal2msal could not be installed\n\n    {problem}\n\n"
    assert made.order == ["Install adal2msal"] and not (tmp_path / "runner" / "adal2msal" / "bin").exists()
    pinned = action(repository, tmp_path / "pinned", GitHub(tmp_path / "pinned"))
    assert pinned.run(cache="Fixtures/contoso.sqlite", releases=mirror, checksum=right, now="1700000000")[0]
    missing = action(repository, tmp_path / "missing", GitHub(tmp_path / "missing"))
    assert missing.run(cache="Fixtures/contoso.sqlite", releases=mirror, version="0.0.1")[0] is False


def test_provenance_is_asked_for(repository, tmp_path, mirror, version):
    """With a stand-in for GitHub's command, which is the one who knows."""
    for answer in (0, 1):
        tools = tmp_path / f"tools-{answer}"
        tools.mkdir()
        (tools / "gh").write_text(f'#!/bin/sh\necho "gh $*"\nexit {answer}\n', "utf-8")
        (tools / "gh").chmod(0o755)
        made = action(repository, tmp_path / str(answer), GitHub(tmp_path / str(answer)))
        made.paths.append(str(tools))
        good, _ = made.run(cache="Fixtures/contoso.sqlite", now="1700000000", releases=mirror, provenance="true")
        assert good == (answer == 0)
        assert (f"{SYSTEM}.tar.gz --repo adal2msal/adal2msal --signer-workflow "
                f"adal2msal/adal2msal/.github/workflows/release.yml --source-ref refs/tags/v{version}\n"
                ) in log(made, "install")


def test_provenance_fails_closed(repository, tmp_path, mirror):
    """A word that is neither true nor false verifies nothing, so nothing is installed."""
    for number, word in enumerate(("TRUE", "True", "yes", "1", "", "true ", "true\n")):
        made = action(repository, tmp_path / str(number), GitHub(tmp_path / str(number)))
        assert made.run(cache="Fixtures/contoso.sqlite", releases=mirror, provenance=word)[0] is False
        sentence = "provenance must be true or false"
        assert log(made, "install") == f"::error title=adal2msal could not be installed::{sentence}\n{sentence}\n" and made.order == ["Install adal2msal"]


@pytest.mark.parametrize("given, sentence", [
    ({"releases": "http://mirror.test"}, "the place of the releases must begin with https://\n"),
    ({"releases": "file:///tmp"}, "the place of the releases must begin with https://\n"),
    ({"releases": "--config=x"}, "the place of the releases must begin with https://\n"),
    ({"releases": "https://mirror.test\nx"}, "the place of the releases must begin with https://\n"),
    ({"version": "../0.1.0"}, "the version must be three numbers, like 1.2.3\n"),
    ({"version": "0.1.0\nx"}, "the version must be three numbers, like 1.2.3\n"),
    ({"checksum": "ABC"}, "the checksum must be 64 hexadecimal digits in lower case, or empty\n"),
])
def test_an_input_of_the_installation_is_refused(repository, tmp_path, github, mirror, given, sentence):
    made = action(repository, tmp_path, github)
    assert made.run(**{"cache": "Fixtures/contoso.sqlite", "releases": mirror} | given)[0] is False
    assert (log(made, "install"), made.order) == (f"::error title=adal2msal could not be installed::{sentence}{sentence}", ["Install adal2msal"])


def test_nothing_but_https_is_taken(tmp_path):
    """What the script asks of curl, with the real one: neither http nor a file, first or as a redirection."""
    text = (PACKAGE / "Packaging" / "ci" / "install.sh").read_text("utf-8")
    options = re.search(r"curl (--fail[\s\S]*?)\\\n\s+--output", text)[1].split()
    (tmp_path / "here").write_text("x", "utf-8")
    for address in ((tmp_path / "here").as_uri(), "http://127.0.0.1:9/x"):
        asked = subprocess.run(["curl", *[word for word in options if word != "--retry" and word != "3"], address],
                               capture_output=True, text=True)
        assert asked.returncode == 1 and "disabled" in asked.stderr, asked.stderr


def test_an_archive_of_another_version_is_refused(repository, tmp_path, github, mirror, mirror_folder, release, version):
    """Its sum is right, as it would be in a release of somebody else's."""
    folder, name = mirror_folder / "v9.9.9", f"adal2msal-9.9.9-{SYSTEM}.tar.gz"
    folder.mkdir(exist_ok=True)
    shutil.copy(release / f"adal2msal-{version}-{SYSTEM}.tar.gz", folder / name)
    (folder / "SHA256SUMS").write_text(f"{archives.digest(folder / name)}  {name}\n", "utf-8")
    made = action(repository, tmp_path, github)
    assert made.run(cache="Fixtures/contoso.sqlite", releases=mirror, version="9.9.9")[0] is False
    sentence = f"{name} holds another version: '{version}'\n"
    assert log(made, "install") == f"::error title=adal2msal could not be installed::{sentence}{sentence}"
    assert sorted(path.name for path in (tmp_path / "runner" / "adal2msal").iterdir()) == ["SHA256SUMS"]
    assert made.paths == []


def test_a_run_would_be_noticed(repository, tmp_path, github, mirror, unused):
    made = action(repository, tmp_path, github)
    assert made.run(cache="Fixtures/contoso.sqlite", releases=mirror, version=unused)[0] is False
    assert made.paths and was_run(made.paths)


@pytest.mark.parametrize("name", ["cache", "policy", "map", "into", "for", "join-guests", "now", "fail-on", "project",
                                  "project-fail-on", "baseline", "msal", "formats", "uploads", "artifact"])
@pytest.mark.parametrize("value", ["--help", "-", "a\nsigned-in=9999", "a\rb"])
def test_an_input_of_the_dry_run_is_refused(repository, tmp_path, github, mirror, unused, name, value):
    """A line break would set other outputs of the action, a dash would be an option."""
    made = action(repository, tmp_path, github)
    good, outputs = made.run(**{"cache": "Fixtures/contoso.sqlite", "releases": mirror, "version": unused,
                                "now": "1700000000", name: value})
    assert not good and not was_run(made.paths)
    assert (outputs["signed-in"], outputs["status"]) == ("", "64")
    assert re.search(r" must not (begin with a dash|have line breaks or other control characters)\n$", log(made, "dry-run"))


@pytest.mark.parametrize("value, sentence", [
    ("--help", "EXCLUDE must not have a line that begins with a dash\n"),
    ("Pods\n-", "EXCLUDE must not have a line that begins with a dash\n"),
    ("Pods\ra", "EXCLUDE must not have control characters but line feeds\n"),
])
@pytest.mark.parametrize("project", ["", "."])
def test_a_pattern_of_the_dry_run_is_refused(repository, tmp_path, github, mirror, unused, project, value, sentence):
    """Line breaks are between patterns. Nothing runs, whether or not there is a project."""
    made = action(repository, tmp_path, github)
    good, outputs = made.run(cache="Fixtures/contoso.sqlite", releases=mirror, version=unused, project=project, exclude=value)
    assert (good, outputs["signed-in"], outputs["status"]) == (False, "", "64")
    assert not was_run(made.paths)
    assert log(made, "dry-run").endswith(f"\n{sentence}")


@pytest.mark.parametrize("artifact", ["../../x", "a/b", ".x", ""])
def test_an_artifact_stays_in_its_folder(repository, tmp_path, github, mirror, unused, artifact):
    made = action(repository, tmp_path, github)
    good, outputs = made.run(cache="Fixtures/contoso.sqlite", releases=mirror, version=unused, artifact=artifact)
    assert not good and outputs["status"] == "64" and not was_run(made.paths)
    assert "the artifact's name may have letters" in log(made, "dry-run")
    assert github.kept == {}


def test_what_writes_no_report_has_not_looked(repository, tmp_path, github, mirror):
    """A command that ends well without its report is a failure."""
    made = action(repository, tmp_path, github)
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "adal2msal").write_text("#!/bin/sh\nexit 0\n", "utf-8")
    (tools / "adal2msal").chmod(0o755)
    made.last_paths = [str(tools)]
    good, outputs = made.run(cache="Fixtures/contoso.sqlite", releases=mirror)
    assert not good and outputs["status"] == "70"
    assert log(made, "dry-run").endswith("there is no report about Fixtures/contoso.sqlite\n")


def test_the_sources_are_built_and_kept(repository, tmp_path, github, release, version):
    """`version: source`, with a checkout of the action whose install script takes the command at hand."""
    checkout = tmp_path / "checkout"
    for name in ("action.yml", "Package.swift", "Packaging", "Sources"):
        place = PACKAGE / name
        (shutil.copytree if place.is_dir() else shutil.copy)(place, (checkout.mkdir(exist_ok=True), checkout / name)[1])
    (checkout / "scripts").mkdir()
    (checkout / "scripts" / "needs.sh").write_text("", "utf-8")
    (checkout / "scripts" / "install").write_text(
        f'#!/bin/sh\nset -e\nmkdir -p "$1"\n'
        f'tar -xzf "{release}/adal2msal-{version}-{SYSTEM}.tar.gz" --strip-components 1 -C "$1"\n', "utf-8")
    (checkout / "scripts" / "install").chmod(0o755)

    def run(name, **inputs):
        temporary = tmp_path / name
        temporary.mkdir()
        made = Action(checkout / "action.yml", repository, temporary, {CACHE: github.cache})
        good, outputs = made.run(cache="Fixtures/contoso.sqlite", version="source", now="1700000000", uploads="summary",
                                 **inputs)
        return made, good, outputs["signed-in"], temporary / "adal2msal"

    # Without a checksum nothing could be verified, so the cache is not asked.
    made, good, signed_in, built = run("first")
    assert (good, signed_in, made.called) == (True, "4", []) and "Build adal2msal" in made.order
    sum = archives.digest(built / "bin" / "adal2msal")
    assert f"SHA-256 of the command {sum}\n" in "".join(step.log for step in made.steps.values())
    made, good, signed_in, built = run("second", checksum=sum)
    assert (good, signed_in) == (True, "4") and "Build adal2msal" in made.order
    key = made.called[0][1]["key"]
    shutil.copytree(built, tmp_path / key)
    made, good, signed_in, _ = run("third", checksum=sum)
    assert (good, signed_in) == (True, "4") and "Build adal2msal" not in made.order
    # Somebody else's command in the cache.
    (tmp_path / key / "bin" / "adal2msal").write_text("#!/bin/sh\nexit 0\n", "utf-8")
    made, good, signed_in, built = run("fourth", checksum=sum)
    assert (good, signed_in) == (False, "") and not (built / "bin").exists() and "Dry run" not in made.order
    # The key is of what is linked, too.
    (checkout / "Packaging" / "dependencies").write_text("other 1.0.0 0\n", "utf-8")
    made, good, _, _ = run("fifth", checksum=sum)
    assert good and made.called[0][1]["key"] != key and "Build adal2msal" in made.order


def test_an_unknown_format_is_told(repository, tmp_path, github, mirror):
    made = action(repository, tmp_path, github)
    good, _ = made.run(cache="Fixtures/contoso.sqlite", formats="json pdf", releases=mirror)
    assert not good
    assert annotations(log(made, "dry-run"), repository) == [
        ("error", {"title": "adal2msal could not run"},
         "unknown format 'pdf'; known are text, json, markdown, sarif, junit and html")]
    assert github.kept == {"adal2msal": ["problems.md"]}
