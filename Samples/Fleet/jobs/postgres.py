# SPDX-License-Identifier: MIT
"""A PostgreSQL table of caches to a table of documents keyed by home account id, as a web app's MSAL reads them.

    python jobs/postgres.py DSN SOURCE TARGET --run NAME [--for net] [--now SECONDS]

SOURCE has the columns id and cache, the latter bytes or text (base64 too). TARGET is made where it is missing:
home_account_id, document. Run it again under the same name after whatever happened: each step is one transaction
that can be repeated. A document that is there is only added to, by `adal2msal` itself, and where the app changed
it in the meantime, that is done again.
"""
from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import psycopg  # noqa: E402
from psycopg import sql  # noqa: E402

from fleet.child import Answer, Command, Stream, request  # noqa: E402
from fleet.documents import by_home  # noqa: E402

ROWS = 500


class Job:
    """A run over one table."""

    def __init__(self, dsn: str, source: str, target: str, run: str, command: Command) -> None:
        self.dsn, self.command = dsn, command
        names = {
            "source": source, "target": target, "staged": f"{target}_staged_{run}", "merged": f"{target}_merged_{run}",
            "answers": f"{target}_answers_{run}",
        }
        self.names = {key: sql.Identifier(*name.split(".")) for key, name in names.items()}

    def _query(self, text: str) -> sql.Composed:
        return sql.SQL(text).format(**self.names)

    def stage(self) -> None:
        """Everything that the source's caches become, in one transaction; a second time it does nothing."""
        with psycopg.connect(self.dsn) as reading, psycopg.connect(self.dsn) as writing:
            done = writing.execute(
                "SELECT to_regclass(%s)", [self.names["answers"].as_string(writing)]).fetchone()
            if done and done[0]:
                return
            for statement in (
                "CREATE TABLE IF NOT EXISTS {target} (home_account_id text PRIMARY KEY, document bytea NOT NULL)",
                "CREATE TABLE {staged} (number bigint PRIMARY KEY, home_account_id text, document bytea)",
                "CREATE TABLE {answers} (id text PRIMARY KEY, status int, report jsonb, error text)",
            ):
                writing.execute(self._query(statement))
            # One cursor cannot take turns with a copy, so answers go in by portions.
            number = 0
            ids: list[str] = []
            for portion in self._portions(reading, ids):
                with writing.cursor() as cursor:
                    with cursor.copy(self._query("COPY {answers} FROM STDIN")) as copy:
                        for name, answer in portion:
                            copy.write_row((name, answer.status, answer.report, answer.error))
                    with cursor.copy(self._query("COPY {staged} FROM STDIN")) as copy:
                        for _, answer in portion:
                            for home, document in by_home(answer.cache or b"{}"):
                                copy.write_row((number, home, document))
                                number += 1

    def _portions(self, reading: psycopg.Connection[Any], ids: list[str]) -> Iterator[list[tuple[str, Answer]]]:
        with reading.cursor(name="caches") as cursor:
            cursor.itersize = ROWS
            cursor.execute(self._query("SELECT id::text, cache FROM {source} ORDER BY id"))

            def requests() -> Iterator[bytes]:
                for name, cache in cursor:
                    ids.append(name)
                    yield request(cache.encode() if isinstance(cache, str) else cache)

            portion: list[tuple[str, Answer]] = []
            for answer in Stream(self.command).answers(requests()):
                portion.append((ids.pop(0), answer))
                if len(portion) == ROWS:
                    yield portion
                    portion = []
            if portion:
                yield portion

    def merge(self) -> int:
        """Merges the staged documents into the target, one document of each account a round. Returns the number of rounds."""
        for rounds in range(1_000_000):
            with psycopg.connect(self.dsn) as connection:
                if not self._round(connection):
                    return rounds
        return 0

    def _round(self, connection: psycopg.Connection[Any]) -> bool:
        first = self._query(
            "SELECT DISTINCT ON (s.home_account_id) s.number, s.home_account_id, s.document, t.document"
            " FROM {staged} s LEFT JOIN {target} t USING (home_account_id) ORDER BY s.home_account_id, s.number"
            " LIMIT 10000")
        rows = connection.execute(first).fetchall()
        if not rows:
            return False
        there = [row for row in rows if row[3] is not None]
        answers = Stream(self.command).answers(request(document, base) for _, _, document, base in there)
        merged = {row[0]: answer.cache or row[3] for row, answer in zip(there, answers)}
        with connection.cursor() as cursor:
            cursor.execute(self._query(
                "CREATE TEMPORARY TABLE {merged}"
                " (number bigint, home_account_id text, document bytea, base bytea) ON COMMIT DROP"))
            with cursor.copy(self._query("COPY {merged} FROM STDIN")) as copy:
                for number, home, document, base in rows:
                    copy.write_row((number, home, merged.get(number, document), base))
            cursor.execute(self._query(
                "MERGE INTO {target} t USING {merged} m ON t.home_account_id = m.home_account_id"
                " WHEN MATCHED AND t.document = m.base THEN UPDATE SET document = m.document"
                " WHEN NOT MATCHED AND m.base IS NULL THEN INSERT VALUES (m.home_account_id, m.document)"))
            # If the app has changed a document since it was read, it stays staged for the next round.
            cursor.execute(self._query(
                "DELETE FROM {staged} s USING {merged} m, {target} t WHERE s.number = m.number"
                " AND t.home_account_id = m.home_account_id AND t.document = m.document"))
        return True

    def run(self, attempts: int = 5) -> None:
        """Stages and merges, again where a connection is lost: also when it was lost after a commit."""
        for attempt in range(1, attempts + 1):
            try:
                self.stage()
                self.merge()
                return
            except (psycopg.OperationalError, psycopg.errors.UniqueViolation, psycopg.errors.DuplicateTable):
                if attempt == attempts:
                    raise
                time.sleep(0.2 * attempt)

    def totals(self) -> list[tuple[int, str | None, int]]:
        """How many caches there are by status and reason."""
        with psycopg.connect(self.dsn) as connection:
            return connection.execute(self._query(
                "SELECT status, f->>'reason', count(DISTINCT id) FROM {answers} a"
                " LEFT JOIN LATERAL jsonb_array_elements(report->'findings') f ON true"
                " GROUP BY 1, 2 ORDER BY 1, 2 NULLS FIRST")).fetchall()


def main() -> None:
    words = argparse.ArgumentParser()
    for name in ("dsn", "source", "target"):
        words.add_argument(name)
    words.add_argument("--run", required=True)
    words.add_argument("--for", dest="reader", default="net")
    words.add_argument("--now", type=float, default=time.time())
    given = words.parse_args()
    command = Command(
        into="msal-json", now=given.now, reader=given.reader, program=(os.environ.get("ADAL2MSAL", "adal2msal"),))
    job = Job(given.dsn, given.source, given.target, given.run, command)
    job.run()
    for status, reason, count in job.totals():
        print(f"{count:>8}  status {status:<3} {reason or '-'}")


if __name__ == "__main__":
    main()
