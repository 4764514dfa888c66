# SPDX-License-Identifier: MIT
"""Caches of n rows in every shape that could cost more than its rows: what `scripts/benchmark` measures.

Each shape is a function of n that gives keychain items. All tokens are made up.
"""
import base64
import json
import os
import pathlib
import sys
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Samples" / "Caches"))
from archive import base64url, blob, keychain_item  # noqa: E402
from make import (  # noqa: E402
    COMMON, GROUP, HOUR, NOW, access, claims, refresh, write_snapshot)

# As long as the service's own.
PADDING = "x" * 900


def guid(name):
    return str(uuid.uuid5(uuid.NAMESPACE_DNS, f"{name}.benchmark.adal2msal"))


TENANT, CLIENT = guid("tenant"), guid("client")


def sign_in(name, *, person=0, client=CLIENT, tenant=TENANT, user=None, authority=COMMON, **other):
    """The refresh token of somebody, with a secret of its own for each name."""
    user = user or f"user{person}@contoso.com"
    told = claims("Ann Example", user, tenant, client, oid=guid(f"object {person}"))
    return refresh(user, client, authority, told, f"{name}{PADDING}", **other)


def of_tenant(tenant):
    return f"https://login.windows.net/{tenant}"


def users(n, first=0):
    """Ten rows each: a refresh token and nine live access tokens."""
    rows = []
    for person in range(first, first + max(n // 10, 1)):
        token = sign_in(f"person-{person}", person=person)
        rows.append(token)
        rows += [access(token, f"https://r{k}.contoso.com", NOW + HOUR) for k in range(9)]
    return rows


def resources(n):
    token = sign_in("one")
    return [token] + [access(token, f"https://r{k}.contoso.com", NOW + HOUR) for k in range(n - 1)]


def one_name(n):
    return [
        sign_in(f"t{k}", person=k, tenant=guid(f"tenant {k}"), user="same@contoso.com",
                authority=of_tenant(guid(f"tenant {k}")))
        for k in range(n)
    ]


def clients(n):
    return [sign_in(f"c{k}", client=guid(f"client {k}")) for k in range(n)]


def tenants(n):
    """One person, whose home account id the service has told, in n tenants."""
    home = base64url(json.dumps({"uid": guid("object 0"), "utid": TENANT}))
    return [
        sign_in(f"t{k}", tenant=guid(f"tenant {k}"), authority=of_tenant(guid(f"tenant {k}")),
                server={"client_info": home})
        for k in range(n)
    ]


def families(n):
    rows = []
    for k in range(max(n // 2, 1)):
        token = sign_in(f"f{k}", client=guid(f"client {k}"), family=str(k + 1))
        rows += [token, {**token, "client": f"foci-{k + 1}"}]
    return rows


def groups(n):
    token = sign_in("one")
    return [(token, f"ABCDE12345.com.contoso.app{k}") for k in range(n)]


def duplicates(n):
    """One refresh token under n names of one tenant."""
    token = sign_in("one")
    return [{**token, "authority": f"https://login.windows.net/contoso{k}.com"} for k in range(n)]


def contradictions(n):
    """One object of which every row tells another home account id."""
    def home(k):
        return base64url(json.dumps({"uid": guid(f"uid {k}"), "utid": TENANT}))

    return [sign_in(f"c{k}", client=guid(f"client {k}"), server={"client_info": home(k)})
            for k in range(n)]


def names(n):
    """One object under n / 2 user names, each with tokens that nothing but their secrets tells apart."""
    rows = []
    for k in range(max(n // 2, 1)):
        token = sign_in(f"n{k}", user=f"name{k}@contoso.com")
        rows += [token, access(token, "https://r.contoso.com", NOW + HOUR)]
    return rows


def matrix(n):
    """One person with half of the rows as tenants and half as clients."""
    return tenants(n // 2) + clients(n - n // 2)


def matrix_of_names(n):
    """The same with another user name in each tenant."""
    def named(k, row):
        user = f"name{k}@contoso.com"
        return {**row, "user": user, "claims": claims("Ann Example", user, guid(f"tenant {k}"), CLIENT, oid=guid("object 0"))}

    return [named(k, row) for k, row in enumerate(tenants(n // 2))] + clients(n - n // 2)


def clients_of_one_name(n):
    """Many people of one name, each with a client of their own."""
    return [{**row, "client": guid(f"client {k}")} for k, row in enumerate(one_name(n))]


def family_of_one_name(n):
    """Half of the rows are a family's tokens of people with one name, and half are clients of the family."""
    people = [{**row, "family": "1"} for row in one_name(max(n // 4, 1))]
    return people + [{**row, "client": "foci-1"} for row in people] + [
        {**people[0], "client": guid(f"client {k}"), "refresh": f"synthetic-rt-c{k}{PADDING}"} for k in range(n - n // 2)]


def families_of_one_token(n):
    """Half of the rows are families, and half are clients, all with the same refresh token."""
    token = sign_in("one", family="1")
    return [{**token, "client": f"foci-{k + 1}"} for k in range(n - n // 2)] + [
        {**token, "client": guid(f"client {k}")} for k in range(n // 2)]


def tenants_without_id_tokens(n):
    """One person with half of the rows in a tenant each, and half in none."""
    rows = tenants(n - n // 2)
    return rows + [{**rows[0], "claims": None, "authority": COMMON, "client": guid(f"client {k}"),
                    "refresh": f"synthetic-rt-c{k}{PADDING}"} for k in range(n // 2)]


ROWS = {
    "users": users, "resources": resources, "one name": one_name, "clients": clients,
    "tenants": tenants, "families": families, "duplicates": duplicates, "groups": groups,
    "contradictions": contradictions, "names": names, "tenants and clients": matrix,
    "tenants and clients of many names": matrix_of_names, "clients of one name": clients_of_one_name,
    "family of one name": family_of_one_name, "families of one token": families_of_one_token,
    "tenants without ID tokens": tenants_without_id_tokens,
}


def items(shape, n):
    """The keychain items of a cache of this shape."""
    if shape.startswith("broken"):
        whole = one_name(n // 2) if shape == BROKEN_NAMES else []
        rows = clients_of_one_name(n)[len(whole):] if whole else clients(n)
        made = [keychain_item(row, GROUP, NOW - 300) for row in rows]
        return [keychain_item(row, GROUP, NOW - 300) for row in whole] + [
            {**item, "data": item["data"][:100 + k % 900]} for k, item in enumerate(made)]
    rows = ROWS[shape](n)
    return [keychain_item(row[0], row[1], NOW - 300) if isinstance(row, tuple)
            else keychain_item(row, GROUP, NOW - 300) for row in rows]


# Half of the people of one name have a row that cannot be read, of a client of its own.
BROKEN_NAMES = "broken of one name"
SHAPES = [*ROWS, "broken", BROKEN_NAMES, "caches"]


def cache(folder, shape, n):
    """The path of a cache of this shape: an items file, or a folder of them with ten clients each."""
    path = folder / f"{shape}-{n}.items.json"
    if shape == "caches":
        path.mkdir()
        made = items("clients", n)
        for first in range(0, n, 10):
            write(path / f"{first}.items.json", made[first:first + 10])
    else:
        write(path, items(shape, n))
    return path


def write(path, made):
    """An items file, written row by row."""
    def text(value):
        return base64.b64encode(value).decode() if isinstance(value, bytes) else value

    with open(path, "w", encoding="utf-8") as file:
        os.chmod(path, 0o600)
        file.write('{"format": "keychain-items", "version": 1, "items": [')
        for number, item in enumerate(made):
            file.write("," if number else "")
            file.write("\n  " + json.dumps({key: text(value) for key, value in item.items()}))
        file.write("\n]}\n")


def many_users(n):
    """The items of `users`, a few thousand at a time."""
    at_once = 5_000
    for start in range(0, n, at_once):
        count = min(at_once, n - start)
        for row in users(count, first=start // 10):
            yield keychain_item(row, GROUP, NOW - 300)


def main():
    """shapes.py ROWS FILE…: users in an items file, a snapshot or a blob, by the file's extension."""
    n = int(sys.argv[1])
    for name in sys.argv[2:]:
        path = pathlib.Path(name)
        if path.suffix == ".sqlite":
            write_snapshot(path, many_users(n))
        elif path.suffix == ".adalcache":
            path.write_bytes(blob(users(n)))
        else:
            write(path, many_users(n))
        path.chmod(0o600)


if __name__ == "__main__":
    main()
