# SPDX-License-Identifier: MIT
"""Each number that a page states is what its source says: a constant, the manifest, a count, a recorded measurement.

FACTS is the table: a page, a phrase of it, and where each number of the phrase comes from. A number outside of the
table must belong to an allowed class, or the page must not state it. Code blocks and code spans are tested elsewhere.
"""

import json
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2]
SOURCES = PACKAGE / "Sources"
FOLDER = PACKAGE / "Documentation"
GUIDES = [PACKAGE / f"{name}.md" for name in (
    "README", "MIGRATION", "REFERENCE", "SHIPPING", "SECURITY", "CONTRIBUTING")]
# What these pages say is of other projects, and cites their files; only their numbers about ours are compared.
UPSTREAM = [FOLDER / f"{name}.md" for name in (
    "adal-cache-format", "mapping-rules", "msal-cache-format", "msal-reader-sensitivity", "other-adals")]
# The page that follows one row has a test of its own, in test_documents.py.
OURS = [path for path in sorted(FOLDER.glob("*.md")) if path not in UPSTREAM and path.stem != "row-to-entry"]

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30


def text(path):
    return (PACKAGE / path).read_text("utf-8")


def found(path, pattern):
    """The number that a pattern finds in a file, which may be written as `48 << 20` or `100_000`."""
    match = re.search(pattern, text(path), re.M)
    assert match, f"{path}: {pattern}"
    number, _, shift = match[1].replace("_", "").partition("<<")
    return int(number) << int(shift or 0)


def constant(path, name):
    return found(f"Sources/{path}", rf"\b{name}\b[^=\n]* = (\d[\d_]*(?: << \d+)?)")


def count(pattern, path):
    return len(re.findall(pattern, text(path), re.M))


def measured(work, column="ours"):
    """A cell of the recorded table of measurements, which scripts/benchmark writes."""
    page = text("Documentation/performance.md")
    header = next(line for line in page.splitlines() if line.startswith("| # | work "))
    row = next(line for line in page.splitlines() if line.startswith(f"| {work}"))
    cells = dict(zip((cell.strip() for cell in header.split("|")), (cell.strip() for cell in row.split("|"))))
    return cells[column]


STATUSES = {int(n) for n in re.findall(r"case \w+ = (\d+)", re.search(
    r"enum ExitStatus.*?^}", text("Sources/adal2msal/ExitCodes.swift"), re.M | re.S)[0])}

WORDS = ("eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty "
         "seventy eighty ninety hundred thousand million billion").split()
SMALL = "three four five six seven eight nine ten".split()
# What we count. A small number that is a word is looked at beside these only.
NOUNS = (r"(?:reasons|rules|seeds|tests|vectors|samples|formats|laws|decisions|rooms|fuzz targets|checks|commands|options|"
         r"statuses|shapes|templates|minutes|hours|caches,)\b")
NUMBER = re.compile(
    rf"(?<![\w.#/§_-])(?:\d+(?:,\d{{3}})*(?:\.\d+)*|(?:{'|'.join(WORDS)})|(?:{'|'.join(SMALL)})(?= (?:[a-z]+ )?{NOUNS})|"
    r"(?<=at most )\w+)(?![\w_])", re.I)
UNIT = re.compile(r" ?(?:levels|[KMG]i?B|bytes|columns|rows|seconds|hex|items|digits|objects|entries|characters|lines|%)")
SOFTWARE = (r"(?:ADAL(?:\.NET|4J)?|ADAL for (?:Python|Node|\.NET)|MSAL(?:\.NET)?|MSAL for \w+|Azure CLI|azure-cli|Az\.Accounts|"
            r"Python|SARIF|Xcode|objection|Office|OneDrive|Intune|Windows|Debian GNU/Linux)")
VERSION = r"\d+(?:\.\d+)*(?:\.x)?"
MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"

