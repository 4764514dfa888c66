# SPDX-License-Identifier: MIT
"""A folder of caches to a DuckDB database, with totals: one machine, no cluster.

    python jobs/folder.py FOLDER DATABASE [--into msal-json] [--for python] [--now SECONDS]
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
    words.add_argument("folder", type=Path)
    words.add_argument("database", type=Path)
    words.add_argument("--into", default="msal-json", choices=("msal-json", "items"))
    words.add_argument("--for", dest="heir")
    words.add_argument("--now", type=float, default=time.time())
    given = words.parse_args()
    # The database and what DuckDB puts beside it hold tokens.
    os.umask(0o077)
    with duckdb.connect(str(given.database)) as connection:
        pattern = f"{given.folder}/*".replace("'", "''")
        answers = duck.migrate(
            connection, f"SELECT parse_filename(filename) AS id, content AS cache FROM read_blob('{pattern}')",
            into=given.into, heir=given.heir, now=given.now, command=[os.environ.get("ADAL2MSAL", "adal2msal")])
        # A table that is there was another run's.
        connection.execute("CREATE TABLE answers AS SELECT * FROM answers")
        (count,) = connection.execute("SELECT count(*) FROM answers").fetchone() or (0,)
        print(f"{count} caches are answered in {given.database}")
        for status, reason, _, version, number in duck.totals(connection, "answers"):
            print(f"{number:>8}  status {status:<3} {reason or '-':<32} adal2msal {version or '-'}")


if __name__ == "__main__":
    main()
