"""A puzzle: grids, candidates and constraints, frozen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, wraps
from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from csp_encodings.graph import restricted
from csp_sudoku.cells import Cell, CellsLike, Place, Var, cell
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.regions import House
from csp_sudoku.errors import PuzzleError
from csp_sudoku.grid import Grid, check_size, default_box, read_regions
from csp_sudoku.lowering import rules_graph

if TYPE_CHECKING:
    import networkx as nx

T = TypeVar("T")
Candidates = tuple[tuple[Place, tuple[int, ...]], ...]

# What is derived from the candidates; all else of a puzzle depends on its rules alone.
_OF_CANDIDATES = {"givens", "graph", "without_givens", "_hash"}


@dataclass(frozen=True)
class Puzzle:
    """Grids with houses, candidates for some cells (a given is a single one), and constraints.

    Puzzles are frozen: :meth:`add` and :meth:`with_givens` return new ones. The order in which
    constraints are added never matters to the solutions.

    Examples
    --------
    >>> from csp_sudoku import AntiKnight, Puzzle
    >>> puzzle = Puzzle.blank(4).add(AntiKnight()).with_givens({"R1C1": 1})
    >>> puzzle
    <Puzzle 4×4, 1 given, 1 constraint>
    >>> len(puzzle.graph)  # 16 cells, 12 houses, 24 knight's moves
    52
    """

    grids: tuple[Grid, ...]
    candidates: Candidates = ()
    constraints: tuple[Constraint, ...] = ()
    named: tuple[tuple[Var, tuple[int, ...]], ...] = ()
    #: What the source of the puzzle says and the constraints do not: answers hold without it.
    left_out: tuple[str, ...] = field(default=(), compare=False)

    @classmethod
    def blank(
        cls,
        rows: int = 9,
        columns: int | None = None,
        *,
        box: tuple[int, int] | Literal["auto"] | None = "auto",
        values: Iterable[int] | None = None,
        regions: str | Sequence[CellsLike] | None = None,
        row_houses: bool = True,
        column_houses: bool = True,
    ) -> Puzzle:
        """A puzzle with nothing in it.

        Parameters
        ----------
        rows, columns
            The size; as many columns as rows by default.
        box
            The (rows, columns) of a box, or None for no boxes. By default the usual boxes of
            this size, if there are any.
        values
            ``range(1, n + 1)`` by default, n the longer side.
        regions
            Irregular houses in place of boxes: one character a cell, or lists of cells.
        row_houses, column_houses
            Whether rows (columns) hold no value twice.

        Examples
        --------
        >>> Puzzle.blank(rows=4, columns=4, box=(2, 2)).box(0)
        (Cell(row=0, col=0), Cell(row=0, col=1), Cell(row=1, col=0), Cell(row=1, col=1))
        """
        columns = rows if columns is None else columns
        check_size(rows, columns)
        houses: tuple[tuple[Cell, ...], ...] = ()
        if regions is not None:
            houses = read_regions(regions, rows, columns)
            box = None if box == "auto" else box
        elif box == "auto":
            box = default_box(rows, columns)
        values = range(1, max(rows, columns) + 1) if values is None else values
        grid = Grid(
            rows,
            columns,
            tuple(values),
            box=tuple(box) if isinstance(box, list) else box,
            regions=houses,
            row_houses=row_houses,
            column_houses=column_houses,
        )
        return cls((grid,))

    @classmethod
    def overlapping(cls, grids: Iterable[Grid]) -> Puzzle:
        """Several grids in one puzzle; cells that two of them share belong to both.

        Examples
        --------
        >>> nine = tuple(range(1, 10))
        >>> corners = [(0, 0), (0, 12), (6, 6), (12, 0), (12, 12)]
        >>> samurai = Puzzle.overlapping(
        ...     Grid(9, 9, nine, box=(3, 3), top=top, left=left) for top, left in corners
        ... )
        >>> len(samurai.cells)
        369
        """
        return cls(tuple(grids))

    def __post_init__(self) -> None:
        if not self.grids:
            raise PuzzleError("a puzzle needs at least one grid")
        self._check_candidates()
        for constraint in self.constraints:
            constraint.check(self)

    def _check_candidates(self) -> None:
        object.__setattr__(self, "candidates", tuple(sorted(self.candidates, key=_order)))
        for variable, values in self.candidates:
            if not self.has(variable):
                raise PuzzleError(self.no_such_place(variable))
            for value in values:
                if value not in self.values_of(variable):
                    raise PuzzleError(
                        f"{variable}: {value} is not a value of this puzzle "
                        f"({_listing(self.values_of(variable))})"
                    )

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.grids, self.candidates, self.constraints, self.named))

    def __getstate__(self) -> dict[str, Any]:
        # What was derived from a puzzle does not travel with it.
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    # Building

    def add(self, *constraints: Constraint) -> Puzzle:
        """The puzzle with more constraints, and the named variables that come with them."""
        if not constraints:
            return self
        named = dict(self.named)
        for constraint in constraints:
            if not isinstance(constraint, Constraint):
                raise PuzzleError(f"{constraint!r} is not a constraint, such as AntiKnight()")
            for variable, values in constraint.declares(self):
                if named.setdefault(variable, values) != values:
                    raise PuzzleError(f"{variable}: declared twice, with different values")
        return replace(self, constraints=self.constraints + constraints, named=tuple(named.items()))

    def with_givens(
        self, givens: Mapping[Any, int | Iterable[int]] | Iterable[tuple[Any, Any]]
    ) -> Puzzle:
        """The puzzle with further givens or candidate lists; those of one cell intersect.

        Examples
        --------
        >>> Puzzle.blank(4).with_givens({"R1C1": 1, "R1C2": [2, 3]}).candidates_of("R1C2")
        (2, 3)
        """
        pairs = givens.items() if isinstance(givens, Mapping) else givens
        merged = dict(self.candidates)
        for name, value in pairs:
            place = cell(name)
            listed = (value,) if isinstance(value, Integral) else value
            if not isinstance(listed, Iterable) or isinstance(listed, str):
                raise PuzzleError(f"{place}: {value!r} is not a value, nor a list of values")
            listed = tuple(listed)
            if any(isinstance(v, bool) or not isinstance(v, Integral) for v in listed):
                raise PuzzleError(f"{place}: {value!r} must hold whole numbers only")
            wanted = tuple(map(int, listed))
            old = merged.get(place, wanted)
            # Values out of range are kept, so that they are refused by name.
            merged[place] = tuple(sorted({v for v in wanted if v in old}))
        found = self._with_candidates(tuple(merged.items()))
        # One object for all puzzles of these rules, so that it is known again at once.
        vars(found)["without_givens"] = self.without_givens
        return found

    def with_named(self, name: str, values: Iterable[int]) -> Puzzle:
        """The puzzle with a named variable, such as an unknown sum that several clues share.

        Examples
        --------
        >>> from csp_sudoku import Puzzle, Sum, Var, count
        >>> puzzle = Puzzle.blank(4).with_named("x", range(3, 8))
        >>> puzzle = puzzle.add(Sum(["R1C1 R1C2", Var("x")], 0, (1, 1, -1)))
        >>> count(puzzle).value
        288
        """
        variable, domain = Var(name), tuple(values)
        if variable in dict(self.named):
            raise PuzzleError(f"{variable}: declared twice")
        if any(type(v) is not int for v in domain) or list(domain) != sorted(set(domain)):
            raise PuzzleError(f"{variable}: its values must be ascending whole numbers")
        return replace(self, named=(*self.named, (variable, domain)))

    @cached_property
    def without_givens(self) -> Puzzle:
        """The rules alone."""
        return self._with_candidates(()) if self.candidates else self

    def placed(self, candidates: Candidates) -> Puzzle:
        """A puzzle without givens with these ones, in order; they must be values of it."""
        found = self._with_candidates(candidates, checked=True)
        vars(found)["without_givens"] = self
        return found

    def _with_candidates(self, candidates: Candidates, *, checked: bool = False) -> Puzzle:
        """The puzzle with other candidates; what is known of its rules need not be found again."""
        other = object.__new__(type(self))
        known = vars(other)
        known.update(vars(self))
        for name in _OF_CANDIDATES:
            known.pop(name, None)
        known["candidates"] = candidates
        if not checked:
            other._check_candidates()
        return other

    # Looking

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, row by row."""
        return _cells(self.grids)

    @cached_property
    def variables(self) -> tuple[Place, ...]:
        """Everything a solution gives a value to: the cells, then the named variables."""
        return (*self.cells, *(variable for variable, _ in self.named))

    @cached_property
    def columns(self) -> dict[Place, int]:
        """Where each of the variables stands among them, and in a row of values."""
        if self.candidates:  # one object for all puzzles of these rules
            return self.without_givens.columns
        return {place: column for column, place in enumerate(self.variables)}

    @cached_property
    def _values(self) -> dict[Place, tuple[int, ...]]:
        values = _cell_values(self.grids)
        return values | dict(self.named) if self.named else values

    def has(self, place: Place) -> bool:
        """Whether this cell or named variable belongs to the puzzle."""
        return place in self._values

    @cached_property
    def has_small_values(self) -> bool:
        """Whether a byte can hold any value of the puzzle."""
        return all(0 <= value < 256 for values in {*self._values.values()} for value in values)

    def values_of(self, place: Place) -> tuple[int, ...]:
        """The values that the shape of the puzzle allows there, givens left aside."""
        try:
            return self._values[place]
        except KeyError:
            raise PuzzleError(self.no_such_place(place)) from None

    def candidates_of(self, place: str | Place) -> tuple[int, ...]:
        """The values that are still possible there by givens and candidate lists."""
        where = cell(place)
        return dict(self.candidates).get(where, self.values_of(where))

    @cached_property
    def givens(self) -> dict[Place, int]:
        """The places with a single candidate."""
        return {place: values[0] for place, values in self.candidates if len(values) == 1}

    def no_such_place(self, place: Place) -> str:
        """A sentence for a place that is not part of the puzzle."""
        if isinstance(place, Var):
            return f"{place} is not declared; add it with with_named"
        if len(self.grids) == 1:
            return f"{place} is outside the {self.grids[0].size} grid"
        return f"{place} is outside every grid of the puzzle"

    def row(self, index: int, grid: int = 0) -> tuple[Cell, ...]:
        """The cells of a row, 0-based."""
        return self.grids[grid].row(index)

    def column(self, index: int, grid: int = 0) -> tuple[Cell, ...]:
        """The cells of a column, 0-based."""
        return self.grids[grid].column(index)

    def box(self, index: int, grid: int = 0) -> tuple[Cell, ...]:
        """The cells of a box or irregular region, 0-based."""
        boxes = self.grids[grid].boxes
        if not 0 <= index < len(boxes):
            raise PuzzleError(f"box {index}: the grid has {len(boxes)} boxes (counted from 0)")
        return boxes[index]

    @cached_property
    def houses(self) -> tuple[House, ...]:
        """The houses that come with the grids, each once."""
        return _houses(self.grids)

    @cached_property
    def rules(self) -> tuple[Constraint, ...]:
        """Houses and constraints: all that a solution must keep, givens aside."""
        return (*self.houses, *(rule for c in self.constraints for rule in c.expand(self)))

    def objections(self) -> list[str]:
        """What shows at a glance that no solution exists: a clash of givens, an impossible clue."""
        found = []
        for place, values in self.candidates:
            if not values:
                found.append(f"{place}: its candidate lists have no value in common")
        for rule in self.rules:
            for group in rule.clashes(self.givens, self):
                if group:
                    found.append(f"{_and(group)} hold {self._held(group)}, against {rule.label}")
            if (objection := rule.objection(self)) is not None:
                found.append(objection)
        return found

    def _held(self, group: Iterable[Place]) -> str:
        return _and(dict.fromkeys(self.givens[place] for place in group))

    # Compiling

    @property
    def rules_graph(self) -> nx.Graph:
        """The constraint graph without givens; one object for all puzzles of the same rules."""
        return rules_graph(self.without_givens)

    @cached_property
    def graph(self) -> nx.Graph:
        """The constraint graph with the givens in the domains."""
        return restricted(self.rules_graph, dict(self.candidates))

    def _repr_svg_(self) -> str:
        from csp_sudoku.pictures.render import render_svg

        return render_svg(self)

    def __repr__(self) -> str:
        size = " + ".join(grid.size for grid in self.grids)
        given, more = len(self.givens), len(self.constraints)
        without = f", {len(self.left_out)} left out" if self.left_out else ""
        return (
            f"<Puzzle {size}, {given} given{'s' * (given != 1)}, "
            f"{more} constraint{'s' * (more != 1)}{without}>"
        )


