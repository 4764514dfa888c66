# SPDX-License-Identifier: MIT
"""A folder of caches, or a Parquet file of them, to a DuckDB database, with totals: one machine, no cluster.

    python jobs/duck.py SOURCE DATABASE [--into msal-json] [--for python] [--now SECONDS]

The files of a folder have their names as ids; a Parquet file has the columns id and cache, and library and version
where it is known which ADAL wrote the cache.
"""
from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import duckdb  # noqa: E402

from fleet import duck  # noqa: E402


def main() -> None:
    words = argparse.ArgumentParser()
    words.add_argument("source", type=Path)
    words.add_argument("database", type=Path)
    words.add_argument("--into", default="msal-json", choices=("msal-json", "items"))
    words.add_argument("--for", dest="reader")
    words.add_argument("--now", type=float, default=time.time())
    given = words.parse_args()
    # The database and what DuckDB puts beside it hold tokens.
    os.umask(0o077)
    with duckdb.connect(str(given.database)) as connection:
        source = str(given.source).replace("'", "''")
        if given.source.is_dir():
            query = f"SELECT parse_filename(filename) AS id, content AS cache FROM read_blob('{source}/*')"
        else:
            query = f"SELECT * FROM read_parquet('{source}')"
        columns = connection.sql(query).columns
        answers = duck.migrate(  # noqa: F841
            connection, query, into=given.into, reader=given.reader, now=given.now,
            keep=[name for name in ("library", "version") if name in columns],
            command=[os.environ.get("ADAL2MSAL", "adal2msal")])
        # A table that is there was another run's.
        connection.execute("CREATE TABLE answers AS SELECT * FROM answers")
        (count,) = connection.execute("SELECT count(*) FROM answers").fetchone() or (0,)
        print(f"{count} caches are answered in {given.database}")
        for status, reason, library, version, number in duck.totals(connection, "answers"):
            print(f"{number:>8}  status {status:<3} {reason or '-':<32} {library or '-'} {version or '-'}")


if __name__ == "__main__":
    main()
