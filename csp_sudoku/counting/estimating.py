"""Estimate the number of solutions where they are too many to count.

Each sample is a walk down the search tree (Knuth, "Estimating the efficiency of backtrack
programs", 1975). It takes one branch by lot and divides by its probability. Where the engine can
count the rest with little work, it counts. So the mean of all samples is exactly the number of
solutions. Branches with more candidates left are more probable, so that samples differ less.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isqrt, log2, prod
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from csp_encodings.watch import watched
from csp_sudoku.backends.base import OutOfTime, Request, check_deadline
from csp_sudoku.backends.engines import engine_for
from csp_sudoku.cells import Place
from csp_sudoku.checking.verify import keeps_rules
from csp_sudoku.errors import UndecidedError, WrongAnswerError
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.puzzle import Puzzle, shared_graph
from csp_sudoku.running.deadlines import has_passed, sooner, time_left, what_ended
from csp_sudoku.solving.answers import limited
from csp_sudoku.solving.compiling import compile_puzzle
from csp_sudoku.solving.query import check_count, check_query
from csp_sudoku.solving.solve import solve
from csp_sudoku.textbook import Csp, mac

if TYPE_CHECKING:
    from threading import Event

    from csp_sudoku.backends.search_session import SearchSession

# How many steps of the engine a count may take: some hundredths of a second.
_EFFORT = 200_000
_CONFIDENCE = 0.95
# How long solutions are looked for before samples are drawn.
_FIRST_SECONDS = 5.0
# A branch is taken in proportion to this power of the product of its domain sizes. Measured on
# classic puzzles and cages: 0.15 to 0.3 give the smallest variance.
_POWER = 0.25
_PARTS = 1_000_000


@dataclass(frozen=True)
class Estimate:
    """An unbiased estimate of the number of solutions.

    Attributes
    ----------
    value
        The mean of the samples. Where it is less, the number of solutions that are known.
    low, high
        A confidence interval: it contains the number of solutions in about 95 of 100 runs. If no
        sample met a solution, `high` is the number of ways to fill the grid, rules aside.
    error
        The standard error of the mean.
    samples
        How many samples were drawn.
    exact
        Whether the solutions were counted after all; then `value` is their number.
    """

    value: int
    low: int
    high: int
    error: int
    samples: int
    exact: bool
    left_out: tuple[str, ...] = ()
    """Rules of the puzzle's source that were not read; see `Puzzle.left_out`."""

    @property
    def method(self) -> str:
        """How it was found."""
        if self.exact:
            return "counted"
        return f"mean of {self.samples} random walks down the search tree, each counted at its end"

    def __str__(self) -> str:
        said = f"{self.value}"
        if not self.exact:
            said = f"about {_short(self.value)} (95 %: {_short(self.low)} to {_short(self.high)})"
        return limited(said, self.left_out)


def estimate(
    puzzle: object,
    *,
    samples: int = 200,
    seed: int | None = None,
    timeout: float | None = None,
    cancel: Event | None = None,
) -> Estimate:
    """Estimate the number of solutions of a puzzle, with a confidence interval.

    Parameters
    ----------
    puzzle
        A :class:`Puzzle`, or anything :func:`read` takes.
    samples
        How many samples to draw; four times as many halve the interval.
    seed
        Fixes every random choice.
    timeout
        Seconds; the samples drawn by then count.
    cancel
        As for :func:`csp_sudoku.solve`.

    Raises
    ------
    UndecidedError
        If time runs out before two samples are drawn.

    Examples
    --------
    >>> print(estimate("." * 16), estimate("." * 81, samples=30, seed=1).low > 10**20)
    288 True
    """
    query = check_query(None, timeout, seed, cancel)
    check_count("samples", samples)
    deadline = query.deadline()
    found = None
    for found in estimates(as_puzzle(puzzle, deadline), seed=seed, deadline=deadline):
        if found.exact or found.samples >= samples:
            break
    if found is None:
        raise UndecidedError(f"{what_ended(deadline)} before two samples were drawn")
    return found


def estimates(
    puzzle: Puzzle, *, seed: int | None = None, deadline: float | None = None, effort: int = _EFFORT
) -> Iterator[Estimate]:
    """Yield better and better estimates, each from one more sample, until time runs out."""
    chance = random.Random(seed)
    total = squares = number = 0
    # Samples may miss a few solutions. So these are looked for first.
    known = solve(puzzle, limit=2, **time_left(sooner(deadline, _FIRST_SECONDS)))
    least = len(known.solutions)
    if known.complete:
        yield _exact(least, puzzle)
        return
    try:
        tree = _Tree(puzzle, effort, deadline)
        while not has_passed(deadline):
            sample, at_root = tree.sample(chance)
            if at_root:
                yield _exact(sample, puzzle)
                return
            number += 1
            total, squares = total + sample, squares + sample**2
            if number < 2:
                continue
            if total:
                found = _summary(number, total, squares)
            else:
                found = Estimate(0, 0, tree.ways, tree.ways, number, False)
            yield replace(
                found,
                value=max(found.value, least),
                low=max(found.low, least),
                high=max(found.high, least),
                left_out=puzzle.left_out,
            )
    except OutOfTime:
        return


