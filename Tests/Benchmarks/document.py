#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts tables into Documentation/performance.md, between the comments that name them.

Usage: document.py FILE…   each named by its table: what is in `growth` goes between <!-- growth --> and
<!-- end of growth -->
"""
import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "Documentation" / "performance.md"


def main():
    text = PAGE.read_text()
    for name in sys.argv[1:]:
        path = pathlib.Path(name)
        start, end = f"<!-- {path.name} -->\n", f"<!-- end of {path.name} -->"
        made = f"{start}{path.read_text().strip()}\n{end}"
        text, count = re.subn(f"{start}.*?{end}", lambda _: made, text, flags=re.DOTALL)
        if count != 1:
            sys.exit(f"{PAGE.name} has no place for {path.name}")
    PAGE.write_text(text)


if __name__ == "__main__":
    main()
