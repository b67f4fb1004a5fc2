"""From the tree of a text to terms: which cells of a puzzle the groups stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, TypeAlias, cast

from csp_sudoku.cells import Cell, LayerCell
from csp_sudoku.errors import ConstraintError, PuzzleError
from csp_sudoku.language import terms
from csp_sudoku.language.grammar import parse
from csp_sudoku.language.syntax import Apply, Bound, Each, Loop, Node, Number, PlaceName
from csp_sudoku.language.terms import MOST_PARTS, Term
from csp_sudoku.language.tokens import fault

if TYPE_CHECKING:
    from csp_sudoku.puzzle import Puzzle

#: A number or condition, or a group of such things.
Thing: TypeAlias = "Term | list[Thing]"
Names: TypeAlias = Mapping[str, Thing]


def ground(text: str, puzzle: Puzzle) -> Term:
    """Return the rule of a text for one puzzle.

    Examples
    --------
    >>> from csp_sudoku import Puzzle
    >>> found = ground("all_different(row 1)", Puzzle.blank(4))
    >>> found.operator, len(found.parts)
    ('different', 4)
    """
    return _Grounding(text, puzzle).term(parse(text), {})


def ground_letters(text: str, letters: str) -> Term:
    """Return a condition on numbers that have letters for names.

    Examples
    --------
    >>> ground_letters("a > 2 * b", "abc").operator
    'compare'
    """
    no_puzzle = cast("Puzzle", None)  # the grammar refuses what would need one
    names = {letter: terms.place(letter) for letter in letters}
    return _Grounding(text, no_puzzle).term(parse(text, letters), names)


class _Grounding:
    def __init__(self, text: str, puzzle: Puzzle) -> None:
        self._text = text
        self._puzzle = puzzle
        self._left = MOST_PARTS

    def term(self, node: Node, names: Names) -> Term:
        """Return the number or condition that a node stands for."""
        found = self._thing(node, names)
        assert isinstance(found, Term)
        return found

    def _thing(self, node: Node, names: Names) -> Thing:
        self._spend(node, 1)
        match node:
            case Number():
                return terms.number(node.value)
            case PlaceName():
                return terms.place(node.place)
            case Bound():
                return names[node.name]
            case Apply():
                try:
                    return _MEANINGS[node.operator](self, node, names)
                except (ConstraintError, PuzzleError) as error:
                    if str(error).startswith("column "):
                        raise
                    raise self.fault(node, str(error)) from None
        raise AssertionError(node)

    def _spend(self, node: Node, amount: int) -> None:
        """Count what a text stands for; a short text can stand for very much."""
        self._left -= amount
        if self._left < 0:
            raise self.fault(node, f"the rule has more than {MOST_PARTS:,} parts")

    def fault(self, node: Node, message: str) -> ConstraintError:
        """Return an error that points at a node."""
        return fault(self._text, node.at, message)

    def things(self, node: Apply, names: Names) -> list[Thing]:
        """Return the operands; a loop gives one for each of its turns."""
        found: list[Thing] = []
        for operand in node.operands:
            if isinstance(operand, Each):
                turns = self._turns(operand.loops, names)
                found += [self._thing(operand.item, bound) for bound in turns]
            else:
                found.append(self._thing(operand, names))
        return found

    def _turns(self, loops: tuple[Loop, ...], names: Names) -> Iterator[Names]:
        if not loops:
            yield names
            return
        loop, *rest = loops
        for item in self.group(loop.group, names):
            self._spend(loop.group, 1)
            if len(loop.names) == 1:
                bound = {loop.names[0]: item}
            else:
                assert isinstance(item, list)
                if len(item) != len(loop.names):
                    message = f"its items have {len(item)} parts, not {len(loop.names)}"
                    raise self.fault(loop.group, message)
                bound = dict(zip(loop.names, item, strict=True))
            yield from self._turns(tuple(rest), {**names, **bound})

    def numbers(self, node: Apply, names: Names) -> list[Term]:
        """Return the operands of a function of numbers, with groups taken apart."""
        found: list[Term] = []
        for thing in self.things(node, names):
            for part in thing if isinstance(thing, list) else [thing]:
                assert isinstance(part, Term)
                found.append(part)
        self._spend(node, len(found))
        return found

    def group(self, node: Node, names: Names) -> list[Thing]:
        """Return the items of a group."""
        found = self._thing(node, names)
        assert isinstance(found, list)
        return found

    def constant(self, node: Node, names: Names) -> int:
        """Return a number that is known before any cell is filled."""
        found = self.term(node, names)
        if found.operator != "number":
            raise self.fault(node, "this must be a number that depends on no cell")
        return int(found.data)

    def cell(self, node: Node, names: Names) -> Cell:
        """Return the cell that a node names."""
        found = self.term(node, names)
        if found.operator != "place" or not isinstance(found.data, Cell):
            raise self.fault(node, "this must be a cell")
        return found.data

    # Groups

    def line(self, node: Apply, names: Names) -> list[Thing]:
        """Return the cells of a row, a column or a box, by its number."""
        index, *rest = [self.constant(operand, names) for operand in node.operands]
        grids = self._puzzle.grids
        which = rest[0] if rest else 1
        if not 1 <= which <= len(grids):
            raise self.fault(node, f"grid {which}: the puzzle has {len(grids)}")
        grid = grids[which - 1]
        lines: dict[str, Sequence[Sequence[Cell]]] = {
            "row": [grid.row(i) for i in range(grid.rows)],
            "column": [grid.column(i) for i in range(grid.columns)],
            "box": grid.boxes,
        }
        found = lines[node.operator]
        if not 1 <= index <= len(found):
            raise self.fault(node, f"{node.operator} {index}: the grid has {len(found)} of them")
        return _places(found[index - 1])

    def lines(self, node: Apply, names: Names) -> list[Thing]:
        """Return all rows, columns or boxes of all grids."""
        found: list[Thing] = []
        for grid in self._puzzle.grids:
            match node.operator:
                case "rows":
                    found += [_places(grid.row(i)) for i in range(grid.rows)]
                case "columns":
                    found += [_places(grid.column(i)) for i in range(grid.columns)]
                case "boxes":
                    found += map(_places, grid.boxes)
        return found

    def grid(self, node: Apply, names: Names) -> list[Thing]:
        """Return all cells."""
        return _places(self._puzzle.cells)

    def values(self, node: Apply, names: Names) -> list[Thing]:
        """Return all values of the grids."""
        known = {value for grid in self._puzzle.grids for value in grid.values}
        return [terms.number(value) for value in sorted(known)]

    def neighbours(self, node: Apply, names: Names) -> list[Thing]:
        """Return the neighbours of a cell, or all pairs of neighbours in the grid."""
        if node.operands:
            where = self.cell(node.operands[0], names)
            return _places(self._puzzle.neighbours(where, node.word))
        return [
            _places((first, second))
            for first in self._puzzle.cells
            for second in self._puzzle.neighbours(first, node.word)
            if first < second
        ]

    def ray(self, node: Apply, names: Names) -> list[Thing]:
        """Return the cells from a cell in one direction."""
        return _places(self._puzzle.ray(self.cell(node.operands[0], names), node.word))

    def corners(self, node: Apply, names: Names) -> list[Thing]:
        """Return the four cells around each corner."""
        return [_places(block) for block in self._puzzle.corners()]

    def range(self, node: Apply, names: Names) -> list[Thing]:
        """Return the numbers from one to another."""
        first, last = [self.constant(operand, names) for operand in node.operands]
        self._spend(node, max(0, last - first))
        return [terms.number(value) for value in range(first, last + 1)]

    def pairs(self, node: Apply, names: Names) -> list[Thing]:
        """Return all pairs of two items of a group."""
        items = self.group(node.operands[0], names)
        self._spend(node, len(items) ** 2)
        return [list(pair) for pair in combinations(items, 2)]

    def successive(self, node: Apply, names: Names) -> list[Thing]:
        """Return the pairs of items that follow each other."""
        return [list(pair) for pair in pairwise(self.group(node.operands[0], names))]

    def zip(self, node: Apply, names: Names) -> list[Thing]:
        """Return the pairs of items at the same position of two groups."""
        first, second = [self.group(operand, names) for operand in node.operands]
        if len(first) != len(second):
            raise self.fault(node, f"one group has {len(first)} items, the other {len(second)}")
        return [list(pair) for pair in zip(first, second, strict=True)]

    def on_layer(self, node: Apply, names: Names) -> Thing:
        """Return the cells of a layer that stand on some cells."""

        def lifted(thing: Thing) -> Thing:
            if isinstance(thing, list):
                return [lifted(item) for item in thing]
            if thing.operator != "place" or not isinstance(thing.data, Cell):
                raise self.fault(node, "a layer stands on cells")
            return terms.place(LayerCell(node.word, thing.data.row, thing.data.col))

        return lifted(self._thing(node.operands[0], names))

    # Numbers that are known

    def named_cell(self, node: Apply, names: Names) -> Term:
        """Return the cell of a row and a column."""
        row, column = [self.constant(operand, names) for operand in node.operands]
        found = Cell(row - 1, column - 1)
        if not self._puzzle.has(found):
            raise self.fault(node, f"row {row}, column {column}: there is no such cell")
        return terms.place(found)

    def coordinate(self, node: Apply, names: Names) -> Term:
        """Return the number of a cell's row, column or box."""
        where = self.cell(node.operands[0], names)
        if node.operator != "box_of":
            return terms.number((where.row if node.operator == "row_of" else where.col) + 1)
        for grid in self._puzzle.grids:
            for number, box in enumerate(grid.boxes, 1):
                if where in box:
                    return terms.number(number)
        raise self.fault(node, f"{where} is in no box")

    # Operators and functions

    def compare(self, node: Apply, names: Names) -> Term:
        """Return a comparison."""
        first, second = self.numbers(node, names)
        return terms.compared(first, node.word, second)

    def contained(self, node: Apply, names: Names) -> Term:
        """Return whether a number is in a group."""
        wanted = self.term(node.operands[0], names)
        found = []
        for item in self.group(node.operands[1], names):
            if not isinstance(item, Term):
                raise self.fault(node.operands[1], "expected a group of numbers")
            self._spend(node, wanted.size)
            found.append(terms.compared(wanted, "==", item))
        return terms.either(found)

    def least(self, node: Apply, names: Names) -> Term:
        """Return the least or the greatest of some numbers."""
        parts = self.numbers(node, names)
        if not parts:
            raise self.fault(node, f"{node.operator} needs at least one number")
        return terms.joined(node.operator, *parts)

    def different(self, node: Apply, names: Names) -> Term:
        """Return whether no two of some numbers are equal."""
        parts = self.numbers(node, names)
        if len(parts) == 2:
            return terms.compared(parts[0], "!=", parts[1])
        return terms.joined("different", *parts)

    def indexed(self, node: Apply, names: Names) -> Term:
        """Return an item by its index, or the position of an item."""
        first, second = node.operands if node.operator == "item" else node.operands[::-1]
        items = self.numbers(Apply(node.at, 1, "list", (first,)), names)
        return terms.joined(node.operator, *items, self.term(second, names))

    def choose(self, node: Apply, names: Names) -> Term:
        """Return one of two things, as a condition says."""
        test, yes, no = self.numbers(node, names)
        if node.kind >= 0:
            if test.operator == "number":
                return yes if test.data else no
            return terms.joined("choose", test, yes, no)
        return terms.both(
            [terms.either([terms.negated(test), yes]), terms.either([test, no])],
        )

    def implies(self, node: Apply, names: Names) -> Term:
        """Return whether one condition follows from another."""
        test, then = self.numbers(node, names)
        return terms.either([terms.negated(test), then])


