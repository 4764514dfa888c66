# SPDX-License-Identifier: MIT
"""Keychain items: adal-cache-format §1 and §2, and items that are no rows."""
import plistlib

from archiver import Archive, Inline, Obj, archive, array, date, dictionary, null, url
from make_rows import (
    AT, AUTHORITY, BOTH, CLIENT, EPOCH, GENERIC, HOME, KNOWN, MRRT, NAMED, NIL, RESOURCE, USER,
    archived, b64u, entry, item, jwt, service, token, vector)

def unreadable(code, **more):
    return {"is": "unreadable", "code": code} | more


FOREIGN = {"is": "foreign"}


def keyed(row):
    """What the key of `service(resource=RESOURCE)` still says of an unreadable row."""
    return row | {"userID": USER, "authority": AUTHORITY, "resource": RESOURCE.lower(),
                  "clientID": CLIENT.lower()}


def make():
    generations()
    classes()
    keys()
    broken()
    others()


def generations():
    old = {k: v for k, v in BOTH.items() if k != "rawIDToken"}
    mrrt = {k: v for k, v in MRRT.items() if k not in ("rawIDToken", "archivedUserID")}
    vector("ios-0.5-alpha", "Three parts without the library, another generic, user without ID token", [
        (entry(item("0.5", old), service(resource=RESOURCE, prefix=None), gena=GENERIC + b".0"),
         token(old, userID=USER)),
        (entry(item("0.5", mrrt), service(prefix=None), acct=NIL, gena=GENERIC + b".0"), token(mrrt))])
    single = BOTH | {"rawIDToken": jwt({"upn": USER}, 1)}
    bare = {k: v for k, v in BOTH.items() if k not in ("rawIDToken", "archivedUserID")}
    named = {k: v for k, v in MRRT.items() if k != "rawIDToken"}
    vector("ios-1.0", "AT with RT, MRRT, nobody as the placeholder, a user made from a name alone", [
        (entry(item("1.0", single), service(resource=RESOURCE), invi=True), token(single, **NAMED)),
        (entry(item("1.0", MRRT), service(), invi=True, mdat=1400000000.5), token(MRRT, **NAMED)),
        (entry(item("1.0", bare), service(resource=RESOURCE), acct=NIL), token(bare)),
        (entry(item("1.0", named), service()), token(named, **NAMED))])
    lost = BOTH | {"resource": "https://größe.example", "archivedUserID": "jürgen@contoso.com"}
    vector("ios-1.2-null-service", "ASCII base64 of other text was nil before 1.2.3 (§6 no. 5)", [
        (entry(item("1.0", lost), "MSOpenTech.ADAL.1|" + b64u(AUTHORITY) + "|(null)|" + b64u(CLIENT.lower()),
               acct="(null)"), token(lost)),
        (entry(item("1.0", lost), "MSOpenTech.ADAL.1|(null)|(null)|(null)"), token(lost, **NAMED)),
        (entry(b"junk", "MSOpenTech.ADAL.1|(null)|(null)|(null)", acct="(null)"),
         unreadable("undecodable", archiveError="not-a-property-list", offset=0))])
    signed = {k: v for k, v in BOTH.items() if k != "archivedUserID"} | {"sessionKey": "c2l4dGVlbiBieXRlIGtleQ=="}
    del signed["rawIDToken"]
    vector("ios-2.0.2-session-key", "A session key, as data and as archived NSMutableData", [
        (entry(item("2.0.2", signed), service(resource=RESOURCE), acct=NIL), token(signed)),
        (entry(item("2.0.2", signed, sessionKey=Obj("NSMutableData", {"NS.data": Inline(b"sixteen byte key")})),
               service(resource=RESOURCE), acct=""), token(signed))])
    sub = AT | {"archivedUserID": "0dxnalli12ivgl_dg3ddmk3zp6aqhnjgogyim5awpsc"}
    vector("ios-2.1-beta", "Class ADTokenCacheItem and a plain account (2.1.0-beta.2 to beta.4)", [
        (entry(item("2.1", AT, name="ADTokenCacheItem"), service(resource=RESOURCE), acct=USER),
         token(AT, className="ADTokenCacheItem", **KNOWN)),
        (entry(item("2.1", sub, name="ADTokenCacheItem"), service(resource=RESOURCE), acct=sub["archivedUserID"]),
         token(sub, className="ADTokenCacheItem", userID=sub["archivedUserID"], knowsFamilyID=True)),
        (entry(date(1e8), "NextTombstoneCleanTime", acct=""), FOREIGN),
        (entry(date(1e8), "NextTombstoneCleanTime", acct="", gena=b"Microsoft.ADAL.Tombstone.1"),
         FOREIGN)])
    dead = MRRT | {"refreshToken": "<tombstone>", "expiresOn": 1462000000.0}
    details = {"bundleID": "com.contoso.app", "errorDetails": "AADSTS70002", "protocolCode": "invalid_grant",
               "correlationID": "FDB3C3A8-9C73-4E9B-A1D9-20ED09B8A0D5"}
    named = {"bundleId": details["bundleID"], "errorDetails": details["errorDetails"],
             "protocolCode": details["protocolCode"], "correlationId": details["correlationID"]}
    by_hand = {"bundleID": "com.contoso.app", "errorDetails": "Manually removed from cache."}
    both = BOTH | {"refreshToken": "<tombstone>"}
    vector("ios-2.4-tombstones", "By the server, by hand with its AT, by the string alone, by the details alone", [
        (entry(item("2.2", dead, tombstone=dictionary(named)), service()),
         token(dead, isTombstone=True, tombstoneDetails=details, **KNOWN)),
        (entry(item("2.2", both, tombstone=dictionary({"bundleId": "com.contoso.app",
               "errorDetails": "Manually removed from cache."})), service(resource=RESOURCE)),
         token(both, isTombstone=True, tombstoneDetails=by_hand, **KNOWN)),
        (entry(item("2.2", dead), service()), token(dead, isTombstone=True, **KNOWN)),
        (entry(item("2.2", MRRT, tombstone=dictionary({})), service()),
         token(MRRT, isTombstone=True, tombstoneDetails={}, **KNOWN)),
        (entry(item("2.2", MRRT, tombstone="gone"), service()),
         token(MRRT, droppedFields=["tombstone"], **KNOWN))])
    family = MRRT | {"familyID": "1"}
    foci = family | {"clientID": "foci-1"}
    server = {"url": url("https://login.windows.net/common/oauth2/token?x-client-Ver=2.6.10"),
              "ext_expires_on": date(600000000.25), "scope": "user_impersonation", "pwd_exp": 98765,
              "Microsoft.ADAL.spe_info": "I"}
    said = {"url": {"$url": "https://login.windows.net/common/oauth2/token?x-client-Ver=2.6.10"},
            "ext_expires_on": {"$date": 600000000.25 + EPOCH}, "scope": "user_impersonation",
            "pwd_exp": 98765, "Microsoft.ADAL.spe_info": "I"}
    extended = {"additionalServer": said, "extendedExpiresOn": 600000000.25 + EPOCH}
    vector("ios-2.6-family", "AT, member and family token with what was left of the response", [
        (entry(item("2.6", AT | {"familyID": "1"}, additionalServer=dictionary(server)), service(resource=RESOURCE)),
         token(AT | {"familyID": "1"}, **extended, **KNOWN)),
        (entry(item("2.6", family, additionalServer=dictionary(server)), service()),
         token(family, **extended, **KNOWN)),
        (entry(item("2.6", foci, additionalServer=dictionary(server, mutable=False)), service(client="foci-1")),
         token(foci, **extended, **KNOWN))])
    adfs = {k: v for k, v in BOTH.items() if k not in ("rawIDToken", "archivedUserID")}
    adfs |= {"authority": "https://adfs.contoso.com/adfs"}
    vector("ios-2.6-adfs-no-user", "No ID token: nobody, as the empty account and as the placeholder", [
        (entry(item("2.6", adfs), service(adfs["authority"], RESOURCE), acct=""),
         token(adfs, knowsFamilyID=True)),
        (entry(item("2.6", adfs), service(adfs["authority"], RESOURCE), acct=NIL),
         token(adfs, knowsFamilyID=True)),
        (entry(item("2.7.13", adfs), service(adfs["authority"], RESOURCE), acct=""),
         token(adfs, knowsFamilyID=True))])
    info = b64u('{"uid":"4c9e4509-7080-4408-8985-f9032eb84631","utid":"6fd1f5cd-a94c-4335-889b-6c598e6d8048"}')
    hybrid = {"expiresOn": 1578310800.0, "cachedAt": 1578307200.0, "homeAccountID": HOME}
    first = AT | hybrid | {"clientInfo": info}
    rt = MRRT | {"homeAccountID": HOME, "familyID": "1"}
    vector("ios-2.7.0", "Client info and the home account id; extended expiry under its old name", [
        (entry(item("2.7.0", first, additionalServer=dictionary({"ext_expires_on": date(6e8), "spe_info": "I"})),
               service(resource=RESOURCE)),
         token(first, additionalServer={"ext_expires_on": {"$date": 6e8 + EPOCH}, "spe_info": "I"},
               extendedExpiresOn=6e8 + EPOCH, **KNOWN)),
        (entry(item("2.7.0", rt | {"clientInfo": info}), service()), token(rt, clientInfo=info, **KNOWN)),
        (entry(item("2.7.0", {k: v for k, v in rt.items() if k not in ("homeAccountID", "familyID")}), service()),
         token(MRRT, **KNOWN))])
    vector("ios-2.7.4", "No client info any more; extended expiry under its new name; 4.x is the same", [
        (entry(item("2.7.4", AT | hybrid, additionalServer=dictionary({"extended_expires_on": date(6e8)})),
               service(resource=RESOURCE)),
         token(AT | hybrid, additionalServer={"extended_expires_on": {"$date": 6e8 + EPOCH}},
               extendedExpiresOn=6e8 + EPOCH, **KNOWN)),
        (entry(item("2.7.4", rt), service()), token(rt, **KNOWN))])
    app = "com.contoso.app-\u00fe\u00ff??"
    assert "-" in b64u(app) or "_" in b64u(app)
    prefix = "MSOpenTech.ADAL.1-" + b64u(app)
    bound = AT | hybrid | {"enrollmentID": "enrollment-1", "applicationIdentifier": app}
    half = AT | hybrid
    vector("ios-2.7.13-app-bound", "Service with the bundle id, whose base64url has a dash of its own", [
        (entry(item("2.7.13", bound), service(resource=RESOURCE, prefix=prefix)), token(bound, **KNOWN)),
        (entry(item("2.7.13", half), service(resource=RESOURCE, prefix=prefix)),
         token(half, applicationIdentifier=app, **KNOWN)),
        (entry(item("2.7.13", rt), service()), token(rt, **KNOWN))])
    later = ["ADTokenCacheStoreItem", "MSIDCredentialCacheItem", "NSObject"]
    vector("ios-6.0", "4.x to 6.x, and MSAL's legacy accessor: the class record names MSAL's superclass", [
        (entry(item("2.7.13", AT | hybrid, classes=later), service(resource=RESOURCE)),
         token(AT | hybrid, **KNOWN)),
        (entry(item("2.7.13", rt, classes=later), service()), token(rt, **KNOWN))])
    public = AT | {"sessionKey": "a2V5", "familyID": "1"}
    vector("ios-2.7-public-item", "An app archived the public item of 2.7 itself: session key, no home id", [
        (entry(item("2.6", public), service(resource=RESOURCE)), token(public, **KNOWN))])
    preview = plistlib.dumps({AUTHORITY + "##" + CLIENT: b"archive"}, fmt=plistlib.FMT_BINARY)
    vector("ios-3.0.0-pre", "Payload in the generic attribute, account as it is", [
        (entry(None, "MSOpenTech.ADAL", acct=USER, gena=preview),
         unreadable("preview-format", userID=USER)),
        (entry(None, "MSOpenTech.ADAL", acct="", gena=preview), unreadable("preview-format")),
        (entry(item("1.0", AT), "MSOpenTech.ADAL"), token(AT, **NAMED)),
        (entry(b"x", "MSOpenTech.ADAL", gena=b"mine"), FOREIGN),
        (entry(b"x", "MSOpenTech.ADAL", gena=None), FOREIGN)])
    for parts in (1, 2, 3):
        told = AT | {"rawIDToken": jwt({"upn": USER, "oid": "o", "tid": "t"}, parts)}
        archived(f"item-id-token-{parts}", f"An item alone, with an ID token of {parts} part(s)",
                 archive(item("1.0", told)), token(told))


