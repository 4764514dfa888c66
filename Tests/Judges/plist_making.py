# SPDX-License-Identifier: MIT
"""Makes binary property lists and archives at random, and says what they are. Used by plist_judge.py."""
import base64
import pathlib
import plistlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Vectors"))
import archiver  # noqa: E402


class Odd(Exception):
    """An archived value that is not what its class asks for."""


def bits(number):
    return format(struct.unpack(">Q", struct.pack(">d", number))[0], "x")


# --- property lists, written by our own hand: everything that the format allows


def make(chance):
    """Bytes, and what plist-dump must say of the property list."""
    if chance.random() < 0.4:
        return archive(chance)
    root = node(chance, 0)
    return Writer(chance).write(root), dump(root)


def node(chance, depth):
    """A node: kind, value, and how many bytes it likes to take."""
    kinds = ["null", "bool", "int", "real", "date", "data", "text", "uid"]
    kind = chance.choice(kinds + (["array", "set", "dict"] * 3 if depth < 5 else []))
    if kind == "int":
        width = chance.choice([1, 2, 4, 8, 16])
        signed = width >= 8
        low, high = (-(1 << 8 * width - 1), (1 << 8 * width - 1) - 1) if signed else (0, (1 << 8 * width) - 1)
        value = chance.choice([low, high, 0, chance.randint(low, high)])
        return kind, value, width
    if kind == "uid":
        width = chance.randint(1, 8)
        return kind, chance.randint(0, (1 << 8 * width) - 1), width
    if kind == "real":
        width = chance.choice([4, 8])
        value = chance.choice([0.0, -0.0, 1.5, chance.uniform(-1e9, 1e9), float("inf"), 5e-324 * (width == 8)])
        return kind, struct.unpack(">f", struct.pack(">f", value))[0] if width == 4 else value, width
    if kind == "date":
        return kind, chance.choice([0.0, -978307200.0, 600000000.25, chance.uniform(-6e10, 2e11)]), 8
    if kind == "data":
        return kind, chance.randbytes(chance.choice([0, 1, 14, 15, 300])), None
    if kind == "text":
        alphabet = chance.choice(["abc", "aé", "日本", "😀a", "\0\x7f"])
        return kind, "".join(chance.choices(alphabet, k=chance.choice([0, 1, 5, 14, 15, 16, 300]))), chance.random() < 0.2
    if kind == "bool":
        return kind, chance.random() < 0.5, None
    if kind == "null":
        return kind, None, None
    children = [node(chance, depth + 1) for _ in range(chance.choice([0, 1, 2, 3, 16] if depth < 2 else [0, 1, 2]))]
    if kind == "dict":
        keys = [("text", f"key {i}", False) for i in range(len(children))]
        return kind, (keys, children), None
    return kind, children, None


def dump(item):
    kind, value, _ = item
    if kind == "null":
        return {"null": True}
    if kind == "bool":
        return {"bool": value}
    if kind in ("int", "uid"):
        return {kind: str(value)}
    if kind in ("real", "date"):
        return {kind: bits(value)}
    if kind == "data":
        return {"data": base64.b64encode(value).decode()}
    if kind == "text":
        return {"text": value}
    if kind == "dict":
        return {"keys": [dump(v) for v in value[0]], "values": [dump(v) for v in value[1]]}
    return {kind: [dump(v) for v in value]}


