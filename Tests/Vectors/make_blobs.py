# SPDX-License-Identifier: MIT
"""macOS blobs (adal-cache-format §3), sound and damaged, and the file store of 0.5-alpha."""
import plistlib

from archiver import Archive, Inline, Obj, archive, array, date, dictionary, null, text
from make_rows import AT, MRRT, AUTHORITY, CLIENT, NIL, RESOURCE, USER, archived, blob, item, service, token

MAC = {k: v for k, v in AT.items() if k != "archivedUserID"}
MAC_RT = {k: v for k, v in MRRT.items() if k != "archivedUserID"}
OTHER = "bob@contoso.com"
PLACE = {"user": USER, "authority": AUTHORITY, "resource": RESOURCE.lower(), "client": CLIENT.lower()}
PLACE_RT = {k: v for k, v in PLACE.items() if k != "resource"}


def key(place, version="2.6", **fields):
    values = {"authority": place["authority"], "resource": place.get("resource"), "clientId": place["client"]}
    if version.startswith("2.7"):
        values |= {"userId": None, "account": None, "type": None,
                   "service": service(place["authority"], place.get("resource"), place["client"])}
    return Obj("ADTokenCacheKey", values | fields)


def wrapper(users, version=1.0, mutable=True):
    """The root object around `users`: pairs of a user and that user's entries."""
    tokens = users if isinstance(users, Obj) else dictionary(
        [(user, entries if isinstance(entries, Obj) else dictionary(entries, mutable))
         for user, entries in users], mutable)
    cache = dictionary({"tokens": tokens}, mutable)
    return dictionary({"tokenCache": cache} | ({} if version is None else {"version": version}), mutable=False)


def rows(at=MAC, place=PLACE, **more):
    return token(at, userID=place["user"] or None, knowsFamilyID=True, place=place, **more)


def unreadable(code, place=None, **more):
    place = place or {"user": "", "authority": "", "client": ""}
    said = {"userID": place["user"], "authority": place["authority"], "resource": place.get("resource"),
            "clientID": place["client"]}
    return {"is": "unreadable", "code": code, "place": place} | {k: v for k, v in said.items() if v} | more


def damaged(root, find, replacement, count=1):
    """The archive of `root` with bytes replaced; the offset table stays as it is."""
    data = archive(root)
    assert len(find) == len(replacement) and data.count(find) == count, (find, data.count(find))
    return data.replace(find, replacement)


def make():
    sound()
    damage()
    lies()
    alone()


def sound():
    def pairs(version="2.6"):
        return [(key(PLACE, version), item(version, MAC, mac=True)),
                (key(PLACE_RT, version), item(version, MAC_RT, mac=True))]
    nobody = PLACE | {"user": ""}
    both = [rows(), rows(MAC_RT, PLACE_RT)]
    blob("mac-2.1", "Users, keys and items; nobody is the empty name", wrapper([
        (USER, [(key(PLACE), item("2.1", MAC, mac=True))]),
        ("", [(key(nobody), item("2.1", MAC, mac=True))])]),
        [rows(), token(MAC, knowsFamilyID=True, place=nobody)], version=1.0)
    blob("mac-2.6", "AT and MRRT", wrapper([(USER, pairs())]), both, version=1.0)
    blob("mac-2.7", "Keys that say the service too", wrapper([(USER, pairs("2.7.13"))]), both, version=1.0)
    blob("mac-immutable", "NSDictionary in place of NSMutableDictionary, which ADAL refuses",
         wrapper([(USER, pairs())], mutable=False), both, version=1.0)
    blob("mac-mutable-user", "The user's name as NSMutableString", wrapper([(text(USER), pairs())]), both, version=1.0)
    for name, version, said in [("string", "1.0", 1.0), ("future", 2.0, 2.0), ("future-string", "1.5", 1.5),
                                ("integer", 1, 1.0), ("missing", None, None), ("words", "one", None),
                                ("list", array([]), None), ("nil", null(), None)]:
        more = {} if said is None else {"version": said}
        blob(f"mac-version-{name}", "The version as another kind, of the future, or not there",
             wrapper([(USER, pairs())], version), both, **more)
    blob("mac-empty-2.1", "A container that nothing was ever put in",
         dictionary({"version": 1.0, "tokenCache": dictionary({})}), [], version=1.0)
    blob("mac-empty-2.7", "An empty dictionary of users", wrapper([]), [], version=1.0)
    blob("mac-empty-user", "A user without entries", wrapper([(USER, [])]), [], version=1.0)
    blob("mac-unwrapped", "The container without its wrapper", dictionary(
        {"tokens": dictionary({USER: dictionary(pairs())})}), both)
    no_client = PLACE_RT | {"client": NIL}
    blob("mac-no-client", "Nobody's client in the key", wrapper([(USER, [(key(no_client), item("2.6", MAC_RT, mac=True))])]),
         [rows(MAC_RT, no_client, hasPrimaryRefreshTokenKey=True)], version=1.0)
    same = item("2.6", MAC, mac=True)
    blob("mac-shared", "One item object under two keys", wrapper([
        (USER, [(key(PLACE), same)]), (OTHER, [(key(PLACE), same)])]),
        [rows(), rows(MAC, PLACE | {"user": OTHER})], version=1.0)


