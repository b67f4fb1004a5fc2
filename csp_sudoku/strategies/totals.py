"""The 45 rule: the sum of a house is known, and so is that of the cells that its cages leave.

Innies are the cells of a house that no cage covers. Outies are the cells of its cages that lie
outside. The sum of the innies minus that of the outies is known. Several rows or columns next to
each other are used in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from csp_encodings.factors import Linear
from csp_encodings.store import kept
from csp_sudoku.constraints.cages import KillerCage
from csp_sudoku.strategies.bits import members
from csp_sudoku.strategies.clues import Clue, sum_clue
from csp_sudoku.strategies.network import Network, listing
from csp_sudoku.strategies.position import Contradiction, Position
from csp_sudoku.strategies.step import Step

# With more cells than this a sum is not used.
_LARGEST = 6


@dataclass(frozen=True, eq=False)
class Total:
    """Cells whose sum is known."""

    cells: int
    total: int


@dataclass(frozen=True, eq=False)
class Leftover:
    """The innies and outies of some houses: the difference of their sums is known."""

    name: str
    clue: Clue
    innies: int
    outies: int
    difference: int


def rule_of_45(position: Position, score: float) -> Iterator[Step]:
    """Apply the known sums of innies and outies."""
    net = position.network
    for leftover in leftovers(net):
        scope = leftover.clue.scope
        masks = tuple(position.masks[place] for place in scope)
        left = leftover.clue.combine(masks, net.sees)
        said = _said(net, leftover)
        if left is None:
            raise Contradiction(f"{said}: that cannot be", leftover.clue.cells)
        if left != masks:
            gone = position.fallen(scope, masks, left)
            yield position.step("45 rule", score, leftover.clue.cells, said, eliminations=gone)


@kept(size=lambda found: 500 * len(found))
def leftovers(net: Network) -> tuple[Leftover, ...]:
    """All innies and outies of a puzzle that are few enough to be useful."""
    cages = list(_cages(net))
    found: dict[tuple[int, int], Leftover] = {}
    if cages:
        for name, region in _regions(net):
            for mostly in (False, True):
                for each in _left(net, name, region, cages, mostly=mostly):
                    found.setdefault((each.innies, each.outies), each)
    return tuple(found.values())


def _cages(net: Network) -> Iterator[Total]:
    for clue in net.clues:
        rule = clue.rule
        if isinstance(rule, KillerCage):
            if type(rule.sum) is int and len(set(rule.cells)) == len(rule.cells):
                yield Total(clue.cells, rule.sum)
        elif len(clue.factors) == 1 and isinstance(clue.factors[0], Linear):
            factor = clue.factors[0]
            exact = factor.low is not None and factor.low == factor.high
            if exact and set(factor.coefficients) == {1}:
                yield Total(clue.cells, factor.low or 0)


def _regions(net: Network) -> Iterator[tuple[str, Total]]:
    """Houses, and up to half of the rows or columns next to each other."""
    for family in net.families:
        houses = [group for group in family if group.is_house]
        block = any(house.block for house in houses)
        longest = min(2, len(houses)) if block else (len(houses) + 1) // 2
        for length in range(1, longest + 1):
            for first in range(len(houses) - length + 1):
                run = houses[first : first + length]
                cells, total = 0, 0
                for house in run:
                    cells |= house.cells
                    total += sum(net.values[value] for value in members(house.values))
                names = [house.name for house in run]
                name = listing(names) if length < 3 else f"{names[0]} to {names[-1]}"
                yield name, Total(cells, total)


def _left(
    net: Network, name: str, region: Total, cages: list[Total], *, mostly: bool
) -> Iterator[Leftover]:
    covered = total = 0
    for cage in cages:
        inside = (cage.cells & region.cells).bit_count()
        outside = cage.cells.bit_count() - inside
        if outside and not (mostly and outside < inside):
            continue
        if not inside or cage.cells & covered:
            continue
        covered |= cage.cells
        total += cage.total
    innies, outies = region.cells & ~covered, covered & ~region.cells
    if covered and 0 < (innies | outies).bit_count() <= _LARGEST:
        signs = [(place, 1) for place in members(innies)]
        signs += [(place, -1) for place in members(outies)]
        difference = region.total - total
        clue = sum_clue(signs, difference, net.values, net.domains)
        yield Leftover(name, clue, innies, outies, difference)


def _said(net: Network, leftover: Leftover) -> str:
    head = f"{leftover.name} and the cages there have known sums, so "
    if not leftover.outies:
        return f"{head}what is left over, {_plus(net, leftover.innies)}, is {leftover.difference}"
    if not leftover.innies:
        return f"{head}what sticks out, {_plus(net, leftover.outies)}, is {-leftover.difference}"
    gap = leftover.difference
    compared = f"{abs(gap)} {'more' if gap > 0 else 'less'} than" if gap else "the same as"
    return (
        f"{head}{_plus(net, leftover.innies)} inside is {compared} "
        f"{_plus(net, leftover.outies)} outside"
    )


def _plus(net: Network, cells: int) -> str:
    return " + ".join(net.name(place) for place in members(cells))
