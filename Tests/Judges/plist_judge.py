#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what KeyedArchive reads with what Python's plistlib reads, value for value.

    python3 Tests/Judges/plist_judge.py [--dump PROGRAM] [--count N] [--seed N] [--learnt FOLDER]

Inputs: every archive in Tests/Vectors (and in ../shared/vectors/recorded, where that is), N generated
ones (default 10,000), as many of those with a few bytes changed, and what fuzzing keeps; with --learnt
also what it has learnt here (.build/fuzz/corpus). PROGRAM is the built plist-dump.
A vector or a generated archive must be read alike by both; where a changed one is not, the
difference must be one that EXPLAINED lists. Exit status 1 when one is not.
"""
import argparse
import base64
import collections
import datetime
import json
import pathlib
import plistlib
import random
import struct
import subprocess
import sys
import tempfile

import plist_making

ROOT = pathlib.Path(__file__).resolve().parents[2]
EPOCH = datetime.datetime(2001, 1, 1)

# Where one side reads a value and the other finds an error: (ours, theirs) -> why.
EXPLAINED = {
    ("overlapping-objects", "value"): "plistlib does not mind objects that share bytes",
    ("truncated", "value"): "plistlib reads on into the offset table",
    ("offset-out-of-range", "value"): "plistlib takes offsets into the table or before the objects",
    ("malformed-trailer", "value"): "plistlib lets the table lie anywhere, and does not mind what it skips",
    ("unknown-marker", "value"): "plistlib reads fill bytes, integers beyond 16 bytes, any count marker",
    ("cycle", "value"): "plistlib makes a value that contains itself",
    ("too-deep", "value"): "plistlib nests up to Python's own limit",
    ("too-much-memory", "value"): "plistlib shares what is named twice; a reader of values cannot",
    ("not-a-property-list", "value"): "plistlib looks at fewer bytes of the header",
    ("value", "set"): "plistlib knows no sets",
    ("value", "date"): "Python's dates end with the year 9999",
    ("value", "key"): "plistlib wants keys that Python can hash",
}

# Parts of the names of vectors that are damaged on purpose.
DAMAGED = ("/none-", "/broken-", "damaged")


def vectors():
    """Name and bytes of every binary property list among the vectors."""
    folder = ROOT / "Tests" / "Vectors"
    files = sorted(folder.rglob("*")) + sorted((ROOT.parent / "shared/vectors/recorded").glob("*"))
    for file in files:
        if file.suffix in (".bplist", ".bin"):
            yield str(file), file.read_bytes()
        elif file.suffix == ".json":
            yield from embedded(str(file), json.loads(file.read_text()))


def embedded(name, value):
    """Archives in the base64 strings of a JSON document."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from embedded(name + "/" + key, part)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from embedded(f"{name}/{index}", part)
    elif isinstance(value, str) and value.startswith("YnBsaXN0MD"):
        yield name, base64.b64decode(value)


def fuzzed(folders):
    """What fuzzing has made of property lists, alone or as a whole cache."""
    for folder in folders:
        for target in ("archive", "blob"):
            for file in sorted((folder / target).glob("*")):
                yield file.read_bytes()


def changed(data, chance):
    """`data` with one to three bytes changed, or cut off."""
    data = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        data[chance.randrange(len(data))] = chance.choice([0, 1, 0xFF, chance.randrange(256)])
    return bytes(data[:chance.randrange(len(data))] if chance.random() < 0.05 else data)


def bits(number):
    return format(struct.unpack(">Q", struct.pack(">d", number))[0], "x")


def theirs(data):
    """What plistlib reads, in the dump's words; or the reason why it does not."""
    try:
        value = plistlib.loads(data, fmt=plistlib.FMT_BINARY)
        return "value", told(value, ())
    except plistlib.InvalidFileException as error:
        cause = error
        while isinstance(cause, plistlib.InvalidFileException):
            cause = cause.__context__
        return "key" if isinstance(cause, TypeError) else "error", None
    except RecursionError:
        return "cycle", None
    except (ValueError, TypeError, MemoryError, IndexError, KeyError) as error:
        return ("key" if isinstance(error, TypeError) else "error"), None


def told(value, path):
    if isinstance(value, (list, dict)):
        if id(value) in path:
            raise RecursionError
        path += (id(value),)
    if value is None:
        return {"null": True}
    if isinstance(value, bool):
        return {"bool": value}
    if isinstance(value, int):
        return {"int": str(value)}
    if isinstance(value, plistlib.UID):
        return {"uid": str(value.data)}
    if isinstance(value, float):
        return {"real": bits(value)}
    if isinstance(value, datetime.datetime):
        return {"date": value.isoformat()}
    if isinstance(value, (bytes, bytearray)):
        return {"data": base64.b64encode(value).decode()}
    if isinstance(value, str):
        return {"text": value}
    if isinstance(value, list):
        return {"array": [told(v, path) for v in value]}
    return {"pairs": sorted(([told(k, path), told(v, path)] for k, v in value.items()), key=json.dumps)}


