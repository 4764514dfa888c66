# SPDX-License-Identifier: MIT
"""How many bytes of our rooms a linker keeps that drops by symbol, as Apple's does: what an app's own code reaches.

A linker for Linux drops by section. The data of a room is one, so that its tables keep functions that nobody calls. The object
files have to be compiled with a section for each function: calls inside a section have no relocation to follow."""

import bisect
import collections
import pathlib
import re
import struct
import subprocess

ROOMS = ("PlatformFoundation", "KeyedArchive", "CacheJSON", "KeychainItems", "ADALCache", "MSALCache", "MSALLookup", "ADALMigration")
# Swift's records of types and conformances; a linker keeps them, and what they name.
RECORDS = ("swift5_", "__swift")
NO_CODE = (".debug", ".rel", ".symtab", ".strtab", ".shstrtab", ".comment", ".note", ".eh_frame", ".llvm", ".group", ".linker",
           ".swift", "$swift")
CONTAINER = re.compile(r"\b_?Native(?:Dictionary|Set)|\b(?:Dictionary|Set|Array|ContiguousArray|Sequence)\b|_ContiguousArrayBuffer"
                       r"|RawDictionary|RawSet|UnsafeMutableBufferPointer|_merge<|\b(?:Mutable|Bidirectional)?Collection\b")
SOURCES = pathlib.Path(__file__).resolve().parents[2] / "Sources"
ROOT = (pathlib.Path(), 0, 0)


def read_sections(data):
    """The headers of an object's sections, and their names."""
    start, = struct.unpack_from("<Q", data, 40)
    each, count, names_at = struct.unpack_from("<HHH", data, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, start + number * each) for number in range(max(count, 1))]
    if count == 0:
        # More sections than the header has room for.
        names_at, count = sections[0][6], sections[0][5]
        sections = [struct.unpack_from("<IIQQQQIIQQ", data, start + number * each) for number in range(count)]
    at = sections[names_at][4]
    return sections, [data[at + section[0]:data.index(b"\0", at + section[0])].decode("utf-8", "replace") for section in sections]


def objects(built, rooms=ROOMS):
    """The object files of rooms in a folder of builds, without those of sources that are gone, which SwiftPM leaves there."""
    for room in rooms:
        sources = {file.name for file in (SOURCES / room).rglob("*.swift")}
        for path in sorted(pathlib.Path(built, f"{room}.build").rglob("*.o")):
            if room == "App" or not path.name.endswith(".swift.o") or path.name.removesuffix(".o") in sources:
                yield path


def is_apart(path):
    """Whether an object file has a section for each function."""
    sections, names = read_sections(path.read_bytes())
    return not any(name == ".text" and section[5] for section, name in zip(sections, names, strict=True))


class Objects:
    """Symbols of object files, their sizes, and what each names."""

    def __init__(self, paths):
        self.size, self.name, self.edges = {}, {}, collections.defaultdict(set)
        self.defined, outside = {}, collections.defaultdict(set)
        for path in paths:
            self.read(path, path.read_bytes(), outside)
        for place, names in outside.items():
            self.edges[place] |= {self.defined[name] for name in names if name in self.defined}

    def read(self, path, data, outside):
        sections, names = read_sections(data)
        count = len(sections)

        def text(at):
            return data[at:data.index(b"\0", at)].decode("utf-8", "replace")

        table = next(section for section in sections if section[1] == 2)
        longer = next((section for section in sections if section[1] == 18), None)
        symbols, starts = [], collections.defaultdict(dict)
        for number in range(table[5] // 24):
            name, info, _, section, value, length = struct.unpack_from("<IBBHQQ", data, table[4] + 24 * number)
            if section == 0xFFFF and longer:
                section, = struct.unpack_from("<I", data, longer[4] + 4 * number)
            symbols.append((text(sections[table[6]][4] + name) if name else "", info >> 4, info & 15, section, value))
            if 0 < section < count and info & 15 != 3 and name:
                known = starts[section].get(value, ("", 0))
                starts[section][value] = known if known[1] >= length and known[0] else (symbols[-1][0], length)
        for values in starts.values():
            # A name for the middle of something, such as the metadata behind its header, is no symbol of its own.
            end = 0
            for value in sorted(values):
                if value < end:
                    del values[value]
                else:
                    end = value + values[value][1]
        ordered = {section: sorted(values) for section, values in starts.items()}

        def place(section, offset):
            values = ordered.get(section, [0])
            return path, section, values[max(bisect.bisect_right(values, offset) - 1, 0)]

        for section, (kind, length) in enumerate((entry[1], entry[5]) for entry in sections):
            if kind in (0, 2, 3, 4, 8, 17, 18) or names[section].startswith(NO_CODE):
                continue
            if names[section].startswith(RECORDS):
                self.edges[ROOT].add((path, section, 0))
                self.size[path, section, 0], self.name[path, section, 0] = length, names[section]
                continue
            values = ordered.get(section, [0])
            for value, end in zip(values, [*values[1:], length]):
                self.size[path, section, value] = end - value
                self.name[path, section, value] = starts[section].get(value, (names[section], 0))[0]
        for name, binding, _, section, value in symbols:
            if binding and 0 < section < count and name:
                self.defined.setdefault(name, place(section, value))
        for entry in sections:
            if entry[1] != 4:
                continue
            if names[entry[7]].startswith(NO_CODE):
                continue
            is_record = names[entry[7]].startswith(RECORDS)
            for number in range(entry[5] // 24):
                offset, info, addend = struct.unpack_from("<QQq", data, entry[4] + 24 * number)
                name, binding, kind, section, value = symbols[info >> 32]
                from_ = ROOT if is_record else place(entry[7], offset)
                if binding or not section:
                    outside[from_].add(name)
                else:
                    # A reference relative to the instruction is 4 bytes short of its end.
                    short = 4 if kind == 3 and info & 0xFFFFFFFF in (2, 4) else 0
                    self.edges[from_].add(place(section, value + (addend + short if kind == 3 else 0)))

    def reached(self, first):
        found, open_ = set(first), list(first)
        while open_:
            for other in self.edges[open_.pop()] - found:
                found.add(other)
                open_.append(other)
        return found


def kept(built):
    """The bytes that App keeps of our rooms, and how many of these are code of Swift's own containers, in a folder of builds."""
    paths = list(objects(built, ("App", *ROOMS)))
    found = Objects(paths)
    own = {path for path in paths if path.parent.name == "App.build"}
    places = found.reached({ROOT} | {place for place in found.size if place[0] in own}) & set(found.size)
    places = [place for place in places if place[0] not in own]
    # A text has its own words for a name.
    mangled = "".join(" ".join(found.name[place].split()) + "\n" for place in places)
    names = subprocess.run(["swift", "demangle", "--simplified"], input=mangled, capture_output=True, text=True,
                           check=True).stdout.rstrip("\n").split("\n")
    containers = sum(found.size[place] for place, name in zip(places, names, strict=True)
                     if "specialized" in name and CONTAINER.search(name.split("specialized", 1)[1]))
    return sum(found.size[place] for place in places), containers
