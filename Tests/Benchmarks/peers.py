# SPDX-License-Identifier: MIT
"""The peers that are in Python: plistlib, bpylist2, and the look-up of MSAL Python. Each gives seconds of the
processor."""
import json
import plistlib
import time


def clock(body):
    start = time.process_time()
    body()
    return time.process_time() - start


def parse(archives):
    """plistlib: the objects of an archive, nothing resolved."""
    return clock(lambda: [plistlib.loads(data) for data in archives])


def unarchive(archives):
    """bpylist2: the archive's objects, resolved."""
    from bpylist2 import archiver

    class Fields:
        """Whatever an object of ADAL's has."""

        names = ()

        @classmethod
        def decode_archive(cls, archive):
            return [archive.decode(name) for name in cls.names]

    class Item(Fields):
        names = ("resource", "authority", "clientId", "accessToken", "accessTokenType", "refreshToken",
                 "sessionKey", "expiresOn", "userInformation", "familyId", "additionalClient",
                 "additionalServer")

    class User(Fields):
        names = ("rawIdToken", "allClaims", "userId")

    class Key(Fields):
        names = ("authority", "resource", "clientId")

        @classmethod
        def decode_archive(cls, archive):
            return tuple(super().decode_archive(archive))

    class MutableString:
        @staticmethod
        def decode_archive(archive):
            return archive.decode("NS.string")

    archiver.update_class_map({
        "NSMutableString": MutableString,
        "ADTokenCacheStoreItem": Item, "ADUserInformation": User, "ADTokenCacheKey": Key,
    })
    return clock(lambda: [archiver.unarchive(data) for data in archives])


def look_up(document, queries, now):
    """MSAL Python's TokenCache, with the document read before: what its clients ask it for a token."""
    import msal

    cache = msal.SerializableTokenCache()
    with open(document, encoding="utf-8") as file:
        cache.deserialize(file.read())
    kinds = {"at": cache.CredentialType.ACCESS_TOKEN, "rt": cache.CredentialType.REFRESH_TOKEN}

    def ask(query):
        wanted = {"client_id": query["clientId"], "environment": "login.windows.net",
                  "home_account_id": query["homeAccountId"]}
        if query["op"] == "at":
            wanted["realm"] = query["authority"].rsplit("/", 1)[1]
        scopes = query.get("scopes", "").split() or None
        entries = cache.search(kinds[query["op"]], target=scopes, query=wanted, now=now)
        # Its clients take the first access token, and sort the refresh tokens.
        return next(entries, None) if query["op"] == "at" else list(entries)

    found = []
    seconds = clock(lambda: found.extend(ask(query) for query in queries))
    if not all(found):
        raise SystemExit("MSAL Python does not find what was migrated")
    return seconds


def queries(count, users, tenant, client, guid):
    """Questions for access tokens and refresh tokens, half and half, of users one after the other."""
    def one(k):
        home = f"{guid(f'object {k % users}')}.{tenant}"
        base = {"clientId": client, "homeAccountId": home,
                "authority": f"https://login.windows.net/{tenant}"}
        if k % 2:
            return {"op": "rt", **base}
        return {"op": "at", "scopes": f"https://r{k % 9}.contoso.com/.default", **base}
    return [one(k) for k in range(count)]


def write_queries(path, asked, now):
    path.write_text(json.dumps({"now": now, "metadata": True, "queries": asked}))
