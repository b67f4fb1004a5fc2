"""The list of techniques, from easy to hard, in which order they are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from csp_sudoku.strategies import (
    chains,
    clue_steps,
    colouring,
    fish,
    forcing,
    intersections,
    singles,
    subsets,
    totals,
    uniqueness,
    wings,
)
from csp_sudoku.strategies.position import Position
from csp_sudoku.strategies.step import Step


@dataclass(frozen=True)
class Technique:
    """A technique: a way to draw conclusions from a position.

    Attributes
    ----------
    score
        How hard it is; a long chain scores more.
    find
        Finds all steps of this kind in a position; its second argument is the score.
    needs_uniqueness
        Whether it is right only for puzzles with one solution.
    """

    name: str
    score: float
    find: Callable[[Position, float], Iterator[Step]]
    needs_uniqueness: bool = False

    def steps(self, position: Position) -> list[Step]:
        """All steps in a position; of several with the same conclusions only one.

        A step is left out if its conclusions are part of another's. So the result does not depend
        on any order: turned, mirrored and relabelled puzzles have the same steps.
        """
        found: dict[frozenset[object], Step] = {}
        for step in self.find(position, self.score):
            found.setdefault(step.conclusions, step)
        largest = sorted(found, key=len, reverse=True)
        kept: list[frozenset[object]] = []
        for said in largest:
            if not any(said < other for other in kept):
                kept.append(said)
        return [step for said, step in found.items() if said in set(kept)]


def _sized(name: str, score: float, find: Callable[..., Iterator[Step]], size: int) -> Technique:
    return Technique(name, score, partial(find, size=size))


#: The scores are known from ratings of classic puzzles; techniques for variants have the scores of
#: classic ones that are equally hard.
TECHNIQUES: tuple[Technique, ...] = (
    Technique("last cell", 1.0, singles.last_cell),
    Technique("cell rule", 1.1, clue_steps.cell_rule),
    Technique("hidden single in a block", 1.2, singles.hidden_single_in_block),
    Technique("hidden single in a line", 1.5, singles.hidden_single_in_line),
    Technique("direct pointing", 1.7, intersections.direct_pointing),
    Technique("direct claiming", 1.9, intersections.direct_claiming),
    Technique("pair rule", 2.0, clue_steps.pair_rule),
    Technique("bounds", 2.2, clue_steps.bounds),
    Technique("naked single", 2.3, singles.naked_single),
    Technique("cage combinations", 2.4, clue_steps.cage_combinations),
    Technique("rule filtering", 2.5, clue_steps.rule_filtering),
    Technique("pointing", 2.6, intersections.pointing),
    Technique("claiming", 2.8, intersections.claiming),
    Technique("45 rule", 2.9, totals.rule_of_45),
    _sized("naked pair", 3.0, subsets.naked_subset, 2),
    Technique("line arithmetic", 3.1, clue_steps.line_arithmetic),
    _sized("X-wing", 3.2, fish.fish, 2),
    Technique("common victims", 3.3, intersections.common_victims),
    _sized("hidden pair", 3.4, subsets.hidden_subset, 2),
    _sized("naked triple", 3.6, subsets.naked_subset, 3),
    _sized("swordfish", 3.8, fish.fish, 3),
    _sized("hidden triple", 4.0, subsets.hidden_subset, 3),
    Technique("XY-wing", 4.2, wings.xy_wing),
    Technique("XYZ-wing", 4.4, wings.xyz_wing),
    Technique("unique rectangle", 4.5, uniqueness.unique_rectangle, needs_uniqueness=True),
    _sized("naked quad", 5.0, subsets.naked_subset, 4),
    _sized("jellyfish", 5.2, fish.fish, 4),
    _sized("hidden quad", 5.4, subsets.hidden_subset, 4),
    Technique("large naked subset", 5.6, subsets.large_naked_subset),
    Technique("large fish", 5.7, fish.large_fish),
    Technique("large hidden subset", 5.8, subsets.large_hidden_subset),
    Technique("simple colouring", 6.2, colouring.simple_colouring),
    Technique("chain", 6.6, chains.chain),
    Technique("forcing chain", 7.5, forcing.forcing_chain),
    Technique("forcing cases", 8.4, forcing.forcing_cases),
    Technique("nested forcing", 9.0, forcing.nested_forcing),
)

#: Techniques above this score are tried only if a solver knows that there is something to find.
WITHOUT_LOOKING_AHEAD = 8.9

#: The score of a step that only a solver can prove.
PROOF = 12.0
