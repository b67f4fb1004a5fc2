"""Random rules: an instance of any constraint class, of the library or a plug-in.

A rule is drawn by its :meth:`~csp_sudoku.constraints.base.Constraint.draw`: by default from the
types of its fields. A class whose fields mean more than their types say overrides it.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import Field, fields, is_dataclass
from functools import cache
from random import Random
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints import And, Doublers, Negators, Not, Or, ValueModifiers, registry
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import ConstraintError, PuzzleError
from csp_sudoku.fuzzing.shapes import weighted
from csp_sudoku.puzzle import Puzzle

T = TypeVar("T")

# How often a rule is drawn again until the planted grid keeps it.
_TRIES = 6

# Numbers that are changed so that the planted grid keeps a rule.
_CLUES = ("sum", "total", "product", "count", "value", "rank", "difference", "size")

_DEPTH = 3
_MODIFIED = 9
_MODIFIERS = (Doublers, Negators, ValueModifiers)


class RuleMaker:
    """Draws rules for one puzzle; the planted grid keeps most of them.

    `refused` counts draws that the class or the puzzle refused. `longest` is the greatest usual
    number of cells.
    """

    def __init__(
        self, puzzle: Puzzle, planted: Mapping[Place, int] | None, rng: Random, longest: int = 5
    ) -> None:
        self.puzzle = puzzle
        self.rng: Random = rng
        self.longest: int = longest
        self.refused = 0
        self._planted = planted
        self._depth = 0
        # Modifiers bring two variables for each cell.
        few = len(puzzle.cells) <= _MODIFIED
        self._kinds = [kind for kind in _kinds() if few or not issubclass(kind, _MODIFIERS)]

    def draw(self) -> Constraint | None:
        """Draw a rule that fits the puzzle; None if all draws were refused."""
        wanted = self._planted is not None and self.rng.random() < 0.8
        for _ in range(_TRIES):
            kind = self.rng.choice(self._kinds)
            try:
                rule = self.instance(kind)
            except ConstraintError:
                rule = None
            if rule is None or not self._fits(rule):
                self.refused += 1
                continue
            found = self._fitted(rule) if wanted else rule
            if found is not None:
                return found
        return None

    def instance(self, kind: type[Constraint]) -> Constraint:
        """Draw an instance of a class; raises ConstraintError if the class refuses the draw."""
        return cast(Callable[..., Constraint], kind)(**kind.draw(self))

    def fields(self, kind: type[Constraint], **own: Callable[[], Any]) -> dict[str, Any]:
        """Draw a value for each field of a class by its type; `own` draws some in another way.

        A field may say more in its metadata: the ``least`` and the ``most`` cells, the ``least``
        number, or the ``choices`` of a word.

        Examples
        --------
        >>> from csp_sudoku import Difference
        >>> maker = RuleMaker(Puzzle.blank(4), None, Random(2))
        >>> drawn = maker.fields(Difference, cells=lambda: maker.places(2, 2))
        >>> list(drawn), len(drawn["cells"])
        (['cells', 'difference'], 2)
        """
        said = {field.name: field.metadata for field in _fields(kind)}
        return {
            name: self._field(hint, said[name], own.get(name))
            for name, hint in _hints(kind).items()
        }

    def _fitted(self, rule: Constraint) -> Constraint | None:
        """Return the rule, with another number if need be, so that the planted grid keeps it."""
        if self._holds(rule):
            return rule
        clues = [name for name in _hints(type(rule)) if name in _CLUES]
        for name in clues:
            for number in self.rng.sample(range(-6, 31), 37):
                held = {f: getattr(rule, f) for f in _hints(type(rule))} | {name: number}
                try:
                    changed = cast(Callable[..., Constraint], type(rule))(**held)
                except ConstraintError:
                    continue
                if self._fits(changed) and self._holds(changed):
                    return changed
        # A grid that breaks a rule keeps its opposite. Otherwise rules that few grids keep would
        # hardly ever be drawn.
        turned = ~rule
        return turned if self.rng.random() < 0.4 and self._fits(turned) else None

    def _fits(self, rule: Constraint) -> bool:
        try:
            self.puzzle.add(rule)
        except (ConstraintError, PuzzleError):
            return False
        return True

    def _holds(self, rule: Constraint) -> bool:
        if any(rule.declares(self.puzzle)):
            return True  # the planted grid has no values for its variables
        assert self._planted is not None
        # In the puzzle with the rule itself: rules may read others.
        return rule.holds(self._planted, self.puzzle.add(rule))

    # Fields

    def _field(self, hint: Any, said: Mapping[str, Any], own: Callable[[], Any] | None) -> Any:
        if "open" in said:
            own, hint = own or (lambda: self._open_number(hint, said.get("least"))), int
        if get_origin(hint) in (Union, types.UnionType) and types.NoneType in get_args(hint):
            if self.rng.random() < 0.4:
                return None
            [hint] = [part for part in get_args(hint) if part is not types.NoneType]
        if own is not None:
            return own()
        if "choices" in said:
            return self.rng.choice(said["choices"])
        if hint == tuple[Place, ...]:
            return self.places(said.get("least", 1), said.get("most"))
        if hint is int and (least := said.get("least")) is not None and self.rng.random() < 0.97:
            return max(least, self.number())
        if hint not in _BY_TYPE:
            raise ConstraintError(f"no value of type {hint} can be drawn: write a method draw")
        return _BY_TYPE[hint](self)

    def _open_number(self, hint: Any, least: int | None) -> object:
        """Draw a number, or now and then something that stands for an unknown one."""
        mood = self.rng.random()
        if mood < 0.1:
            return self.place()
        if mood < 0.25:
            return {max(self.number(), least or 0) for _ in range(self.rng.randint(2, 4))}
        if mood < 0.5 and types.NoneType in get_args(hint):
            return None
        return self.number() if least is None else max(least, self.number())

    def rule(self) -> Constraint:
        """Draw a rule as a part of another one; combinations do not nest too deeply."""
        kinds = [k for k in self._kinds if self._depth < _DEPTH or not _combines(k)]
        kind = self.rng.choice(kinds)
        self._depth += 1
        try:
            return self.instance(kind)
        finally:
            self._depth -= 1

    def rules(self) -> tuple[Constraint, ...]:
        """Draw a few rules as parts of another one."""
        return tuple([self.rule() for _ in range(self.rng.randint(1, 3))])

    def places(self, least: int = 1, most: int | None = None) -> tuple[Place, ...]:
        """Draw this many places; now and then a number of them that may be refused."""
        if self.rng.random() < 0.03:
            return self.line(self.rng.randint(1, 4))
        return self.line(self.rng.randint(least, self.longest if most is None else most))

    def grid_cells(self, count: int) -> list[Cell]:
        """Draw different cells of the grid, this many or all there are."""
        return self.rng.sample(self.puzzle.cells, min(count, len(self.puzzle.cells)))

    def line_name(self) -> str:
        """Draw the name of a row or column, such as R2."""
        grid = self.rng.choice(self.puzzle.grids)
        letter, most = self.rng.choice((("R", grid.rows), ("C", grid.columns)))
        return f"{letter}{self.rng.randint(1, most)}"

    def weighted(self, weights: Mapping[T, int]) -> T:
        """Draw one of the keys, each as often as its value says."""
        return weighted(self.rng, weights)

    def number(self) -> int:
        """Draw a number for a rule: often a value of the grid, sometimes another one."""
        if self.rng.random() < 0.6:
            return self.value()
        return weighted(self.rng, {self.rng.randint(0, 6): 7, self.rng.randint(-4, 25): 3})

    def value(self) -> int:
        """Draw a value of the grids."""
        return self.rng.choice(self.rng.choice(self.puzzle.grids).values)

    def numbers(self) -> tuple[int, ...]:
        """Draw a few numbers; sometimes none at all."""
        size = weighted(self.rng, {0: 1, 1: 6, 2: 6, 3: 3})
        return tuple([self.number() for _ in range(size)])

    def place(self) -> Place:
        """Draw a cell, or now and then a named variable."""
        named: list[Place] = [variable for variable, _ in self.puzzle.named]
        if named and self.rng.random() < 0.2:
            return self.rng.choice(named)
        return self.rng.choice(self.puzzle.cells)

    def line(self, count: int) -> tuple[Place, ...]:
        """Draw exactly this many places: a path, or anywhere, and sometimes with repeats."""
        mood = self.rng.random()
        if mood < 0.45 and (path := self._path(count)):
            return path
        if mood < 0.85 and count <= len(self.puzzle.cells):
            places: list[Place] = list(self.rng.sample(self.puzzle.cells, count))
            places[self.rng.randrange(count)] = self.place()
            return tuple(places)
        return tuple([self.place() for _ in range(count)])

    def _path(self, count: int) -> tuple[Place, ...] | None:
        cells = set(self.puzzle.cells)
        path = [self.rng.choice(self.puzzle.cells)]
        while len(path) < count:
            row, col = path[-1]
            near = [
                Cell(row + r, col + c)
                for r in (-1, 0, 1)
                for c in (-1, 0, 1)
                if Cell(row + r, col + c) in cells and Cell(row + r, col + c) not in path
            ]
            if not near:
                return None
            path.append(self.rng.choice(near))
        return tuple(path)

    def groups(self) -> tuple[tuple[Place, ...], ...]:
        """Draw groups of places, usually of one size."""
        size = self.rng.randint(1, 3)
        return tuple(
            [
                self.line(size if self.rng.random() < 0.95 else self.rng.randint(1, 3))
                for _ in range(weighted(self.rng, {1: 1, 2: 6, 3: 2}))
            ]
        )

    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Draw pairs of numbers; sometimes none at all."""
        size = weighted(self.rng, {0: 1, 1: 2, 4: 4, 9: 4})
        return tuple([(self.number(), self.number()) for _ in range(size)])