def ours(dump):
    """A dump in the judge's words: dates as Python's, pairs in order, the last of equal keys."""
    if not isinstance(dump, dict):
        return dump
    if "date" in dump:
        seconds = struct.unpack(">d", bytes.fromhex(dump["date"].zfill(16)))[0]
        try:
            return {"date": (EPOCH + datetime.timedelta(seconds=seconds)).isoformat()}
        except (OverflowError, ValueError):
            return {"date": "no date"}
    for kind in ("array", "set"):
        if kind in dump:
            return {kind: [ours(v) for v in dump[kind]]}
    if "keys" in dump:
        pairs = {json.dumps(ours(k), sort_keys=True): (k, v) for k, v in zip(dump["keys"], dump["values"])}
        # In Python True == 1 == 1.0, so a dictionary of mixed keys is not told by its texts alone.
        return {"pairs": sorted(([ours(k), ours(v)] for k, v in pairs.values()), key=json.dumps)}
    return dump


def kinds(dump):
    """Every kind of value in a dump."""
    found = set(dump) if isinstance(dump, dict) else set()
    for part in dump.values() if isinstance(dump, dict) else dump if isinstance(dump, list) else ():
        found |= kinds(part)
    return found


def read(program, inputs):
    """The two lines of plist-dump for each input."""
    with tempfile.NamedTemporaryFile() as file:
        for data in inputs:
            file.write(struct.pack(">I", len(data)) + data)
        file.flush()
        lines = subprocess.run([program, file.name], check=True, capture_output=True).stdout.splitlines()
    if len(lines) != 2 * len(inputs):
        sys.exit(f"plist-dump said {len(lines)} lines for {len(inputs)} inputs")
    decoded = [json.loads(line) for line in lines]
    return list(zip(decoded[::2], decoded[1::2]))


def verdict(dump, data):
    """None when both agree; else (ours, theirs) or a description of the values."""
    reason, value = theirs(data)
    error = dump.get("error")
    if error:
        return None if reason not in ("value", "cycle") else (error, "value")
    if reason == "value":
        return None if ours(dump) == value else "values differ"
    found = kinds(dump)
    if reason == "error" and "set" in found:
        return "value", "set"
    if reason == "error" and "no date" in json.dumps(ours(dump)):
        return "value", "date"
    return "value", reason


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--dump", default=str(ROOT / ".build/debug/plist-dump"))
    options.add_argument("--count", type=int, default=10_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--learnt", type=pathlib.Path, action="append", default=[])
    options = options.parse_args()
    chance = random.Random(options.seed)

    made = [plist_making.make(chance) for _ in range(options.count)]
    sound = list(vectors()) + [(f"generated no. {i}", data) for i, (data, _) in enumerate(made)]
    bad = []
    compared = collections.Counter()
    for index, ((name, data), (dump, archived)) in enumerate(zip(sound, read(options.dump, [d for _, d in sound]))):
        number = index - (len(sound) - len(made))
        if number >= 0 and dump != made[number][1]:
            bad.append((name, "not what was made", dump, made[number][1]))
        said = verdict(dump, data)
        if said is None:
            compared["property lists read alike, or refused by both"] += 1
        elif said == ("value", "set") and number >= 0:
            compared["property lists with sets: only their maker can judge them"] += 1
        elif said in EXPLAINED and number < 0 and any(word in name for word in DAMAGED):
            compared[f"damaged vectors: ours {said[0]}, theirs {said[1]}: {EXPLAINED[said]}"] += 1
        else:
            bad.append((name, said, dump, theirs(data)[1]))
        expected = plist_making.unarchived(data)
        if expected is None:
            continue
        if archived == expected or ("error" in archived and (expected == "odd" or said is not None)):
            compared["archives refused for an odd value" if "error" in archived else "archives read alike"] += 1
        else:
            bad.append((name, "archive", archived, expected))

    mutants = [changed(data, chance) for data, _ in made]
    fuzz = ROOT / "Tests" / "Fuzz"
    mutants += fuzzed([fuzz / "Corpus", fuzz / "FailCases", *options.learnt])
    differences = collections.Counter()
    for data, (dump, _) in zip(mutants, read(options.dump, mutants)):
        said = verdict(dump, data)
        differences[said] += 1
        if said is not None and said not in EXPLAINED:
            bad.append(("changed", said, dump, base64.b64encode(data).decode()))

    for what, count in sorted(compared.items()):
        print(f"{count:7} {what}")
    print(f"{differences.pop(None, 0):7} changed ones read alike, or refused by both")
    for said, count in sorted(differences.items(), key=str):
        print(f"{count:7} changed: ours {said[0]}, theirs {said[1]}: {EXPLAINED.get(said, 'UNEXPLAINED')}")
    for name, said, *values in bad[:10]:
        print("DIFFERENCE", name, said, *(json.dumps(v)[:400] for v in values), sep="\n  ")
    print(len(bad), "unexplained differences")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
