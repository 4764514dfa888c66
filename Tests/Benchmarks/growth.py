#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a row costs, in every shape, use and report format, at n and at 4n.

Usage: growth.py COMMAND [--rows N] [--only "users, json;clients"] [--every-format] [--record | --check]

Of every shape it measures a dry run in place and into a document, one with a policy of as many client ids as there are
rows, one after a run, and look-ups after it: of a client, and those of a file of queries about each refresh token. People are reported in every format, the other shapes as text;
with `--every-format` they are in the others too.

Counts instructions with cachegrind, which gives the same figure on every run, less what the command takes to
start. `--check` fails when four times the rows take more than 4.4 times the instructions, or when a shape
takes 3 % more than `recorded.json` says; `--record` writes that file. Figures of another Swift or processor are not
compared.
"""
import argparse
import base64
import concurrent.futures
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

import shapes
from measure import instructions, instructions_within

HERE = pathlib.Path(__file__).resolve().parent
RECORDED = HERE / "recorded.json"
CLOCK = ["--now", str(shapes.NOW)]
FORMATS = ["json", "markdown", "sarif", "junit", "github", "azure", "html", "summary"]
# What else is done with a cache than a dry run in its place.
USES = ["with a policy", "already there", "looked up", "asked in queries", "into a document", "looked up in a document"]
# A run as it is on a phone or a small server, where the start takes more than the rows.
WHOLE = "20 rows into a new snapshot"
# What four times the rows may take: four times the work, and a logarithm's share.
MOST_GROWTH = 4.4
# How much more than last time a row may take.
MOST_CHANGE = 1.03


def cases(command, folder, n, only, every_format):
    """Name and arguments of everything that is measured, as pairs for n and 4n."""
    for shape in shapes.SHAPES:
        forms = FORMATS if shape == "users" or every_format else []
        names = [shape, *(f"{shape}, {other}" for other in [*USES, *forms])]
        if names := [name for name in names if not only or name in only]:
            paths = [shapes.cache(folder, shape, size) for size in (n, 4 * n)]
            for name in names:
                runs = [words(command, name.partition(", ")[2], path) for path in paths]
                if all(runs):
                    yield name, runs


def words(command, use, path):
    """The arguments of a run, after the run that it needs; none where there is nothing to look up."""
    migrate = ["migrate", path, "-n", *CLOCK]
    if use not in USES:
        return [*migrate, "--format", use or "text"]
    if use == "with a policy":
        return [*migrate, "--policy", policy(path)]
    target = path.with_name(f"{use} {path.name}.json")
    if use == "into a document":
        return [*migrate, "--into", target]
    if path.is_file() and "document" not in use:
        path = target = shutil.copy2(path, path.with_name(f"{use} {path.name}"))
    subprocess.run([command, "migrate", path, "--into", target, *CLOCK], stdout=subprocess.DEVNULL, check=False)
    if use == "already there":
        return ["migrate", path, "-n", *CLOCK, "--into", target]
    lookup = ["lookup", target, "--client-id", shapes.CLIENT]
    if use == "asked in queries":
        # An answer has a profile for each tenant: of many clients and many tenants the answers themselves are many.
        if not path.is_file() or "tenants and" in path.name or "tenants without" in path.name:
            return None
        lookup = ["lookup", target, "--queries", queries(target)]
    # Of several access groups it would ask which; and a folder of keychains is no place for a look-up.
    asked = target.exists() and "groups" not in path.name and (path.is_file() or "document" in use)
    return lookup if asked else None


def policy(path):
    """A file with as many client ids as a cache has rows; that of most shapes is the last."""
    ids = [shapes.guid(f"asked {n}") for n in range(int(re.search(r"\d+", path.name)[0]) - 1)]
    file = path.with_name(f"policy of {path.name}.json")
    file.write_text(json.dumps({"clientIds": [*ids, shapes.CLIENT]}))
    return file


def queries(path):
    """A file with queries for each refresh token that MSAL would find in a cache."""
    entries = [json.loads(base64.b64decode(item["data"])) for item in json.loads(path.read_text())["items"]
               if item.get("type") == 2002]
    asked = [{"op": op, "clientId": entry["client_id"], part: entry["home_account_id"], "withLegacy": True,
              "authority": "https://login.microsoftonline.com/common"}
             for entry in entries for op, part in [("msalAccounts", "identifier"), ("rt", "homeAccountId")]]
    file = path.with_name(f"queries of {path.name}")
    file.write_text(json.dumps({"queries": asked}))
    return file


def start_to_end(command, folder):
    """What a small run takes as a whole, most of which is its start."""
    # Beside a target the command looks for what an interrupted run left: the folder has nothing else.
    alone = folder / "alone"
    alone.mkdir()
    words = [command, "migrate", shapes.cache(folder, "users", 20), *CLOCK, "--into", alone / "new.sqlite"]
    return instructions_within("adal2msal_main", *words)


def compiler():
    """What the figures depend on: the version of Swift, and for which processor it compiles."""
    words = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True).stdout
    return f"Swift {re.search(r'Swift version ([0-9.]+)', words)[1]}, {platform.machine()}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("command")
    parser.add_argument("--rows", type=int, default=250)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--every-format", action="store_true")
    parser.add_argument("--only", default="", help="names of shapes, with semicolons between them")
    options = parser.parse_args()
    here = compiler()
    recorded = json.loads(RECORDED.read_text())
    if options.check and recorded["compiler"] != here:
        print(f"not compared with the figures of {recorded['compiler']}: this is {here}\n")
    known = recorded["figures"] if recorded["compiler"] == here else {}
    measured, faults = {}, []
    print(f"| shape and use, {options.rows} rows and four times as many | instructions a row, in thousands "
          "| at 4n | growth |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        only = {name.strip() for name in options.only.split(";") if name.strip()}
        start = instructions(options.command, "--version")
        pairs = list(cases(options.command, pathlib.Path(folder), options.rows, only,
                           options.every_format))
        if unknown := only - {name for name, _ in pairs}:
            sys.exit(f"there is no shape {', '.join(sorted(unknown))}")
        counts = pool.map(
            lambda pair: [instructions(options.command, *words) - start for words in pair[1]], pairs)
        for (name, _), (small, large) in zip(pairs, counts):
            growth = large / small
            cost = large / (4 * options.rows) / 1000
            measured[name] = round(cost, 1)
            print(f"| {name} | {small / options.rows / 1000:.1f} | {cost:.1f} | {growth:.2f} |",
                  flush=True)
            if growth > MOST_GROWTH:
                faults.append(f"{name}: four times the rows take {growth:.2f} times the work")
            if cost > known.get(name, cost) * MOST_CHANGE:
                faults.append(f"{name}: {cost:.1f} thousand instructions a row, were {known[name]}")
        if not only:
            cost = round(start_to_end(options.command, pathlib.Path(folder)) / 1000, 1)
            measured[WHOLE] = cost
            print(f"\n{WHOLE}: {cost:,} thousand instructions from `main`")
            if cost > known.get(WHOLE, cost) * MOST_CHANGE:
                faults.append(f"{WHOLE}: {cost} thousand instructions, were {known[WHOLE]}")
    if options.record:
        RECORDED.write_text(json.dumps({"compiler": here, "figures": measured}, indent=2) + "\n")
    if options.check and faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
