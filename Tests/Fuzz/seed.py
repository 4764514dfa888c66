#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what fuzzing starts from: seed.py VECTORS CORPUS makes CORPUS/TARGET/* of the project's vectors,
and CORPUS/TARGET.dict, the words that such inputs are made of."""

import base64
import hashlib
import json
import pathlib
import plistlib
import re
import sqlite3
import sys
import tempfile

LARGEST = {"blob": 1 << 16, "dotnet": 1 << 16, "list": 1 << 16, "wrapped": 1 << 16, "document": 1 << 16, "items": 1 << 16, "snapshot": 1 << 17,
           "schema": 6000, "project": 1 << 16, "json": 1 << 12, "report": 1 << 12}
# What a report is made of, and what is JSON.
ALSO = {"items": ("report", "json"), "document": ("report", "json", "scrub"), "list": ("report", "json", "scrub"),
        "item": ("report",), "unified": ("report",), "blob": ("report",), "dotnet": ("report", "scrub"),
        "archive": ("scrub",), "wrapped": ("scrub",)}
# What stands for a token where the result is searched for it (ScrubInput.swift).
PLANTED = b"7e3w1q5t9g2x8r4v"
COLUMNS = ["agrp", "acct", "svce", "gena", "type", "pdmn", "labl", "desc", "icmt", "invi", "cdat",
           "mdat", "data"]
TABLE = """CREATE TABLE items ("agrp" TEXT NOT NULL, "acct" TEXT NOT NULL, "svce" TEXT NOT NULL,
 "gena" BLOB, "type" INTEGER, "pdmn" TEXT, "labl" TEXT, "desc" TEXT, "icmt" TEXT, "invi" INTEGER,
 "cdat" REAL, "mdat" REAL, "data" BLOB, UNIQUE (agrp, acct, svce))"""
# Beside the table, or in it, what a schema can have SQLite evaluate.
STATEMENTS = [
    "CREATE TABLE o (a, b INT AS (length(hex(zeroblob(9999999+length(a))))) NOT NULL)",
    "CREATE TABLE o (a, b CHECK (length(hex(zeroblob(9999999+length(a))))))", "CREATE TABLE o (a, b DEFAULT (1+1))",
    "CREATE INDEX o ON items (acct || 'x')", "CREATE INDEX o ON items (acct) WHERE acct LIKE '%a%a%a%'",
    "CREATE TABLE sqlite_stat1(tbl, idx, stat AS (replace(tbl, 'a', 'b')))", "CREATE TABLE sqlite_sequence(name, seq)",
    "CREATE VIEW o AS SELECT hex(acct) FROM items", "CREATE TRIGGER o AFTER INSERT ON items BEGIN SELECT 1; END",
    "CREATE VIRTUAL TABLE o USING fts5(a)", "CREATE TABLE o (a PRIMARY KEY, b REFERENCES items (acct)) WITHOUT ROWID",
    "CREATE TABLE o (a UNIQUE ON CONFLICT REPLACE, b TEXT COLLATE NOCASE) STRICT", "CREATE INDEX o ON items (svce DESC)",
]
SECTIONS = {"AccessToken": "AccessToken", "RefreshToken": "RefreshToken", "IdToken": "IdToken"}


class Corpus:
    def __init__(self, folder):
        self.folder = folder
        self.words = {}

    def add(self, target, data):
        for other in ALSO.get(target, ()):
            self.add(other, data)
        if len(data) > LARGEST.get(target, 1 << 14):
            return
        if target == "scrub":
            data = re.sub(rb"synthetic-[\w-]+", lambda m: (PLANTED * 64)[:len(m[0])], data)
        folder = self.folder / target
        folder.mkdir(parents=True, exist_ok=True)
        (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)

    def learn(self, targets, words):
        for target in targets:
            self.words.setdefault(target, set()).update(w for w in words if 2 < len(w) < 60)

    def write_words(self):
        for target, words in self.words.items():
            lines = ['"' + "".join(f"\\x{byte:02x}" for byte in word.encode()) + '"'
                     for word in sorted(words)]
            (self.folder / f"{target}.dict").write_text("\n".join(lines) + "\n")


def raw(item, name):
    return base64.b64decode(item[name]) if item.get(name) is not None else None


def flat(item):
    """The bytes of ItemBytes.swift."""
    text = [str(item.get(name) or "").encode() for name in ("acct", "svce", "type", "mdat")]
    data = raw(item, "data")
    head = [*text[:2], raw(item, "gena") or b"", *text[2:]]
    return b"\0".join(head + ([data] if data is not None else []))


def entry(text):
    """A payload as a portable document's section and entry, or None."""
    try:
        entry = json.loads(text)
    except (ValueError, TypeError):
        return None
    if not isinstance(entry, dict):
        return None
    if "authority_type" in entry:
        return "Account", entry
    if "credential_type" in entry:
        section = SECTIONS.get(entry["credential_type"])
        return (section, entry) if section else None
    return ("AppMetadata", entry) if "family_id" in entry else None


