# SPDX-License-Identifier: MIT
"""Fields of an item: of odd kinds, as odd strings, and all that a server's answer can hold."""
import math

from archiver import Inline, Obj, array, date, dictionary, null, text, url
from make_rows import AT, EPOCH, ID_TOKEN, KNOWN, NAMED, RESOURCE, USER, entry, item, service, token, vector


def make():
    fields()
    servers()


def fields():
    odd = AT | {"familyID": "1", "refreshToken": "rt-1"}

    def row(expected=None, **fields_):
        facts = {k: v for k, v in odd.items() if k not in (expected or {}) or expected[k] is not None}
        return (entry(item("2.6", odd, **fields_), service(resource=RESOURCE)),
                token(facts | {k: v for k, v in (expected or {}).items() if v is not None}, **KNOWN))
    vector("odd-kinds", "Numbers become text, everything else is dropped, the item stays (§6 no. 7)", [
        row({"familyID": "1"}, familyId=1),
        row({"familyID": "-1"}, familyId=-1),
        row({"familyID": "1"}, familyId=1.0),
        row({"familyID": "1.5"}, familyId=1.5),
        row({"familyID": None, "droppedFields": ["familyId"]}, familyId=2**64 - 1),
        row({"familyID": None, "droppedFields": ["familyId"]}, familyId=True),
        row({"familyID": None, "droppedFields": ["familyId"]}, familyId=Inline(False)),
        row({"familyID": "7"}, familyId=Inline(7)),
        row({"familyID": "1"}, familyId=Inline("1")),
        row({"familyID": "7"}, familyId=Obj("NSNumber", {"NS.intval": Inline(7)})),
        row({"familyID": "2"}, familyId=Obj("NSNumber", {"NS.dblval": Inline(2.0)})),
        row({"familyID": "3"}, familyId=Obj("NSNumber", {"NS.number": Inline(3)})),
        row({"familyID": None, "droppedFields": ["familyId"]},
            familyId=Obj("NSNumber", {"NS.boolval": Inline(True)})),
        row({"familyID": None}, familyId=null()),
        row({"clientID": "42"}, clientId=42),
        row({"refreshToken": None}, refreshToken=null()),
        row({"refreshToken": None, "droppedFields": ["refreshToken"]}, refreshToken=array(["rt"])),
        row({"refreshToken": None}, refreshToken=" \n\t"),
        row({"accessToken": None}, accessToken=""),
        row({"resource": None}, resource=" "),
        row({"accessToken": None, "droppedFields": ["accessToken"]}, accessToken=dictionary({"a": "b"})),
        row({"accessToken": None, "droppedFields": ["accessToken"]}, accessToken=b"bytes"),
        row({"resource": None, "droppedFields": ["resource"]}, resource=url("https://graph.windows.net")),
        row({"authority": None, "droppedFields": ["authority"]}, authority=date(0)),
        row({"accessTokenType": None, "droppedFields": ["accessTokenType"]}, accessTokenType=Obj("Mine", {})),
        row({"sessionKey": "a2V5"}, sessionKey="key"),
        row({"droppedFields": ["sessionKey"]}, sessionKey=array([])),
        row({"expiresOn": None, "droppedFields": ["expiresOn"]}, expiresOn=600000000),
        row({"expiresOn": None, "droppedFields": ["expiresOn"]}, expiresOn=date(math.inf)),
        row({"expiresOn": None, "droppedFields": ["expiresOn"]}, expiresOn=date(math.nan)),
        row({"expiresOn": -62135769600.0}, expiresOn=date(-63114076800.0)),
        row({"expiresOn": 978307205.0}, expiresOn=date(5)),
        row({"expiresOn": 0.1 + EPOCH}, expiresOn=date(0.1)),
        row({"expiresOn": 1e300}, expiresOn=date(1e300)),
        row({"rawIDToken": None, "archivedUserID": None, "droppedFields": ["userInformation"]},
            userInformation=USER),
        row({"rawIDToken": None, "archivedUserID": None, "droppedFields": ["userInformation"]},
            userInformation=Obj("MyUser", {"rawIdToken": ID_TOKEN})),
        row({"archivedUserID": None}, userInformation=Obj("MSIDUserInformation", {"rawIdToken": ID_TOKEN})),
        row({"archivedUserID": None}, userInformation=Obj("ADALUserInformation", {"rawIdToken": ID_TOKEN})),
        row({"rawIDToken": None, "droppedFields": ["rawIdToken"]},
            userInformation=Obj("ADUserInformation", {"userId": USER, "rawIdToken": array([])})),
        row({"rawIDToken": None}, userInformation=Obj("ADUserInformation", {"userId": USER, "rawIdToken": ""})),
        row({"additionalServer": {}, "droppedFields": ["additionalServer"]}, additionalServer=array([])),
        row({"additionalServer": {}}, additionalClient="ignored"),
    ])
    vector("odd-strings", "Strings as objects, mutable and not, as UTF-8 bytes, as UTF-16", [
        row({"clientID": "c"}, clientId=text("c")),
        row({"clientID": "c"}, clientId=text("c", "NSString")),
        row({"clientID": "c"}, clientId=Obj("NSMutableString", {"NS.string": Inline("c")})),
        row({"clientID": "größe"}, clientId=Obj("NSString", {"NS.bytes": Inline("größe".encode())})),
        row({"clientID": "größe 😀"}, clientId="größe 😀"),
        row({"authority": "https://login.windows.net/größe"}, authority=text("https://login.windows.net/größe")),
        row({"refreshToken": "r" * 70000}, refreshToken="r" * 70000)])
    none = {}
    vector("empty", "Right class, nothing in it (§6 no. 3, 4)", [
        (entry(Obj("ADTokenCacheStoreItem", {}), service(resource=RESOURCE)), token(none, **NAMED)),
        (entry(item("2.6", none), service(resource=RESOURCE)), token(none, **KNOWN))])


