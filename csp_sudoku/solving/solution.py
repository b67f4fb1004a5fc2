"""A solution: a value for every cell and named variable of a puzzle."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from csp_encodings.graph import Row
from csp_sudoku.cells import Cell, LayerCell, Place, Var, cell
from csp_sudoku.errors import PuzzleError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from csp_sudoku.puzzle import Puzzle

# Values from 0 to 255 are held as bytes: small, quick to copy and to compare, and no work for the
# garbage collector. Other values are held as a tuple.
Numbers = bytes | tuple[int, ...]

# Most values have one digit; these are written quickly.
_DIGITS = bytes(range(10))
_SIGN_OF_DIGIT = bytes.maketrans(_DIGITS, b"0123456789")
_SHORT = reprlib.Repr()
_SHORT.maxstring = 100


class Solution(Mapping[Place, int]):
    """Maps places to values; ``s["R1C1"]`` works too. Equal when all values are equal.

    Examples
    --------
    >>> from csp_sudoku import solve
    >>> s = solve("0100 3001 4002 0040").solutions[0]
    >>> s.text
    '2134342143121243'
    >>> s.rows[0], s["R1C1"]
    ((2, 1, 3, 4), 2)
    """

    __slots__ = ("_columns", "numbers")

    def __init__(self, values: Mapping[Any, int], puzzle: Puzzle) -> None:
        self._columns = puzzle.columns
        #: The values alone, in the order of the puzzle's variables.
        self.numbers: Numbers
        if type(values) is Row and values.variables == puzzle.variables:
            self.numbers = held(values.numbers)
        else:
            self.numbers = held([*map(values.__getitem__, self._columns)])

    @classmethod
    def of_rows(cls, rows: NDArray[np.int64], puzzle: Puzzle) -> list[Self]:
        """Return the solutions of a puzzle that have the values of these rows, in their order."""
        each: Iterable[Numbers]
        if rows.size and puzzle.has_small_values:
            width, values = rows.shape[1], rows.astype("u1").tobytes()
            each = [values[i : i + width] for i in range(0, len(values), width)]
        else:
            each = map(held, rows.tolist())
        columns = puzzle.columns
        return [cls._of(numbers, columns) for numbers in each]

    @classmethod
    def _of(cls, numbers: Numbers, columns: dict[Place, int]) -> Self:
        found = cls.__new__(cls)
        found._columns = columns
        found.numbers = numbers
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._of, (self.numbers, self._columns)

    def __getitem__(self, place: str | Place) -> int:
        try:
            return self.numbers[self._columns[place]]  # type: ignore[index]
        except (KeyError, TypeError):  # "R1C1", or what is no place
            return self.numbers[self._columns[cell(place)]]

    def __iter__(self) -> Iterator[Place]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Solution):
            return False
        return self.numbers == other.numbers and (
            self._columns is other._columns or self._columns == other._columns
        )

    def __hash__(self) -> int:
        return hash(self.numbers)

    @property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The values of the cells, row by row; where grids overlap, of the cells that exist."""
        found: dict[int, list[int]] = {}
        for place, value in zip(self._columns, self.numbers, strict=True):
            if isinstance(place, Cell):
                found.setdefault(place.row, []).append(value)
        return tuple(tuple(row) for row in found.values())

    @property
    def text(self) -> str:
        """The values of all cells in one line, with blanks between them if one has two digits."""
        numbers = self.numbers
        if not isinstance(next(reversed(self._columns)), Cell):  # other variables come last
            numbers = numbers[: sum(isinstance(place, Cell) for place in self._columns)]
        return _in_line(numbers)

    @property
    def named(self) -> dict[str, int]:
        """The values of the named variables."""
        places = zip(self._columns, self.numbers, strict=True)
        return {place.name: value for place, value in places if type(place) is Var}

    @property
    def layers(self) -> dict[str, dict[LayerCell, int]]:
        """The values of each layer, by its name."""
        found: dict[str, dict[LayerCell, int]] = {}
        for place, value in zip(self._columns, self.numbers, strict=True):
            if isinstance(place, LayerCell):
                found.setdefault(place.layer, {})[place] = value
        return found

    def layer(self, name: str) -> dict[LayerCell, int]:
        """Return the values of a layer.

        Examples
        --------
        >>> from csp_sudoku import Puzzle, solve
        >>> puzzle = Puzzle.blank(2).with_layer("shaded", (0, 1)).with_givens({"shaded:R1C1": 1})
        >>> [*solve(puzzle).solutions[0].layer("shaded").values()][0]
        1
        """
        layers = self.layers
        if not isinstance(name, str) or name not in layers:
            known = ", ".join(layers) or "none"
            raise PuzzleError(f"there is no layer {name!r} in this solution; it has {known}")
        return layers[name]

    @property
    def layer_texts(self) -> dict[str, str]:
        """The values of each layer in one line, by its name."""
        return {name: _in_line([*v.values()], ",") for name, v in self.layers.items()}

    @property
    def line(self) -> str:
        """The whole solution in one line: the grid, the named variables, the layers.

        Examples
        --------
        >>> from csp_sudoku import Puzzle, solve
        >>> puzzle = Puzzle.blank(1).with_named("x", [5]).with_layer("shaded", [1])
        >>> solve(puzzle).solutions[0].line
        '1 $x=5 shaded=1'
        """
        named = [f"${name}={value}" for name, value in self.named.items()]
        layers = [f"{name}={text}" for name, text in self.layer_texts.items()]
        return " ".join([self.text, *named, *layers])

    def _repr_svg_(self) -> str:
        from csp_sudoku.pictures.render import solution_svg

        return solution_svg(self)

    def __repr__(self) -> str:
        return f"Solution({_SHORT.repr(self.text)})"


def _in_line(numbers: Numbers | Sequence[int], between: str = " ") -> str:
    if isinstance(numbers, bytes) and not numbers.translate(None, _DIGITS):
        return numbers.translate(_SIGN_OF_DIGIT).decode("ascii")
    words = [*map(str, numbers)]
    text = "".join(words)
    return text if len(text) == len(words) else between.join(words)


def held(values: Sequence[int]) -> Numbers:
    """Return values in the form in which solutions hold them."""
    try:
        return bytes(values)
    except ValueError:
        return tuple(values)
