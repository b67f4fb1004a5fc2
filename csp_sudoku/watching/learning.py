"""A SAT solver at work: unit propagation, and the clauses that it learns, as cells.

PySAT tells what unit propagation finds, and with a proof which clauses were learnt, in order. It
does not tell the decisions in between: they are not shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from csp_encodings.cnf import encode
from csp_sudoku.puzzle import Puzzle, shared_graph
from csp_sudoku.watching.frames import Frame

_SOLVER = "glucose4"
_LONG = 12


def watch_sat(puzzle: Puzzle) -> Iterator[Frame]:
    """Yield what unit propagation finds, each learnt clause, and the model."""
    from pysat.solvers import Solver

    formula = encode(shared_graph(puzzle))
    meaning = {literal: pair for pair, literal in formula.literals.items()}
    left: dict[Any, list[int]] = {p: list(puzzle.candidates_of(p)) for p in puzzle.cells}
    size = f"{formula.variables} variables, {len(formula.clauses)} clauses"
    yield Frame("start", f"the formula: {size}", _copy(left))
    with Solver(_SOLVER, bootstrap_with=formula.clauses, with_proof=True) as solver:
        _, units = solver.propagate()
        gone = _take(left, meaning, units)
        text = f"unit propagation: {len(units)} literals follow at once"
        changed = list(dict.fromkeys(place for place, _ in gone))
        yield Frame("step", text, _copy(left), changed=changed, removed=gone)
        found = solver.solve()
        conflicts = solver.accum_stats()
        proof = solver.get_proof() or []
        model = solver.get_model() or []
    for line in proof:
        literals = [int(part) for part in line.split() if part not in ("d", "0")]
        if line.startswith("d") or not literals:
            continue
        gone = _take(left, meaning, literals) if len(literals) == 1 else []
        places = [meaning[abs(x)][0] for x in literals if abs(x) in meaning]
        text = f"learnt: {_said(literals, meaning)}"
        yield Frame("step", text, _copy(left), looked_at=places, removed=gone)
    said = f"{conflicts['decisions']} decisions, {conflicts['conflicts']} conflicts"
    if not found:
        yield Frame("dead end", f"the empty clause follows: no solution ({said})", _copy(left))
        return
    _take(left, meaning, [x for x in model if x > 0])
    yield Frame("solution", f"a model: {said}", _copy(left))


def _take(left: dict[Any, list[int]], meaning: Any, literals: list[int]) -> list[tuple[Any, int]]:
    """Remove the values that some true literals exclude, and return them."""
    gone = []
    for literal in literals:
        place, value = meaning.get(abs(literal), (None, 0))
        for other in list(left.get(place, ())):
            if (other != value) == (literal > 0):
                left[place].remove(other)
                gone.append((place, other))
    return gone


def _said(literals: list[int], meaning: Any) -> str:
    """Return a clause in words; literals of auxiliary variables are counted."""
    known = [x for x in literals if abs(x) in meaning]
    words = [
        f"{meaning[abs(x)][0]}{'=' if x > 0 else '≠'}{meaning[abs(x)][1]}" for x in known[:_LONG]
    ]
    more = len(literals) - len(words)
    return " or ".join(words) + (f" or {more} more" if more else "")


def _copy(left: dict[Any, list[int]]) -> dict[Any, tuple[int, ...]]:
    return {place: tuple(values) for place, values in left.items()}
