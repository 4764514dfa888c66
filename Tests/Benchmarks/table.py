#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the command and the library cost beside their peers: P1 to P9.

Usage: table.py BIN [--rows N] [--rounds N] [--only P1,P2] [--million] [--quick] [--map FILE]

BIN is the folder with the release builds of adal2msal, Rounds and App. Ours and its peer take turns, and the
figures are medians. Processor time is that of the process; instructions are valgrind's and the same on every
run. `--million` measures P4 too, which takes half an hour and 5 GB; `--quick` counts no instructions.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import code_kept
import code_size
import measure
import peers
import shapes

HERE = pathlib.Path(__file__).resolve().parent
CLOCK = ["--now", str(shapes.NOW)]
HEAD = "| # | work | ours | peer | ratio | to reach | instructions | allocations | memory |"


def median(values):
    return statistics.median(values)


def thousands(number, unit=""):
    """`12,300`, `1.2`: three digits that count."""
    if number is None:
        return ""
    digits = 0 if number >= 100 else 1 if number >= 10 else 2
    return f"{number:,.{digits}f}{unit}"


class Table:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.command, self.installed, self.rounds = (
            pathlib.Path(options.bin) / name for name in ("adal2msal", "installed", "Rounds"))
        self.start = self.median_of(lambda: measure.run(self.command, "--version"))

    def median_of(self, body):
        """The median of each figure of some runs."""
        runs = [body() for _ in range(self.options.rounds)]
        return measure.Usage(*(median(getattr(run, name) for run in runs)
                               for name in ("user", "system", "wall", "peak")))

    # Rows and what they are made of

    def row(self, number, work, ours, peer="", ratio="", goal="", instructions=None, allocations=None,
            memory=""):
        print(f"| {number} | {work} | {ours} | {peer} | {ratio} | {goal} | {thousands(instructions)} "
              f"| {thousands(allocations)} | {memory} |", flush=True)

    def cache(self, rows, kind):
        path = self.folder / f"users-{rows}.{kind}"
        if not path.exists():
            # A process of its own: what it holds would count as its children's memory.
            subprocess.run([sys.executable, HERE / "shapes.py", str(rows), path], check=True)
        return path

    def figures(self, *words):
        """The figures of one round."""
        done = subprocess.run([self.rounds, *words], env=measure.ENVIRONMENT, capture_output=True,
                              text=True, check=False)
        if done.returncode:
            sys.exit(f"Rounds {words[0]} ended with {done.returncode}:\n{done.stderr[-2000:]}")
        return json.loads(done.stdout)

    def counted(self, count, small, large):
        """What a count grows by, from one command line to another one."""
        if self.options.quick:
            return None
        return count(*large) - count(*small)

    def new(self, name):
        path = self.folder / name
        for leftover in self.folder.glob(f"{name}*"):
            leftover.unlink()
        return path

    # P1 to P9

    def p1(self):
        items = self.cache(2000, "items.json")
        archives = [item["data"] for item in shapes.many_users(2000)]
        rounds = []
        for _ in range(self.options.rounds):
            figures = self.figures("archives", items)
            figures["plistlib"] = peers.parse(archives[:500]) / 500 * 1e9
            figures["bpylist2"] = peers.unarchive(archives[:500]) / 500 * 1e9
            rounds.append(figures)
        words = [[self.rounds, "archives", items, "ours", str(count)] for count in (1000, 2000)]
        self.compare("P1", "archive → owned values", rounds, "≥ 100× NSKeyedUnarchiver, ≥ 50× the others",
                     self.counted(measure.instructions, *words),
                     self.counted(measure.allocations, *words), 1000)

    def p7(self):
        blob = self.cache(2000, "adalcache")
        data = blob.read_bytes()
        rounds = []
        for _ in range(self.options.rounds):
            figures = self.figures("blob", blob, "2000")
            figures["bpylist2"] = peers.unarchive([data]) / 2000 * 1e9
            rounds.append(figures)
        self.compare("P7", "macOS blob of 2,000 rows, a row", rounds,
                     "≥ 45× NSKeyedUnarchiver, ≥ 18× bpylist2", None, None, 1)

    def compare(self, number, work, rounds, goal, instructions, allocations, per):
        names = {"foundation": "NSKeyedUnarchiver", "plistlib": "plistlib", "bpylist2": "bpylist2"}
        there = [name for name in names if name in rounds[0]]
        self.row(
            number, work, thousands(median(r["ours"] for r in rounds), " ns"),
            ", ".join(f"{names[name]} {thousands(median(r[name] for r in rounds) / 1000, ' µs')}"
                      for name in there),
            ", ".join(f"{thousands(median(r[name] / r['ours'] for r in rounds))}×" for name in there),
            goal, instructions and instructions / per, allocations and allocations / per)

    def dry_run(self, number, rows, kinds, forms, goal):
        for kind in kinds:
            path = self.cache(rows, kind)
            size = path.stat().st_size
            for form in forms:
                words = ["migrate", path, "-n", *CLOCK, "--format", form]
                used = self.median_of(lambda: measure.run(self.command, *words))
                self.row(
                    number, f"dry run of {rows:,} rows, {kind}, {form}",
                    thousands((used.cpu - self.start.cpu) / rows * 1e6, " µs a row"), goal=goal,
                    instructions=self.row_count(measure.instructions, kind, form),
                    allocations=self.row_count(measure.allocations, kind, form),
                    memory=self.memory(used, rows, size))

    def memory(self, used, rows, size):
        """What a row takes of memory beside its share of the file, which need not be in memory."""
        return (f"{thousands((used.peak - self.start.peak) / rows / 1024)} KB a row, "
                f"where the file has {thousands(size / rows / 1024)}")

    def row_count(self, count, kind, form):
        """What a row takes of what is counted, from 250 rows to 1,000."""
        if self.options.rows < 100_000:
            return None
        words = [[self.command, "migrate", self.cache(rows, kind), "-n", *CLOCK, "--format", form]
                 for rows in (250, 1000)]
        counted = self.counted(count, *words)
        return counted and counted / 750

    def p2(self):
        self.dry_run("P2", self.options.rows, ["items.json", "sqlite"], ["text", "json"],
                     "≤ 15 µs, ≤ 2 KB")

    def p3(self):
        rows, source = self.options.rows, self.cache(self.options.rows, "sqlite")
        used = self.median_of(lambda: measure.run(
            self.command, "migrate", source, "--into", self.new("new.sqlite"), *CLOCK))
        new = self.folder / "new.sqlite"
        rounds = [self.figures("write", new, self.new("copy.sqlite"))
                  for _ in range(self.options.rounds)]
        size = source.stat().st_size
        self.row("P3", f"{rows:,} rows into a new snapshot",
                 thousands((used.cpu - self.start.cpu) / rows * 1e6, " µs a row"), goal="≤ 25 µs",
                 memory=self.memory(used, rows, size))
        ours, theirs = (median(r[name] for r in rounds) * 1e3 for name in ("ours", "bytes"))
        ratio = median(r["ours"] / r["bytes"] for r in rounds)
        self.row("P3", f"the write itself, {rounds[0]['items']:,.0f} items, on the wall",
                 thousands(ours, " ms"), f"write and fsync of as many bytes {thousands(theirs, ' ms')}",
                 f"{thousands(ratio)}×", "≤ 3.5×")

    def p4(self):
        sizes = (1_000_000, 100_000)
        paths = [self.cache(rows, "sqlite") for rows in sizes]
        used = [measure.run(self.command, "migrate", path, "-n", *CLOCK, "--format", "text")
                for path in paths]
        costs = [(one.cpu - self.start.cpu) / rows * 1e6 for one, rows in zip(used, sizes)]
        self.row("P4", "dry run of 1,000,000 rows, sqlite, text", thousands(costs[0], " µs a row"),
                 f"100,000 rows {thousands(costs[1], ' µs a row')}",
                 f"{thousands(costs[0] / costs[1])}×", "≤ 1.15×",
                 memory=self.memory(used[0], sizes[0], paths[0].stat().st_size))

    def p5(self):
        items = self.cache(20, "items.json")
        rounds = [self.figures("library", items) for _ in range(self.options.rounds)]
        for name, work, goal in (("converting", "20 rows in memory", "≤ 1 ms"),
                                 ("unchanged", "the same with nothing to do, by its receipt", "≤ 150 µs"),
                                 ("nothing", "the same without a receipt", "")):
            self.row("P5", f"library, {work}", thousands(median(r[name] for r in rounds), " µs"),
                     goal=goal)

    def p6(self):
        # The command as users have it, beside a program that loads Swift's library and does nothing. What is counted
        # leaves out what every Swift program with these libraries takes before `main`.
        items = self.cache(20, "items.json")
        pairs = []
        words = [self.installed, "migrate", items, *CLOCK, "--into"]
        for _ in range(4 * self.options.rounds):
            pairs.append((measure.run(*words, self.new("twenty.sqlite")),
                          measure.run(self.command, "--version")))
        ours, theirs = (median(pair[side].cpu for pair in pairs) * 1e3 for side in (0, 1))
        ratio = median(pair[0].cpu / pair[1].cpu for pair in pairs)
        wall = median(pair[0].wall / pair[1].wall for pair in pairs)
        counted = None
        if not self.options.quick:
            counted = measure.instructions_within("adal2msal_main", *words, self.new("twenty.sqlite"))
        self.row("P6", "installed command, 20 rows into a new snapshot", thousands(ours, " ms"),
                 f"--version with Swift's library loaded {thousands(theirs, ' ms')}",
                 f"{thousands(ratio)}× ({thousands(wall)}× on the wall)", "≤ 1.29×, 17 million", counted)

    def p8(self):
        source = self.cache(8000, "items.json")
        made = [self.new("entries.items.json"), self.new("entries.json")]
        for path in made:
            measure.run(self.command, "migrate", source, "--into", path, *CLOCK)
        asked = peers.queries(1000, 800, shapes.TENANT, shapes.CLIENT, shapes.guid)
        file = self.folder / "queries.json"
        peers.write_queries(file, asked, shapes.NOW)
        entries = len(json.loads(made[0].read_text())["items"])
        pairs = [(measure.run(self.command, "lookup", made[0], "--queries", file).cpu,
                  peers.look_up(made[1], asked, shapes.NOW)) for _ in range(self.options.rounds)]
        ours, theirs = (median(pair[side] for pair in pairs) for side in (0, 1))
        self.row("P8", f"lookup, 1,000 queries on {entries:,} entries, with reading them",
                 thousands(ours, " s"), f"MSAL Python, read before {thousands(theirs, ' s')}",
                 f"{thousands(median(pair[1] / pair[0] for pair in pairs))}×", "≤ 1 s")

    def p9(self):
        if not self.options.apps:
            return
        apps = pathlib.Path(self.options.apps)
        for level, goal in (("O", "≤ 1.9 MB"), ("Osize", "≤ 1.6 MB")):
            linked, _ = code_size.sizes(apps / f"{level}.map")
            kept, containers = code_kept.kept(apps / level / "release")
            sizes = [thousands(size / 1e6, " MB") for size in (kept, linked, containers)]
            self.row("P9", f"code that an app keeps (`-{level}`), without swift-crypto", sizes[0],
                     f"a linker for Linux keeps {sizes[1]}; Swift's containers are {sizes[2]}", "", goal)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bin")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="")
    parser.add_argument("--million", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--apps", help="the folder with the builds of App, and the linker's maps of them")
    options = parser.parse_args()
    print(f"On {measure.machine()}:\n\n{HEAD}\n{'|---' * 9}|", flush=True)
    names = options.only.lower().split(",") if options.only else [
        f"p{k}" for k in range(1, 10) if k != 4 or options.million]
    with tempfile.TemporaryDirectory() as folder:
        table = Table(options, pathlib.Path(folder))
        for name in names:
            getattr(table, name)()


if __name__ == "__main__":
    main()
