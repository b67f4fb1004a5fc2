"""The list of techniques, from easy to hard, in which order they are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import wraps
from itertools import chain, takewhile
from typing import Any

from csp_sudoku.strategies import (
    almost_locked,
    chains,
    clue_steps,
    colouring,
    connection_steps,
    fish,
    forcing,
    intersections,
    polarity,
    short_chains,
    singles,
    subsets,
    totals,
    uniqueness,
    wings,
)
from csp_sudoku.strategies.position import Position
from csp_sudoku.strategies.step import Step

# With clues, and in grids with more candidates than this at first (16×16 has 4,096, 12×12 has
# 1,728), each round tells harder steps, too: so there are fewer rounds.
_SPREAD_WITH_CLUES = 0.3
_LARGE, _SPREAD_IN_LARGE = 2_000, 0.5


@dataclass(frozen=True)
class Technique:
    """A technique: a way to draw conclusions from a position.

    Attributes
    ----------
    score
        How hard it is; a long chain scores more.
    find
        Finds the steps of this kind in a position, easy ones first; its second argument is the
        score of the easiest.
    needs_uniqueness
        Whether it is right only for puzzles with one solution.
    by_request
        Whether it is tried only if it is asked for by its name: it takes long and finds little that
        easier techniques do not.
    spread
        How much harder than the easiest step a step may be that is told with it, with the same
        score. Where each search takes long, this saves many. With clues and in large grids it is
        more.
    """

    name: str
    score: float
    find: Callable[[Position, float], Iterator[Step]]
    needs_uniqueness: bool = False
    by_request: bool = False
    spread: float = 0.0

    def steps(self, position: Position) -> list[Step]:
        """The easiest steps of this kind in a position: those of the lowest score, or nearly so."""
        found = self.find(position, self.score)
        first = next(found, None)
        if first is None:
            return []
        spread = max(self.spread, _spread(position))
        nearly = takewhile(lambda step: step.score <= first.score + spread, found)
        steps = _without_repeats(chain([first], nearly))
        return [replace(each, score=first.score) for each in steps] if spread else steps

    def all_steps(self, position: Position) -> list[Step]:
        """All steps of this kind in a position, the hard ones as well."""
        return _without_repeats(self.find(position, self.score))


def _spread(position: Position) -> float:
    """How much harder than the easiest step others may be that are told in the same round."""
    network = position.network
    if len(network.places) * len(network.values) > _LARGE:
        return _SPREAD_IN_LARGE
    return _SPREAD_WITH_CLUES if network.clues else 0.0


def _without_repeats(steps: Iterable[Step]) -> list[Step]:
    """Of several steps with the same conclusions keep one, and none that is part of another.

    So the result does not depend on any order: turned, mirrored and relabelled puzzles have the
    same steps.
    """
    found: dict[frozenset[object], Step] = {}
    for step in steps:
        found.setdefault(step.conclusions, step)
    kept: list[frozenset[object]] = []
    for said in sorted(found, key=len, reverse=True):
        if not any(said < other for other in kept):
            kept.append(said)
    listed = set(kept)
    return [step for said, step in found.items() if said in listed]


def _named(
    name: str, score: float, find: Callable[..., Iterator[Step]], *kind: Any, **options: Any
) -> Technique:
    """A technique of a function that finds several, each by its name and its options."""

    @wraps(find)
    def find_these(position: Position, score: float) -> Iterator[Step]:
        return find(position, score, name, *kind, **options)

    return Technique(name, score, find_these)


def _mixed(name: str, size: int, *, mutant: bool) -> Technique:
    found = _named(name, 8.4, fish.mixed_fish, size, mutant=mutant)
    return replace(found, by_request=True)


#: The scores are those of Sudoku Explainer. A pattern that it does not know has the score of what
#: it finds instead; techniques for variants have the scores of classic ones that are equally hard.
TECHNIQUES: tuple[Technique, ...] = (
    Technique("last cell", 1.0, singles.last_cell),
    Technique("cell rule", 1.1, clue_steps.cell_rule),
    Technique("hidden single in a block", 1.2, singles.hidden_single_in_block),
    Technique("hidden single in a line", 1.5, singles.hidden_single_in_line),
    Technique("direct pointing", 1.7, intersections.direct_pointing),
    Technique("direct claiming", 1.9, intersections.direct_claiming),
    Technique("polarity", 2.0, polarity.polarity),
    Technique("pair rule", 2.0, clue_steps.pair_rule),
    Technique("bounds", 2.2, clue_steps.bounds),
    Technique("naked single", 2.3, singles.naked_single),
    Technique("cage combinations", 2.4, clue_steps.cage_combinations),
    Technique("connection", 2.4, connection_steps.connection),
    Technique("rule filtering", 2.5, clue_steps.rule_filtering),
    Technique("dot chain", 2.5, clue_steps.dot_chain),
    Technique("crossing", 2.6, connection_steps.crossing),
    Technique("pointing", 2.6, intersections.pointing),
    Technique("claiming", 2.8, intersections.claiming),
    Technique("required value", 2.8, clue_steps.required_value),
    Technique("45 rule", 2.9, totals.rule_of_45),
    _named("naked pair", 3.0, subsets.naked_subset, 2),
    Technique("line arithmetic", 3.1, clue_steps.line_arithmetic),
    _named("X-wing", 3.2, fish.fish, 2),
    Technique("common victims", 3.3, intersections.common_victims),
    _named("hidden pair", 3.4, subsets.hidden_subset, 2),
    _named("naked triple", 3.6, subsets.naked_subset, 3),
    _named("swordfish", 3.8, fish.fish, 3),
    _named("hidden triple", 4.0, subsets.hidden_subset, 3),
    Technique("polarity colouring", 4.2, polarity.polarity_colouring),
    _named("XY-wing", 4.2, wings.wing, 2),
    _named("XYZ-wing", 4.4, wings.wing, 3),
    Technique("unique rectangle", 4.5, uniqueness.unique_rectangle, needs_uniqueness=True),
    Technique("avoidable rectangle", 4.7, uniqueness.avoidable_rectangle, needs_uniqueness=True),
    _named("naked quad", 5.0, subsets.naked_subset, 4),
    _named("jellyfish", 5.2, fish.fish, 4),
    _named("hidden quad", 5.4, subsets.hidden_subset, 4),
    Technique("BUG+1", 5.6, uniqueness.bug, needs_uniqueness=True),
    _named("large naked subset", 5.6, subsets.naked_subset, 5),
    _named("large fish", 5.7, fish.fish, 5),
    _named("large hidden subset", 5.8, subsets.hidden_subset, 5),
    _named("skyscraper", 6.6, short_chains.pattern),
    _named("two-string kite", 6.6, short_chains.pattern),
    _named("turbot fish", 6.6, short_chains.pattern),
    Technique("simple colouring", 6.6, colouring.simple_colouring),
    _named("X-chain", 6.6, chains.chain, ["house"], one_value=True),
    Technique("remote pair", 7.0, colouring.remote_pair),
    Technique("W-wing", 7.0, short_chains.w_wing),
    Technique("M-wing", 7.0, short_chains.m_wing),
    Technique("split wing", 7.0, short_chains.split_wing),
    _named("XY-chain", 7.0, chains.chain, ["cell"]),
    _named("nice loop", 7.0, chains.loop, ["cell", "house"]),
    _named("AIC", 7.0, chains.chain, ["cell", "house"]),
    _named("empty rectangle", 7.5, short_chains.pattern),
    _named("finned X-wing", 7.6, fish.finned_fish, 2, sashimi=False),
    _named("sashimi X-wing", 7.6, fish.finned_fish, 2, sashimi=True),
    _named("finned swordfish", 7.7, fish.finned_fish, 3, sashimi=False),
    _named("sashimi swordfish", 7.7, fish.finned_fish, 3, sashimi=True),
    _named("finned jellyfish", 7.8, fish.finned_fish, 4, sashimi=False),
    _named("sashimi jellyfish", 7.8, fish.finned_fish, 4, sashimi=True),
    _named("grouped nice loop", 8.2, chains.loop, ["cell", "house", "group"]),
    _named("grouped AIC", 8.2, chains.chain, ["cell", "house", "group"]),
    Technique("Sue de Coq", 8.2, almost_locked.sue_de_coq),
    _named("WXYZ-wing", 8.2, chains.chain, ["cell", "set"], longest=2, cells=4),
    _named("ALS-XZ", 8.2, chains.chain, ["cell", "set"], longest=2),
    _named("doubly linked ALS-XZ", 8.2, chains.loop, ["cell", "set"], longest=2),
    _named("ALS-XY-wing", 8.3, chains.chain, ["cell", "set"], longest=3),
    _named("ALS chain", 8.4, chains.chain, ["cell", "set"]),
    _named("nice loop with ALS", 8.4, chains.loop, ["cell", "house", "group", "set"]),
    _named("AIC with ALS", 8.4, chains.chain, ["cell", "house", "group", "set"]),
    Technique("death blossom", 8.4, almost_locked.death_blossom),
    _mixed("Franken X-wing", 2, mutant=False),
    _mixed("Franken swordfish", 3, mutant=False),
    _mixed("Franken jellyfish", 4, mutant=False),
    _mixed("mutant X-wing", 2, mutant=True),
    _mixed("mutant swordfish", 3, mutant=True),
    _mixed("mutant jellyfish", 4, mutant=True),
    Technique("forcing chain", 8.5, forcing.forcing_chain),
    Technique("forcing cases", 8.5, forcing.forcing_cases),
    Technique("nested forcing", 9.0, forcing.nested_forcing, spread=0.3),
)

#: Techniques above this score are tried only if a solver knows that there is something to find.
WITHOUT_LOOKING_AHEAD = 8.5

#: The score of a proof whose lemmas can be followed; long ones score more.
LEMMAS = 9.9

#: The score of a proof that only names the rules and candidates that a solver needs.
PROOF = 12.0
