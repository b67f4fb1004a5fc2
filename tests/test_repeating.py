"""The same call gives the same solutions in the same order, whatever was asked before it."""

import pytest

import csp_sudoku as cs

NINE = cs.Puzzle.blank(9)

# Each has many solutions, and rules of another kind: shared by many puzzles, or its own.
PUZZLES = {
    "houses": NINE.with_givens({"R1C1": 5, "R5C5": 7}),
    "all over the grid": cs.Puzzle.blank(6).add(cs.AntiKnight()).with_givens({"R1C1": 5}),
    "sums": NINE.add(
        cs.KillerCage("R1C1 R1C2 R2C1", 7),
        cs.KillerCage("R5C5 R5C6 R6C5 R6C6", 25),
        cs.KillerCage("R9C1-R9C3", 20),
        cs.KillerCage("R2C9 R3C9", 13),
    ).with_givens({"R9C9": 3}),
    "lines": NINE.add(
        cs.Thermometer("R1C1 R2C2 R3C3 R4C4"),
        cs.Renban("R9C1 R8C2 R7C3"),
        cs.Arrow("R1C9", "R2C9 R3C9"),
    ).with_givens({"R5C5": 3}),
    "no square": cs.Puzzle.blank(2, 6, values=range(1, 9)).add(cs.Whisper("R1C1 R2C2 R1C3")),
    "connected": cs.Puzzle.blank(4).add(cs.ConnectedValues((1, 2, 3))),
}


@pytest.mark.parametrize("backend", ["auto", "auto:kernels=false", "sat", "search", "dlx", "cpsat"])
@pytest.mark.parametrize("kind", PUZZLES)
def test_what_was_asked_before_does_not_matter(kind, backend):
    puzzle = PUZZLES[kind]
    cell = puzzle.cells[3]
    others = [puzzle.with_givens({cell: value}) for value in puzzle.values_of(cell)[:3]]

    def taken(limit):
        return cs.solve(puzzle, backend, limit=limit).solutions

    cs.clear_cache()
    fresh = {limit: taken(limit) for limit in (1, 2, 4)}
    assert len(fresh[4]) == 4
    for limit, first in fresh.items():
        cs.clear_cache()
        assert taken(limit) == first  # in a store that is empty
        assert taken(limit) == taken(limit) == first  # compiled and kept
        for other in others:  # a solver learns
            cs.solve(other, backend, limit=3)
        cs.is_unique(puzzle, backend)
        assert taken(limit) == first


@pytest.mark.parametrize("backend", ["auto", "auto:kernels=false", "sat", "sat:solver=cadical195"])
def test_nor_in_a_session(backend):
    puzzle = PUZZLES["sums"]
    with cs.session(puzzle, backend) as session:
        first = session.solve(puzzle, limit=3).solutions
        grids = [*session.solutions(puzzle, limit=3, of="R1C1 R1C2")]
        for value in (1, 2, 4):
            session.solve(puzzle.with_givens({"R4C4": value}), limit=2)
        session.solve(puzzle, limit=3, seed=5)
        assert session.solve(puzzle, limit=3).solutions == first
        assert [*session.solutions(puzzle, limit=3, of="R1C1 R1C2")] == grids
