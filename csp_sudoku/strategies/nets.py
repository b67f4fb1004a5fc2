"""Chains within assumptions: which candidates does a chain refute, under which assumptions?

A chain goes from a candidate that is right to those that it excludes, and from one that is wrong to
the only other one of its cell or house. Unlike an assumption, it never uses two of its conclusions
together. It refutes the candidate where it starts if that is wrong in the end, and so do several
chains that leave nothing of a cell, or of a value in a house.

All assumptions and all starts are looked at together. With n assumptions, bit `s * n + a` of a mask
stands for assumption a and a chain that begins at candidate s.
"""

from __future__ import annotations

from collections.abc import Iterator

from csp_sudoku.strategies.assumptions import Assumptions
from csp_sudoku.strategies.bits import mask_of, members
from csp_sudoku.strategies.position import Candidate, Position
from csp_sudoku.strategies.probe import Probe, Reason


def refuted_by_chains(
    together: Assumptions, going: int
) -> tuple[dict[Candidate, int], dict[Candidate, int]]:
    """The candidates that one chain refutes, and those that several do: under which assumptions."""
    position = together.position
    size = going.bit_count()
    packed: dict[int, int] = {}

    def pack(worlds: int) -> int:
        """The same set, if only the assumptions that matter are numbered."""
        worlds &= going
        if worlds not in packed:
            packed[worlds] = sum(1 << i for i, world in enumerate(numbers) if worlds >> world & 1)
        return packed[worlds]

    numbers = list(members(going))
    left = {
        (place, value): worlds
        for value, row in enumerate(together.left)
        for place in members(position.open)
        if (worlds := pack(row[place]))
    }
    number = {candidate: i for i, candidate in enumerate(left)}
    # Multiplied by this, a set of assumptions is the same for all starts.
    starts = sum(1 << i * size for i in range(len(left)))
    alive = {candidate: worlds * starts for candidate, worlds in left.items()}
    units = [
        ([candidate for candidate in unit if candidate in left], pack(two_left) * starts)
        for unit, two_left in together.units()
    ]
    victims = {
        candidate: [c for c in _victims(position, candidate) if c in left] for candidate in left
    }
    # For each candidate the others of a cell or a house, and where two candidates are left there.
    others: dict[Candidate, list[tuple[list[Candidate], int]]] = {c: [] for c in left}
    for unit, exactly in units:
        for candidate in unit if exactly else ():
            others[candidate].append(([c for c in unit if c != candidate], exactly))

    right = {candidate: worlds << number[candidate] * size for candidate, worlds in left.items()}
    wrong = dict.fromkeys(left, 0)
    fresh = right.copy()
    while fresh:
        position.tick()
        excluded = dict.fromkeys(left, 0)
        for candidate, where in fresh.items():
            for victim in victims[candidate]:
                excluded[victim] |= where
        forced = dict.fromkeys(left, 0)
        for candidate, where in _new(excluded, alive, wrong).items():
            for rest, exactly in others[candidate]:
                if both := where & exactly:
                    for other in rest:
                        forced[other] |= both
        fresh = _new(forced, alive, right)

    block = (1 << size) - 1
    one_chain = {c: wrong[c] >> i * size & block for c, i in number.items()}
    nothing_left = 0
    for unit, _ in units:
        some, none = 0, -1
        for candidate in unit:
            some |= wrong[candidate]
            none &= wrong[candidate] | ~alive[candidate]
        nothing_left |= some & none
    several = {c: nothing_left >> i * size & block & left[c] for c, i in number.items()}
    return _unpacked(one_chain, numbers), _unpacked(several, numbers)


def _new(
    found: dict[Candidate, int], alive: dict[Candidate, int], known: dict[Candidate, int]
) -> dict[Candidate, int]:
    """What is found of living candidates and was not known; it is known now."""
    new = {}
    for candidate, where in found.items():
        if where and (more := where & alive[candidate] & ~known[candidate]):
            known[candidate] |= more
            new[candidate] = more
    return new


def _victims(position: Position, candidate: Candidate) -> list[Candidate]:
    """The candidates that one excludes."""
    return position.split(position.victims(1 << position.number(*candidate)))


def _units_of(position: Position) -> dict[Candidate, list[list[Candidate]]]:
    """For each candidate those of its cell, and those of its value in each of its houses."""
    found: dict[Candidate, list[list[Candidate]]] = {}
    for place, mask in enumerate(position.masks):
        cell = [(place, value) for value in members(mask)]
        found.update((candidate, [cell]) for candidate in cell)
    for value, board in enumerate(position.boards):
        for house in position.network.houses_of[value]:
            unit = [(place, value) for place in members(house & board)]
            for candidate in unit:
                found[candidate].append(unit)
    return found


