"""Regular expressions over integers, read into a position automaton.

Every place of the expression that reads a value is a *position*, and a state of the automaton
(Glushkov 1961; McNaughton & Yamada 1960). Sets of positions are bit masks, so a step of the subset
construction is a few operations on integers. The reader keeps its own stack, and a copy of a
sub-expression is a shift of its masks: neither deep nesting nor a large repetition can exhaust the
interpreter.

    1 2 9 A Z a z     the values 0-9, then A-Z for 10-35, a-z for 36-61
    <12> <-3>         any integer
    .                 any value
    [1-35] [^<-2>-2]  one of, none of
    ( ) |             groups, alternatives; either may be empty
    * + ? {m} {m,} {m,n}

Whitespace between these is ignored. A repetition of a repetition needs a group, ``(1*){2}``: so
``1*?``, which elsewhere is a lazy ``1*``, is an error and not a surprise.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase, digits
from typing import NamedTuple, NoReturn

from csp_encodings.errors import BudgetError, EncodingError

__all__ = ["MOST_CHARACTERS", "MOST_POSITIONS", "PositionAutomaton", "read_regex"]

MOST_CHARACTERS = 4_000
MOST_POSITIONS = 1_000

_VALUES = {character: i for i, character in enumerate(digits + ascii_uppercase + ascii_lowercase)}
_INTEGER = re.compile(r"<\s*(-?[0-9]+)\s*>")
_COUNTS = re.compile(r"\{\s*(?P<low>[0-9]+)\s*(?P<range>,\s*(?P<high>[0-9]+)?\s*)?\}")
_REPEATS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


class PositionAutomaton:
    """The nondeterministic automaton of an expression; a set of its states is a bit mask.

    Examples
    --------
    >>> nfa = read_regex("1 2* 3", range(1, 10))
    >>> states = nfa.start
    >>> for value in (1, 2, 2, 3):
    ...     states = nfa.step(states, value)
    >>> nfa.accepts(states)
    True
    >>> nfa.step(states, 3) is None
    True
    """

    start = 1

    def __init__(
        self, follow: list[int], reads: dict[int, int], final: int, most_moves: int
    ) -> None:
        self.follow = follow  # of each position, those that may come next
        self.reads = reads  # of each value, the positions that read it
        self.final = final
        self.moves_left = most_moves
        self._next: dict[int, int] = {}

    def step(self, states: int, value: int) -> int | None:
        """The states after one more value, or None if there are none."""
        after = self._next.get(states)
        if after is None:
            self.moves_left -= states.bit_count()
            if self.moves_left < 0:
                raise BudgetError(
                    f"regex: its automaton is in up to {states.bit_count():,} positions at a time, "
                    "in too many different ways: use fewer '*' and '?', or raise the budget"
                )
            after = 0
            for position in _members(states):
                after |= self.follow[position]
            self._next[states] = after
        return after & self.reads.get(value, 0) or None

    def accepts(self, states: int) -> bool:
        """Whether a word may end in these states."""
        return states & self.final != 0


def read_regex(
    pattern: str, universe: Iterable[int], *, most_moves: int = 400_000
) -> PositionAutomaton:
    """Read an expression over a universe of values, which is what ``.`` and ``[^…]`` range over.

    ``most_moves`` bounds the work of the automaton: each new set of states costs its size.

    Examples
    --------
    >>> read_regex("1(2", range(10))
    Traceback (most recent call last):
    ...
    csp_encodings.errors.EncodingError: regex, character 2: '(' is never closed, expected ')'
    """
    # With fewer characters than this, int() takes every number that fits into the pattern.
    if len(pattern) > MOST_CHARACTERS:
        raise BudgetError(
            f"regex of {len(pattern):,} characters: the limit is {MOST_CHARACTERS:,}; use a fold"
        )
    follow, reads, final = _Reader(pattern, tuple(sorted(set(universe)))).read()
    return PositionAutomaton(follow, reads, final, most_moves)


class _Fragment(NamedTuple):
    """A sub-expression; its positions are the newest ones, from ``low`` on."""

    low: int
    first: int = 0
    last: int = 0
    nullable: bool = True


@dataclass(slots=True)
class _Group:
    """An open group: its alternatives so far, the running one, and what a ``*`` would take."""

    opened: int
    sequence: _Fragment
    choice: _Fragment | None = None
    atom: _Fragment | None = None


class _Reader:
    def __init__(self, pattern: str, universe: tuple[int, ...]) -> None:
        self.pattern = pattern
        self.universe = universe
        self.at = 0
        # Position 0 is the start: it reads nothing.
        self.labels: list[tuple[int, ...]] = [()]
        self.follow = [0]

    def read(self) -> tuple[list[int], dict[int, int], int]:
        outer: list[_Group] = []
        group = self.open_group()
        while character := self.peek():
            if character == "(":
                outer.append(group)
                group = self.open_group()
                self.at += 1
            elif character == ")":
                if not outer:
                    self.fail("')' closes nothing, expected a '(' before it")
                closed = self.close_group(group)
                group = outer.pop()
                self.append(group, closed)
                self.at += 1
            elif character == "|":
                group.choice = self.close_group(group)
                group.sequence = self.empty()
                self.at += 1
            elif character in _REPEATS or character == "{":
                if group.atom is None:
                    self.fail(f"expected a value, '.', '[…]' or '(…)' before {character!r}")
                group.atom = self.repeat(group.atom, *self.read_counts())
                self.append(group, None)
            else:
                self.append(group, self.position(self.read_label()))
        if outer:
            self.fail("'(' is never closed, expected ')'", group.opened)
        whole = self.close_group(group)
        self.follow[0] = whole.first
        reads = dict.fromkeys(self.universe, 0)
        for position, label in enumerate(self.labels):
            for value in label:
                reads[value] |= 1 << position
        return self.follow, reads, whole.last | whole.nullable

    # Characters

    def peek(self) -> str:
        """The next character that is no whitespace, or nothing at the end."""
        while self.pattern[self.at : self.at + 1].isspace():
            self.at += 1
        return self.pattern[self.at : self.at + 1]

    def fail(self, message: str, at: int | None = None) -> NoReturn:
        at = self.at if at is None else at
        raise EncodingError(f"regex, character {at + 1}: {message}")

    def read_label(self) -> tuple[int, ...]:
        """A value, ``.`` or ``[…]``, as the values of the universe that it stands for."""
        character = self.peek()
        if character == ".":
            self.at += 1
            return self.universe
        if character == "[":
            return self.read_class()
        value = self.read_value()
        return (value,) if value in self.universe else ()

    def read_class(self) -> tuple[int, ...]:
        opened = self.at
        self.at += 1
        negated = self.peek() == "^"
        self.at += negated
        named: set[int] = set()
        while True:
            at = self.at
            low = high = self.read_value()
            if self.peek() == "-":
                self.at += 1
                high = self.read_value()
            if low > high:
                self.fail(
                    f"the range {low} to {high} is empty, expected the smaller value first", at
                )
            named.update(value for value in self.universe if low <= value <= high)
            if not (character := self.peek()):
                self.fail("'[' is never closed, expected ']'", opened)
            if character == "]":
                self.at += 1
                return tuple([value for value in self.universe if (value in named) != negated])

    def read_value(self) -> int:
        character = self.peek()
        if character in _VALUES:
            self.at += 1
            return _VALUES[character]
        if character == "<":
            if match := _INTEGER.match(self.pattern, self.at):
                self.at = match.end()
                return int(match[1])
            self.fail("expected an integer as in <12> or <-3>")
        found = repr(character) if character else "the end"
        self.fail(f"expected a value (0-9, A-Z, a-z or <n>), found {found}")

    def read_counts(self) -> tuple[int, int | None]:
        """A repetition, as the fewest and the most times."""
        if counts := _REPEATS.get(self.peek()):
            self.at += 1
            return counts
        match = _COUNTS.match(self.pattern, self.at)
        if not match:
            self.fail("expected a repetition as in {2}, {2,} or {2,4}")
        low = high = int(match["low"])
        if match["range"]:
            if match["high"] is None:
                self.at = match.end()
                return low, None
            high = int(match["high"])
        if low > high:
            self.fail("expected the smaller count first, as in {2,4}")
        self.at = match.end()
        return low, high

    # Fragments

    def open_group(self) -> _Group:
        return _Group(self.at, self.empty())

    def close_group(self, group: _Group) -> _Fragment:
        """The group as one fragment, of everything read in it so far."""
        self.append(group, None)
        left, right = group.choice, group.sequence
        if left is None:
            return right
        return _Fragment(
            left.low,
            left.first | right.first,
            left.last | right.last,
            left.nullable or right.nullable,
        )

    def append(self, group: _Group, atom: _Fragment | None) -> None:
        """Make this the atom that a repetition would take, which completes the one before."""
        if group.atom is not None:
            group.sequence = self.concatenate(group.sequence, group.atom)
        group.atom = atom

    def empty(self) -> _Fragment:
        return _Fragment(len(self.labels))

    def position(self, label: tuple[int, ...]) -> _Fragment:
        low = len(self.labels)
        self.grow(1)
        self.labels.append(label)
        self.follow.append(0)
        return _Fragment(low, 1 << low, 1 << low, nullable=False)

    def grow(self, count: int) -> None:
        if len(self.labels) + count > MOST_POSITIONS + 1:
            raise BudgetError(
                f"regex, character {self.at}: more than {MOST_POSITIONS:,} positions once its "
                "repetitions are written out; repeat less often, or use a fold"
            )

    def link(self, last: int, first: int) -> None:
        for position in _members(last):
            self.follow[position] |= first

    def concatenate(self, left: _Fragment, right: _Fragment) -> _Fragment:
        self.link(left.last, right.first)
        return _Fragment(
            left.low,
            left.first | right.first if left.nullable else left.first,
            left.last | right.last if right.nullable else right.last,
            left.nullable and right.nullable,
        )

    def repeat(self, atom: _Fragment, low: int, high: int | None) -> _Fragment:
        """Write ``e{1,3}`` out as ``e(e(e)?)?`` and ``e{2,}`` as ``e(e+)``."""
        size = len(self.labels) - atom.low
        if high == 0 or size == 0:
            del self.labels[atom.low :], self.follow[atom.low :]
            return self.empty()
        copies = max(low, 1) if high is None else high
        self.grow(size * (copies - 1))
        labels, follow = self.labels[atom.low :], self.follow[atom.low :]
        parts = [atom]
        for shift in range(size, size * copies, size):
            self.labels += labels
            self.follow += [heads << shift for heads in follow]
            parts.append(
                _Fragment(atom.low + shift, atom.first << shift, atom.last << shift, atom.nullable)
            )
        if high is None:
            self.link(parts[-1].last, parts[-1].first)
        whole = self.empty()
        for i in reversed(range(copies)):
            whole = self.concatenate(parts[i], whole)
            if i >= low:
                whole = whole._replace(nullable=True)
        return whole


def _members(states: int) -> Iterator[int]:
    """The positions in a bit mask."""
    while states:
        lowest = states & -states
        yield lowest.bit_length() - 1
        states ^= lowest
