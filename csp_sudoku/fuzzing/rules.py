"""Random rules: an instance of any constraint class, made from the types of its fields.

A new constraint needs no code here unless its fields mean more than their types say; what does is
in ``odd_rules``.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from random import Random
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints import And, Doublers, Negators, Not, Or, ValueModifiers, registry
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import ConstraintError, PuzzleError
from csp_sudoku.fuzzing.odd_rules import COUNTS, MAKERS, WORDS
from csp_sudoku.fuzzing.shapes import weighted
from csp_sudoku.puzzle import Puzzle

# How often a rule is drawn anew until the planted grid keeps it.
_TRIES = 6

# Numbers that are changed so that the planted grid keeps a rule.
_CLUES = ("sum", "total", "product", "count", "value", "rank", "difference", "size")

_DEPTH = 3
_MODIFIED = 9
_MODIFIERS = (Doublers, Negators, ValueModifiers)


class RuleMaker:
    """Draws rules for one puzzle, most of them such that a planted grid keeps them.

    `refused` counts the draws that were no rules, or none for this puzzle.
    """

    def __init__(
        self, puzzle: Puzzle, planted: Mapping[Place, int] | None, rng: Random, longest: int = 5
    ) -> None:
        self.puzzle = puzzle
        self.rng: Random = rng
        self.longest: int = longest
        self.refused = 0
        self._planted = planted
        # Modifiers bring two variables a cell along.
        few = len(puzzle.cells) <= _MODIFIED
        self._kinds = [k for k in _kinds() if few or not issubclass(k, _MODIFIERS)]

    def draw(self) -> Constraint | None:
        """A rule that fits the puzzle; None if all draws were refused."""
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

    def instance(self, kind: type[Constraint], depth: int = 0) -> Constraint:
        """An instance of a class; raises ConstraintError if it cannot be meant."""
        if kind in MAKERS:
            arguments = MAKERS[kind](self)
        else:
            arguments = {
                name: self._field(kind, name, hint, depth) for name, hint in _hints(kind).items()
            }
        return cast(Callable[..., Constraint], kind)(**arguments)

    def _fitted(self, rule: Constraint) -> Constraint | None:
        """The rule, with another number if need be, so that the planted grid keeps it."""
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
        # What it breaks, it keeps when turned round. Without this, rules that few grids keep
        # would hardly ever be drawn.
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
            return True  # the planted grid knows nothing of its variables
        assert self._planted is not None
        # Rules may look at the others of their puzzle.
        return rule.holds(self._planted, self.puzzle.add(rule))

    # Fields

    def _field(self, kind: type[Constraint], name: str, hint: Any, depth: int) -> Any:
        if get_origin(hint) in (Union, types.UnionType) and types.NoneType in get_args(hint):
            if self.rng.random() < 0.4:
                return None
            [hint] = [part for part in get_args(hint) if part is not types.NoneType]
        if name in WORDS:
            return WORDS[name](self)
        if hint == tuple[Place, ...]:
            return self.line(self._count(kind, name))
        if hint is Constraint:
            return self._part(depth)
        if hint == tuple[Constraint, ...]:
            return tuple([self._part(depth) for _ in range(self.rng.randint(1, 3))])
        return _BY_TYPE[hint](self)

    def _part(self, depth: int) -> Constraint:
        kinds = [k for k in self._kinds if depth < _DEPTH or not _holds_parts(k)]
        return self.instance(self.rng.choice(kinds), depth + 1)

    def _count(self, kind: type[Constraint], name: str) -> int:
        least, most = COUNTS.get((kind, name), (1, self.longest))
        # Now and then a number of cells that may be refused.
        return self.rng.randint(1, 4) if self.rng.random() < 0.03 else self.rng.randint(least, most)

    def number(self) -> int:
        """A number that a rule may be about: often a value, sometimes none."""
        if self.rng.random() < 0.6:
            return self.value()
        return weighted(self.rng, {self.rng.randint(0, 6): 7, self.rng.randint(-4, 25): 3})

    def value(self) -> int:
        """A value of the grids."""
        return self.rng.choice(self.rng.choice(self.puzzle.grids).values)

    def numbers(self) -> tuple[int, ...]:
        """A few numbers; sometimes none at all."""
        size = weighted(self.rng, {0: 1, 1: 6, 2: 6, 3: 3})
        return tuple([self.number() for _ in range(size)])

    def place(self) -> Place:
        """A cell, or now and then a named variable."""
        named: list[Place] = [variable for variable, _ in self.puzzle.named]
        if named and self.rng.random() < 0.2:
            return self.rng.choice(named)
        return self.rng.choice(self.puzzle.cells)

    def line(self, count: int) -> tuple[Place, ...]:
        """So many places: a path, or anywhere, and sometimes with repeats."""
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
        """Groups of places, usually of one size."""
        size = self.rng.randint(1, 3)
        return tuple(
            [
                self.line(size if self.rng.random() < 0.95 else self.rng.randint(1, 3))
                for _ in range(weighted(self.rng, {1: 1, 2: 6, 3: 2}))
            ]
        )

    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Some pairs of numbers; sometimes none at all."""
        size = weighted(self.rng, {0: 1, 1: 2, 4: 4, 9: 4})
        return tuple([(self.number(), self.number()) for _ in range(size)])


_BY_TYPE: dict[Any, Callable[[RuleMaker], Any]] = {
    bool: lambda maker: maker.rng.random() < 0.5,
    int: RuleMaker.number,
    Cell: lambda maker: maker.rng.choice(maker.puzzle.cells),
    Place: RuleMaker.place,
    tuple[int, ...]: RuleMaker.numbers,
    tuple[tuple[int, int], ...]: RuleMaker.pairs,
    tuple[tuple[Place, ...], ...]: RuleMaker.groups,
}


@cache
def _kinds() -> list[type[Constraint]]:
    # Combinations more often than others: there are more of them.
    return [*registry.built_in().values(), *((And, Or, Not) * 3)]


def _hints(kind: type[Constraint]) -> dict[str, Any]:
    """The fields of a class and their types."""
    return _cached_hints(cast(Any, kind))


@cache
def _cached_hints(kind: Any) -> dict[str, Any]:
    if not is_dataclass(kind):
        return {}
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _holds_parts(kind: type[Constraint]) -> bool:
    return any(hint in (Constraint, tuple[Constraint, ...]) for hint in _hints(kind).values())