# Classes of numbers that need no source of ours, each a pattern that holds the number.
ALLOWED = [
    # The numbers of headings and lists.
    re.compile(rf"^(?:#+ {VERSION}\.?|\s*\d+\.) "),
    # Versions of other software, as it numbers itself; of Swift, the table has the ones that we require.
    re.compile(rf"\b{SOFTWARE}(?: before| since)? {VERSION}(?:(?:,| and| or| to|,? and) {VERSION})*"),
    re.compile(rf"\b(?:(?:bytes|those|accounts) of version|[Vv]ersions|Version|since version|ADAL\.NET's cache of schemas)(?: before| since)? "
               rf"{VERSION}(?:(?: and| or| to) {VERSION})*"),
    # Dates, and the years of other projects' events.
    re.compile(rf"\b(?:\d+ )?{MONTH} \d{{4}}\b"),
    re.compile(r"(?:\b(?:from|since|in) |\()(?:19|20)\d\d\b"),
    # Standards.
    re.compile(r"\b(?:ISO|RFC|UTF|X\.|PKCS ?#?)[ -]?\d+"),
    # The error numbers of ADAL and MSAL, beside their names, and of StoreError.
    re.compile(r"§ \(-?\d+\)"),
    # Citations, which Tests/ProjectTests follows.
    re.compile(r"\b(?:law|[Ll]evels?|observations?) \d+(?: and \d+)*"),
    # What Microsoft's service calls its one family of apps, and the port of https.
    re.compile(r"\bfamily (?:other than )?1\b|\bport other than 443\b"),
    # The compiler that a fact was measured with.
    re.compile(rf"\bmeasured with Swift {VERSION}"),
    # What Microsoft calls the number of a personal account.
    re.compile(r"CID's sixteen digits"),
    # A promise about the future, by semantic versioning.
    re.compile(r"\b[Ff]rom 1\.0\.0 on\b"),
]


def prose(path):
    """The lines of a page with their numbers, without code, links' targets, addresses and tags."""
    # Code blocks, and the tables of measurements that scripts/benchmark writes.
    page = re.sub(r"^ *```.*?^ *```$|^<!-- (table|growth) -->$.*?^<!-- end of \1 -->$",
                  lambda block: "\n" * block[0].count("\n"), path.read_text("utf-8"), flags=re.M | re.S)
    start, paragraph = 1, ""
    for number, line in enumerate([*page.splitlines(), ""], 1):
        # A paragraph is one text, a row of a table, a heading and a point of a list another.
        if paragraph and re.match(r"$|[|#<]|\s*(?:[-*]|\d+\.) ", line):
            paragraph = re.sub(r"`[^`]*`", "§", paragraph)
            paragraph = re.sub(r"\]\([^)]*\)", "]", paragraph)
            yield start, re.sub(r"<[^>]*>|https?://\S+", "", paragraph)
            paragraph = ""
        if line.strip():
            start = start if paragraph else number
            paragraph += f" {line.strip()}" if paragraph else line


def is_status(line, match):
    """Whether a number is an exit status that the table of statuses has."""
    if not match[0].isdigit() or int(match[0]) not in STATUSES or UNIT.match(line, match.end()):
        return False
    return int(match[0]) > 1 or bool(re.search(r"\bstatus|\bexit|--fail-on|^\| \d+ \||says which|with 0", line, re.I))


def is_allowed(line, match):
    return is_status(line, match) or any(
        found.start() <= match.start() and match.end() <= found.end()
        for pattern in ALLOWED for found in pattern.finditer(line))


