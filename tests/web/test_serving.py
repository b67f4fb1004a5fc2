"""The page of `csp-sudoku serve`, in a real browser."""

import asyncio
import json
import socket
import threading
from contextlib import suppress
from dataclasses import replace
from functools import partial
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

import csp_sudoku as cs
from csp_sudoku import manual
from csp_sudoku.constraints import registry
from csp_sudoku.web import asking, serving

FOUR = "0100300140020040"
DOCUMENT = cs.write_json(cs.read(FOUR))


@pytest.fixture(scope="module")
def address():
    """A server in a thread."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    started, end = threading.Event(), None

    async def run():
        nonlocal end
        task = asyncio.create_task(serving.serve(port, ready=lambda at: started.set()))
        end = partial(asyncio.get_running_loop().call_soon_threadsafe, task.cancel)
        with suppress(asyncio.CancelledError):
            await task

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    assert started.wait(60)
    yield f"http://localhost:{port}"
    end()
    thread.join(60)


def ask(command, **more):
    message = {"nonce": 1, "command": command, "document": DOCUMENT, **more}
    return list(asking.answers(message, threading.Event()))


def test_a_puzzle_and_its_board():
    [read] = ask("read", text=FOUR)
    assert (len(read["cells"]), read["values"], read["type"]) == (16, [1, 2, 3, 4], "read")
    assert (read["cells"][5], read["givens"]["R1C2"]) == (["R2C2", 1, 1], 1)
    [look] = ask("look", entered={"R1C1": 1})
    assert look["clashes"]
    assert ">C4<" in look["picture"]
    # Own marks are drawn, but not over a digit; true candidates instead of them if asked.
    drawn = [ask("look", **more)[0]["picture"].count("<text") for more in (
        {}, {"marks": {"R1C1": [2, 4]}}, {"marks": {"R1C2": [2]}},
        {"marks": {"R1C1": [2, 4]}, "shown": {"R1C1": [2]}},
    )]  # fmt: skip
    assert [number - drawn[0] for number in drawn] == [0, 2, 0, 1]


def test_live_answers():
    found = ask("live")
    assert (found[0]["solutions"], found[0]["mood"]) == ("one solution", "good")
    assert found[1]["true"]["R1C1"] == [2]
    found = ask("live", entered={"R1C1": 1})
    assert found[0]["solutions"] == "no solution"
    assert "R1C1 is 1" in found[1]["why"]
    several = cs.write_json(cs.read("1... ..3. .... ...2"))
    assert ask("live", document=several)[-1]["solutions"] == "3 solutions"
    partly = cs.write_json(replace(cs.read(FOUR), left_out=("a fog of war",)))
    assert (
        ask("live", document=partly)[0]["solutions"] == "one solution by the rules that were read"
    )


def test_layers_are_no_cells_of_the_board():
    puzzle = cs.Puzzle.blank(4).add(cs.YinYang())
    found = ask("live", document=cs.write_json(puzzle))
    assert {*found[1]["true"]} == {str(cell) for cell in puzzle.cells}


def test_why_hint_and_rating():
    [why] = ask("why", cell="R1C1", value=1)
    assert why["text"].startswith("R1C1 is not 1")
    [hint] = ask("hint")
    assert (hint["placed"], hint["marks"]) == ({"R2C2": 4}, {})
    assert ask("rate")[0]["text"].startswith("1.2 ")
    # A step that removes candidates gives all marks; with these the next hint is another one.
    hard = cs.write_json(cs.read(asking.examples()["hard"]))
    entered, marks, seen = {}, {}, []
    for _ in range(3):
        [hint] = ask("hint", document=hard, entered=entered, marks=marks)
        seen.append(hint["text"])
        entered, marks = {**entered, **hint["placed"]}, {**marks, **hint["marks"]}
    assert len({*seen}) == 3
    assert marks


def test_solvers_are_compared():
    *rows, end = ask("compare")
    assert end["verdict"] == "one solution, certified"
    assert end["details"][0].startswith("certified: the CNF of this graph")
    assert "<h2>What was established</h2>" in end["content"]
    last = {row["row"]["solver"]: row["row"] for row in rows}
    assert last.keys() >= {"sat", "cpsat", "lp", "dlx", "search"}
    assert {row["says"] for row in last.values()} == {"all found"}
    assert last["dlx"]["work"].endswith(" nodes")


def test_a_comparison_can_be_cancelled():
    cancel = threading.Event()
    message = {"command": "compare", "document": cs.write_json(cs.Puzzle.blank(16))}
    found = asking.answers(message, cancel)
    assert next(found)["row"]["solver"]
    cancel.set()
    assert list(found) == []


def test_films():
    [film] = ask("film", algorithm="lp")
    assert film["film"]["frames"]
    [saved] = ask("save-film", algorithm="ac3")
    assert saved["file"] == "ac3.html"
    assert "arcs wait in the queue" in saved["content"]


def test_every_rule_can_be_added_and_removed():
    """What a form holds are texts; they make the same rule."""
    for name, kind in registry.built_in().items():
        example, puzzle = next(manual.on_boards(kind), (None, None))
        entry = manual.json_of(example) if example else ""
        if not entry or puzzle.named:
            continue  # a function, or a rule about a layer that a board has not
        typed = {
            key: " ".join(value) if key != "type" and _is_listing(value) else _typed(value)
            for key, value in json.loads(entry).items()
        }
        blank = cs.write_json(puzzle.without(*puzzle.constraints))
        [more] = ask("change", document=blank, add=typed)
        assert cs.read(more["document"]).constraints == puzzle.constraints, name
        [less] = ask("change", document=more["document"], remove=0)
        assert less["rules"] == []


def _is_listing(value):
    return isinstance(value, list) and all(isinstance(part, str) for part in value)


def _typed(value):
    return value if isinstance(value, str) else json.dumps(value)


def test_rules_are_found_with_pictures_and_fields():
    [found] = ask("rules", text="thermo")
    [rule] = found["rules"]
    assert (rule["name"], rule["fields"][0]["name"], found["more"]) == ("thermometer", "cells", 0)
    assert rule["picture"].startswith("<svg")
    [found] = ask("rules")
    assert len(found["rules"]) + found["more"] == len(registry.kinds())


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"command": "dance"},
        {"command": "read", "text": ""},
        {"command": "read", "text": "hello"},
        {"command": "look", "document": "{}"},
        {"command": "look", "document": DOCUMENT, "entered": [1]},
        {"command": "look", "document": DOCUMENT, "entered": {"R9C9": 1}},
        {"command": "look", "document": DOCUMENT, "marks": {"R1C1": [9]}},
        {"command": "look", "document": DOCUMENT, "shown": {"R1C1": 2}},
        {"command": "change", "document": DOCUMENT},
        {"command": "change", "document": DOCUMENT, "remove": 0},
        {"command": "change", "document": DOCUMENT, "add": {"type": "warp"}},
        {"command": "change", "document": DOCUMENT, "add": {"type": "thermometer"}},
        {"command": "why", "document": DOCUMENT, "cell": "R1C1", "value": "x"},
        {"command": "film", "document": DOCUMENT, "algorithm": "x"},
    ],
)
def test_bad_messages_are_our_own_errors(message):
    with pytest.raises(cs.CspSudokuError):
        list(asking.answers(message, threading.Event()))


def test_files_and_origins(address):
    page = urlopen(address).read().decode()
    assert "<title>csp-sudoku</title>" in page
    assert "http" not in page  # nothing from elsewhere
    for name in ("page.js", "page.css", "player.js", "player.css"):
        assert urlopen(f"{address}/{name}").status == 200
    with pytest.raises(HTTPError, match="404"):
        urlopen(f"{address}/../secret")
    with pytest.raises(InvalidStatus):
        connect(address.replace("http", "ws") + "/ask", origin="https://elsewhere.example")


def test_the_page(address, page):
    expect = pytest.importorskip("playwright.sync_api").expect
    expect.set_options(timeout=30_000)
    status, answer = page.locator("#status"), page.locator("#answer")
    page.goto(address)
    page.fill("#text", FOUR)
    page.click("text=Read")
    expect(page.locator("#title")).to_contain_text("4×4")
    expect(status).to_have_text("one solution")
    # A wrong digit: a clash, and why there is no solution.
    page.focus("#board")
    page.keyboard.press("1")
    expect(status).to_have_text("no solution")
    expect(page.locator("#clashes li").first).to_contain_text("R1C1")
    expect(page.locator("#clashes")).to_contain_text("R1C1 is 1")
    page.click("#undo")
    expect(status).to_have_text("one solution")
    # Why a candidate is impossible, on a click.
    page.click("#pad button.impossible >> nth=0")
    expect(answer).to_contain_text("R1C1 is not 1")
    # A hint, and do it.
    page.click("[data-ask=hint]")
    page.click("text=Do it")
    expect(page.locator("#board svg")).to_contain_text("4")
    # Own marks, in all selected cells.
    page.focus("#board")
    page.keyboard.press("m")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("3")
    expect(page.locator("#where")).to_have_text("R1C1: marks 3")
    page.keyboard.press("Control+z")
    expect(page.locator("#where")).to_have_text("R1C1: empty")
    page.keyboard.press("m")
    # A rule comes and goes; its form has the selected cells.
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.fill("#search", "killer-cage")
    page.click("#found button")
    expect(page.locator("#add [name=cells]")).to_have_value("R1C2 R1C3")
    page.fill("#add [name=sum]", "9")
    page.click("#add >> text=Add")
    expect(status).to_have_text("no solution")
    page.click("#rules li button")
    expect(page.locator("#rules li")).to_have_count(0)


def test_reports_and_films_are_saved(address, page):
    expect = pytest.importorskip("playwright.sync_api").expect
    expect.set_options(timeout=30_000)
    page.goto(address)
    page.select_option("#example", label="4×4")
    expect(page.locator("#title")).to_contain_text("4×4")
    page.click("[data-ask=compare]")
    expect(page.locator("#answer")).to_contain_text("one solution, certified")
    with page.expect_download() as report:
        page.click("text=Save the report")
    assert report.value.suggested_filename == "report.html"
    page.select_option("#algorithm", "ac3")
    expect(page.locator(".player .says")).to_contain_text("arcs wait in the queue")
    page.click("[data-go=next]")
    expect(page.locator(".player .depth")).to_contain_text("frame 2 of")
    with page.expect_download() as film:
        page.click("text=Save as a page")
    assert film.value.suggested_filename == "ac3.html"


def test_numbers_of_two_digits(address, page):
    expect = pytest.importorskip("playwright.sync_api").expect
    page.goto(address)
    page.fill("#text", "." * 256)
    page.click("text=Read")
    expect(page.locator("#title")).to_contain_text("16×16")
    page.focus("#board")
    page.keyboard.type("12")
    expect(page.locator("#where")).to_have_text("R1C1: 12")
    page.keyboard.press("ArrowRight")
    page.keyboard.type("3")
    expect(page.locator("#where")).to_have_text("R1C2: 3")


def test_a_phone_needs_no_scrolling_to_the_side(address, page):
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(address)
    page.wait_for_selector("#board svg")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
