#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the caches of the samples on servers: ADAL.NET's bytes in a table, a list of ADAL for Python.

Usage: others.py [FOLDER] (default: the samples' folders). The users are those of make.py.
"""
import base64
import json
import pathlib
import struct
import sys

import make
from archive import base64url

SAMPLES = pathlib.Path(__file__).resolve().parent.parent
WEB, SERVICE = make.guid("web"), make.guid("service")
HOST = "https://login.windows.net"


def string(text):
    """A string as .NET's BinaryWriter writes it: its length in groups of seven bits, then UTF-8."""
    data, prefix = text.encode(), b""
    length = len(data)
    while length > 0x7F:
        prefix += bytes([length & 0x7F | 0x80])
        length >>= 7
    return prefix + bytes([length]) + data


def instant(seconds):
    return {"DateTime": f"/Date({seconds * 1000})/", "OffsetMinutes": 0}


def signed(claims):
    """An ID token, unsigned."""
    return ".".join(base64url(json.dumps(part)) for part in ({"typ": "JWT", "alg": "none"}, claims)) + "."


def dotnet_row(user, claims, resource, refresh, home=None):
    """A row of ADAL.NET 5: its key and its value."""
    tenant = claims["tid"]
    result = {
        "AccessToken": refresh.replace("-rt-", "-at-"), "AccessTokenType": "Bearer",
        "ExpiresOn": instant(make.NOW + make.HOUR), "ExtendedExpiresOn": instant(make.NOW + make.HOUR),
        "ExtendedLifeTimeToken": False, "IdToken": signed(claims), "TenantId": tenant,
        "UserInfo": {
            "DisplayableId": user, "FamilyName": claims["family_name"], "GivenName": claims["given_name"],
            "IdentityProvider": claims.get("idp", claims["iss"]), "PasswordChangeUrl": None,
            "PasswordExpiresOn": None, "UniqueId": claims["oid"]}}
    client_info = base64url(json.dumps(home or {"uid": claims["oid"], "utid": tenant}))
    value = {"RawClientInfo": client_info, "RefreshToken": refresh, "ResourceInResponse": resource,
             "Result": result, "UserAssertionHash": None}
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False).replace("/", "\\/")
    return f"{HOST}/{tenant}/:::{resource}:::{WEB}:::0", text


def app_only_row(resource):
    """A row of the app itself, which every table of a web app has."""
    value = {"RawClientInfo": None, "RefreshToken": None, "ResourceInResponse": resource,
             "Result": {"AccessToken": "synthetic-at-web", "AccessTokenType": "Bearer",
                        "ExpiresOn": instant(make.NOW + make.HOUR), "IdToken": None, "TenantId": None,
                        "UserInfo": None},
             "UserAssertionHash": None}
    return f"{HOST}/{make.CONTOSO}/:::{resource}:::{WEB}:::1", json.dumps(value)


def dotnet(rows):
    """A blob of schema 3."""
    return struct.pack("<ii", 3, len(rows)) + b"".join(string(key) + string(value) for key, value in rows)


def table():
    """The column `cacheBits` of three users, as SQL Server's tools print it, and in base64 as Redis has it."""
    adele = make.claims("Adele Vance", "adele@contoso.com", make.CONTOSO, WEB)
    alex = make.claims("Alex Wilber", "alex@fabrikam.com", make.FABRIKAM, WEB)
    lynne = make.claims("Lynne Robbins", "lynne@fabrikam.com", make.CONTOSO, WEB,
                        email="lynne@fabrikam.com", idp=f"https://sts.windows.net/{make.FABRIKAM}/")
    del lynne["upn"]
    home = {"uid": make.guid(f"lynne in {make.FABRIKAM}"), "utid": make.FABRIKAM}
    first = dotnet([
        dotnet_row("adele@contoso.com", adele, make.GRAPH, "synthetic-rt-web-adele"),
        dotnet_row("adele@contoso.com", adele, make.SHAREPOINT, "synthetic-rt-web-adele"),
        app_only_row(make.GRAPH)])
    second = dotnet([dotnet_row("alex@fabrikam.com", alex, make.GRAPH, "synthetic-rt-web-alex")])
    third = dotnet([dotnet_row("lynne@fabrikam.com", lynne, make.GRAPH, "synthetic-rt-web-lynne", home)])
    return {"1.txt": f"0x{first.hex().upper()}\n", "2.txt": f"0x{second.hex().upper()}\n",
            "3.txt": base64.b64encode(third).decode() + "\n"}


def listed(user, name, tenant, resource, refresh, **other):
    """A row of ADAL for Python, whose clock is in UTC."""
    given, family = name.split(" ")
    return {
        "tokenType": "Bearer", "expiresIn": 3600, "expiresOn": "2023-11-14 23:13:20",
        "resource": resource, "accessToken": refresh.replace("-rt-", "-at-"), "refreshToken": refresh,
        "familyName": family, "givenName": given, "oid": make.guid(f"{user} in {tenant}"),
        "tenantId": tenant, "isUserIdDisplayable": True, "userId": user, "_clientId": SERVICE,
        "_authority": f"https://login.microsoftonline.com/{tenant}", "isMRRT": True, **other}


def service():
    """The list of a service that works for two users, and for itself."""
    rows = [
        listed("megan@contoso.com", "Megan Bowen", make.CONTOSO, make.GRAPH, "synthetic-rt-service-megan"),
        listed("alex@fabrikam.com", "Alex Wilber", make.FABRIKAM, make.OUTLOOK, "synthetic-rt-service-alex"),
        {"tokenType": "Bearer", "expiresIn": 3600, "expiresOn": "2023-11-14 23:13:20",
         "resource": make.GRAPH, "accessToken": "synthetic-at-service", "isMRRT": True, "_clientId": SERVICE,
         "_authority": f"https://login.microsoftonline.com/{make.CONTOSO}"}]
    return {"tokens.json": json.dumps(rows, indent=1) + "\n"}


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLES
    for place, files in {"WebAppTable/rows": table(), "PythonService": service()}.items():
        (folder / place).mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / place / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
