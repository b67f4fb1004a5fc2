"""Recipes: which variants a puzzle shall have, by name, and where their clues are placed."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from csp_sudoku import plugins
from csp_sudoku.cells import Place
from csp_sudoku.constraints import KillerCage, registry
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import ConstraintError, PuzzleError
from csp_sudoku.generating import shapes
from csp_sudoku.generating.clues import KINDS, Easel, clues
from csp_sudoku.puzzle import Puzzle

ALIASES: dict[str, tuple[str, ...]] = {
    "killer": ("killer",),
    "jigsaw": ("jigsaw",),
    "thermo": ("thermometer",),
    "thermos": ("thermometer",),
    "slow-thermo": ("slow-thermometer",),
    "arrows": ("arrow",),
    "white-dots": ("difference",),
    "black-dots": ("ratio",),
    "dots": ("difference", "ratio"),
    "xv": ("x", "v"),
    "inequalities": ("greater-than",),
    "quadruples": ("quadruple",),
    "little-killers": ("little-killer",),
}
"""Other names, and those that stand for several."""

# The sizes of the cages that tile a grid, each as often as it is named.
_CAGES = (2, 2, 3, 3, 3, 4, 4)

# How many times the usual number of clues are ready, if fewer do not make a puzzle unique.
_SPARE = 4


@dataclass(frozen=True)
class Recipe:
    """The variants of a puzzle to come.

    Attributes
    ----------
    rules
        Rules for the whole grid.
    jigsaw
        Whether irregular regions take the place of the boxes.
    killer
        Whether cages tile the grid.
    kinds
        The kinds of clues that are read off the solution, and how many of each; None for the usual
        number.
    """

    rules: tuple[Constraint, ...] = ()
    jigsaw: bool = False
    killer: bool = False
    kinds: tuple[tuple[str, int | None], ...] = ()

    @classmethod
    def read(cls, words: str | Iterable[str]) -> Recipe:
        """Read a recipe: names, each with a number perhaps, such as ``thermometer:5``.

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
        listed = words.split(",") if isinstance(words, str) else list(words)
        recipe = cls()
        for word in filter(None, map(str.strip, listed)):
            name, _, number = word.partition(":")
            if number and not (number.isascii() and number.isdigit()):
                raise ConstraintError(f"{word}: write a number behind the colon, as in thermo:5")
            for single in ALIASES.get(name, (name,)):
                recipe = recipe._with(single, int(number) if number else None)
        return recipe

    def _with(self, name: str, number: int | None) -> Recipe:
        if name == "jigsaw":
            return replace(self, jigsaw=True)
        if name == "killer":
            return replace(self, killer=True)
        if name in KINDS:
            return replace(self, kinds=(*self.kinds, (name, number)))
        if name not in registry.names():
            known = [*ALIASES, *KINDS, *registry.names()]
            raise ConstraintError(f"no variant is called {name!r}; {plugins.nearest(name, known)}")
        return replace(self, rules=(*self.rules, registry.rule(name)))

    @property
    def has_clues(self) -> bool:
        """Whether it places clues that are read off the solution."""
        return self.killer or bool(self.kinds)

    def base(self, rules: Puzzle, chance: random.Random) -> Puzzle:
        """The rules, with those that the solution must keep, too."""
        if self.jigsaw:
            [grid, *others] = rules.grids
            if others or grid.rows != grid.columns or (grid.top, grid.left) != (0, 0):
                raise PuzzleError("jigsaw: needs one square grid")
            found = shapes.regions(grid.rows, grid.columns, chance)
            rules = replace(rules, grids=(replace(grid, box=None, regions=tuple(found)),))
        return rules.add(*self.rules)


@dataclass(frozen=True)
class Placed:
    """Clues read off a solution: those to begin with, and more in case they are not enough."""

    first: tuple[Constraint, ...]
    spare: tuple[Constraint, ...]


def place(
    recipe: Recipe, puzzle: Puzzle, solution: Mapping[Place, int], chance: random.Random
) -> Placed:
    """Read the clues of a recipe off a solution."""
    easel = Easel(puzzle, solution, chance)
    first: list[Constraint] = []
    spare: list[Constraint] = []
    if recipe.killer:
        first += cages(puzzle, solution, chance)
    for name, number in recipe.kinds:
        kind = KINDS[name]
        wanted = kind.usual(easel.side) if number is None else number
        found = list(islice(clues(kind, easel), wanted if number is not None else _SPARE * wanted))
        first += found[:wanted]
        spare += found[wanted:]
    chance.shuffle(spare)
    return Placed(tuple(first), tuple(spare))


def cages(puzzle: Puzzle, solution: Mapping[Place, int], chance: random.Random) -> list[Constraint]:
    """Cages that tile the grid. A cell that is left over joins a neighbour where it can."""
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
    """Cut the cages that another solution fills otherwise; None if none of them can be cut."""
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
