# SPDX-License-Identifier: MIT
"""Arrow record batches of caches to batches of answers: what Spark and DuckDB have in common."""
from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa

from .child import Answer, Command, Stream, request

# Rows that are held until they are answered; an engine's own batches hold ten thousand and more.
SLICE = 256

ANSWER = [
    pa.field("status", pa.int32()), pa.field("report", pa.string()), pa.field("cache", pa.binary()),
    pa.field("error", pa.string()),
]


@dataclass(frozen=True)
class Columns:
    """Where in a batch things are."""

    kept: Sequence[str]
    """What comes back as it is: the id first."""
    cache: str
    """Bytes, or text as it is."""
    target: str | None = None
    account_map: str | None = None
    """Rows of an account map as JSON."""

    def schema(self, given: pa.Schema) -> pa.Schema:
        """The schema of the answers to batches of this schema."""
        return pa.schema([given.field(name) for name in self.kept] + ANSWER)


def _bytes(batch: pa.RecordBatch, name: str | None) -> list[bytes | None]:
    if name is None:
        return [None] * batch.num_rows
    values = batch.column(name).to_pylist()
    return [value.encode() if isinstance(value, str) else value for value in values]


def _requests(part: pa.RecordBatch, columns: Columns) -> Iterator[bytes]:
    maps = part.column(columns.account_map).to_pylist() if columns.account_map else [None] * part.num_rows
    for cache, target, rows in zip(_bytes(part, columns.cache), _bytes(part, columns.target), maps, strict=True):
        yield request(cache, target, rows)


def _batch(kept: pa.RecordBatch, answers: list[Answer]) -> pa.RecordBatch:
    values = [
        [each.status for each in answers], [each.report for each in answers], [each.cache for each in answers],
        [each.error for each in answers],
    ]
    arrays = [pa.array(column, field.type) for column, field in zip(values, ANSWER, strict=True)]
    return pa.RecordBatch.from_arrays([*kept.columns, *arrays], schema=pa.schema([*kept.schema, *ANSWER]))


def migrated(batches: Iterable[pa.RecordBatch], columns: Columns, command: Command) -> Iterator[pa.RecordBatch]:
    """The answers to batches of caches: as many rows, in the same order."""
    open_: deque[pa.RecordBatch] = deque()

    def requests() -> Iterator[bytes]:
        for batch in batches:
            for start in range(0, batch.num_rows, SLICE):
                part = batch.slice(start, SLICE)
                open_.append(part.select(list(columns.kept)))
                yield from _requests(part, columns)

    answers: list[Answer] = []
    for answer in Stream(command).answers(requests()):
        answers.append(answer)
        if len(answers) == open_[0].num_rows:
            yield _batch(open_.popleft(), answers)
            answers = []
    assert not answers and not open_