def damage():
    at = item("2.6", MAC, mac=True)
    second = PLACE | {"user": OTHER}

    def two(first, **more):
        return wrapper([(USER, [(key(PLACE, **more), first)]), (OTHER, [(key(second), at)])])
    kept = rows(MAC, second)
    wrong = {"Mine": Obj("Mine", {}), "text": "text", "list": array([at]), "data": b"data", "number": 7}
    for name, value in wrong.items():
        more = {"className": "Mine"} if name == "Mine" else {}
        blob(f"mac-entry-{name}", "An entry that is something else", two(value),
             [unreadable("unknown-class", PLACE, **more), kept], version=1.0)
    for name, value in {"nil": None, "null": null()}.items():
        blob(f"mac-entry-{name}", "An entry that is nothing", two(value),
             [unreadable("malformed", PLACE), kept], version=1.0)
    for name, value in {"text": "key", "class": Obj("Mine", {"authority": AUTHORITY}), "nil": None}.items():
        blob(f"mac-key-{name}", "A key of another class: the payload says the same", wrapper([
            (USER, [(value, at)]), (OTHER, [(key(second), at)])]),
            [rows(droppedFields=["key"]), kept], version=1.0)
    blob("mac-key-empty", "A key that says nothing", wrapper([(USER, [(Obj("ADTokenCacheKey", {}), at)])]),
         [rows(place={"user": USER, "authority": "", "client": ""})], version=1.0)
    bare = {k: v for k, v in MAC_RT.items() if k not in ("authority", "clientID")}
    blob("mac-key-lost-with-payload", "Neither key nor payload say where the token belongs", wrapper([
        (USER, [("key", item("2.6", bare, mac=True))])]),
        [rows(bare, {"user": USER, "authority": "", "client": ""}, droppedFields=["key"])], version=1.0)
    for name, value in {"number": 7, "nil": None, "list": array([])}.items():
        user = "7" if name == "number" else ""
        dropped = {} if name == "number" else {"droppedFields": ["userKey"]}
        blob(f"mac-user-{name}", "A user's name that is no string", wrapper([
            (value, [(key(PLACE), at)]), (OTHER, [(key(second), at)])]),
            [rows(place=PLACE | {"user": user}, **dropped), kept], version=1.0)
    for name, value in {"text": text("text"), "null": null(), "item": at}.items():
        blob(f"mac-entries-{name}", "A user's entries that are no dictionary", wrapper([
            (USER, value), (OTHER, [(key(second), at)])]),
            [unreadable("malformed", {"user": USER, "authority": "", "client": ""}), kept], version=1.0)
    # One object of one entry, damaged in the bytes.
    marked = item("2.6", MAC | {"accessToken": "at-broken"}, mac=True)
    for name, byte, error in [("marker", b"\x99", "unknown-marker"), ("length", b"\x5d", "overlapping-objects"),
                              ("ascii", None, "malformed-string")]:
        broken = b"\xe1t-broken" if byte is None else b"at-broken"
        data = damaged(two(marked), b"\x59at-broken", (byte or b"\x59") + broken)
        blob(f"mac-damaged-token-{name}", "A token's string is damaged: the entry is lost, the others stay", data,
             [unreadable("undecodable", PLACE, archiveError=error), kept], version=1.0)
    marked = item("2.6", MAC | {"accessToken": "at-1"}, mac=True, additionalServer=dictionary({"scope": "odd-scope"}))
    blob("mac-damaged-server", "Damage in what is left of the response costs that alone",
         damaged(two(marked), b"\x59odd-scope", b"\x99odd-scope"),
         [rows(droppedFields=["additionalServer.scope"], failsSecureCoding=True), kept], version=1.0)
    renamed = item("2.6", MAC | {"accessToken": "at-1"}, mac=True, oddField="x")
    blob("mac-damaged-field-name", "A damaged name of a field that is not needed",
         damaged(two(renamed), b"\x58oddField", b"\x58\xffddField"), [rows(droppedFields=["?"]), kept], version=1.0)
    lost = Obj("ADTokenCacheItem", {"authority": AUTHORITY, "clientId": CLIENT, "resource": RESOURCE, "accessToken": "a",
                                    "oddToken": "rt"})
    blob("mac-damaged-token-name", "A damaged name that can be the refresh token's",
         damaged(two(lost), b"\x58oddToken", b"\x58\xffddToken"),
         [unreadable("undecodable", PLACE, archiveError="malformed-string"), kept], version=1.0)
    user = wrapper([("odd-user", [(key(PLACE), at)]), (OTHER, [(key(second), at)])])
    blob("mac-damaged-user", "Damage in a user's name costs the name alone", damaged(user, b"\x58odd-user", b"\x99odd-user"),
         [rows(place=PLACE | {"user": ""}, droppedFields=["userKey"]), kept], version=1.0)
    authority = "https://x.example/common"
    odd = wrapper([(USER, [(key(PLACE | {"authority": authority}), at)]), (OTHER, [(key(second), at)])])
    blob("mac-damaged-key", "Damage in a key: the payload says the same",
         damaged(odd, authority.encode()[:9], b"https:\xff\xff" + b"x"),
         [rows(droppedFields=["key"]), kept], version=1.0)


