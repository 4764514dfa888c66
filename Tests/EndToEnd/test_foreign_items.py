# SPDX-License-Identifier: MIT
"""A keychain is scrubbed whatever other apps keep in it: the search for what stayed raises no false alarm, which would
end with status 70. Half of the seeds change every day."""

import base64
import json
import plistlib
import random
import time
import uuid
from datetime import datetime, timezone

import pytest
from clients import adal2msal

TODAY = int(time.time()) // 86400 * 100
SEEDS = [*range(10), *range(TODAY, TODAY + 10)]
WORDS = """user token session device key settings default last sync true false null enabled version id tenant state
theme en-US de_DE America/New_York iPhone15,2 17.4.1 com.contoso.app 0 1 -1 3.14159 1e10""".split()
NAMES = "Alice", "bob", "María García", "Jürgen", "Žofie", "李雷", "李", "Дмитрий", "O'Neil", "é", "🙂"


class Items:
    """Items of made-up apps, in the forms that apps keep values in."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.texts = [
            lambda: f"{self.of(NAMES)}@{self.of(['contoso.com', 'fabrikam.co.uk', 'münchen.de'])}",
            lambda: self.of(NAMES), lambda: self.of(WORDS), lambda: " ".join(self.random.choices(WORDS, k=4)),
            lambda: str(self.identifier()), lambda: str(self.identifier()).upper(),
            lambda: base64.b64encode(self.bytes()).decode(), lambda: self.bytes().hex(),
            lambda: f"Bearer {base64.urlsafe_b64encode(self.bytes()).decode()}",
            lambda: self.instant().isoformat(), lambda: self.instant().strftime("%Y-%m-%d %H:%M:%S +0000"),
            lambda: str(self.random.randrange(10 ** self.random.randint(1, 18))), lambda: str(self.seconds()),
            lambda: f"https://login.microsoftonline.com/{self.identifier()}/oauth2/token",
            lambda: self.jwt(), lambda: json.dumps(self.value(1)),
        ]

    def of(self, some):
        return self.random.choice(some)

    def identifier(self):
        return uuid.UUID(int=self.random.getrandbits(128))

    def bytes(self):
        return self.random.randbytes(self.random.randint(1, 60))

    def seconds(self):
        return self.random.uniform(1e9, 1.7e9)

    def instant(self):
        return datetime.fromtimestamp(self.seconds(), timezone.utc)

    def jwt(self):
        parts = {"alg": "RS256", "typ": "JWT"}, {"iat": int(self.seconds()), "upn": self.of(NAMES)}
        encoded = [base64.urlsafe_b64encode(json.dumps(part).encode()) for part in parts]
        encoded.append(base64.urlsafe_b64encode(self.random.randbytes(64)))
        return ".".join(part.decode().rstrip("=") for part in encoded)

    def text(self):
        return self.of(self.texts)()

    def value(self, depth=0):
        kind = self.random.randrange(8)
        if kind < 3 and depth < 3:
            return {self.text()[:60]: self.value(depth + 1) for _ in range(self.random.randrange(6))}
        if kind == 3 and depth < 3:
            return [self.value(depth + 1) for _ in range(self.random.randrange(5))]
        return self.of([True, False, self.random.randrange(10 ** 9), self.seconds()]) if kind == 4 else self.text()

    def data(self):
        forms = [
            lambda: self.text().encode(), lambda: self.text().encode("utf-16-le"), self.bytes,
            lambda: json.dumps(self.value(), ensure_ascii=False).encode(),
            lambda: plistlib.dumps(self.value(), fmt=plistlib.FMT_BINARY),
            lambda: plistlib.dumps(self.value(), fmt=plistlib.FMT_XML),
        ]
        return base64.b64encode(self.of(forms)()).decode()

    def item(self, number):
        return {"class": "genp", "agrp": "ABCDE12345.com.contoso.app", "acct": f"{self.text()[:80]}{number}",
                "svce": self.text()[:80], "labl": self.text(), "pdmn": "cku", "cdat": self.seconds(),
                "mdat": self.seconds(), "data": self.data(), "gena": self.data()}


@pytest.mark.parametrize("seed", SEEDS)
def test_no_false_alarm(tmp_path, seed):
    items, source, copy = Items(seed), tmp_path / "cache.items.json", tmp_path / "copy.items.json"
    cache = {"format": "keychain-items", "version": 1, "items": [items.item(number) for number in range(40)]}
    source.write_text(json.dumps(cache), "utf-8")
    run = adal2msal("scrub", source, "--into", copy, "--seed", seed)
    assert run.returncode == 0, run.stderr
    assert len(json.loads(copy.read_bytes())["items"]) == 40
