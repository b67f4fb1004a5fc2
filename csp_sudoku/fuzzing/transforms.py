"""Puzzles that look different and are the same: transposed, renamed, turned upside down.

Each function keeps the rules that can be changed in this way. It returns two puzzles: the one with
these rules alone, and its image.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeAlias, TypeVar, cast

from csp_sudoku import constraints as c
from csp_sudoku.cells import Cell, LayerCell, Place, Var
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.grid import Grid
from csp_sudoku.puzzle import Puzzle

Change: TypeAlias = Callable[[Constraint], Constraint | None]
Images: TypeAlias = tuple[Puzzle, Puzzle]
AnyPlace = TypeVar("AnyPlace", bound=Place)

# Rules that tell up from left; a text may, too.
_UPRIGHT = (c.BoxIndexing, c.DutchFlatmates, c.Rule)

_DIRECTIONS = {"NE": "SW", "SW": "NE"}


def relabelled(puzzle: Puzzle, names: Mapping[int, int]) -> Images | None:
    """Give the values of the grids other names; None if no rule of the puzzle allows that."""

    def change(rule: Constraint) -> Constraint | None:
        if rule.sees != "equality" or _is_told_a_value(rule, puzzle):
            return None
        return _with_listed_renamed(rule, names)

    return _with_values(puzzle, change, names)


def complemented(puzzle: Puzzle, names: Mapping[int, int]) -> Images | None:
    """Turn the values upside down; `names` says what each becomes, all pairs have one sum."""
    [total] = {value + other for value, other in names.items()}

    def change(rule: Constraint) -> Constraint | None:
        if _is_told_a_value(rule, puzzle):
            return None
        if rule.sees == "numbers":
            return rule.complemented(total)
        return _with_listed_renamed(rule, names)

    return _with_values(puzzle, change, names)


def transposed(puzzle: Puzzle) -> Images | None:
    """Exchange rows and columns; None where rules bring variables that belong to cells."""
    if any(any(rule.declares(puzzle)) for rule in puzzle.constraints):
        return None
    rules = _changed(puzzle, _mirrored)
    image = Puzzle(
        tuple([_mirrored_grid(grid) for grid in puzzle.grids]),
        tuple([(mirror(place), values) for place, values in puzzle.candidates]),
        tuple([image for _, image in rules]),
        tuple([(mirror(variable), values) for variable, values in puzzle.named]),
    )
    return replace(puzzle, constraints=tuple([rule for rule, _ in rules])), image


def mirror(place: AnyPlace) -> AnyPlace:
    """Return the place with row and column exchanged."""
    if isinstance(place, LayerCell):
        return cast(AnyPlace, LayerCell(place.layer, place.col, place.row))
    return cast(AnyPlace, Cell(place.col, place.row)) if isinstance(place, Cell) else place


# Rules


def _changed(puzzle: Puzzle, change: Change) -> list[tuple[Constraint, Constraint]]:
    """Return the rules that can be changed, each with its image."""
    pairs = [(rule, _combined(rule, change)) for rule in puzzle.constraints]
    return [(rule, image) for rule, image in pairs if image is not None]


def _combined(rule: Constraint, change: Change) -> Constraint | None:
    """Change the innermost parts of a rule; None if one of them cannot be changed."""
    if not rule.combined():
        return change(rule)
    parts = [_combined(part, change) for part in rule.combined()]
    kept = tuple([part for part in parts if part is not None])
    return rule.recombined(kept) if len(kept) == len(parts) else None


def _rebuilt(rule: Constraint, change: Callable[[str, Any], Any]) -> Constraint:
    """Return the same rule with fields changed."""
    if not is_dataclass(rule):
        return rule
    held = {field.name: change(field.name, getattr(rule, field.name)) for field in fields(rule)}
    return cast(Callable[..., Constraint], type(rule))(**held)


def _is_told_a_value(rule: Constraint, puzzle: Puzzle) -> bool:
    """Whether a value is a number for this rule: of a named variable, or of a cell as its clue."""
    return isinstance(rule.unknown, Cell) or any(
        isinstance(place, Var) for place in rule.scope(puzzle)
    )


def _renamed(held: Any, names: Mapping[int, int]) -> Any:
    if isinstance(held, tuple):
        return tuple([_renamed(item, names) for item in held])
    return names.get(held, held)


def _with_listed_renamed(rule: Constraint, names: Mapping[int, int]) -> Constraint:
    if not rule.listed:
        return rule
    return _rebuilt(rule, lambda name, held: _renamed(held, names) if name in rule.listed else held)


def _with_values(puzzle: Puzzle, change: Change, names: Mapping[int, int]) -> Images | None:
    rules = _changed(puzzle, change)
    if not rules:
        return None
    candidates = tuple(
        [
            (place, values if isinstance(place, Var) else tuple(sorted(names[v] for v in values)))
            for place, values in puzzle.candidates
        ]
    )
    return (
        replace(puzzle, constraints=tuple([rule for rule, _ in rules])),
        replace(puzzle, constraints=tuple([r for _, r in rules]), candidates=candidates),
    )


# Rows and columns exchanged


def _mirrored(rule: Constraint) -> Constraint | None:
    if isinstance(rule, _UPRIGHT):
        return None
    if isinstance(rule, c.RowIndexing | c.ColumnIndexing):
        other = c.ColumnIndexing if isinstance(rule, c.RowIndexing) else c.RowIndexing
        return other(_mirrored_field("cells", rule.cells))
    return _rebuilt(rule, _mirrored_field)


def _mirrored_field(name: str, held: Any) -> Any:
    if isinstance(held, Cell | Var):
        return mirror(held)
    if isinstance(held, tuple):
        return tuple([_mirrored_field("", item) for item in held])
    if name == "line":
        return ("C" if held[0] == "R" else "R") + held[1:]
    if name == "direction":
        return _DIRECTIONS.get(held, held)
    return held


def _mirrored_grid(grid: Grid) -> Grid:
    return Grid(
        grid.columns,
        grid.rows,
        grid.values,
        box=None if grid.box is None else (grid.box[1], grid.box[0]),
        regions=_mirrored_field("", grid.regions),
        row_houses=grid.column_houses,
        column_houses=grid.row_houses,
        top=grid.left,
        left=grid.top,
    )
