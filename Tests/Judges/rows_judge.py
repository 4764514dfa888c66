#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what ADALCache reads of caches of ADAL for .NET, Python and Node with what a reader in Python
reads that was written from the specification (other-adals) alone.

    python3 Tests/Judges/rows_judge.py --dump PROGRAM [--count N] [--seed N]

Inputs: every such cache in Tests/Vectors/other-adals, N generated ones of each form (default 3,000), and
as many of those with a few bytes changed. PROGRAM is the built rows-dump. Exit status 1 when a row is read
otherwise, or one is refused by one of the two alone.
"""
import argparse
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import zoneinfo

import rows_making
from rows_reading import Refused, read_blob, read_list

ROOT = pathlib.Path(__file__).resolve().parents[2]
VECTORS = ROOT / "Tests" / "Vectors" / "other-adals"
ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"]


def dump(program, form, inputs, zone):
    with tempfile.NamedTemporaryFile() as file:
        for data in inputs:
            file.write(struct.pack(">I", len(data)) + data)
        file.flush()
        lines = subprocess.run([program, form, file.name, zone], check=True, capture_output=True,
                               text=True).stdout.split("\n")[:-1]
    assert len(lines) == len(inputs), f"{len(lines)} answers to {len(inputs)} inputs"
    return [json.loads(line) for line in lines]


def difference(ours, data, form, zone):
    try:
        rows, unreadable = (read_blob(data) if form == "blob" else read_list(data, zone))
    except Refused as error:
        return None if ours.get("error") == str(error) else f"refused: {error}, ours: {ours}"
    if "error" in ours:
        return f"ours refused: {ours['error']}"
    rows = [{name: value for name, value in row.items() if value is not None} for row in rows]
    for row in rows:
        row.setdefault("dropped", [])
    if len(rows) != len(ours["rows"]):
        return f"{len(rows)} rows, ours: {len(ours['rows'])}: {unreadable} {ours['unreadable']}"
    for theirs, mine in zip(rows, ours["rows"]):
        if not same(theirs, mine):
            return f"{theirs}\n    ours: {mine}"
    if [index for index, _ in unreadable] != [row["index"] for row in ours["unreadable"]]:
        return f"{unreadable}\n    ours: {ours['unreadable']}"
    for (_, code), row in zip(unreadable, ours["unreadable"]):
        if code in ENDS and row["code"] != code:
            return f"{code}, ours: {row['code']}"
        if not 0 <= row["offset"] <= len(data):
            return f"offset {row['offset']}"
    return None


# Codes that do not depend on which of several faults is seen first.
ENDS = {"truncated", "malformed-length", "malformed-key", "trailing-bytes", "service-principal",
        "malformed"}


def same(theirs, mine):
    if theirs.keys() != mine.keys():
        return False
    for name, value in theirs.items():
        if isinstance(value, float) and name in ("expires", "extended", "created"):
            if abs(value - mine[name]) > 1e-6:
                return False
        elif value != mine[name]:
            return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dump", required=True)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    differences = compared = read = 0
    given = {"blob": VECTORS.glob("*/*/cache.dat"), "list": VECTORS.glob("*/*/cache*.json")}
    for form, paths in given.items():
        inputs = [path.read_bytes() for path in sorted(paths) if "containers" not in str(path)]
        assert inputs
        inputs += list(rows_making.inputs(form, options.count, chance))
        for number, zone in enumerate(ZONES if form == "list" else ["UTC"]):
            share = inputs if form == "blob" else inputs[number::len(ZONES)]
            for data, ours in zip(share, dump(options.dump, form, share, zone)):
                compared += 1
                read += len(ours.get("rows", []))
                found = difference(ours, data, form, zoneinfo.ZoneInfo(zone))
                if found:
                    differences += 1
                    if differences <= 20:
                        print(f"{form} {zone} {data[:600]!r}\n    {found}")
    print(f"{compared} caches with {read} rows that are read, {differences} differences")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
