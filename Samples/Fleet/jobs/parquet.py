# SPDX-License-Identifier: MIT
"""Parquet of caches to Parquet of answers on Spark, with totals by reason, library and version.

    spark-submit jobs/parquet.py IN OUT [--into msal-json] [--for python] [--now SECONDS]

IN has the columns id and cache, and library and version where it is known which ADAL wrote the cache. Every run
writes a folder of its own in OUT: what an earlier run wrote is never replaced.
"""
from __future__ import annotations

import argparse
import os
import sys
import time
import uuid
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pyspark.sql import SparkSession  # noqa: E402

from fleet import spark  # noqa: E402


def main() -> None:
    words = argparse.ArgumentParser()
    words.add_argument("source")
    words.add_argument("out")
    words.add_argument("--into", default="msal-json", choices=("msal-json", "items"))
    words.add_argument("--for", dest="reader")
    words.add_argument("--now", type=float, default=time.time())
    words.add_argument("--run", default=uuid.uuid4().hex)
    given = words.parse_args()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("fleet")
    # A thousand caches in a batch are some megabytes; ten thousand, the default, are a worker's memory.
    builder = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", 1000)
    session = spark.protected(builder, os.environ.get("FLEET_SECRET")).getOrCreate()
    session.sparkContext.setLogLevel("WARN")
    caches = session.read.parquet(given.source)
    keep = [name for name in ("library", "version") if name in caches.columns]
    answers = spark.migrate(
        caches, into=given.into, reader=given.reader, now=given.now, keep=keep,
        command=[os.environ.get("ADAL2MSAL", "adal2msal")])
    folder = f"{given.out}/run={given.run}"
    answers.write.mode("errorifexists").parquet(folder)
    written = session.read.parquet(folder)
    print(f"{written.count()} of {caches.count()} caches are answered in {folder}")
    for row in spark.totals(written).collect():
        reason = row["reason"] or "-"
        print(f"{row['count']:>8}  status {row['status']:<3} {reason:<32} {row['library']} {row['version']}")
    session.stop()


if __name__ == "__main__":
    main()
