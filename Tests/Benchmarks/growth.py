#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a row costs, in every shape and in every report format, at n and at 4n.

Usage: growth.py COMMAND [--rows N] [--only "users, json;clients"] [--every-format] [--record | --check]

People are reported in every format, the other shapes as text; with `--every-format` they are in the others too.

Counts instructions with cachegrind, which gives the same figure on every run, less what the command takes to
start. `--check` fails when four times the rows take more than 4.4 times the instructions, or when a shape
takes 3 % more than `recorded.json` says; `--record` writes that file. Figures of another Swift or processor are not
compared.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

import shapes
from measure import instructions

HERE = pathlib.Path(__file__).resolve().parent
RECORDED = HERE / "recorded.json"
FORMATS = ["text", "json", "markdown", "sarif", "junit", "github", "azure", "html", "summary"]
# What four times the rows may take: four times the work, and a logarithm's share.
MOST_GROWTH = 4.4
# How much more than last time a row may take.
MOST_CHANGE = 1.03


def cases(command, folder, n, only, every_format):
    """Name and arguments of everything that is measured, as pairs for n and 4n."""
    for shape, paths in caches(command, folder, n, {name.split(",")[0] for name in only}):
        for form in FORMATS if shape == "users" or every_format else ["text"]:
            name = shape if form == "text" else f"{shape}, {form}"
            if not only or name in only:
                yield name, [["migrate", path, "-n", "--now", str(shapes.NOW), "--format", form]
                             for path in paths]


def caches(command, folder, n, wanted):
    """The name of every shape that is wanted, and the paths of its caches of n and 4n rows."""
    for shape in shapes.SHAPES:
        if wanted and shape not in wanted and not (shape == "users" and "already there" in wanted):
            continue
        paths = []
        for size in (n, 4 * n):
            path = folder / f"{shape}-{size}.items.json"
            shapes.write(path, shapes.items(shape, size))
            paths.append(str(path))
        yield shape, paths
        if shape == "users" and (not wanted or "already there" in wanted):
            there = []
            for path in paths:
                copy = str(folder / pathlib.Path(path).name.replace("users", "there"))
                pathlib.Path(copy).write_bytes(pathlib.Path(path).read_bytes())
                os.chmod(copy, 0o600)
                subprocess.run([command, "migrate", copy, "--into", copy, "--now",
                                str(shapes.NOW)], stdout=subprocess.DEVNULL, check=True)
                there.append(copy)
            yield "already there", there


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
    print(f"| shape, {options.rows} rows and four times as many | instructions a row, in thousands "
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
    if options.record:
        RECORDED.write_text(json.dumps({"compiler": here, "figures": measured}, indent=2) + "\n")
    if options.check and faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
