"""Layers: further values over the cells of a puzzle, or over their edges or corners."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from csp_sudoku.cells import Cell, CellsLike, LayerCell, Place, Var, cells, check_name
from csp_sudoku.errors import PuzzleError

Declaration: TypeAlias = tuple[Var, tuple[int, ...]]
Whole: TypeAlias = Literal["cells", "edges", "corners"]

WHOLE: tuple[Whole, ...] = ("cells", "edges", "corners")


def on_layer(layer: str, *places: CellsLike) -> tuple[LayerCell, ...]:
    """Return the cells of a layer that lie on some cells of the grid.

    Examples
    --------
    >>> [str(place) for place in on_layer("shaded", "R1C1-R1C2")]
    ['shaded:R1C1', 'shaded:R1C2']
    """
    return tuple([_on_layer(layer, place) for place in cells(*places)])


def _on_layer(layer: str, place: Place) -> LayerCell:
    if isinstance(place, Cell):
        return LayerCell(layer, place.row, place.col)
    if isinstance(place, LayerCell) and place.layer == layer:
        return place
    raise PuzzleError(f"layer {layer}: {place} is not a cell of the grid")


def layer_places(layer: str, grid: Sequence[Cell], on: CellsLike | Whole) -> tuple[LayerCell, ...]:
    """Return the cells of a layer: on cells of the grid, or on their inner edges or corners.

    Examples
    --------
    >>> grid = [Cell(0, 0), Cell(0, 1), Cell(1, 0), Cell(1, 1)]
    >>> [str(place) for place in layer_places("wall", grid, "edges")]
    ['wall:R1C1.5', 'wall:R1.5C1', 'wall:R1.5C2', 'wall:R2C1.5']
    """
    check_name(layer, "layer")
    if on in WHOLE:
        return tuple(_whole(layer, grid, on))
    found = on_layer(layer, on)
    if not found or len(set(found)) < len(found):
        raise PuzzleError(f"layer {layer}: needs at least one cell, and each once")
    return found


def _whole(layer: str, grid: Sequence[Cell], on: Whole) -> Iterator[LayerCell]:
    known = set(grid)
    if on == "cells":
        yield from (LayerCell(layer, row, col) for row, col in grid)
        return
    for row, col in grid:
        right, below = Cell(row, col + 1) in known, Cell(row + 1, col) in known
        if on == "corners":
            if right and below and Cell(row + 1, col + 1) in known:
                yield LayerCell(layer, row + 0.5, col + 0.5)
            continue
        if right:
            yield LayerCell(layer, row, col + 0.5)
        if below:
            yield LayerCell(layer, row + 0.5, col)


def by_name(variables: Iterable[Var]) -> dict[str, tuple[LayerCell, ...]]:
    """Return the cells of each layer, in their order."""
    found: dict[str, list[LayerCell]] = {}
    for variable in variables:
        if isinstance(variable, LayerCell):
            found.setdefault(variable.layer, []).append(variable)
    return {name: tuple(listed) for name, listed in found.items()}


def in_order(named: Iterable[Declaration]) -> tuple[Declaration, ...]:
    """Return named variables before layers, and the cells of each layer together.

    The cells of a layer have the same values: a drawing or a file names them once.
    """
    known = dict(named)
    layers = by_name(known)
    for name, listed in layers.items():
        if len({known[place] for place in listed}) > 1:
            raise PuzzleError(f"layer {name}: declared twice, with different values")
    ordered = [variable for variable in known if not isinstance(variable, LayerCell)]
    for listed in layers.values():
        ordered += listed
    return tuple([(variable, known[variable]) for variable in ordered])
