# SPDX-License-Identifier: MIT
"""Writes archives as NSKeyedArchiver does, from plain descriptions. Used by make.py only."""
import plistlib
from plistlib import UID


class Obj:
    """An archived object: class name, keys, and the class record's `$classes` (None: no such key)."""

    def __init__(self, name, fields, classes=()):
        self.name, self.fields = name, fields
        self.classes = [name, "NSObject"] if classes == () else classes


class Inline:
    """A value that stands in the object itself and not in `$objects`."""

    def __init__(self, value):
        self.value = value


def text(string, name="NSMutableString"):
    return Obj(name, {"NS.string": string}, [name, "NSString", "NSObject"])


def date(seconds):
    return Obj("NSDate", {"NS.time": Inline(seconds)})


def null():
    return Obj("NSNull", {})


def url(relative, base=None):
    return Obj("NSURL", {"NS.base": base, "NS.relative": relative})


def array(values, name="NSArray"):
    return Obj(name, {"NS.objects": Inline(list(values))})


def dictionary(pairs, mutable=True):
    """`pairs` is a dict, or a list of pairs where keys are objects."""
    pairs = list(pairs.items()) if isinstance(pairs, dict) else list(pairs)
    name = "NSMutableDictionary" if mutable else "NSDictionary"
    classes = [name, "NSDictionary", "NSObject"] if mutable else [name, "NSObject"]
    return Obj(name, {"NS.keys": Inline([k for k, _ in pairs]),
                      "NS.objects": Inline([v for _, v in pairs])}, classes)


class Archive:
    def __init__(self, root):
        self.objects = ["$null"]
        self.scalars, self.seen, self.keep, self.records = {}, {}, [], {}
        self.top = {"root": self.add(root)}

    def add(self, value):
        if value is None:
            return UID(0)
        if isinstance(value, UID):
            return value
        if not isinstance(value, Obj):
            key = (type(value).__name__, value)
            if key not in self.scalars:
                self.scalars[key] = len(self.objects)
                self.objects.append(value)
            return UID(self.scalars[key])
        if id(value) not in self.seen:
            self.keep.append(value)
            self.seen[id(value)] = len(self.objects)
            record = {}
            self.objects.append(record)
            for key, field in value.fields.items():
                record[key] = self.inline(field.value) if isinstance(field, Inline) else self.add(field)
            if value.name is not None:
                record["$class"] = self.record(value)
        return UID(self.seen[id(value)])

    def inline(self, value):
        return [self.add(v) for v in value] if isinstance(value, list) else value

    def record(self, value):
        key = (value.name, tuple(value.classes or ()))
        if key not in self.records:
            record = {"$classname": value.name}
            if value.classes is not None:
                record["$classes"] = value.classes
            self.records[key] = len(self.objects)
            self.objects.append(record)
        return UID(self.records[key])

    def plist(self):
        return {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": self.top,
                "$objects": self.objects}

    def bytes(self):
        return plistlib.dumps(self.plist(), fmt=plistlib.FMT_BINARY, sort_keys=False)


def archive(root):
    return Archive(root).bytes()
