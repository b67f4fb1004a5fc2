"""A puzzle: grids, candidates and constraints, frozen."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial, wraps
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, cast

from csp_encodings.graph import extent, graph_bytes, owned, restricted_view
from csp_encodings.store import DROPPED, STORE, kept
from csp_encodings.watch import look
from csp_sudoku.cells import Cell, CellsLike, LayerCell, Place, Var, cell
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.regions import House
from csp_sudoku.errors import PuzzleError
from csp_sudoku.geometry import Geometry
from csp_sudoku.grid import Grid, check_index, check_size, default_box, read_regions
from csp_sudoku.integers import as_int, as_ints
from csp_sudoku.layers import Whole, by_name, in_order, layer_places
from csp_sudoku.lowering import lower

if TYPE_CHECKING:
    import networkx as nx

T = TypeVar("T")
Candidates = tuple[tuple[Place, tuple[int, ...]], ...]
Declared = tuple[tuple[Var, tuple[int, ...]], ...]

# Derived values that belong to one puzzle alone. All others depend on the rules only, and puzzles
# with other givens take them over.
_OWN = ("givens", "graph", "rules_graph", "_handed_on")

# Derived values that depend on the grids and the named variables only.
_FROM_GRIDS = ("_values", "cells", "houses", "variables", "layers", "has_small_values")


@dataclass(frozen=True)
class Puzzle(Geometry):
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
    #: The named variables and then the cells of layers, with their values.
    named: Declared = ()
    #: Parts of the source that could not be read: answers hold without them.
    left_out: tuple[str, ...] = field(default=(), compare=False)
    #: The solution that the source states, as far as it does: a claim, and no rule.
    stated: tuple[tuple[Cell, int], ...] = field(default=(), compare=False)

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
        """Return an empty puzzle.

        Parameters
        ----------
        rows, columns
            The size; as many columns as rows by default.
        box
            The (rows, columns) of a box, or None for no boxes. By default the usual boxes of
            this size, if there are any.
        values
            ``range(1, n + 1)`` by default, where n is the longer side.
        regions
            Irregular houses in place of boxes: one character per cell, or lists of cells.
        row_houses, column_houses
            Whether rows (columns) hold no value twice.

        Examples
        --------
        >>> Puzzle.blank(rows=4, columns=4, box=(2, 2)).box(0)
        (R1C1, R1C2, R2C1, R2C2)
        """
        rows, columns = check_size(rows, rows if columns is None else columns)
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
            tuple(values) if isinstance(values, Iterable) else values,
            box=tuple(box) if isinstance(box, list) else box,
            regions=houses,
            row_houses=row_houses,
            column_houses=column_houses,
        )
        return cls((grid,))

    @classmethod
    def overlapping(cls, grids: Iterable[Grid]) -> Puzzle:
        """Return a puzzle of several grids; cells that two of them share belong to both.

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
        return cls(tuple(grids) if isinstance(grids, Iterable) else grids)

    def __post_init__(self) -> None:
        if not isinstance(self.grids, tuple) or not all(isinstance(g, Grid) for g in self.grids):
            raise PuzzleError(f"{reprlib.repr(self.grids)} is no list of grids")
        if not self.grids:
            raise PuzzleError("a puzzle needs at least one grid")
        if any(isinstance(variable, LayerCell) for variable, _ in self.named):
            object.__setattr__(self, "named", in_order(self.named))
        object.__setattr__(self, "candidates", self._merged({}, self.candidates))
        self._check_constraints()

    def _check_constraints(self) -> None:
        for constraint in self.constraints:
            look()
            constraint.check(self)

    def _merged(
        self, known: Mapping[Place, tuple[int, ...]], more: Iterable[tuple[Any, Any]]
    ) -> Candidates:
        """Candidate lists and further ones, in order; those of one place intersect."""
        merged = dict(known)
        for name, value in more:
            place = cell(name)
            wanted = self._wanted(place, value)
            old = merged.get(place)
            merged[place] = wanted if old is None else tuple([v for v in wanted if v in old])
        return tuple(sorted(merged.items(), key=_order))

    def _wanted(self, place: Place, value: object) -> tuple[int, ...]:
        """The values that a given or a candidate list names; they must be values of the place."""
        allowed = self.values_of(place)
        if type(value) is int and value in allowed:
            return (value,)
        several = isinstance(value, list | tuple) or as_int(value) is None
        listed = value if several else (value,)
        if isinstance(listed, str) or not isinstance(listed, Iterable):
            raise PuzzleError(
                f"{place}: {value!r} is not a value; give a whole number or a list of whole numbers"
            )
        numbers = as_ints(listed)
        if numbers is None:
            raise PuzzleError(f"{place}: {value!r} is not a list of whole numbers")
        wanted = numbers if len(numbers) == 1 else tuple(sorted({*numbers}))
        for number in wanted:
            if number not in allowed:
                raise PuzzleError(
                    f"{place}: {number} is not a value of this puzzle ({_listing(allowed)})"
                )
        return wanted

    def __hash__(self) -> int:
        return hash((self._shared._rules_hash, self.candidates))

    @cached_property
    def _rules_hash(self) -> int:
        return hash((self.grids, self.constraints, self.named))

    def __getstate__(self) -> dict[str, Any]:
        # Derived values are not pickled: they are found again where they are needed.
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    # Building

    def add(self, *constraints: Constraint) -> Puzzle:
        """Return the puzzle with more constraints, and the variables and layers they bring.

        A variable that stands for an unknown number need not be declared before.

        Examples
        --------
        >>> from csp_sudoku import KillerCage, Puzzle, Var, count
        >>> cages = [KillerCage(cells, Var("x")) for cells in ("R1C1 R1C2", "R2C3 R2C4")]
        >>> puzzle = Puzzle.blank(4).add(*cages)
        >>> puzzle.values_of(Var("x")), count(puzzle).value
        ((3, 4, 5, 6, 7), 288)
        """
        if not constraints:
            return self
        named = dict(self.named)
        for constraint in constraints:
            if not isinstance(constraint, Constraint):
                raise PuzzleError(f"{constraint!r} is not a constraint, such as AntiKnight()")
            for variable, values in constraint.declares(self):
                if named.setdefault(variable, values) != values:
                    raise PuzzleError(f"{variable}: declared twice, with different values")
        known = self
        for constraint in constraints:
            if len(named) > len(known.named):  # a rule may use what another one brings
                known = replace(self, named=tuple(named.items()))
            for variable, values in constraint.uses(known):
                named.setdefault(variable, values)
        return self._grown(constraints, tuple(named.items()))

    def _grown(self, constraints: tuple[Constraint, ...], named: Declared) -> Puzzle:
        """The puzzle with more constraints, and as many variables or more; the rest is as it was.

        Readers call this once for each rule, so it looks only at what is new.
        """
        if len(named) > len(self.named):
            return replace(self, constraints=self.constraints + constraints, named=named)
        other = object.__new__(type(self))
        vars(other).update(self._handed_on, constraints=self.constraints + constraints)
        other._check_constraints()
        return other

    @cached_property
    def _handed_on(self) -> dict[str, Any]:
        """The fields and what follows from the grids: a copy with more constraints keeps it."""
        _ = self._values, self.cells  # found once, before the copies
        mine = vars(self)
        names = (*self.__dataclass_fields__, *_FROM_GRIDS)
        return {name: mine[name] for name in names if name in mine}

    def without(self, *constraints: Constraint) -> Puzzle:
        """Return the puzzle without some of its constraints; each must be in it.

        Named variables and layers that they declare stay.

        Examples
        --------
        >>> from csp_sudoku import AntiKing, AntiKnight
        >>> Puzzle.blank(4).add(AntiKing(), AntiKnight()).without(AntiKing()).constraints
        (AntiKnight(),)
        """
        left = [*self.constraints]
        for constraint in constraints:
            if constraint not in left:
                raise PuzzleError(f"{constraint!r} is not a constraint of the puzzle")
            left.remove(constraint)
        return replace(self, constraints=tuple(left)) if constraints else self

    def with_givens(
        self, givens: Mapping[Any, int | Iterable[int]] | Iterable[tuple[Any, Any]]
    ) -> Puzzle:
        """Return the puzzle with further givens or candidate lists; those of one cell intersect.

        Examples
        --------
        >>> Puzzle.blank(4).with_givens({"R1C1": 1, "R1C2": [2, 3]}).candidates_of("R1C2")
        (2, 3)
        """
        pairs = givens.items() if isinstance(givens, Mapping) else _pairs(givens)
        return self.placed(self._merged(dict(self.candidates), pairs))

    def with_named(self, name: str, values: Iterable[int]) -> Puzzle:
        """Return the puzzle with a named variable, such as an unknown sum that clues share.

        Examples
        --------
        >>> from csp_sudoku import Puzzle, Sum, Var, count
        >>> puzzle = Puzzle.blank(4).with_named("x", range(3, 8))
        >>> puzzle = puzzle.add(Sum(["R1C1 R1C2", Var("x")], 0, (1, 1, -1)))
        >>> count(puzzle).value
        288
        """
        return self.with_all_named([(name, values)])

    def with_all_named(self, values_of: Iterable[tuple[str, Iterable[int]]]) -> Puzzle:
        """Return the puzzle with several named variables; see :meth:`with_named`."""
        named = dict(self.named)
        for name, values in values_of:
            look()
            variable, domain = Var(name), as_ints(values)
            if variable in named:
                raise PuzzleError(f"{variable}: declared twice")
            if domain is None or list(domain) != sorted(set(domain)):
                raise PuzzleError(f"{variable}: its values must be ascending whole numbers")
            named[variable] = domain
        return replace(self, named=tuple(named.items()))

    def with_layer(
        self, name: str, values: Iterable[int], on: CellsLike | Whole = "cells"
    ) -> Puzzle:
        """Return the puzzle with a layer: a further value on each cell, such as its shading.

        A cell of a layer is written ``name:R1C1`` and may stand wherever a cell may.

        Parameters
        ----------
        name
            Letters, digits and _.
        values
            What the cells of the layer may hold.
        on
            All ``"cells"``, or all inner ``"edges"`` or ``"corners"`` of cells, or a list of
            places; these may also lie outside the grid.

        Examples
        --------
        >>> from csp_sudoku import Puzzle, Sum, count
        >>> puzzle = Puzzle.blank(2).with_layer("shaded", (0, 1))
        >>> puzzle.layers["shaded"][1]
        LayerCell('shaded', 0, 1)
        >>> count(puzzle.add(Sum("shaded:R1C1-R2C2", 3))).value  # 2 grids, 4 shadings
        8
        """
        places, domain = layer_places(name, self.cells, on), as_ints(values)
        if name in self.layers:
            raise PuzzleError(f"layer {name}: declared twice")
        if not domain or list(domain) != sorted(set(domain)):
            raise PuzzleError(f"layer {name}: its values must be ascending whole numbers")
        return replace(self, named=(*self.named, *((place, domain) for place in places)))

    def without_givens(self) -> Puzzle:
        """The rules alone."""
        if not self.candidates and not self.stated:
            return self
        rules = self.placed(())
        vars(rules)["stated"] = ()
        return rules

    @cached_property
    def _shared(self) -> Puzzle:
        """The rules alone: one object for all puzzles that are made from this one by givens.

        It remembers what is kept for the rules. It is not handed out, because whoever changed its
        graph would change it for others.
        """
        rules = self._copied(())
        vars(rules)["_shared"] = rules
        return rules

    def placed(self, candidates: Candidates) -> Puzzle:
        """Return the puzzle with these candidates alone: in order, and all of them its values."""
        _ = self._shared  # found before the copy, which takes it over
        return self._copied(candidates)

    def _copied(self, candidates: Candidates) -> Puzzle:
        """A copy with other candidates; it takes over what is known of the rules."""
        other = object.__new__(type(self))
        known = vars(other)
        known.update(vars(self))
        for name in _OWN:
            known.pop(name, None)
        known["candidates"] = candidates
        return other

    # Looking

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, row by row."""
        return _shape(self.grids).cells

    @cached_property
    def variables(self) -> tuple[Place, ...]:
        """Everything a solution gives a value to: the cells, named variables, and layers."""
        return (*self.cells, *(variable for variable, _ in self.named))

    @cached_property
    def layers(self) -> dict[str, tuple[LayerCell, ...]]:
        """The cells of each layer, by its name."""
        return by_name(variable for variable, _ in self.named)

    @cached_property
    def columns(self) -> dict[Place, int]:
        """The position of each variable in :attr:`variables`, and in a row of values."""
        if self._shared is not self:  # one object for all puzzles of these rules
            return self._shared.columns
        return _columns(self.variables) if self.named else _shape(self.grids).columns

    @cached_property
    def _values(self) -> dict[Place, tuple[int, ...]]:
        values = _shape(self.grids).values
        return values | dict(self.named) if self.named else values

    def has(self, place: Place) -> bool:
        """Whether this cell or named variable belongs to the puzzle."""
        return place in self._values

    def lacks(self, places: Iterable[Place]) -> Place | None:
        """Return the first of some places that does not belong to the puzzle; None if all do."""
        values = self._values
        for place in places:
            if place not in values:
                return place
        return None

    @cached_property
    def has_small_values(self) -> bool:
        """Whether a byte can hold any value of the puzzle."""
        return _shape(self.grids).has_small_values and _are_small(dict(self.named))

    def values_of(self, place: Place) -> tuple[int, ...]:
        """Return the values that the shape of the puzzle allows there, whatever is given."""
        try:
            return self._values[place]
        except (KeyError, TypeError):  # not there, or nothing that could be
            raise PuzzleError(self.no_such_place(place)) from None

    def candidates_of(self, place: str | Place) -> tuple[int, ...]:
        """Return the values that givens and candidate lists leave there."""
        where = cell(place)
        return dict(self.candidates).get(where, self.values_of(where))

    @cached_property
    def givens(self) -> dict[Place, int]:
        """The places with a single candidate."""
        return {place: values[0] for place, values in self.candidates if len(values) == 1}

    def no_such_place(self, place: Place) -> str:
        """Return a sentence that refuses a place outside the puzzle."""
        if isinstance(place, LayerCell):
            if place.layer in self.layers:
                return f"{place} is outside the layer"
            return f"{place}: there is no layer {place.layer}; add it with with_layer"
        if isinstance(place, Var):
            return f"{place} is not declared; add it with with_named"
        if len(self.grids) == 1:
            return f"{place} is outside the {self.grids[0].size} grid"
        return f"{place} is outside every grid of the puzzle"

    def row(self, index: int, grid: int = 0) -> tuple[Cell, ...]:
        """The cells of a row, 0-based."""
        return self._grid(grid).row(index)

    def column(self, index: int, grid: int = 0) -> tuple[Cell, ...]:
        """The cells of a column, 0-based."""
        return self._grid(grid).column(index)

    def box(self, index: int, grid: int = 0) -> tuple[Cell, ...]:
        """The cells of a box or irregular region, 0-based."""
        return self._grid(grid).box_at(index)

    def _grid(self, index: int) -> Grid:
        return self.grids[check_index("grid", index, len(self.grids), "the puzzle")]

    @cached_property
    def houses(self) -> tuple[House, ...]:
        """The houses that come with the grids, each once."""
        return _shape(self.grids).houses

    @cached_property
    def rules(self) -> tuple[Constraint, ...]:
        """Houses and constraints: everything that a solution must keep, except the givens."""
        return (*self.houses, *(rule for c in self.constraints for rule in c.expand(self)))

    def objections(self) -> list[str]:
        """Return why no solution can exist, as far as it shows at once.

        That is a clash of givens, or a clue that is impossible by itself.
        """
        found = []
        for place, values in self.candidates:
            if not values:
                found.append(f"{place}: its candidate lists have no value in common")
        for rule in self.rules:
            look()
            for group in rule.clashes(self.givens, self):
                if group:
                    found.append(f"{_and(group)} hold {self._held(group)}, against {rule.label}")
            if (objection := rule.objection(self)) is not None:
                found.append(objection)
        return found

    def _held(self, group: Iterable[Place]) -> str:
        return _and(dict.fromkeys(self.givens[place] for place in group))

    # Compiling

    @cached_property
    def rules_graph(self) -> nx.Graph:
        """The constraint graph without givens. Its attributes are yours to change."""
        return owned(shared_rules_graph(self))

    @cached_property
    def graph(self) -> nx.Graph:
        """The constraint graph with the givens in the domains. Its attributes are yours to change.

        Nobody else has this graph: neither another puzzle nor a solver.
        """
        return owned(shared_graph(self))

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


def shared_rules(puzzle: Puzzle) -> Puzzle:
    """Return the rules alone, the key of what is kept for them; never given to users.

    Puzzles with equal rules get the same object, so that the store need not compare rules again.
    """
    shared = puzzle._shared
    rules = STORE.read(vars(shared).get("_kept"))
    if rules is DROPPED:
        key = (Puzzle, shared)
        rules = STORE.get(key, lambda: shared, 500 * len(shared.variables))
        vars(shared)["_kept"] = STORE.entry(key)
    return cast(Puzzle, rules)


def of_rules(
    find: Callable[[Puzzle], T], size: Callable[[Puzzle, T], int] | None = None
) -> Callable[[Puzzle], T]:
    """Cache a function's result on the rules object.

    The result is in the store, for all puzzles with equal rules. To find it there means to compare
    rules; so the rules object remembers where it is.

    Parameters
    ----------
    find
        A function of the rules, which are a puzzle without givens.
    size
        The bytes of a result; by default some hundred for every variable.
    """
    name = f"{find.__module__}.{find.__name__}"

    @wraps(find)
    def found(puzzle: Puzzle) -> T:
        remembered = vars(puzzle._shared)
        value = STORE.read(remembered.get(name))
        if value is DROPPED:
            rules = shared_rules(puzzle)
            key = (find, rules)
            value = STORE.get(key, lambda: find(rules), partial(size or _usual_size, rules))
            remembered[name] = STORE.entry(key)
        return cast(T, value)

    return found


def _usual_size(rules: Puzzle, found: object) -> int:
    return 300 * len(rules.variables)


@partial(of_rules, size=lambda rules, graph: graph_bytes(graph))
def shared_rules_graph(rules: Puzzle) -> nx.Graph:
    """Return the graph of a puzzle's rules that encoders read; not to be changed or handed out."""
    return lower(rules)


