# SPDX-License-Identifier: MIT
"""How many bytes of a program are our rooms', by the linker's map: what stripping leaves, without debug information."""
import re

# A room of ours on its way into the program, and what strip takes away.
ROOM = re.compile(r"/(ADALMigration|ADALCache|KeyedArchive|CacheJSON|KeychainItems|MSALCache|MSALLookup)\.build/")
STRIPPED = re.compile(r"^\.(debug|symtab|strtab|comment|note|bss|tbss|swift1_autolink)")
# lld: address, load address, size, alignment, FILE.o:(SECTION).
LLD = re.compile(r"^\s*[0-9a-f]+\s+[0-9a-f]+\s+([0-9a-f]+)\s+\d+\s+(\S.*\.o\)?):\((\S+)\)$")
# gold and ld: section, address, size, FILE.o; a long section has a line of its own.
GOLD = re.compile(r"^ (\S+)\s+0x[0-9a-f]+\s+0x([0-9a-f]+)\s+(\S.*\.o\)?)$")


def sizes(path):
    """The bytes of our rooms, and of all object files in the program."""
    ours = everything = 0
    waiting = ""
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            line = line.rstrip("\n")
            # What gold lists before it is not in the program.
            if line == "Memory map":
                ours = everything = 0
            if re.fullmatch(r" \S+", line):
                waiting = line
                continue
            line, waiting = (waiting + line if waiting else line), ""
            if found := LLD.match(line):
                size, name, section = int(found[1], 16), found[2], found[3]
            elif found := GOLD.match(line):
                size, name, section = int(found[2], 16), found[3], found[1]
            else:
                continue
            if STRIPPED.match(section):
                continue
            everything += size
            if ROOM.search(name):
                ours += size
    if not ours:
        raise SystemExit(f"{path} names none of our rooms; is it a linker's map?")
    return ours, everything
