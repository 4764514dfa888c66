# SPDX-License-Identifier: MIT
"""What `scripts/release` makes of a command that is built and installed into a folder.

  package.py system VERSION SYSTEM STAGE BINARY CHECKOUTS STATIC FOLDER
      the archive, the Debian package and the bill of materials of one system, into FOLDER
  package.py collect VERSION FOLDER
      what names all systems whose archives are in FOLDER: artifact bundle, Homebrew formula, SHA256SUMS
  package.py pod VERSION FOLDER
      the podspec of the xcframework that is in FOLDER

Equal input gives equal bytes: SOURCE_DATE_EPOCH is the time of everything.
"""

import json
import os
import re
import shutil
import sys
import tarfile
import tempfile
from email.utils import formatdate
from pathlib import Path

import archives
import bill

PACKAGE = Path(__file__).resolve().parents[2]
TEMPLATES = PACKAGE / "Packaging"
INSTANT = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
# The names that Debian, Swift and Homebrew have for a system of ours.
SYSTEMS = {
    "linux-x86_64": ("amd64", ["x86_64-unknown-linux-gnu"]),
    "linux-aarch64": ("arm64", ["aarch64-unknown-linux-gnu"]),
    "macos-universal": (None, ["arm64-apple-macosx", "x86_64-apple-macosx"]),
}


def write(path, data):
    path.write_bytes(data if isinstance(data, bytes) else data.encode())


def template(name, **values):
    """A file of Packaging with the words between @ replaced."""
    text = (TEMPLATES / name).read_text("utf-8")
    return re.sub(r"@(\w+)@", lambda found: str(values[found[1]]), text)


def licenses(stage, checkouts, static):
    """Copies what the licenses of the linked parts ask to be copied."""
    folder = stage / "share" / "doc" / "adal2msal" / "third-party"
    folder.mkdir(parents=True)
    for name in bill.PACKAGES:
        package = Path(checkouts) / name
        texts = [p for p in (package / "LICENSE.txt", package / "NOTICE.txt") if p.exists()]
        write(folder / f"{name}.txt", "\n".join(p.read_text("utf-8") for p in texts))
    if not static:
        return
    swift = Path(static).parents[2] / "share" / "swift" / "LICENSE.txt"
    places = {"swift": swift, "glibc": Path("/usr/share/doc/libc6/copyright"),
              "sqlite": Path("/usr/share/doc/libsqlite3-dev/copyright")}
    places |= {"libstdc++": path for path in sorted(Path("/usr/share/doc").glob("gcc-[0-9]*-base/copyright"))}
    for name, path in places.items():
        if path.exists():
            write(folder / f"{name}.txt", path.read_bytes())


def stage_documents(stage):
    folder = stage / "share" / "doc" / "adal2msal"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("LICENSE", "CHANGELOG.md", "REFERENCE.md"):
        shutil.copy(PACKAGE / name, folder / name)


