# SPDX-License-Identifier: MIT
"""Takes the README's picture of the HTML report: `python3 scripts/picture.py COMMAND`.

COMMAND is adal2msal. Chromium photographs the page of a sample in light and dark, and each PNG carries the SHA-256 of
the page, by which a test sees that the picture is of the present look.
"""

import hashlib
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
PICTURES = {"light": PACKAGE / "Documentation" / "report-light.png", "dark": PACKAGE / "Documentation" / "report-dark.png"}
# The first screen of a page as wide as the README's text column, at one and a half times the pixels.
WIDTH, HEIGHT = 880, 880
KEYWORD = b"page-sha256"


def page(command):
    """The page that is photographed: what would happen to the accounts of a sample."""
    run = subprocess.run(
        [command, "migrate", "Samples/Caches/contoso.sqlite", "-n", "--now", "1700000000", "--format", "html"],
        cwd=PACKAGE, capture_output=True, check=False)
    assert run.returncode in (0, 1), run.stderr.decode()
    return run.stdout


def chunks(png):
    """The chunks of a PNG: type and data."""
    at = 8
    while at < len(png):
        length, kind = struct.unpack_from(">I4s", png, at)
        yield kind, png[at + 8:at + 8 + length]
        at += 12 + length


def chunk(kind, data):
    return struct.pack(">I4s", len(data), kind) + data + struct.pack(">I", zlib.crc32(kind + data))


def with_note(png, note):
    """The PNG with a text chunk before its end."""
    text = chunk(b"tEXt", KEYWORD + b"\0" + note.encode())
    return png[:-12] + text + png[-12:]


def note(png):
    """The SHA-256 of the page that a picture was taken of."""
    for kind, data in chunks(png):
        if kind == b"tEXt" and data.startswith(KEYWORD + b"\0"):
            return data[len(KEYWORD) + 1:].decode()
    return None


def main(command):
    sys.path.insert(0, str(PACKAGE / "Tests" / "EndToEnd"))
    import chromium

    html = page(command)
    with tempfile.TemporaryDirectory() as folder, chromium.browser() as browser:
        file = Path(folder) / "report.html"
        file.write_bytes(html)
        for look, target in PICTURES.items():
            tab = browser.page()
            tab.show(WIDTH, HEIGHT, dark=look == "dark")
            tab.open(file)
            target.write_bytes(with_note(tab.screenshot(HEIGHT, scale=1.5), hashlib.sha256(html).hexdigest()))


if __name__ == "__main__":
    main(*sys.argv[1:])
