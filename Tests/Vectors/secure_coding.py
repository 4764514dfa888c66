# SPDX-License-Identifier: MIT
"""Whether MSAL of today, which decodes with secure coding, can decode an archived item. Used by make.py only.

The classes are those that initWithCoder: names (MSIDLegacyTokenCacheItem.m, MSIDUserInformation.m). Of users
the names count that MSIDKeyedArchiverSerializer.m maps or that MSAL has itself.
"""
import datetime
import plistlib

TEXTS = ("authority", "resource", "clientId", "accessToken", "refreshToken", "accessTokenType", "familyId",
         "homeAccountId", "enrollmentId", "applicationIdentifier")
USERS = ("ADUserInformation", "MSIDUserInformation")
CLASSES = {
    "NSString": "text", "NSMutableString": "text", "NSDate": "date", "NSDictionary": "dictionary",
    "NSMutableDictionary": "dictionary", "NSNumber": "number", "NSURL": "url", "NSNull": "null"}


def kind(objects, value):
    """What a reference is, and the value itself."""
    if isinstance(value, plistlib.UID):
        value = objects[value.data]
    match value:
        case "$null": return "nil", value
        case str(): return "text", value
        case bool() | int() | float(): return "number", value
        case datetime.datetime(): return "date", value
        case {"$class": class_}:
            name = objects[class_.data]["$classname"]
            name = objects[name.data] if isinstance(name, plistlib.UID) else name
            return CLASSES.get(name, name), value
    return type(value).__name__, value


def is_answer(objects, value, depth=0):
    """Whether a key or a value of `additionalServer` is of the classes that MSAL allows there."""
    name, value = kind(objects, value)
    if name == "dictionary":
        return depth < 40 and all(
            is_answer(objects, each, depth + 1) for each in value["NS.keys"] + value["NS.objects"])
    return name in ("text", "date", "number", "url")


def fails(archive):
    """Whether a value of the item is of another class than MSAL names."""
    content = plistlib.loads(archive)
    objects = content["$objects"]
    item = objects[content["$top"]["root"].data]

    def has(fields, *names, of=item):
        return all(field not in of or kind(objects, of[field])[0] in names + ("nil",) for field in fields)

    if not has(TEXTS, "text") or not has(("expiresOn", "cachedAt"), "date"):
        return True
    if not has(("userInformation",), *USERS) or not has(("additionalServer",), "dictionary"):
        return True
    name, user = kind(objects, item.get("userInformation", "$null"))
    if name != "nil" and not has(("rawIdToken",), "text", of=user):
        return True
    name, server = kind(objects, item.get("additionalServer", "$null"))
    return name != "nil" and not is_answer(objects, server)
