#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An app's project that means harm, and one that is large.

project_tree.py hostile FOLDER CANARY   makes the first; what runs code of it makes the file CANARY
project_tree.py large FOLDER COUNT      makes the second, with so many files
project_tree.py digest FOLDER           prints what is in a folder, to see whether it changes
project_tree.py measure FILE COMMAND…   runs a command and writes its seconds and megabytes into FILE"""

import hashlib
import os
import pathlib
import resource
import socket
import stat
import subprocess
import sys

ADAL = "#import <ADAL/ADAL.h>\nvoid f(void) { [ADAuthenticationError new]; }\n"
SWIFT = "import ADAL\n"


def hostile(root, canary):
    # Where names are UTF-8, whatever they are, they are told; each has one import of ADAL.
    for name in ("a\x1b[31m.m", "b\nc.m", "##vso[task.setvariable]x.m", "::error::x.m", "<b>&'\".m",
                 "`touch " + canary.replace("/", "\\") + "`.m", "$(id).m", "\u202egnp.m", "-rf.m", " .m"):
        (root / name).write_text(ADAL)
    try:
        pathlib.Path(os.fsdecode(os.fsencode(root) + b"/latin-\xe9.m")).write_text(ADAL)
        os.mkdir(os.fsencode(root) + b"/folder-\xff")
    except OSError:
        pass  # Apple's file systems have no such names.
    code(root, canary)
    nested(root / "nested")
    large_files(root / "sizes")
    links(root)
    os.mkfifo(root / "pipe.swift")
    here = os.getcwd()
    os.chdir(root)
    socket.socket(socket.AF_UNIX).bind("Cartfile")
    os.chdir(here)
    folder = root / "deep"
    for _ in range(100):
        folder /= "d"
    folder.mkdir(parents=True)
    (folder / "a.m").write_text(ADAL)
    # Longer than a path can be in one call.
    here = os.getcwd()
    os.chdir(root)
    for _ in range(25):
        os.mkdir("l" * 200)
        os.chdir("l" * 200)
    pathlib.Path("a.m").write_text(ADAL)
    os.chdir(here)


def code(root, canary):
    """What would do something if anybody ran it."""
    touch = f"system('touch {canary}')"
    (root / "Podfile").write_text(f"{touch}\n`touch {canary}`\nputs File.write('{canary}', 'x')\n"
                                  f"pod 'ADAL', \"#{{{touch}}}\"\neval('{touch}')\n")
    (root / "a.podspec").write_text(f"{touch}\nPod::Spec.new do |s|\n  s.dependency 'ADAL'\nend\n")
    (root / "Package.swift").write_text(
        f'import Foundation\n_ = FileManager.default.createFile(atPath: "{canary}", contents: nil)\n')
    (root / "package.json").write_text(
        f'{{"scripts": {{"preinstall": "touch {canary}", "prepare": "touch {canary}"}}}}')
    hooks = root / ".git" / "hooks"
    hooks.mkdir(parents=True)
    (root / ".git" / "config").write_text(f"[core]\n\tfsmonitor = touch {canary}\n\tpager = touch {canary}\n")
    (hooks / "post-checkout").write_text(f"#!/bin/sh\ntouch {canary}\n")
    (hooks / "post-checkout").chmod(0o755)


def nested(folder):
    """Thirty thousand of everything that can stand inside itself: more than a stack has frames for."""
    folder.mkdir()
    many = 30_000
    (folder / "a.m").write_text(ADAL + "[" * many + "x" + "]" * many)
    (folder / "b.m").write_text(ADAL + "(" * many)
    (folder / "c.m").write_text("#if 0\n" * many)
    (folder / "a.swift").write_text(SWIFT + '"\\(' * many)
    (folder / "b.swift").write_text(SWIFT + "/*" * many)
    (folder / "c.swift").write_text(SWIFT + "f{" * many)
    (folder / "a.plist").write_text("<plist>" + "<array>" * many)
    (folder / "b.plist").write_text("<plist>" + "<dict><key>a</key>" * many)
    (folder / "c.plist").write_text(
        '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "' + "&a;" * many + '">]><plist>'
        "<dict><key>x</key><string>" + "&b;" * 1000 + "</string></dict></plist>")
    (folder / "d.plist").write_text('<!DOCTYPE x SYSTEM "file:///etc/passwd"><plist><dict/></plist>')
    (folder / "Package.resolved").write_text('{"pins":' * many)
    (folder / "package.json").write_text("[" * many)
    (folder / "Podfile").write_text("target 'a' do\n" * many)
    (folder / "a.xcconfig").write_text('#include "a.xcconfig"\n#include "/etc/passwd"\nA = $(A)$(A)\n' * 100)
    (folder / "e.xcodeproj").mkdir()
    (folder / "e.xcodeproj" / "project.pbxproj").write_text("{a=" * many)
    (folder / "f.xcodeproj").mkdir()
    (folder / "f.xcodeproj" / "project.pbxproj").write_text("""// !$*UTF8*$!
    {objects = {
      P = {isa = PBXProject; targets = (T, T, P); buildConfigurationList = L;};
      L = {isa = XCConfigurationList; buildConfigurations = (C, L);};
      C = {isa = XCBuildConfiguration; baseConfigurationReference = F; buildSettings = {
        SDKROOT = iphoneos; INFOPLIST_FILE = "../../../../../../../../etc/passwd";
        CODE_SIGN_ENTITLEMENTS = /dev/zero; A = "$(A)$(B)"; B = "$(A)$(A)";
        PRODUCT_BUNDLE_IDENTIFIER = "$(A)";};};
      F = {isa = PBXFileReference; path = a.xcconfig;};
      T = {isa = PBXNativeTarget; name = T; productType = "com.apple.product-type.application";
        buildConfigurationList = L;};
      G = {isa = PBXGroup; children = (G);};
    };}""")


def large_files(folder):
    folder.mkdir()
    for name in ("a.swift", "a.plist", "Podfile.lock"):
        with open(folder / name, "wb") as file:
            file.truncate(1 << 30)
    (folder / "long.m").write_text(ADAL + "x " * 75_000)
    (folder / "strings.m").write_text(ADAL + '@"https://graph.windows.net"; ' * 5_000)
    (folder / "huge.plist").write_text(
        "<plist><dict>" + "<key>k</key><string>v</string>" * 30_000 + "</dict></plist>")
    (folder / "larger.plist").write_text("<plist>" + " " * (5 << 20) + "</plist>")
    (folder / "zeros.m").write_bytes(bytes(1 << 20))
    (folder / "bytes.m").write_bytes(ADAL.encode() + bytes(range(256)) * 1024)
    (folder / "utf16.m").write_bytes(b"\xff\xfe" + ADAL.encode("utf-16-le") + b"\x00\xd8\x00")


def links(root):
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "secret.m").write_text(ADAL)
    for name, target in (("out.m", outside / "secret.m"), ("out", outside), ("root", "/"), ("loop", "."),
                         ("up", ".."), ("self.m", "self.m"), ("none.m", "nothing"), ("zero.m", "/dev/zero")):
        (root / name).symlink_to(target)


def large(root, count):
    """An app with ADAL whose other files are as apps' files are."""
    body = "\n".join(
        f"  func work{number}(_ name: String?) -> [String] {{ // as many do\n"
        f'    guard let name, !name.isEmpty else {{ return ["none \\(name ?? "x")"] }}\n'
        f"    return items.filter {{ $0.value > {number} }}.map {{ $0.name + name }}\n  }}"
        for number in range(40))
    c_body = "\n".join(
        f"- (NSArray *)work{number}:(NSString *)name {{ /* as many do */\n"
        f'  if ([name length] == 0) {{ return @[@"none"]; }}\n'
        f"  return [[self.items filtered:^(id x) {{ return x.value > {number}; }}] valueForKey:name];\n}}"
        for number in range(40))
    for number in range(count):
        folder = root / f"Feature{number // 50}"
        folder.mkdir(parents=True, exist_ok=True)
        if number % 3 == 0:
            (folder / f"View{number}.m").write_text(
                f'#import "View{number}.h"\n@implementation View{number}\n{c_body}\n@end\n')
        elif number % 3 == 1:
            (folder / f"Model{number}.swift").write_text(
                f"import Foundation\nfinal class Model{number} {{\n{body}\n}}\n")
        elif number % 30 == 2:
            (folder / f"SignIn{number}.swift").write_text(
                f"import ADAL\nfunc signIn(_ c: ADAuthenticationContext) {{\n"
                f'  c.acquireToken(withResource: "https://graph.windows.net", clientId: id, redirectUri: u)\n}}\n')
        else:
            (folder / f"Settings{number}.plist").write_text(
                "<plist><dict>" + "<key>k</key><string>v</string>\n" * 50 + "</dict></plist>")


def digest(root):
    whole = hashlib.sha256()
    for folder, names, files in os.walk(os.fsencode(root)):
        names.sort()
        for name in sorted(names + files):
            path = os.path.join(folder, name)
            try:
                status = os.lstat(path)
            except OSError:
                continue  # The path is too long for one call.
            whole.update(repr((path, status.st_mode, status.st_ino, status.st_size, status.st_mtime_ns)).encode())
            if stat.S_ISREG(status.st_mode) and status.st_size < 1 << 26:
                with open(path, "rb") as file:
                    whole.update(file.read())
    print(whole.hexdigest())


def measure(file, command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    status = subprocess.call(command)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = usage.ru_utime + usage.ru_stime - before.ru_utime - before.ru_stime
    scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
    pathlib.Path(file).write_text(f"{seconds:.2f} {usage.ru_maxrss // scale}\n")
    return status if status >= 0 else 128 - status


def main():
    what, path, *rest = sys.argv[1:]
    if what == "measure":
        return measure(path, rest)
    root = pathlib.Path(path)
    if what == "digest":
        digest(root)
        return 0
    root.mkdir()
    if what == "hostile":
        hostile(root, rest[0])
    else:
        large(root, int(rest[0]))
    return 0


sys.exit(main())
