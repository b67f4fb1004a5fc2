"""Many assumptions side by side: what follows from each of them by singles and clues.

For each candidate there is the set of assumptions under which it is left, as a mask. So one
operation on masks draws a conclusion under all assumptions at once. The layers are those of
:mod:`csp_sudoku.strategies.probe`, which tells in words what follows from one assumption.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from csp_sudoku.strategies.bits import mask_of, members
from csp_sudoku.strategies.filters import PairFilter
from csp_sudoku.strategies.position import Candidate, Position


class Assumptions:
    """What follows from each of some assumptions so far; assumption i is bit i of a mask.

    Attributes
    ----------
    clash
        The assumptions that lead to a contradiction.
    left
        For each value and place, the assumptions under which the candidate is left.
    """

    def __init__(self, position: Position, assumed: Sequence[Candidate]) -> None:
        everywhere = (1 << len(assumed)) - 1
        self._start(
            position,
            [
                [everywhere if board >> place & 1 else 0 for place in range(len(position.masks))]
                for board in position.boards
            ],
            [
                everywhere if position.placed >> place & 1 else 0
                for place in range(len(position.masks))
            ],
        )
        self._assume(assumed)

    def _start(self, position: Position, left: list[list[int]], placed: list[int]) -> None:
        self.position = position
        self.left, self._placed = left, placed
        self.clash = 0
        self._changed = 0
        # Where something changed since clues and houses were last looked at.
        self._touched: list[int] = [0] * len(placed)
        self._dirty: list[int] = [0] * len(left)

    def _assume(self, assumed: Sequence[Candidate]) -> None:
        found: dict[Candidate, int] = {}
        for number, candidate in enumerate(assumed):
            found[candidate] = found.get(candidate, 0) | 1 << number
        self._place(found)

    def run(self) -> int:
        """Go on until nothing more follows; return the assumptions that clash."""
        while self.advance():
            pass
        return self.clash

    def advance(self) -> int:
        """Go one layer further; return the assumptions from which anything new follows."""
        going = 0
        for changed in self._dirty:
            going |= changed
        going &= ~self.clash
        if not going:
            return 0
        self.position.tick()
        before, self._changed = self.clash, 0
        found: dict[Candidate, int] = {}
        self._find_naked(going, found)
        self._find_hidden(going, found)
        self._place(found)
        if self.position.network.clues:
            self._ask_clues()
        return self._changed | self.clash & ~before

    def remove(self, candidates: Iterable[Candidate], worlds: int) -> None:
        """Remove candidates under some of the assumptions."""
        for place, value in candidates:
            row = self.left[value]
            if lost := row[place] & worlds:
                row[place] ^= lost
                self._touched[place] |= lost
                self._dirty[value] |= lost
                self._changed |= lost

    def within(self, further: Sequence[Sequence[Candidate]]) -> Assumptions:
        """One more candidate assumed after all that was found: for each assumption, each of some.

        The new assumptions are numbered in this order.
        """
        sizes = [len(each) for each in further]
        ends = list(accumulate(sizes))
        blocks = [(1 << end) - (1 << end - size) for size, end in zip(sizes, ends, strict=True)]
        wanted = mask_of(i for i, size in enumerate(sizes) if size)
        # Most candidates are left under the same assumptions as another one.
        known: dict[int, int] = {}

        def spread(worlds: int) -> int:
            if worlds not in known:
                known[worlds] = sum([blocks[i] for i in members(worlds & wanted)])
            return known[worlds]

        other = Assumptions.__new__(Assumptions)
        other._start(
            self.position,
            [[spread(worlds) for worlds in row] for row in self.left],
            [spread(worlds) for worlds in self._placed],
        )
        other._assume([candidate for each in further for candidate in each])
        return other

    def units(self) -> Iterator[tuple[list[Candidate], int]]:
        """Yield choices of candidates, with the assumptions under which exactly two are left."""
        for candidates in self.position.remembered("choices", choices):
            one = two = three = 0
            for place, value in candidates:
                worlds = self.left[value][place]
                three |= two & worlds
                two |= one & worlds
                one |= worlds
            yield candidates, two & ~three & ~self.clash

    def with_one_alternative(self) -> dict[Candidate, int]:
        """The candidates that have one alternative, each with the assumptions under which."""
        found: dict[Candidate, int] = {}
        for candidates, exactly in self.units():
            for place, value in candidates if exactly else ():
                if worlds := self.left[value][place] & exactly:
                    found[place, value] = found.get((place, value), 0) | worlds
        return found

    def locked(self, going: int) -> dict[Candidate, int]:
        """Pointing and claiming: the candidates that fall, each with the assumptions."""
        found: dict[Candidate, int] = {}
        for value, outside, seen in self.position.remembered("lockable", _lockable):
            row, worlds = self.left[value], going
            for place in outside:
                worlds &= ~row[place]
            for place in seen if worlds else ():
                if lost := row[place] & worlds:
                    found[place, value] = found.get((place, value), 0) | lost
        return found

    # Singles

    def _find_naked(self, going: int, found: dict[Candidate, int]) -> None:
        left = self.left
        for place, mask in enumerate(self.position.masks):
            open_ = going & ~self._placed[place]
            if not open_:
                continue
            one = two = 0
            values = list(members(mask))
            for value in values:
                worlds = left[value][place]
                two |= one & worlds
                one |= worlds
            self.clash |= open_ & ~one
            if single := one & ~two & open_:
                for value in values:
                    if worlds := left[value][place] & single:
                        found[place, value] = worlds

    def _find_hidden(self, going: int, found: dict[Candidate, int]) -> None:
        network = self.position.network
        for value, row in enumerate(self.left):
            fresh, self._dirty[value] = self._dirty[value] & going, 0
            if not fresh:
                continue
            board = self.position.boards[value]
            for house in network.houses_of[value]:
                one = two = 0
                places = list(members(house & board))
                for place in places:
                    worlds = row[place]
                    two |= one & worlds
                    one |= worlds
                self.clash |= fresh & ~one
                if single := one & ~two & fresh:
                    for place in places:
                        if worlds := row[place] & single & ~self._placed[place]:
                            found[place, value] = found.get((place, value), 0) | worlds

    def _place(self, found: dict[Candidate, int]) -> None:
        sees = self.position.network.sees
        boards = self.position.boards
        for (place, value), worlds in found.items():
            self.position.tick()
            others = self.position.masks[place] & ~(1 << value)
            self.remove([(place, other) for other in members(others)], worlds)
            self.remove([(seen, value) for seen in members(sees[place] & boards[value])], worlds)
        for (place, value), worlds in found.items():
            # Two singles that exclude each other have removed each other.
            self.clash |= worlds & ~self.left[value][place]
            self._placed[place] |= worlds
            self._touched[place] |= worlds
            self._dirty[value] |= worlds
            self._changed |= worlds

    # Clues

    def _ask_clues(self) -> None:
        gone: list[tuple[list[Candidate], int]] = []
        for index, clue in enumerate(self.position.network.clues):
            touched = 0
            for place in clue.scope:
                touched |= self._touched[place]
            touched &= ~self.clash
            if touched and clue.pair is not None:
                gone += self._without_partners(clue.scope, clue.pair, touched)
                continue
            for masks, worlds in self._alike(clue.scope, touched) if touched else ():
                left = self.position.narrowed(index, masks)
                if left is None:
                    self.clash |= worlds
                elif left != masks:
                    gone.append((self.position.fallen(clue.scope, masks, left), worlds))
        self._touched = [0] * len(self._touched)
        for candidates, worlds in gone:
            self.remove(candidates, worlds)

    def _without_partners(
        self, scope: Sequence[int], pair: PairFilter, worlds: int
    ) -> Iterator[tuple[list[Candidate], int]]:
        """Yield what a rule for two places excludes in each of them, with the assumptions."""
        ends = scope[pair.first], scope[pair.second]
        found: list[tuple[Candidate, int]] = []
        for (own, other), partners in ((ends, pair.forwards), (ends[::-1], pair.backwards)):
            supported = 0
            for value in members(self.position.masks[own]):
                some = 0
                for partner in members(partners.get(value, 0) & self.position.masks[other]):
                    some |= self.left[partner][other]
                there = self.left[value][own] & worlds
                supported |= there & some
                found.append(((own, value), there & ~some))
            self.clash |= worlds & ~supported
        for candidate, lost in found:
            if lost & ~self.clash:
                yield [candidate], lost & ~self.clash

    def _alike(self, scope: Sequence[int], worlds: int) -> list[tuple[tuple[int, ...], int]]:
        """The assumptions by what they leave in some places."""
        parts: list[tuple[tuple[int, ...], int]] = [((), worlds)]
        for place in scope:
            self.position.tick()  # a rule of hundreds of cells has many parts
            choices = [(0, worlds)]
            for value in members(self.position.masks[place]):
                bit, there = 1 << value, self.left[value][place] & worlds
                if there == worlds:
                    choices = [(mask | bit, some) for mask, some in choices]
                elif there:
                    choices = [
                        (mask | own, both)
                        for mask, some in choices
                        for own, both in ((bit, some & there), (0, some & ~there))
                        if both
                    ]
            parts = [
                ((*before, mask), both)
                for before, part in parts
                for mask, some in choices
                if (both := part & some)
            ]
        return parts


def choices(position: Position) -> list[list[Candidate]]:
    """The candidates of each cell, and of each value in a house; one of them is right."""
    cells = [
        [(place, value) for value in members(mask)] for place, mask in enumerate(position.masks)
    ]
    return cells + [
        [(place, value) for place in members(house & position.boards[value])]
        for value, houses in enumerate(position.network.houses_of)
        for house in houses
    ]


def _lockable(position: Position) -> list[tuple[int, Sequence[int], Sequence[int]]]:
    """A value, its places in a house outside of another group, and those of this group elsewhere.

    If none of the first is left, the others fall.
    """
    found = []
    for house in position.network.houses:
        groups = [group.cells for group in position.network.groups if group is not house]
        for value in members(house.values):
            board = position.boards[value]
            places = board & house.cells
            for cells in groups:
                inside, seen = places & cells, board & cells & ~house.cells
                if seen and inside & inside - 1:
                    found.append((value, members(places & ~cells), members(seen)))
    return found