_BY_TYPE: dict[Any, Callable[[RuleMaker], Any]] = {
    bool: lambda maker: maker.rng.random() < 0.5,
    int: RuleMaker.number,
    Cell: lambda maker: maker.rng.choice(maker.puzzle.cells),
    Place: RuleMaker.place,
    Constraint: RuleMaker.rule,
    tuple[Constraint, ...]: RuleMaker.rules,
    tuple[int, ...]: RuleMaker.numbers,
    tuple[tuple[int, int], ...]: RuleMaker.pairs,
    tuple[tuple[Place, ...], ...]: RuleMaker.groups,
}


@cache
def _kinds() -> list[type[Constraint]]:
    """Return the classes of all rules, without plug-ins that cannot be loaded."""
    # Combinations are drawn more often than others: there are more of them.
    return [*registry.built_in().values(), *registry.of_plug_ins(), *((And, Or, Not) * 3)]


def _hints(kind: type[Constraint]) -> dict[str, Any]:
    """Return the fields of a class and their types."""
    return _cached_hints(cast(Any, kind))


@cache
def _cached_hints(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in _fields(kind)}


def _fields(kind: type[Constraint]) -> tuple[Field[Any], ...]:
    return fields(kind) if is_dataclass(kind) else ()


def _combines(kind: type[Constraint]) -> bool:
    """Whether a class has fields that hold other rules."""
    return any(hint in (Constraint, tuple[Constraint, ...]) for hint in _hints(kind).values())