def debian(version, architecture, stage, folder):
    """The Debian package: the files where Debian has them, and what it asks to be there."""
    with tempfile.TemporaryDirectory() as work:
        files, control = Path(work) / "files", Path(work) / "control"
        usr, doc = files / "usr", files / "usr" / "share" / "doc" / "adal2msal"
        shutil.copytree(stage, usr)
        zsh = usr / "share" / "zsh"
        (zsh / "site-functions").rename(zsh / "vendor-completions")
        page = usr / "share" / "man" / "man1" / "adal2msal.1"
        write(page.with_suffix(".1.gz"), archives.zipped(page.read_bytes(), level=9))
        page.unlink()
        changes = template("changelog", VERSION=version, DATE=formatdate(INSTANT))
        write(doc / "changelog.gz", archives.zipped(changes.encode(), level=9))
        (doc / "LICENSE").unlink()
        write(doc / "copyright", template("copyright", LICENSE="\n".join(
            f" {line}" if line else " ." for line in (PACKAGE / "LICENSE").read_text("utf-8").rstrip().split("\n"))))
        overrides = usr / "share" / "lintian" / "overrides"
        overrides.mkdir(parents=True)
        # So that it runs on every Linux, whatever its libraries.
        write(overrides / "adal2msal", "adal2msal: statically-linked-binary [usr/bin/adal2msal]\n")
        paths = [path for path in archives.tree(files) if path.is_file()]
        size = sum((path.stat().st_size + 1023) // 1024 for path in paths)
        control.mkdir()
        write(control / "control", template("control", VERSION=version, ARCHITECTURE=architecture, SIZE=size))
        write(control / "md5sums", "".join(
            f"{archives.digest(path, 'md5')}  {path.relative_to(files).as_posix()}\n" for path in paths))
        write(folder / f"adal2msal_{version}_{architecture}.deb", archives.deb(files, control, INSTANT))


def one_system(version, system, stage, binary, checkouts, static, folder):
    stage, folder = Path(stage), Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    name = f"adal2msal-{version}-{system}"
    stage_documents(stage)
    licenses(stage, checkouts, static)
    write(folder / f"{name}.tar.gz", archives.tar_gz(stage, name, INSTANT))
    write(folder / f"{name}.spdx.json", bill.bill(version, system, stage, binary, PACKAGE, checkouts, static, INSTANT))
    if SYSTEMS[system][0]:
        debian(version, SYSTEMS[system][0], stage, folder)


def bundle(version, folder, there):
    """The artifact bundle: the command for Swift packages' plugins."""
    with tempfile.TemporaryDirectory() as work:
        root = Path(work) / "adal2msal.artifactbundle"
        variants = []
        for system in there:
            path = f"adal2msal-{version}-{system}/bin/adal2msal"
            with tarfile.open(folder / f"adal2msal-{version}-{system}.tar.gz") as archive:
                # Not `extract`: its filters are newer than the Python 3.9.6 that Apple's tools bring.
                member = archive.extractfile(path)
                command = root / path
                command.parent.mkdir(parents=True)
                write(command, member.read())
                command.chmod(0o755)
            variants.append({"path": path, "supportedTriples": SYSTEMS[system][1]})
        write(root / "info.json", json.dumps({
            "schemaVersion": "1.0",
            "artifacts": {"adal2msal": {"type": "executable", "version": version, "variants": variants}},
        }, indent=2) + "\n")
        write(folder / "adal2msal.artifactbundle.zip", archives.zip_folder(root, root.name, INSTANT))


def formula(version, folder, there):
    """The Homebrew formula of the systems that are there."""
    def source(system, indent):
        name = f"adal2msal-{version}-{system}.tar.gz"
        url = f"{bill.HOME}/releases/download/v{version}/{name}"
        return f'{indent}url "{url}"\n{indent}sha256 "{archives.digest(folder / name)}"\n'

    blocks = []
    if "macos-universal" in there:
        blocks.append(f"  on_macos do\n{source('macos-universal', '    ')}  end\n")
    linux = [f"    {on} do\n{source(system, '      ')}    end\n" for system, on in (
        ("linux-aarch64", "on_arm"), ("linux-x86_64", "on_intel")) if system in there]
    if linux:
        blocks.append("  on_linux do\n" + "\n".join(linux) + "  end\n")
    write(folder / "adal2msal.rb", template("adal2msal.rb", VERSION=version, SOURCES="\n".join(blocks).rstrip("\n")))


def sums(folder):
    names = sorted(p.name for p in folder.iterdir() if p.is_file() and p.name != "SHA256SUMS")
    write(folder / "SHA256SUMS", "".join(f"{archives.digest(folder / name)}  {name}\n" for name in names))


def collect(version, folder):
    folder = Path(folder)
    there = [system for system in SYSTEMS if (folder / f"adal2msal-{version}-{system}.tar.gz").exists()]
    if not there:
        raise SystemExit(f"{folder} has no archive of version {version}")
    bundle(version, folder, there)
    formula(version, folder, there)
    sums(folder)


def pod(version, folder):
    folder = Path(folder)
    framework = folder / "ADALMigrationObjC.xcframework.zip"
    write(folder / "ADALMigrationObjC.podspec", template(
        "ADALMigrationObjC.podspec", VERSION=version, CHECKSUM=archives.digest(framework)))


def main():
    sys.dont_write_bytecode = True
    tasks = {"system": (one_system, 7), "collect": (collect, 2), "pod": (pod, 2)}
    words = sys.argv[1:]
    if not words or words[0] not in tasks or len(words) - 1 != tasks[words[0]][1]:
        raise SystemExit(__doc__)
    tasks[words[0]][0](*words[1:])


if __name__ == "__main__":
    main()
