# SPDX-License-Identifier: MIT
"""Archives whose bytes depend on nothing but their files' names, modes and contents, and on one instant."""

import gzip
import hashlib
import io
import tarfile
import time
import zipfile
from pathlib import Path


def mode(path):
    """0755 for what can be run, 0644 for what cannot."""
    return 0o755 if path.is_dir() or path.stat().st_mode & 0o111 else 0o644


def tree(folder):
    """The folders and files below a folder, in the order of their names' bytes."""
    return sorted(Path(folder).rglob("*"), key=lambda path: path.relative_to(folder).as_posix().encode())


def zipped(data, instant=0, level=6):
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", filename="", compresslevel=level, mtime=instant) as file:
        file.write(data)
    return out.getvalue()


def tar(folder, root, instant):
    """A folder as a tar; its files are below `root`."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in [Path(folder), *tree(folder)]:
            entry = tarfile.TarInfo((Path(root) / path.relative_to(folder)).as_posix())
            if root == ".":
                entry.name = "./" + entry.name if entry.name != "." else "./"
            entry.mtime, entry.mode, entry.uname, entry.gname = instant, mode(path), "root", "root"
            if path.is_dir():
                entry.type = tarfile.DIRTYPE
                archive.addfile(entry)
            else:
                entry.size = path.stat().st_size
                with open(path, "rb") as file:
                    archive.addfile(entry, file)
    return out.getvalue()


def tar_gz(folder, root, instant):
    return zipped(tar(folder, root, instant), instant)


def ar(members, instant):
    """Members (name, bytes) as an `ar` archive, which a Debian package is."""
    out = b"!<arch>\n"
    for name, data in members:
        out += f"{name:<16}{instant:<12}{0:<6}{0:<6}{'100644':<8}{len(data):<10}`\n".encode() + data
        out += b"\n" * (len(data) % 2)
    return out


def deb(files, control, instant):
    """A Debian package of a folder with its files, and of one with its control files."""
    return ar([("debian-binary", b"2.0\n"), ("control.tar.gz", tar_gz(control, ".", instant)),
               ("data.tar.gz", tar_gz(files, ".", instant))], instant)


def zip_folder(folder, root, instant):
    """A folder as a zip; its files are below `root`."""
    out = io.BytesIO()
    # What a zip can hold begins in 1980 and ends in 2107.
    moment = time.gmtime(min(max(instant, 315532800), 4354819198))[:6]
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path in tree(folder):
            if path.is_file():
                entry = zipfile.ZipInfo((Path(root) / path.relative_to(folder)).as_posix(), moment)
                entry.create_system = 3
                entry.external_attr = (0o100000 | mode(path)) << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, path.read_bytes())
    return out.getvalue()


def digest(path, name="sha256"):
    # Not `hashlib.file_digest`, which is newer than the Python 3.9.6 of Apple's tools.
    return hashlib.new(name, Path(path).read_bytes()).hexdigest()
