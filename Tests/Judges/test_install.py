# SPDX-License-Identifier: MIT
"""`scripts/install`: what it leaves works, in the shells that are here.

Without ADAL2MSAL nothing here is checked, and without a shell or `man` not what is for it; the run says so.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("ADAL2MSAL")
FILES = [
    "bin/adal2msal", "share/bash-completion/completions/adal2msal", "share/fish/vendor_completions.d/adal2msal.fish",
    "share/man/man1/adal2msal.1", "share/zsh/site-functions/_adal2msal",
]

pytestmark = pytest.mark.skipif(not COMMAND, reason="not checked: ADAL2MSAL does not name the command")


def needs(program):
    return pytest.mark.skipif(not shutil.which(program), reason=f"not checked: there is no {program}")


def run(*arguments, **options):
    return subprocess.run(arguments, capture_output=True, text=True, timeout=60, **options)


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """A prefix, named as somebody names it who is in another folder, with a space."""
    folder = tmp_path_factory.mktemp("some where")
    made = run(PACKAGE / "scripts" / "install", "pre fix", cwd=folder,
               env={**os.environ, "ADAL2MSAL": os.path.relpath(COMMAND, folder)})
    assert made.returncode == 0, made.stderr
    assert made.stderr == ""
    assert f"adal2msal is in {folder}/pre fix/bin" in made.stdout
    return folder / "pre fix"


def on_path(prefix):
    return {**os.environ, "PATH": f"{prefix}/bin:{os.environ['PATH']}"}


def test_all_is_there(prefix):
    assert sorted(str(p.relative_to(prefix)) for p in prefix.rglob("*") if p.is_file()) == FILES
    assert run(prefix / "bin" / "adal2msal", "--version").stdout == run(COMMAND, "--version").stdout
    again = run(PACKAGE / "scripts" / "install", prefix, env={**on_path(prefix), "ADAL2MSAL": COMMAND})
    assert again.returncode == 0 and "to use it" not in again.stdout


def test_help_is_no_prefix():
    asked = run(PACKAGE / "scripts" / "install", "--help")
    assert asked.returncode == 0 and "scripts/install [PREFIX]" in asked.stdout
    assert run(PACKAGE / "scripts" / "install", "--prefix").returncode == 1


@needs("bash")
@pytest.mark.parametrize("words, wanted", [
    (["adal2msal", "mi"], {"migrate"}),
    (["adal2msal", "migrate", "--fail"], {"--fail-on"}),
    (["adal2msal", "migrate", "--fail-on", ""], {"error", "warning", "never"}),
    (["adal2msal", "explain", "home.guest-u"], {"home.guest-unresolved"}),
])
def test_bash_completes(prefix, words, wanted):
    script = """
        source "$1"; shift
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
        $(complete -p adal2msal | sed 's/.*-F \\([^ ]*\\).*/\\1/') adal2msal "${@: -1}" "${@: -2:1}"
        printf '%s\\n' "${COMPREPLY[@]}"
        """
    asked = run("bash", "-c", script, "bash", prefix / FILES[1], *words, env=on_path(prefix))
    assert asked.stderr == ""
    assert {line.strip() for line in asked.stdout.splitlines()} == wanted


@needs("zsh")
def test_zsh_loads_it(prefix):
    script = 'fpath=("$1" $fpath); autoload -Uz compinit; compinit -D -u; print $_comps[adal2msal]; autoload +X _adal2msal'
    asked = run("zsh", "-f", "-c", script, "zsh", prefix / "share/zsh/site-functions", env=on_path(prefix))
    assert (asked.returncode, asked.stdout, asked.stderr) == (0, "_adal2msal\n", "")


@needs("fish")
@pytest.mark.parametrize("line, wanted", [
    ("adal2msal mi", {"migrate"}),
    ("adal2msal migrate --fail", {"--fail-on"}),
    ("adal2msal migrate --fail-on ", {"error", "warning", "never"}),
    ("adal2msal explain home.g", {"home.guest-unresolved"}),
])
def test_fish_completes(prefix, line, wanted, tmp_path):
    asked = run("fish", "--no-config", "-c", 'source $argv[1]; complete -C $argv[2]', prefix / FILES[2], line,
                env={**on_path(prefix), "HOME": str(tmp_path)}, cwd=tmp_path)
    assert asked.stderr == ""
    assert {row.split("\t")[0] for row in asked.stdout.splitlines()} == wanted


@needs("man")
@pytest.mark.skipif(sys.platform == "darwin", reason="not checked: the system's man has no --warnings")
@pytest.mark.parametrize("width", [60, 80, 200])
def test_the_manual_renders(prefix, width):
    page = run("man", "--warnings", "-l", prefix / FILES[3], env={**os.environ, "MANWIDTH": str(width), "LC_ALL": "C.UTF-8"})
    assert (page.returncode, page.stderr) == (0, "")
    for heading in ("NAME", "SYNOPSIS", "COMMANDS", "PLACES", "ENVIRONMENT", "EXIT STATUS"):
        assert f"\n{heading}\n" in page.stdout
    for words in ("--account-map-template", "--no-instance-metadata", "NO_COLOR", "keychain:GROUP"):
        assert words in page.stdout


@needs("mandoc")
def test_the_manual_is_mdoc(prefix):
    judged = run("mandoc", "-T", "lint", "-W", "warning", prefix / FILES[3])
    assert (judged.returncode, judged.stdout, judged.stderr) == (0, "", "")
