#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a row costs, in every shape and in every report format, at n and at 4n.

Usage: growth.py COMMAND [--rows N] [--record | --check]

Counts instructions with callgrind, which gives the same figure on every run, less what the command takes to
start. `--check` fails when four times the rows take more than 4.4 times the instructions, or when a shape
takes 5 % more than `recorded.json` says; `--record` writes that file.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import shapes

HERE = pathlib.Path(__file__).resolve().parent
RECORDED = HERE / "recorded.json"
FORMATS = ["text", "json", "markdown", "sarif", "junit", "github", "azure", "html", "summary"]
# What four times the rows may take: four times the work, and a logarithm's share.
MOST_GROWTH = 4.4
# How much more than last time a row may take.
MOST_CHANGE = 1.05


def instructions(command, *arguments):
    """How many instructions a run takes."""
    environment = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", command, *arguments],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if run.returncode not in (0, 1):
        sys.exit(f"{' '.join(arguments)} ended with {run.returncode}:\n{run.stderr[-2000:]}")
    return int(re.search(r"Collected : (\d+)", run.stderr)[1])


def cases(command, folder, n):
    """Name and arguments of everything that is measured, as pairs for n and 4n."""
    for shape in shapes.SHAPES:
        paths = []
        for size in (n, 4 * n):
            path = folder / f"{shape}-{size}.items.json"
            shapes.write(path, shapes.items(shape, size))
            paths.append(str(path))
        for form in FORMATS if shape == "people" else ["text"]:
            name = shape if form == "text" else f"{shape}, {form}"
            yield name, [["migrate", path, "-n", "--now", str(shapes.NOW), "--format", form]
                         for path in paths]
        if shape == "people":
            there = []
            for path in paths:
                copy = path.replace("people", "there")
                pathlib.Path(copy).write_bytes(pathlib.Path(path).read_bytes())
                os.chmod(copy, 0o600)
                subprocess.run([command, "migrate", copy, "--into", copy, "--now",
                                str(shapes.NOW)], stdout=subprocess.DEVNULL, check=True)
                there.append(copy)
            yield "already there", [["migrate", path, "-n", "--now", str(shapes.NOW)]
                                    for path in there]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("command")
    parser.add_argument("--rows", type=int, default=250)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    start = instructions(options.command, "--version")
    recorded = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    measured, faults = {}, []
    print(f"| shape, {options.rows} rows and four times as many | instructions a row, in thousands "
          "| at 4n | growth |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        pairs = list(cases(options.command, pathlib.Path(folder), options.rows))
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
            if name in recorded and cost > recorded[name] * MOST_CHANGE:
                faults.append(f"{name}: {cost:.1f} thousand instructions a row, were {recorded[name]}")
    if options.record:
        RECORDED.write_text(json.dumps(measured, indent=2) + "\n")
    if options.check and faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