def document(items):
    sections = {}
    for number, item in enumerate(items):
        found = entry(raw(item, "data") or b"")
        if found:
            sections.setdefault(found[0], {})[f"key-{number}"] = found[1]
    return json.dumps(sections).encode()


def snapshot(items, page_size):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "snapshot")
        connection = sqlite3.connect(path)
        fill(connection, items, page_size)
        connection.close()
        return path.read_bytes()


def fill(connection, items, page_size):
    connection.execute(f"PRAGMA page_size = {page_size}")
    connection.execute("PRAGMA application_id = 0x41324D53")
    connection.execute("PRAGMA user_version = 1")
    connection.execute(TABLE)
    for item in items:
        row = [raw(item, c) if c in ("gena", "data") else item.get(c) for c in COLUMNS]
        row[:3] = [value or "" for value in row[:3]]
        places = ", ".join("?" * len(COLUMNS))
        connection.execute(f"INSERT OR IGNORE INTO items VALUES ({places})", row)
    connection.commit()


def is_archive(data):
    return data is not None and data.startswith(b"bplist00")


def add_items(corpus, items):
    items = [item for item in items if item.get("class", "genp") == "genp"]
    corpus.add("items", json.dumps({"format": "keychain-items", "version": 1, "items": items}).encode())
    corpus.add("items", json.dumps(items[:1]).encode())
    for page_size, count in ((512, 3), (4096, 6)):
        corpus.add("snapshot", snapshot(items[:count], page_size))
    corpus.add("document", document(items))
    for item in items[:40]:
        data = raw(item, "data")
        if is_archive(data):
            corpus.add("archive", data)
            corpus.add("blob", data)
            corpus.add("item", flat(item))
        elif "type" in item:
            corpus.add("unified", flat(item))
            found = entry(data or b"")
            if found and found[0] == "IdToken":
                parts = str(found[1].get("secret")).split(".")
                if len(parts) == 3:
                    claims = base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4))
                    corpus.add("unified", b"\0" * 5 + claims)
        else:
            corpus.add("item", flat(item))


def add_dumps(corpus):
    """What other tools write down, cut to a few items."""
    samples = pathlib.Path(__file__).resolve().parents[2] / "Samples" / "Caches"
    corpus.add("items", json.dumps(json.loads(
        (samples / "contoso.objection.json").read_text())[-3:]).encode())
    text = (samples / "contoso.keychain.txt").read_text()
    for item in text.split("keychain: ")[1:]:
        corpus.add("items", ("keychain: " + item).encode())


def add_blob(corpus, data):
    corpus.add("archive", data)
    corpus.add("blob", data)


def add_others(corpus, folder):
    """Caches of ADAL for .NET, Python and Node, and what they are wrapped in."""
    for path in sorted(folder.glob("*/*/cache.*")):
        data = path.read_bytes()
        if path.suffix == ".dat":
            corpus.add("dotnet", data)
        elif path.suffix in (".txt", ".xml") or b'"Contexts"' in data:
            corpus.add("wrapped", data)
            corpus.add("wrapped", data[:200])
        elif data.startswith(b"["):
            corpus.add("list", data)
    empty = bytes([3] + [0] * 7)
    text = base64.b64encode(empty).decode()
    for wrapped in (text, "0x" + empty.hex(), f'<map><string name="cache">{text}</string></map>',
                    f'{{"Contexts":{{"a":{{"TokenCache":{{"CacheData":"{text}"}}}}}}}}'):
        corpus.add("wrapped", wrapped.encode())
    corpus.add("list", b'[{"servicePrincipalId": "a", "accessToken": "b"}]')


def add_projects(corpus):
    """The sample of an app with ADAL: whole, each file alone, and what the tests of the rules hold."""
    root = pathlib.Path(__file__).resolve().parents[2]
    sample = root / "Samples" / "LegacyApp"
    files = [(path.relative_to(sample).as_posix(), path.read_bytes())
             for path in sorted(sample.rglob("*")) if path.is_file() and path.stat().st_size < 1 << 16]
    pieces = [name.encode() + b"\x1e" + data for name, data in files]
    corpus.add("project", b"\x1e".join(pieces))
    for piece in pieces:
        corpus.add("project", piece)
    words = set()
    for path in sorted((root / "Tests" / "ProjectDoctorTests").glob("*Samples.swift")):
        text = path.read_text()
        words.update(re.findall(r"[A-Za-z_.]{4,50}", text))
        for number, sample in enumerate(re.findall(r'"((?:[^"\\]|\\.){12,})"', text)):
            code = sample.replace('\\"', '"').replace("\\n", "\n").encode()
            for name in (b"a.swift", b"a.m", b"Podfile"):
                if number % 3 == (b"a.swift", b"a.m", b"Podfile").index(name):
                    corpus.add("project", name + b"\x1e#import <ADAL/ADAL.h>\n" + code)
    corpus.learn(["project"], words)
    corpus.learn(["project"], ["Podfile.lock", "PODS:\n  - ADAL (2.6.0)\n", "Info.plist", "a.entitlements",
                               "a.xcodeproj/project.pbxproj", "Package.resolved", "Cartfile", ".gitmodules",
                               "package.json", "config.xml", "plugin.xml", "a.xcconfig", "<dict>", "</dict>",
                               "<key>", "</key>", "<string>", "#if 0\n", "#endif\n", "/*", "*/", "\"\"\"",
                               "\\(", "adal2msal:ignore import.adal x", "isa = ", "\x1e", "\ufeff"])


