"""Compare a backend with the oracle, for every constraint and for many shapes of grids."""

from __future__ import annotations

import time
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from math import prod
from threading import Event, Timer
from typing import Any

from csp_encodings.store import kept
from csp_sudoku.backends.base import Backend
from csp_sudoku.cells import Var
from csp_sudoku.constraints import (
    AllDifferent,
    AntiKnight,
    Diagonals,
    Equal,
    KillerCage,
    PairSum,
    Sum,
    Table,
    Thermometer,
    fold,
    registry,
    where,
)
from csp_sudoku.errors import BudgetError, ConstraintError
from csp_sudoku.grid import Grid
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.solving.results import Status
from csp_sudoku.solving.solution import Solution
from csp_sudoku.solving.solve import session, solutions, solve

# How many grids the oracle looks at, at most, where a puzzle has layers.
_GRIDS = 50_000

# Seconds after which an endless enumeration is stopped, and in which it must have ended.
_STOPPED = 0.2
_TOO_LATE = 30


@dataclass(frozen=True)
class Case:
    """A small puzzle on which a backend is compared with the oracle."""

    name: str
    puzzle: Puzzle

    def __str__(self) -> str:
        return self.name


def conformance_cases() -> list[Case]:
    """Return puzzles with every constraint on several grids, and puzzles of odd shapes.

    Examples
    --------
    >>> len(conformance_cases()) > 100
    True
    """
    return [*_constraint_cases(), *_shape_cases()]


def check_case(
    backend: str | Backend, case: Case, *, most: int | None = None, may_refuse: bool = False
) -> bool:
    """Raise AssertionError unless a backend finds the oracle's solutions, each once.

    Parameters
    ----------
    backend
        Its name or an object.
    case
        One of :func:`conformance_cases`.
    most
        For a backend that enumerates slowly: ask for at most this many solutions. A puzzle with
        more solutions gets givens first.
    may_refuse
        Whether the backend may refuse the puzzle with :class:`BudgetError`.

    Returns
    -------
    Whether the backend was compared with the oracle; False if it refused.

    Examples
    --------
    >>> check_case("sat", conformance_cases()[0])
    True
    """
    puzzle, wanted = comparable(case, most)
    try:
        found = solutions(puzzle, backend)
    except BudgetError as error:
        if may_refuse:
            return False
        raise AssertionError(f"{case}: the backend refuses it: {error}") from None
    answers = list(found)
    assert found.complete, f"{case}: the backend does not say that it is done"
    twice = len(answers) - len(set(answers))
    assert not twice, f"{case}: {twice} solutions were given twice"
    missing, surplus = wanted.difference(answers), set(answers) - wanted
    for fault, odd in (("too many", surplus), ("missing", missing)):
        assert not odd, f"{case}: {len(odd)} solutions {fault}, such as {min(odd, key=str)}"
    return True


def comparable(case: Case, most: int | None) -> tuple[Puzzle, frozenset[Solution]]:
    """Return the puzzle of a case, with at most so many solutions, and these by the oracle."""
    return narrowed(case.puzzle, _oracle(case.puzzle), most)


def narrowed(
    puzzle: Puzzle, wanted: frozenset[Solution], most: int | None
) -> tuple[Puzzle, frozenset[Solution]]:
    """Add givens of one solution until few enough solutions are left."""
    for place in puzzle.variables:
        if most is None or len(wanted) <= most:
            break
        value = min(wanted, key=str)[place]
        puzzle = puzzle.with_givens({place: value})
        wanted = frozenset(solution for solution in wanted if solution[place] == value)
    return puzzle, wanted


