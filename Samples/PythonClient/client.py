#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Migrates a sample keychain of ADAL's and lets the released MSAL for Python work with it.

Usage: client.py [DOCUMENT]   (default: a temporary file)
"""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import msal
from clock import Clock
from token_service import Issued, TokenService, User

SAMPLES = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(SAMPLES / "Caches"))
import make  # noqa: E402  What the sample caches are made of.

CLOUD = "login.microsoftonline.com"
CLIENTS = {"Mail": make.MAIL, "Files": make.FILES}
HOUR = 3600


def command():
    """The command: named by ADAL2MSAL, on the path, or as the scripts build it."""
    built = SAMPLES.parent / ".build" / "shipped" / "release" / "adal2msal"
    found = os.environ.get("ADAL2MSAL") or shutil.which("adal2msal") or str(built)
    if not pathlib.Path(found).exists():
        sys.exit("adal2msal is not built yet: Samples/PythonClient/run builds it")
    return found


def home_account_id(row):
    """Whose a row is, as the service knows it: a guest's home is in the answer that ADAL kept."""
    home = {"uid": row["claims"]["oid"], "utid": row["claims"]["tid"]}
    if "server" in row:
        home = json.loads(base64.urlsafe_b64decode(row["server"]["client_info"] + "==="))
    return "{uid}.{utid}".format(**home)


def issued():
    """What the token service gave the users of the sample when they signed in with ADAL."""
    issued = Issued()
    for row in make.contoso():
        user = User(home_account_id(row), row["user"], CLOUD)
        if "refresh" in row and not row["client"].startswith("foci"):
            issued.refresh[row["refresh"]] = user, row["client"]
        if "access" in row:
            issued.access[row["access"]] = user, row["client"], row["resource"], row["expires"]
        if "family" in row:
            issued.family.add(row["client"])
    return issued


def show(service, document, resource):
    """Each app lists its users, and gets and uses an access token for each of them."""
    cache = msal.SerializableTokenCache()
    cache.deserialize(document.read_text("utf-8"))

    def app(client_id, tenant):
        return msal.PublicClientApplication(
            client_id, authority=f"https://{CLOUD}/{tenant}", token_cache=cache, http_client=service.session)

    for name, client_id in CLIENTS.items():
        accounts = app(client_id, "organizations").get_accounts()
        for account in sorted(accounts, key=lambda account: account["username"]):
            answer = app(client_id, account["realm"]).acquire_token_silent([f"{resource}/.default"], account)
            if not answer:
                print(f"  {name:6} {account['username']:20} never signed in to this app")
                continue
            status, said = service.call(resource, answer["access_token"])
            print(f"  {name:6} {account['username']:20} access token from: {answer['token_source']:18}"
                  f"the API says: {status}, {said.get('upn', said)}")
            if said.get("upn") != account["username"]:
                sys.exit("The token belongs to another user.")
    document.write_text(cache.serialize(), "utf-8")


def main():
    folder = tempfile.TemporaryDirectory()
    document = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else f"{folder.name}/cache.json")
    keychain = SAMPLES / "Caches" / "contoso.sqlite"

    print(f"$ adal2msal migrate {keychain.name} --into {document.name} --now {make.NOW}", flush=True)
    subprocess.run([command(), "migrate", keychain, "--into", document, "--now", str(make.NOW)], check=True)

    with Clock(make.NOW) as clock:
        service = TokenService(folder.name, clock)
        service.start_over(issued())
        print("\nMSAL, right after the migration:")
        show(service, document, make.GRAPH)
        print(f"  The token service was asked for {len(service.redeemed)} tokens.")
        clock.now += 24 * HOUR
        print("\nMSAL, a day later:")
        show(service, document, make.GRAPH)
        print(f"  The token service was asked for {len(service.redeemed)} tokens.")


if __name__ == "__main__":
    main()
