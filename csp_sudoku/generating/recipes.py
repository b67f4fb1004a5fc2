"""Recipes: which variants a puzzle shall have, by name, and where their clues are placed."""

from __future__ import annotations

import random
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from csp_sudoku import plugins
from csp_sudoku.cells import Place
from csp_sudoku.constraints import KillerCage, registry
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import ConstraintError, PuzzleError
from csp_sudoku.generating import shapes
from csp_sudoku.generating.clues import MIXED, Kind, clues, kind_of
from csp_sudoku.generating.easel import Easel
from csp_sudoku.puzzle import Puzzle

SEVERAL: dict[str, tuple[str, ...]] = {
    "dots": ("difference", "ratio"),
    "kropki": ("difference", "ratio"),
    "kropki-dots": ("difference", "ratio"),
    "xv": ("x", "v"),
}
"""Names that stand for several kinds of clues."""

# The sizes of the cages that tile a grid; sizes that are named more often occur more often.
_CAGES = (2, 2, 3, 3, 3, 4, 4)

# If the usual number of clues leaves several solutions, there are spare ones: so many times it.
_SPARE = 4


@dataclass(frozen=True)
class Recipe:
    """The variants that a puzzle shall have.

    Attributes
    ----------
    rules
        Rules for the whole grid.
    jigsaw
        Whether irregular regions take the place of the boxes.
    killer
        Whether cages tile the grid.
    kinds
        The kinds of clues to be read off the solution, each with its number; None for the usual
        number.
    """

    rules: tuple[Constraint, ...] = ()
    jigsaw: bool = False
    killer: bool = False
    kinds: tuple[tuple[str, int | None], ...] = ()

    @classmethod
    def read(cls, words: str | Iterable[str]) -> Recipe:
        """Read a recipe: names, with or without a number, such as ``thermometer:5``.

        Examples
        --------
        >>> recipe = Recipe.read("killer, thermo:5, anti-knight")
        >>> recipe.killer, recipe.kinds, recipe.rules
        (True, (('thermometer', 5),), (AntiKnight(),))
        >>> Recipe.read("thermmo")
        Traceback (most recent call last):
            ...
        csp_sudoku.errors.ConstraintError: no variant is called 'thermmo'; did you mean thermo?
        """
        listed = words.split(",") if isinstance(words, str) else words
        if not isinstance(listed, Iterable) or not all(isinstance(w, str) for w in listed):
            raise ConstraintError(f"recipe {reprlib.repr(words)}: must be names of variants")
        recipe = cls()
        for word in filter(None, map(str.strip, listed)):
            name, _, number = word.partition(":")
            if number and not (number.isascii() and number.isdigit()):
                raise ConstraintError(f"{word}: write a number behind the colon, as in thermo:5")
            for single in SEVERAL.get(name, (name,)):
                recipe = recipe._with(single, int(number) if number else None)
        return recipe

    def _with(self, name: str, number: int | None) -> Recipe:
        if name == "jigsaw":
            return replace(self, jigsaw=True)
        if name == "killer":
            return replace(self, killer=True)
        aliases = registry.aliases()
        if kind_of(name) is None:
            name = aliases.get(name, name)
        if kind_of(name) is not None:
            return replace(self, kinds=(*self.kinds, (name, number)))
        if name not in registry.names():
            known = ["jigsaw", *SEVERAL, *MIXED, *aliases, *registry.names()]
            raise ConstraintError(
                f"no variant is called {reprlib.repr(name)}; {plugins.nearest(name, known)}"
            )
        return replace(self, rules=(*self.rules, registry.rule(name)))

    @property
    def has_clues(self) -> bool:
        """Whether the recipe places clues."""
        return self.killer or bool(self.kinds)

    @cached_property
    def kind(self) -> dict[str, Kind]:
        """The kinds of clues by name."""
        found = {name: kind_of(name) for name, _ in self.kinds}
        return {name: kind for name, kind in found.items() if kind is not None}

    def base(self, rules: Puzzle, chance: random.Random) -> Puzzle:
        """Return the puzzle with the rules and regions of the recipe, without its clues."""
        if self.jigsaw:
            [grid, *others] = rules.grids
            if others or grid.rows != grid.columns or (grid.top, grid.left) != (0, 0):
                raise PuzzleError("jigsaw: needs one square grid")
            found = shapes.regions(grid.rows, grid.columns, chance)
            rules = replace(rules, grids=(replace(grid, box=None, regions=tuple(found)),))
        return rules.add(*self.rules)


def loosened(recipe: Recipe, puzzle: Puzzle) -> Puzzle:
    """Return the rules that a solution must keep before the clues of a recipe are placed.

    A negative rule forgives what the clues to come will mark.
    """
    samples = [mark for mark in _samples(recipe, puzzle).values() if mark is not None]
    rules = tuple([rule.loosened(samples) for rule in puzzle.constraints])
    return puzzle if rules == puzzle.constraints else replace(puzzle, constraints=rules)