def check_session(backend: str | Backend) -> None:
    """Raise AssertionError unless the sessions of a backend work as promised.

    A session forgets each puzzle, even one that was left half way or stopped by its deadline. It
    respects limits, seeds and candidate lists. When time has run out, or when it was cancelled, it
    ends and says so.
    """
    rules = _rules_for(backend)
    everything = _oracle(rules)
    with session(rules, backend) as compiled:
        for _ in range(2):
            for value in rules.values_of(rules.cells[0]):
                puzzle = rules.with_givens({"R1C1": value})
                found = set(compiled.solutions(puzzle))
                wanted = {s for s in everything if s["R1C1"] == value}
                assert found == wanted, _other("with a given", found, wanted)
            puzzle = rules.with_givens({"R1C1": [1, 2], "R4C4": [3, 4]})
            wanted = {s for s in everything if s["R1C1"] < 3 <= s["R4C4"]}
            found = set(compiled.solutions(puzzle))
            assert found == wanted, _other("with candidate lists", found, wanted)
            clash = compiled.solve(rules.with_givens({"R1C1": 1, "R1C2": 1})).status
            assert clash is Status.NONE_EXIST, f"two givens that clash: {clash.value}"
            left = compiled.solutions(rules)
            assert next(left, None), "without givens, after other puzzles: no solution"
            left.close()
            status = compiled.solve(rules, timeout=0).status
            assert status is Status.UNKNOWN, f"a timeout of 0: {status.value}"
            found = set(compiled.solutions(rules))
            assert found == everything, _other("without givens, after others", found, everything)
            number = compiled.count(rules).value
            assert number == len(everything), f"counts {number} of {len(everything)} solutions"
            number = compiled.count(rules, limit=3).value
            assert number == 3, f"counts {number} solutions with a limit of 3"
    runs = [[s.text for s in solve(rules, backend, limit=5, seed=7).solutions] for _ in range(2)]
    assert runs[0] == runs[1], "equal seeds, different runs"
    empty = rules.with_givens({"R1C1": []})
    status = solve(empty, backend).status
    assert status is Status.NONE_EXIST, f"a cell without candidates: {status.value}"
    status = solve(Puzzle.blank(9), backend, timeout=0).status
    assert status is Status.UNKNOWN, f"no time to compile: {status.value}"
    _check_stopping(backend, "a timeout", timeout=_STOPPED)
    cancel = Event()
    timer = Timer(_STOPPED, cancel.set)
    timer.start()
    _check_stopping(backend, "being cancelled", cancel=cancel)
    timer.cancel()


def _check_stopping(backend: str | Backend, what: str, **how: Any) -> None:
    """Enumerate solutions that nobody can enumerate, until it is stopped."""
    latest = time.monotonic() + _TOO_LATE
    found = solutions(Puzzle.blank(9), backend, **how)
    for _ in found:
        assert time.monotonic() < latest, f"goes on {_TOO_LATE} seconds after {what}"
    assert time.monotonic() < latest, f"ends more than {_TOO_LATE} seconds after {what}"
    assert not found.complete, f"says that it is done, after {what}"


def _other(when: str, found: set[Solution], wanted: Set[Solution]) -> str:
    """What is wrong with the solutions that were found."""
    return f"{when}: {len(wanted - found)} solutions missing, {len(found - wanted)} too many"


def _rules_for(backend: str | Backend) -> Puzzle:
    """Small rules with a cage; with a pair of the same sum for a backend that refuses sums."""
    blank = Puzzle.blank(4).add(Diagonals())
    rules = blank.add(KillerCage("R1C1 R1C2", 5))
    try:
        session(rules, backend).close()
    except BudgetError:
        return blank.add(PairSum("R1C1 R1C2", 5))
    return rules


def _constraint_cases() -> Iterator[Case]:
    shapes = {
        "4×4": Puzzle.blank(4),
        "0-based": Puzzle.blank(4, values=range(4)),
        "negative": Puzzle.blank(4, values=(-2, -1, 0, 5)),
    }
    for cls in registry.built_in().values():
        for number, example in enumerate(cls.examples(), 1):
            # Odd values only with the first example: the values are the same in all examples.
            fitting = shapes if number == 1 else {"4×4": shapes["4×4"]}
            if shapes["4×4"].add(example).layers:
                fitting = _shapes_for_layers()
            for shape, blank in fitting.items():
                try:
                    puzzle = blank.add(example)
                except ConstraintError:
                    continue  # a rule that refuses these values
                grids = prod([len(puzzle.candidates_of(place)) for place in puzzle.variables])
                if not puzzle.layers or grids <= _GRIDS:
                    yield Case(f"{cls.__name__} {number}, {shape}", puzzle)


def _shapes_for_layers() -> dict[str, Puzzle]:
    """Grids so small that the oracle gets through all values of their cells and of a layer."""

    def free(rows: int, columns: int, values: list[int]) -> Puzzle:
        return Puzzle.blank(
            rows, columns, values=values, box=None, row_houses=False, column_houses=False
        )

    rows = Puzzle.blank(2, 4, box=None, column_houses=False)
    return {
        "3×3 of ones": free(3, 3, [1]),
        "3×4 of ones": free(3, 4, [1]),
        "2×3 of 1 and 3": free(2, 3, [1, 3]),
        "2×4 with rows": rows.with_givens(
            {cell: (cell.row + cell.col) % 4 + 1 for cell in rows.cells}
        ),
    }