def _unpacked(found: dict[Candidate, int], numbers: list[int]) -> dict[Candidate, int]:
    return {
        candidate: mask_of(numbers[i] for i in members(worlds))
        for candidate, worlds in found.items()
        if worlds
    }


def locked_refutation(probe: Probe, candidate: Candidate) -> Reason:
    """Why a candidate sees all places of its value in a house, after all that a probe has found."""
    net, board = probe.position.network, probe.boards[candidate[1]]
    place, value = candidate
    for house in net.houses_of[value]:
        if not house >> place & 1 and not board & house & ~net.sees[place]:
            break
    gone = probe.position.boards[value] & house & ~board
    return Reason(
        f"{net.name(place)} cannot be {net.digit(value)} (it sees all places left for "
        f"{net.digit(value)} in {net.house_names[house]})",
        [(other, value) for other in members(gone)],
        0,
    )


def chain_refutation(probe: Probe, candidate: Candidate) -> Reason:
    """Why chains refute a candidate after all that a probe has found."""
    return _Tree(probe, candidate).reason()


class _Tree:
    """The shortest chains from a candidate that is assumed to be right.

    Each claim has the claim before it, and each right one the candidates whose removal it needs.
    """

    def __init__(self, probe: Probe, start: Candidate) -> None:
        self._position, self._boards, self._start = probe.position, probe.boards, start
        self._right: dict[Candidate, tuple[Candidate | None, list[Candidate]]] = {start: (None, [])}
        self._wrong: dict[Candidate, Candidate] = {}
        front = [start]
        while front and start not in self._wrong:
            fallen = [each for right in front for each in self._exclude(right)]
            front = [each for wrong in fallen for each in self._force(wrong)]

    def _exclude(self, right: Candidate) -> Iterator[Candidate]:
        for wrong in _victims(self._position, right):
            if self._is_left(wrong) and wrong not in self._wrong:
                self._wrong[wrong] = right
                yield wrong

    def _force(self, wrong: Candidate) -> Iterator[Candidate]:
        boards = self._boards
        for unit in self._units(wrong):
            left = [each for each in unit if boards[each[1]] >> each[0] & 1]
            if len(left) == 2:
                other = left[left[0] == wrong]
                if other not in self._right:
                    self._right[other] = wrong, [each for each in unit if each not in left]
                    yield other

    def _units(self, candidate: Candidate) -> list[list[Candidate]]:
        """The candidates of its cell, and those of its value in each house."""
        return self._position.remembered("units of candidates", _units_of)[candidate]

    def _lacking(self, unit: list[Candidate]) -> str:
        """That nothing of a unit is left, in words."""
        net, (place, value) = self._position.network, unit[0]
        if unit == self._units(unit[0])[0]:
            return f"{net.name(place)} has no candidate left"
        cells = mask_of(other for other, _ in unit)
        name = next(net.house_names[house] for house in net.houses_of[value] if not cells & ~house)
        return f"{name} has no place left for {net.digit(value)}"

    def _is_left(self, candidate: Candidate) -> bool:
        return bool(self._boards[candidate[1]] >> candidate[0] & 1)

    def _chain(self, wrong: Candidate) -> list[Candidate]:
        """The candidates on the way to one that is wrong, the right ones and the wrong ones."""
        way = [wrong]
        last: Candidate | None = wrong
        while last is not None:
            right = self._wrong[last]
            last = self._right[right][0]
            way += [right] if last is None else [right, last]
        return way[::-1]

    def reason(self) -> Reason:
        """One chain that comes back, or several that leave nothing of a unit."""
        net = self._position.network
        name, digit = net.name(self._start[0]), net.digit(self._start[1])
        gone: list[Candidate] = []
        if self._start in self._wrong:
            chains, end = [self._chain(self._start)], f"{name} ≠ {digit}"
        else:
            emptied = [
                (unit, [self._chain(each) for each in unit if self._is_left(each)])
                for wrong in self._wrong
                for unit in self._units(wrong)
                if all(each in self._wrong for each in unit if self._is_left(each))
            ]
            unit, chains = min(emptied, key=lambda found: sum(map(len, found[1])))
            gone, end = [each for each in unit if not self._is_left(each)], self._lacking(unit)
        steps = dict.fromkeys(each for chain in chains for each in chain[2::2])
        words = [f"{net.name(place)} = {net.digit(value)}" for place, value in steps]
        needs = [*gone, *(each for right in steps for each in self._right[right][1])]
        return Reason(
            f"{name} cannot be {digit} (or else {', '.join([*words, end])})",
            list(dict.fromkeys(needs)),
            sum(map(len, chains)),
        )
