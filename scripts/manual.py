# SPDX-License-Identifier: MIT
"""Prints the manual page of the command, in mdoc: manual.py COMMAND REFERENCE.md.

What the commands and options are the command says itself (`--experimental-dump-help`); exit statuses, environment
and places are the tables of REFERENCE.md.
"""

import json
import re
import subprocess
import sys
import textwrap


def roff(text):
    """Text as roff takes it: nothing in it acts."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "")
    return re.sub(r"^(?=[.\\])", r"\\&", text, flags=re.M)


def sentences(text):
    """One sentence on a line."""
    return [roff(line) for line in re.split(r"(?<=[.:;]) (?=[A-Z0-9])", text)]


def paragraphs(text):
    """Paragraphs; those with indented lines stay as they are."""
    lines = []
    for number, paragraph in enumerate(text.strip().split("\n\n")):
        if number:
            lines.append(".Pp")
        first, *rest = paragraph.split("\n")
        lines += sentences(first)
        if rest:
            example = textwrap.dedent("\n".join(rest))
            lines += [".Bd -literal -offset indent", *map(roff, example.split("\n")), ".Ed"]
    return lines


def option(argument):
    """An option or argument of a command."""
    names = sorted(argument.get("names", []), key=lambda name: name["kind"] != "short")
    if not names:
        head = f".It Ar {roff(argument['valueName'].upper())}"
    else:
        flags = [roff(("-" if n["kind"] != "short" else "") + n["name"]) for n in names]
        value = f" Ar {roff(argument['valueName'].upper())}" if argument["kind"] == "option" else ""
        head = ".It " + " , ".join(f"Fl {flag}" for flag in flags) + value
    lines = [head, *sentences(argument.get("abstract", ""))]
    if argument.get("discussion"):
        lines += sentences(argument["discussion"])
    if argument.get("allValues"):
        lines.append(roff("It is one of " + ", ".join(argument["allValues"]) + "."))
    if argument.get("defaultValue"):
        lines.append(roff(f"The default is {argument['defaultValue']}."))
    return lines


def command(info):
    lines = [f".Ss {roff(info['commandName'])}", *sentences(info["abstract"])]
    own = [a for a in info["arguments"] if a["valueName"] not in ("help", "version")]
    if info.get("discussion"):
        lines += [".Pp", *paragraphs(info["discussion"])]
    if own:
        lines += [".Bl -tag -width indent", *(line for a in own for line in option(a)), ".El"]
    return lines


def table(reference, heading):
    """The rows of the table below a heading, without its header."""
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", reference, re.M | re.S)
    rows = re.findall(r"^\| *(.*?) *\|$", section[1], re.M)
    plain = [[re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", cell.strip()).replace("\\|", "|")
              for cell in re.split(r"(?<!\\)\|", row)] for row in rows]
    return plain[2:]


def listed(reference, heading):
    lines = [".Bl -tag -width indent"]
    for name, text, *uses in table(reference, heading):
        if "no" in uses:
            text += ", only read"
        lines += [f".It {roff(name)}", *sentences(text[:1].upper() + text[1:] + ("" if text.endswith(".") else "."))]
    return [*lines, ".El"]


def main():
    tool, path = sys.argv[1:]
    dump = subprocess.run([tool, "--experimental-dump-help"], capture_output=True, text=True, check=True)
    version = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    info = json.loads(dump.stdout)["command"]
    with open(path, encoding="utf-8") as file:
        reference = file.read()
    name, commands = info["commandName"], [c for c in info["subcommands"] if c["commandName"] != "help"]
    lines = [".Dd $Mdocdate$", f".Dt {name.upper()} 1", f".Os {name} {version}", ".Sh NAME", f".Nm {name}",
             f".Nd {roff(info['abstract'][0].lower() + info['abstract'][1:].rstrip('.'))}", ".Sh SYNOPSIS"]
    for one in commands:
        places = [a for a in one["arguments"] if a["kind"] == "positional"]
        lines += [".Nm", f".Cm {one['commandName']}", ".Op Ar options"]
        lines += [(f".Op Ar {roff(p['valueName'].upper())}" if p["isOptional"] else f".Ar {roff(p['valueName'].upper())}")
                  for p in places]
    lines += [".Nm", ".Fl \\-help | Fl \\-version", ".Sh DESCRIPTION", *paragraphs(info["discussion"])]
    lines += [".Pp", "Every command takes", ".Fl h ,", ".Fl \\-help", "and", ".Fl \\-version .", ".Sh COMMANDS"]
    for one in commands:
        lines += command(one)
    for title, heading in (("PLACES", "Places"), ("ENVIRONMENT", "Environment"), ("EXIT STATUS", "Exit status")):
        lines += [f".Sh {title}", *listed(reference, heading)]
    print("\n".join(lines))


if __name__ == "__main__":
    main()
