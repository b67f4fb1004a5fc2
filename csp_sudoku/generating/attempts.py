"""One attempt at a puzzle: draw a solution, read clues off it, take some of them away."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from csp_encodings.factors import AllDifferent, Relation
from csp_encodings.graph import factors
from csp_encodings.store import STORE, kept
from csp_sudoku import backends
from csp_sudoku.backends.base import OutOfTime
from csp_sudoku.backends.engines import engine_for
from csp_sudoku.backends.search import SearchSession
from csp_sudoku.cells import Cell, Place
from csp_sudoku.checking.verify import keeps_rules
from csp_sudoku.constraints import KillerCage
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.logic import depends, leaves
from csp_sudoku.generating import recipes, shapes
from csp_sudoku.generating.reducing import Clue, Prover, SatProver, SearchProver, reduce
from csp_sudoku.generating.solutions import SolutionSampler
from csp_sudoku.generating.wishes import Wish
from csp_sudoku.puzzle import Puzzle, shared_rules, shared_rules_graph
from csp_sudoku.running.deadlines import time_left
from csp_sudoku.solving.solution import Solution
from csp_sudoku.solving.solve import solve
from csp_sudoku.solving.switching import Switchboard

# On grids with at most this many values, search decides at once whether a puzzle is unique.
_SMALL = 12

# How often cages are cut in two before givens must help.
_CUTS = 8


@dataclass(frozen=True)
class Draft:
    """A puzzle as far as an attempt has come; None means not known.

    `shortfalls` says in sentences which clues of the recipe are missing.
    """

    puzzle: Puzzle
    solution: Solution
    unique: bool | None
    minimal: bool | None
    shortfalls: tuple[str, ...] = ()


def attempt(wish: Wish, rules: Puzzle, chance: random.Random, deadline: float | None) -> Draft:
    """Make a puzzle. It may fall short of the wish; the caller has to look.

    Raises :class:`PuzzleError` if the rules have no solution, :class:`UndecidedError` if none was
    found in time.
    """
    base = wish.recipe.base(rules, chance)
    kept = recipes.loosened(wish.recipe, base)
    solution = _draw(kept, chance, deadline)
    orbits = [
        tuple([place for place in orbit if place not in base.givens])
        for orbit in shapes.orbits(base, wish.symmetry)
    ]
    orbits = [orbit for orbit in chance.sample(orbits, len(orbits)) if orbit]
    shortfalls: tuple[str, ...] = ()
    if wish.recipe.has_clues:
        placed = recipes.place(wish.recipe, base, solution, chance)
        if wish.mode == "unique":
            work = _Work(base, solution, orbits, chance, deadline)
            return _with_clues(wish, work, placed)
        base, shortfalls = base.add(*placed.first), placed.shortfalls
    least = max(0, wish.least(base) - len(base.givens))
    if wish.mode == "normal":
        given = _given(base, solution, _shortened(orbits, least))
        return Draft(given, solution, None, None, shortfalls)
    prover = _prover(base, solution, deadline)
    reduced = reduce(prover, orbits, always=list(base.givens), least=least, deadline=deadline)
    left = [place for group in reduced.kept for place in group]
    minimal: bool | None = reduced.minimal
    if minimal and (wish.symmetry or "none") != "none":
        # No orbit can go; whether a single given can is another question.
        minimal = _is_minimal(prover, left, list(base.givens), deadline)
    return Draft(_given(base, solution, left), solution, True, minimal)


@dataclass(frozen=True)
class _Work:
    """What an attempt with clues works with."""

    base: Puzzle
    solution: Solution
    orbits: Sequence[tuple[Cell, ...]]
    chance: random.Random
    deadline: float | None


def _with_clues(wish: Wish, work: _Work, placed: recipes.Placed) -> Draft:
    """Add clues, and givens if need be, until one solution is left; then take some away."""
    first = list(placed.first)
    wished = _shortened(work.orbits, wish.clues or 0)
    for cuts in range(_CUTS + 1):
        made = _Making(work, first, placed.spare)
        halved = None
        try:
            another = made.complete(wished, allow_givens=not wish.recipe.killer or cuts == _CUTS)
            if another is not None:
                cages = [clue for clue in first if isinstance(clue, KillerCage)]
                halved = recipes.split(cages, work.solution, another, work.chance)
                if halved is None:
                    made.complete(wished, allow_givens=True)
        except OutOfTime:
            made.close()
            return Draft(made.puzzle(), work.solution, None, None, placed.shortfalls)
        if halved is None:
            break
        first = [*halved, *[clue for clue in first if not isinstance(clue, KillerCage)]]
        made.close()
    minimal = made.reduce(wished, everything=wish.minimal)
    made.close()
    return Draft(made.puzzle(), work.solution, True, minimal, placed.shortfalls)


class _Making:
    """A puzzle to which clues are added until it is unique, and from which some are taken away.

    A clue that another rule reads, such as a dot beside a negative rule, is *tied*: without it the
    other rule means something else. The rules are lowered with all tied clues in the puzzle, so
    these stay switched on.
    """

    def __init__(
        self, work: _Work, first: Sequence[Constraint], spare: Sequence[Constraint]
    ) -> None:
        self._work = work
        self._givens: list[Place] = []
        self._open(first, spare, first)

    def _open(
        self, first: Sequence[Constraint], spare: Sequence[Constraint], chosen: Sequence[Constraint]
    ) -> None:
        work = self._work
        tied = _tied([*work.base.constraints, *first, *spare])
        spare = [clue for clue in spare if clue not in tied]
        self._all = work.base.add(*first, *spare)
        self._board = Switchboard(self._all, known=work.solution, deadline=work.deadline)
        number = {rule: i for i, rule in enumerate(self._board.rules)}
        self._clue = {number[clue]: clue for clue in (*first, *spare)}
        always = [number[rule] for rule in work.base.rules]
        self._prover = SatProver(self._board, work.solution, always)
        self._fixed: list[Clue] = list(work.base.givens)
        self._first = [number[clue] for clue in first]
        self._spare = [number[clue] for clue in spare]
        self._tied = [number[clue] for clue in first if clue in tied]
        self._on: list[int] = [number[clue] for clue in chosen]

    def complete(self, givens: Sequence[Place], *, allow_givens: bool) -> Mapping[Any, int] | None:
        """Add clues, each against another solution; return a solution that no clue excludes."""
        deadline = self._work.deadline
        self._givens = list(givens)
        while True:
            clues = [*self._fixed, *self._givens, *self._on]
            another = self._prover.another(clues, deadline)
            if another is None:
                return None
            for number in self._spare:
                if number not in self._on and not self._clue[number].holds(another, self._all):
                    self._on.append(number)
                    break
            else:
                if not allow_givens:
                    return another
                self._givens += self._telling(another)

    def reduce(self, wished: Sequence[Place], *, everything: bool) -> bool | None:
        """Take away what is not needed: of everything, or of what was added to the first clues."""
        if everything:
            self._reduce_tied()
        extra = [(place,) for place in self._givens if place not in wished]
        added = [(number,) for number in self._on if number not in self._first]
        groups: list[tuple[Clue, ...]] = [*reversed(extra), *added]
        if everything:
            loose_first = [n for n in self._first if n not in self._tied]
            groups += [(n,) for n in self._work.chance.sample(loose_first, len(loose_first))]
            groups += [(place,) for place in wished]
        loose = {clue for group in groups for clue in group}
        stay = [c for c in (*self._fixed, *self._givens, *self._on) if c not in loose]
        reduced = reduce(self._prover, groups, always=stay, deadline=self._work.deadline)
        kept = {*stay, *[clue for group in reduced.kept for clue in group]}
        self._givens = [place for place in self._givens if place in kept]
        self._on = [number for number in self._on if number in kept]
        return reduced.minimal if everything else None

    def _reduce_tied(self) -> None:
        """Take away tied clues, each if the puzzle that is left, lowered anew, is unique."""
        dropped: set[int] = set()
        try:
            for number in self._work.chance.sample(self._tied, len(self._tied)):
                if _is_unique(self.puzzle({*dropped, number}), self._work):
                    dropped.add(number)
            if dropped:
                before = self._board
                lists = (self._first, self._spare, self._on)
                self._open(*[[self._clue[n] for n in some if n not in dropped] for some in lists])
                before.close()
        except OutOfTime:
            return  # no time will be left for the other clues, either

    def puzzle(self, without: Collection[int] = ()) -> Puzzle:
        """Return the puzzle as it is, without some of its clues."""
        chosen = [self._clue[number] for number in sorted(self._on) if number not in without]
        return _given(self._work.base.add(*chosen), self._work.solution, self._givens)

    def close(self) -> None:
        self._board.close()

    def _telling(self, another: Mapping[Any, int]) -> tuple[Cell, ...]:
        """Return the first cells, in drawn order, in which the other solution differs."""
        solution = self._work.solution
        for orbit in self._work.orbits:
            if any(solution[place] != another[place] for place in orbit):
                return tuple([place for place in orbit if place not in self._givens])
        return ()


def _tied(rules: Sequence[Constraint]) -> set[Constraint]:
    """Return the rules that change what another of them means."""
    readers = [leaf for rule in rules for leaf, _ in leaves(rule) if leaf.reads()]
    return {rule for rule in rules if any(depends(reader, [rule]) for reader in readers)}


def _is_unique(puzzle: Puzzle, work: _Work) -> bool:
    """Whether the solution of an attempt is the only one of a puzzle."""
    if not keeps_rules(puzzle, work.solution):
        return False
    result = solve(puzzle, limit=2, **time_left(work.deadline))
    if not result.complete and len(result.solutions) < 2:
        raise OutOfTime
    return len(result.solutions) == 1


def _prover(base: Puzzle, solution: Solution, deadline: float | None) -> Prover:
    values = max(len(grid.values) for grid in base.grids)
    lists = len(base.candidates) > len(base.givens)
    if values <= _SMALL and not (base.named or lists) and _is_plain(base):
        return SearchProver(_search(shared_rules(base)), solution)
    board = Switchboard(base, known=solution, deadline=deadline)
    return SatProver(board, solution, range(len(board.rules)))


def _is_minimal(
    prover: Prover, givens: list[Cell], fixed: list[Place], deadline: float | None
) -> bool | None:
    try:
        return not any(
            prover.unique([*fixed, *givens[:i], *givens[i + 1 :]], deadline)
            for i in range(len(givens))
        )
    except OutOfTime:
        return None


def _shortened(orbits: Sequence[tuple[Cell, ...]], least: int) -> list[Cell]:
    """Return the cells of whole orbits: as many as are wished, or a few more."""
    kept: list[Cell] = []
    for orbit in reversed(orbits):
        if len(kept) >= least:
            break
        kept += orbit
    return kept


def _given(base: Puzzle, solution: Mapping[Place, int], places: Sequence[Place]) -> Puzzle:
    return base.with_givens({place: solution[place] for place in sorted(places)})


def _is_plain(puzzle: Puzzle) -> bool:
    kinds = (AllDifferent, Relation)
    return all(isinstance(factor, kinds) for factor in factors(shared_rules_graph(puzzle)).values())


def _draw(base: Puzzle, chance: random.Random, deadline: float | None) -> Solution:
    """Draw a solution, with a sampler that is kept for the next attempt."""
    pool, sampler = STORE.take(
        (_draw, base),
        lambda: SolutionSampler(base, deadline=deadline),
        lambda sampler: sampler.bytes,
    )
    try:
        return sampler.draw(chance, deadline=deadline)
    finally:
        pool.give_back(sampler)


@kept(size=lambda session: 3 * sum(array.nbytes for array in session.arrays.network))
def _search(rules: Puzzle) -> SearchSession:
    graph = shared_rules_graph(rules)
    session = backends.get(engine_for(graph).name).compile(graph)
    assert isinstance(session, SearchSession)
    return session
