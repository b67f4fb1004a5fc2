"""Techniques for clues: cages, thermometers, arrows, lines, dots and custom rules."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations as choose

from csp_encodings.factors import Linear, Relation
from csp_sudoku.constraints.cages import Cage
from csp_sudoku.strategies.bits import members
from csp_sudoku.strategies.clues import Clue, Masks
from csp_sudoku.strategies.network import listing
from csp_sudoku.strategies.position import Contradiction, Position
from csp_sudoku.strategies.step import Step

# Up to this number the combinations of a cage are listed in its sentence.
_LISTED = 4
_LARGEST_LISTED = 5

# Up to this number the places of a part of a rule are named.
_AT_A_GLANCE = 6


def cell_rule(position: Position, score: float) -> Iterator[Step]:
    """Apply clues about one cell, such as odd and even."""
    return _narrowing(position, "cell rule", score)


def pair_rule(position: Position, score: float) -> Iterator[Step]:
    """Apply clues about two cells: dots, inequalities, neighbours on a line."""
    return _narrowing(position, "pair rule", score)


def bounds(position: Position, score: float) -> Iterator[Step]:
    """Remove values that are too small or too large for a thermometer, an arrow or a sum."""
    return _narrowing(position, "bounds", score)


def cage_combinations(position: Position, score: float) -> Iterator[Step]:
    """Remove values that are in no combination of a cage."""
    return _narrowing(position, "cage combinations", score)


def rule_filtering(position: Position, score: float) -> Iterator[Step]:
    """Remove values that no filling of a clue has. This works for any rule, by its automaton."""
    return _narrowing(position, "rule filtering", score)


def line_arithmetic(position: Position, score: float) -> Iterator[Step]:
    """Remove values that no filling of a clue has in which cells that see each other differ."""
    net = position.network
    for index, clue in enumerate(net.clues):
        position.tick()
        masks = position.clue_masks(index)
        left = position.combined(index)
        if left is None:
            raise refused(position, clue)
        if left != masks:
            yield _step(
                position,
                "line arithmetic",
                score,
                clue,
                masks=masks,
                left=left,
                also=", and cells that see each other differ",
            )


def refused(position: Position, clue: Clue) -> Contradiction:
    """The contradiction that a clue cannot be kept."""
    return Contradiction(f"{position.network.say(clue.rule)}: that cannot be kept", clue.cells)


def _technique_of(clue: Clue) -> str:
    """The technique that narrows a clue."""
    if len(clue.scope) < 3:
        return "pair rule" if len(clue.scope) == 2 else "cell rule"
    if _is_bounded(clue):
        return "bounds"
    return "cage combinations" if isinstance(clue.rule, Cage) else "rule filtering"


def _is_bounded(clue: Clue) -> bool:
    return all(isinstance(factor, Linear | Relation) for factor in clue.factors)


def _narrowing(position: Position, technique: str, score: float) -> Iterator[Step]:
    for index, clue in enumerate(position.network.clues):
        if _technique_of(clue) == technique:
            left = position.narrowed(index)
            if left is None:
                raise refused(position, clue)
            masks = position.clue_masks(index)
            if left != masks:
                yield _step(position, technique, score, clue, masks=masks, left=left)


def _step(
    position: Position,
    technique: str,
    score: float,
    clue: Clue,
    *,
    masks: Masks,
    left: Masks,
    also: str = "",
) -> Step:
    said = position.network.say(clue.rule)
    return position.step(
        technique,
        score,
        clue.cells,
        said + _here(position, clue) + also + _combinations(position, clue, masks),
        eliminations=position.fallen(clue.scope, masks, left),
        rules=(clue.rule,),
    )


def _here(position: Position, clue: Clue) -> str:
    """The places of a clue, in words, if it is a small part of a rule for many places."""
    net = position.network
    if len(clue.scope) > _AT_A_GLANCE or not any(
        other.rule is clue.rule and other is not clue
        for place in clue.scope
        for other in (net.clues[index] for index in net.clues_at[place])
    ):
        return ""
    return f" (here: {listing([net.short_name(place) for place in clue.scope])})"


def _combinations(position: Position, clue: Clue, masks: Masks) -> str:
    """The combinations of values that a cage can still hold, in words, if they are few."""
    net = position.network
    size = len(clue.scope)
    if (
        not isinstance(clue.rule, Cage)
        or _is_bounded(clue)
        or not 2 <= size <= _LARGEST_LISTED
        or net.puzzle is None
    ):
        return ""
    union = 0
    for mask in masks:
        union |= mask
    found = []
    for values in choose(members(union), size):
        chosen = sum(1 << value for value in values)
        left = (
            clue.narrow(tuple(mask & chosen for mask in masks))
            if all(mask & chosen for mask in masks)
            else None
        )
        if left is not None:
            found.append(" ".join(net.digit(value) for value in values))
            if len(found) > _LISTED:
                return ""
    return f", which leaves {listing(found, 'or')}" if found else ""
