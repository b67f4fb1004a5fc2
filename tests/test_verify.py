"""The checker: names every broken rule, on full and on partial grids, and knows no encoding."""

import copy
import pickle
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import csp_sudoku as cs
from csp_sudoku.checking.verify import Verification, keeps_rules, violations
from csp_sudoku.constraints import registry

GRID = "2134342143121243"
EVERY = [example for c in registry.built_in().values() for example in c.examples()]


@pytest.mark.parametrize(
    ("grid", "rules", "verdict", "broken"),
    [
        (GRID, [], "CORRECT", []),
        (GRID.replace("1", "."), [], "OPEN", []),
        ("." * 16, [cs.AntiKing()], "OPEN", []),
        ("22" + "." * 14, [], "BROKEN", ["row 1: R1C1 and R1C2 both hold 2",
                                         "box 1: R1C1 and R1C2 both hold 2"]),
        (GRID, [cs.AntiKnight()], "BROKEN", None),
        (GRID, [cs.Thermometer("R1C1 R1C2")], "BROKEN",
         ["thermometer at R1C1: R1C1=2, R1C2=1, but values increase along the thermometer "
          "R1C1 R1C2"]),
        # A partial cage that no value of the last cell can save.
        ("4" + "." * 15, [cs.KillerCage("R1C1 R1C2", 4)], "BROKEN", None),
        ("3" + "." * 15, [cs.KillerCage("R1C1 R1C2", 4)], "OPEN", []),
        ("9" + GRID[1:], [], "BROKEN", ["R1C1 holds 9, which is not a value here"]),
    ],
)  # fmt: skip
def test_verdicts(grid, rules, verdict, broken):
    values = {
        place: int(mark)
        for place, mark in zip(cs.Puzzle.blank(4).cells, grid, strict=True)
        if mark != "."
    }
    found = cs.verify(cs.Puzzle.blank(4).add(*rules), values)
    assert found.verdict.name == verdict
    assert found.ok is (verdict == "CORRECT")
    assert bool(found.violations) is (verdict == "BROKEN")
    if broken is not None:
        assert [str(v) for v in found.violations] == broken


def test_a_given_that_was_changed_is_named():
    puzzle = cs.read("1" + "." * 15)
    [violation] = cs.verify(puzzle, GRID).violations
    assert str(violation) == "R1C1 holds 2, but 1 is given"


def test_every_form_of_a_grid_is_taken():
    puzzle = cs.Puzzle.blank(4)
    [solution] = cs.solve(puzzle).solutions
    rows = [list(row) for row in solution.rows]
    for form in (solution, solution.text, rows, dict(solution)):
        assert cs.verify(puzzle, form).ok


def test_a_place_outside_is_refused():
    with pytest.raises(cs.PuzzleError, match="R9C9 is outside"):
        cs.verify(cs.Puzzle.blank(4), {"R9C9": 1})


@given(st.integers(0, 80), st.integers(1, 9))
def test_a_corrupted_cell_names_a_rule(index, value):
    text = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
    spoilt = text[:index] + str(value) + text[index + 1 :]
    found = cs.verify(cs.Puzzle.blank(9), spoilt)
    place = cs.Puzzle.blank(9).cells[index]
    if spoilt == text:
        assert found.ok
    else:
        assert len(found.violations) == 3
        assert all(place in violation.cells for violation in found.violations)


@given(st.data())
def test_what_is_called_broken_has_no_completion(data):
    """On a partial grid: BROKEN only where no solution extends it, on every kind of rule."""
    rules = data.draw(st.lists(st.sampled_from(EVERY), max_size=2))
    puzzle = cs.Puzzle.blank(4).add(*rules)
    filled = data.draw(
        st.dictionaries(st.sampled_from(puzzle.cells), st.integers(1, 4), max_size=6)
    )
    if cs.verify(puzzle, filled).verdict is cs.Verdict.BROKEN:
        assert cs.solve(puzzle.with_givens(filled)).status is cs.Status.NONE_EXIST


def test_a_wrong_answer_of_a_backend_is_caught():
    from csp_sudoku.backends.base import Backend, Enumeration, Session, Statistics

    class Liar(Backend):
        name = "liar"
        summary = "says 1 everywhere"

        def compile(self, graph, *, deadline=None):
            class Lies(Session):
                def enumerate(self, request):
                    wrong = dict.fromkeys(cs.Puzzle.blank(4).cells, 1)
                    return Enumeration(iter([wrong]), Statistics())

            return Lies()

    with pytest.raises(cs.WrongAnswerError, match="backend liar .* row 1"):
        cs.solve(cs.Puzzle.blank(4), Liar())
    with pytest.raises(cs.WrongAnswerError):
        cs.count(cs.Puzzle.blank(4), Liar())


# The short check takes other ways where values are not small, places are many, domains differ, or
# a place is in no house.
SHORT = [
    cs.Puzzle.blank(4).add(cs.AntiKnight()),
    cs.Puzzle.blank(4, values=(-7, 0, 5, 10**6)).add(cs.AllDifferent("R1C1 R2C2 R3C4")),
    cs.Puzzle.blank(3, box=None, row_houses=False, values=range(5)),
    cs.Puzzle.blank(2, box=None, row_houses=False, column_houses=False),
    cs.Puzzle.blank(4).with_named("x", range(3, 8)).add(
        cs.Sum(["R1C1 R1C2", cs.Var("x")], 0, (1, 1, -1))
    ),
    cs.Puzzle.blank(4).with_named("x", range(300)).with_givens({"R1C1": 2}),
    cs.Puzzle.blank(25, box=(5, 5)),
]  # fmt: skip


@cache
def solution(number):
    return cs.solve(SHORT[number]).solutions[0]


@given(st.data())
def test_the_short_check_is_the_long_one(data):
    number = data.draw(st.integers(0, len(SHORT) - 1))
    puzzle, values = SHORT[number], dict(solution(number))
    places = st.sampled_from(puzzle.variables)
    for place in data.draw(st.lists(places, max_size=3)):
        other = st.sampled_from(puzzle.values_of(data.draw(places)))
        values[place] = data.draw(st.one_of(other, st.integers(-8, 9)))
    assert keeps_rules(puzzle, values) == (not violations(puzzle, values))


def test_details_of_a_wrong_grid_come_on_demand():
    """The verdict is there at once; details are those of the slow way, also after pickling."""
    puzzle = cs.read("0100 3001 4002 0040").add(cs.Diagonals())
    wrong = "2134342143121244"
    broken = violations(puzzle, cs.read(wrong).givens)
    slow = Verification(cs.Verdict.BROKEN, broken, ())
    for found in (
        cs.verify(puzzle, wrong),
        pickle.loads(pickle.dumps(cs.verify(puzzle, wrong))),
        copy.copy(cs.verify(puzzle, wrong)),
    ):
        assert found.verdict is slow.verdict
        assert (found == slow, hash(found), repr(found)) == (True, hash(slow), repr(slow))
        assert found.violations
    with pytest.raises(AttributeError, match="'nonsense'"):
        cs.verify(puzzle, wrong).nonsense  # noqa: B018