def _places(cells: Sequence[Cell]) -> list[Thing]:
    return [terms.place(where) for where in cells]


def _operator(name: str) -> Callable[[_Grounding, Apply, Names], Thing]:
    return lambda grounding, node, names: terms.joined(name, *grounding.numbers(node, names))


_MEANINGS: dict[str, Callable[[_Grounding, Apply, Names], Thing]] = {
    "row": _Grounding.line,
    "column": _Grounding.line,
    "box": _Grounding.line,
    "rows": _Grounding.lines,
    "columns": _Grounding.lines,
    "boxes": _Grounding.lines,
    "grid": _Grounding.grid,
    "values": _Grounding.values,
    "neighbours": _Grounding.neighbours,
    "ray": _Grounding.ray,
    "corners": _Grounding.corners,
    "on": _Grounding.on_layer,
    "list": _Grounding.things,
    "range": _Grounding.range,
    "pairs": _Grounding.pairs,
    "successive": _Grounding.successive,
    "zip": _Grounding.zip,
    "cell": _Grounding.named_cell,
    "row_of": _Grounding.coordinate,
    "column_of": _Grounding.coordinate,
    "box_of": _Grounding.coordinate,
    "compare": _Grounding.compare,
    "in": _Grounding.contained,
    "min": _Grounding.least,
    "max": _Grounding.least,
    "all_different": _Grounding.different,
    "item": _Grounding.indexed,
    "position": _Grounding.indexed,
    "choose": _Grounding.choose,
    "implies": _Grounding.implies,
    "abs": _operator("abs"),
    "product": _operator("product"),
    "*": _operator("product"),
    "//": _operator("//"),
    "%": _operator("%"),
    "count_distinct": _operator("distinct"),
    "not": lambda self, node, names: terms.negated(*self.numbers(node, names)),
    "negative": lambda self, node, names: terms.weighted(
        [(-1, p) for p in self.numbers(node, names)]
    ),
    "sum": lambda self, node, names: terms.weighted([(1, p) for p in self.numbers(node, names)]),
    "count": lambda self, node, names: terms.weighted([(1, p) for p in self.numbers(node, names)]),
    "all": lambda self, node, names: terms.both(self.numbers(node, names)),
    "and": lambda self, node, names: terms.both(self.numbers(node, names)),
    "any": lambda self, node, names: terms.either(self.numbers(node, names)),
    "or": lambda self, node, names: terms.either(self.numbers(node, names)),
    "all_equal": lambda self, node, names: terms.both(
        [terms.compared(a, "==", b) for a, b in pairwise(self.numbers(node, names))]
    ),
}
