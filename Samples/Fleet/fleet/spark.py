# SPDX-License-Identifier: MIT
"""A DataFrame of caches on Apache Spark, through `mapInArrow` and a process for each partition.

Not `rdd.pipe` and not SQL's TRANSFORM: where the process dies early, those leave rows out and succeed.
"""
from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from .batches import Columns, migrated
from .child import Command

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# What keeps tokens out of local folders, and files from other users. `spark.authenticate` is without effect where
# there is no secret.
PROTECTION: dict[str, str] = {
    "spark.io.encryption.enabled": "true",
    "spark.authenticate": "true",
    "spark.network.crypto.enabled": "true",
    "spark.hadoop.fs.permissions.umask-mode": "077",
}
SECRET = "spark.authenticate.secret"

_MAP = "__account_map"
MAP_COLUMNS = ("home_oid", "home_tid", "tid", "oid", "upn", "username_override", "environment")


class UnprotectedCluster(Exception):
    """A session whose settings would leave tokens in plain text on its disks."""


def check_protection(session: SparkSession) -> None:
    """Raises `UnprotectedCluster` unless shuffles, broadcasts and what executors say to each other is encrypted
    and files are their owner's."""

    def setting(name: str) -> str | None:
        return session.conf.get(name, None)

    wrong = [name for name, value in PROTECTION.items() if (setting(name) or "").lower() != value]
    # A server of Spark Connect does not tell it to clients; it did not start without.
    if not type(session).__module__.startswith("pyspark.sql.connect") and not setting(SECRET):
        wrong.append(SECRET)
    if wrong:
        raise UnprotectedCluster(
            "tokens would be in plain text in local folders, or readable by others; set " + ", ".join(wrong))


def migrate(
    df: DataFrame, *, id: str = "id", cache: str = "cache", into: str, reader: str | None = None,
    target: str | None = None, account_map: DataFrame | None = None, policy: Mapping[str, object] | None = None,
    now: float | None = None, detail: str = "summary", command: Sequence[str] | None = None,
    options: Sequence[str] = (), keep: Sequence[str] = (), silence: float = 60.0, unprotected: bool = False,
) -> DataFrame:
    """The caches of `df`, each for itself: columns `id`, those of `keep`, `status`, `report`, `cache`, `error`.

    - `cache` and `target` name columns of bytes or text; `target` is what each target holds now.
    - `into` is `msal-json` or `items`, `reader` the library that reads new documents.
    - `account_map` has the column `id` and those of an account map; it is joined, not broadcast.
    - `policy` is what a policy file says, `options` are other options of `adal2msal stream`.
    - `now` is the clock of the whole run, in Unix seconds: taken once, here.
    - `keep` names columns that come along, such as which ADAL wrote the cache.
    - `unprotected` allows a session that `check_protection` refuses.
    """
    from pyspark import cloudpickle
    from pyspark.sql import functions as f

    import fleet

    # So that workers need nothing of this package installed, also behind Spark Connect.
    cloudpickle.register_pickle_by_value(fleet)
    session = df.sparkSession
    if not unprotected:
        check_protection(session)
    process = Command(
        into=into, now=time.time() if now is None else now, reader=reader, detail=detail,
        policy=dict(policy) if policy is not None else None, options=tuple(options),
        program=tuple(command or ("adal2msal",)), silence=silence)
    columns = Columns((id, *keep), cache, target, _MAP if account_map is not None else None)
    chosen = df.select(*dict.fromkeys([id, *keep, cache, *([target] if target else [])]))
    if account_map is not None:
        entry = f.struct(*[name for name in MAP_COLUMNS if name in account_map.columns])
        lines = account_map.groupBy(id).agg(f.to_json(f.collect_list(entry)).alias(_MAP))
        # Without the hint a small map would be broadcast.
        chosen = chosen.join(lines.hint("shuffle_merge"), id, "left")

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return migrated(batches, columns, process)

    kept = ", ".join(f"`{name}` {df.schema[name].dataType.simpleString()}" for name in columns.kept)
    return chosen.mapInArrow(run, f"{kept}, status int, report string, cache binary, error string")


def totals(result: DataFrame) -> DataFrame:
    """How many rows there are by status, reason, library and version.

    A row counts once for each reason of its report's findings, and once with no reason where there is none.
    Library and version are those of ADAL where `result` has columns of these names, else adal2msal's.
    """
    from pyspark.sql import functions as f

    finding = "array<struct<reason:string,severity:string>>"
    tool = "struct<name:string,version:string>"
    report = f.from_json("report", f"struct<findings:{finding},tool:{tool}>")
    read = result.withColumn("__report", report)
    reasons = f.array_distinct(f.col("__report.findings.reason"))
    library = f.col("library") if "library" in result.columns else f.col("__report.tool.name")
    version = f.col("version") if "version" in result.columns else f.col("__report.tool.version")
    return (
        read.select("status", f.explode_outer(reasons).alias("reason"), library.alias("library"), version.alias("version"))
        .groupBy("status", "reason", "library", "version").count()
        .orderBy("status", "reason", "library", "version"))


def protected(builder: SparkSession.Builder, secret: str | None = None) -> SparkSession.Builder:
    """A builder with the settings that `check_protection` asks for.

    On a standalone cluster master and workers need the same secret; in local mode a fresh one will do.
    """
    import secrets

    for name, value in {**PROTECTION, SECRET: secret or secrets.token_hex(32)}.items():
        builder = builder.config(name, value)
    return builder
