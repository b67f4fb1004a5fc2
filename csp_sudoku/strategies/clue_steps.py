"""Techniques for clues: cages, thermometers, arrows, lines, dots and custom rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import combinations as choose
from operator import or_
from typing import Any

from csp_encodings.factors import Linear, Relation
from csp_sudoku.constraints.cages import Cage
from csp_sudoku.strategies.bits import is_single, mask_of, members
from csp_sudoku.strategies.clues import Clue, Masks
from csp_sudoku.strategies.network import Network, listing
from csp_sudoku.strategies.position import Contradiction, Position
from csp_sudoku.strategies.step import Step

# Up to this number the combinations of a cage are listed in its sentence.
_LISTED = 4
_LARGEST_LISTED = 5

# Rules for the whole grid that join a cell to more others than this are no chains of dots.
_MOST_NEIGHBOURS = 4

# Fewer places are a pair, which links tell of.
_LINE = 3

# Up to this number the places of a part of a rule are named.
_AT_A_GLANCE = 6


def cell_rule(position: Position, score: float) -> Iterator[Step]:
    """Apply clues about one cell, such as odd and even."""
    return _narrowing(position, "cell rule", score)


def pair_rule(position: Position, score: float) -> Iterator[Step]:
    """Apply clues about two cells: dots, inequalities, neighbours on a short line."""
    return _narrowing(position, "pair rule", score)


def bounds(position: Position, score: float) -> Iterator[Step]:
    """Remove values too small or too large for a thermometer, an arrow, a sum or a whisper.

    Neighbours on a line are compared all along it.
    """
    return _narrowing(position, "bounds", score)


def cage_combinations(position: Position, score: float) -> Iterator[Step]:
    """Remove values that are in no combination of a cage."""
    return _narrowing(position, "cage combinations", score)


def rule_filtering(position: Position, score: float) -> Iterator[Step]:
    """Remove values that no filling of a clue has, such as values too far away for a renban line.

    This works for any rule, by its automaton.
    """
    return _narrowing(position, "rule filtering", score)


def dot_chain(position: Position, score: float) -> Iterator[Step]:
    """Two cells that dots or a line join to a third see each other, so they differ.

    A chain of dots is followed three cells at a time. Of a whisper, 4 and 6 are not in the middle.
    """
    net = position.network
    for number, bend in enumerate(position.recalled("bends", _bends, net)):
        masks = tuple([position.masks[place] for place in bend.scope])
        [left] = position.recalled(("bend", number, masks), bend.narrow, masks)
        if left == masks:
            continue
        said = "; ".join(net.say(rule) for rule in bend.rules)
        one, middle, other = map(net.short_name, bend.scope)
        because = f"{said}; {one} and {other}, both next to {middle}, see each other and differ"
        cells = mask_of(bend.scope)
        if not all(left):
            raise Contradiction(f"{because}: that cannot be kept", cells)
        gone = position.fallen(bend.scope, masks, left)
        yield position.step("dot chain", score, cells, because, eliminations=gone, rules=bend.rules)


@dataclass(frozen=True)
class _Bend:
    """Three cells, of which the middle is in a relation with both others, which see each other.

    For each value of the middle, `first` and `last` say what the others may be.
    """

    rules: tuple[Any, ...]
    scope: tuple[int, int, int]
    first: dict[int, int]
    last: dict[int, int]

    def narrow(self, masks: Masks) -> list[Masks]:
        """The candidates of the cells that are in some filling."""
        one = middle = other = 0
        for value in members(masks[1]):
            firsts = self.first.get(value, 0) & masks[0]
            lasts = self.last.get(value, 0) & masks[2]
            if firsts and lasts and (firsts != lasts or not is_single(firsts)):
                middle |= 1 << value
                one |= firsts & ~lasts if is_single(lasts) else firsts
                other |= lasts & ~firsts if is_single(firsts) else lasts
        return [(one, middle, other)]


def _bends(net: Network) -> Iterator[_Bend]:
    """All pairs of relations that share a cell, if the other two cells see each other."""
    near: list[list[tuple[Any, int, dict[int, int]]]] = [[] for _ in net.places]
    for clue in net.clues:
        for pair in clue.pairs:
            a, b = clue.scope[pair.first], clue.scope[pair.second]
            if a == b:
                continue
            near[a].append((clue.rule, b, pair.forwards))
            near[b].append((clue.rule, a, pair.backwards))
    for middle, found in enumerate(near):
        for (rule, one, first), (also, other, last) in choose(found, 2):
            if len(found) <= _MOST_NEIGHBOURS and net.sees[one] >> other & 1:
                rules = (rule,) if also is rule else (rule, also)
                yield _Bend(rules, (one, middle, other), first, last)


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


def required_value(position: Position, score: float) -> Iterator[Step]:
    """A clue cannot be kept without a value, so what sees all its places for it is something else.

    Such as the 1 of a cage of three cells with the sum 8, or the 5 of a renban line of five cells.
    """
    net = position.network
    for index, clue in enumerate(net.clues):
        if len(clue.scope) < _LINE:
            continue
        masks = position.clue_masks(index)
        for value in members(reduce(or_, masks)):
            bit = 1 << value
            places = mask_of(p for p, mask in zip(clue.scope, masks, strict=True) if mask & bit)
            gone = position.victims(places << position.number(0, value))
            without = tuple([mask & ~bit for mask in masks])
            # If a place has no other value, it is known where the value is.
            if gone and all(without) and position.narrowed(index, without) is None:
                yield position.step(
                    "required value",
                    score,
                    places,
                    f"{net.say(clue.rule)}{_here(position, clue)}, so "
                    f"{net.names(places, 'or')} is {net.word(members(places)[0], value)}",
                    eliminations=position.split(gone),
                    rules=(clue.rule,),
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
