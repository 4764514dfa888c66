# SPDX-License-Identifier: MIT
"""Reads caches of ADAL for .NET, Python and Node, as other-adals says that they are, for rows_judge.py.

`read_blob` and `read_list` give the rows, and the position and the reason of each that cannot be read.
"""

import base64
import binascii
import datetime
import json
import re
import struct

SPACE = " \t\n\r\v\f"
DPAPI = bytes.fromhex("d08c9ddf0115d1118c7a00c04fc297eb")


class Refused(Exception):
    """Why a whole cache, the rest of one, or a row is not read."""


# JSON, in which an object is a list of pairs, since a member can be named twice.

class Pairs(list):
    pass


def constant(name):
    raise Refused(name)


class Number(str):
    pass


def decode(text, start=0):
    """A value and where it ends."""
    decoder = json.JSONDecoder(object_pairs_hook=Pairs, parse_constant=constant, parse_float=Number,
                               parse_int=Number)
    try:
        value, end = decoder.raw_decode(text, start)
    except (ValueError, RecursionError) as error:
        raise Refused("malformed-json") from error
    check_text(value)
    return value, end


def check_text(value):
    """Escapes of half a surrogate pair are no text."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise Refused("malformed-json") from error
    elif isinstance(value, Pairs):
        for name, member in value:
            check_text(name)
            check_text(member)
    elif isinstance(value, list):
        for element in value:
            check_text(element)


def depth(value):
    if isinstance(value, Pairs):
        return 1 + max((depth(member) for _, member in value), default=0)
    if isinstance(value, list):
        return 1 + max((depth(element) for element in value), default=0)
    return 0


def members(value, names):
    if not isinstance(value, Pairs):
        raise Refused("wrong-type")
    found = [(name, member) for name, member in value if name in names]
    if len({name for name, _ in found}) < len(found):
        raise Refused("duplicate-member")
    return dict(found)


def text(found, name):
    value = found.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or isinstance(value, Number):
        raise Refused("wrong-type")
    return value


def nonblank(value):
    return value if value is not None and value.strip(SPACE) else None


def truth(found, name):
    value = found.get(name)
    if value is not None and not isinstance(value, bool):
        raise Refused("wrong-type")
    return value


# ADAL.NET

ROW = ["RawClientInfo", "RefreshToken", "ResourceInResponse", "Result", "UserAssertionHash"]
RESULT = ["AccessToken", "AccessTokenType", "ExpiresOn", "ExtendedExpiresOn", "IdToken", "RefreshToken",
          "IsMultipleResourceRefreshToken", "TenantId", "UserAssertionHash", "UserInfo"]
USER = ["DisplayableId", "FamilyName", "GivenName", "IdentityProvider", "UniqueId"]


def read_blob(data):
    if not data:
        return [], []
    if data[:4] == b"\x09\xf0\xc9\xf0":
        raise Refused("protected-by-data-protection")
    if len(data) < 4:
        raise Refused("truncated")
    schema = struct.unpack_from("<i", data)[0]
    if schema == 1 and data[4:20] == DPAPI:
        raise Refused("protected-by-windows")
    if not 0 <= schema <= 255:
        raise Refused("not-a-blob")
    if schema not in (1, 2, 3):
        raise Refused("unknown-schema")
    if len(data) < 8:
        raise Refused("truncated")
    count = struct.unpack_from("<i", data, 4)[0]
    if not 0 <= count <= (len(data) - 8) // 2:
        raise Refused("malformed-count")
    rows, unreadable, place = [], [], 8
    for index in range(count):
        try:
            key, place = read_string(data, place)
            value, place = read_string(data, place)
        except Refused as error:
            return rows, unreadable + [(index, str(error))]
        try:
            rows.append({"index": index, **read_row(schema, key, value)})
        except Refused as error:
            unreadable.append((index, str(error)))
    if place < len(data):
        unreadable.append((count, "trailing-bytes"))
    return rows, unreadable


def read_string(data, place):
    length = 0
    for group in range(5):
        if place >= len(data):
            raise Refused("truncated")
        byte = data[place]
        place += 1
        length |= (byte & 0x7F) << (7 * group)
        if byte < 0x80:
            break
    else:
        raise Refused("malformed-length")
    if length >= 1 << 31:
        raise Refused("malformed-length")
    if length > len(data) - place:
        raise Refused("truncated")
    return data[place:place + length], place + length


def read_row(schema, key, value):
    if max(len(key), len(value)) > 1 << 20:
        raise Refused("too-long")
    try:
        key = key.decode()
    except UnicodeDecodeError as error:
        raise Refused("malformed-text") from error
    parts = re.fullmatch(r"(.*?):::(.*):::(.*):::([012])", key, re.S)
    if not parts:
        raise Refused("malformed-key")
    authority, resource, client, subject = parts.groups()
    try:
        if schema == 1:
            value = base64.b64decode(value, validate=True)
        value = value.decode()
    except (binascii.Error, UnicodeDecodeError) as error:
        raise Refused("malformed-text") from error
    value = value.removeprefix("\ufeff").lstrip(" \t\r\n")
    root, end = decode(value)
    if value[end:].strip(" \t\r\n"):
        raise Refused("more after the JSON")
    if depth(root) > 8:
        raise Refused("too-deep")
    row = {"authority": authority, "resource": nonblank(resource), "client": client,
           "subject": int(subject), "origin": f"dotNet(schema: {schema})"}
    outer = members(root, ROW if schema == 3 else RESULT)
    row["refresh"] = nonblank(text(outer, "RefreshToken"))
    row["hash"] = text(outer, "UserAssertionHash")
    if schema < 3:
        row["multi"] = truth(outer, "IsMultipleResourceRefreshToken")
        return {**row, **read_result(outer)}
    row["info"] = text(outer, "RawClientInfo")
    row["answered"] = text(outer, "ResourceInResponse")
    row["multi"] = row["refresh"] is not None and nonblank(row["answered"]) is not None
    result = {} if outer.get("Result") is None else members(outer["Result"], RESULT)
    if not result.keys() & {"AccessToken", "ExpiresOn"}:
        row["origin"] = "msalNet"
    return {**row, **read_result(result)}


def read_result(result):
    user = {} if result.get("UserInfo") is None else members(result["UserInfo"], USER)
    return {
        "access": nonblank(text(result, "AccessToken")), "type": text(result, "AccessTokenType"),
        "id": nonblank(text(result, "IdToken")), "tenant": text(result, "TenantId"),
        "expires": instant(result, "ExpiresOn"), "extended": instant(result, "ExtendedExpiresOn"),
        "user": text(user, "DisplayableId"), "object": text(user, "UniqueId"),
        "given": text(user, "GivenName"), "family": text(user, "FamilyName"),
        "provider": text(user, "IdentityProvider"),
    }


def instant(result, name):
    if result.get(name) is None:
        return None
    date = text(members(result[name], ["DateTime"]), "DateTime")
    if date is None:
        return None
    found = re.fullmatch(r"/Date\(([+-]?[0-9]+)\)/", date)
    if not found or abs(int(found[1])) > 253402300799999:
        raise Refused("malformed-time")
    milliseconds = int(found[1])
    return None if milliseconds == -62135596800000 else milliseconds / 1000


# ADAL for Python and Node

LISTED = {"tokenType": "type", "resource": "resource", "userId": "user", "tenantId": "tenant",
          "givenName": "given", "familyName": "family", "identityProvider": "provider", "oid": "object",
          "_clientId": "client", "_authority": "authority", "accessToken": "access",
          "refreshToken": "refresh"}
OTHERS = ["expiresIn", "expiresOn", "createdOn", "isMRRT", "isUserIdDisplayable", "servicePrincipalId"]
NOT_BLANK = ("resource", "user", "access", "refresh")


def read_list(data, zone):
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n")
    if start[:1] != b"[":
        raise Refused("not-a-list")
    value = start.decode("utf-8", "surrogateescape")
    rows, unreadable, place, index = [], [], 1, 0

    def skip(place):
        return place + len(value[place:]) - len(value[place:].lstrip(" \t\r\n"))

    place = skip(place)
    try:
        if value[place:place + 1] == "]":
            place += 1
        else:
            while True:
                element, place = decode(value, skip(place))
                # Nobody nests deeper in what ADAL or an app adds to it.
                if depth(element) > 128:
                    raise Refused("too-deep")
                read_listed(element, index, zone, rows, unreadable)
                index += 1
                place = skip(place) + 1
                if value[place - 1:place] == "]":
                    break
                if value[place - 1:place] != ",":
                    raise Refused("malformed-json")
        if skip(place) < len(value):
            raise Refused("trailing-bytes")
    except Refused as error:
        unreadable.append((index, str(error)))
    return rows, unreadable


def read_listed(element, index, zone, rows, unreadable):
    try:
        if depth(element) > 8:
            raise Refused("too-deep")
        found = members(element, [*LISTED, *OTHERS])
        if "servicePrincipalId" in found:
            raise Refused("service-principal")
        if not {"_clientId", "_authority"} <= found.keys():
            raise Refused("malformed")
        row = {ours: text(found, name) for name, ours in LISTED.items()}
        for name in NOT_BLANK:
            row[name] = nonblank(row[name])
        row["multi"] = truth(found, "isMRRT")
        row["displayable"] = truth(found, "isUserIdDisplayable")
        lifetime = found.get("expiresIn")
        if isinstance(lifetime, Number) and re.fullmatch("-?[0-9]+", lifetime) \
                and abs(int(lifetime)) < 1 << 63:
            row["lifetime"] = int(lifetime)
        row["dropped"] = []
        row["expires"], is_utc = listed_time(found, "expiresOn", zone, row, row.get("lifetime"))
        row["created"], _ = listed_time(found, "createdOn", zone, row, None)
        row["origin"] = "node" if is_utc else "python"
        rows.append({"index": index, **row})
    except Refused as error:
        unreadable.append((index, str(error)))


EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
TIME = re.compile(r"(\d{4}-\d\d-\d\d)([ T])(\d\d:\d\d:\d\d)(\.\d{1,9})?(Z?)", re.A)


def listed_time(found, name, zone, row, lifetime):
    """Unix seconds, and whether they were spelled as UTC."""
    value = found.get(name)
    if value is None:
        return None, False
    match = TIME.fullmatch(value) if isinstance(value, str) and not isinstance(value, Number) else None
    try:
        if not match or (match[2] == "T") != (match[5] == "Z"):
            raise ValueError
        wall = datetime.datetime.fromisoformat(f"{match[1]} {match[3]}")
    except ValueError:
        row["dropped"].append(name)
        return None, False
    fraction = float(match[4] or 0)
    if match[2] == "T":
        return (wall.replace(tzinfo=datetime.timezone.utc) - EPOCH).total_seconds() + fraction, True
    added = lifetime if lifetime is not None and 0 <= lifetime <= 315360000 else 0
    start = wall - datetime.timedelta(seconds=added)
    return min(seconds(start, fold, zone) for fold in (0, 1)) + fraction + added, False


def seconds(wall, fold, zone):
    offset = wall.replace(tzinfo=zone, fold=fold).utcoffset()
    return (wall - offset - EPOCH.replace(tzinfo=None)).total_seconds()
