# SPDX-License-Identifier: MIT
"""A query of caches on DuckDB: one machine, the same generator."""
from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from .batches import Columns, migrated
from .child import Command

if TYPE_CHECKING:
    import duckdb

BATCH = 1000


def migrate(
    connection: duckdb.DuckDBPyConnection, query: str, *, id: str = "id", cache: str = "cache", into: str,
    reader: str | None = None, target: str | None = None, account_map: str | None = None,
    policy: Mapping[str, object] | None = None, now: float | None = None, detail: str = "summary",
    command: Sequence[str] | None = None, options: Sequence[str] = (), keep: Sequence[str] = (),
) -> pa.RecordBatchReader:
    """The caches that a query gives, each for itself: `id`, those of `keep`, `status`, `report`, `cache`, `error`.

    Read the result once, by Arrow or by a query of DuckDB that names the variable. `account_map` names a
    column of JSON; else as `fleet.spark.migrate`.
    """
    process = Command(
        into=into, now=time.time() if now is None else now, reader=reader, detail=detail, policy=policy,
        options=tuple(options), program=tuple(command or ("adal2msal",)))
    columns = Columns((id, *keep), cache, target, account_map)
    # A connection holds one result; the reader of the answers may use the same one.
    rows = connection.cursor().sql(query).to_arrow_reader(BATCH)
    schema = columns.schema(rows.schema)
    return pa.RecordBatchReader.from_batches(schema, migrated(rows, columns, process))


TOTALS = """
    SELECT status, reason, {library} AS library, {version} AS version, count(*) AS count
    FROM (
      SELECT *, unnest(CASE WHEN len(found) = 0 THEN [NULL] ELSE found END) AS reason
      FROM (
        SELECT *, list_distinct(coalesce(CAST(json_extract_string(report, '$.findings[*].reason') AS VARCHAR[]), []))
          AS found FROM {table}))
    GROUP BY ALL ORDER BY status, reason NULLS FIRST, library, version
"""


def totals(connection: duckdb.DuckDBPyConnection, table: str) -> list[tuple[int, str | None, str, str, int]]:
    """As `fleet.spark.totals`, of a table of answers."""
    columns = {row[0] for row in connection.execute(f"DESCRIBE {table}").fetchall()}

    def of(name: str, path: str) -> str:
        return name if name in columns else f"json_extract_string(report, '$.tool.{path}')"

    query = TOTALS.format(table=table, library=of("library", "name"), version=of("version", "version"))
    return connection.execute(query).fetchall()