def _shape_cases() -> Iterator[Case]:
    odd = Sum("R1C1 R1C2", 0, (1, -1))
    bare = Puzzle.blank(2, box=None, row_houses=False, column_houses=False)
    four = Puzzle.blank(4)
    yield Case("1×1", Puzzle.blank(1))
    yield Case("2×2", Puzzle.blank(2))
    yield Case("2×2 without houses", bare)
    yield Case("2×2 without houses, a sum", bare.add(odd))
    yield Case("2×3 of 4 values", Puzzle.blank(2, 3, box=None, values=range(4)))
    yield Case("1×5", Puzzle.blank(1, 5, box=None))
    yield Case("too few values", Puzzle.blank(3, box=None, values=(1, 2)))
    yield Case("6×6, a third blank", _mostly_filled(6, every=3))
    yield Case("16×16, a blank a row", _mostly_filled(16, every=17))
    yield Case("jigsaw", Puzzle.blank(4, regions="AAAB CABB CCBD CDDD"))
    yield Case("one region only", Puzzle.blank(3, regions="AA. A.. ..."))
    two = [Grid(3, 3, (1, 2, 3), top=t, left=t) for t in (0, 2)]
    yield Case("overlapping grids", Puzzle.overlapping(two))
    mixed = [Grid(1, 3, (1, 2, 3)), Grid(1, 3, (2, 3, 4), left=2)]
    yield Case("overlapping grids of different values", Puzzle.overlapping(mixed))
    yield Case("candidates", four.with_givens({"R1C1": [1, 3], "R4C4": [1], "R2C3": [2, 3, 4]}))
    yield Case("no candidates", four.with_givens({"R1C1": []}))
    yield Case("givens that clash", four.with_givens({"R1C1": 1, "R1C2": 1}))
    named = four.with_named("x", range(2, 9)).add(Diagonals())
    yield Case("a named sum", named.add(Sum(["R1C1 R2C2", Var("x")], 0, (1, 1, -1))))
    yield Case("a named variable in no rule", Puzzle.blank(2).with_named("x", range(-3, 9)))
    yield Case("a wide domain", named.add(where(["R1C1", Var("x")], lambda a, x: a * 2 == x)))
    pill, shaft = "R1C1 R1C2", "R1C3 R1C4 R2C1 R2C2 R2C3 R2C4 R3C1 R3C2 R3C3 R3C4"
    yield Case("a long sum", four.add(Sum(f"{pill} {shaft}", 0, (10, 1, *[-1] * 10))))
    over = Sum("R1C1 R1C2 R1C3 R1C4 R2C1", 12)
    yield Case("an outie and innies", four.add(over, KillerCage("R3C1 R3C2", 5)))
    cage, line = KillerCage("R1C1 R2C2 R2C3", 7), Thermometer("R1C1 R1C2 R2C4")
    yield Case("or", four.add(cage | line))
    yield Case("not of an or", four.add(~(cage | line)))
    yield Case("not of an and", four.add(~(cage & line & AntiKnight())))
    yield Case("deep", four.add(~(~(cage | ~line) & (Equal("R1C1 R4C3") | ~Diagonals()))))
    yield Case("a table that repeats a cell", four.add(Table("R1C1 R2C3 R1C1", [(1, 1, 1)])))
    yield Case("an empty table", four.add(Table("R1C1", [])))
    yield Case("a rule twice", four.add(cage, cage, AllDifferent("R1C1 R2C2 R2C3")))
    yield Case(
        "a fold", four.add(fold("R1C1-R2C4", 0, lambda s, v: (3 * s + v) % 5, lambda s: s < 3))
    )


def _mostly_filled(side: int, every: int) -> Puzzle:
    """A full grid in which every n-th cell is blank."""
    blank = Puzzle.blank(side)
    height, width = blank.grids[0].box or (1, side)
    return blank.with_givens(
        {
            cell: (cell.row % height * width + cell.row // height + cell.col) % side + 1
            for i, cell in enumerate(blank.cells)
            if i % every
        }
    )


@kept(size=lambda found: 200 * len(found))
def _oracle(puzzle: Puzzle) -> frozenset[Solution]:
    """What the oracle finds. The grids that keep the houses are enumerated once for each shape."""
    if not puzzle.constraints:
        return frozenset(solutions(puzzle, "brute"))
    if puzzle.candidates or puzzle.named:
        return frozenset(solutions(puzzle, "brute"))
    blank = replace(puzzle, constraints=())
    return frozenset(
        Solution(grid, puzzle)
        for grid in _oracle(blank)
        if all(rule.holds(grid, puzzle) for rule in puzzle.constraints)
    )