class Writer:
    """Writes nodes with widths and an order that nobody else would choose."""

    def __init__(self, chance):
        self.chance = chance
        self.nodes, self.known = [], {}

    def flatten(self, item):
        kind, value, _ = item
        if kind not in ("array", "set", "dict"):
            # Equal scalars are often stored once.
            key = (kind, bits(value) if isinstance(value, float) else value)
            if key in self.known and self.chance.random() < 0.8:
                return self.known[key]
            self.known[key] = len(self.nodes)
        index = len(self.nodes)
        self.nodes.append(None)
        children = value[0] + value[1] if kind == "dict" else value if kind in ("array", "set") else []
        self.nodes[index] = (item, [self.flatten(child) for child in children])
        return index

    def write(self, root):
        self.flatten(root)
        chance = self.chance
        places = list(range(len(self.nodes)))
        if chance.random() < 0.5:
            chance.shuffle(places)
        ordered = sorted(range(len(self.nodes)), key=places.__getitem__)
        width = chance.choice([w for w in range(1, 9) if len(self.nodes) <= 1 << 8 * w][:3])
        data = b"bplist00"
        offsets = []
        for index in ordered:
            offsets.append(len(data))
            item, children = self.nodes[index]
            data += self.encode(item, [places[child] for child in children], width)
        table = list(offsets)
        if chance.random() < 0.3:
            # The table in another order than the objects: numbers are the table's, so renumbering is not needed
            # when the objects are written shuffled and the table by number.
            table, data = self.shuffled(ordered, width)
        size = max((max(table) if table else 0).bit_length() + 7 >> 3, 1)
        size = chance.choice([size, min(size + 1, 8), 8])
        start = len(data)
        for offset in table:
            data += offset.to_bytes(size, "big")
        return data + struct.pack(">6xBBQQQ", size, width, len(table), places[0], start)

    def shuffled(self, ordered, width):
        places = {index: number for number, index in enumerate(ordered)}
        data, table = b"bplist00", [0] * len(ordered)
        for index in self.chance.sample(ordered, len(ordered)):
            table[places[index]] = len(data)
            item, children = self.nodes[index]
            data += self.encode(item, [places[child] for child in children], width)
        return table, data

    def count(self, kind, count):
        if count < 15 and self.chance.random() < 0.9:
            return bytes([kind | count])
        power = self.chance.choice([p for p in range(4) if count < 1 << 8 * (1 << p)])
        return bytes([kind | 15, 0x10 | power]) + count.to_bytes(1 << power, "big")

    def encode(self, item, children, width):
        kind, value, form = item
        if kind in ("null", "bool"):
            return b"\x09" if value else b"\x08" if kind == "bool" else b"\x00"
        if kind == "int":
            return bytes([0x10 | form.bit_length() - 1]) + value.to_bytes(form, "big", signed=form >= 8)
        if kind == "uid":
            return bytes([0x80 | form - 1]) + value.to_bytes(form, "big")
        if kind in ("real", "date"):
            return (b"\x33" if kind == "date" else b"\x22" if form == 4 else b"\x23") + struct.pack(
                ">f" if form == 4 else ">d", value)
        if kind == "data":
            return self.count(0x40, len(value)) + value
        if kind == "text":
            if value.isascii() and not form:
                return self.count(0x50, len(value)) + value.encode()
            wide = value.encode("utf-16be")
            return self.count(0x60, len(wide) // 2) + wide
        marker = {"array": 0xA0, "set": 0xC0, "dict": 0xD0}[kind]
        return self.count(marker, len(children) // (2 if kind == "dict" else 1)) + b"".join(
            child.to_bytes(width, "big") for child in children)


# --- archives, written by Python's plistlib


def archive(chance):
    data = archiver.archive(archived(chance, 0))
    return data, plain(plistlib.loads(data))


def archived(chance, depth):
    """A random object as an archiver would be given it."""
    scalars = [lambda: None, lambda: chance.randint(-5, 300), lambda: chance.random() < 0.5,
               lambda: chance.uniform(-1, 1), lambda: "".join(chance.choices("abü😀", k=chance.randint(0, 20))),
               lambda: chance.randbytes(chance.randint(0, 20)), lambda: archiver.text("text"),
               lambda: archiver.date(chance.uniform(-1e9, 1e9)), lambda: archiver.null(),
               lambda: archiver.url("https://example.com/"), lambda: archiver.url("b", archiver.url("a"))]
    if depth > 4 or depth and chance.random() < 0.4:
        return chance.choice(scalars)()
    children = [archived(chance, depth + 1) for _ in range(chance.randint(0, 6))]
    return chance.choice([
        lambda: archiver.array(children, chance.choice(["NSArray", "NSMutableArray"])),
        lambda: archiver.array(children, chance.choice(["NSSet", "NSMutableSet"])),
        lambda: archiver.dictionary({f"key {i}": v for i, v in enumerate(children)}, chance.random() < 0.5),
        lambda: archiver.Obj("ADTokenCacheStoreItem", {f"field{i}": v for i, v in enumerate(children)},
                             chance.choice([(), None])),
    ])()


def plain(value):
    """What plist-dump must say of a property list that plistlib wrote and reads."""
    if isinstance(value, bool):
        return {"bool": value}
    if isinstance(value, int):
        return {"int": str(value)}
    if isinstance(value, plistlib.UID):
        return {"uid": str(value.data)}
    if isinstance(value, float):
        return {"real": bits(value)}
    if isinstance(value, bytes):
        return {"data": base64.b64encode(value).decode()}
    if isinstance(value, str):
        return {"text": value}
    if isinstance(value, list):
        return {"array": [plain(v) for v in value]}
    return {"keys": [plain(k) for k in value], "values": [plain(v) for v in value.values()]}


# --- a reader of archives over plistlib, by the description of the format


def unarchived(data):
    """What plist-dump must say of an archive; "odd" when it must refuse, None when this is no archive."""
    try:
        top = plistlib.loads(data, fmt=plistlib.FMT_BINARY)
        objects, root = top["$objects"], top["$top"]["root"]
        return Unarchiver(objects).value(root, ())
    except Odd:
        return "odd"
    except Exception:  # whatever plistlib finds: there is nothing to compare with
        return None


class Unarchiver:
    def __init__(self, objects):
        self.objects = objects

    def resolve(self, value):
        if not isinstance(value, plistlib.UID):
            return value
        if value.data >= len(self.objects):
            raise Odd
        target = self.objects[value.data]
        return None if value.data == 0 and target == "$null" else target

    def value(self, value, path):
        value = self.resolve(value)
        if value is None:
            return {"null": True}
        if isinstance(value, plistlib.UID):
            raise Odd
        if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
            raise Odd
        if isinstance(value, (bool, int, float, bytes, str)):
            return plain(value)
        if id(value) in path or len(path) >= 64:
            raise Odd
        path += (id(value),)
        if isinstance(value, list):
            return {"array": [self.value(v, path) for v in value]}
        return self.object(value, path)

    def want(self, fields, names, kinds):
        for name in names:
            if name in fields:
                found = self.resolve(fields[name])
                if isinstance(found, kinds) and (kinds is bool or bool in kinds or not isinstance(found, bool)):
                    return found
                break
        raise Odd

    def name(self, fields):
        record = self.resolve(fields.get("$class"))
        if not isinstance(record, dict):
            raise Odd
        name = record["$classname"] if "$classname" in record else (record.get("$classes") or [None])[0]
        if not isinstance(name, str):
            raise Odd
        return name

    def object(self, fields, path):
        name = self.name(fields)
        if name in ("NSString", "NSMutableString"):
            if "NS.string" in fields:
                return {"text": self.want(fields, ["NS.string"], (str,))}
            try:
                return {"text": self.want(fields, ["NS.bytes"], (bytes,)).decode()}
            except UnicodeDecodeError:
                raise Odd from None
        if name in ("NSData", "NSMutableData"):
            return plain(self.want(fields, ["NS.data", "NS.bytes"], (bytes,)))
        if name == "NSDate":
            return {"date": bits(float(self.want(fields, ["NS.time"], (int, float))))}
        if name in ("NSDictionary", "NSMutableDictionary"):
            keys, values = (self.want(fields, [k], (list,)) for k in ("NS.keys", "NS.objects"))
            if len(keys) != len(values):
                raise Odd
            return {"mutable": name == "NSMutableDictionary",
                    "pairs": [[self.value(k, path), self.value(v, path)] for k, v in zip(keys, values)]}
        if name in ("NSArray", "NSMutableArray", "NSSet", "NSMutableSet"):
            elements = [self.value(v, path) for v in self.want(fields, ["NS.objects"], (list,))]
            return {"set" if name.endswith("Set") else "array": elements}
        if name == "NSURL":
            if "NS.relative" not in fields:
                raise Odd
            return {"url": self.value(fields["NS.relative"], path), "base": self.value(fields.get("NS.base"), path)}
        if name == "NSNull":
            return {"null": True}
        if name == "NSNumber":
            return plain(self.want(fields, ["NS.number", "NS.boolval", "NS.intval", "NS.dblval"], (bool, int, float)))
        return {"class": name, "fields": {k: self.value(v, path) for k, v in fields.items() if k != "$class"}}
