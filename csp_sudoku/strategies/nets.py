"""Chains within assumptions: which candidates does a chain refute, under which assumptions?

A chain goes from a candidate that is right to those that it excludes, and from one that is wrong to
the only other one of its cell or house. Unlike an assumption, it never uses two of its conclusions
together. It refutes the candidate where it starts if that is wrong in the end, and so do several
chains that leave nothing of a cell, or of a value in a house.

All assumptions and all starts are looked at together. With n assumptions, bit `s * n + a` of a mask
stands for assumption a and a chain that begins at candidate s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from csp_sudoku.strategies.assumptions import Assumptions, choices
from csp_sudoku.strategies.bits import is_single, mask_of, members
from csp_sudoku.strategies.position import Candidate, Position
from csp_sudoku.strategies.probe import Probe, Reason


def refuted_by_chains(together: Assumptions, going: int) -> dict[Candidate, int]:
    """The candidates that one chain refutes, each with the assumptions under which it does."""
    chains = _Chains(together, going)
    return chains.unpacked(
        {c: chains.wrong[c] >> i * chains.size for c, i in chains.number.items()}
    )


def refuted_by_several(together: Assumptions, going: int) -> dict[Candidate, int]:
    """The candidates that several chains refute: they leave nothing of a cell or of a value."""
    chains = _Chains(together, going)
    nothing_left = 0
    for unit in chains.units:
        some, none = 0, -1
        for candidate in unit:
            some |= chains.wrong[candidate]
            none &= chains.wrong[candidate] | ~chains.alive[candidate]
        nothing_left |= some & none
    return chains.unpacked(
        {c: nothing_left >> i * chains.size & chains.left[c] for c, i in chains.number.items()}
    )


class _Chains:
    """What chains from each candidate that is left show to be wrong, under some assumptions.

    Attributes
    ----------
    size
        The number of assumptions.
    number
        The number of each candidate as a start.
    left
        The assumptions under which each candidate is left; `alive` has them for all starts.
    wrong
        For each candidate, the assumptions and starts that show it to be wrong.
    """

    def __init__(self, together: Assumptions, going: int) -> None:
        position = together.position
        self._numbers = members(going)
        self._index = {world: i for i, world in enumerate(self._numbers)}
        self.size = len(self._numbers)
        self.units, others, victims = position.remembered("ways of chains", _ways)
        self.left = {
            (place, value): self._packed(together.left[value][place] & going)
            for place, value in victims
        }
        self.number = {c: i for i, c in enumerate([c for c in victims if self.left[c]])}
        # Multiplied by this, a set of assumptions is the same for all starts.
        starts = sum(1 << i * self.size for i in range(len(self.number)))
        self.alive = {candidate: worlds * starts for candidate, worlds in self.left.items()}
        exactly = [self._packed(two_left & going) * starts for _, two_left in together.units()]

        fresh = {c: self.left[c] << i * self.size for c, i in self.number.items()}
        # Where a candidate is not yet known to be right, and where not yet to be wrong.
        not_right = {c: alive & ~fresh.get(c, 0) for c, alive in self.alive.items()}
        not_wrong = self.alive.copy()
        while fresh:
            position.tick()
            excluded = dict.fromkeys(victims, 0)
            for candidate, where in fresh.items():
                for victim in victims[candidate]:
                    excluded[victim] |= where
            forced = dict.fromkeys(victims, 0)
            for candidate, where in _new(excluded, not_wrong).items():
                for rest, unit in others[candidate]:
                    if both := where & exactly[unit]:
                        for other in rest:
                            forced[other] |= both
            fresh = _new(forced, not_right)
        self.wrong = {c: alive & ~not_wrong[c] for c, alive in self.alive.items()}

    def _packed(self, worlds: int) -> int:
        """The same set, if only the assumptions that matter are numbered."""
        if worlds.bit_length() <= self.size == self._numbers[-1] + 1:
            return worlds
        return mask_of([self._index[world] for world in members(worlds)])

    def unpacked(self, found: dict[Candidate, int]) -> dict[Candidate, int]:
        """Candidates with the assumptions, numbered as before; those with none are left out."""
        block = (1 << self.size) - 1
        return {
            candidate: mask_of(self._numbers[i] for i in members(worlds & block))
            for candidate, worlds in found.items()
            if worlds & block
        }


def _ways(
    position: Position,
) -> tuple[
    list[list[Candidate]],
    dict[Candidate, list[tuple[list[Candidate], int]]],
    dict[Candidate, list[Candidate]],
]:
    """The units, and for each candidate the rest of each of its units, and what it excludes."""
    victims = {
        candidate: _victims(position, candidate) for candidate in position.split(position.left)
    }
    units = [[c for c in unit if c in victims] for unit in choices(position)]
    others: dict[Candidate, list[tuple[list[Candidate], int]]] = {c: [] for c in victims}
    for number, unit in enumerate(units):
        for candidate in unit:
            others[candidate].append(([c for c in unit if c != candidate], number))
    return units, others, victims


def _new(found: dict[Candidate, int], unknown: dict[Candidate, int]) -> dict[Candidate, int]:
    """What is found and was not known; it is known now."""
    new = {}
    for candidate, where in found.items():
        if where and (more := where & unknown[candidate]):
            unknown[candidate] ^= more
            new[candidate] = more
    return new


def _victims(position: Position, candidate: Candidate) -> list[Candidate]:
    """The candidates that one excludes."""
    return position.split(position.victims(1 << position.number(*candidate)))


def _units_of(position: Position) -> dict[int, list[int]]:
    """For each candidate those of its cell, and those of its value in each of its houses."""
    found: dict[int, list[int]] = {}
    for place, mask in enumerate(position.masks):
        cell = mask_of(position.number(place, value) for value in members(mask))
        found.update((candidate, [cell]) for candidate in members(cell))
    for value, board in enumerate(position.boards):
        for house in position.network.houses_of[value]:
            unit = (house & board) << position.number(0, value)
            for candidate in members(unit):
                found[candidate].append(unit)
    return found


def locked_refutation(probe: Probe, candidate: Candidate) -> Reason:
    """Why a candidate sees all places of its value in a house, after all that a probe has found."""
    net, board = probe.position.network, probe.boards[candidate[1]]
    place, value = candidate
    for house in net.houses_of[value]:
        if not house >> place & 1 and not board & house & ~net.sees[place]:
            break
    gone = probe.position.boards[value] & house & ~board
    return Reason(
        f"{net.cannot_be(place, value)} (it sees all places left for "
        f"{net.digit(value)} in {net.house_names[house]})",
        [(other, value) for other in members(gone)],
        0,
    )


def chain_refutation(probe: Probe, candidate: Candidate) -> Reason:
    """Why chains refute a candidate after all that a probe has found."""
    return _Tree(probe, probe.position.number(*candidate)).reason()


class _Tree:
    """The shortest chains from a candidate that is assumed to be right. Candidates are numbers.

    Each claim has the claim before it, and each right one the candidates whose removal it needs.
    """

    def __init__(self, probe: Probe, start: int) -> None:
        self._position, self._start = probe.position, start
        self._left = probe.left
        self._right: dict[int, tuple[int | None, int]] = {start: (None, 0)}
        self._wrong: dict[int, int] = {}
        front, self._fallen = [start], 0
        while front and start not in self._wrong:
            fallen = [wrong for right in front for wrong in self._exclude(right)]
            front = [right for wrong in fallen for right in self._force(wrong)]

    def _exclude(self, right: int) -> Sequence[int]:
        lost = self._position.victims(1 << right) & self._left & ~self._fallen
        self._fallen |= lost
        fallen = members(lost)
        self._wrong.update(dict.fromkeys(fallen, right))
        return fallen

    def _force(self, wrong: int) -> Iterator[int]:
        for unit in self._units(wrong):
            left = unit & self._left & ~(1 << wrong)
            if is_single(left):
                other = left.bit_length() - 1
                if other not in self._right:
                    self._right[other] = wrong, unit & ~self._left
                    yield other

    def _units(self, candidate: int) -> list[int]:
        """The candidates of its cell, and those of its value in each house."""
        return self._position.remembered("units of candidates", _units_of)[candidate]

    def _lacking(self, unit: int) -> str:
        """That nothing of a unit is left, in words."""
        net = self._position.network
        (place, value), *others = self._position.split(unit)
        if unit == self._units(members(unit)[0])[0]:
            return f"{net.short_name(place)} has no candidate left"
        cells = mask_of([place, *(other for other, _ in others)])
        name = next(net.house_names[house] for house in net.houses_of[value] if not cells & ~house)
        return f"{name} has no place left for {net.digit(value)}"

    def _chain(self, wrong: int) -> list[int]:
        """The candidates on the way to one that is wrong, the right ones and the wrong ones."""
        way = [wrong]
        last: int | None = wrong
        while last is not None:
            right = self._wrong[last]
            last = self._right[right][0]
            way += [right] if last is None else [right, last]
        return way[::-1]

    def reason(self) -> Reason:
        """One chain that comes back, or several that leave nothing of a unit."""
        net, split = self._position.network, self._position.split
        [(place, value)] = split(1 << self._start)
        gone = 0
        if self._start in self._wrong:
            chains, end = [self._chain(self._start)], net.claim(place, value, right=False)
        else:
            emptied = dict.fromkeys(
                unit
                for wrong in self._wrong
                for unit in self._units(wrong)
                if not unit & self._left & ~self._fallen
            )
            found = [(u, [self._chain(c) for c in members(u & self._left)]) for u in emptied]
            unit, chains = min(found, key=lambda each: sum(map(len, each[1])))
            gone, end = unit & ~self._left, self._lacking(unit)
        steps = dict.fromkeys(each for chain in chains for each in chain[2::2])
        words = [net.claim(p, v) for each in steps for p, v in split(1 << each)]
        needs = [*split(gone), *(c for right in steps for c in split(self._right[right][1]))]
        return Reason(
            f"{net.cannot_be(place, value)} (or else {', '.join([*words, end])})",
            list(dict.fromkeys(needs)),
            sum(map(len, chains)),
        )
