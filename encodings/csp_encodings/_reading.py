"""What comes from outside, checked: alphabets, tables, and the layers of a file."""

from collections.abc import Iterable, Sequence
from operator import index

from csp_encodings._layers import Alphabets, Budget, Layer, Meter
from csp_encodings.errors import BudgetError, EncodingError


def read_alphabets(alphabets: Iterable[Iterable[int]]) -> Alphabets:
    """The alphabets as ascending tuples of plain integers."""
    try:
        return tuple([tuple(sorted({int(index(v)) for v in values})) for values in alphabets])
    except TypeError as error:
        raise EncodingError(f"expected alphabets as collections of integers: {error}") from error


def read_table(
    alphabets: Alphabets, rows: Iterable[Sequence[int]], budget: Budget
) -> set[tuple[int, ...]]:
    """The rows that lie within the alphabets."""
    known = [frozenset(alphabet) for alphabet in alphabets]
    words: set[tuple[int, ...]] = set()
    for number, row in enumerate(rows, 1):
        if number > budget.tuples:
            raise BudgetError(
                f"a table of more than {budget.tuples:,} rows: use a fold, or fewer cells"
            )
        try:
            word = tuple(row)
            inside = all(map(frozenset.__contains__, known, word))
        except TypeError as error:
            raise EncodingError(f"row {number}, {row!r}: expected a tuple of integers") from error
        if len(word) != len(known):
            raise EncodingError(f"row {number}, {row!r}: {len(word)} values, expected {len(known)}")
        if inside:
            words.add(word)
    return words


def read_layers(
    alphabets: Alphabets,
    widths: Iterable[int],
    layers: Iterable[Iterable[tuple[int, Iterable[int], int]]],
    budget: Budget,
) -> tuple[list[int], list[Layer]]:
    """The widths, and the layers as rows."""
    try:
        sizes = [index(width) for width in widths]
        edges = [
            [(index(tail), list(map(index, values)), index(head)) for tail, values, head in layer]
            for layer in layers
        ]
    except (TypeError, ValueError) as error:
        raise EncodingError(
            f"expected widths as integers and edges as (tail, values, head): {error}"
        ) from error
    if not len(alphabets) + 1 == len(sizes) == len(edges) + 1:
        raise EncodingError(
            f"{len(alphabets)} alphabets, {len(sizes)} widths and {len(edges)} layers: "
            "expected as many layers as alphabets, and one width more"
        )
    if min(sizes) < 0 or sizes[0] > 1 or sizes[-1] > 1:
        raise EncodingError(f"widths {sizes}: expected 0 or 1 at both ends, and none below 0")
    meter = Meter(budget, alphabets)
    for position, width in enumerate(sizes):
        meter.add(position, width)
    rows: list[Layer] = [
        _read_layer(position, alphabet, sizes, edges[position])
        for position, alphabet in enumerate(alphabets)
    ]
    return sizes, rows


def _read_layer(
    position: int,
    alphabet: tuple[int, ...],
    widths: list[int],
    edges: list[tuple[int, list[int], int]],
) -> Layer:
    tails, heads = widths[position : position + 2]
    place = {value: i for i, value in enumerate(alphabet)}
    rows = [[-1] * len(alphabet) for _ in range(tails)]
    for tail, values, head in edges:
        where = f"position {position + 1}, edge {(tail, values, head)}"
        if not (0 <= tail < tails and 0 <= head < heads):
            raise EncodingError(f"{where}: expected a tail below {tails} and a head below {heads}")
        for value in values:
            if value not in place:
                raise EncodingError(f"{where}: {value} is not in the alphabet {alphabet}")
            if rows[tail][place[value]] not in (-1, head):
                raise EncodingError(f"{where}: {value} also leads elsewhere, expected one head")
            rows[tail][place[value]] = head
    return rows