def shared_graph(puzzle: Puzzle) -> nx.Graph:
    """Return the graph of a puzzle that encoders read; not to be changed or handed out."""
    return restricted_view(shared_rules_graph(puzzle), dict(puzzle.candidates))


@of_rules
def rules_extent(rules: Puzzle) -> int:
    """Return the extent of the graph of a puzzle's rules."""
    return extent(shared_rules_graph(rules))


class _Shape(NamedTuple):
    """What the grids of a puzzle say."""

    cells: tuple[Cell, ...]
    values: dict[Place, tuple[int, ...]]
    houses: tuple[House, ...]
    columns: dict[Place, int]
    has_small_values: bool


# Many puzzles have the same grids, and their shape is half the work of making a puzzle.
@kept(size=lambda shape: 600 * len(shape.cells))
def _shape(grids: tuple[Grid, ...]) -> _Shape:
    values: dict[Place, tuple[int, ...]] = {}
    for grid in grids:
        for place in grid.cells:
            known = values.get(place)
            values[place] = (
                grid.values
                if known is None or known == grid.values
                else tuple(v for v in known if v in grid.values)
            )
    houses: dict[tuple[Cell, ...], House] = {}
    for number, grid in enumerate(grids, 1):
        suffix = f" of grid {number}" if len(grids) > 1 else ""
        for title, places in _named_houses(grid):
            houses.setdefault(places, House(places, title + suffix))
    cells = tuple(sorted({place for grid in grids for place in grid.cells}))
    return _Shape(cells, values, tuple(houses.values()), _columns(cells), _are_small(values))


