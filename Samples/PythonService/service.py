#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Migrates a list of ADAL for Python and lets the released MSAL for Python work with it.

Usage: service.py [DOCUMENT]   (default: a temporary file)
"""

import pathlib
import subprocess
import sys
import tempfile

import msal

SAMPLES = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(SAMPLES / "Caches"), str(SAMPLES / "PythonClient")]

import make  # noqa: E402  The users and the clock of the samples.
import others  # noqa: E402  What the list is made of.
from client import CLOUD, command  # noqa: E402
from clock import Clock  # noqa: E402
from token_service import Issued, TokenService, User  # noqa: E402

# The users of the service, each with the home tenant, the resource that the service calls there, and the refresh token.
USERS = {
    "alex@fabrikam.com": (make.FABRIKAM, make.OUTLOOK, "synthetic-rt-service-alex"),
    "megan@contoso.com": (make.CONTOSO, make.GRAPH, "synthetic-rt-service-megan"),
}


def issued():
    """What the token service gave the users when they signed in with ADAL."""
    issued = Issued()
    for user, (tenant, _, refresh) in USERS.items():
        home = f"{make.guid(f'{user} in {tenant}')}.{tenant}"
        issued.refresh[refresh] = User(home, user, CLOUD), others.SERVICE
    return issued


def main():
    folder = tempfile.TemporaryDirectory()
    document = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else f"{folder.name}/cache.json")
    tokens = SAMPLES / "PythonService" / "tokens.json"
    print(f"$ adal2msal migrate {tokens.name} --into {document.name} --time-zone UTC --now {make.NOW}", flush=True)
    subprocess.run(
        [command(), "migrate", tokens, "--into", document, "--time-zone", "UTC", "--now", str(make.NOW)], check=True)

    cache = msal.SerializableTokenCache()
    cache.deserialize(document.read_text("utf-8"))
    with Clock(make.NOW) as clock:
        service = TokenService(folder.name, clock)
        service.start_over(issued())
        print("\nMSAL:")
        for user, (tenant, resource, _) in USERS.items():
            app = msal.PublicClientApplication(
                others.SERVICE, authority=f"https://{CLOUD}/{tenant}", token_cache=cache,
                http_client=service.session)
            [account] = app.get_accounts(user)
            answer = app.acquire_token_silent([f"{resource}/.default"], account)
            status, said = service.call(resource, answer["access_token"])
            print(f"  {user:20} access token from: {answer['token_source']:18}"
                  f"the API says: {status}, {said.get('upn', said)}")
            if said.get("upn") != user:
                sys.exit("The token belongs to another user.")
        print(f"  The token service was asked for {len(service.redeemed)} tokens.")
    document.write_text(cache.serialize(), "utf-8")


if __name__ == "__main__":
    main()
