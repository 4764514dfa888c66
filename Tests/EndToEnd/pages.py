# SPDX-License-Identifier: MIT
"""Pages of the command: of the sample caches, of a crowd, and of a cache that was made to do harm."""

from pathlib import Path

import clients
import make
import samples

# What a name or an address may try in a page.
HOSTILE = [
    "<script>document.title='owned'</script>", "<img src=x onerror=\"document.title='owned'\">", "\" onmouseover=\"x", "' x='y",
    "</title><svg onload=alert(1)>", "</style><script>1</script>", "</script>", "<!--", "-->", "]]>", "&lt;b&gt;&#60;", "<b",
    "javascript:alert(1)", "https://evil.example/a.png", "//evil.example", "{{7*7}}", "${7*7}", "\u202eowned\u2066", "\u0000",
    "\ufeff\u200b", "\x1b[2J", "\x07\x08", "a\r\nb", "\u2028", "</details></main>", "a" * 2000, "=HYPERLINK(\"https://x\")",
]
NOW = make.NOW


def row(user, number, authority=make.COMMON, client=make.MAIL, **claims):
    return make.refresh(user, client, authority, make.claims("A B", user, make.CONTOSO, make.MAIL, **claims), f"row-{number}")


def write(path, rows):
    make.write_items(path, [make.keychain_item(row, make.GROUP, NOW) for row in rows])
    return path


def hostile(folder):
    rows = []
    for number, text in enumerate(HOSTILE):
        user = f"{text}@contoso.com"
        own = row(user, number)
        rows += [own, make.access(own, f"https://{number}.example/{text}", NOW + 3600),
                 row(f"other {user}", number, f"https://fs.example/adfs/{text}", text)]
    return write(folder / "<img src=x>&amp;'.items.json", rows)


def crowd(folder, people=300):
    """Most stay signed in; every fiftieth is a guest, every ninetieth was with AD FS."""
    rows = []
    for number in range(people):
        user = f"person{number}@contoso.com"
        if number % 90 == 11:
            rows.append(row(user, number, "https://fs.contoso.com/adfs"))
        elif number % 50 == 7:
            rows.append(row(user, number, f"https://login.windows.net/{make.CONTOSO}", altsecid=f"5::{number}",
                            idp=f"https://sts.windows.net/{make.FABRIKAM}/"))
        else:
            own = row(user, number)
            rows += [own] + [make.access(own, f"https://{k}.example/", NOW + 3600) for k in range(number % 4)]
    return write(folder / f"crowd-{people}.items.json", rows)


def commands(folder):
    """What the pages are of, by name."""
    caches = samples.CACHES
    client = ["--client-id", "019bfc6b-c510-5eb5-8700-2a5726560fdb"]
    return {
        "all-well": ["migrate", caches / "contoso.sqlite", "-n"],
        "some-lost": ["migrate", caches / "leftovers.items.json", "-n"],
        "inspection": ["inspect", caches / "contoso.sqlite"],
        "crowd": ["migrate", crowd(folder), "-n"],
        "trio": ["migrate", crowd(folder, 3), "-n"],
        "hostile": ["migrate", hostile(folder), "-n", "--show-usernames"],
        "hostile-inspection": ["inspect", hostile(folder), "--show-usernames"],
        "found": ["lookup", caches / "contoso.sqlite", *client, "--username", "megan@contoso.com"],
        "not-found": ["lookup", caches / "contoso.sqlite", *client, "--username", "<i>nobody</i>", "--scope", "User.Read"],
        "doctor": ["doctor", samples.PACKAGE / "Samples" / "LegacyApp"],
    }


def make_all(folder):
    """A file for each page."""
    pages = {}
    for name, command in commands(folder).items():
        now = [] if name == "doctor" else ["--now", NOW]
        run = clients.adal2msal(*command, *now, "--format", "html")
        assert run.returncode in (0, 1), (name, run.stderr)
        pages[name] = Path(folder / f"{name}.html")
        pages[name].write_text(run.stdout, "utf-8")
    return pages
