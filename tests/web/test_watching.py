"""Films of the algorithms: they show what the engines did, and play in a browser."""

import json
import re
from itertools import pairwise

import pytest

import csp_sudoku as cs
from csp_sudoku.cli import main
from csp_sudoku.watching import ALGORITHMS, watch
from csp_sudoku.watching.page import film_of

FOUR = "..3. ..4. 2.13 ...4"
# Backtracking comes to a dead end here before it finds the solution.
SIX = "..5.36...45.254.....1......51......."
PUZZLES = {
    "four": cs.read("0100300140020040"),
    "wide": cs.Puzzle.blank(4, 6, box=(2, 2)).with_givens({"R1C1": 1, "R2C4": 3}),
    "from 0": cs.Puzzle.blank(4, values=range(4)).with_givens({"R1C1": 0}),
    "sums": cs.Puzzle.blank(4).add(
        cs.KillerCage("R1C1 R1C2 R2C1", 8), cs.Arrow("R4C4", "R3C3 R4C3")
    ),
}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", PUZZLES)
def test_a_film_ends_with_a_solution_or_what_is_left(algorithm, name):
    puzzle = PUZZLES[name]
    film = film_of(puzzle, algorithm, frames=5_000)
    last = film["frames"][-1]
    if algorithm == "ac3":
        left = cs.ac3(puzzle).domains
        assert [tuple(values) for values in last["c"]] == [left[place] for place in puzzle.cells]
    else:
        assert last["k"] == "solution"
        values = dict(zip(puzzle.cells, [values[0] for values in last["c"]], strict=True))
        assert cs.verify(puzzle, values).ok
        assert all(len(values) == 1 for values in last["c"])


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_what_has_no_solution_ends_without_one(algorithm):
    frames = film_of("1... 1... .... ....", algorithm)["frames"]
    assert "solution" not in {frame["k"] for frame in frames}


def test_nothing_comes_from_nowhere():
    """Values leave a cell by a removal or a choice, and come back by an undoing alone."""
    for algorithm in ("ac3", "backtracking"):
        frames = film_of(FOUR, algorithm)["frames"]
        for before, after in pairwise(frames):
            gone = {(cell, value) for cell, value in after["r"]}
            for cell, (old, new) in enumerate(zip(before["c"], after["c"], strict=True)):
                lost = {(cell, value) for value in {*old} - {*new}}
                assert lost <= gone or after["k"] in {"choice", "undo"}
                assert {*new} <= {*old} or after["k"] in {"choice", "undo"}


def test_backtracking_shows_ties_orders_dead_ends_and_what_is_undone():
    frames = film_of(SIX, "backtracking")["frames"]
    kinds = {frame["k"] for frame in frames}
    assert {"start", "step", "choice", "dead end", "undo"} <= kinds
    lines = [line for frame in frames for line in frame.get("n", [])]
    assert any(line.startswith("MRV: 2 values left in ") for line in lines)
    assert any(line.startswith("LCV tries ") for line in lines)
    for frame in frames:
        assert (frame["k"] == "dead end") <= any(not values for values in frame["c"])


def test_a_long_film_says_that_it_is_cut():
    frames = film_of("." * 81, "ac3", frames=1)["frames"]
    assert len(frames) == 1
    frames = film_of(FOUR, "backtracking", frames=3)["frames"]
    assert (len(frames), frames[-1]["k"]) == (3, "end")
    assert "the film ends here" in frames[-1]["t"]


def test_the_page_needs_nothing_else(tmp_path, capsys):
    target = tmp_path / "film.html"
    assert main(["watch", FOUR, "--algorithm", "dlx", "-o", str(target)]) == 0
    page = target.read_text()
    assert not re.search(r"""(src|href)=|@import|url\(""", page)
    assert main(["watch", FOUR, "--algorithm", "dance"]) == 2
    assert "ac3, backtracking, dlx, lp, sat" in capsys.readouterr().err


def test_the_film_in_the_page_is_read_back():
    page = watch(cs.Puzzle.blank(4).add(cs.AntiKing()), "ac3")
    data = re.search(r'new Player\(document.getElementById\("player"\), (.*)\);\n</script>', page)
    assert json.loads(data[1]) == film_of(cs.Puzzle.blank(4).add(cs.AntiKing()), "ac3")


def test_it_plays(page):
    page.set_content(watch(SIX, "backtracking"))
    says = page.locator(".says")
    assert says.get_attribute("data-kind") == "start"
    page.keyboard.press("ArrowRight")
    assert page.locator(".depth").inner_text().startswith("frame 2 of ")
    page.keyboard.press("d")
    assert says.get_attribute("data-kind") == "dead end"
    assert page.locator(".live .empty").count() >= 1
    page.locator("[data-go=first]").click()
    page.locator("[data-go=play]").click()
    page.wait_for_function("document.querySelector('.depth').innerText.startsWith('frame 3')")


def test_the_matrix_is_drawn(page):
    page.set_content(watch("0100300140020040", "dlx"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.locator(".matrix .taken").count() == 8  # two options with four items each
    assert page.locator(".matrix .hidden").count() > 0