def _columns(variables: Sequence[Place]) -> dict[Place, int]:
    return {place: column for column, place in enumerate(variables)}


def _are_small(values_of: Mapping[Any, tuple[int, ...]]) -> bool:
    """Whether a byte can hold any of the values."""
    return all(0 <= value < 256 for values in {*values_of.values()} for value in values)


def _named_houses(grid: Grid) -> list[tuple[str, tuple[Cell, ...]]]:
    rows = [(f"row {i + 1}", grid.row(i)) for i in range(grid.rows) if grid.row_houses]
    columns = range(grid.columns) if grid.column_houses else ()
    kind = "region" if grid.regions else "box"
    return [
        *rows,
        *[(f"column {i + 1}", grid.column(i)) for i in columns],
        *[(f"{kind} {i}", box) for i, box in enumerate(grid.boxes, 1)],
    ]


def _order(item: tuple[Place, Any]) -> tuple[bool, Any]:
    """Cells first, then named variables: the two do not compare."""
    return isinstance(item[0], Var), item[0]


def _pairs(givens: object) -> Iterator[tuple[Any, Any]]:
    """The givens of a list: pairs of a cell and a value."""
    if isinstance(givens, str) or not isinstance(givens, Iterable):
        raise PuzzleError(
            f"givens are cells with their values, as {{'R1C1': 5}}, not {reprlib.repr(givens)}; "
            f"read takes a grid of text"
        )
    for pair in givens:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise PuzzleError(f"given {reprlib.repr(pair)}: must be a cell and its value")
        yield pair[0], pair[1]


def _listing(values: Sequence[int]) -> str:
    if len(values) > 2 and values[-1] - values[0] == len(values) - 1:
        return f"{values[0]} to {values[-1]}"
    return ", ".join(map(str, values))


def _and(items: Iterable[object]) -> str:
    words = [str(item) for item in items]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
