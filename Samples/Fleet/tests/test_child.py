# SPDX-License-Identifier: MIT
"""Every row has its answer, whatever the process does."""
from __future__ import annotations

import dataclasses
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import FAULTY, MODES, caches

from fleet import child, made
from fleet.child import DIED, Answer, Command, FleetError, Stream, request

COMMAND = Command(into="msal-json", now=made.NOW)
COUNT = 40


def run(contents: list[bytes], command: Command) -> list[Answer]:
    return list(Stream(command).answers(request(cache) for cache in contents))


@pytest.fixture(scope="module")
def real(adal2msal: str) -> Command:
    return dataclasses.replace(COMMAND, program=(adal2msal,))


@pytest.fixture(scope="module")
def faulty(adal2msal: str) -> Command:
    return dataclasses.replace(COMMAND, program=(FAULTY,), silence=3.0)


@pytest.fixture(scope="module")
def quiet(real: Command) -> list[Answer]:
    return run(caches(COUNT), real)


def test_answers_are_those_of_the_command(quiet: list[Answer], adal2msal: str, tmp_path: Path) -> None:
    assert [answer.status for answer in quiet] == [1 if n % 10 in (7, 9) else 0 for n in range(COUNT)]
    for number in (0, 1, 4):
        source, target = tmp_path / "source", tmp_path / f"{number}.json"
        source.write_bytes(made.made(number).cache)
        subprocess.run([adal2msal, "migrate", source, "--into", target, "--now", str(made.NOW)],
                       check=True, capture_output=True)
        assert quiet[number].cache == target.read_bytes()
        assert json.loads(quiet[number].report or "")["summary"]["rows"] == {0: 2, 1: 4, 4: 1}[number]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rows", [(0,), (17,), (20, 21), (COUNT - 1,)], ids=str)
def test_a_poisoned_row_alone_gets_70(mode: str, rows: tuple[int, ...], faulty: Command, quiet: list[Answer]) -> None:
    answers = run(caches(COUNT, dict.fromkeys(rows, mode)), faulty)
    assert [answer == DIED for answer in answers] == [number in rows for number in range(COUNT)]
    assert [answer for answer in answers if answer != DIED] == [
        answer for number, answer in enumerate(quiet) if number not in rows]


def test_every_mode_at_once(faulty: Command, quiet: list[Answer]) -> None:
    poison = {number * 5: mode for number, mode in enumerate(MODES)}
    answers = run(caches(COUNT, poison), faulty)
    assert answers == [DIED if number in poison else answer for number, answer in enumerate(quiet)]


@pytest.mark.parametrize("mode", ["killed", "half", "hang"])
def test_what_dies_once_loses_nothing(mode: str, faulty: Command, real: Command, tmp_path: Path) -> None:
    contents = caches(COUNT)
    contents[13] = f"poison-once {mode} {tmp_path / mode}".encode()
    answers = run(contents, faulty)
    assert (tmp_path / mode).exists()
    assert answers == run(contents, real)
    assert answers[13].status == 65


def test_a_process_that_always_dies_fails_the_task(faulty: Command) -> None:
    with pytest.raises(FleetError) as failure:
        run([b"poison exit3"] * 100, faulty)
    assert str(failure.value) == "the process died 65 times, the last time with rows 63 to 63 unanswered"


@pytest.mark.parametrize(("program", "what"), [
    ((("/nowhere/adal2msal"),), "there is no such program"), (("/bin/true",), "exit status 0"),
    ((sys.executable, "-c", "print('{}', flush=True); input()"), ""),
])
def test_what_is_no_adal2msal_is_said(program: tuple[str, ...], what: str) -> None:
    with pytest.raises(FleetError, match="is no adal2msal that streams: " + what):
        run([b"x"], dataclasses.replace(COMMAND, program=program, silence=1.0))


def test_wrong_options_are_said(real: Command) -> None:
    with pytest.raises(FleetError, match="unknown option '--wrong'"):
        run([b"x"], dataclasses.replace(real, options=("--wrong",)))


def test_a_policy_is_used_and_goes_away(real: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    answers = run(caches(2), dataclasses.replace(real, policy={"accessTokens": False}))
    assert all(b'"synthetic' not in (answer.cache or b"") for answer in answers)
    assert "AccessToken" not in {key for key, value in json.loads(answers[0].cache or b"").items() if value}
    assert list(tmp_path.iterdir()) == []


def fake(text: str) -> tuple[str, ...]:
    """A program that says hello and then this for each line; `{n}` is the number of the line."""
    hello = '{"hello":{"stream":1,"version":"0","into":"msal-json"}}'
    return (sys.executable, "-c", f"""
import sys
sys.stdin.readline(); print({hello!r}, flush=True)
for n, _ in enumerate(sys.stdin):
    print({text!r}.replace("{{n}}", str(n)), flush=True)
""")


@pytest.mark.parametrize("text", [
    '{"id":7,"status":0}', '{"id":{n}}', "hello", '{"id":{n},"status":0,"other":1}',
])
def test_wrong_answers_raise(text: str) -> None:
    with pytest.raises(FleetError, match=r"^the answer to row \d+ is none$"):
        run([b"secret"] * 3, dataclasses.replace(COMMAND, program=fake(text)))


@pytest.mark.parametrize("pause", [0, 0.5])
def test_too_many_answers_raise(pause: float) -> None:
    # The second may come at once, or when the first has long been read.
    first, second = '{"id":0,"status":0}', '{"id":1,"status":0}'
    program = list(fake(first))
    program[-1] += f"import time; time.sleep({pause}); print({second!r}, flush=True)\n"
    with pytest.raises(FleetError, match="more answers than rows"):
        run([b"x"], dataclasses.replace(COMMAND, program=tuple(program)))


def test_a_core_is_never_written(real: Command) -> None:
    process = child._Process.start(["/bin/sh", "-c", "ulimit -c"])
    assert process.popen.communicate()[0] == b"0\n"


def test_memory_does_not_grow_with_rows(real: Command) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    contents = caches(50)
    answers = Stream(real).answers(request(contents[n % 50]) for n in range(6000))
    assert sum(1 for _ in answers) == 6000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60_000


def test_nothing_is_left_running(faulty: Command, tmp_path: Path) -> None:
    answers = Stream(faulty).answers(request(cache) for cache in caches(COUNT))
    next(answers)
    answers.close()
    with pytest.raises(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass


@pytest.mark.parametrize("text", ['[],"target":"e30="', "[", '[NaN]', '"' + "[" * 5, "[" * 100_000, "\n"])
def test_an_account_map_is_one_value(text: str) -> None:
    """An account map from elsewhere adds no key to the line, and no line."""
    line = b'{"id":1' + request(b"{}", account_map=text)
    assert b"\n" not in line
    assert json.loads(line, parse_constant=pytest.fail) == {"id": 1, "cache": "e30=", "accountMap": text}
    assert json.loads(b'{"id":1' + request(b"{}", account_map='[{"upn": "a\\n"}]\n')) == {
        "id": 1, "cache": "e30=", "accountMap": [{"upn": "a\n"}]}