def servers():
    def nested(depth):
        value = "leaf"
        for _ in range(depth):
            value = array([value])
        return value

    def leaf(depth):
        return "leaf" if depth == 0 else [leaf(depth - 1)]
    loop = dictionary({})
    loop.fields["NS.keys"].value.append("self")
    loop.fields["NS.objects"].value.append(loop)
    ring = array([])
    ring.fields["NS.objects"].value.append(ring)
    own = url("r")
    own.fields["NS.base"] = own
    twin = array(["twin"])
    based = url("token", url("oauth2/", url("https://a/", None)))
    values = {
        "null": (null(), None), "nil": (None, None), "yes": (True, True), "no": (False, False),
        "int": (-5, -5), "real": (0.5, 0.5), "nan": (math.nan, None), "text": ("ü", "ü"),
        "data": (b"\x00\x01", {"$data": "AAE="}), "date": (date(1.5), {"$date": 1.5 + EPOCH}),
        "never": (date(math.inf), None), "based": (based, {"$url": "https://a/oauth2/token"}),
        "url-loop": (own, {"$url": "r" * 65}), "odd-base": (url("b", 7), {"$url": "b"}), "odd-url": (url(7), {"$url": ""}),
        "list": (array(["a", array([1, None])], "NSMutableArray"), ["a", [1, None]]),
        "set": (array(["only"], "NSSet"), ["only"]), "mutable-set": (array([], "NSMutableSet"), []),
        "map": (dictionary({"k": dictionary({"l": 1}, mutable=False)}), {"k": {"l": 1}}),
        "twins": (array([twin, twin]), [["twin"], ["twin"]]),
        "deep": (nested(63), leaf(63)), "client_info": ("aW5mbw", "aW5mbw"),
    }
    lost = {
        "loop": loop, "ring": ring, "too-deep": nested(64), "mine": Obj("Mine", {}),
        "list-of-mine": array([Obj("Mine", {})]), "huge": 2**64 - 1, "odd-key": dictionary([(7, "x")]),
        "uneven": Obj("NSDictionary", {"NS.keys": Inline(["a"]), "NS.objects": Inline([])}),
        "keyless": Obj("NSDictionary", {"NS.objects": Inline([])}), "dateless": Obj("NSDate", {}),
        "stringless": Obj("NSString", {"NS.string": Inline(b"data")}), "urlless": Obj("NSURL", {"NS.base": None}),
        "classless": Obj(None, {"k": "v"}), "no-number": Obj("NSNumber", {"NS.intval": Inline("1")}),
    }
    server = dictionary({k: v for k, (v, _) in values.items()} | lost)
    facts = AT | {"additionalServer": {k: v for k, (_, v) in values.items()}, "clientInfo": "aW5mbw",
                  "droppedFields": sorted("additionalServer." + k for k in lost)}
    vector("additional-server", "Every kind of value that a server's answer or a hostile hand can hold", [
        (entry(item("2.6", AT, additionalServer=server), service(resource=RESOURCE)), token(facts, **KNOWN))])
    relative = AT | {"additionalServer": {"ext_expires_in": "3600", "ext_expires_on": "3600"}}
    first = AT | {"additionalServer": {"ext_expires_on": {"$date": 1.0 + EPOCH},
                  "extended_expires_on": {"$date": 2.0 + EPOCH}}, "extendedExpiresOn": 2.0 + EPOCH}
    whole = AT | {"droppedFields": ["additionalServer"]}
    vector("extended-expiry", "A relative time is no date; of two names the newer one counts", [
        (entry(item("2.2", AT, additionalServer=dictionary(relative["additionalServer"])),
               service(resource=RESOURCE)), token(relative, **KNOWN)),
        (entry(item("2.6", AT, additionalServer=dictionary({
            "ext_expires_on": date(1.0), "extended_expires_on": date(2.0)})), service(resource=RESOURCE)),
         token(first, **KNOWN)),
        (entry(item("2.6", AT, additionalServer=dictionary([(1, "x"), ("scope", "s")])),
               service(resource=RESOURCE)), token(whole, **KNOWN))])
