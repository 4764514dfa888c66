# SPDX-License-Identifier: MIT
"""The bill of materials of a built command, as SPDX 2.3 in JSON: its files, and what is linked into it."""

import datetime
import hashlib
import json
import re
import subprocess
from pathlib import Path

import archives

HOME = "https://github.com/adal2msal/adal2msal"

# The license of each Swift package, and the module that shows whether it was linked.
PACKAGES = {
    "swift-argument-parser": ("Apache-2.0 WITH Swift-exception", "ArgumentParser"),
}

# The system's archives that a static command has parts of, with the license of each.
LIBRARIES = {
    "libc.a": ("glibc", "LGPL-2.1-or-later"),
    "libm.a": ("glibc", "LGPL-2.1-or-later"),
    "libstdc++.a": ("libstdc++", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    "libgcc_eh.a": ("libgcc", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    "libsqlite3.a": ("sqlite", "blessing"),
}


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def identifier(text):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", text)


def package(name, version, license, where, **more):
    return {
        "SPDXID": identifier(f"Package-{name}"), "name": name, "versionInfo": version,
        "downloadLocation": where, "filesAnalyzed": False, "licenseConcluded": license,
        "licenseDeclared": license, "copyrightText": "NOASSERTION", **more}


def purl(kind):
    return {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": kind}


def swift_packages(resolved, checkouts, symbols):
    """The packages that were resolved, each with whether it was linked."""
    for pin in sorted(json.loads(Path(resolved).read_text("utf-8"))["pins"], key=lambda pin: pin["identity"]):
        name, state = pin["identity"], pin["state"]
        if name not in PACKAGES:
            raise SystemExit(f"{name} has no license in bill.py")
        license, module = PACKAGES[name]
        place = pin["location"].removesuffix(".git")
        # The checksum is that of `git archive` of the revision, so that it can be compared with any clone.
        source = subprocess.run(["git", "-C", str(Path(checkouts) / name), "archive", "--format=tar", state["revision"]],
                                capture_output=True, check=True).stdout
        yield f"$s{len(module)}{module}" in symbols, package(
            name, state["version"], license, f"git+{place}@{state['revision']}",
            checksums=[{"algorithm": "SHA256", "checksumValue": hashlib.sha256(source).hexdigest()}],
            comment="The checksum is that of `git archive --format=tar REVISION`.",
            externalRefs=[purl(f"pkg:swift/{place.removeprefix('https://')}@{state['version']}")])


def swift_runtime(archives_folder):
    version = re.search(r"Swift version (\S+)", run("swift", "--version"))[1]
    files = sorted(Path(archives_folder).glob("*.a")) if archives_folder else []
    whole = hashlib.sha256("".join(f"{archives.digest(f)}  {f.name}\n" for f in files).encode()).hexdigest()
    return package(
        "swift-runtime", version, "Apache-2.0 WITH Swift-exception", f"https://www.swift.org/install/?{version}",
        checksums=[{"algorithm": "SHA256", "checksumValue": whole}],
        comment="The standard library, libdispatch and Foundation; with Foundation the data of ICU, which are under "
                "Unicode-3.0. The checksum is that of the lines that `sha256sum *.a` prints of its archives.")


def system_libraries():
    """The system's archives: one entry for a library, with Debian's version and the checksums of its files."""
    found = {}
    for file, (name, license) in LIBRARIES.items():
        path = run("gcc", f"-print-file-name={file}")
        if not path.startswith("/"):
            raise SystemExit(f"{file} is not there, but was linked")
        path = str(Path(path).resolve())
        owner = run("dpkg", "-S", path).split(":")[0] or run("dpkg", "-S", path.removeprefix("/usr")).split(":")[0]
        version = (run("dpkg-query", "-W", "-f=${Version}\n", owner) if owner else "").split("\n")[0]
        system = re.search(r"^ID=\"?(\w+)", Path("/etc/os-release").read_text("utf-8"), re.M)[1]
        entry = found.setdefault(name, package(name, version or "NOASSERTION", license, "NOASSERTION", comment=""))
        if owner and "externalRefs" not in entry:
            entry["externalRefs"] = [purl(f"pkg:deb/{system}/{owner.replace('+', '%2B')}@{version.replace('+', '%2B')}")]
        entry["comment"] = ", ".join(filter(None, [entry["comment"], f"{file}: SHA256 {archives.digest(path)}"]))
    return list(found.values())


def bill(version, system, stage, binary, package_folder, checkouts, static_archives, instant):
    """The document, as text."""
    name = f"adal2msal-{version}-{system}"
    symbols = run("nm", str(binary))
    files = [{
        "SPDXID": identifier(f"File-{number}"), "fileName": f"./{path.relative_to(stage).as_posix()}",
        "checksums": [{"algorithm": kind.upper(), "checksumValue": archives.digest(path, kind)}
                      for kind in ("sha1", "sha256")],
        "licenseConcluded": "MIT" if "/third-party/" not in path.as_posix() else "NOASSERTION",
        "licenseInfoInFiles": ["NOASSERTION"], "copyrightText": "NOASSERTION",
    } for number, path in enumerate(path for path in archives.tree(stage) if path.is_file())]
    code = hashlib.sha1("".join(sorted(f["checksums"][0]["checksumValue"] for f in files)).encode()).hexdigest()
    ours = package("adal2msal", version, "MIT", f"{HOME}/releases/download/v{version}/{name}.tar.gz", filesAnalyzed=True,
                   packageVerificationCode={"packageVerificationCodeValue": code}, licenseInfoFromFiles=["NOASSERTION"],
                   supplier="Organization: adal2msal", hasFiles=[file["SPDXID"] for file in files],
                   externalRefs=[purl(f"pkg:github/adal2msal/adal2msal@v{version}")])
    resolved = list(swift_packages(Path(package_folder) / "Package.resolved", checkouts, symbols))
    linked = [one for is_linked, one in resolved if is_linked]
    if static_archives:
        linked += [swift_runtime(static_archives), *system_libraries()]
    unlinked = [one for is_linked, one in resolved if not is_linked]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", ours["SPDXID"])]
    relations += [(ours["SPDXID"], "STATIC_LINK", one["SPDXID"]) for one in linked]
    relations += [(one["SPDXID"], "BUILD_DEPENDENCY_OF", ours["SPDXID"]) for one in unlinked]
    made = datetime.datetime.fromtimestamp(instant, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
        "documentNamespace": f"{HOME}/releases/download/v{version}/{name}-{code}",
        "creationInfo": {"created": made, "creators": ["Tool: adal2msal-scripts-release", "Organization: adal2msal"]},
        "packages": [ours, *linked, *unlinked], "files": files,
        "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b}
                          for a, kind, b in relations],
    }, indent=2, ensure_ascii=False) + "\n"