@dataclass(frozen=True)
class Placed:
    """Clues read off a solution.

    Attributes
    ----------
    first
        The clues to begin with.
    spare
        More of them, in case the first are not enough.
    shortfalls
        Which clues are missing or too many, in sentences.
    """

    first: tuple[Constraint, ...]
    spare: tuple[Constraint, ...]
    shortfalls: tuple[str, ...]


def place(
    recipe: Recipe, puzzle: Puzzle, solution: Mapping[Place, int], chance: random.Random
) -> Placed:
    """Read the clues of a recipe off a solution of the loosened rules of a puzzle."""
    easel = Easel(puzzle, solution, chance)
    first: list[Constraint] = []
    spare: list[Constraint] = []
    shortfalls: list[str] = []
    if recipe.killer:
        first += cages(puzzle, solution, chance)
    needed = _needed(recipe, easel)
    for name, number in recipe.kinds:
        kind, marks = recipe.kind[name], needed.get(name, [])
        wanted = kind.placing.usual(easel.side) if number is None else number
        # A rule that reads these marks would change with a spare one, so there are none.
        most = wanted if number is not None or name in needed else _SPARE * wanted
        found = [*marks, *islice(clues(kind, easel, marks), max(0, most - len(marks)))]
        count = max(wanted, len(marks))
        first += found[:count]
        spare += found[count:]
        if number is not None and len(found) != number:
            shortfalls.append(f"it has {len(found)} clues of {name}, not {number}")
        elif not found:
            shortfalls.append(f"no clue of {name} could be placed")
    chance.shuffle(spare)
    return Placed(tuple(first), tuple(spare), tuple(shortfalls))


def _needed(recipe: Recipe, easel: Easel) -> dict[str, list[Constraint]]:
    """Return, for each kind that a rule of the puzzle reads, the clues that this rule needs.

    A negative rule needs a mark wherever the solution breaks it.
    """
    found: dict[str, list[Constraint]] = {}
    samples = _samples(recipe, easel.puzzle)
    for rule in easel.puzzle.constraints:
        names = [
            name
            for name, sample in samples.items()
            if sample is not None and rule.loosened([sample]) != rule
        ]
        found |= {name: [] for name in names if name not in found}
        for group in rule.clashes(easel.solution, easel.puzzle) if names else ():
            marks = {name: _made(recipe.kind[name], group) for name in names}
            kept = [
                (n, mark) for n, mark in marks.items() if mark is not None and easel.keeps(mark)
            ]
            if not kept:
                where = " ".join(map(str, group))
                raise PuzzleError(f"{rule.label}: no clue of {', '.join(names)} marks {where}")
            name, mark = easel.chance.choice(kept)
            found[name].append(mark)
    return found


def _samples(recipe: Recipe, puzzle: Puzzle) -> dict[str, Constraint | None]:
    """Return a clue of each kind on two cells, where such a clue can stand on two cells."""
    return {name: _made(kind, puzzle.cells[:2]) for name, kind in recipe.kind.items()}


def _made(kind: Kind, cells: Sequence[Place]) -> Constraint | None:
    """Make a clue on some cells; None if it cannot stand there."""
    try:
        return kind.make(cells)
    except (ConstraintError, TypeError):
        return None


def cages(puzzle: Puzzle, solution: Mapping[Place, int], chance: random.Random) -> list[Constraint]:
    """Tile the grid with cages. A single cell joins a neighbour if it can."""
    values = {place: solution[place] for place in puzzle.cells}
    pieces = list(shapes.tiling(values, _CAGES, chance))
    for piece in [piece for piece in pieces if len(piece) == 1]:
        [lone] = piece
        beside = [
            other
            for other in pieces
            if len(other) > 1
            and values[lone] not in {values[place] for place in other}
            and any(near in other for near in shapes.neighbours(lone))
        ]
        if beside:
            host = min(beside, key=len)
            pieces.remove(piece)
            pieces[pieces.index(host)] = tuple(sorted((*host, lone)))
    return [KillerCage(piece, sum(map(values.__getitem__, piece))) for piece in sorted(pieces)]


def split(
    cages: Iterable[KillerCage],
    solution: Mapping[Place, int],
    another: Mapping[Place, int],
    chance: random.Random,
) -> list[KillerCage] | None:
    """Cut the cages in which another solution differs; None if none of them can be cut."""
    found: list[KillerCage] = []
    cut = False
    for cage in cages:
        parts = None
        if any(solution[place] != another[place] for place in cage.cells):
            parts = shapes.halves(cage.cells, chance)  # type: ignore[arg-type]
        if parts is None:
            found.append(cage)
        else:
            found += [KillerCage(part, sum(solution[place] for place in part)) for part in parts]
            cut = True
    return found if cut else None
