# SPDX-License-Identifier: MIT
"""Lines to `adal2msal stream` and its answers: every one, in order, whatever becomes of the process.

Nothing here needs more than Python. Exceptions name row numbers only, because lines contain secrets.
"""
from __future__ import annotations

import base64
import json
import os
import re
import select
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

# What may be on its way to the process and back.
MOST_BYTES = 4 << 20
MOST_LINES = 512
# A process that says nothing for so long, in seconds, is taken for dead; for each MiB of the line that it owes.
SILENCE = 60.0
# More deaths than a poisoned row or two explains.
RESTARTS = 64


class FleetError(Exception):
    """Why rows cannot be migrated; names numbers of rows, and nothing that is in them."""


@dataclass(frozen=True)
class Answer:
    """What became of one row."""

    status: int
    """As the exit status of `adal2msal migrate`: 0, 1, 64, 65 or 70."""
    report: str | None = None
    """The report as JSON, with 0 and 1."""
    cache: bytes | None = None
    """The whole new target; None when nothing was written."""
    error: str | None = None
    """One sentence, with 64, 65 and 70."""


DIED = Answer(70, error="the process died of this row, and of no other")


@dataclass(frozen=True)
class Command:
    """How the process is started; the same on every machine, so that the same row has the same answer."""

    into: str
    """`msal-json` or `items`."""
    now: float | None
    """The clock, in Unix seconds; None where `options` say it."""
    reader: str | None = None
    """The library that reads new documents: python, net, java, node or go."""
    detail: str = "summary"
    policy: Mapping[str, object] | None = None
    """What a policy file says."""
    options: Sequence[str] = ()
    """Other options of `adal2msal stream`."""
    program: Sequence[str] = ("adal2msal",)
    silence: float = SILENCE

    def arguments(self, policy: str | None) -> list[str]:
        """The words of the command line."""
        words = [*self.program, "stream", "--into", self.into, "--detail", self.detail]
        if self.now is not None:
            words += ["--now", f"{self.now:.3f}"]
        if self.reader:
            words += ["--for", self.reader]
        if policy:
            words += ["--policy", policy]
        return words + list(self.options)


class _Died(Exception):
    """The process is gone, or says nothing any more."""


@dataclass
class _Process:
    """A running process with what is on its way to it and from it."""

    popen: subprocess.Popen[bytes]
    outgoing: bytearray = field(default_factory=bytearray)
    incoming: bytearray = field(default_factory=bytearray)

    @classmethod
    def start(cls, arguments: Sequence[str], stderr: int = subprocess.DEVNULL) -> _Process:
        # A core would hold tokens.
        shell = ["/bin/sh", "-c", 'ulimit -c 0; exec "$0" "$@"', *arguments]
        popen = subprocess.Popen(
            shell, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, bufsize=0)
        process = cls(popen)
        for number in process.descriptors:
            os.set_blocking(number, False)
        return process

    @property
    def descriptors(self) -> tuple[int, int]:
        """Where to write and where to read."""
        assert self.popen.stdin and self.popen.stdout
        return self.popen.stdin.fileno(), self.popen.stdout.fileno()

    def answers(self, patience: float) -> list[bytes]:
        """At least one whole line of the process's, while lines go to it. Raises `_Died`."""
        to, back = self.descriptors
        deadline = time.monotonic() + patience
        while True:
            poll = select.poll()
            poll.register(back, select.POLLIN)
            if self.outgoing:
                poll.register(to, select.POLLOUT)
            events = dict(poll.poll(max(0.0, deadline - time.monotonic()) * 1000))
            if not events:
                raise _Died
            if to in events:
                self._write(to)
            if back in events:
                lines = self._read(back)
                deadline = time.monotonic() + patience
                if lines:
                    return lines

    def _write(self, to: int) -> None:
        try:
            with memoryview(self.outgoing) as view:
                count = os.write(to, view[: 1 << 16])
            del self.outgoing[:count]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            # Its answers so far can still be read. The process ends with the last of them.
            self.outgoing.clear()

    def _read(self, back: int) -> list[bytes]:
        try:
            portion = os.read(back, 1 << 18)
        except BlockingIOError:
            return []
        if not portion:
            raise _Died
        end = portion.rfind(b"\n")
        if end < 0:
            self.incoming += portion
            return []
        lines = bytes(self.incoming + portion[:end]).split(b"\n")
        self.incoming = bytearray(portion[end + 1:])
        return lines

    def says_more(self, patience: float) -> bool:
        """Whether the process says anything else when it hears that no line follows."""
        assert self.popen.stdin
        _, back = self.descriptors
        self.popen.stdin.close()
        poll = select.poll()
        poll.register(back, select.POLLIN)
        return bool(self.incoming or (poll.poll(patience * 1000) and os.read(back, 1)))

    def end(self) -> None:
        """Ends the process, if it has not."""
        for stream in (self.popen.stdin, self.popen.stdout):
            if stream:
                stream.close()
        self.popen.kill()
        self.popen.wait()


