"""Polarity: low and high values, or odd and even ones, take turns in cells that rules join.

Along a German whisper low and high values take turns, along a parity line odd and even ones, and so
they do from white dot to white dot. Any rule for two cells counts of which this is true with the
candidates that are left.

References
----------
Sudopedia: Simple Colors; this is the same for classes of values. A whisper puzzle that is solved by
colouring high and low cells: http://fatphil.org/Sudoku/StrudelDoodle_solve.txt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from operator import or_
from typing import Any

from csp_sudoku.strategies.bits import mask_of, members
from csp_sudoku.strategies.colouring import two_colours
from csp_sudoku.strategies.filters import PairFilter
from csp_sudoku.strategies.network import Network, listing
from csp_sudoku.strategies.position import Candidate, Position
from csp_sudoku.strategies.step import Step

# Fewer values than this have no halves that are worth a name.
_FEWEST = 4
# So many cells are named in a short sentence.
_NAMED = 6

# A rule, and its relation between two cells.
_Pair = tuple[Any, PairFilter, int, int]


@dataclass(frozen=True)
class _Turns:
    """Cells in two colours: those of one colour hold values of one class, the others of the other.

    Attributes
    ----------
    words, classes
        The names of the two classes, and their values.
    colours
        The cells.
    near
        For each cell those that a rule joins to it.
    known
        The class of the first colour, if a cell shows it.
    """

    words: tuple[str, str]
    classes: tuple[int, int]
    colours: tuple[int, int]
    near: dict[int, int]
    rules: tuple[Any, ...]
    known: int | None

    def allowed(self, turned: int) -> dict[int, int]:
        """The values of each cell, if the first colour has this class."""
        return {
            place: self.classes[colour ^ turned]
            for colour, cells in enumerate(self.colours)
            for place in members(cells)
        }

    def lost(self, position: Position, turned: int) -> list[Candidate]:
        """The candidates that fall if the first colour has this class."""
        return [
            (place, value)
            for place, values in self.allowed(turned).items()
            for value in members(position.masks[place] & ~values)
        ]

    def least(self, house: int) -> int:
        """How many cells of a house have values of each class, whichever colour has which."""
        return min((colour & house).bit_count() for colour in self.colours)


@dataclass(frozen=True)
class _Full:
    """Cells of a house that need all of some values; `lost` is None if they need even more.

    `rules` are those by which more cells count than those that take turns.
    """

    said: str
    cells: int
    rules: tuple[Any, ...]
    lost: set[Candidate] | None


def polarity(position: Position, score: float) -> Iterator[Step]:
    """Low and high take turns along a whisper, odd and even from dot to dot; one cell shows which.

    It settles all the others. This is told only if it reaches beyond the next cell.
    """
    for turns in position.remembered("polarity", _all_turns):
        if turns.known is None:
            continue
        lost = turns.lost(position, turns.known)
        settled = [p for p in turns.near if not position.masks[p] & ~turns.allowed(turns.known)[p]]
        beside = 0
        for place in settled:
            beside |= turns.near[place]
        if any(not beside >> place & 1 for place, _ in lost):
            first = settled[0]
            word = turns.words[(turns.colours[1] >> first & 1) ^ turns.known]
            said = f"{position.network.name(first)} is {word}"
            yield _step(position, score, turns, said, lost)


def polarity_colouring(position: Position, score: float) -> Iterator[Step]:
    """Low and high values take turns, or odd and even ones, but a house has no room for one way.

    What falls in both ways falls, too: a cell that sees all the low ones either way is not low.
    """
    net = position.network
    every = [each for each in position.remembered("polarity", _all_turns) if each.known is None]
    least = {
        (group.cells, each.classes): [
            (other, number)
            for other in every
            if other.classes == each.classes and (number := other.least(group.cells))
        ]
        for each in {each.classes: each for each in every}.values()
        for group in net.groups
    }
    for turns in every:
        first = net.name(members(turns.colours[0])[0])
        full = [list(_full(position, turns, turned, least)) for turned in (0, 1)]
        crowded = [[each for each in found if each.lost is None] for found in full]
        for turned in (0, 1):
            for each in crowded[turned][:1]:
                said = f"if {first} were {turns.words[turned]}, {each.said}"
                yield _step(position, score, turns, said, turns.lost(position, 1 - turned), each)
        for one in full[0] if not any(crowded) else ():
            for two in full[1]:
                if shared := (one.lost or set()) & (two.lost or set()):
                    said = (
                        f"if {first} is {turns.words[0]}, {one.said}; "
                        f"if it is {turns.words[1]}, {two.said}"
                    )
                    yield _step(position, score, turns, said, shared, one, two)


def _step(
    position: Position,
    score: float,
    turns: _Turns,
    said: str,
    lost: Iterable[Candidate],
    *full: _Full,
) -> Step:
    net = position.network
    cells = members(turns.colours[0] | turns.colours[1])
    names = [net.name(place) for place in cells]
    some = [*names[:_NAMED], f"{len(names) - _NAMED} more"] if len(names) > _NAMED + 1 else names
    take_turns = f"{turns.words[0]} and {turns.words[1]} values take turns in"
    rules = tuple(dict.fromkeys(chain(turns.rules, *(each.rules for each in full))))
    because = "; ".join(map(net.say, rules))
    return position.step(
        "polarity colouring" if full else "polarity",
        score,
        reduce(or_, (each.cells for each in full), mask_of(cells)),
        f"{because}; so {take_turns} {listing(names)}; {said}",
        eliminations=lost,
        rules=rules,
        briefly=f"{take_turns} {listing(some)}; {said}",
    )


def _all_turns(position: Position) -> list[_Turns]:
    """All cells in which two classes of values take turns."""
    masks = position.masks
    found = []
    for words, classes, pairs in position.recalled("polarity", _halves, position.network):
        near: dict[int, int] = {}
        said: dict[int, list[Any]] = {}
        for rule, pair, a, b in pairs:
            if _alternate(pair, masks[a], masks[b], classes):
                near[a] = near.get(a, 0) | 1 << b
                near[b] = near.get(b, 0) | 1 << a
                said.setdefault(a, []).append(rule)
        for colours in two_colours(near):
            both = members(colours[0] | colours[1])
            known = [
                number ^ (colours[1] >> place & 1)
                for number, values in enumerate(classes)
                for place in both
                if not masks[place] & ~values
            ]
            rules = tuple(dict.fromkeys(rule for place in both for rule in said.get(place, ())))
            around = {place: near[place] for place in both}
            found.append(
                _Turns(words, classes, colours, around, rules, known[0] if known else None)
            )
    return found


def _halves(
    net: Network,
) -> Iterator[tuple[tuple[str, str], tuple[int, int], list[_Pair]]]:
    """The ways to halve values, each with the pairs of cells in which they may take turns.

    They are odd and even, and for each domain low and high; a value in its middle is neither. None
    is listed twice, so that no cell is counted twice.
    """
    pairs: list[_Pair] = [
        (clue.rule, pair, clue.scope[pair.first], clue.scope[pair.second])
        for clue in net.clues
        for pair in clue.pairs
        if pair.first != pair.second and not any(map(net.has_words, clue.scope))
    ]
    odd = mask_of(code for code, value in enumerate(net.values) if value % 2)
    yield ("odd", "even"), (odd, (1 << len(net.values)) - 1 & ~odd), pairs
    for domain in dict.fromkeys(net.domains[a] for _, _, a, _ in pairs):
        values = members(domain)
        half = len(values) // 2
        low, high = mask_of(values[:half]), mask_of(values[-half:])
        if len(values) >= _FEWEST and low != odd:
            same = [
                pair for pair in pairs if net.domains[pair[2]] == net.domains[pair[3]] == domain
            ]
            yield ("low", "high"), (low, high), same


def _alternate(pair: PairFilter, first: int, second: int, classes: tuple[int, int]) -> bool:
    """Whether a relation allows only values of different classes, of these candidates."""
    low, high = classes
    for value in members(first):
        other = high if low >> value & 1 else low if high >> value & 1 else 0
        if pair.forwards.get(value, 0) & second & ~other:
            return False
    return True


def _full(
    position: Position,
    turns: _Turns,
    turned: int,
    least: dict[tuple[int, tuple[int, int]], list[tuple[_Turns, int]]],
) -> Iterator[_Full]:
    """The houses whose cells need all of some values, if the first colour has this class.

    `least` has the other cells of a house that take turns, with the least number of each class.
    """
    net = position.network
    own = turns.allowed(turned)
    inner = turns.colours[0] | turns.colours[1]
    for group in net.groups:
        if not group.cells & inner:
            continue
        masks = {p: position.masks[p] & own.get(p, -1) for p in group.members}
        others = [pair for pair in least[group.cells, turns.classes] if pair[0] is not turns]
        more = sum(number for _, number in others)
        rules = tuple(rule for other, _ in others for rule in other.rules)
        apart = reduce(or_, (colour for other, _ in others for colour in other.colours), 0)
        for kind in dict.fromkeys((*turns.classes, *(~each for each in turns.classes))):
            cells = mask_of(p for p, mask in masks.items() if not mask & ~kind) & ~apart
            if not cells & inner:
                continue
            values = 0
            for place in group.members if more else members(cells):
                values |= masks[place] & kind
            number, room = cells.bit_count() + more, values.bit_count()
            if number < room:
                continue
            shown = f"{number} cells of {group.name}"
            if not more:
                shown = f"{net.names(cells)} in {group.name}"
            used, digits = group.cells & apart | cells if more else cells, net.digits(values)
            if number > room:
                yield _Full(f"{shown} would have only {digits}", used, rules, None)
            else:
                rest = members(group.cells & ~cells & ~apart)
                lost = {(p, v) for p in rest for v in members(position.masks[p] & values)}
                take = "take" if number > 1 else "takes"
                yield _Full(f"{shown} {take} {digits}", used, rules, lost)
