"""At most one of these literals is true: the encodings of the literature, as plain clauses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise
from math import isqrt
from typing import TypeAlias

Clause: TypeAlias = tuple[int, ...]
Fresh: TypeAlias = Callable[[int], range]
"""Takes that many unused variable numbers."""


def by_pairs(literals: Sequence[int], fresh: Fresh) -> Iterator[Clause]:
    """One clause per pair: n(n-1)/2 clauses, no new variable.

    Examples
    --------
    >>> list(by_pairs([1, 2, 3], range))
    [(-1, -2), (-1, -3), (-2, -3)]
    """
    return combinations([-literal for literal in literals], 2)


def by_counter(literals: Sequence[int], fresh: Fresh) -> Iterator[Clause]:
    """The sequential counter: 3n-4 clauses, n-1 new variables "one of the first i is true".

    Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints", CP 2005.

    Examples
    --------
    >>> list(by_counter([1, 2, 3], lambda n: range(4, 4 + n)))
    [(-1, 4), (-4, -2), (-2, 5), (-4, 5), (-5, -3)]
    """
    if len(literals) < 2:
        return
    seen = fresh(len(literals) - 1)
    yield (-literals[0], seen[0])
    for literal, (before, now) in zip(literals[1:], pairwise(seen), strict=False):
        yield (-before, -literal)
        yield (-literal, now)
        yield (-before, now)
    yield (-seen[-1], -literals[-1])


def by_product(literals: Sequence[int], fresh: Fresh) -> Iterator[Clause]:
    """The product encoding: about 2n + 4√n clauses and 2√n new variables.

    The literals stand in a rectangle; a true one marks its row and its column, and at most one row
    and one column are marked.

    Chen, "A new SAT encoding of the at-most-one constraint", ModRef 2010.

    Examples
    --------
    >>> len(list(by_product(range(1, 65), lambda n: range(65, 65 + n))))
    172
    """
    size = len(literals)
    if size <= 6:  # a rectangle would take no fewer clauses
        yield from by_pairs(literals, fresh)
        return
    width = isqrt(size - 1) + 1
    height = -(-size // width)
    rows, columns = fresh(height), fresh(width)
    for i, literal in enumerate(literals):
        row, column = divmod(i, width)
        yield (-literal, rows[row])
        yield (-literal, columns[column])
    yield from by_product(rows, fresh)
    yield from by_product(columns, fresh)


ENCODINGS: dict[str, Callable[[Sequence[int], Fresh], Iterator[Clause]]] = {
    "pairwise": by_pairs,
    "sequential": by_counter,
    "product": by_product,
}

# Pairs propagate best, and a 25×25 grid still has few enough of them.
_PAIRS_UP_TO = 25


def suitable(size: int) -> str:
    """The name of the encoding for groups of up to `size` literals."""
    return "pairwise" if size <= _PAIRS_UP_TO else "product"