def classes():
    rows = []
    for name, list_ in [("ADTokenCacheStoreItem", None), ("ADTokenCacheItem", None), ("ADBrokerPRTCacheItem", None),
                        ("ADTokenCacheStoreItem", []), ("ADTokenCacheStoreItem", ["Renamed", "NSObject"])]:
        more = {"hasPrimaryRefreshTokenKey": True} if "PRT" in name else {}
        rows.append((entry(item("2.6", MRRT, name=name, classes=list_), service()),
                     token(MRRT, className=name, **more, **KNOWN)))
    unnamed = Archive(item("2.6", MRRT))
    for record in unnamed.objects:
        if isinstance(record, dict) and record.get("$classname") == "ADTokenCacheStoreItem":
            del record["$classname"]
    data = plistlib.dumps(unnamed.plist(), fmt=plistlib.FMT_BINARY, sort_keys=False)
    rows.append((entry(data, service()), token(MRRT, **KNOWN)))
    vector("class-records", "With and without $classes; the first name alone counts", rows)
    vector("class-unknown", "A class of the app's own, even if a superclass is ADAL's", [
        (entry(item("2.6", MRRT, name=name, classes=list_), service(resource=RESOURCE)),
         keyed(unreadable("unknown-class", className=name)))
        for name, list_ in [("MyItem", ["MyItem", "ADTokenCacheStoreItem", "NSObject"]),
                            ("ADUserInformation", None), ("adtokencachestoreitem", None)]])


