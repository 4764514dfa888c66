#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the sample caches. Usage: make.py [FOLDER] (default: the folder of this script)."""
import base64
import json
import os
import pathlib
import sqlite3
import sys
import uuid

import dump
from archive import Date, archived, base64url, blob, keychain_item

HERE = pathlib.Path(__file__).resolve().parent
VECTORS = HERE.parent.parent / "Tests" / "Vectors" / "adal"

# The instant that all samples are made for: `--now 1700000000`.
NOW = 1700000000
HOUR = 3600
GROUP = "ABCDE12345.com.microsoft.adalcache"


def guid(name):
    return str(uuid.uuid5(uuid.NAMESPACE_DNS, name + ".sample.adal2msal"))


CONTOSO, FABRIKAM = guid("contoso.com"), guid("fabrikam.com")
MAIL, FILES = guid("mail"), guid("files")
COMMON = "https://login.windows.net/common"
GRAPH, OUTLOOK = "https://graph.microsoft.com", "https://outlook.office365.com"
SHAREPOINT = "https://contoso.sharepoint.com/"


def claims(name, user, tenant, client, **other):
    """The claims of a user's ID token in a tenant."""
    given, family = name.split(" ")
    return {
        "aud": client, "iss": f"https://sts.windows.net/{tenant}/", "iat": NOW - 300,
        "nbf": NOW - 300, "exp": NOW + HOUR, "name": name, "given_name": given,
        "family_name": family, "oid": guid(f"{user} in {tenant}"),
        "sub": base64url(f"{user}/{client[:8]}"), "tid": tenant, "unique_name": user, "upn": user,
        "ver": "1.0", **other,
    }


def refresh(user, client, authority, claims, name, **other):
    return {"user": user, "client": client, "authority": authority, "claims": claims,
            "refresh": f"synthetic-rt-{name}", **other}


def access(row, resource, expires, **other):
    """An access token that came with a row's refresh token."""
    name = row["refresh"].removeprefix("synthetic-rt-")
    host = resource.rstrip("/").split("//")[-1]
    kept = {key: value for key, value in row.items() if key not in ("refresh", "family")}
    return {**kept, "resource": resource, "expires": expires,
            "access": f"synthetic-at-{name}-{host}", **other}


def contoso():
    """The rows of four users: two clients of one family, members of a tenant, and a guest."""
    adele = claims("Adele Vance", "adele@contoso.com", CONTOSO, MAIL)
    adele_files = claims("Adele Vance", "adele@contoso.com", CONTOSO, FILES)
    family = {"family": "1"}
    mail = refresh("adele@contoso.com", MAIL, COMMON, adele, "adele-family", **family)
    files = refresh("adele@contoso.com", FILES, COMMON, adele_files, "adele-files", **family)
    megan = refresh("megan@contoso.com", MAIL, COMMON,
                    claims("Megan Bowen", "megan@contoso.com", CONTOSO, MAIL), "megan")
    alex = refresh("alex@fabrikam.com", MAIL, COMMON,
                   claims("Alex Wilber", "alex@fabrikam.com", FABRIKAM, MAIL), "alex")
    # Lynne of fabrikam.com is a guest of contoso.com. Who she is at home, her server response said.
    home = {"uid": guid(f"lynne in {FABRIKAM}"), "utid": FABRIKAM}
    guest_claims = claims("Lynne Robbins", "lynne@fabrikam.com", CONTOSO, FILES,
                          email="lynne@fabrikam.com", altsecid="5::10033FFF80000007",
                          idp=f"https://sts.windows.net/{FABRIKAM}/")
    del guest_claims["upn"]
    lynne = refresh("lynne@fabrikam.com", FILES, f"https://login.windows.net/{CONTOSO}", guest_claims,
                    "lynne", server={"client_info": base64url(json.dumps(home))})
    return [
        mail,
        {**mail, "client": "foci-1"},
        access(mail, GRAPH, NOW + HOUR, family="1"),
        access(mail, OUTLOOK, NOW - 24 * HOUR, family="1"),
        files,
        access(files, GRAPH, NOW + HOUR, family="1"),
        megan,
        access(megan, SHAREPOINT, NOW + 2 * HOUR),
        alex,
        access(alex, GRAPH, NOW + HOUR),
        lynne,
        access(lynne, SHAREPOINT, NOW + HOUR),
    ]


def login_keychain(cache):
    """The login keychain of a Mac whose app keeps ADAL's cache in an item, with what others keep there."""
    times = {"cdat": NOW - 90 * 24 * HOUR, "mdat": NOW - 300}
    return [
        {"class": "genp", "labl": "Wi-Fi", "acct": "contoso-guest", "desc": "AirPort network password",
         "svce": "AirPort", "data": b'"quoted" and plain', **times},
        {"class": "genp", "labl": "ADALCache", "acct": "Contoso Mail", "svce": "ADALCache",
         "data": cache, **times},
        {"class": "genp", "labl": "Caf\u00e9", "acct": "adele", "svce": "notes", "type": 0x6E6F7465,
         "invi": 1,
         "data": archived({"note": "synthetic"}), **times},
        {"class": "inet", "labl": "mail.contoso.com", "acct": "adele", "data": b"synthetic", **times},
    ]


