"""The page of `csp-sudoku serve`, in a real browser."""

import asyncio
import socket
import threading
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

import csp_sudoku as cs
from csp_sudoku.web import asking, serving

FOUR = "0100300140020040"
DOCUMENT = cs.write_json(cs.read(FOUR))


@pytest.fixture(scope="module")
def address():
    """A server in a thread."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    started, loop = threading.Event(), asyncio.new_event_loop()
    task = None

    def run():
        nonlocal task
        task = loop.create_task(serving.serve(port, ready=lambda at: started.set()))
        with pytest.raises(asyncio.CancelledError):
            loop.run_until_complete(task)
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()

    thread = threading.Thread(target=run)
    thread.start()
    assert started.wait(60)
    yield f"http://localhost:{port}"
    loop.call_soon_threadsafe(task.cancel)
    thread.join(60)


def ask(command, **more):
    message = {"nonce": 1, "command": command, "document": DOCUMENT, **more}
    return list(asking.answers(message, threading.Event()))


def test_answers():
    [read] = ask("read", text=FOUR)
    assert (len(read["cells"]), read["values"], read["type"]) == (16, [1, 2, 3, 4], "read")
    [look] = ask("look", entered={"R1C1": 1})
    assert look["clashes"]
    assert "<svg" in look["picture"]
    found = ask("live")
    assert found[0]["solutions"] == "one solution"
    assert found[1]["marks"]["R1C1"] == [2]
    found = ask("live", entered={"R1C1": 1})
    assert found[0]["solutions"] == "no solution"
    assert "R1C1 is 1" in found[1]["why"]
    [why] = ask("why", cell="R1C1", value=1)
    assert why["text"].startswith("R1C1 is not 1")
    [hint] = ask("hint")
    assert hint["placed"] == {"R2C2": 4}
    assert ask("rate")[0]["text"].startswith("1.2 ")
    *rows, verdict = ask("compare")
    assert verdict["verdict"] == "all that answered agree"
    assert {row["row"]["solver"] for row in rows} >= {"sat", "cpsat", "lp", "dlx", "search"}
    [film] = ask("film", algorithm="lp")
    assert film["film"]["frames"]
    assert ask("rules", text="thermo")[0]["rules"][0]["name"] == "thermometer"
    [more] = ask("describe", add={"type": "anti-knight", "cells": ["R1C1"]})
    assert more["rules"] == ["cells a knight's move apart hold different values"]


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
        {"command": "describe", "document": DOCUMENT, "add": {"type": "warp"}},
        {"command": "describe", "document": DOCUMENT, "add": {"type": "thermometer"}},
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
    expect(answer).to_contain_text("R1C1 is 1")
    page.click("#undo")
    expect(status).to_have_text("one solution")
    # Why a candidate is impossible, on a click.
    page.click("#pad button.impossible >> nth=0")
    expect(answer).to_contain_text("R1C1 is not 1")
    # A hint, and do it.
    page.click("[data-ask=hint]")
    page.click("text=Do it")
    expect(page.locator("#board svg")).to_contain_text("4")
    # A rule comes and goes.
    page.fill("#rule", "anti-knight")
    page.click("#add button")
    expect(page.locator("#rules li")).to_have_count(1)
    page.click("#rules li button")
    expect(page.locator("#rules li")).to_have_count(0)
    # Solvers side by side, and a film.
    page.click("[data-ask=compare]")
    expect(answer).to_contain_text("all that answered agree")
    page.select_option("#algorithm", "ac3")
    expect(page.locator(".player .says")).to_contain_text("arcs wait in the queue")
    page.click("[data-go=next]")
    expect(page.locator(".player .depth")).to_contain_text("frame 2 of")


def test_a_phone_needs_no_scrolling_to_the_side(address, page):
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(address)
    page.wait_for_selector("#board svg")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