def keys():
    other = "FGHIJ67890.com.contoso.app"
    copy = MRRT | {"refreshToken": "rt-2"}
    vector("groups", "The same key in the app's group (1.0) and in the shared one (1.1+)", [
        (entry(item("1.0", MRRT), service(), agrp=other, mdat=1400000000.0), token(MRRT, **NAMED)),
        (entry(item("1.0", copy), service(), mdat=1500000000.0), token(copy, **NAMED))])
    nobody = {k: v for k, v in MRRT.items() if k not in ("rawIDToken", "archivedUserID")}
    said = [("", None), (NIL, None), ("(null)", None), (None, None), (b64u(USER), USER), (USER, USER),
            (b64u("jürgen@größe.example"), "jürgen@größe.example"), ("jane", "jane"), ("x=", "x="),
            (b64u(b"\xff\xfe"), b64u(b"\xff\xfe")), (b64u("sub-1"), "sub-1"), ("a b", "a b"),
            (b64u("uu") + "=", "uu"), ("/w==", "/w=="), ("Pj8+", ">?>"), ("AB", "AB")]
    rows = []
    for acct, user_ in said:
        row = entry(item("1.0", nobody), service(), acct=acct)
        rows.append((row, token(nobody, **({"userID": user_} if user_ else {}))))
    vector("accounts", "Nobody in every spelling, base64url, plain, and what only looks encoded", rows)
    broker = service().split("|") + [b64u("hash")]
    no_client = "|".join(["MSOpenTech.ADAL.1", b64u(AUTHORITY), NIL, NIL])
    vector("primary-refresh-tokens", "Five parts, or nobody's client", [
        (entry(item("2.6", MRRT), "|".join(broker)), token(MRRT, hasPrimaryRefreshTokenKey=True, **KNOWN)),
        (entry(item("2.6", MRRT), no_client), token(MRRT, hasPrimaryRefreshTokenKey=True, **KNOWN)),
        (entry(item("2.6", MRRT), "|".join(broker + ["six"])), token(MRRT, **KNOWN)),
        (entry(item("2.6", MRRT), "I'm a service!", acct="I'm an account!"),
         token(MRRT, knowsFamilyID=True, userID="I'm an account!")),
        (entry(b"", "|".join(broker)), {k: v for k, v in keyed(unreadable(
            "undecodable", archiveError="not-a-property-list", offset=0)).items() if k != "resource"}),
        (entry(b"", no_client), {k: v for k, v in keyed(unreadable(
            "undecodable", archiveError="not-a-property-list", offset=0)).items()
            if k not in ("resource", "clientID")})])


