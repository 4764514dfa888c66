# SPDX-License-Identifier: MIT
"""Pages (`--format html`), judged by a parser and a browser that know nothing of adal2msal.

What a parser can tell is checked everywhere; where there is a Chromium, it shows each page on three screens, in the
dark and on paper, and axe-core looks for what keeps people from using it.
"""

import base64
import functools
import hashlib
import importlib.util
import os
import re
from pathlib import Path

import chromium
import html5lib
import pages as made
import pytest
from samples import PACKAGE

TAGS = set("""html head meta title style body header main footer section article details summary h1 h2 h3 p b bdi code
small span a ul li dl dt dd div table caption thead tbody tr th td svg text tspan path rect script""".split())
SCREENS = [360, 390, 800, 1280]

# Labels of a picture that lie over each other; lines of text may touch.
OVERLAPS = """[...document.querySelectorAll("svg")].flatMap(svg => {
    const labels = [...svg.querySelectorAll("text")].map(text => [text.textContent, text.getBoundingClientRect()]);
    return labels.flatMap(([name, a], index) => labels.slice(index + 1).filter(([, b]) => a.width && b.width &&
        a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom).map(([other]) => [name, other]));
})"""

needs_chromium = pytest.mark.skipif(not chromium.PROGRAM, reason="not checked: there is no Chromium")


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    return made.make_all(tmp_path_factory.mktemp("pages"))


@pytest.fixture(scope="module")
def tab():
    with chromium.browser() as browser:
        yield browser.page()


@functools.cache
def tree(path):
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(path.read_text("utf-8"))


def elements(path):
    return [(element.tag.split("}")[-1], element) for element in tree(path).iter() if isinstance(element.tag, str)]


def test_pages_parse_without_an_error(pages):
    for path in pages.values():
        assert {tag for tag, _ in elements(path)} <= TAGS, path


def test_the_parser_can_fail(tmp_path):
    (tmp_path / "bad.html").write_text("<!DOCTYPE html><title>a</title><p><b>c</p>", "utf-8")
    with pytest.raises(html5lib.html5parser.ParseError):
        tree(tmp_path / "bad.html")


def test_the_policy_allows_the_one_style_and_the_one_script(pages):
    for path in pages.values():
        text = path.read_text("utf-8")
        found = {}
        for tag in ("style", "script"):
            contents = re.findall(f"<{tag}>(.*?)</{tag}>", text, re.S)
            assert len(contents) == 1, (path, tag)
            found[tag] = base64.b64encode(hashlib.sha256(contents[0].encode()).digest()).decode()
        policy = [e.get("content") for tag, e in elements(path) if e.get("http-equiv") == "Content-Security-Policy"]
        assert policy == [f"default-src 'none'; style-src 'sha256-{found['style']}'; "
                          f"script-src 'sha256-{found['script']}'; base-uri 'none'; form-action 'none'"]
        # What comes before it is not under it.
        assert text.index("Content-Security-Policy") < text.index("<title>") < text.index("<style>")


PAGE = re.compile(r"https://github\.com/adal2msal/adal2msal/blob/main/Documentation/(reasons|rules)\.md#([a-z0-9-]+)")


def test_a_page_leads_to_itself_and_to_our_pages_alone(pages):
    documents = {name: (PACKAGE / "Documentation" / f"{name}.md").read_text("utf-8") for name in ("reasons", "rules")}
    for path in pages.values():
        anchors = {e.get("id") for _, e in elements(path)}
        for tag, element in elements(path):
            for name, value in element.attrib.items():
                assert not name.startswith("on") and name not in ("src", "style", "action", "srcset", "xlink:href"), (path, name)
                if name == "href":
                    outside = PAGE.fullmatch(value)
                    assert (f'<a id="{outside[2]}">' in documents[outside[1]] if outside
                            else value.startswith("#") and value[1:] in anchors), (path, value)
        assert not re.search(r"url\(|@import", path.read_text("utf-8").split("<body>")[0])


def test_every_name_is_there_as_text(pages):
    text = "".join(tree(pages["hostile"]).itertext())
    for name in made.HOSTILE:
        # What neither acts nor is invisible stands there as it is, in the case that MSAL has it in.
        if name.isprintable() and "\ufeff" not in name and len(name) < 200:
            assert f"{name}@contoso.com".lower() in text.lower(), name
    assert "a" * 300 not in text and "aaaa…aaaa" in text
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u2028\u202a-\u202e\ufeff]", text)


def test_names_are_masked(pages):
    for name in ("all-well", "crowd", "trio"):
        text = pages[name].read_text("utf-8")
        assert "auth.placeholder-" in text
        assert not re.search(r"person\d|megan", text)
    assert "&lt;i&gt;nobody" not in pages["not-found"].read_text("utf-8")


def test_the_answer_comes_first(pages):
    first = {name: "".join(next(e for tag, e in elements(path) if tag == "h1").itertext()) for name, path in pages.items()}
    assert first["all-well"] == "All 4 accounts stay signed in."
    assert first["some-lost"] == "1 account stays signed in (by user name only), 4 must sign in again, 1 must sign in (ADAL could not have signed it in silently either)."
    assert first["doctor"] == "2 blocking problems; 20 places in the code need to change."
    assert first["not-found"].startswith("Not found: account")


