# SPDX-License-Identifier: MIT
"""Made caches: no user and no token in them is real. The same number always makes the same cache."""
from __future__ import annotations

import base64
import functools
import json
import random
import sys
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[2] / "Caches"))
import archive  # noqa: E402

NOW = 1700000000
GROUP = "ABCDE12345.com.microsoft.adalcache"
COMMON = "https://login.windows.net/common"
GRAPH, OUTLOOK = "https://graph.microsoft.com", "https://outlook.office365.com"
_HOME = uuid.UUID("3f2c4c33-9c0e-5c0e-8a0d-7d6f6a1f0b10")
CLIENT = "27922004-5251-4030-b22d-91ecd9a37ea4"
ACCESS, REFRESH = 1200, 800


@dataclass(frozen=True)
class Made:
    """A made cache and where it is from."""

    id: int
    cache: bytes
    library: str
    version: str
    tokens: tuple[str, ...]
    """The secrets, which must not be shown."""


def _token(number: int, which: int, length: int) -> str:
    # Letters and digits alone, as long in an archive as in a text.
    data = random.Random(number * 16 + which).randbytes(length * 3 // 4 + 3)
    return base64.b64encode(data, b"xX").decode()[:length].replace("=", "x")


def _user(number: int) -> dict[str, str]:
    return {
        "name": f"user{number:08d}@contoso.com", "oid": str(uuid.uuid5(_HOME, f"user {number}")),
        "tid": str(_HOME),
    }


def _claims(number: int, **other: str) -> dict[str, object]:
    user = _user(number)
    return {
        "aud": CLIENT, "iss": f"https://sts.windows.net/{user['tid']}/", "iat": NOW - 300, "nbf": NOW - 300,
        "exp": NOW + 3600, "oid": user["oid"], "sub": f"sub{number:08d}", "tid": user["tid"],
        "unique_name": user["name"], "upn": user["name"], "ver": "1.0", **other,
    }


Row = dict[str, Any]


def _refresh(number: int, **other: object) -> Row:
    return {
        "user": _user(number)["name"], "client": CLIENT, "authority": COMMON, "claims": _claims(number),
        "refresh": _token(number, 0, REFRESH), **other,
    }


def _access(row: Row, number: int, which: int, resource: str) -> Row:
    kept = {key: value for key, value in row.items() if key != "refresh"}
    return {
        **kept, "resource": resource, "expires": NOW + 3600, "access": _token(number, which, ACCESS),
    }


def _member(number: int) -> list[Row]:
    row = _refresh(number)
    return [row, _access(row, number, 1, GRAPH)]


def _busy(number: int) -> list[Row]:
    return [*_member(number), _access(_refresh(number), number, 2, OUTLOOK),
            _access(_refresh(number), number, 3, "https://contoso.sharepoint.com/")]


def _alone(number: int) -> list[Row]:
    return [_refresh(number)]


def _guest(number: int) -> list[Row]:
    claims = _claims(number, idp="https://sts.windows.net/6fd1f5cd-a94c-4335-889b-6c598e6d8048/",
                     altsecid="5::10033FFF80000009")
    del claims["upn"]
    return [_refresh(number, claims=claims, authority=f"https://login.windows.net/{_HOME}")]


def _adfs(number: int) -> list[Row]:
    return [_refresh(number, authority="https://fs.contoso.com/adfs", resource="urn:contoso:intranet")]


# The rows and the origin of each of ten caches. 2.6 rows on average.
_KINDS: list[tuple[Callable[[int], list[Row]], str]] = [
    (_member, "macos"), (_busy, "ios"), (_member, "ios"), (_busy, "macos"), (_alone, "macos"), (_member, "macos"),
    (_busy, "macos"), (_guest, "macos"), (_busy, "ios"), (_adfs, "ios"),
]
_VERSIONS: Mapping[str, tuple[str, ...]] = {"macos": ("2.2.7", "2.6.6", "2.7.18"), "ios": ("1.2.10", "2.6.6")}


@functools.cache
def _template(kind: int) -> tuple[bytes, list[Row]]:
    """The cache of user 0; for items, the archives are not in base64 yet."""
    rows = _KINDS[kind][0](0)
    return (archive.blob(rows) if _KINDS[kind][1] == "macos" else b""), rows


@functools.cache
def _archived(kind: int) -> list[dict[str, Any]]:
    return [archive.keychain_item(row, GROUP, NOW - 300) for row in _template(kind)[1]]


def _texts(rows: list[Row]) -> list[str]:
    """The texts that differ between users, equally long for all."""
    texts = [text for row in rows for name in ("refresh", "access") if (text := row.get(name))]
    claims = rows[0]["claims"]
    texts += [archive.id_token(claims), claims["oid"], claims["sub"], claims["unique_name"]]
    return list(dict.fromkeys(texts))


def made(number: int) -> Made:
    """Cache `number`."""
    kind = number % len(_KINDS)
    make, library = _KINDS[kind]
    rows = make(number)
    changes = list(zip(map(str.encode, _texts(_template(kind)[1])), map(str.encode, _texts(rows)), strict=True))

    def changed(data: bytes) -> bytes:
        for old, new in changes:
            data = data.replace(old, new)
        return data

    if library == "macos":
        cache = changed(_template(kind)[0])
    else:
        items = []
        for item, row in zip(_archived(kind), rows, strict=True):
            data = base64.b64encode(changed(item["data"])).decode()
            gena = base64.b64encode(item["gena"]).decode()
            items.append({**item, "acct": archive.base64url(row["user"]), "gena": gena, "data": data})
        cache = json.dumps({"format": "keychain-items", "version": 1, "items": items}).encode()
    tokens = tuple(text for row in rows for name in ("refresh", "access") if (text := row.get(name)))
    versions = _VERSIONS[library]
    return Made(number, cache, f"adal-{library}", versions[number // len(_KINDS) % len(versions)], tokens)


def all_made(count: int) -> Iterator[Made]:
    """The first `count` caches."""
    return map(made, range(count))


def write_parquet(path: Path, count: int, rows: int = 5000) -> None:
    """A Parquet file of made caches: id, cache, library, version."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    schema = pa.schema([("id", pa.int64()), ("cache", pa.binary()), ("library", pa.string()), ("version", pa.string())])
    with parquet.ParquetWriter(path, schema) as writer:
        for start in range(0, count, rows):
            part = [made(number) for number in range(start, min(count, start + rows))]
            columns = {name: [getattr(each, name) for each in part] for name in schema.names}
            writer.write_table(pa.table(columns, schema))
