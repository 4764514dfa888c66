# SPDX-License-Identifier: MIT
"""The rows that vectors are made of: what each ADAL generation archives, from the same facts."""
import base64
import json

import secure_coding
from archiver import Inline, Obj, archive, array, date, dictionary, text

GROUP = "ABCDE12345.com.microsoft.adalcache"
GENERIC = b"MSOpenTech.ADAL.1"
NIL = "CC3513A0-0E69-4B4D-97FC-DFB6C91EE132"
AUTHORITY = "https://login.windows.net/common"
CLIENT = "27AD83C9-FC05-4A6C-AF01-36EDA42ED18F"
RESOURCE = "https://Graph.windows.net"
USER = "jane.doe@contoso.com"
HOME = "4c9e4509-7080-4408-8985-f9032eb84631.6fd1f5cd-a94c-4335-889b-6c598e6d8048"
EPOCH = 978307200
vectors = {}

V1 = "resource authority clientId accessToken accessTokenType refreshToken expiresOn userInformation"
V21 = V1 + " sessionKey familyId tombstone"
V22 = V21 + " additionalClient additionalServer"
V26 = V22.replace(" tombstone", "")
V274 = V1 + " familyId additionalClient additionalServer cachedAt homeAccountId"
V270 = V274 + " clientInfo"
V2713 = V274 + " enrollmentId applicationIdentifier"
KEYS = {
    "0.5": V1 + " tenantId", "1.0": V1, "2.0.2": V1 + " sessionKey", "2.1": V21, "2.2": V22,
    "2.6": V26, "2.7.0": V270, "2.7.4": V274, "2.7.13": V2713,
}
# The archive's names of what a token is told by.
NAMES = {
    "resource": "resource", "authority": "authority", "clientID": "clientId",
    "accessToken": "accessToken", "accessTokenType": "accessTokenType",
    "refreshToken": "refreshToken", "familyID": "familyId", "homeAccountID": "homeAccountId",
    "clientInfo": "clientInfo", "enrollmentID": "enrollmentId", "sessionKey": "sessionKey",
    "applicationIdentifier": "applicationIdentifier",
}


def b64u(value):
    value = value.encode() if isinstance(value, str) else value
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def jwt(claims, parts=3):
    header, payload = ({"typ": "JWT", "alg": "none"}, claims)
    encoded = [b64u(json.dumps(header)), b64u(json.dumps(payload)), ""]
    return encoded[1] if parts == 1 else ".".join(encoded[:parts])


CLAIMS = {
    "oid": "4c9e4509-7080-4408-8985-f9032eb84631", "tid": "6fd1f5cd-a94c-4335-889b-6c598e6d8048",
    "upn": "Jane.Doe@contoso.com", "sub": "sub-1", "ver": "1.0", "amr": ["pwd"],
}
ID_TOKEN = jwt(CLAIMS)


AT = {"authority": AUTHORITY, "resource": RESOURCE, "clientID": CLIENT, "accessToken": "at-1",
      "accessTokenType": "Bearer", "expiresOn": 1578310800.75, "rawIDToken": ID_TOKEN,
      "archivedUserID": USER}
MRRT = {"authority": AUTHORITY, "clientID": CLIENT, "accessTokenType": "Bearer",
        "refreshToken": "rt-1", "rawIDToken": ID_TOKEN, "archivedUserID": USER}
BOTH = AT | {"refreshToken": "rt-1"}
NAMED = {"userID": USER}
KNOWN = {"userID": USER, "knowsFamilyID": True}

def claims(values=CLAIMS):
    values = {k: array(v) if isinstance(v, list) else v for k, v in values.items()}
    return dictionary(values, mutable=False)


def user(version, facts, mac=False):
    """`userInformation` of a generation: adal-cache-format §2.4."""
    raw, archived = facts.get("rawIDToken"), facts.get("archivedUserID")
    if version.startswith("2.7"):
        fields = {"rawIdToken": raw}
    elif raw is None and archived is None:
        return None
    elif version == "0.5":
        return Obj("ADUserInformation", {
            "userId": archived, "userIdDisplayable": Inline(True), "givenName": "Jane",
            "familyName": "Doe", "identityProvider": None})
    else:
        fields = {"rawIdToken": raw}
    if not mac:
        fields |= {"allClaims": claims() if raw else None, "userIdDisplayable": Inline(bool(archived)),
                   "userId": text(archived) if archived else None}
    return Obj("ADUserInformation", fields)


def item(version, facts, name="ADTokenCacheStoreItem", classes=(), mac=False, **fields):
    """An archived item that says `facts`; `fields` replace or (None) stay as they are given."""
    values = {archived: facts[fact] for fact, archived in NAMES.items() if fact in facts}
    if isinstance(values.get("sessionKey"), str):
        values["sessionKey"] = base64.b64decode(values["sessionKey"])
    for name_ in ("expiresOn", "cachedAt"):
        values[name_] = date(facts[name_] - EPOCH) if name_ in facts else None
    values["userInformation"] = user(version, facts, mac)
    if version.startswith("2.7"):
        values["additionalClient"] = dictionary({})
        values["additionalServer"] = dictionary({})
        values.setdefault("accessTokenType", "Bearer")
    if version == "0.5":
        values["tenantId"] = "6fd1f5cd-a94c-4335-889b-6c598e6d8048"
    values = {key: values.get(key) for key in KEYS[version].split()} | fields
    return Obj(name, values, classes)


def service(authority=AUTHORITY, resource=None, client=CLIENT, prefix="MSOpenTech.ADAL.1"):
    parts = [b64u(authority.lower()), b64u(resource.lower()) if resource else NIL, b64u(client.lower())]
    return "|".join(([prefix] if prefix else []) + parts)


def entry(root, svce, acct=b64u(USER), agrp=GROUP, gena=GENERIC, **attributes):
    """A keychain item whose data archives `root` (or is `root`, when that is bytes or None)."""
    data = root if root is None or isinstance(root, bytes) else archive(root)
    attributes |= {"class": "genp", "agrp": agrp, "acct": acct, "svce": svce, "gena": gena, "data": data}
    return {key: value for key, value in attributes.items() if value is not None}


def token(facts, **more):
    """What a reader says of a token: its facts."""
    # `knowsFamilyID` by the generation, unless said.
    return {"is": "token"} | facts | more


def vector(name, comment, rows):
    """A vector of keychain items: pairs of an item and what it is."""
    assert name not in vectors
    expected = []
    for entry_, row in rows:
        if row["is"] == "token" and secure_coding.fails(entry_["data"]):
            row = row | {"failsSecureCoding": True}
        place = {key: entry_[key] for key in ("agrp", "acct", "svce", "mdat") if key in entry_}
        expected.append(row if row["is"] == "foreign" else row | {"place": place})
    vectors[name] = {"comment": comment, "items": [e for e, _ in rows], "expected": expected}


def archived(name, comment, data, row):
    """A vector of an item archived alone."""
    assert name not in vectors
    vectors[name] = {"comment": comment, "archive": data, "expected": [row | {"place": {"index": 0}}]}


def blob(name, comment, data, rows=None, **more):
    """A vector of a whole cache; without `rows`, one of which nothing can be saved."""
    assert name not in vectors
    vectors[name] = {"comment": comment, "blob": data if isinstance(data, bytes) else archive(data)}
    if rows is not None:
        vectors[name]["expected"] = rows
    vectors[name] |= more
