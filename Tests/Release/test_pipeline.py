# SPDX-License-Identifier: MIT
"""The template for Azure Pipelines, in a repository of somebody else: its scripts are executed as an agent does it;
of the tasks, the inputs are looked at."""

import json
import os
import re
import shutil
import subprocess

import junitparser
import pytest
import yaml
from released import PACKAGE, was_run

SAMPLE = PACKAGE / "Samples" / "ContinuousIntegration"
TEMPLATE = yaml.safe_load((SAMPLE / "azure-template.yml").read_text("utf-8"))
PIPELINE = yaml.safe_load((SAMPLE / "azure-pipelines.yml").read_text("utf-8"))


class Run:
    """A run of the template's steps with these parameters."""

    def __init__(self, checkout, temporary, **given):
        known = {one["name"]: one for one in TEMPLATE["parameters"]}
        assert set(given) <= set(known)
        self.parameters = {name: given.get(name, one["default"]) for name, one in known.items()}
        for name, value in self.parameters.items():
            assert type(value) is str and value in known[name].get("values", [value])
        self.checkout, self.temporary, self.paths = checkout, temporary, []
        temporary.mkdir(parents=True)
        self.status, self.log, self.tasks, self.variables = {}, {}, {}, {}
        for step in self.expanded(TEMPLATE["steps"]):
            if "bash" in step and not any(self.status.values()):
                self.script(step)
            elif "task" in step and (not any(self.status.values()) or step["condition"] == "succeededOrFailed()"):
                self.tasks[step["task"]] = {name: self.text(value) for name, value in step["inputs"].items()}

    def expanded(self, steps):
        """The steps whose conditions hold when the template is expanded."""
        for step in steps:
            condition = re.fullmatch(r"\$\{\{ if contains\(parameters\.(\w+), '([\w-]+)'\) \}\}", next(iter(step)))
            if not condition:
                yield step
            elif condition[2] in self.parameters[condition[1]]:
                yield from next(iter(step.values()))

    def text(self, value):
        value = re.sub(r"\$\{\{ parameters\.(\w+) \}\}", lambda found: self.parameters[found[1]], value)
        return value.replace("$(Agent.TempDirectory)", str(self.temporary))

    def script(self, step):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
        environment |= {name: self.text(value) for name, value in step["env"].items()}
        environment["PATH"] = ":".join([*reversed(self.paths), environment["PATH"]])
        done = subprocess.run(["bash", "--noprofile", "--norc", "-c", step["bash"]], cwd=self.checkout, env=environment,
                              capture_output=True, text=True, timeout=600)
        name = step["displayName"]
        self.status[name], self.log[name] = done.returncode, done.stdout + done.stderr
        self.paths += re.findall(r"^##vso\[task\.prependpath\](.*)$", done.stdout, re.M)
        self.variables |= re.findall(r"^##vso\[task\.setvariable variable=adal2msal\.(\w+)\](.*)$", done.stdout, re.M)


def test_the_scripts_are_those_of_the_action():
    scripts = {step["displayName"]: step["bash"] for step in TEMPLATE["steps"] if "bash" in step}
    assert scripts == {"Install adal2msal": (PACKAGE / "Packaging/ci/install.sh").read_text("utf-8"),
                       "Dry run": (PACKAGE / "Packaging/ci/dry-run.sh").read_text("utf-8")}


def test_the_pipeline_names_the_policy_of_azure_repos():
    text = (SAMPLE / "azure-pipelines.yml").read_text("utf-8")
    assert "Build\n# validation" in text and "az repos policy build create" in text
    assert PIPELINE["pr"] == ["*"]
    [repository] = PIPELINE["resources"]["repositories"]
    assert PIPELINE["steps"][0]["template"].endswith(f"azure-template.yml@{repository['repository']}")


