"""Find what follows from an assumption by singles and clues, layer by layer.

In each layer all singles are set at once, then all clues at the changed places are applied. So the
number of layers until a clash does not depend on any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from csp_sudoku.strategies.bits import members
from csp_sudoku.strategies.clues import Masks
from csp_sudoku.strategies.network import Network, listing
from csp_sudoku.strategies.position import Candidate, Position

# A single in words, and the candidates whose removal it needs.
Why = tuple[str, list[Candidate]]


@dataclass
class Reason:
    """A conclusion in words, and the candidates whose removal it needs.

    `nodes` is the number of claims it stands for: a refutation within an assumption takes several.
    """

    words: str
    needs: list[Candidate]
    nodes: int = 1
    lemma: int | None = None
    """The number of the lemma that it comes from, if it does."""


class Literal(NamedTuple):
    """A claim about a candidate: it is right, or it is wrong."""

    place: int
    value: int
    right: bool


@dataclass(frozen=True)
class Lemma:
    """A fact about candidates: one of these claims at least is true.

    `right` and `wrong` are the candidates that it claims to be so, as sets: candidate (p, v) has
    the number v * n + p, where n is the number of `places`. `cells` are the places of its claims.
    """

    right: int
    wrong: int
    cells: int
    places: int

    @classmethod
    def of(cls, literals: Iterable[Literal], places: int) -> Lemma:
        """The lemma of some claims."""
        sides, cells = [0, 0], 0
        for place, value, right in literals:
            sides[right] |= 1 << value * places + place
            cells |= 1 << place
        return cls(sides[True], sides[False], cells, places)

    @property
    def literals(self) -> list[Literal]:
        """Its claims, in order of their places."""
        return sorted(
            Literal(number % self.places, number // self.places, right)
            for right, side in ((False, self.wrong), (True, self.right))
            for number in members(side)
        )

    def say(self, network: Network) -> str:
        """The lemma in words.

        Examples
        --------
        >>> from csp_sudoku import Puzzle
        >>> from csp_sudoku.strategies.network import network_of
        >>> network = network_of(Puzzle.blank(4))
        >>> Lemma.of([Literal(0, 2, False), Literal(6, 0, False)], 16).say(network)
        'R1C1 = 3 and R2C3 = 1 exclude each other'
        >>> claims = [Literal(0, 2, False), Literal(6, 0, True), Literal(7, 0, True)]
        >>> Lemma.of(claims, 16).say(network)
        'if R1C1 = 3, then R2C3 = 1 or R2C4 = 1'
        """
        told: dict[bool, list[str]] = {True: [], False: []}
        for place, value, right in self.literals:
            told[right].append(network.claim(place, value))
        if not told[False]:
            return listing(told[True], "or")
        if told[True]:
            return f"if {listing(told[False])}, then {listing(told[True], 'or')}"
        if len(told[False]) == 1:
            return network.cannot_be(place, value)
        exclude = "exclude each other" if len(told[False]) == 2 else "cannot all be"
        return f"{listing(told[False])} {exclude}"


@dataclass
class Log:
    """The conclusions in order, and which of them removed which candidate.

    A reason that takes long to find is a function at first: it is called if the reason is needed.
    """

    reasons: list[Reason | Callable[[], Reason]] = field(default_factory=list)
    fallen: dict[Candidate, int] = field(default_factory=dict)

    def reason(self, number: int) -> Reason:
        """The reason with this number."""
        found = self.reasons[number]
        if not isinstance(found, Reason):
            found = self.reasons[number] = found()
        return found

    def argument(self, needs: Iterable[Candidate]) -> list[int]:
        """The numbers of the conclusions that the removal of these candidates needs."""
        wanted: set[int] = set()
        front = list(needs)
        while front:
            number = self.fallen.get(front.pop())
            if number is not None and number not in wanted:
                wanted.add(number)
                front += self.reason(number).needs
        return sorted(wanted)

    def nodes(self, needs: Iterable[Candidate]) -> int:
        """The number of claims that the removal of these candidates needs, and they themselves.

        Sudoku Explainer counts the length of its chains in this way: each value that is right and
        each candidate that is wrong is a node.
        """
        needed = [self.reason(number) for number in self.argument(needs)]
        wrong = {c for c in needs if c in self.fallen}
        wrong.update(c for reason in needed for c in reason.needs if c in self.fallen)
        return len(wrong) + sum(reason.nodes for reason in needed)


class Probe:
    """A position with assumptions, and what follows from them so far.

    `clash` is the reason why the assumptions are wrong, once it is found. With `outer`, all that
    another probe has found holds here, too. With `lemmas`, the first of these are used, and all
    combinations of a clue are looked at: a SAT solver does no less.
    """

    def __init__(
        self,
        position: Position,
        *assumed: Candidate,
        outer: Probe | None = None,
        lemmas: Mapping[int, Lemma] | None = None,
        first: int = 0,
    ) -> None:
        self.position = position
        before: Probe | Position = outer or position
        self.boards: list[int] = list(before.boards)
        self.masks: list[int] = list(before.masks)
        self.placed: int = before.placed
        self.clash: Reason | None = None
        self.log = Log()
        self.assumed: list[Literal] = []
        self._lemmas = {} if lemmas is None else lemmas
        self._first = first
        self._dirty = 0  # values whose boards changed
        self._touched = 0  # places that changed since clues were asked
        self._changed = position.network.everywhere  # the same for lemmas
        for place, value in assumed:
            self.assume(Literal(place, value, True))

    def assume(self, literal: Literal) -> None:
        """Assume that a candidate is right, or that it is wrong; this comes before all else."""
        place, value, right = literal
        self.assumed.append(literal)
        net = self.position.network
        claim = net.claim(place, value, right=right)
        if not right:
            self._drop(place, value, self._note(claim, ()))
        elif self.boards[value] >> place & 1:
            self._place(place, value, claim, ())
        else:
            self.clash = Reason(net.cannot_be(place, value), [(place, value)])

    def run(self) -> None:
        """Go on until nothing more follows, or there is a clash."""
        while self.advance():
            pass

    def advance(self) -> bool:
        """Go one layer further; return whether anything new follows, or a clash."""
        if self.clash is not None:
            return False
        before = (tuple(self.boards), self.placed)
        self._set_singles()
        if self.clash is None and self.position.network.clues:
            self._ask_clues()
        if self.clash is None and self._lemmas:
            self._use_lemmas()
        return self.clash is not None or (tuple(self.boards), self.placed) != before

    def argument(self, needs: Iterable[Candidate] | None = None) -> list[Reason]:
        """The conclusions that the clash needs, or that the removal of these candidates needs.

        The assumptions themselves are left out.
        """
        if needs is None:
            assert self.clash is not None
            needs = self.clash.needs
        return [self.log.reason(i) for i in self.log.argument(needs) if i >= len(self.assumed)]

    def nodes(self) -> int:
        """The length of the clash: a candidate is right by one chain, and wrong by another."""
        assert self.clash is not None
        *others, last = sorted(self.clash.needs, key=lambda c: self.log.fallen.get(c, -1))
        return self.log.nodes(others) + self.log.nodes([last])

    def needed(self) -> list[Literal]:
        """The assumptions that the clash needs."""
        assert self.clash is not None
        used = self.log.argument(self.clash.needs)
        # The reason of an assumption that clashes at once is the clash itself.
        return [
            literal
            for i, literal in enumerate(self.assumed)
            if i in used or i >= len(self.log.reasons)
        ]

    def refutation(self, candidate: Candidate) -> Reason:
        """Why a candidate clashes with the assumptions."""
        other = Probe(self.position, candidate, outer=self)
        other.run()
        clash = other.clash
        assert clash is not None
        way = other.argument()
        needs = [c for reason in (*way, clash) for c in reason.needs if c not in other.log.fallen]
        place, value = candidate
        then = ", ".join([*(reason.words for reason in way), clash.words])
        words = f"{self.position.network.cannot_be(place, value)} (or else {then})"
        return Reason(words, list(dict.fromkeys(needs)), other.nodes())

    def remove(
        self, candidates: Iterable[Candidate], reason: Callable[[Candidate], Reason]
    ) -> None:
        """Remove candidates; a function gives the reason of each, if it is needed."""
        for candidate in candidates:
            self.log.reasons.append(partial(reason, candidate))
            self._drop(*candidate, len(self.log.reasons) - 1)

    def copy(self) -> Probe:
        """The same probe as it is now, from which others can begin."""
        return Probe(self.position, outer=self)

    # Singles

    def _set_singles(self) -> None:
        net = self.position.network
        one = two = 0
        for board in self.boards:
            two |= one & board
            one |= board
        if empty := net.everywhere & ~one:
            place = (empty & -empty).bit_length() - 1
            said = f"{net.short_name(place)} has no candidate left"
            self.clash = Reason(said, self._of_cell(place))
            return
        found: dict[Candidate, Why] = {}
        if singles := one & ~two & ~self.placed:
            for value, board in enumerate(self.boards):
                for place in members(board & singles):
                    found[place, value] = self._why_naked(place, value)
        self._find_hidden(found)
        if self.clash is not None:
            return
        for (place, value), (words, needs) in found.items():
            if not self.boards[value] >> place & 1:
                self.clash = Reason(self._both(place, value, found), [*needs, (place, value)])
                return
            self._place(place, value, words, needs)

    def _both(self, place: int, value: int, found: Iterable[Candidate]) -> str:
        """That a single clashes with another one, in words."""
        net = self.position.network
        name, word = net.short_name(place), net.word(place, value)
        for other, digit in found:
            if digit == value and net.sees[place] >> other & 1:
                names = f"{net.short_name(other)} and {name}"
                return f"{names}, which see each other, would both have to be {word}"
        words = listing([net.word(place, digit) for other, digit in found if other == place])
        return f"{name} would have to be {words} at once"

    def _find_hidden(self, found: dict[Candidate, Why]) -> None:
        boards, placed, dirty = self.boards, self.placed, self._dirty
        net = self.position.network
        for value, board in enumerate(boards):
            if not dirty >> value & 1:
                continue
            for cells in net.houses_of[value]:
                places = board & cells
                if places & (places - 1) or places & placed:
                    continue
                if not places:
                    self._no_place(cells, value)
                    return
                place = places.bit_length() - 1
                if (place, value) not in found:
                    found[place, value] = self._why_hidden(cells, place, value)
        self._dirty = 0

    def _why_naked(self, place: int, value: int) -> Why:
        words = f"{self.position.network.claim(place, value)} (no other candidate)"
        return words, self._of_cell(place)

    def _why_hidden(self, cells: int, place: int, value: int) -> Why:
        net = self.position.network
        words = f"{net.claim(place, value)} (only place in {net.house_names[cells]})"
        return words, self._of_house(cells, value)

    def _no_place(self, cells: int, value: int) -> None:
        net = self.position.network
        words = f"{net.house_names[cells]} has no place left for {net.digit(value)}"
        self.clash = Reason(words, self._of_house(cells, value))

    def _place(self, place: int, value: int, words: str, needs: Sequence[Candidate]) -> None:
        bit = 1 << place
        boards = self.boards
        number = self._note(words, needs)
        others = self.masks[place] & ~(1 << value)
        for other in members(others):
            boards[other] ^= bit
            self.log.fallen[place, other] = number
        self.masks[place] ^= others
        lost = boards[value] & self.position.network.sees[place]
        for seen in members(lost):
            self.masks[seen] ^= 1 << value
            self.log.fallen[seen, value] = number
        boards[value] ^= lost
        self._dirty |= others | 1 << value
        self._touched |= lost | bit
        self._changed |= lost | bit
        self.placed |= bit

    # Clues

    def _ask_clues(self) -> None:
        net = self.position.network
        touched, self._touched = self._touched, 0
        asked = {clue for place in members(touched) for clue in net.clues_at[place]}
        lost: list[tuple[int, list[Candidate]]] = []
        for index in sorted(asked):
            clue = net.clues[index]
            masks = tuple([self.masks[place] for place in clue.scope])
            left = self._allowed(index, masks)
            if left is None:
                self._refused(index)
                return
            if left != masks:
                lost.append((index, self.position.fallen(clue.scope, masks, left)))
        for index, gone in lost:
            number = self._note_clue(index, gone)
            for place, value in gone:
                self._drop(place, value, number)

    def _allowed(self, clue: int, masks: Masks) -> Masks | None:
        left = self.position.narrowed(clue, masks)
        return left if left is None or not self._lemmas else self.position.combined(clue, left)

    def _refused(self, clue: int) -> None:
        rule = self.position.network.clues[clue].rule
        label = f"the {rule.label}" if hasattr(rule, "label") else "a rule"
        self.clash = Reason(f"{label} cannot be kept", self._of_clue(clue))

    def _note_clue(self, clue: int, gone: list[Candidate]) -> int:
        net = self.position.network
        label = getattr(net.clues[clue].rule, "label", "a rule")
        said = self.position.conclusion([], sorted(gone))
        return self._note(f"{said} ({label})", self._of_clue(clue))

    # Lemmas

    def _use_lemmas(self) -> None:
        changed, self._changed = self._changed, 0
        left, true = self._candidates()
        open_ = left & ~true
        for number, lemma in self._lemmas.items():
            if number >= self._first:
                break
            if not lemma.cells & changed:
                continue
            still_open = (lemma.right | lemma.wrong) & open_
            if still_open & still_open - 1 or lemma.wrong & ~left or lemma.right & true:
                continue  # two of its claims are open, or one is true
            self._use_lemma(number, still_open)
            if self.clash is not None:
                return
            left, true = self._candidates()
            open_ = left & ~true

    def _use_lemma(self, number: int, still_open: int) -> None:
        """Conclude the only claim of a lemma that is not false; if there is none, it is a clash."""
        width = len(self.position.masks)
        value, place = divmod(still_open.bit_length() - 1, width) if still_open else (-1, -1)
        needs = [
            candidate
            for own, other, right in self._lemmas[number].literals
            if (own, other) != (place, value)
            for candidate in ([(own, other)] if right else self._of_cell(own))
        ]
        if not still_open:
            self.clash = Reason("a lemma is broken", needs, lemma=number)
        elif still_open & self._lemmas[number].right:
            self._place(place, value, self.position.network.claim(place, value), needs)
            self.log.reason(-1).lemma = number
        else:
            noted = self._note(self.position.network.claim(place, value, right=False), needs)
            self.log.reason(noted).lemma = number
            self._drop(place, value, noted)

    @property
    def left(self) -> int:
        """The candidates that are left, as a set."""
        return self._candidates()[0]

    def _candidates(self) -> tuple[int, int]:
        """The candidates that are left, and those of them that are placed, as sets."""
        width = len(self.position.masks)
        left = true = 0
        for value, board in enumerate(self.boards):
            left |= board << value * width
            true |= (board & self.placed) << value * width
        return left, true

    # Candidates that fell, for the log

    def everything_in(self, cells: int) -> list[Candidate]:
        """All candidates that these places had at the start."""
        return [candidate for place in members(cells) for candidate in self._of_cell(place)]

    def _of_cell(self, place: int) -> list[Candidate]:
        return [(place, v) for v in members(self.position.masks[place])]

    def _of_house(self, cells: int, value: int) -> list[Candidate]:
        return [(place, value) for place in members(self.position.boards[value] & cells)]

    def _of_clue(self, clue: int) -> list[Candidate]:
        return self.everything_in(self.position.network.clues[clue].cells)

    def _note(self, words: str, needs: Sequence[Candidate]) -> int:
        # Candidates that are removed later are not part of the reason.
        gone = [(place, value) for place, value in needs if not self.boards[value] >> place & 1]
        self.log.reasons.append(Reason(words, gone))
        return len(self.log.reasons) - 1

    def _drop(self, place: int, value: int, number: int) -> None:
        bit = 1 << place
        if self.boards[value] & bit:
            self.boards[value] ^= bit
            self.masks[place] ^= 1 << value
            self._dirty |= 1 << value
            self._touched |= bit
            self._changed |= bit
            self.log.fallen[place, value] = number