def main():
    vectors, folder = map(pathlib.Path, sys.argv[1:])
    corpus = Corpus(folder)
    others = vectors / "other-adals"
    add_others(corpus, others)
    for path in sorted(vectors.glob("*/**/*")):
        if others in path.parents:
            continue
        if path.suffix in (".bin", ".bplist"):
            data = path.read_bytes()
            add_blob(corpus, data)
            corpus.add("item", b"user\0MSOpenTech.ADAL.1|YQ|Yg|Yw\0MSOpenTech.ADAL.1\0\0" + b"1\0" + data)
        elif path.suffix == ".json" and "answers" not in path.name:
            content = json.loads(path.read_text())
            if isinstance(content, dict):
                if isinstance(content.get("blob"), str):
                    add_blob(corpus, base64.b64decode(content["blob"]))
                content = content.get("items")
            if isinstance(content, list) and content and isinstance(content[0], dict):
                add_items(corpus, content)
    add_dumps(corpus)
    add_projects(corpus)
    add_schemas(corpus)
    add_hidden(corpus)
    add_words(corpus)
    corpus.write_words()


def add_schemas(corpus):
    for statement in STATEMENTS:
        corpus.add("schema", f"{TABLE}\0{statement}".encode())
        # The same in the table of items itself.
        if found := re.match(r"CREATE TABLE \w+ ?\(\w+, (b.*)\)( \w+)?$", statement):
            corpus.add("schema", TABLE.replace("UNIQUE (", f"{found[1]}, UNIQUE (").encode())
    corpus.add("schema", "\0".join([TABLE] + [f"CREATE TABLE o{number} (a, b)" for number in range(8)]).encode())
    corpus.add("schema", TABLE.replace("UNIQUE", "PRIMARY KEY").encode())


def spellings(text):
    """A text in every spelling that caches have, alone and in a second one."""
    def spell(data):
        return [base64.b64encode(data), base64.urlsafe_b64encode(data).rstrip(b"="), data.hex().encode(),
                b"0x" + data.hex().upper().encode(), b"".join(b"%%%02x" % byte for byte in data),
                b"".join(b"\\u%04x" % byte for byte in data), b"".join(b"\\%03o" % byte for byte in data),
                b"".join(b"&#%d;" % byte for byte in data), b"".join(b"&#x%x;" % byte for byte in data),
                json.dumps({"exp": data.decode()}).encode(),
                base64.b64encode(data.decode().encode("utf-16-le")), b"\0".join(bytes([byte]) for byte in data)]
    once = spell(text)
    return [text] + once + [twice for one in once[:10] for twice in spell(one)]


def add_hidden(corpus):
    """The token where a reader looks for something else: in names of fields and keys, kinds and dates."""
    for number, text in enumerate(spellings(PLANTED)):
        words = text.decode("latin-1")
        field = ("exp", "ver", "pdmn", "token_type", "class", "secret", "note")[number % 7]
        corpus.add("scrub", json.dumps({field: words}).encode())
        corpus.add("scrub", json.dumps({words: [[words], {field: words}]}).encode())
        corpus.add("scrub", json.dumps({"format": "keychain-items", "version": 1, "items": [
            {"class": "genp", "acct": words, "svce": words, "pdmn": words, "icmt": f"https://a/?b={words}&c=d",
             "data": base64.b64encode(text).decode()}]}).encode())
        corpus.add("scrub", b'keychain: "/Users/' + text + b'/a"\nversion: 512\nclass: "genp"\nattributes:\n    "acct"<blob>="'
                   + text + b'"\n    "' + text + b'"<blob>=<NULL>\n    "mdat"<timedate>="' + text + b'"\ndata:\n"' + text + b'"\n')
        escaped = text.replace(b"&", b"&amp;").replace(b"<", b"&lt;").replace(b'"', b"&quot;")
        corpus.add("scrub", b"<?xml version='1.0' " + escaped + b' ?><map><string name="' + escaped
                   + b'">a</string><string name="cache">AwAAAAAAAAA=</string><int name="a" value="' + escaped + b'" /></map>')
        archive = {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": plistlib.UID(1)}, "$objects": [
            "$null", {"accessToken": plistlib.UID(2), words: plistlib.UID(3), "$class": plistlib.UID(4)}, words, text,
            {"$classname": "ADTokenCacheStoreItem", "$classes": [words, "NSObject"]}]}
        corpus.add("scrub", plistlib.dumps(archive, fmt=plistlib.FMT_BINARY))
        corpus.add("scrub", plistlib.dumps({words: words, "tokenCache": {words: text}}, fmt=plistlib.FMT_BINARY))