def test_a_repository_gets_everything(repository, tmp_path, mirror, version):
    parameters = PIPELINE["steps"][0]["parameters"] | {"cache": "Fixtures/contoso.sqlite", "releases": mirror}
    run = Run(repository, tmp_path / "agent", **parameters)
    assert run.status == {"Install adal2msal": 0, "Dry run": 0}, run.log
    assert run.log["Install adal2msal"].startswith(f"adal2msal {version}, SHA-256 of the archive ")
    folder = tmp_path / "agent" / "adal2msal-reports" / "adal2msal"
    assert run.log["Dry run"].endswith("".join(
        f"##vso[task.uploadsummary]{folder}/{name}.md\n" for name in ("cache", "project")))
    assert run.variables == {"status": "0", "signedIn": "4", "toSignIn": "0", "signedOut": "0"}
    assert (folder / "cache.md").read_text("utf-8").endswith(
        "\n    adal2msal migrate Fixtures/contoso.sqlite -n --now 1700000000 --fail-on error\n")
    assert "All 4 accounts stay signed in." in (folder / "cache.md").read_text("utf-8")
    assert run.tasks == {
        "PublishTestResults@2": {"testResultsFormat": "JUnit", "testResultsFiles": "*.xml", "searchFolder": str(folder),
                                 "testRunTitle": "adal2msal"},
        "PublishPipelineArtifact@1": {"targetPath": str(folder), "artifact": "adal2msal"}}
    assert sorted(path.name for path in folder.iterdir()) == [
        f"{name}.{kind}" for name in ("cache", "project") for kind in ("json", "md", "sarif", "xml")]
    tests = junitparser.JUnitXml.fromfile(str(folder / "cache.xml"))
    assert sum(suite.tests for suite in tests) > 0
    assert sorted(path.name for path in repository.iterdir()) == [".git", "App", "Fixtures"]


def test_somebody_has_to_sign_in(repository, tmp_path, mirror):
    run = Run(repository, tmp_path / "agent", cache="Fixtures/leftovers.items.json", now="1700000000", releases=mirror,
              uploads="summary tests artifact code-scanning")
    assert run.status == {"Install adal2msal": 0, "Dry run": 1}
    assert re.search(r"^##vso\[task\.logissue type=error;sourcepath=Fixtures/leftovers\.items\.json;code=adfs\.unsupported\]",
                     run.log["Dry run"], re.M)
    assert "1 account must sign in again (adfs.unsupported, 1 token). Who: auth.placeholder-7703e288__contoso.com. To do: " \
        in run.log["Dry run"]
    assert run.variables == {"status": "1", "signedIn": "1", "toSignIn": "5", "signedOut": "1"}
    # What there is, is published all the same; code scanning only where it was asked for.
    assert list(run.tasks) == ["PublishTestResults@2", "PublishPipelineArtifact@1", "AdvancedSecurity-Publish@1"]
    [scanning] = [step for step in Run.expanded(run, TEMPLATE["steps"]) if step.get("task") == "AdvancedSecurity-Publish@1"]
    assert scanning["continueOnError"] is True and "without it this is a warning" in scanning["displayName"]


def test_the_gate(repository, tmp_path, mirror):
    (repository / "App" / "SignOut.swift").write_text("import ADAL\n", "utf-8")
    run = Run(repository, tmp_path / "agent", project=".", projectFailOn="note", releases=mirror)
    assert run.status["Dry run"] == 1
    # Azure has no notes: they are plain lines.
    assert "\nnote: App/SignOut.swift:1:8 becomes `import MSAL` (import.adal). " in run.log["Dry run"]
    allowed = Run(repository, tmp_path / "allowed", project=".", projectFailOn="note", releases=mirror, msal="2.10.0",
                  exclude="Nothing\nApp/SignOut.swift\n")
    assert allowed.status["Dry run"] == 0
    assert (tmp_path / "allowed" / "adal2msal-reports" / "adal2msal" / "project.md").read_text("utf-8").endswith(
        "    adal2msal doctor . --msal 2.10.0 --exclude Nothing --exclude App/SignOut.swift --fail-on note\n")
    subprocess.run([shutil.which("adal2msal", path=":".join(run.paths)), "doctor", ".", "--write-baseline", "known.json"],
                   cwd=repository, check=True, capture_output=True)
    known = Run(repository, tmp_path / "known", project=".", projectFailOn="note", releases=mirror, baseline="known.json")
    assert known.status["Dry run"] == 0


