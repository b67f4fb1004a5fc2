"""Explanations and hints: their endings, their states, and grids that contradict themselves."""

import pytest

import csp_sudoku as cs
from csp_sudoku.strategies import Ending

EASY = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
SMALL = "0100 3001 4002 0040"
MARKS = """
    123 5 1236 36 4 123   5 346 134 14 2 1346   236 146 123 2456 135 1345
    4 2 36 136 15 156   1236 1346 45 125 135 3456   13 13 245 245 6 245
"""


def test_states_lead_from_the_puzzle_to_the_solution():
    explanation = cs.explain(SMALL)
    assert explanation.state(0).givens.items() >= explanation.puzzle.givens.items()
    open_cells = [16 - len(explanation.state(i).givens) for i in range(len(explanation.steps) + 1)]
    assert open_cells == sorted(open_cells, reverse=True)
    assert open_cells[-1] == 0
    assert explanation.solution == cs.solve(SMALL).solutions[0]


def test_a_hint_is_the_first_step():
    assert cs.hint(EASY) == cs.explain(EASY).steps[0]


def test_hints_one_by_one_lead_to_the_solution():
    puzzle = cs.read(SMALL)
    for _ in range(16):
        step = cs.hint(puzzle)
        if step is None:
            break
        puzzle = puzzle.with_givens(dict(step.placements))
    assert cs.verify(puzzle, puzzle.givens).ok


def test_pencil_marks_are_used():
    marks = {"R1C1": [1, 2], "R1C5": [1, 2]}
    step = cs.hint(cs.Puzzle.blank(9).with_givens(marks))
    assert step.technique == "naked pair"
    assert step.sentence.startswith("R1C1 and R1C5 of row 1 hold only 1 and 2: R1C2, R1C3,")


def test_a_hint_on_a_clash_names_the_cells():
    step = cs.hint("1..1 .... .... ....")
    assert step.technique == "contradiction"
    assert step.cells == cs.cells("R1C1 R1C4")
    assert not step.conclusions


def test_a_hint_on_a_wrong_value_says_what_it_clashes_with():
    wrong = cs.read(EASY).with_givens({"R1C3": 2})  # the solution has a 4
    step = cs.hint(wrong)
    assert step.technique == "contradiction"
    assert step.sentence.startswith("this grid cannot be completed: ")
    assert "R1C3 is 2" in step.sentence
    assert cs.cell("R1C3") in step.cells


def test_a_filled_grid_needs_no_hint():
    assert cs.hint(cs.solve(EASY).solutions[0].text) is None


def test_several_solutions():
    explanation = cs.explain("12.. .... .... ..2.")
    assert explanation.ending is Ending.SEVERAL_SOLUTIONS
    assert "there are several solutions: R1C3, R1C4, R2C1" in explanation.remark
    assert {str(place) for step in explanation.steps for place, _ in step.placements} == {
        "R2C4",
        "R3C1",
        "R2C3",
    }
    assert explanation.solution is None
    step = cs.hint(cs.Puzzle.blank(4))
    assert step.technique == "several solutions"
    assert len(step.cells) == 16


@pytest.mark.parametrize(
    ("puzzle", "why"),
    [
        ("11.. .... .... ....", "R1C2 and R1C1 see each other and would both be 1"),
        ("123. ...4 .... ....", "R1C4 has no candidate left"),
        (cs.Puzzle.blank(4).with_givens({"R1C1": []}), "R1C1 has no candidate left"),
        (
            cs.Puzzle.blank(4).add(cs.KillerCage("R1C1 R1C2 R2C1", 5)),
            "the cells R1C1 R1C2 R2C1 of the cage differ and sum to 5: that cannot be kept",
        ),
    ],
)
def test_no_solution(puzzle, why):
    explanation = cs.explain(puzzle)
    assert explanation.ending is Ending.NO_SOLUTION
    assert explanation.remark == f"there is no solution: {why}"


def test_time_runs_out():
    explanation = cs.explain(EASY, timeout=0)
    assert explanation.ending is Ending.OUT_OF_TIME
    with pytest.raises(cs.UndecidedError):
        cs.hint(EASY, timeout=0)


@pytest.fixture
def beyond_techniques(monkeypatch):
    """A position that only nested forcing can go on from, which is out of the way."""
    monkeypatch.setattr("csp_sudoku.strategies.oracle._NESTED_CANDIDATES", 0)
    latin = cs.Puzzle.blank(6, box=None)
    return latin.with_givens(
        {cell: list(map(int, mark)) for cell, mark in zip(latin.cells, MARKS.split(), strict=True)}
    )


def check_false(puzzle, step):
    assert step.eliminations
    for place, value in step.eliminations:
        assert not cs.solve(puzzle.with_givens({place: value}), "cpsat").solutions


def test_a_proof_by_lemmas(beyond_techniques):
    step = cs.hint(beyond_techniques)
    assert step.technique == "proof"
    assert 9.9 <= step.score <= 11.4
    assert "lemma 1: " in step.sentence
    assert "(lemma 1)" in step.sentence
    check_false(beyond_techniques, step)


def test_a_proof_that_only_names_the_rules(beyond_techniques, monkeypatch):
    monkeypatch.setattr("csp_sudoku.strategies.proofs.Prover.steps", lambda *_: [])
    step = cs.hint(beyond_techniques)
    assert (step.technique, step.score) == ("proof", 12.0)
    assert "hold each value once" in step.sentence
    assert step.rules
    check_false(beyond_techniques, step)
    # The candidates of its cells are enough.
    held = {cell: beyond_techniques.candidates_of(cell) for cell in step.cells}
    check_false(cs.Puzzle.blank(6, box=None).with_givens(held), step)


def test_a_hint_and_an_explanation_show_themselves_in_a_notebook():
    step = cs.hint("0100 3001 4002 0040")
    assert step._repr_svg_().startswith("<svg")
    explanation = cs.explain("0100 3001 4002 0040")
    assert explanation.steps[0]._repr_svg_() is None  # which says so in words
    assert explanation._repr_html_().count("<figcaption>") == len(explanation.steps)