def broken():
    good = archive(item("2.6", AT))
    top = Archive(item("2.6", AT))
    top.top = {"other": top.top["root"]}
    untopped = plistlib.dumps(top.plist(), fmt=plistlib.FMT_BINARY)
    far = Archive(item("2.6", AT))
    far.top = {"root": plistlib.UID(200)}
    far = plistlib.dumps(far.plist(), fmt=plistlib.FMT_BINARY)
    twice = Archive(item("2.6", AT))
    twice.objects[1] = plistlib.UID(2)
    twice = plistlib.dumps(twice.plist(), fmt=plistlib.FMT_BINARY)
    wrong = "undecodable"
    rows = [(None, unreadable("malformed"))]
    for data, error, offset in [
            (b"", "not-a-property-list", 0), (bytes(range(256)), "not-a-property-list", 0),
            (b"bplist00", "truncated", 8), (good[:-1], None, None), (good[:400], None, None),
            (plistlib.dumps({"a": 1}), "not-a-property-list", 0),
            (plistlib.dumps({"a": 1}, fmt=plistlib.FMT_BINARY), "not-a-keyed-archive", 8),
            (plistlib.dumps("text", fmt=plistlib.FMT_BINARY), "not-a-keyed-archive", 8),
            (untopped, "not-a-keyed-archive", None), (far, "reference-out-of-range", None),
            (twice, "wrong-kind", None)]:
        row = unreadable(wrong)
        rows.append((data, row | ({"archiveError": error} if error else {}) | ({"offset": offset} if offset is not None else {})))
    for root in [dictionary({"bundleId": "b"}), array([]), "text", 7, date(0), b"data"]:
        rows.append((archive(root), unreadable("unknown-class")))
    rows.append((archive(None), unreadable("malformed")))
    rows.append((archive(null()), unreadable("malformed")))
    vector("broken-items", "What is no archive, or a damaged one, or one of something else",
           [(entry(data, service(resource=RESOURCE)), keyed(row)) for data, row in rows])