def test_the_decisions_are_given(repository, tmp_path, mirror):
    run = Run(repository, tmp_path / "agent", cache="Fixtures", into="new.json", joinGuests="true", now="1700000000",
              releases=mirror, **{"for": "java"})
    assert run.status["Dry run"] == 1
    folder = tmp_path / "agent" / "adal2msal-reports" / "adal2msal"
    assert json.loads((folder / "cache.json").read_text("utf-8"))["target"] == {"kind": "document", "place": "new.json"}
    assert (folder / "cache.md").read_text("utf-8").endswith(
        "    adal2msal migrate Fixtures -n --now 1700000000 --into new.json --for java --join-guests --fail-on error\n")


def test_what_cannot_run_is_told(repository, tmp_path, mirror):
    run = Run(repository, tmp_path / "agent", cache="Fixtures/50%.sqlite", releases=mirror)
    assert run.status == {"Install adal2msal": 0, "Dry run": 66}
    problems = tmp_path / "agent" / "adal2msal-reports" / "adal2msal" / "problems.md"
    assert "\n##vso[task.logissue type=error]adal2msal could not run: Fixtures/50%AZP25.sqlite does not exist\n" \
        in "\n" + run.log["Dry run"]
    assert f"\n##vso[task.uploadsummary]{problems}\n" in run.log["Dry run"]
    assert problems.read_text("utf-8") == "### adal2msal could not run\n\n    Fixtures/50%.sqlite does not exist\n\n"
    assert run.variables == {"status": "66", "signedIn": "", "toSignIn": "", "signedOut": ""}


def test_an_archive_of_another_checksum_is_refused(repository, tmp_path, mirror):
    run = Run(repository, tmp_path / "agent", cache="Fixtures/contoso.sqlite", releases=mirror, checksum="0" * 64)
    assert run.status == {"Install adal2msal": 65}
    assert run.variables == {"status": "65"}
    assert "\n##vso[task.logissue type=error]adal2msal could not be installed: adal2msal-" in run.log["Install adal2msal"]
    assert f"\n##vso[task.uploadsummary]{tmp_path}/agent/adal2msal.problem.md\n" in run.log["Install adal2msal"]
    assert f"does not have the SHA-256 '{'0' * 64}', but " in run.log["Install adal2msal"]


@pytest.mark.parametrize("name", ["cache", "policy", "map", "into", "joinGuests", "for", "now", "failOn", "project",
                                  "projectFailOn", "baseline", "exclude", "msal", "formats", "uploads", "artifact"])
@pytest.mark.parametrize("value", ["--help", "a\n--help", "a\rb"])
def test_a_parameter_is_refused(repository, tmp_path, mirror, unused, name, value):
    """A line break would be another command of the agent, a dash an option. Azure itself refuses what is in no list."""
    known = next(one for one in TEMPLATE["parameters"] if one["name"] == name)
    allowed = known.pop("values", None)
    try:
        run = Run(repository, tmp_path / "agent",
                  **{"cache": "Fixtures/contoso.sqlite", "releases": mirror, "version": unused, name: value})
    finally:
        if allowed:
            known["values"] = allowed
    assert run.status == {"Install adal2msal": 0, "Dry run": 64} and not was_run(run.paths)
    assert re.search(r" must not (begin with a dash|have (a line that begins with a dash|line breaks or other control characters"
                     r"|control characters but line feeds))\n$", run.log["Dry run"])
    assert run.variables == {"status": "64", "signedIn": "", "toSignIn": "", "signedOut": ""}
