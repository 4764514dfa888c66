# SPDX-License-Identifier: MIT
"""Runs on real Spark, each in a process and a JVM of its own: scenarios.py NAME FOLDER; prints what came out as JSON.

FOLDER has caches.parquet; it gets Spark's local directories, event log and output.
"""
from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")

from conftest import FAULTY, digest  # noqa: E402
from pyspark.sql import DataFrame, SparkSession  # noqa: E402

from fleet import made, spark  # noqa: E402

COMMAND = [os.environ["ADAL2MSAL"]]
SECRET = "0123456789abcdef" * 2


def session(master: str, folder: Path, protected: bool = True, **settings: object) -> SparkSession:
    builder = SparkSession.builder.appName("fleet").master(master)
    for name, value in {
        "spark.local.dir": folder / "local", "spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": 4,
        "spark.driver.host": "127.0.0.1", "spark.ui.port": 0,
        "spark.sql.execution.arrow.maxRecordsPerBatch": 100, "spark.driver.memory": "512m",
        **settings,
    }.items():
        builder = builder.config(name, str(value))
    if protected:
        builder = spark.protected(builder, SECRET)
    made_ = builder.getOrCreate()
    if protected:
        made_.sparkContext.setLogLevel("ERROR")
    return made_


def caches(session_: SparkSession, folder: Path, parts: int = 4) -> DataFrame:
    return session_.read.parquet(str(folder / "caches.parquet")).repartitionByRange(parts, "id")


def outcome(result: DataFrame) -> dict[str, object]:
    """What is compared; the answers' secrets stay in this process."""
    rows = [tuple(row) for row in result.select("id", "status", "report", "cache", "error").collect()]
    good = [row for row in rows if row[1] != 70]
    return {
        "count": len(rows), "ids": len({row[0] for row in rows}), "digest": digest(good),
        "died": sorted(row[0] for row in rows if row[1] == 70),
    }


def migrate(df: DataFrame, **more: object) -> DataFrame:
    given = {"into": "msal-json", "now": made.NOW, "command": COMMAND, **more}
    return spark.migrate(df, **given)


def partitions(folder: Path) -> dict[str, object]:
    """Other partitions and orders; faults of every kind; a task that fails half way; the account map."""
    s = session("local[2,3]", folder)
    df = caches(s, folder)
    found: dict[str, object] = {"quiet": outcome(migrate(df))}
    found["other"] = outcome(migrate(df.repartition(7).sortWithinPartitions("version", "id")))
    found["poisoned"] = outcome(migrate(caches_of(s, folder, "poisoned"), command=[FAULTY], silence=4.0))
    found["retried"] = outcome(migrate(df).mapInArrow(failing(str(folder / "failed")), RESULT))
    guests = [n for n in range(df.count()) if n % 10 == 7]
    lines = [(n, made._user(n)["oid"], str(made._HOME), made._user(n)["oid"], str(made._HOME)) for n in guests]
    map_ = s.createDataFrame(lines, "id long, tid_oid string, home_tid string, oid string, tid string")
    map_ = map_.withColumnRenamed("tid_oid", "home_oid")
    mapped = migrate(df, account_map=map_)
    found["mapped"] = {**outcome(mapped), "asked": mapped.where("status = 1").count()}
    plan = mapped._jdf.queryExecution().executedPlan().toString()
    found["broadcasts"] = "Broadcast" in plan
    found["totals"] = [list(row) for row in spark.totals(migrate(df, keep=["library", "version"])).collect()]
    found["collected types"] = [field.dataType.simpleString() for field in migrate(df).schema]
    s.stop()
    return found


RESULT = "id bigint, status int, report string, cache binary, error string"


def caches_of(s: SparkSession, folder: Path, name: str) -> DataFrame:
    return s.read.parquet(str(folder / f"{name}.parquet")).repartitionByRange(4, "id")


def failing(file: str) -> Callable[[Iterator], Iterator]:
    """A step that fails half way the first time that it is run."""

    def step(batches: Iterator) -> Iterator:
        for number, batch in enumerate(batches):
            if number == 1 and not os.path.exists(file):
                open(file, "w").close()
                raise RuntimeError("half way")
            yield batch

    return step


def children(pid: int) -> list[tuple[int, str]]:
    """The processes below one, with their command lines."""
    table: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
            table.setdefault(parent, []).append(int(entry.name))
    found, open_ = [], [pid]
    while open_:
        for child in table.get(open_.pop(), []):
            open_.append(child)
            try:
                found.append((child, (Path("/proc") / str(child) / "cmdline").read_text().replace("\0", " ")))
            except OSError:
                continue
    return found