def _exact(number: int, puzzle: Puzzle) -> Estimate:
    return Estimate(number, number, number, 0, 1, True, puzzle.left_out)


def _summary(number: int, total: int, squares: int) -> Estimate:
    """Return the estimate from some samples, by Student's t; in whole numbers, for large counts."""
    mean = total // number
    variance = max(0, number * squares - total**2) // (number * (number - 1))
    error = isqrt(variance // number)
    normal = NormalDist().inv_cdf((1 + _CONFIDENCE) / 2)
    # Student's t with so many degrees of freedom, to the first order (Cornish and Fisher).
    times = normal + (normal**3 + normal) / (4 * (number - 1))
    reach = error * round(times * 10**6) // 10**6
    return Estimate(mean, max(0, mean - reach), mean + reach, error, number, False)


class _Branches(NamedTuple):
    """How a node branches: its children, and their shares of the probability."""

    shares: list[int]
    children: list[Csp]


_Path: TypeAlias = tuple[int, ...]


class _Tree:
    """The search tree of a puzzle. A node always has the same branches, or the same end.

    A node is known by the path to it: the numbers of the branches taken.
    """

    def __init__(self, puzzle: Puzzle, effort: int, deadline: float | None) -> None:
        from csp_sudoku.backends.search_session import SearchSession

        with watched(deadline):
            graph = shared_graph(puzzle)
            self._root = Csp.of(graph)
        engine = engine_for(graph).name
        _, session = compile_puzzle(puzzle, engine, rules_only=False, deadline=deadline)
        assert isinstance(session, SearchSession)
        self._puzzle = puzzle
        self._session: SearchSession = session
        self._effort = effort
        self._deadline = deadline
        self._propagate(self._root)
        self._known: dict[_Path, int | _Branches] = {}

    @property
    def ways(self) -> int:
        """The number of ways to fill the grid with the candidates left, rules aside."""
        return prod(len(self._root.domains[place]) for place in self._puzzle.variables)

    def sample(self, chance: random.Random) -> tuple[int, bool]:
        """Draw a sample; return it, and whether the walk ended at the root."""
        path: _Path = ()
        csp, weight = self._root, Fraction(1)
        while True:
            node = self._known.get(path)
            if node is None:
                node = self._known[path] = self._explore(csp)
            if isinstance(node, int):
                return round(weight * node), not path
            [taken] = chance.choices(range(len(node.shares)), node.shares)
            weight *= Fraction(sum(node.shares), node.shares[taken])
            path, csp = (*path, taken), node.children[taken]

    def _explore(self, csp: Csp) -> int | _Branches:
        """Return the number of solutions below a node if it is counted soon, else its branches."""
        if not csp.consistent:
            return 0
        within = {place: csp.domains[place] for place in self._puzzle.variables}
        found = self._session.enumerate(
            Request(within, deadline=self._deadline, effort=self._effort)
        )
        counted = found.pass_over(None)
        if any(not keeps_rules(self._puzzle, one) for one in counted.sample[-1:]):
            raise WrongAnswerError("the engine gave a solution that breaks a rule")
        if found.complete:
            return counted.count
        check_deadline(self._deadline)
        open_ = [place for place, values in within.items() if len(values) > 1]
        if not open_:  # auxiliaries alone are open
            found = self._session.enumerate(Request(within, deadline=self._deadline))
            return found.pass_over(None).count
        place = min(open_, key=lambda place: len(within[place]))
        assigned = [csp.assign(place, value) for value in within[place]]
        children = [child for child in assigned if self._propagate(child, place)]
        sizes = [self._size(child) for child in children]
        shares = [1 + int(_PARTS * 2 ** (_POWER * (size - max(sizes)))) for size in sizes]
        return _Branches(shares, children) if children else 0

    def _propagate(self, csp: Csp, place: Place | None = None) -> bool:
        """Remove values without support; return whether every variable keeps a value."""
        with watched(self._deadline):
            for _ in mac(csp, place):
                pass
        return csp.consistent

    def _size(self, csp: Csp) -> float:
        """Return the logarithm of the number of ways to fill what is open, rules aside."""
        return sum(log2(len(csp.domains[place])) for place in self._puzzle.variables)


def _short(number: int) -> str:
    """Return a number as it is read: with three digits, and as a power of ten if it is large."""
    if number < 10**6:
        return f"{number}"
    power = len(str(number)) - 1
    return f"{number // 10 ** (power - 2) / 100:.2f}e{power}"