def add_words(corpus):
    for target in ("archive", "item", "blob", "scrub"):
        for path in (corpus.folder / target).iterdir():
            corpus.learn([target], (w.decode() for w in re.findall(rb"[$A-Za-z.]{4,40}", path.read_bytes())
                                    if w[:1] in b"$NAaceiuorf" and not w[1:3].isupper()))
    keys = set()
    for path in (corpus.folder / "document").iterdir():
        for name, section in json.loads(path.read_bytes()).items():
            keys.add(name)
            keys.update(key for value in section.values() for key in value)
    corpus.learn(["document", "unified"], keys)
    corpus.learn(["document", "unified"], ["AccessToken", "RefreshToken", "IdToken", "MSSTS", "1e400",
                                           "\\ud800\\udc00", "false", "null", "account_metadata_map"])
    corpus.learn(["items"], ["item_class", "entitlement_group", "dataHex", "kSecClassGenericPassword",
                             "accessible_attribute", "account", "service", "generic", "create_date",
                             "keychain: ", "class: ", "data:", "<blob>=", "<timedate>=", "<uint32>=",
                             "<NULL>", "0x00000007 "])
    corpus.learn(["items"], COLUMNS + ["genp", "class", "keychain-items", "format", "version", "items",
                                       "1e400", "\\ud800\\udc00", "false", "null"])
    for text in ("0", "-0.0", "1e400", "1E-400", "123456789012345678901", "9223372036854775808", "0.1", "1.0e+2",
                 '"\\ud83d\\ude00\\u0000\\/"', '{"a":{"a":[[],{},null,true,false]},"b":"\u00e9"}'):
        corpus.add("json", text.encode())
    corpus.learn(["json"], ["null", "true", "false", "\\ud83d\\ude00", "\\u0000", "1e400", "-0.0", "\ufeff"])
    corpus.learn(["report"], keys)
    corpus.learn(["report"], COLUMNS + ["genp", "class", "keychain-items", "format", "version", "items", "::error::",
                                        "##vso[", "\u202e", "]]>", "</script>", "\x1b[2J", "AccessToken"])
    corpus.learn(["dotnet"], ["AccessToken", "DateTime", "/Date(1700002999000)/", "DisplayableId", ":::",
                              "ExpiresOn", "IsMultipleResourceRefreshToken", "RawClientInfo", "RefreshToken",
                              "Result", "ResourceInResponse", "UniqueId", "UserAssertionHash", "UserInfo"])
    corpus.learn(["list"], ["_authority", "_clientId", "accessToken", "createdOn", "expiresIn", "expiresOn",
                            "isMRRT", "oid", "servicePrincipalId", "userId", "2023-11-14 23:03:19.5",
                            "2023-11-14T23:03:19.191Z", "\\ud800\\udc00", "1e400", "null"])
    corpus.learn(["wrapped"], ["<map>", "<?xml", "<string name=\"cache\">", "</string>", "cE1QTAwM", "0x03000000",
                               "AwAAAA", "CfDJ8", "Contexts", "TokenCache", "CacheData", "&#10;"])
    corpus.learn(["schema"], [
        "CREATE INDEX", "CREATE VIEW", "CREATE VIRTUAL TABLE", "GENERATED ALWAYS AS (", "CHECK (", "DEFAULT (", "COLLATE",
        "ON CONFLICT REPLACE", " WHERE ", "hex(", "zeroblob(9999999)", "replace(acct,'a','b')", "printf('%99999999d',1)",
        "randomblob(", "group_concat(", " LIKE '%a%a%a'", " || ", "/*", "*/", "--", "CAST(", "NOT NULL", "sqlite_stat1",
        "STRICT", "AUTOINCREMENT", "REFERENCES items", *COLUMNS])
    corpus.learn(["snapshot"], ["CREATE TRIGGER", "CREATE VIEW items", "CREATE TABLE items", "NOT NULL",
                                "WITHOUT ROWID", "UNIQUE", "COLLATE", "GENERATED ALWAYS AS", *COLUMNS])


main()