_forget: list[Callable[[], None]] = [rules_graph.cache_clear]


def forget_rules() -> None:
    """Release what is kept of the rules of puzzles for others of the same rules."""
    for forget in _forget:
        forget()


def of_rules(find: Callable[[Puzzle], T]) -> Callable[[Puzzle], T]:
    """A function of the rules of a puzzle, of which each has what was found: it is asked often.

    Puzzles with the same rules share it. To see that they are the same takes its time; that is why
    it is kept with the puzzle as well.
    """
    name, shared = f"{find.__module__}.{find.__name__}", lru_cache(maxsize=64)(find)
    _forget.append(shared.cache_clear)

    @wraps(find)
    def found(puzzle: Puzzle) -> T:
        known = vars(puzzle)
        if name not in known:
            known[name] = shared(puzzle.without_givens)
        result: T = known[name]
        return result

    return found


# Puzzles of a kind have the same grids, and these are half the work of making one.


@lru_cache(maxsize=32)
def _cells(grids: tuple[Grid, ...]) -> tuple[Cell, ...]:
    return tuple(sorted({place for grid in grids for place in grid.cells}))


@lru_cache(maxsize=32)
def _cell_values(grids: tuple[Grid, ...]) -> dict[Place, tuple[int, ...]]:
    values: dict[Place, tuple[int, ...]] = {}
    for grid in grids:
        for place in grid.cells:
            known = values.get(place)
            values[place] = (
                grid.values
                if known is None or known == grid.values
                else tuple(v for v in known if v in grid.values)
            )
    return values


@lru_cache(maxsize=32)
def _houses(grids: tuple[Grid, ...]) -> tuple[House, ...]:
    found: dict[tuple[Cell, ...], House] = {}
    for number, grid in enumerate(grids, 1):
        suffix = f" of grid {number}" if len(grids) > 1 else ""
        kind = "region" if grid.regions else "box"
        named = [(f"row {i + 1}", grid.row(i)) for i in range(grid.rows) if grid.row_houses]
        named += [
            (f"column {i + 1}", grid.column(i)) for i in range(grid.columns) if grid.column_houses
        ]
        named += [(f"{kind} {i}", box) for i, box in enumerate(grid.boxes, 1)]
        for title, places in named:
            found.setdefault(places, House(places, title + suffix))
    return tuple(found.values())


def _order(item: tuple[Place, Any]) -> tuple[bool, Any]:
    """Cells first, then named variables: the two do not compare."""
    return isinstance(item[0], Var), item[0]


def _listing(values: Sequence[int]) -> str:
    if len(values) > 2 and values[-1] - values[0] == len(values) - 1:
        return f"{values[0]} to {values[-1]}"
    return ", ".join(map(str, values))


def _and(items: Iterable[object]) -> str:
    words = [str(item) for item in items]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
