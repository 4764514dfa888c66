# SPDX-License-Identifier: MIT
"""Writes keychain items as other tools write them down; used by make.py."""
import json
import time

ACCESSIBILITY = {
    "ak": "kSecAttrAccessibleWhenUnlocked", "ck": "kSecAttrAccessibleAfterFirstUnlock",
    "dk": "kSecAttrAccessibleAlways", "aku": "kSecAttrAccessibleWhenUnlockedThisDeviceOnly",
    "cku": "kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly",
    "dku": "kSecAttrAccessibleAlwaysThisDeviceOnly",
}
CLASSES = {"genp": "kSecClassGenericPassword", "inet": "kSecClassInternetPassword",
           "cert": "kSecClassCertificate"}


def text(value):
    """What objection makes of a value: only UTF-8 survives."""
    if value is None:
        return ""
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return ""
    return str(value)


def date(seconds):
    return time.strftime("%Y-%m-%d %H:%M:%S +0000", time.gmtime(seconds)) if seconds else ""


def objection(items):
    """`ios keychain dump --json` of objection."""
    return json.dumps([{
        "access_control": "", "accessible_attribute": ACCESSIBILITY.get(item.get("pdmn"), ""),
        "account": text(item.get("acct")), "alias": "", "comment": text(item.get("icmt")),
        "create_date": date(item.get("cdat")), "creator": "", "custom_icon": "",
        "data": text(item.get("data")), "dataHex": (item.get("data") or b"").hex(),
        "description": text(item.get("desc")), "entitlement_group": item["agrp"],
        "generic": text(item.get("gena")), "invisible": text(item.get("invi")),
        "item_class": CLASSES[item["class"]], "label": text(item.get("labl")),
        "modification_date": date(item.get("mdat")), "negative": "", "protected": "",
        "script_code": "", "service": text(item.get("svce")), "type": text(item.get("type")),
    } for item in items], indent=2)


def printed(value):
    """Bytes as `security` prints them."""
    is_text = [0x20 <= byte <= 0x7E and byte != 0x5C for byte in value]
    line = ""
    if not all(is_text):
        line = "0x" + value.hex().upper() + ("  " if any(is_text) else " ")
    if any(is_text):
        letters = (chr(byte) if good else f"\\{byte:03o}" for byte, good in zip(value, is_text))
        line += '"' + "".join(letters) + '"'
    return line


def security(items):
    """`security dump-keychain -d` of a keychain file."""
    lines = []
    for item in items:
        def attribute(name, kind, value, label=None):
            shown = "<NULL>" if value is None else printed(value)
            lines.append(f"    {label or printed(name.encode())}<{kind}>={shown}")

        def encoded(name):
            value = item.get(name)
            return value.encode() if isinstance(value, str) else value

        def stamp(name):
            return time.strftime("%Y%m%d%H%M%SZ", time.gmtime(item[name])).encode() + b"\0"

        def number(name):
            return item[name].to_bytes(4, "big") if name in item else None

        lines += ['keychain: "/Users/adele/Library/Keychains/login.keychain-db"', "version: 512",
                  f"class: {printed(item['class'].encode())}", "attributes:"]
        attribute("", "blob", encoded("labl"), "0x00000007 ")
        attribute("", "blob", None, "0x00000008 ")
        attribute("acct", "blob", encoded("acct"))
        attribute("cdat", "timedate", stamp("cdat"))
        for name in ("crtr", "cusi"):
            attribute(name, "uint32" if name == "crtr" else "sint32", None)
        for name in ("desc", "gena", "icmt"):
            attribute(name, "blob", encoded(name))
        attribute("invi", "sint32", number("invi"))
        attribute("mdat", "timedate", stamp("mdat"))
        for name, kind in (("nega", "sint32"), ("prot", "blob"), ("scrp", "sint32")):
            attribute(name, kind, None)
        attribute("svce", "blob", encoded("svce"))
        attribute("type", "uint32", number("type"))
        lines += ["data:", printed(item["data"])]
    return "\n".join(lines) + "\n"