def killing(what: str, seconds: float = 90) -> threading.Thread:
    """Kills one process below this one whose command line has `what`, as soon as adal2msal is at work."""

    def kill() -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            below = children(os.getpid())
            if any(" stream --into" in line and "python" not in line and "/bin/sh" not in line for _, line in below):
                for pid, line in below:
                    if what in line and "stream --into" not in line:
                        os.kill(pid, signal.SIGKILL)
                        print(f"killed {what}", file=sys.stderr)
                        return
            time.sleep(0.02)

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


def killed(folder: Path) -> dict[str, object]:
    """An executor's JVM and a Python worker killed while they work, on local-cluster."""
    found: dict[str, object] = {}
    s = session("local-cluster[2,1,1024]", folder, **{"spark.task.maxFailures": 8, "spark.executor.memory": "512m"})
    df = caches(s, folder, 6)
    for what, name in (("CoarseGrainedExecutorBackend", "executor"), ("pyspark.daemon", "worker")):
        slow = df.mapInArrow(slowed(0.3), df.schema)
        thread = killing(what)
        found[name] = outcome(migrate(slow))
        thread.join()
    s.stop()
    return found


def slowed(seconds: float, file: str | None = None) -> Callable[[Iterator], Iterator]:
    """A slow step; with a file, only the task that makes the file is slow."""

    def step(batches: Iterator) -> Iterator:
        pause = seconds
        if file is not None:
            try:
                os.close(os.open(file, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pause = 0
        for batch in batches:
            time.sleep(pause)
            yield batch

    return step


def free_port(host: str = "127.0.0.1") -> int:
    with socket.socket() as listener:
        listener.bind((host, 0))
        return int(listener.getsockname()[1])


class Standalone:
    """A master and two workers, on addresses of their own: speculation wants another host."""

    def __init__(self, folder: Path) -> None:
        import pyspark

        home = Path(pyspark.__file__).parent
        self.port, ui = free_port(), free_port()
        options = " ".join(
            f"-D{name}={value}" for name, value in {
                **spark.PROTECTION, spark.SECRET: SECRET, "spark.local.dir": folder / "local",
                "spark.worker.cleanup.enabled": "true",
            }.items())
        environment = {
            **os.environ, "SPARK_HOME": str(home), "SPARK_DAEMON_JAVA_OPTS": options, "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_NO_DAEMONIZE": "1",
        }
        master = ["org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", self.port, "--webui-port", ui]
        workers = [
            ["org.apache.spark.deploy.worker.Worker", "--host", host, "--cores", 1, "--memory", "1g", "--webui-port",
             free_port(host), "--work-dir", folder / "work", f"spark://127.0.0.1:{self.port}"]
            for host in ("127.0.0.2", "127.0.0.3")]
        self.processes = []
        for number, words in enumerate([master, *workers]):
            with open(folder / f"daemon-{number}.log", "wb") as log:
                self.processes.append(subprocess.Popen(
                    [home / "bin" / "spark-class", *map(str, words)], stdout=log, stderr=log, start_new_session=True,
                    env={**environment, "SPARK_LOCAL_IP": "127.0.0.1" if number == 0 else f"127.0.0.{number + 1}"}))
        self.url = f"spark://127.0.0.1:{self.port}"

    def stop(self) -> None:
        for process in self.processes:
            os.killpg(process.pid, signal.SIGTERM)
        for process in self.processes:
            process.wait()


def said_by_ui(s: SparkSession, name: str) -> str:
    """What the UI's JSON says."""
    url = f"{s.sparkContext.uiWebUrl}/api/v1/applications/{s.sparkContext.applicationId}/{name}"
    with urllib.request.urlopen(url) as answer:
        return str(answer.read().decode())


def clustered(folder: Path) -> dict[str, object]:
    """Two workers: a task that is slow on one host is started once more on the other. Then a run with shuffles, a
    join, output and a failure, and what it leaves lying about, for the test to read."""
    (folder / "events").mkdir()
    (folder / "local").mkdir()
    cluster = Standalone(folder)
    try:
        s = session(cluster.url, folder, **{
            "spark.speculation": "true", "spark.speculation.interval": "100ms", "spark.speculation.multiplier": "1.2",
            "spark.speculation.quantile": "0.5", "spark.speculation.minTaskRuntime": "200ms",
            "spark.executor.memory": "512m", "spark.executor.cores": 1, "spark.locality.wait": "0s",
            "spark.eventLog.enabled": "true", "spark.eventLog.dir": f"file:{folder}/events",
            "spark.eventLog.compress": "false", "spark.shuffle.compress": "false", "spark.broadcast.compress": "false",
            # Spark removes the files of a shuffle when its driver collects memory; the test wants to read them.
            "spark.cleaner.referenceTracking": "false",
        })
        s.sparkContext.setLogLevel("INFO")
        df = caches(s, folder, 6)
        slow = df.mapInArrow(slowed(6, str(folder / "slow")), df.schema)
        migrate(slow).write.mode("errorifexists").parquet(str(folder / "speculated"))
        found: dict[str, object] = {"speculated": outcome(s.read.parquet(str(folder / "speculated")))}
        stages = json.loads(said_by_ui(s, "stages"))
        tasks = [task for stage in stages for task in json.loads(
            said_by_ui(s, f"stages/{stage['stageId']}/{stage['attemptId']}/taskList?length=1000"))]
        found["speculative"] = sum(task["speculative"] for task in tasks)
        found.update(left(s, folder, df))
        s.stop()
    finally:
        cluster.stop()
    return found


# Says hello, and then what it is told.
ECHO = """
import sys
sys.stdin.readline()
print('{"hello":{"stream":1,"version":"0","into":"msal-json"}}', flush=True)
for line in sys.stdin: print(line, end="", flush=True)
"""


def left(s: SparkSession, folder: Path, df: DataFrame) -> dict[str, object]:
    home = str(made._HOME)
    map_ = df.selectExpr("id", *(f"'{home}' as {name}" for name in ("home_oid", "home_tid", "oid", "tid")))
    result = migrate(df, account_map=map_).repartition(5)
    result.write.mode("errorifexists").parquet(str(folder / "out"))
    try:
        migrate(df, command=[sys.executable, "-c", ECHO]).write.parquet(str(folder / "never"))
        message = ""
    except Exception as error:  # noqa: BLE001
        message = str(error)
    (folder / "message").write_text(message)
    names = ("jobs", "stages?details=true", "executors", "environment", "sql?details=true", "storage/rdd")
    (folder / "ui.json").write_text(json.dumps([said_by_ui(s, name) for name in names]))
    # A copy, since Spark clears its folders at the end.
    subprocess.run(["cp", "-a", folder / "local", folder / "kept"], check=True)
    return {"written": outcome(s.read.parquet(str(folder / "out"))), "failed": bool(message)}


def asked_again(query: Callable[[], object]) -> object:
    """The answer, asked for once more where Spark Connect's own class server has hung up on an executor, which
    happened once in CI before a line of ours was run."""
    try:
        return query()
    except Exception as error:
        if not re.search(r"Connection from localhost/\S+ closed", str(error)):
            raise
        return query()


def connected(folder: Path) -> dict[str, object]:
    """Spark Connect, which has no RDDs."""
    import pyspark

    home = Path(pyspark.__file__).parent
    port = free_port()
    words = [
        home / "bin" / "spark-submit", "--class", "org.apache.spark.sql.connect.service.SparkConnectServer",
        "--master", "local[2]", "--name", "fleet",
    ]
    settings = {
        **spark.PROTECTION, spark.SECRET: SECRET, "spark.connect.grpc.binding.port": port,
        "spark.connect.grpc.binding.address": "127.0.0.1", "spark.ui.enabled": "false",
        "spark.local.dir": folder / "local", "spark.driver.memory": "512m",
    }
    for name, value in settings.items():
        words += ["--conf", f"{name}={value}"]
    with open(folder / "connect.log", "wb") as log:
        server = subprocess.Popen(
            [*map(str, words), "spark-internal"], stdout=log, stderr=log, start_new_session=True,
            env={**os.environ, "SPARK_HOME": str(home)})
    try:
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        s = SparkSession.builder.remote(f"sc://127.0.0.1:{port}").getOrCreate()
        try:
            found = asked_again(
                lambda: outcome(migrate(s.read.parquet(str(folder / "caches.parquet")).repartition(3))))
        finally:
            s.stop()
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait()
    return {"connected": found}


def unprotected(folder: Path) -> dict[str, object]:
    """What the helper says of a session as Spark makes it, and when it is told that this is well."""
    s = session("local[1]", folder, protected=False)
    df = s.createDataFrame([(1, bytearray(b"x"))], "id int, cache binary")
    try:
        migrate(df)
        said = "allowed"
    except spark.UnprotectedCluster as error:
        said = str(error)
    statuses = [row["status"] for row in migrate(df, unprotected=True).collect()]
    s.stop()
    return {"said": said, "statuses": statuses}


if __name__ == "__main__":
    print("RESULT " + json.dumps(globals()[sys.argv[1]](Path(sys.argv[2]))))