def leftovers():
    """One row of each kind that cannot be moved, with what else lies in such a keychain group."""
    guest_claims = claims("Diego Siciliani", "diego@fabrikam.com", CONTOSO, MAIL,
                          email="diego@fabrikam.com", altsecid="5::10033FFF80000009",
                          idp=f"https://sts.windows.net/{FABRIKAM}/")
    del guest_claims["upn"]
    guest = refresh("diego@fabrikam.com", MAIL, f"https://login.windows.net/{CONTOSO}", guest_claims,
                    "diego")
    adfs_claims = {"aud": MAIL, "iss": "https://fs.contoso.com/adfs", "iat": NOW, "exp": NOW + HOUR,
                   "upn": "patti@contoso.com", "sub": "patti", "ver": "1.0"}
    adfs = refresh("patti@contoso.com", MAIL, "https://fs.contoso.com/adfs", adfs_claims, "patti",
                   resource="urn:contoso:intranet", access="synthetic-at-patti", expires=NOW + HOUR)
    pradeep = claims("Pradeep Gupta", "pradeep@contoso.com", CONTOSO, MAIL)
    tombstone = refresh("pradeep@contoso.com", MAIL, COMMON, pradeep, "", refresh="<tombstone>",
                        tombstone={"bundleId": "com.contoso.mail", "protocolCode": "invalid_grant",
                                   "errorDetails": "AADSTS70002: the grant was revoked.",
                                   "correlationId": guid("correlation").upper()})
    nameless = refresh("", FILES, COMMON, None, "nobody")
    joni = claims("Joni Sherman", "joni@contoso.com", CONTOSO, MAIL)
    alone = access(refresh("joni@contoso.com", MAIL, COMMON, joni, "joni"), GRAPH, NOW + HOUR)
    session = refresh("joni@contoso.com", FILES, COMMON, joni, "joni-device",
                      session_key=b"synthetic key 16")
    items = [keychain_item(row, GROUP, NOW - HOUR)
             for row in (guest, adfs, tombstone, nameless, alone, session)]
    broken = keychain_item(refresh("miriam@contoso.com", MAIL, COMMON, None, "miriam"), GROUP,
                           NOW - HOUR)
    broken["data"] = broken["data"][:100]
    wipe = {"bundleId": "com.contoso.mail", "wipeTime": Date(NOW - 90 * 24 * HOUR)}
    return items + [
        broken,
        {"class": "genp", "agrp": GROUP, "acct": "TokenWipe", "svce": "",
         "gena": b"Microsoft.ADAL.WipeAll.1", "pdmn": "cku", "data": archived(wipe)},
        {"class": "genp", "agrp": GROUP, "acct": "notes", "svce": "com.contoso.notes",
         "labl": "Notes", "data": b"synthetic"},
        {"class": "inet", "agrp": GROUP, "acct": "adele", "srvr": "mail.contoso.com",
         "data": b"synthetic"},
    ]


def upgraded():
    """The keychain of a device that went from ADAL 1.2 to 2.7, as ADAL's own code left it."""
    folder = VECTORS / "ios-2.7.18-upgrade-d-2718"
    items = json.loads((folder / "items.json").read_text())
    return items + json.loads((folder / "other-items.json").read_text())


def write_items(path, items):
    def text(value):
        return base64.b64encode(value).decode() if isinstance(value, bytes) else value

    rows = [json.dumps({key: text(value) for key, value in item.items()}, ensure_ascii=False)
            for item in items]
    path.write_text('{"format": "keychain-items", "version": 1, "items": [\n  '
                    + ",\n  ".join(rows) + "\n]}\n", encoding="utf-8")


COLUMNS = {
    "agrp": "TEXT NOT NULL", "acct": "TEXT NOT NULL", "svce": "TEXT NOT NULL", "gena": "BLOB",
    "type": "INTEGER", "pdmn": "TEXT", "labl": "TEXT", "desc": "TEXT", "icmt": "TEXT",
    "invi": "INTEGER", "cdat": "REAL", "mdat": "REAL", "data": "BLOB",
}


def write_snapshot(path, items):
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path)
    columns = ", ".join(f'"{name}" {kind}' for name, kind in COLUMNS.items())
    database.execute(f"CREATE TABLE items ({columns}, UNIQUE (agrp, acct, svce))")
    database.execute("PRAGMA application_id = 0x41324D53")
    database.execute("PRAGMA user_version = 1")
    for item in items:
        values = [item.get(name) for name in COLUMNS]
        database.execute(f"INSERT INTO items VALUES ({', '.join('?' * len(values))})", values)
    database.commit()
    database.close()


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    rows = contoso()
    team = {"class": "genp", "agrp": "ABCDE12345.com.contoso.mail", "acct": "teamIDHint", "svce": "",
            "pdmn": "dk"}
    items = [keychain_item(row, GROUP, NOW - 300) for row in rows] + [team]
    write_snapshot(folder / "contoso.sqlite", items)
    (folder / "contoso.adalcache").write_bytes(blob(rows))
    (folder / "contoso.objection.json").write_text(dump.objection(items))
    (folder / "contoso.keychain.txt").write_text(dump.security(login_keychain(blob(rows))))
    write_items(folder / "contoso.items.json", upgraded())
    write_items(folder / "leftovers.items.json", leftovers())
    for path in folder.glob("*.sqlite"):
        os.chmod(path, 0o644)


if __name__ == "__main__":
    main()
