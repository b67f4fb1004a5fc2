"""A position: the candidates that are left, and what they show.

A position never changes: a step gives a new position. For each value there is a *board*: the set of
places where the value is still possible.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

from csp_sudoku.backends.base import OutOfTime
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.running.deadlines import has_passed
from csp_sudoku.strategies.bits import is_single, members
from csp_sudoku.strategies.clues import Masks
from csp_sudoku.strategies.network import Group, Network, listing
from csp_sudoku.strategies.step import Step, abridged, is_long

# So many places are named for each part of a long conclusion.
_NAMED = 6

# At most this many results are kept for later positions.
_MEMORY = 300_000

T = TypeVar("T")
Boards = tuple[int, ...]
# A place and a value, both by number.
Candidate = tuple[int, int]


class Contradiction(Exception):  # noqa: N818 - a finding, not an error of the program
    """The position has no solution; `cells` are the places that show it."""

    def __init__(self, sentence: str, cells: int = 0) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.cells = cells


class Position:
    """The candidates of all places, and the places whose value is set."""

    def __init__(
        self,
        network: Network,
        boards: Boards,
        placed: int = 0,
        *,
        deadline: float | None = None,
        memory: dict[Hashable, Any] | None = None,
        origin: Boards | None = None,
    ) -> None:
        self.network = network
        self.boards = boards
        self.placed = placed
        self.deadline = deadline
        # What was found in parts of earlier positions, such as a group: most parts stay the same.
        self.memory = {} if memory is None else memory
        # What the puzzle allows: it tells a given from a value that was placed later.
        self.origin = boards if origin is None else origin
        self._known: dict[str, Any] = {}
        self._victims = {0: 0}

    @classmethod
    def start(
        cls,
        network: Network,
        candidates: Mapping[Any, Sequence[int]],
        *,
        deadline: float | None = None,
    ) -> Position:
        """The position at the start. A place with one candidate counts as placed.

        Places that see a placed value lose this value at once, without a step.
        """
        masks = list(network.domains)
        settled: list[Candidate] = []
        for place, values in candidates.items():
            number = network.number[place]
            masks[number] &= sum(1 << network.code[v] for v in set(values) if v in network.code)
            if is_single(masks[number]):
                settled.append((number, masks[number].bit_length() - 1))
        boards = [0] * len(network.values)
        for place_number, mask in enumerate(masks):
            for value in members(mask):
                boards[value] |= 1 << place_number
        return cls(network, tuple(boards), deadline=deadline).after(settled)

    def after(
        self, placements: Iterable[Candidate], eliminations: Iterable[Candidate] = ()
    ) -> Position:
        """The position after some conclusions; raises :class:`Contradiction` if they clash."""
        boards, placed = list(self.boards), self.placed
        for place, value in eliminations:
            boards[value] &= ~(1 << place)
        sees = self.network.sees
        for place, value in placements:
            bit = 1 << place
            if not boards[value] & bit:
                raise self._refused(place, value, placed, boards)
            for other, board in enumerate(boards):
                if board & bit and other != value:
                    boards[other] = board ^ bit
            boards[value] &= ~sees[place]
            placed |= bit
        return Position(
            self.network,
            tuple(boards),
            placed,
            deadline=self.deadline,
            memory=self.memory,
            origin=self.origin,
        )

    def after_steps(self, steps: Iterable[Step]) -> Position:
        """The position after the conclusions of some steps."""
        number, code = self.network.number, self.network.code
        listed = list(steps)
        return self.after(
            [(number[place], code[v]) for step in listed for place, v in step.placements],
            [(number[place], code[v]) for step in listed for place, v in step.eliminations],
        )

    def _refused(self, place: int, value: int, placed: int, boards: Sequence[int]) -> Contradiction:
        net = self.network
        clashing = net.sees[place] & placed
        holders = [other for other in members(clashing) if boards[value] >> other & 1]
        if holders:
            return Contradiction(
                f"{net.name(place)} and {net.name(holders[0])} see each other and would both "
                f"be {net.digit(value)}",
                1 << place | 1 << holders[0],
            )
        return Contradiction(f"{net.name(place)} cannot be {net.digit(value)}", 1 << place)

    def is_allowed(self, place: int, values: int) -> bool:
        """Whether the puzzle allows these values at a place, before any step."""
        return all(self.origin[value] >> place & 1 for value in members(values))

    def puzzle(self, puzzle: Puzzle) -> Puzzle:
        """The position as a puzzle with candidate lists."""
        return puzzle.with_givens(self.candidates)

    @property
    def candidates(self) -> dict[Any, list[int]]:
        """The candidates of each place, as values."""
        values = self.network.values
        return {
            place: [values[v] for v in members(mask)]
            for place, mask in zip(self.network.places, self.masks, strict=True)
        }

    # Looking

    @cached_property
    def masks(self) -> tuple[int, ...]:
        """The candidates of each place, as a set of value numbers."""
        masks = [0] * len(self.network.places)
        for value, board in enumerate(self.boards):
            for place in members(board):
                masks[place] |= 1 << value
        return tuple(masks)

    @cached_property
    def open(self) -> int:
        """The places without a value."""
        return self.network.everywhere & ~self.placed

    @cached_property
    def left(self) -> int:
        """The candidates of open places, as a set."""
        width, found = len(self.network.places), 0
        for value, board in enumerate(self.boards):
            found |= (board & self.open) << value * width
        return found

    @property
    def choices(self) -> int:
        """The number of candidates of open places."""
        return self.left.bit_count()

    @property
    def solved(self) -> bool:
        """Whether every place has a value."""
        return not self.open

    @cached_property
    def counted(self) -> tuple[int, int, int]:
        """The open places with one candidate, with two, and with three."""
        one = two = three = more = 0
        for board in self.boards:
            more |= three & board
            three |= two & board
            two |= one & board
            one |= board
        return (
            one & ~two & self.open,
            two & ~three & self.open,
            three & ~more & self.open,
        )

    def units(self) -> Iterator[tuple[Group, int, int]]:
        """Yield each house with each value that is not set in it, and the places left for it."""
        boards, placed = self.boards, self.placed
        for house in self.network.houses:
            self.tick()
            cells = house.cells
            for value in members(house.values):
                places = boards[value] & cells
                if not places & placed or places & places - 1:
                    yield house, value, places

    def clue_masks(self, clue: int) -> Masks:
        """The candidates of the places of a clue."""
        masks = self.masks
        return tuple([masks[place] for place in self.network.clues[clue].scope])

    def narrowed(self, clue: int, masks: Masks | None = None) -> Masks | None:
        """The candidates that a clue allows in its places; None if it cannot be kept.

        With `masks`, of these candidates instead of the position's own.
        """
        key = (clue, self.clue_masks(clue) if masks is None else masks)
        if key not in self.memory:
            self.tick()  # a large automaton takes its time
            self._forget()
            self.memory[key] = self.network.clues[clue].narrow(key[1])
        left: Masks | None = self.memory[key]
        return left

    def combined(self, clue: int, masks: Masks | None = None) -> Masks | None:
        """The same for combinations of a clue in which places that see each other differ."""
        # A negative number: `narrowed` uses the others.
        key = (~clue, self.clue_masks(clue) if masks is None else masks)
        if key not in self.memory:
            self.tick()
            self._forget()
            self.memory[key] = self.network.clues[clue].combine(key[1], self.network.sees)
        left: Masks | None = self.memory[key]
        return left

    @staticmethod
    def fallen(scope: Sequence[int], before: Masks, after: Masks) -> list[Candidate]:
        """The candidates that the places of a clue have lost."""
        return [
            (place, value)
            for place, old, new in zip(scope, before, after, strict=True)
            for value in members(old & ~new)
        ]

    def _forget(self) -> None:
        if len(self.memory) > _MEMORY:
            self.memory.clear()

    def number(self, place: int, value: int) -> int:
        """The number of a candidate; a set of candidates is a mask of these numbers."""
        return value * len(self.network.places) + place

    def split(self, candidates: int) -> list[Candidate]:
        """The places and values of a set of candidates."""
        width = len(self.network.places)
        return [(number % width, number // width) for number in members(candidates)]

    def victims(self, candidates: int) -> int:
        """The candidates that are wrong if one of these is right, whichever it is.

        Only rules for two cells count: the other values of a place, the same value in places that
        see it, and what relations such as dots forbid.
        """
        found = self._victims.get(candidates)
        if found is None:
            first = candidates & -candidates
            found = (
                self._victims_of_one(first.bit_length() - 1)
                if first == candidates
                else self.victims(first) & self.victims(candidates ^ first)
            )
            self._victims[candidates] = found
        return found

    def _victims_of_one(self, candidate: int) -> int:
        net, width, boards = self.network, len(self.network.places), self.boards
        value, place = divmod(candidate, width)
        fallen = (net.sees[place] & boards[value]) << value * width
        for other in members(self.masks[place] & ~(1 << value)):
            fallen |= 1 << other * width + place
        for other, cells in net.links[place].get(value, {}).items():
            fallen |= (cells & boards[other]) << other * width
        return fallen

    def remembered(self, key: str, compute: Callable[[Position], T]) -> T:
        """Return the result of a function of this position; it is computed once."""
        if key not in self._known:
            self._known[key] = compute(self)
        found: T = self._known[key]
        return found

    def recalled(
        self, key: Hashable, search: Callable[..., Iterable[T]], *arguments: object
    ) -> list[T]:
        """Return all that a search finds, if this depends on nothing but the key.

        It is searched once in all positions of a puzzle.
        """
        found: list[T] | None = self.memory.get(key)
        if found is None:
            self.tick()
            self._forget()
            found = self.memory[key] = list(search(*arguments))
        return found

    def clash(self) -> Contradiction | None:
        """A contradiction that shows at a glance, if there is one."""
        net = self.network
        anything = 0
        for board in self.boards:
            anything |= board
        if empty := net.everywhere & ~anything:
            place = members(empty)[0]
            return Contradiction(f"{net.name(place)} has no candidate left", 1 << place)
        for house, value, places in self.units():
            if not places:
                return Contradiction(
                    f"{house.name} has no place left for {net.digit(value)}", house.cells
                )
        return None

    def tick(self) -> None:
        """Raise :class:`OutOfTime` once the deadline has passed."""
        if has_passed(self.deadline):
            raise OutOfTime

    # Concluding

    def step(
        self,
        technique: str,
        score: float,
        cells: int,
        because: str,
        *,
        placements: Iterable[Candidate] = (),
        eliminations: Iterable[Candidate] = (),
        relies_on_uniqueness: bool = False,
        rules: Sequence[Any] = (),
        briefly: str = "",
    ) -> Step:
        """Make a step: its reason (in full and `briefly`) and its conclusion, in words."""
        net = self.network
        put = sorted(placements)
        gone = sorted(set(eliminations))
        concluded = self.conclusion(put, gone, self.masks if gone else None)
        sentence = _joined(because, concluded)
        if is_long(sentence):
            concluded = self.conclusion(put, gone, self.masks if gone else None, named=_NAMED)
            briefly = briefly or abridged(because, len(concluded) + 2)
        return Step(
            technique,
            score,
            tuple(net.places[place] for place in members(cells)),
            sentence,
            tuple((net.places[place], net.values[value]) for place, value in put),
            tuple((net.places[place], net.values[value]) for place, value in gone),
            relies_on_uniqueness,
            tuple(rule for rule in rules if rule is not None),
            summary=_joined(briefly, concluded) if is_long(sentence) else sentence,
        )

    def conclusion(
        self,
        placements: Sequence[Candidate],
        eliminations: Sequence[Candidate],
        masks: Sequence[int] | None = None,
        *,
        named: int | None = None,
    ) -> str:
        """The conclusion in words: values that are placed, and values that are excluded.

        If fewer values are left than excluded, those are named. This needs all candidates, `masks`.
        With `named`, no more places than this have their names in a part.
        """
        net = self.network
        parts = [
            f"{net.short_name(place)} is {net.word(place, value)}" for place, value in placements
        ]
        lost: dict[int, int] = {}
        for place, value in eliminations:
            lost[place] = lost.get(place, 0) | 1 << value
        together: dict[str, int] = {}
        for place, values in lost.items():
            left = masks[place] & ~values if masks else 0
            said = f"cannot be {net.among(place, values)}"
            if 0 < left.bit_count() < values.bit_count():
                said = f"can only be {net.among(place, left)}"
            if is_single(left) and net.is_coloured(place):
                said = f"must be {net.word(place, left.bit_length() - 1)}"
            together[said] = together.get(said, 0) | 1 << place
        for said, places in together.items():
            names = [net.short_name(place) for place in members(places)]
            if named is not None and len(names) > named + 1:
                names = [*names[:named], f"{len(names) - named} more cells"]
            parts.append(f"{listing(names)} {said}")
        return listing(parts) if len(parts) < 3 else "; ".join(parts)


def _joined(because: str, concluded: str) -> str:
    """A reason and a conclusion as a sentence; the reason may end with a word that leads on."""
    return f"{because}{' ' if because.endswith(' So') else ': '}{concluded}"