IOS, MACOS = (found("Package.swift", rf"\.{name}\(\.v(\d+)\)") for name in ("iOS", "macOS"))
TOOLS = re.search(r"swift-tools-version: ([\d.]+)", text("Package.swift"))[1]
# The compiler that the release is built with, in an image that is pinned: the oldest that runs everything.
COMPILER = re.search(r"swift:(\d+\.\d+)-", text(".github/workflows/release.yml"))[1]
OWN = re.search(r'toolVersion = "([\d.]+)"', text("Sources/ADALMigration/Report/MaskedReport.swift"))[1]
OPENED = "Sources/CacheFiles/Files/OpenFolder.swift"
MODE = format(found(OPENED, r"setMode\(0o(\d+)\)"), "04")
FOLDER_MODE = format(found(OPENED, r"mkdirat\(descriptor, name, 0o(\d+)\)"), "04")
ARCHIVE, BLOB = "KeyedArchive/Limits.swift", "ADALCache/DotNet/DotNetBlob.swift"
PROJECT, KIND = "ProjectFiles/ProjectFolder.swift", "Sources/ProjectFiles/ProjectFolder.swift"
SQLITE, SECRETS = "CacheFiles/Snapshot/Database.swift", "Tests/ADALMigrationTests/Laws/LawsOfSecrets.swift"
TESTED = "Tests/Faults/test_limits.py"
MASKED = found("Sources/ADALMigration/Report/MaskedReport.swift", r"digest\(userName, digits: (\d+)\)")
DIGEST = found("Sources/adal2msal/Commands/LookupRendering.swift", r"digest\.prefix\((\d+)\)")
KEY = constant("ADALMigration/Report/NameMask.swift", "shortestKey")
LIFETIME = found("Sources/ADALMigration/Planning/RefreshTokens.swift", r"refreshTokenLifetime = (\d+)")
WIDTH = constant("adal2msal/Terminal/Terminal.swift", "narrowest")
TOKEN = found(SECRETS, r'add\(secret \?\? "", width: (\d+)\)')
ID_TOKEN = found(SECRETS, r'add\(row\.idToken \?\? "", width: (\d+)\)')
MOST_GROWTH = float(re.search(r"MOST_GROWTH = ([\d.]+)", text("Tests/Benchmarks/growth.py"))[1])
MOST_CHANGE = 100 * float(re.search(r"MOST_CHANGE = ([\d.]+)", text("Tests/Benchmarks/growth.py"))[1]) - 100
WORD = {**dict(enumerate(SMALL, 3)), 30: "thirty"}