def others():
    wipe = archive(dictionary({"bundleId": "com.contoso.app", "wipeTime": date(6e8)}, mutable=False))
    rows = [
        entry(wipe, "", acct="TokenWipe", gena=b"Microsoft.ADAL.WipeAll.1"),
        entry(b"x", service(), gena=None),
        entry(b"x", service(), gena=b"MSOpenTech.ADAL.2"),
        entry(b"x", service(), gena=b"\xff\xfe"),
        entry(b"x", "ADAL.PCL.iOS Service", acct="another app's",
               gena=b"ActiveDirectoryAuthenticationLibrary"),
        entry(b"x", "ADAL.PCL.iOS Service", acct="another app's", gena=None),
        entry(b"x", "Broker Key Service", acct="Broker Key Account", gena=None),
        entry(b'{"use_single_frt":true}', "useSingleFRT", acct="useSingleFRT", gena=None),
        entry(b"x", "Ver1", acct="com.microsoft.identity.throttling.metadata", gena=None),
        entry(b"x", "some service", acct="some account", gena=None),
        entry(b"x", "", acct="some account", gena=None),
    ]
    for account in ["bundleSeedID", "teamIDHint", "SDK.ObjC.teamIDHint", "DotNetTeamIDHint"]:
        rows.append(entry(None, "", acct=account, gena=None))
        rows.append(entry(None, "mine", acct=account, gena=None))
    for type_ in [1000, 1001, 1002, 1003, 1004, 2000, 2001, 2002, 2003, 2006, 2009, 3000, 3001, 5001]:
        rows.append(entry(b"{}", "x", gena=b"x", type=type_))
    for type_ in [0, 999, 1005, 2010, 3002, 5000, 5002]:
        rows.append(entry(b"{}", "x", gena=b"x", type=type_))
    vector("foreign", "Items of the same group that are no rows (§1.9, §1.11)",
           [(row, FOREIGN) for row in rows])
