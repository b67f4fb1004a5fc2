"""The report of a cross-check: what it says, and how a browser shows it."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

import csp_sudoku as cs
from csp_sudoku.pictures.explanation import explanation_page

FOUR = "0100", "3001", "4002", "0040"

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)


def check(puzzle, solvers=("sat", "dlx"), **settings):
    return cs.cross_check(puzzle, solvers, isolate=False, **settings)


@pytest.fixture(scope="module")
def unique():
    return check(cs.read("0100 3001 4002 0040").add(cs.Thermometer("R1C2 R1C3")))


@pytest.fixture(scope="module")
def several():
    return check("1... .... ..3. ....", limit=3)


def wrong(puzzle):
    """A solver that puts a 1 everywhere."""
    return dict.fromkeys(puzzle.cells, 1)


class Balanced(HTMLParser):
    """Fails where tags are not closed in their order."""

    def __init__(self, page):
        super().__init__()
        self.open = []
        self.links = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.links += [value for key, value in attributes if key in ("src", "href", "action")]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_report_of_one_solution(unique):
    page = unique.to_html()
    assert Balanced(page).links == []
    assert '<p class="outcome good">one solution, certified</p>' in page
    assert page.count("<svg") == 2
    assert unique.solutions[0].text in page
    assert "refuted after" in page or "unit propagation alone" in page
    assert "csp-sudoku cross-check puzzle.json --backend sat --backend dlx" in page
    assert "&quot;thermometer&quot;" in page  # the puzzle itself
    assert re.search(r"<td>python-sat</td><td>[0-9.]+", page)
    for row in ("variables", "clauses", "items", "options"):
        assert f"<td>{row}</td>" in page


def test_a_report_of_several_solutions_shows_where_two_differ(several):
    page = several.to_html()
    Balanced(page)
    assert page.count("<svg") == 3
    assert page.count('class="f-lit"') == 2 * len(several.differing)
    assert f"They differ in {len(several.differing)} places: {several.differing[0]} " in page


def test_a_report_of_a_disagreement_shows_who_is_wrong():
    agreement = check("0100 3001 4002 0040", ["sat", "dlx", wrong])
    page = agreement.to_html()
    Balanced(page)
    assert "<h2>Who is wrong</h2>" in page
    assert 'class="outcome bad"' in page
    assert '<tr class="bad"><td>wrong' in page
    assert 'class="pen s-strike"' in page  # the cells that break a rule


def test_a_report_without_a_solution_or_a_certificate():
    page = check("11.. .... .... ....", certify=False).to_html()
    Balanced(page)
    assert "no solution, by agreement" in page
    assert "There is no certificate" in page


def test_what_others_say_is_text():
    nasty = cs.where("R1C1 R1C2", lambda a, b: a < b, text="<script>alert('&')</script>\x07")
    page = check(cs.read("0100 3001 4002 0040").add(nasty)).to_html()
    Balanced(page)
    assert "<script" not in page
    assert "cannot be written down" in page  # a rule that is a function


def test_the_command_is_the_one_that_was_given(unique):
    assert "csp-sudoku &#x27;a b&#x27;" in unique.to_html(["csp-sudoku", "a b"])


def test_in_a_notebook_it_is_a_part_of_the_page(unique):
    part = unique._repr_html_()
    Balanced(part)
    assert "<html" not in part
    assert "one solution, certified" in part


@pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed (apt-get install chromium)")
@pytest.mark.parametrize("dark", [False, True])
def test_a_browser_shows_the_report(several, tmp_path, dark):
    page = tmp_path / "report.html"
    page.write_text(several.to_html(), encoding="utf-8")
    picture = tmp_path / "report.png"
    scheme = ["--blink-settings=preferredColorScheme=0"] if dark else []
    done = subprocess.run(
        [
            BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--no-first-run", "--disable-extensions", "--disable-background-networking",
            "--disable-component-update", f"--user-data-dir={tmp_path / 'profile'}",
            "--enable-logging=stderr", "--v=0", *scheme,
            "--window-size=900,1400", f"--screenshot={picture}", page.as_uri(),
        ],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    # Whatever the page's policy refused, or a script failed at, would be on the console.
    assert "CONSOLE" not in done.stderr
    assert _colours(picture, dark)


def _colours(picture, dark):
    """Whether the corner of the picture has the colour of the page, and its middle is not empty."""
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed").open(picture)
    shown = image.convert("RGB")
    assert shown.getpixel((2, 2)) == ((28, 30, 34) if dark else (255, 255, 255))
    return len(shown.getcolors(1 << 24)) > 20


MARKUP = '<script>alert(1)</script>" onload="x" \' & ]]> --> </title></svg>'
NASTY = f"{MARKUP} \0\7\x1b\x7f\x85\ud800\ufffe"


def drawn_by_a_stranger():
    """A document of f-puzzles whose texts are markup; what nobody understands is left out."""
    rows = [[{"value": int(v), "given": True} if v != "0" else {} for v in row] for row in FOUR]
    document = {"size": 4, "title": NASTY, "author": NASTY, "ruleset": NASTY, "grid": rows}
    document["text"] = [{"cells": ["R1C1"], "value": NASTY}]
    document["killercage"] = [{"cells": ["R2C2", "R2C3"], "value": "6"}]
    puzzle = cs.read(json.dumps(document), lenient=True)
    assert any("script" in reason for reason in puzzle.left_out)
    return puzzle.add(cs.where("R1C1 R1C3", lambda a, b: a < b, text=NASTY))


PAGES = {
    "render": cs.render_svg,
    "cross-check": lambda puzzle: check(puzzle).to_html(["csp-sudoku", NASTY]),
    "explain": lambda puzzle: explanation_page(cs.explain(puzzle.without_givens())),
    "watch": lambda puzzle: cs.watch(puzzle, "ac3"),
}


class Tags(HTMLParser):
    """The tags of a page and the names of their attributes."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes = [], set()
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attributes}


@pytest.mark.parametrize("name", PAGES)
def test_texts_of_strangers_are_no_markup(name):
    page = PAGES[name](drawn_by_a_stranger())
    plain = PAGES[name](cs.read("".join(FOUR)).add(cs.KillerCage("R2C2 R2C3", 6)))
    assert "alert(1)" in page
    assert page.encode().decode() == page
    assert all(sign.isprintable() or sign == "\n" for sign in page)
    found, usual = Tags(page), Tags(plain)
    assert found.tags.count("script") == usual.tags.count("script")
    assert not {key for key in found.attributes if key.startswith("on")}
    pictures = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(pictures) >= len(re.findall("<svg", page)) > 0
    for picture in pictures:
        tags = [
            element.tag.rpartition("}")[2] for element in ElementTree.fromstring(picture).iter()
        ]
        assert "script" not in tags
