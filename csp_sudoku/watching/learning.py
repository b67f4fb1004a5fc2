"""A SAT solver at work: its decisions, what follows from them, and the clauses that it learns.

CaDiCaL tells an external propagator of each decision, each assignment and each step back. The
clauses that it learns are in its proof. A learnt clause belongs to the step back after which the
solver sets the one literal of it that is not false.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from csp_encodings.cnf import encode
from csp_sudoku.integers import counted
from csp_sudoku.puzzle import Puzzle, shared_graph
from csp_sudoku.watching.frames import Frame

_SOLVER = "cadical195"
# How many literals of a clause are named.
_LONG = 12


class _Run(NamedTuple):
    """What a solver did.

    Its events are ("decide", literal), ("assign", literal) and ("back", level). A decision is 0 if
    a conflict came before the solver told it.
    """

    events: list[tuple[str, int]]
    learnt: list[list[int]]
    model: list[int]
    totals: dict[str, int]


def watch_sat(puzzle: Puzzle) -> Iterator[Frame]:
    """Yield decisions, what unit propagation finds, conflicts with their clauses, and the model."""
    formula = encode(shared_graph(puzzle))
    run = _run(formula.clauses, formula.variables)
    film = _Film(puzzle, {literal: pair for pair, literal in formula.literals.items()}, run.learnt)
    size = f"{formula.variables} variables, {len(formula.clauses)} clauses"
    yield film.frame("start", f"the formula: {size}")
    following: list[int] = []
    for (kind, number), (next_kind, next_number) in pairwise([*run.events, ("end", 0)]):
        if kind == "assign":
            following.append(number)
            continue
        yield from film.propagated(following)
        following = []
        if kind == "decide":
            yield film.decided(number)
        elif next_kind != "back":  # several steps back are one
            yield from film.back(number, next_number if next_kind == "assign" else None)
    yield from film.propagated(following)
    said = f"{run.totals['decisions']} decisions, {run.totals['conflicts']} conflicts"
    if run.model:
        film.take(run.model)
        yield film.frame("solution", f"a model: {said}")
    else:
        yield film.frame("dead end", f"the empty clause follows: there is no solution ({said})")


def _run(clauses: Iterable[Sequence[int]], variables: int) -> _Run:
    """Solve a formula, and write down what the solver does."""
    from pysat.engines import Propagator
    from pysat.solvers import Solver

    events: list[tuple[str, int]] = []

    class Recorder(Propagator):  # type: ignore[misc]
        """Writes down what the solver tells, and never interferes."""

        def on_new_level(self) -> None:
            events.append(("decide", 0))

        def on_assignment(self, lit: int, fixed: bool = False) -> None:
            # The first literal of a level is the decision.
            if events[-1:] == [("decide", 0)]:
                events[-1] = ("decide", lit)
            else:
                events.append(("assign", lit))

        def on_backtrack(self, to: int) -> None:
            events.append(("back", to))

        def decide(self) -> int:
            return 0

        def propagate(self) -> list[int]:
            return []

        def provide_reason(self, lit: int) -> list[int]:
            return []

        def add_clause(self) -> list[int]:
            return []

        def check_model(self, model: list[int]) -> bool:
            return True

    with Solver(_SOLVER, bootstrap_with=clauses, with_proof=True) as solver:
        solver.connect_propagator(Recorder())
        for variable in range(1, variables + 1):
            solver.observe(variable)
        model = (solver.solve() and solver.get_model()) or []
        lines = [line.split() for line in solver.get_proof() or []]
        totals = solver.accum_stats()
    learnt = [[int(part) for part in line[:-1]] for line in lines if line[0] != "d"]
    return _Run(events, learnt, model, totals)


class _Film:
    """What is true now, by the level of its decision, and the frames that show it."""

    def __init__(
        self, puzzle: Puzzle, meaning: dict[int, tuple[Any, int]], learnt: list[list[int]]
    ) -> None:
        self._puzzle = puzzle
        self._meaning = meaning
        self._learnt = learnt
        self._levels: list[list[int]] = [[]]

    def frame(self, kind: str, text: str, **more: Any) -> Frame:
        return Frame(kind, text, self._candidates(), depth=len(self._levels) - 1, **more)

    def decided(self, literal: int) -> Frame:
        """Show a decision."""
        self._levels.append([literal] if literal else [])
        said = self._said([literal]) if literal else "something that fails at once"
        return self.frame("choice", f"decide {said}", changed=self._cells(literal))

    def propagated(self, literals: list[int]) -> Iterator[Frame]:
        """Show what follows, if it tells of cells."""
        before = self._candidates()
        self._levels[-1] += literals
        after = self._candidates()
        gone = [(place, v) for place in before for v in before[place] if v not in after[place]]
        if gone:
            number = len(literals)
            text = f"unit propagation: {number} literal{'s follow' if number > 1 else ' follows'}"
            changed = list(dict.fromkeys(place for place, _ in gone))
            yield self.frame("step", text, changed=changed, removed=gone)

    def take(self, model: list[int]) -> None:
        """Make a model true: the solver may find the last of it without telling."""
        self._levels[:] = [model, *([] for _ in self._levels[1:])]

    def back(self, level: int, asserted: int | None) -> Iterator[Frame]:
        """Show a step back, and what was learnt before it."""
        clause = self._learnt_before(level, asserted)
        if clause:
            text = f"conflict: learn {self._said(clause)}"
            yield self.frame("dead end", text, looked_at=self._cells(*clause))
        undone = len(self._levels) - 1 - level
        del self._levels[level + 1 :]
        yield self.frame("undo", f"back to level {level}: {counted(undone, 'decision')} undone")

    def _learnt_before(self, level: int, asserted: int | None) -> list[int]:
        """Take the next clause from the proof that fits a step back; empty if there is none.

        After the step, all its literals but the one that the solver sets next are false.
        """
        true = {literal for some in self._levels[: level + 1] for literal in some}
        for number, clause in enumerate(self._learnt):
            if asserted in clause and all(-x in true for x in clause if x != asserted):
                del self._learnt[: number + 1]
                return clause
        return []

    def _candidates(self) -> dict[Any, tuple[int, ...]]:
        left = {place: list(self._puzzle.candidates_of(place)) for place in self._puzzle.cells}
        for literal in (literal for some in self._levels for literal in some):
            place, value = self._meaning.get(abs(literal), (None, 0))
            if place in left:
                left[place] = [v for v in left[place] if (v == value) == (literal > 0)]
        return {place: tuple(values) for place, values in left.items()}

    def _cells(self, *literals: int) -> list[Any]:
        known = [self._meaning[abs(x)][0] for x in literals if abs(x) in self._meaning]
        return list(dict.fromkeys(known))

    def _said(self, literals: list[int]) -> str:
        """Return a clause in words; literals of auxiliary variables are counted."""
        known = [x for x in literals if abs(x) in self._meaning][:_LONG]
        words = [self._literal(x) for x in known]
        more = len(literals) - len(words)
        if not words:
            return f"something about {more} auxiliar{'y' if more == 1 else 'ies'}"
        return " or ".join(words) + (f" or {more} more" if more else "")

    def _literal(self, literal: int) -> str:
        place, value = self._meaning[abs(literal)]
        return f"{place}{'=' if literal > 0 else '≠'}{value}"
