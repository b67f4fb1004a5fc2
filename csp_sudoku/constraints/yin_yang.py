"""Yin-yang: both colours connected, and no 2×2 square of one colour."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Domain, Regular
from csp_sudoku.cells import LayerCell
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.fields import rule
from csp_sudoku.constraints.found import Found, add_connected, is_connected, layer_name, squares

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment, Auxiliary
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle

Square: TypeAlias = tuple[LayerCell, LayerCell, LayerCell, LayerCell]


@rule
class YinYang(Found):
    """Yin-yang: cells are shaded or not; each colour is connected, and no 2×2 has one colour.

    Which cells are shaded is part of the solution, on the layer ``shaded``: 1 is shaded.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, YinYang, count
    >>> puzzle = Puzzle.blank(3, box=None).with_givens({"R1C1": 1, "R1C2": 2, "R2C1": 2})
    >>> count(puzzle.add(YinYang())).value  # one grid, 34 shadings
    34
    """

    layer: str = layer_name("shaded")
    name = "yin-yang"

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        places = self.places(puzzle)
        if any(len({values[place] for place in square}) == 1 for square in squares(places)):
            return False
        return all(is_connected(self.members(values, puzzle, colour)) for colour in (0, 1))

    def lower(self, ctx: Lowering) -> None:
        """In a rectangle, make the border between the colours one curve; else connect both."""
        places = self.places(ctx.puzzle)
        rows, columns = {place.row for place in places}, {place.col for place in places}
        if min(len(rows), len(columns)) < 2 or len(places) < len(rows) * len(columns):
            for square in squares(places):
                ctx.add_machine(square, _mixed)
            add_connected(ctx, places, places, ((0,), (1,)))
            return
        _Curve(ctx, places).add()

    def describe(self, puzzle: Puzzle) -> str:
        return (
            "shade cells so that the shaded cells are connected, the others are connected, "
            "and no 2×2 square has one colour"
        )

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (YinYang(),)


class _Curve:
    """The border between the colours in a rectangle, which must be one curve.

    No 2×2 square has one colour, nor is it chequered: one of its diagonals would cut the other
    colour in two. So two pieces of the border meet at every inner corner, and the border consists
    of closed curves and of curves from the edge of the rectangle to its edge. Each curve divides
    one part from another, so both colours are connected exactly if there is one curve.

    Walked with the shaded cells on the right, the border has one next corner for every corner.
    This is a function of the cells. Corners are taken out one after the other, and the next one of
    the corner before becomes the next one of the corner that was taken out. A corner that is its
    own next one has a closed curve for itself; only the last corner may.
    """

    OUTSIDE = 0

    def __init__(self, ctx: Lowering, places: tuple[LayerCell, ...]) -> None:
        self._ctx = ctx
        self._places = places
        self._squares: list[Square] = list(squares(places))
        self._number = {square[0]: i for i, square in enumerate(self._squares, 1)}
        # The variable of the next corner, for every corner that was not taken out.
        self._next: dict[int, Auxiliary] = {}

    def add(self) -> None:
        """Add the definitions and the tests."""
        ctx = self._ctx
        for square in self._squares:
            ctx.add_machine(square, _mixed)
            self._next[self._number[square[0]]] = self._first_next(square)
        while len(self._next) > 1:
            self._take_out(min(self._next, key=self._cost))
        [(last, after)] = self._next.items()
        ring = _ring(self._places)
        ctx.add_machine((*ring, after), _crossed_once, last)

    def _first_next(self, square: Square) -> Auxiliary:
        """Where the border goes on from a corner: up, right, down or left of it."""
        top, left = square[0].row, square[0].col
        towards = [
            self._number.get(LayerCell(square[0].layer, top + down, left + right), self.OUTSIDE)
            for down, right in ((-1, 0), (0, 1), (1, 0), (0, -1))
        ]
        machine = _onward(self._ctx.domains(square), tuple(towards))
        return self._ctx.auxiliary(
            "next corner", machine.alphabets[-1], lambda after: Regular((*square, after), machine)
        )

    def _before(self, corner: int) -> list[int]:
        """The corners whose next corner may be this one."""
        domain = self._ctx.domain
        return [u for u, after in self._next.items() if u != corner and corner in domain(after)]

    def _cost(self, corner: int) -> tuple[int, int]:
        """What it costs to take out a corner: as in vertex elimination, few new pairs are good."""
        after = len(self._ctx.domain(self._next[corner]))
        return len(self._before(corner)) * after, corner

    def _take_out(self, corner: int) -> None:
        ctx, before = self._ctx, self._before(corner)
        beyond = self._next.pop(corner)
        for u in before:
            machine = _replaced(ctx.domain(self._next[u]), ctx.domain(beyond), corner)
            scope: tuple[Any, ...] = (self._next[u], beyond)
            after = ctx.auxiliary(
                "next corner",
                machine.alphabets[-1],
                lambda after, scope=scope, machine=machine: Regular((*scope, after), machine),  # type: ignore[misc]
            )
            self._next[u] = after
            if len(self._next) > 1 and u in ctx.domain(after):
                ctx.add_condition(after, lambda value, u=u: value != u)  # type: ignore[misc]


def _mixed(domains: tuple[Domain, ...]) -> Automaton:
    """Neither one colour nor a chequered square, one of whose colours would be cut in two."""
    return Automaton.from_predicate(
        domains, lambda a, b, c, d: a + b + c + d in (1, 2, 3) and (a != d or b != c)
    )


def _onward(domains: tuple[Domain, ...], towards: tuple[int, ...]) -> Automaton:
    """The last variable says where the border goes on, with the shaded cells on its right."""

    def after(a: int, b: int, c: int, d: int) -> int:
        # Up, right, down, left: the cell on the right hand is shaded, the other is not.
        sides = ((b, a), (d, b), (c, d), (a, c))
        onward = [to for to, (right, left) in zip(towards, sides, strict=True) if right > left]
        return onward[0] if onward else towards[0]  # a square of one colour is refused elsewhere

    table = [(*square, after(*square)) for square in product((0, 1), repeat=4)]
    return Automaton.from_table((*domains, tuple(sorted({row[-1] for row in table}))), table)


def _replaced(first: Domain, second: Domain, corner: int) -> Automaton:
    """The third variable is the first one, or the second if the first one is the corner."""
    table = [(a, b, b if a == corner else a) for a in first for b in second]
    return Automaton.from_table((first, second, tuple(sorted({row[-1] for row in table}))), table)


def _ring(places: tuple[LayerCell, ...]) -> list[LayerCell]:
    """The cells at the edge of a rectangle, once round."""
    at = {(place.row, place.col): place for place in places}
    (top, left), (bottom, right) = min(at), max(at)
    above = [p for p in places if p.row == top]
    below = [p for p in reversed(places) if p.row == bottom]
    rightmost = [p for p in places if p.col == right and top < p.row < bottom]
    leftmost = [p for p in reversed(places) if p.col == left and top < p.row < bottom]
    return [*above, *rightmost, *below, *leftmost]


def _crossed_once(domains: tuple[Domain, ...], last: int) -> Automaton:
    """The edge has two colours at most once; if it has, the last corner has no closed curve."""
    size = len(domains) - 1

    # The state: the first colour, the present one, and how often it changed.
    def step(state: tuple[int, int, int] | None, value: int, i: int) -> tuple[int, int, int] | None:
        if state is None:
            return value, value, 0
        first, colour, changes = state
        if i == size:
            changes += colour != first
            return state if changes < 3 and not (changes and value == last) else None
        changes += value != colour
        return (first, value, changes) if changes < 3 else None

    return Automaton.from_fold(domains, None, step, lambda state: True, positional=True)
