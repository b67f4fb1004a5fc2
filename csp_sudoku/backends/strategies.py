"""The `strategies` backend: the techniques of pencil and paper, and guesses if they are allowed.

Without guesses it is incomplete: where no technique applies it is stuck, says so and leaves the
question undecided. It is never wrong. So it is no part of the usual cross-checks. With
``guess=true`` it finds all solutions and can be named there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import networkx as nx

from csp_encodings.graph import Assignment, domains
from csp_sudoku.backends.base import (
    Backend,
    Enumeration,
    Request,
    Restriction,
    Session,
    Statistics,
    Stuck,
    check_deadline,
    check_variables,
    within_deadline,
)
from csp_sudoku.errors import BackendError
from csp_sudoku.strategies.bits import members
from csp_sudoku.strategies.network import Network
from csp_sudoku.strategies.position import Contradiction, Position
from csp_sudoku.strategies.rounds import check, chosen, rounds
from csp_sudoku.strategies.techniques import WITHOUT_LOOKING_AHEAD

# Between guesses only what is found quickly is looked for.
_BETWEEN_GUESSES = 3.0


@dataclass
class StrategiesStatistics(Statistics):
    """What was done with pencil and paper.

    Attributes
    ----------
    steps, guesses
        How many steps were taken, and how often a value was tried.
    hardest
        The score of the hardest step.
    stuck
        How many places were open when no technique applied any more; 0 if it did not get stuck.
    """

    steps: int = 0
    guesses: int = 0
    hardest: float = 0.0
    stuck: int = 0


class Strategies(Backend):
    """Techniques of pencil and paper, in the order of their difficulty.

    Parameters
    ----------
    guess
        Whether to guess where it is stuck: a value of the place with the fewest candidates.

    Examples
    --------
    >>> from csp_sudoku import solve
    >>> result = solve("0100 3001 4002 0040", "strategies", limit=2)
    >>> result.status.value, result.statistics.hardest
    ('all found', 1.2)
    >>> result = solve("0100 .... .... ....", "strategies")
    >>> result.status.value, result.reason
    ('unknown', 'stuck with 15 open cells')
    >>> len(solve("0100 .... .... ....", "strategies:guess=true", limit=None).solutions)
    72
    """

    name: ClassVar[str] = "strategies"
    summary: ClassVar[str] = "pencil and paper; gets stuck, unless guess=true"
    abilities: ClassVar[tuple[str, ...]] = ("explanations",)

    def __init__(self, *, guess: bool = False) -> None:
        if not isinstance(guess, bool):
            raise BackendError(f"backend strategies: guess={guess!r} must be true or false")
        self._guess = guess

    @within_deadline
    def compile(self, graph: nx.Graph, *, deadline: float | None = None) -> StrategiesSession:
        """Find the houses, and which cells see each other."""
        check_deadline(deadline)
        return StrategiesSession(Network(graph), domains(graph), guess=self._guess)


class StrategiesSession(Session):
    """The network of a graph; queries do not change it."""

    def __init__(self, network: Network, values: Restriction, *, guess: bool) -> None:
        self._network = network
        self._values = {place: values[place] for place in network.places}
        self._guess = guess

    def enumerate(self, request: Request) -> Enumeration:
        """Enumerate the solutions within a restriction; the seed changes nothing."""
        restrict = request.restrict
        check_variables(restrict, self._values)
        statistics = StrategiesStatistics()
        candidates = {
            place: tuple(v for v in values if v in restrict.get(place, values))
            for place, values in self._values.items()
        }
        return Enumeration(self._search(candidates, request.deadline, statistics), statistics)

    def _search(
        self, candidates: Restriction, deadline: float | None, statistics: StrategiesStatistics
    ) -> Iterator[Assignment]:
        check_deadline(deadline)
        hardest = _BETWEEN_GUESSES if self._guess else WITHOUT_LOOKING_AHEAD
        techniques = chosen(hardest=hardest)
        try:
            start = Position.start(self._network, candidates, deadline=deadline)
        except Contradiction:
            return
        waiting = [start]
        while waiting:
            position = waiting.pop()
            try:
                check(position)
                for steps, reached in rounds(position, techniques):
                    position = reached
                    statistics.steps += len(steps)
                    statistics.hardest = max(statistics.hardest, steps[0].score)
            except Contradiction:
                continue
            if position.solved:
                yield self._assignment(position)
            elif self._guess:
                waiting += self._guesses(position)
                statistics.guesses += 1
            else:
                statistics.stuck = position.open.bit_count()
                raise Stuck(f"stuck with {statistics.stuck} open cells")

    def _guesses(self, position: Position) -> list[Position]:
        """Return a position for each value of the place with the fewest, the first value last."""
        masks = position.masks
        place = min(members(position.open), key=lambda place: masks[place].bit_count())
        found = []
        for value in members(masks[place]):
            # A candidate that is left clashes with no value that is set.
            found.append(position.after([(place, value)]))
        return found[::-1]

    def _assignment(self, position: Position) -> Assignment:
        values = self._network.values
        return {
            place: values[mask.bit_length() - 1]
            for place, mask in zip(self._network.places, position.masks, strict=True)
        }
