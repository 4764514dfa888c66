# SPDX-License-Identifier: MIT
"""`adal2msal stream` answers what `migrate` writes and reports, whatever else is in the stream."""
import base64
import functools
import json
import os
import random
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("ADAL2MSAL")
GROUP = "ABCDE12345.com.contoso.shared"
OPTIONS = ("--now", "1700000000", "--into-group", GROUP)
EXTENSIONS = {"msal-json": ".json", "items": ".items.json"}
SEED = 16

pytestmark = pytest.mark.skipif(not COMMAND, reason="not checked: ADAL2MSAL names no command")


@functools.cache
def caches():
    """The bytes of everything that may be a cache, each once, by a name."""
    files = sorted(
        path for folder in ("Tests/Vectors", "Samples/Caches") for path in (PACKAGE / folder).rglob("*")
        if path.is_file() and path.suffix not in (".py", ".md"))
    named = {path.read_bytes(): str(path.relative_to(PACKAGE)) for path in files}
    return sorted((name, cache) for cache, name in named.items())


def stream(form, lines, *options):
    """The answers to lines, in order."""
    run = subprocess.run(
        [COMMAND, "stream", "--into", form, *OPTIONS, *options], input=b"".join(line + b"\n" for line in lines),
        capture_output=True, timeout=600)
    assert run.returncode == 0
    answers = run.stdout.split(b"\n")
    assert answers.pop() == b"" and len(answers) == len(lines)
    # The totals are those of the answers.
    counts = Counter(json.loads(answer)["status"] for answer in answers)
    totals = ", ".join(f"{count} with status {status}" for status, count in sorted(counts.items()))
    assert run.stderr.decode() == f"adal2msal: {len(lines)} line{'s' * (len(lines) != 1)}: {totals}\n"
    return answers


def line(name, cache):
    return json.dumps({"id": name, "cache": base64.b64encode(cache).decode()}).encode()


def migrated(form, cache, folder, in_place):
    """Status, target and report of `migrate`."""
    source, target, report = folder / "source", folder / f"target{EXTENSIONS[form]}", folder / "report.json"
    for path in (target, report):
        path.unlink(missing_ok=True)
    source.write_bytes(cache)
    if in_place:
        target = source
    run = subprocess.run(
        [COMMAND, "migrate", source, "--into", target, "--report", report, *OPTIONS],
        capture_output=True, timeout=60)
    if run.returncode > 1:
        return run.returncode, None, None
    said = json.loads(report.read_text("utf-8"))
    for entry in said["entries"]:
        entry["place"].pop("file", None)
    new = target.read_bytes() if target.exists() else b""
    return run.returncode, new, said


@functools.cache
def answers_of(form):
    """The answers to every cache, in order."""
    return stream(form, [line(*cache) for cache in caches()], "--detail", "full")


@pytest.mark.parametrize("form", EXTENSIONS)
def test_a_line_is_a_migration(form, tmp_path):
    answers = answers_of(form)
    # Of what is compared with a run of its own by turns, the turn changes every day.
    compared = int(time.time()) // 86_400
    first = compared
    for (name, cache), answer in zip(caches(), map(json.loads, answers)):
        assert answer["id"] == name
        assert set(answer) <= {"id", "status", "report", "cache", "error"}
        # A snapshot is read where it lies, by its pages.
        if cache.startswith(b"SQLite format 3"):
            assert answer["status"] == 65
            continue
        in_place = form == "items" and "items" in name.rsplit("/", 1)[-1]
        # Most files of the vectors are no caches, and one reason is as good as the next. What is no items file
        # becomes one as it becomes a document.
        every = 8 if answer["status"] == 65 else 4 if form == "items" and not in_place else 2
        if compared % every:
            compared += 1
            continue
        status, new, report = migrated(form, cache, tmp_path, in_place)
        assert answer["status"] == status, name
        if status <= 1:
            # A line has no place of its own.
            del report["target"]
            assert answer["report"] == report, name
            written = base64.b64decode(answer["cache"]) if "cache" in answer else cache if in_place else b""
            assert written == new, name
        compared += 1
    assert compared - first > 300


@pytest.mark.parametrize("form", EXTENSIONS)
def test_what_came_before_does_not_matter(form):
    lines = [line(*cache) for cache in caches()]
    answers = answers_of(form)
    order = list(range(len(lines)))
    random.Random(SEED).shuffle(order)
    half = len(order) // 2
    shuffled = [
        answer for part in (order[:half], order[half:])
        for answer in stream(form, [lines[i] for i in part], "--detail", "full")]
    assert shuffled == [answers[i] for i in order]


def test_broken_lines_have_answers_and_tell_nothing():
    whole = line("whole", (PACKAGE / "Samples/Caches/contoso.adalcache").read_bytes())
    lines = random.Random(SEED)
    broken = []
    for _ in range(400):
        text = bytearray(whole)
        for _ in range(lines.randrange(1, 4)):
            text[lines.randrange(len(text))] = lines.choice(b'"{}[],:\\=A \x00\xff')
        broken.append(bytes(text[:lines.randrange(len(text))] if lines.random() < 0.3 else text).replace(b"\n", b" "))
    secret = base64.b64decode(json.loads(whole)["cache"])
    for answer, text in zip(stream("msal-json", broken), broken):
        answer = json.loads(answer)
        if answer["status"] > 1:
            said = answer["error"].encode()
            assert not any(said[i:i + 8] in secret for i in range(len(said) - 7)), said
            assert b"synthetic" not in said


def test_an_answer_does_not_wait_for_the_next_line():
    process = subprocess.Popen(
        [COMMAND, "stream", "--into", "items", *OPTIONS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    try:
        for _ in range(3):
            process.stdin.write(b'{"hello":1}\n')
            assert json.loads(process.stdout.readline())["hello"]["into"] == "items"
    finally:
        process.stdin.close()
        assert process.wait(timeout=10) == 0
        process.stdout.close()
