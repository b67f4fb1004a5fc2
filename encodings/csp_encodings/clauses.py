"""Clauses as tuples of literals, and patterns of them: the same clauses over other variables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter, neg
from typing import Any, TypeAlias

Clause: TypeAlias = tuple[int, ...]


class ClauseWriter:
    """Writes clauses.

    Examples
    --------
    >>> writer = ClauseWriter()
    >>> writer.add((1, 2))
    >>> writer.add_all([(-1, 3), (-2, 3)])
    >>> writer.imply([4], [[1, 2]])
    >>> writer.finish()
    ((1, 2), (-1, 3), (-2, 3), (-4, 1, 2))
    """

    def __init__(self) -> None:
        self._clauses: list[Clause] = []

    def __len__(self) -> int:
        return len(self._clauses)

    def add(self, clause: Iterable[int]) -> None:
        """One of these literals is true."""
        self._clauses.append(tuple(clause))

    def add_all(self, clauses: Iterable[Clause]) -> None:
        """One literal of each of these clauses is true."""
        self._clauses.extend(clauses)

    def add_units(self, literals: Iterable[int]) -> None:
        """Each of these literals is true."""
        self._clauses.extend([(literal,) for literal in literals])

    def imply(self, literals: Iterable[int], implied: Iterable[Collection[int]]) -> None:
        """Every literal implies one of others; nothing is said if it is one of them itself."""
        for literal, alternatives in zip(literals, implied, strict=True):
            if literal not in alternatives:
                self._clauses.append((-literal, *alternatives))

    def imply_each(self, literals: Iterable[int], implied: Iterable[int]) -> None:
        """Every literal implies the one in its place; nothing is said where they are the same."""
        pairs = zip(literals, implied, strict=True)
        self._clauses.extend([(-a, b) for a, b in pairs if a != b])

    def add_pattern(self, pattern: Pattern, literals: Sequence[int]) -> None:
        """Clauses in which number 1 stands for the first of these literals, and so on."""
        of_number = (0, *literals, *map(neg, reversed(literals)))
        self._clauses.extend([renamed(of_number) for renamed in pattern.renamed])

    def finish(self) -> tuple[Clause, ...]:
        """What was written."""
        return tuple(self._clauses)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Clauses over the values of some variables, numbered from 1, and over new ones behind them.

    It is made once, and kept: in a formula its numbers are replaced by the literals of whatever
    variables the clauses are about.

    Attributes
    ----------
    clauses
        The clauses.
    new
        Runs of the new variables: how many, and what for.
    renamed
        Of each clause, what picks its literals from those of all numbers: a zero, number 1 and so
        on, and then their negations in the reverse order.

    Examples
    --------
    >>> writer = ClauseWriter()
    >>> writer.add_pattern(Pattern.of([(-1, 2), (-2,)]), [7, -8])
    >>> writer.finish()
    ((-7, -8), (8,))
    """

    clauses: tuple[Clause, ...]
    new: tuple[tuple[int, str], ...]
    renamed: tuple[Callable[[Sequence[int]], Any], ...]

    @property
    def bytes(self) -> int:
        """About how many bytes it takes: 160 for a clause, and 12 for a literal."""
        return 160 * len(self.clauses) + 12 * sum(map(len, self.clauses))

    @classmethod
    def of(cls, clauses: Iterable[Clause], new: Iterable[tuple[int, str]] = ()) -> Pattern:
        """The pattern of some clauses."""
        known = tuple(clauses)
        return cls(known, tuple(new), tuple(map(_renamed, known)))


def _renamed(clause: Clause) -> Callable[[Sequence[int]], Any]:
    if len(clause) > 1:
        return itemgetter(*clause)
    # A single item would not come as a tuple.
    return itemgetter(slice(clause[0], clause[0] + 1 or None) if clause else slice(0))