# A page, a phrase with {} for each number, and the numbers from their sources.
FACTS = [
    ("README", "Swift {} or newer, Python", COMPILER),
    ("README", "runs on iOS {} and macOS {} or newer, needs Swift {},", IOS, MACOS, TOOLS),
    ("README", "From {} on", OWN),
    ("CONTRIBUTING", "Swift {} or newer is needed to run the tests. The library itself builds for iOS {} and macOS {}.",
     COMPILER, IOS, MACOS),
    ("CONTRIBUTING", "the laws on {:,} generated caches", found("scripts/fuzz", r"LAW_SEEDS:-(\d+)")),
    ("CONTRIBUTING", "§ ({})", re.search(r"XcodeGen ([\d.]+)", text("Tests/Apple/project.yml"))[1]),
    ("CONTRIBUTING", "Swift {} language mode", found("Package.swift", r"swiftLanguageModes: \[\.v(\d+)\]")),
    ("CONTRIBUTING", "{} spaces, {} columns", json.loads(text(".swift-format"))["indentation"]["spaces"],
     json.loads(text(".swift-format"))["lineLength"]),
    ("CONTRIBUTING", "No file above {} lines", found("Tests/ProjectTests/StyleTests.swift", r"lines\.count <= (\d+)")),
    # A rule of its own: the page is the source.
    ("CONTRIBUTING", "a subject in the imperative of at most {} characters", 65),
    ("MIGRATION", "after {} days by default", LIFETIME),
    ("REFERENCE", "a name of more than {} bytes becomes", constant("ADALMigration/Inventory/PersonalDocuments.swift", "longest")),
    ("REFERENCE", "mode {}", FOLDER_MODE), ("REFERENCE", "mode {}", MODE),
    ("REFERENCE", "{:,} entries, {} levels of folders, {} MiB per source or property list, {} MiB per project or lock file, {} GiB in total",
     constant(PROJECT, "mostEntries"), constant(PROJECT, "mostFolders"), found(KIND, r"default: (\d+ << \d+)") // MIB,
     found(KIND, r"case \.project.*: (\d+ << \d+)") // MIB, constant(PROJECT, "mostBytes") // GIB),
    ("REFERENCE", "files of up to {} MiB", constant("adal2msal/Commands/RepositorySurvey.swift", "largest") // MIB),
    ("REFERENCE", "at the instant {}", constant("adal2msal/Commands/Demo.swift", "now")),
    ("REFERENCE", "standard input | {} GiB", constant("CacheFiles/Files/CacheFile.swift", "largest") // GIB),
    ("REFERENCE", "one item | {} MiB, {:,} objects, {} levels",
     constant(ARCHIVE, "size") // MIB, constant(ARCHIVE, "objects"), constant(ARCHIVE, "depth")),
    ("REFERENCE", "a blob of ADAL.NET | {} MiB, {:,} rows, {} MiB per text",
     constant(BLOB, "sizeLimit") // MIB, constant(BLOB, "rowLimit"), constant(BLOB, "stringLimit") // MIB),
    ("REFERENCE", "a list of ADAL for Python or Node | {:,} rows", constant("MigrationDocuments/Lists/TokenList.swift", "rowLimit")),
    ("REFERENCE", "a value in a snapshot | {} MiB", constant(SQLITE, "largestValue") // MIB),
    ("REFERENCE", "§, {} MiB |", constant("adal2msal/Commands/Stream.swift", "longestLine") // MIB),
    ("REFERENCE", "longer than § ({} MiB)", constant("adal2msal/Commands/Stream.swift", "longestLine") // MIB),
    ("REFERENCE", "nesting in JSON | {} levels", constant("CacheJSON/JSONScanner.swift", "depthLimit")),
    ("REFERENCE", "{:,} items, {:,} values; above that, one for each {} bytes or {} bytes",
     constant("CacheFiles/Items/ItemPlaces.swift", "shortItemLimit"), constant("CacheJSON/JSONParsing.swift", "shortValueLimit"),
     found("Sources/CacheFiles/Items/ItemPlaces.swift", r"size / (\d+)"),
     found("Sources/CacheJSON/JSONParsing.swift", r"bytes\.count / (\d+)")),
    ("REFERENCE", "less than {} KiB per row", found(TESTED, r"\(more - few\) < (\d+), memory")),
    ("REFERENCE", "can have {} bytes, because SQLite appends", constant(SQLITE, "longestPath")),
    ("REFERENCE", "less than {} counts as {}", WIDTH, WIDTH),
    ("REFERENCE", "at most {:,} accounts and rows", constant("MigrationReports/HTML/HTMLReportTables.swift", "most")),
    ("REFERENCE", "the first {} hex digits of the SHA-256 of the local part", MASKED),
    ("REFERENCE", "the first {} hex digits of the HMAC-SHA-256", constant("ADALMigration/Report/NameMask.swift", "digits")),
    ("REFERENCE", "has {} bytes or more", KEY),
    ("REFERENCE", "shown as the first {} hex digits of its SHA-256", DIGEST),
    ("REFERENCE", "at {} KiB at the latest", constant("adal2msal/Commands/StreamAnswers.swift", "portion") // KIB),
    ("REFERENCE", "can have {:,} bytes and a table {} columns", constant(SQLITE, "schemaText"), constant(SQLITE, "columns")),
    ("REFERENCE", "From {} on", OWN),
    ("SHIPPING", "the time of a start with {} rows", found("Documentation/performance.md", r"library, (\d+) rows in memory")),
    ("SECURITY", "No {} bytes of a token", TOKEN), ("SECURITY", "writes no {} bytes of a token", TOKEN),
    ("SECURITY", "mode {}", MODE),
    ("SECURITY", "SQLite's memory in the command to {} MiB", constant(SQLITE, "heap") // MIB),
    ("SECURITY", "within a second and {} MB", found(TESTED, r"ru_maxrss < ([\d_]+)") // 1000),
    ("architecture", "No file over {} lines", found("Tests/ProjectTests/StyleTests.swift", r"lines\.count <= (\d+)")),
    ("architecture", "Swift {} language mode", found("Package.swift", r"swiftLanguageModes: \[\.v(\d+)\]")),
    ("architecture", "newer than iOS {}", IOS),
    ("contract", "a key of {} bytes or more", KEY), ("contract", "mode {}", MODE),
    ("contract", "The report as JSON, version {}", found("Sources/ADALMigration/Report/ReportMembers.swift", r'write\("version", (\d+)\)')),
    ("contract", "the first {} hex digits of the", DIGEST),
    ("decisions", "at least {} s left", constant("MSALCache/Entry/MSALEntry.swift", "expiryBuffer")),
    ("decisions", "type {}", found("Sources/MSALCache/Entry/MSALEntryKind.swift", r"case idToken = (\d+)")),
    ("decisions", "a {} item", found("Sources/MSALCache/Entry/MSALEntryKind.swift", r"case idToken = (\d+)")),
    ("decisions", "the first {} hex digits of", MASKED),
    ("files", "at most {} links", constant("CacheFiles/Files/FilePlace.swift", "mostLinks")),
    ("files", "to {} where the umask", MODE), ("files", "mode {}", FOLDER_MODE),
    ("files", "more than {} bytes is too long", constant(SQLITE, "longestPath")),
    ("files", "{} digits and letters", constant("CacheFiles/Files/TemporaryFile.swift", "randomLength")),
    ("laws", "No {}-byte window", TOKEN), ("laws", "a {}-byte window", ID_TOKEN),
    ("REFERENCE", "at most {}", WORD[constant("adal2msal/Commands/RepositorySurvey.swift", "mostCaches")]),
    ("reasons", "at least {} more minutes", WORD[constant("MSALCache/Entry/MSALEntry.swift", "expiryBuffer") // 60]),
    ("reasons", "less than {} minutes", WORD[constant("MSALCache/Entry/MSALEntry.swift", "expiryBuffer") // 60]),
    ("reasons", "expired {} minutes before", WORD[constant("MSALCache/Entry/MSALEntry.swift", "expiryBuffer") // 60]),
    ("reasons", "more than {} minutes ahead", WORD[constant("ADALMigration/Planning/CachePlan.swift", "toleratedSkew") // 60]),
    ("performance", "more than {} times the work, and where a row takes {:.0f} % more", MOST_GROWTH, MOST_CHANGE),
    ("performance", "more than {} times the work, or a shape {:.0f} % more", MOST_GROWTH, MOST_CHANGE),
    ("reasons", "keeps such notes for {} days", WORD[found("Documentation/adal-cache-format.md", r"now \+ (\d+) days")]),
    ("reasons", "more than {} days", LIFETIME), ("reasons", "after {} days without use", LIFETIME),
]


def phrases(path):
    return [template.format(*values) for page, template, *values in FACTS if page == path.stem]


def unproven(path, lines=None):
    """The numbers of a page that are neither in the table nor of an allowed class, with their lines."""
    for number, line in lines or prose(path):
        if path.stem == "performance" and line.startswith("|"):
            continue
        spans = [(at.start(), at.end()) for phrase in phrases(path) for at in re.finditer(re.escape(phrase), line)]
        for match in NUMBER.finditer(line):
            inside = any(start <= match.start() and match.end() <= end for start, end in spans)
            if not inside and not is_allowed(line, match):
                yield f"{path.name}:{number}: {match[0]}: {line.strip()[:120]}"


@pytest.mark.parametrize("path", [*GUIDES, *OURS], ids=lambda path: str(path.relative_to(PACKAGE)))
def test_each_number_of_a_page_has_its_source(path):
    assert list(unproven(path)) == []


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: f"{fact[0]}: {fact[1]}"[:60])
def test_each_fact_is_on_its_page(fact):
    """A phrase that a page no longer has, or has with another number, is named."""
    path = next(path for path in [*GUIDES, *OURS] if path.stem == fact[0])
    phrase = fact[1].format(*fact[2:])
    assert any(phrase in line for _, line in prose(path)), phrase


@pytest.mark.parametrize("path", UPSTREAM, ids=lambda path: path.stem)
def test_pages_about_others_count_nothing_of_ours(path):
    for number, line in prose(path):
        for match in NUMBER.finditer(line):
            if "." in match[0] or is_allowed(line, match):
                continue
            after = line[match.end():match.end() + 24].split("|")[0]
            assert not re.match(rf" (?:[a-z]+ )?(?!minutes|hours){NOUNS}", after), f"{path.name}:{number}: {line.strip()[:120]}"


@pytest.mark.parametrize("line", [
    "There are 104 reasons.", "A file can have 32 MiB.", "It takes forty seconds.", "The status 78 says so.", "It has 12 rows.",
    "An archive can have 64 levels."])
def test_a_number_without_a_source_is_found(line):
    assert list(unproven(GUIDES[0], [(1, line)]))


@pytest.mark.parametrize("line", [
    "ADAL 2.7.0 and later", "from 1.0.0 on", "in November 2023", "ends with status 65", "## 3. Flow", "ISO 8601", "§ (-50002)"])
def test_a_number_of_an_allowed_class_needs_none(line):
    assert not list(unproven(GUIDES[1], [(1, line)]))