class Stream:
    """A process, started again where it dies."""

    def __init__(self, command: Command) -> None:
        self._command = command
        self._process: _Process | None = None
        self._policy: str | None = None
        self._restarts = 0
        self._first = 0

    def answers(self, requests: Iterable[bytes]) -> Iterator[Answer]:
        """The answer to each request, in order.

        A request is the rest of a line after its id: `,"cache":"…"}`. Where the process dies, the lines
        that it has not answered are sent once more, one at a time; one that it dies of alone gets 70.
        """
        left = iter(enumerate(requests))
        waiting: deque[tuple[int, bytes]] = deque()
        size = 0
        more = True
        try:
            while True:
                while more and len(waiting) < MOST_LINES and (size < MOST_BYTES or not waiting):
                    following = next(left, None)
                    more = following is not None
                    if following is None:
                        break
                    number, request = following
                    line = b'{"id":%d%b\n' % (number, request)
                    self._send(line)
                    waiting.append((number, line))
                    size += len(line)
                if not waiting:
                    if self._process and self._process.says_more(self._command.silence):
                        raise FleetError("there are more answers than rows")
                    return
                try:
                    answers = self._answers(waiting[0][1])
                except _Died:
                    self._restart(waiting)
                    alone, waiting, size = waiting, deque(), 0
                    for number, line in alone:
                        yield self._alone(number, line)
                    continue
                for text in answers:
                    number, line = self._expected(waiting)
                    size -= len(line)
                    yield parsed(text, number)
        finally:
            self._end()
            if self._policy:
                os.unlink(self._policy)
                self._policy = None

    def _alone(self, number: int, line: bytes) -> Answer:
        try:
            self._send(line)
            texts = self._answers(line)
        except _Died:
            self._restart([(number, line)])
            return DIED
        if len(texts) != 1:
            raise FleetError(f"row {number} has {len(texts)} answers")
        return parsed(texts[0], number)

    @staticmethod
    def _expected(waiting: deque[tuple[int, bytes]]) -> tuple[int, bytes]:
        if not waiting:
            raise FleetError("there are more answers than rows")
        return waiting.popleft()

    def _answers(self, owed: bytes) -> list[bytes]:
        process = self._process
        if process is None:
            raise _Died
        return process.answers(self._command.silence * max(1.0, len(owed) / (1 << 20)))

    def _send(self, line: bytes) -> None:
        if self._process is None:
            self._process = self._start()
        self._process.outgoing += line

    def _restart(self, waiting: Sequence[tuple[int, bytes]] | deque[tuple[int, bytes]]) -> None:
        self._end()
        self._restarts += 1
        if self._restarts > RESTARTS:
            rows = f"rows {waiting[0][0]} to {waiting[-1][0]}"
            raise FleetError(f"the process died {self._restarts} times, the last time with {rows} unanswered")

    def _end(self) -> None:
        if self._process:
            self._process.end()
            self._process = None

    def _start(self) -> _Process:
        if self._command.policy is not None and self._policy is None:
            # In a file of mode 0600; an account map has user names.
            number, self._policy = tempfile.mkstemp(prefix="fleet-", suffix=".json")
            with os.fdopen(number, "w", encoding="utf-8") as file:
                json.dump(self._command.policy, file)
        arguments = self._command.arguments(self._policy)
        process = _Process.start(arguments)
        process.outgoing += b'{"hello":1}\n'
        try:
            texts = process.answers(max(self._command.silence, 20.0))
            hello = json.loads(texts[0]).get("hello")
        except (_Died, ValueError):
            hello = None
        if not isinstance(hello, dict) or (hello.get("stream"), hello.get("into")) != (1, self._command.into):
            process.end()
            raise FleetError(f"{arguments[0]} is no adal2msal that streams: {said_of(arguments)}")
        return process


def said_of(arguments: Sequence[str]) -> str:
    """What a command says that does not start."""
    run = subprocess.run(arguments, input=b"", capture_output=True, timeout=60) if _exists(arguments[0]) else None
    if run is None:
        return "there is no such program"
    return run.stderr.decode("utf-8", "replace").strip()[:400] or f"exit status {run.returncode}"


def _exists(program: str) -> bool:
    folders = [""] if "/" in program else [f"{each}/" for each in os.environ.get("PATH", "").split(":")]
    return any(os.access(f"{folder}{program}", os.X_OK) for folder in folders)


_START = re.compile(rb'\{"id":(\d+),"status":(\d+)([,}])')
_CACHE = b',"cache":"'
_REPORT = b',"report":'


def parsed(text: bytes, number: int) -> Answer:
    """The answer of a line that has to be that of row `number`."""
    start = _START.match(text)
    if start is None or int(start[1]) != number:
        raise FleetError(f"the answer to row {number} is none")
    status = int(start[2])
    if status > 1:
        error = json.loads(text).get("error")
        return Answer(status, error=str(error))
    # In JSON no text has a quotation mark of its own, and no report a member of that name.
    rest = text[start.start(3):]
    cut = rest.rfind(_CACHE)
    cache = None
    if cut >= 0:
        cache = base64.b64decode(rest[cut + len(_CACHE):-2], validate=True)
    report = rest[:cut] if cut >= 0 else rest[:-1]
    if report and not report.startswith(_REPORT):
        raise FleetError(f"the answer to row {number} is none")
    return Answer(status, report[len(_REPORT):].decode() if report else None, cache)


def _encoded(text: str) -> bytes:
    """JSON from elsewhere as one value and nothing beside it; other text becomes a JSON string, which the
    command rejects."""
    try:
        return json.dumps(json.loads(text), allow_nan=False).encode()
    except (ValueError, RecursionError):
        return json.dumps(text).encode()


def request(
    cache: bytes | None, target: bytes | None = None, account_map: str | None = None, into_group: str | None = None,
) -> bytes:
    """The rest of a line after its id."""
    parts = [b',"cache":"', base64.b64encode(cache or b""), b'"']
    if target is not None:
        parts += [b',"target":"', base64.b64encode(target), b'"']
    if account_map is not None:
        parts += [b',"accountMap":', _encoded(account_map)]
    if into_group is not None:
        parts += [b',"intoGroup":', json.dumps(into_group).encode()]
    return b"".join([*parts, b"}"])