@needs_chromium
@pytest.mark.parametrize("width", SCREENS)
@pytest.mark.parametrize("dark", [False, True])
def test_pages_fit_their_screens_in_silence(pages, tab, width, dark):
    for name, path in pages.items():
        tab.show(width, dark=dark)
        tab.open(path)
        assert tab.evaluate("document.documentElement.scrollWidth") <= width, name
        assert tab.said == [] and tab.requests == [path.resolve().as_uri()], name
        assert not tab.evaluate("document.title").startswith("owned")
        light = tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert light != dark
        # No text of a picture is outside of it, or under a bar of it.
        outside = tab.evaluate("""[...document.querySelectorAll("svg text")].filter(text => {
            const box = text.getBoundingClientRect(), all = text.ownerSVGElement.getBoundingClientRect();
            return box.width && (box.left < all.left - 1 || box.right > all.right + 1 || box.bottom > all.bottom + 1);
        }).map(text => text.textContent)""")
        assert outside == [], (name, width)
        assert tab.evaluate(OVERLAPS) == [], (name, width)
        assert len(tab.screenshot()) > 10_000


@needs_chromium
def test_the_policy_stops_a_script(pages, tab, tmp_path):
    text = pages["all-well"].read_text("utf-8")
    bad = tmp_path / "bad.html"
    bad.write_text(text.replace("</body>", "<script>document.title = 'owned'</script><img src=http://127.0.0.1:9/></body>"), "utf-8")
    tab.open(bad)
    assert tab.evaluate("document.title") != "owned"
    assert len(tab.said) >= 2


AXE = Path(importlib.util.find_spec("axe_core_python").submodule_search_locations[0]) / "axe.min.js"


def complaints(tab):
    """What axe-core has against the page as it is shown, with everything opened that is folded away."""
    # The rules are of elements, which a crowd has the same of, only more.
    tab.evaluate("""document.querySelectorAll("tbody").forEach(body => [...body.rows].slice(20).forEach(row => row.remove()));
        document.querySelectorAll("details").forEach(details => details.open = true)""")
    tab.evaluate(AXE.read_text("utf-8") + "; 0")
    return tab.evaluate("""axe.run({resultTypes: ["violations"]}).then(result => result.violations.map(
        rule => [rule.id, rule.nodes[0].html, rule.nodes[0].failureSummary]))""")


@needs_chromium
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (1280, True), (360, False)])
def test_axe_finds_nothing(pages, tab, width, dark):
    for name, path in pages.items():
        tab.show(width, dark=dark)
        tab.open(path)
        assert complaints(tab) == [], name


@needs_chromium
def test_axe_can_find_something(pages, tab, tmp_path):
    text = pages["all-well"].read_text("utf-8").replace('<html lang="en">', "<html>").replace("--faint: #59626e", "--faint: #aaa")
    # The style sheet is another then, which the policy would not allow.
    (tmp_path / "bad.html").write_text(re.sub("<meta http-equiv[^>]*>", "", text), "utf-8")
    tab.show()
    tab.open(tmp_path / "bad.html")
    assert {"html-has-lang", "color-contrast"} <= {rule for rule, *_ in complaints(tab)}


@needs_chromium
def test_tables_sort_and_nothing_else_needs_the_script(pages, tab):
    tab.show()
    tab.open(pages["crowd"])
    column = """[...document.querySelector("table").tBodies[0].rows].map(row => Number(row.cells[3].textContent))"""
    before = tab.evaluate(column)
    click = """document.querySelectorAll("table th button")[3].click()"""
    tab.evaluate(click)
    assert tab.evaluate(column) == sorted(before)
    assert tab.evaluate("document.querySelectorAll('th')[3].ariaSort") == "ascending"
    tab.evaluate(click)
    assert tab.evaluate(column) == sorted(before, reverse=True)
    text = "document.body.innerText.replaceAll(/\\\\s+/g, ' ')"
    tab.open(pages["crowd"])
    with_script = tab.evaluate(text)
    tab.call("Emulation.setScriptExecutionDisabled", value=True)
    tab.open(pages["crowd"])
    without = tab.evaluate(text)
    tab.call("Emulation.setScriptExecutionDisabled", value=False)
    assert without == with_script


@needs_chromium
def test_paper_has_what_is_folded_in(pages, tab, tmp_path):
    tab.show()
    for name, path in pages.items():
        tab.open(path)
        assert tab.pdf().startswith(b"%PDF")
    tab.open(pages["some-lost"])
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert tab.evaluate("document.querySelectorAll('details.reason:not([open])').length") == 0
    tab.evaluate("dispatchEvent(new Event('afterprint'))")
    assert tab.evaluate("document.querySelectorAll('details.reason[open]').length") == 0


@pytest.mark.skipif(not os.environ.get("ADAL2MSAL"), reason="not checked: ADAL2MSAL does not name the command")
def test_the_readme_shows_the_present_look():
    """The picture carries the SHA-256 of the page that it was taken of: `python3 scripts/picture.py COMMAND` takes it anew."""
    spec = importlib.util.spec_from_file_location("picture", PACKAGE / "scripts" / "picture.py")
    picture = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(picture)
    page = hashlib.sha256(picture.page(os.environ["ADAL2MSAL"])).hexdigest()
    readme = (PACKAGE / "README.md").read_text("utf-8")
    for file in picture.PICTURES.values():
        assert picture.note(file.read_bytes()) == page, file.name
        assert f"Documentation/{file.name}" in readme
