# SPDX-License-Identifier: MIT
"""What is answered of a stream is a beginning of all the answers, whatever happens to its input and output."""
import base64
import json
import os
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import caches
import command
import matrix
from command import KILLED, run

pytestmark = [
    pytest.mark.skipif(not command.COMMAND, reason="not checked: ADAL2MSAL names no command"),
    pytest.mark.skipif(sys.platform != "linux", reason="not checked: calls are spoiled on Linux only"),
]
STREAMS = {"FAULT_STREAMS": "1"}
MANY = [caches.Cache(seed=seed, people=2) for seed in range(12)]


def lines():
    """Caches in lines, of which several make one read, and one several."""
    items = [{"format": "keychain-items", "version": 1, "items": [
        {key: base64.b64encode(value).decode() if isinstance(value, bytes) else value
         for key, value in item.items()} for item in cache.items]} for cache in MANY]
    return "".join(
        json.dumps({"id": number, "cache": base64.b64encode(json.dumps(text).encode()).decode()}) + "\n"
        for number, text in enumerate(items)).encode()


class Stream:
    """One run over many lines, made once without a fault."""

    def __init__(self, form):
        self.form = form
        self.place = Path(tempfile.mkdtemp()).resolve()
        (self.place / "lines").write_bytes(lines())
        self.windows = caches.Windows([token for cache in MANY for token in cache.tokens])
        whole, self.answers = self.go("whole", counts=True)
        assert whole.status == 0, whole.sentence
        self.line = matrix.Line("stream", form)
        self.calls = whole.calls
        self.line.calls = len(self.calls)
        answered = [json.loads(line) for line in self.answers.splitlines()]
        assert [answer["status"] for answer in answered] == [0] * len(MANY)

    def go(self, name, fault=None, **options):
        with open(self.place / "lines", "rb") as given, open(self.place / name, "w+b") as taken:
            result = run(
                self.place, ["stream", "--into", self.form, "--now", str(caches.NOW)], fault,
                stdin=given, stdout=taken, environment=STREAMS, **options)
            taken.seek(0)
            return result, taken.read()

    def attempt(self, fault):
        name = f"{fault.at}-{fault.kind}-{fault.lasts}"
        result, answers = self.go(name, fault)
        os.unlink(self.place / name)
        said = f"{self.calls[fault.at - 1]} {fault}: {result.status} {result.sentence.strip()!r}"
        if not self.answers.startswith(answers):
            yield f"{said}: it is no beginning of the answers"
        if self.windows.are_in(result.errors):
            yield f"{said}: a secret is in the output"
        if fault.kind in ("short", matrix.number("EINTR")) and result.status != 0:
            yield f"{said}: a harmless fault ends the run"
        if result.status == 0 and answers != self.answers:
            yield f"{said}: {len(answers)} of {len(self.answers)} bytes"
        if result.status not in (0, 74, KILLED) or result.status == 74 and "cannot " not in result.sentence:
            yield f"{said}: not the contract's words"


@pytest.mark.parametrize("form", ["msal-json", "items"])
def test_answers_are_a_beginning(form, fault_table):
    stream = Stream(form)
    assert {"read", "write"} == set(stream.calls) and len(stream.calls) > 6
    chosen = [fault for fault in matrix.chosen(stream.calls) if fault.kind != "swap"]
    try:
        with ThreadPoolExecutor(os.cpu_count()) as workers:
            for fault, wrong in workers.map(lambda fault: (fault, list(stream.attempt(fault))), chosen):
                stream.line.tried[matrix.column(fault)] += 1
                if wrong:
                    stream.line.broken.append((fault, wrong))
    finally:
        shutil.rmtree(stream.place)
    fault_table.append(stream.line)
    assert not stream.line.broken, "\n".join(
        f"{fault}: {'; '.join(wrong)}" for fault, wrong in stream.line.broken[:40])
