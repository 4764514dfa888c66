# SPDX-License-Identifier: MIT
"""Caches to break, made of tokens that nothing else has in it, and what other programs find in a file."""
import base64
import hashlib
import json
import os
import random
import re
import shutil
import sqlite3
import sys
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PACKAGE / "Samples" / "Caches"))

import make  # noqa: E402
from archive import keychain_item  # noqa: E402

NOW = make.NOW
GROUP = make.GROUP
# What SQLite and the lock of MSAL's libraries put beside a file.
COMPANIONS = ("-journal", "-wal", "-shm", ".lockfile")
GUID = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# What a finding is known by in SARIF: a hash of where it is.
FINGERPRINT = re.compile(rb'"adal2msal/v1" ?: ?"[0-9a-f]{32}"')
# What the report shows of a user name in place of what is before the domain: eight digits of a hash. A line of a chart
# can begin with them and leave out what follows.
MASK = re.compile(rb"(?:auth\.placeholder-|>)[0-9a-f]{8}(?:__|\xe2\x80\xa6)")


class Cache:
    """ADAL's rows of some people, and the tokens in them."""

    def __init__(self, seed, people=3):
        self.random = random.Random(seed)
        self.tokens = []
        rows = [row for number in range(people) for row in self.sign_in(f"p{number}-{seed}@contoso.com")]
        self.items = [keychain_item(row, GROUP, NOW - 300) for row in rows]

    def add(self, user):
        """One more sign-in."""
        self.items += [keychain_item(row, GROUP, NOW - 300) for row in self.sign_in(user)]

    def token(self):
        """A token of which no part is a word."""
        self.tokens.append(self.random.randbytes(32).hex())
        return self.tokens[-1]

    def sign_in(self, user):
        """Somebody's rows: one refresh token, and maybe access tokens."""
        client = self.random.choice([make.MAIL, make.FILES])
        claims = make.claims("Some Body", user, make.CONTOSO, client)
        first = make.refresh(user, client, make.COMMON, claims, "", refresh=self.token())
        resources = [make.GRAPH, make.OUTLOOK][:self.random.randint(0, 2)]
        return [first] + [
            make.access(first, resource, NOW + make.HOUR, access=self.token()) for resource in resources]


def write(path, items):
    """Writes a cache in the form that its name says."""
    if path.name.endswith(".sqlite"):
        make.write_snapshot(path, items)
    else:
        make.write_items(path, items)
    path.chmod(0o600)


def names(folder):
    """Everything below a folder, by its path there."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def files(folder):
    """The bytes of every file below a folder, by its path there."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def content(path):
    """What is in a file as another program reads it, or in each file of a folder; None when there is nothing.

    SQLite itself brings a half written file in order, here in a copy.
    """
    if not path.exists():
        return None
    if path.is_dir():
        found = (file for file in path.iterdir()
                 if not file.name.startswith(".") and not file.name.endswith(COMPANIONS))
        return frozenset((file.name, content(file)) for file in found)
    if not path.name.endswith(".sqlite"):
        json.loads(path.read_text("utf-8"))
        return path.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("", "-journal", "-wal"):
            # A name may be too long to have one.
            if os.path.exists(f"{path}{suffix}"):
                shutil.copy(f"{path}{suffix}", f"{folder}/copy{suffix}")
        database = sqlite3.connect(f"{folder}/copy")
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows = database.execute("SELECT * FROM items ORDER BY agrp, acct, svce").fetchall()
        database.close()
    return hashlib.sha256(repr(rows).encode()).digest()


class Windows:
    """Any 8 bytes of tokens, and what base64 makes of them."""

    def __init__(self, tokens):
        self.windows = {token[at:at + 8].encode() for token in tokens for at in range(len(token) - 7)}
        for token in tokens:
            for shift in range(3):
                # What does not depend on the bytes before and after.
                text = base64.b64encode(b"\0" * shift + token.encode())[4 if shift else 0:-4]
                self.windows |= {text[at:at + 12] for at in range(len(text) - 11)}

    def are_in(self, data):
        """Whether some of a token is in the data."""
        # By chance one GUID, fingerprint or masked name in many caches has eight digits of a token; no token has a
        # dash.
        data = MASK.sub(b" ", FINGERPRINT.sub(b" ", GUID.sub(b" ", data)))
        # Tokens are of hexadecimal digits, base64 has letters: look where either can be.
        return any(data[at:at + 8] in self.windows or data[at:at + 12] in self.windows
                   for at in range(len(data) - 7))
