# SPDX-License-Identifier: MIT
"""Makes caches of ADAL for .NET, Python and Node, sound ones and others, for rows_judge.py."""

import base64
import json
import struct

NAMES = ["Adèle", "Vance \"AV\" \\ O'Neil", "Шерман", "", " ", "\u0000", "😀", "x" * 300, "/", "a:::b"]
DATES = ["/Date(1700002999000)/", "/Date(-62135596800000)/", "/Date(1)/", "/Date(253402300799999)/",
         "/Date(253402300800000)/", "/Date(-253402300799999)/", "Date(1)", "/Date(1.5)/", "/Date()/"]
TIMES = ["2023-11-14 23:03:19", "2023-11-14 23:03:19.123456", "2023-11-14T23:03:19.191Z",
         "2023-10-29 02:30:00", "2023-10-29 03:10:00.5", "2023-03-26 02:30:00", "2023-11-05 01:30:00",
         "2023-03-12 02:15:00", "2023-04-02 01:45:00", "2023-10-01 02:15:00", "2024-02-29 00:00:00",
         "2023-02-29 00:00:00", "2023-11-14T23:03:19", "", "1700002999", "2023-11-14 25:00:00"]
WRONG = [5, True, [], {}, {"x": [1, {"y": None}]}, -1.5e300]


def inputs(form, count, chance):
    make = blob if form == "blob" else listing
    for _ in range(count):
        data = make(chance)
        yield data
        yield changed(data, chance)


def changed(data, chance):
    data = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(data))
        kind = chance.randrange(5)
        if kind == 0:
            del data[place:]
            data += b"]" if chance.random() < 0.2 else b" "
        elif kind == 1:
            data[place] = chance.randrange(256)
        elif kind == 2:
            data[place:place] = bytes([chance.choice(b"{}[],:\"\\ x\x00\xff")])
        elif kind == 3:
            del data[place:place + chance.randint(1, 3)]
        else:
            data += chance.choice([b"\0", b"x", b"\n", b"]"])
        if not data:
            data = bytearray(b" ")
    return bytes(data)


def perhaps(chance, members):
    """Some of the members, in any order, now and then one that is wrong, unknown or there twice."""
    pairs = [(name, value) for name, value in members if chance.random() < 0.85]
    pairs = [(name, None if chance.random() < 0.05 else value) for name, value in pairs]
    chance.shuffle(pairs)
    if pairs and chance.random() < 0.05:
        place = chance.randrange(len(pairs))
        pairs[place] = (pairs[place][0], chance.choice(WRONG))
    if chance.random() < 0.1:
        pairs.append(("Unknown", chance.choice(WRONG + NAMES)))
    if pairs and chance.random() < 0.02:
        pairs.append(chance.choice(pairs))
    return Object(pairs)


class Object(list):
    """An object that can name a member twice."""


def spelled(value, chance):
    if isinstance(value, Object):
        return "{" + ",".join(f"{spelled(name, chance)}:{spelled(member, chance)}"
                              for name, member in value) + "}"
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=chance.random() < 0.5)
        return text.replace("/", "\\/") if chance.random() < 0.5 else text
    return json.dumps(value)


def date(chance):
    return Object([("DateTime", chance.choice(DATES[:4] if chance.random() < 0.9 else DATES)),
                   ("OffsetMinutes", 0)])


def result(chance):
    user = perhaps(chance, [("DisplayableId", chance.choice(NAMES)), ("UniqueId", "u"),
                            ("GivenName", chance.choice(NAMES)), ("FamilyName", chance.choice(NAMES)),
                            ("IdentityProvider", "https://sts.windows.net/t/")])
    return [("AccessToken", chance.choice(NAMES)), ("AccessTokenType", "Bearer"),
            ("ExpiresOn", date(chance)), ("ExtendedExpiresOn", date(chance)), ("IdToken", "e30.e30."),
            ("TenantId", "t"), ("UserInfo", user)]


def string(data):
    length, groups = len(data), bytearray()
    while length >= 0x80:
        groups.append(length & 0x7F | 0x80)
        length >>= 7
    return bytes(groups) + bytes([length]) + data


def blob(chance):
    schema = chance.choice([1, 2, 3, 3, 3])
    rows = b""
    count = chance.randrange(6)
    for _ in range(count):
        key = ":::".join(["https://login.windows.net/t/", chance.choice(["r", "", " ", "a b", "a:::b", "x:"]),
                          "client", chance.choice(["0", "0", "0", "1", "2", "3", ""])])
        inner = result(chance)
        own = [("RefreshToken", chance.choice(NAMES)), ("UserAssertionHash", "h")]
        if schema == 3:
            value = perhaps(chance, own + [("RawClientInfo", "ci"), ("ResourceInResponse", "r"),
                                           ("Result", perhaps(chance, inner))])
        else:
            value = perhaps(chance, own + inner + [("IsMultipleResourceRefreshToken", True)])
        text = spelled(value, chance).encode()
        rows += string(key.encode()) + string(base64.b64encode(text) if schema == 1 else text)
    announced = count if chance.random() < 0.95 else chance.randrange(-1, 9)
    return struct.pack("<ii", schema if chance.random() < 0.97 else chance.randrange(300), announced) + rows


def listing(chance):
    rows = []
    for _ in range(chance.randrange(6)):
        row = perhaps(chance, [
            ("tokenType", "Bearer"), ("expiresIn", chance.choice([3599, 0, 86400, -1, 1e3, 10 ** 30])),
            ("expiresOn", chance.choice(TIMES)), ("createdOn", chance.choice(TIMES)),
            ("accessToken", chance.choice(NAMES)), ("refreshToken", chance.choice(NAMES)),
            ("resource", chance.choice(NAMES)), ("tenantId", "t"), ("oid", "o"), ("userId", chance.choice(NAMES)),
            ("isUserIdDisplayable", True), ("isMRRT", True), ("identityProvider", "live.com"),
            ("givenName", chance.choice(NAMES)), ("familyName", chance.choice(NAMES))])
        row += [("_clientId", "c"), ("_authority", "a")] if chance.random() < 0.95 else []
        if chance.random() < 0.05:
            row.append(("servicePrincipalId", "sp"))
        rows.append(spelled(row, chance))
    separator = chance.choice([",", ", ", ",\n  "])
    return ("[" + separator.join(rows) + "]").encode()
