"""Sessions that grow, and counting of some places, against compiling anew."""

from __future__ import annotations

import pytest

import csp_sudoku as cs
from csp_sudoku.constraints import registry

FOUR = cs.Puzzle.blank(4)
OPEN = "." * 16
BACKENDS = ["sat", "auto", "cpsat", "search", "dlx", "brute"]


def examples():
    for kind in registry.built_in().values():
        for example in kind.examples():
            try:
                FOUR.add(example)
            except cs.CspSudokuError:
                continue
            yield example
            break


@pytest.mark.parametrize("backend", BACKENDS)
def test_solve_forbid_solve_again_meets_every_solution(backend):
    puzzle = FOUR.with_givens({"R1C1": 1, "R1C2": 2, "R2C3": 1, "R4C4": 3})
    found = []
    with cs.session(puzzle, backend) as session:
        while solutions := session.solve(puzzle).solutions:
            found.append(solutions[0].text)
            row = [solutions[0][cell] for cell in FOUR.cells]
            session.add(~cs.Table(FOUR.cells, [row]))
    assert sorted(found) == sorted(s.text for s in cs.solutions(puzzle, "brute"))


def test_every_rule_can_be_added_and_left_out():
    """Each rule on one solver: alone, beside a cage that is switched, and left out again."""
    cage = cs.KillerCage("R1C1 R1C2", 5)
    with cs.session(FOUR.add(cage), "sat") as session:
        for example in examples():
            grown = session.without(cage)
            grown.add(example)
            assert grown.rules == FOUR.add(example)
            assert grown.count(OPEN, limit=50).value == _count(FOUR.add(example)), example
            grown.add(cage)
            assert grown.count(OPEN, limit=50).value == _count(FOUR.add(example, cage)), example
            less = grown.without(example)
            assert less.count(OPEN, of="grid").value == 96
        assert session.count(OPEN).value == 96


def _count(puzzle):
    return cs.count(puzzle, limit=50).value


def test_which_clues_are_needed():
    clues = [cs.GreaterThan("R1C1 R1C2"), cs.GreaterThan("R1C2 R1C3"), cs.GreaterThan("R1C1 R1C3")]
    with cs.session(FOUR.add(*clues), "sat") as session:
        full = session.count(OPEN).value
        needed = [clue for clue in clues if session.without(clue).count(OPEN).value > full]
    assert needed == clues[:2]


def test_a_mark_that_is_added_or_taken_away_changes_a_negative_rule():
    dots = [cs.Difference("R1C2 R1C3", 3), cs.Difference("R3C2 R3C3", 3)]
    rule = cs.NegativeKropki(differences=(3,), ratios=())
    with cs.session(FOUR.add(rule), "sat") as session:
        assert session.count(OPEN).value == 8
        session.add(*dots)
        assert session.count(OPEN).value == 4
        assert session.without(*dots).count(OPEN).value == 8
        alone = cs.count(FOUR.add(*dots)).value
        assert session.without(rule).count(OPEN).value == alone


def test_a_negative_rule_is_remembered_while_other_rules_are_added():
    """It stands before rules that read nothing, and is looked at once."""
    dots = [cs.Difference("R1C2 R1C3", 3), cs.Difference("R3C2 R3C3", 3)]
    less, rule = cs.GreaterThan("R2C1 R1C1"), cs.NegativeKropki(differences=(3,), ratios=())
    with cs.session(FOUR, "sat") as session:
        for added in ([less], [rule], [cs.GreaterThan("R4C4 R4C3")], dots[:1], dots[1:]):
            session.add(*added)
            assert session.count(OPEN).value == cs.count(session.rules).value


def test_variables_come_with_their_rules_and_stay():
    cage = cs.KillerCage("R1C1 R1C2", "$x")
    with cs.session(FOUR, "sat") as session:
        session.add(cage)
        assert session.solve(OPEN).solutions[0]["$x"] in range(3, 8)
        without = session.without(cage)
        assert without.rules == FOUR.add(cage).without(cage)
        assert without.count(OPEN).value == 5 * 288
        assert without.count(OPEN, of="grid").value == 288


def test_a_session_takes_puzzles_of_the_rules_it_has_had():
    rule = cs.GreaterThan("R1C1 R1C2")
    given = FOUR.with_givens({"R1C1": 4})
    with cs.session(FOUR) as session:
        session.add(rule)
        same = FOUR.add(rule).with_givens(given.givens)
        assert session.count(given).value == session.count(same).value == 72
        with pytest.raises(cs.PuzzleError, match="has other rules"):
            session.count(FOUR.add(cs.AntiKing()))
        with pytest.raises(cs.PuzzleError, match="is not a constraint of the puzzle"):
            session.without(cs.AntiKnight())


def test_a_puzzle_with_a_contradiction_stays_one():
    with cs.session(FOUR.add(cs.KillerCage("R1C1 R1C2", 99)), "sat") as session:
        session.add(cs.AntiKnight())
        assert session.count(OPEN).value == 0


# Projection


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("of", ["grid", "R1C1", "R1C1 R2C3 $x", "$x"])
def test_solutions_that_differ_elsewhere_count_once(backend, of):
    puzzle = FOUR.with_named("x", range(3)).with_named("y", range(5)).with_givens({"R3C3": 1})
    puzzle = puzzle.add(cs.Whisper("R1C1 R2C3", "$x"))
    places = FOUR.cells if of == "grid" else cs.cells(of)
    wanted = {tuple(s[p] for p in places) for s in cs.solutions(puzzle, "sat")}
    found = cs.count(puzzle, backend, of=of)
    assert (found.value, found.complete) == (len(wanted), True)
    assert cs.count(puzzle, backend, of=of, limit=2).value == 2
    shown = [tuple(s[p] for p in places) for s in cs.solutions(puzzle, backend, of=of)]
    assert len(shown) == len(wanted)
    assert set(shown) == wanted


@pytest.mark.parametrize("backend", BACKENDS)
def test_unique_in_the_grid(backend):
    puzzle = cs.read("0100 3001 4002 0040").with_named("free", range(7))
    assert not cs.is_unique(puzzle, backend)
    assert cs.is_unique(puzzle, backend, of="grid")
    assert not cs.is_unique(puzzle.without_givens(), backend, of="R1C1")


def test_a_deadline_ends_a_projected_count():
    found = cs.count(cs.Puzzle.blank(9), "search", of="grid", timeout=0)
    assert not found.complete
    assert found.reason


@pytest.mark.parametrize("of", [[], "R9C9", "$z", 5, "the grid"])
def test_places_that_are_not_there_are_refused(of):
    with pytest.raises(cs.CspSudokuError):
        cs.count(FOUR, of=of)
