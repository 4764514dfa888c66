# SPDX-License-Identifier: MIT
"""Archives as ADAL 2.6.6 writes them, from values.

The layout is that of the caches in Tests/Vectors/adal, which ADAL's own code wrote: NSKeyedArchiver 100000,
equal strings shared, the user id a mutable string, the item's class without its superclasses.
"""
import base64
import json
import plistlib
from plistlib import UID

# Seconds from 1970 to 2001, where NSDate begins.
EPOCH = 978307200


class Date:
    def __init__(self, unix):
        self.time = float(unix - EPOCH)


class MutableString(str):
    pass


class MutableDictionary(dict):
    pass


class Instance:
    """An object of a class with fields of its own."""

    def __init__(self, classes, fields):
        self.classes, self.fields = classes, fields


class Archiver:
    def __init__(self):
        self.objects = ["$null"]
        self.seen = {}

    def shared(self, value):
        key = (type(value), value)
        if key not in self.seen:
            self.objects.append(value)
            self.seen[key] = UID(len(self.objects) - 1)
        return self.seen[key]

    def class_of(self, *names):
        if names not in self.seen:
            record = {"$classname": names[0]}
            if len(names) > 1:
                record["$classes"] = list(names)
            self.objects.append(record)
            self.seen[names] = UID(len(self.objects) - 1)
        return self.seen[names]

    def add(self, value):
        if value is None:
            return UID(0)
        if isinstance(value, (str, bytes, int, float)) and not isinstance(value, MutableString):
            return self.shared(value)
        place = UID(len(self.objects))
        record = {}
        self.objects.append(record)
        if isinstance(value, Instance):
            for name, field in value.fields.items():
                # Booleans stand in the record itself.
                record[name] = field if isinstance(field, bool) else self.add(field)
            record["$class"] = self.class_of(*value.classes)
        elif isinstance(value, MutableString):
            record["NS.string"] = str(value)
            record["$class"] = self.class_of("NSMutableString", "NSString", "NSObject")
        elif isinstance(value, Date):
            record["NS.time"] = value.time
            record["$class"] = self.class_of("NSDate", "NSObject")
        elif isinstance(value, dict):
            record["NS.keys"] = [self.add(key) for key in value]
            record["NS.objects"] = [self.add(each) for each in value.values()]
            mutable = ["NSMutableDictionary"] if isinstance(value, MutableDictionary) else []
            record["$class"] = self.class_of(*mutable, "NSDictionary", "NSObject")
        else:
            raise TypeError(type(value))
        return place


def archived(root):
    """The archive of one object, as bytes."""
    archiver = Archiver()
    top = {"root": archiver.add(root)}
    whole = {
        "$version": 100000, "$archiver": "NSKeyedArchiver", "$top": top,
        "$objects": archiver.objects,
    }
    return plistlib.dumps(whole, fmt=plistlib.FMT_BINARY, sort_keys=False)


def base64url(value):
    data = value if isinstance(value, bytes) else value.encode()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


HEADER = {"typ": "JWT", "alg": "none"}


def id_token(claims):
    """An unsigned ID token."""
    parts = (json.dumps(part, separators=(",", ":")) for part in (HEADER, claims))
    return ".".join(base64url(part) for part in parts) + "."


def user_information(claims, user_id, in_keychain):
    if claims is None:
        return None
    fields = {"rawIdToken": id_token(claims)}
    # On macOS, ADAL archives the ID token alone.
    if in_keychain:
        fields["allClaims"] = MutableDictionary({**claims, **HEADER})
        fields["userId"] = MutableString(user_id)
        fields["userIdDisplayable"] = True
    return Instance(("ADUserInformation", "NSObject"), fields)


def item(row, in_keychain=True):
    """One row as ADTokenCacheStoreItem."""
    expires = row.get("expires")
    fields = {
        "resource": row.get("resource"), "authority": row["authority"], "clientId": row["client"],
        "accessToken": row.get("access"), "accessTokenType": "Bearer",
        "refreshToken": row.get("refresh"), "sessionKey": row.get("session_key"),
        "expiresOn": None if expires is None else Date(expires),
        "userInformation": user_information(row.get("claims"), row.get("user", ""), in_keychain),
        "familyId": row.get("family"), "additionalClient": None,
        "additionalServer": {"scope": "user_impersonation", **row.get("server", {})},
    }
    if "tombstone" in row:
        fields["tombstone"] = MutableDictionary(row["tombstone"])
    return Instance(("ADTokenCacheStoreItem",), fields)


NO_RESOURCE = "CC3513A0-0E69-4B4D-97FC-DFB6C91EE132"


def keychain_item(row, group, modified):
    """One row as the keychain item that ADAL for iOS keeps it in."""
    client = row["client"].strip().lower()
    resource = row.get("resource")
    service = [
        "MSOpenTech.ADAL.1", base64url(row["authority"]),
        NO_RESOURCE if resource is None else base64url(resource.strip().lower()),
        base64url(client),
    ]
    return {
        "class": "genp", "agrp": group, "acct": base64url(row.get("user", "")),
        "svce": "|".join(service), "gena": b"MSOpenTech.ADAL.1", "pdmn": "cku",
        "cdat": modified, "mdat": modified, "data": archived(item(row)),
    }


def blob(rows):
    """What ADAL for macOS hands an app to keep."""
    tokens = MutableDictionary()
    for row in rows:
        key = Instance(
            ("ADTokenCacheKey", "NSObject"),
            {"authority": row["authority"], "resource": row.get("resource"),
             "clientId": row["client"].strip().lower()})
        tokens.setdefault(row.get("user", ""), MutableDictionary())[key] = item(row, False)
    cache = MutableDictionary({"tokens": tokens})
    return archived({"version": 1.0, "tokenCache": cache})
