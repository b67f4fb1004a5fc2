"""One attempt at a puzzle: a solution, clues read off it, and as many taken away as is wished."""

from __future__ import annotations

import random
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from csp_encodings.factors import AllDifferent, Relation
from csp_encodings.graph import factors
from csp_sudoku import backends
from csp_sudoku.backends.base import OutOfTime
from csp_sudoku.backends.search import SearchSession
from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints import KillerCage
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.generating import recipes, shapes
from csp_sudoku.generating.reducing import Clue, Prover, SatProver, SearchProver, reduce
from csp_sudoku.generating.solutions import SolutionSampler
from csp_sudoku.generating.wishes import Wish
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.solution import Solution
from csp_sudoku.switching import Switchboard

# The values of the largest grid on which a search decides at once whether a puzzle is unique.
_SMALL = 12

# How often the cages of a tiling are cut before givens must help.
_CUTS = 8


@dataclass(frozen=True)
class Draft:
    """A puzzle as far as an attempt has come; what is None is not known."""

    puzzle: Puzzle
    solution: Solution
    unique: bool | None
    minimal: bool | None


def attempt(wish: Wish, rules: Puzzle, chance: random.Random, deadline: float | None) -> Draft:
    """Make a puzzle. It may fall short of the wish, which is for the caller to see.

    Raises :class:`PuzzleError` if the rules leave no solution, :class:`UndecidedError` if none is
    found in time.
    """
    base = wish.recipe.base(rules, chance)
    solution = _sampler(base, threading.get_ident()).draw(chance, deadline=deadline)
    orbits = [
        tuple([place for place in orbit if place not in base.givens])
        for orbit in shapes.orbits(base, wish.symmetry)
    ]
    orbits = [orbit for orbit in chance.sample(orbits, len(orbits)) if orbit]
    if wish.recipe.has_clues:
        placed = recipes.place(wish.recipe, base, solution, chance)
        if wish.mode == "unique":
            work = _Work(base, solution, orbits, chance, deadline)
            return _with_clues(wish, work, placed)
        base = base.add(*placed.first)
    least = max(0, wish.least(base) - len(base.givens))
    if wish.mode == "normal":
        kept = _shortened(orbits, least)
        return Draft(_given(base, solution, kept), solution, None, None)
    prover = _prover(base, solution, deadline)
    reduced = reduce(prover, orbits, always=list(base.givens), least=least, deadline=deadline)
    kept = [place for group in reduced.kept for place in group]
    minimal: bool | None = reduced.minimal
    if minimal and (wish.symmetry or "none") != "none":
        # No orbit can go; whether a single given can is another question.
        minimal = _is_minimal(prover, kept, list(base.givens), deadline)
    return Draft(_given(base, solution, kept), solution, True, minimal)


@dataclass(frozen=True)
class _Work:
    """What an attempt with clues of a recipe goes by."""

    base: Puzzle
    solution: Solution
    orbits: Sequence[tuple[Cell, ...]]
    chance: random.Random
    deadline: float | None


def _with_clues(wish: Wish, work: _Work, placed: recipes.Placed) -> Draft:
    """Switch on clues until there is one solution, with givens if need be; then take some away."""
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
            return Draft(made.puzzle(), work.solution, None, None)
        if halved is None:
            break
        first = [*halved, *[clue for clue in first if not isinstance(clue, KillerCage)]]
        made.close()
    minimal = made.reduce(wished, everything=wish.minimal)
    made.close()
    return Draft(made.puzzle(), work.solution, True, minimal)


class _Making:
    """A puzzle to which clues are added until it is unique, and from which some are taken away."""

    def __init__(
        self, work: _Work, first: Sequence[Constraint], spare: Sequence[Constraint]
    ) -> None:
        self._work = work
        self._all = work.base.add(*first, *spare)
        self._board = Switchboard(self._all, known=work.solution, deadline=work.deadline)
        number = {rule: i for i, rule in enumerate(self._board.rules)}
        self._clue = {number[clue]: clue for clue in (*first, *spare)}
        always = [number[rule] for rule in work.base.rules]
        self._prover = SatProver(self._board, work.solution, always)
        self._fixed: list[Clue] = list(work.base.givens)
        self._first = [number[clue] for clue in first]
        self._spare = [number[clue] for clue in spare]
        self._givens: list[Place] = []
        self._on: list[int] = list(self._first)

    def complete(self, givens: Sequence[Place], *, allow_givens: bool) -> Mapping[Any, int] | None:
        """Add clues, each against another solution, until there is none; else that solution."""
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
        """Take away what is not needed: all of it, or what was added to the first clues."""
        extra = [(place,) for place in self._givens if place not in wished]
        added = [(number,) for number in self._on if number not in self._first]
        groups: list[tuple[Clue, ...]] = [*reversed(extra), *added]
        if everything:
            groups += [(n,) for n in self._work.chance.sample(self._first, len(self._first))]
            groups += [(place,) for place in wished]
        loose = {clue for group in groups for clue in group}
        stay = [c for c in (*self._fixed, *self._givens, *self._on) if c not in loose]
        reduced = reduce(self._prover, groups, always=stay, deadline=self._work.deadline)
        kept = {*stay, *[clue for group in reduced.kept for clue in group]}
        self._givens = [place for place in self._givens if place in kept]
        self._on = [number for number in self._on if number in kept]
        return reduced.minimal if everything else None

    def puzzle(self) -> Puzzle:
        """The puzzle as it is."""
        chosen = [self._clue[number] for number in sorted(self._on)]
        return _given(self._work.base.add(*chosen), self._work.solution, self._givens)

    def close(self) -> None:
        self._board.close()

    def _telling(self, another: Mapping[Any, int]) -> tuple[Cell, ...]:
        """Cells, in the order of the lot, one of which has another value in the other solution."""
        solution = self._work.solution
        for orbit in self._work.orbits:
            if any(solution[place] != another[place] for place in orbit):
                return tuple([place for place in orbit if place not in self._givens])
        return ()


def _prover(base: Puzzle, solution: Solution, deadline: float | None) -> Prover:
    values = max(len(grid.values) for grid in base.grids)
    lists = len(base.candidates) > len(base.givens)
    if values <= _SMALL and not (base.named or lists) and _is_plain(base):
        return SearchProver(_search(base.without_givens), solution)
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
    """Cells of whole orbits, as many as are wished, or a few more."""
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
    return all(isinstance(factor, kinds) for factor in factors(puzzle.rules_graph).values())


# One for each thread: not every session can be shared.
@lru_cache(maxsize=4)
def _sampler(base: Puzzle, thread: int) -> SolutionSampler:
    return SolutionSampler(base)


@lru_cache(maxsize=4)
def _search(rules: Puzzle) -> SearchSession:
    session = backends.get("search").compile(rules.rules_graph)
    assert isinstance(session, SearchSession)
    return session
