"""Clauses one behind the other in a single row of literals.

A formula has tens of thousands of clauses. As objects of their own they take longer to make, and
keep the garbage collector busy.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from operator import neg
from typing import TypeAlias, overload

Clause: TypeAlias = tuple[int, ...]


class Clauses(Sequence[Clause]):
    """A sequence of clauses, each of them a tuple from when it is asked for.

    Attributes
    ----------
    literals
        Those of all clauses.
    ends
        Where each clause ends.

    Examples
    --------
    >>> clauses = Clauses([1, 2, -1, -2, 3], [2, 5])
    >>> len(clauses), clauses[1], list(clauses)
    (2, (-1, -2, 3), [(1, 2), (-1, -2, 3)])
    """

    __slots__ = ("ends", "literals")

    def __init__(self, literals: Iterable[int], ends: Iterable[int]) -> None:
        self.literals = tuple(literals)
        self.ends = tuple(ends)

    def __len__(self) -> int:
        return len(self.ends)

    def __iter__(self) -> Iterator[Clause]:
        start = 0
        for end in self.ends:
            yield self.literals[start:end]
            start = end

    @overload
    def __getitem__(self, index: int) -> Clause: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Clause, ...]: ...

    def __getitem__(self, index: int | slice) -> Clause | tuple[Clause, ...]:
        if isinstance(index, slice):
            return tuple([self[i] for i in range(len(self))[index]])
        number = range(len(self))[index]
        return self.literals[self.ends[number - 1] if number else 0 : self.ends[number]]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Clauses):
            return NotImplemented
        return self.ends == other.ends and self.literals == other.literals

    def __hash__(self) -> int:
        return hash((self.literals, self.ends))

    def __repr__(self) -> str:
        return f"Clauses({list(self)})"


class ClauseWriter:
    """Writes clauses.

    Examples
    --------
    >>> writer = ClauseWriter()
    >>> writer.add((1, 2))
    >>> writer.add_pairs([(-1, 3), (-2, 3)])
    >>> writer.imply([4], [[1, 2]])
    >>> writer.finish()
    Clauses([(1, 2), (-1, 3), (-2, 3), (-4, 1, 2)])
    """

    def __init__(self) -> None:
        self._literals: list[int] = []
        self._ends: list[int] = []

    def __len__(self) -> int:
        return len(self._ends)

    def add(self, clause: Iterable[int]) -> None:
        """One of these literals is true."""
        self._literals.extend(clause)
        self._ends.append(len(self._literals))

    def add_all(self, clauses: Iterable[Iterable[int]]) -> None:
        """One literal of each of these clauses is true."""
        row, ends = self._literals, self._ends
        for clause in clauses:
            row += clause
            ends.append(len(row))

    def add_units(self, literals: Iterable[int]) -> None:
        """Each of these literals is true."""
        self._add_run(literals, 1)

    def add_pairs(self, pairs: Iterable[tuple[int, ...]]) -> None:
        """One literal of each pair is true."""
        self._add_run(chain.from_iterable(pairs), 2)

    def imply(self, literals: Iterable[int], implied: Iterable[Collection[int]]) -> None:
        """Every literal implies one of others; nothing is said if it is one of them itself."""
        row, ends = self._literals, self._ends
        for literal, alternatives in zip(literals, implied, strict=True):
            if literal not in alternatives:
                row.append(-literal)
                row += alternatives
                ends.append(len(row))

    def imply_each(self, literals: Iterable[int], implied: Iterable[int]) -> None:
        """Every literal implies the one in its place; nothing is said where they are the same."""
        pairs = zip(literals, implied, strict=True)
        self._add_run([literal for a, b in pairs if a != b for literal in (-a, b)], 2)

    def add_renamed(self, clauses: Clauses, literals: Sequence[int]) -> None:
        """Clauses in which number 1 stands for the first of these literals, and so on."""
        of_number = [0, *literals, *map(neg, reversed(literals))]
        before = len(self._literals)
        self._literals.extend(map(of_number.__getitem__, clauses.literals))
        self._ends.extend([before + end for end in clauses.ends])

    def finish(self) -> Clauses:
        """What was written."""
        return Clauses(self._literals, self._ends)

    def _add_run(self, literals: Iterable[int], size: int) -> None:
        """Clauses of one size."""
        start = len(self._literals)
        self._literals.extend(literals)
        self._ends.extend(range(start + size, len(self._literals) + 1, size))