def lies():
    at = item("2.6", MAC, mac=True)
    good = wrapper([(USER, [(key(PLACE), at)])])
    loop = dictionary({})
    loop.fields["NS.keys"].value.append(USER)
    loop.fields["NS.objects"].value.append(loop)
    blob("mac-loop", "The users' dictionary is its own user: its names are no keys, its items no items",
         wrapper(loop), [unreadable("unknown-class", {"user": USER, "authority": "", "client": ""})], version=1.0)
    uneven = Obj("NSMutableDictionary", {"NS.keys": Inline([key(PLACE)]), "NS.objects": Inline([])})
    blob("mac-uneven", "More keys than objects", wrapper([(USER, uneven), (OTHER, [(key(PLACE), at)])]),
         [unreadable("undecodable", {"user": USER, "authority": "", "client": ""}, archiveError="wrong-kind"),
          rows(place=PLACE | {"user": OTHER})], version=1.0)
    far = Archive(good)
    for object_ in far.objects:
        if isinstance(object_, dict) and "accessToken" in object_:
            object_["accessToken"] = plistlib.UID(60000)
    data = plistlib.dumps(far.plist(), fmt=plistlib.FMT_BINARY, sort_keys=False)
    blob("mac-far-reference", "A token that refers to no object", data,
         [unreadable("undecodable", PLACE, archiveError="reference-out-of-range")], version=1.0)
    data = archive(good)
    nothing = {
        "race-empty": b"", "race-header": b"bplist00", "truncated": data[:-40], "half": data[:len(data) // 2],
        "zeros": bytes(2000), "xml": plistlib.dumps({"version": 1.0}),
        "wipe-record": dictionary({"bundleId": "b", "wipeTime": date(0)}), "text": "text", "null": None,
        "no-cache": dictionary({"version": 1.0}), "cache-text": dictionary({"version": 1.0, "tokenCache": "text"}),
        "tokens-text": dictionary({"version": 1.0, "tokenCache": dictionary({"tokens": "text"})}),
        "user-class": Obj("ADUserInformation", {}), "store-empty": Obj("ADDefaultTokenCacheStorePersistance", {}),
        "store-text": Obj("ADDefaultTokenCacheStorePersistance", {"cacheItems": "text"}),
    }
    for name, value in nothing.items():
        blob(f"none-{name}", "Nothing of a cache can be saved", archive(None) if value is None else value)


def alone():
    store = {"upperVersion": Inline(1), "lowerVersion": Inline(0)}
    facts = {k: v for k, v in AT.items() if k not in ("rawIDToken",)}
    blob("store-0.5-alpha", "The file store of the preview, with an element that is no item", Obj(
        "ADDefaultTokenCacheStorePersistance", store | {"cacheItems": array([
            item("0.5", facts), "text", item("0.5", facts), None])}),
        [token(facts, place={"index": 0}), {"is": "unreadable", "code": "unknown-class", "place": {"index": 1}},
         token(facts, place={"index": 2}), {"is": "unreadable", "code": "malformed", "place": {"index": 3}}])
    blob("store-damaged", "A damaged element of the preview's file store", damaged(Obj(
        "ADDefaultTokenCacheStorePersistance", store | {"cacheItems": array([
            item("0.5", facts | {"accessToken": "at-broken"}), item("0.5", facts)])}),
        b"\x59at-broken", b"\x99at-broken"),
        [{"is": "unreadable", "code": "undecodable", "archiveError": "unknown-marker", "place": {"index": 0}},
         token(facts, place={"index": 1})])
    blob("one-item", "One item, archived alone", item("2.6", AT), [token(AT, knowsFamilyID=True, place={"index": 0})])
    blob("one-item-damaged", "One item, archived alone, damaged",
         damaged(item("2.6", AT | {"accessToken": "at-broken"}), b"\x59at-broken", b"\x99at-broken"),
         [{"is": "unreadable", "code": "undecodable", "archiveError": "unknown-marker", "place": {"index": 0}}])
    archived("item-no-class", "An archived NSString alone", archive("text"),
             {"is": "unreadable", "code": "unknown-class"})
