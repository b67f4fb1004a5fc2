"""Films of the algorithms: they show what the engines did, and play in a browser."""

import json
import re
from itertools import pairwise

import pytest

import csp_sudoku as cs
from csp_sudoku.cli import main
from csp_sudoku.textbook import Covered, SolutionFound, Uncovered
from csp_sudoku.textbook.dancing_links import algorithm_x
from csp_sudoku.textbook.tracing import exact_cover
from csp_sudoku.watching import ALGORITHMS, watch
from csp_sudoku.watching.covering import Covering
from csp_sudoku.watching.learning import watch_sat
from csp_sudoku.watching.page import film_of

FOUR = "..3. ..4. 2.13 ...4"
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
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
@pytest.mark.parametrize("text", ["1... 1... .... ....", "123. ...4 .... ...."])
def test_what_has_no_solution_ends_without_one(algorithm, text):
    frames = film_of(text, algorithm)["frames"]
    kinds = {frame["k"] for frame in frames}
    assert "solution" not in kinds
    assert "dead end" in kinds


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


def test_ac3_shows_its_queue():
    frames = film_of(FOUR, "ac3")["frames"]
    lines = [line for frame in frames for line in frame.get("n", [])]
    assert any(line.startswith("the queue: (R") for line in lines)
    # Each frame is an arc; the first in the queue is revised next, unless it removes nothing.
    for before, after in pairwise(frames[1:-1]):
        idle = any(line.startswith("revised before") for line in after["n"])
        queue = before["n"][-1].removeprefix("the queue: ")
        assert idle or f"revise {queue}".startswith(after["t"].partition(":")[0])


def test_dancing_links_show_every_event():
    cages = cs.Puzzle.blank(4).add(cs.Thermometer("R1C1 R1C2"), cs.KillerCage("R2C1 R2C2", 5))
    puzzle = cages.with_givens({"R4C4": 1})
    start, *frames = Covering(puzzle).frames()
    assert start.kind == "start"
    for frame, event in zip(frames, algorithm_x(exact_cover(puzzle.graph)), strict=False):
        if isinstance(event, Covered | Uncovered):
            assert event.item in frame.text
        if isinstance(event, SolutionFound):
            assert frame is frames[-1]
            assert cs.verify(puzzle, {p: left[0] for p, left in frame.candidates.items()}).ok
            break
        assert frame.kind != "solution"


def test_a_dead_end_of_dancing_links_is_an_item_without_options():
    film = film_of("1... 1... .... ....", "dlx")
    [dead] = [frame for frame in film["frames"] if frame["k"] == "dead end"]
    item = film["matrix"]["items"][dead["i"]]
    assert dead["t"] == f"{item} has no option left"
    with_item = [n for n, row in enumerate(film["matrix"]["rows"]) if dead["i"] in row]
    assert {*with_item} <= {*dead["h"]}
    # What is covered is uncovered again, to the whole matrix.
    assert "h" not in film["frames"][-1]


def test_the_sat_solver_decides_learns_and_goes_back():
    puzzle = cs.read(HARD)
    frames = list(watch_sat(puzzle))
    assert {frame.kind for frame in frames} == {
        "start", "choice", "step", "dead end", "undo", "solution",
    }  # fmt: skip
    [solution] = cs.solve(puzzle).solutions
    for before, after in pairwise(frames):
        # A decision adds a level, a step back removes some; nothing else changes the depth.
        change = after.depth - before.depth
        assert change == 1 if after.kind == "choice" else change <= 0
        assert change == 0 or after.kind in ("choice", "undo")
        if after.kind == "dead end":  # what is learnt holds in the solution
            words = after.text.removeprefix("conflict: learn ").split(" or ")
            holds = [_holds(word, solution) for word in words if "more" not in word]
            assert any(holds) or "more" in words[-1]
    for frame in frames:
        if frame.depth == 0:  # without a decision, nothing of the solution is lost
            assert all(solution[p] in left for p, left in frame.candidates.items())


def _holds(word, solution):
    sign = "≠" if "≠" in word else "="
    place, value = word.split(sign)
    return (solution[cs.cell(place)] == int(value)) == (sign == "=")


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
    for _ in range(7):  # an item, a choice, three items; then the next
        page.keyboard.press("ArrowRight")
    assert page.locator(".says").get_attribute("data-kind") == "choice"
    assert page.locator(".matrix .taken").count() == 8  # two options with four items each
    assert page.locator(".matrix .hidden").count() > 0
    page.keyboard.press("ArrowRight")
    assert page.locator(".matrix .column").count() == 1
