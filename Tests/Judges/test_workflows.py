# SPDX-License-Identifier: MIT
"""The sample workflows: their steps are run as far as they can be without GitHub or Azure.

What is not run: steps that fetch and build (they need the network), and steps of the platform itself.
"""

import os
import subprocess
from pathlib import Path

import junitparser
import pytest
import yaml

PACKAGE = Path(__file__).resolve().parents[2]
SAMPLE = PACKAGE / "Samples" / "ContinuousIntegration"
COMMAND = os.environ.get("ADAL2MSAL")

pytestmark = pytest.mark.skipif(not COMMAND, reason="not checked: ADAL2MSAL does not name the command")


def run(script, folder, environment):
    environment = {**os.environ, **environment,
                   "PATH": f"{Path(COMMAND).parent}:{os.environ['PATH']}", "PWD": str(folder)}
    return subprocess.run(["bash", "-e", "-c", script], cwd=folder, env=environment,
                          capture_output=True, text=True, timeout=120)


@pytest.fixture
def checkout(tmp_path):
    """A repository with the sample caches where the workflows look for them."""
    (tmp_path / "Samples").mkdir()
    (tmp_path / "Samples" / "Caches").symlink_to(PACKAGE / "Samples" / "Caches")
    (tmp_path / "SignIn.swift").write_text("import MSAL\n", "utf-8")
    return tmp_path


def gate(script, checkout, environment):
    """The doctor lets an app with MSAL pass, and not one with a line of ADAL."""
    passing = run(script, checkout, environment)
    assert passing.returncode == 0, passing.stderr
    (checkout / "SignOut.swift").write_text("import ADAL\n", "utf-8")
    failing = run(script, checkout, environment)
    assert failing.returncode == 1
    assert "import.adal" in failing.stdout


def test_github(checkout):
    workflow = yaml.safe_load((SAMPLE / "github-actions.yml").read_text("utf-8"))
    environment = workflow["env"]
    summary = checkout / "summary.md"
    steps = {step["name"]: step["run"] for step in workflow["jobs"]["dry-run"]["steps"] if "run" in step}
    assert list(steps) == ["Build adal2msal", "Dry run", "Doctor", "Summary"]

    dry_run = run(steps["Dry run"], checkout, environment)
    assert dry_run.returncode == 0, dry_run.stderr
    assert "::error" not in dry_run.stdout
    assert run(steps["Summary"], checkout, {**environment, "GITHUB_STEP_SUMMARY": str(summary)}).returncode == 0
    assert summary.read_text("utf-8") == (checkout / "adal2msal.md").read_text("utf-8")
    assert (checkout / "adal2msal.sarif").exists()

    gate(steps["Doctor"], checkout, environment)

    leftovers = {**environment, "CACHE": "Samples/Caches/leftovers.items.json"}
    failing = run(steps["Dry run"], checkout, leftovers)
    assert failing.returncode == 1
    assert "::error title=adfs.unsupported" in failing.stdout


def test_azure(checkout):
    workflow = yaml.safe_load((SAMPLE / "azure-pipelines.yml").read_text("utf-8"))
    environment = workflow["variables"]
    steps = {step["displayName"]: step["script"] for step in workflow["steps"] if "script" in step}
    assert list(steps) == ["Build adal2msal", "Dry run", "Doctor", "Summary"]

    dry_run = run(steps["Dry run"], checkout, environment)
    assert dry_run.returncode == 0, dry_run.stderr
    assert run(steps["Summary"], checkout, environment).stdout == (
        f"##vso[task.uploadsummary]{checkout}/adal2msal.md\n")
    tests = junitparser.JUnitXml.fromfile(str(checkout / "adal2msal.xml"))
    assert sum(suite.tests for suite in tests) > 0

    gate(steps["Doctor"], checkout, environment)

    leftovers = {**environment, "CACHE": "Samples/Caches/leftovers.items.json"}
    failing = run(steps["Dry run"], checkout, leftovers)
    assert failing.returncode == 1
    assert "##vso[task.logissue type=error" in failing.stdout
