#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the vectors in made/: one for each kind of row in ADAL's generations, and for what goes wrong.

    python3 make.py            writes made/NAME.json, and removes what is not made any more

A vector is {"comment", "items" or "blob", "expected"}. Expected rows say every field of a
LegacyToken that is not nil, false or empty, or what is wrong with the row. All values are made up.
"""
import base64
import json
import pathlib

import make_blobs
import make_fields
import make_items
from make_rows import vectors

made = pathlib.Path(__file__).parent / "made"
made.mkdir(exist_ok=True)
make_items.make()
make_fields.make()
make_blobs.make()
for old in made.glob("*.json"):
    if old.stem not in vectors:
        old.unlink()
for name, vector in vectors.items():
    encode = lambda value: base64.b64encode(value).decode()
    (made / f"{name}.json").write_text(
        json.dumps(vector, indent=1, ensure_ascii=False, default=encode) + "\n")
print(len(vectors), "vectors")
