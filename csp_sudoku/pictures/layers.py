"""Draw the layers of a puzzle: regions as borders, shading as colour, loops as lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from csp_sudoku.cells import Cell, LayerCell, Place
from csp_sudoku.constraints.aspects import LayerLook
from csp_sudoku.constraints.found import adjacent_pairs
from csp_sudoku.pictures.sheet import UNIT, Sheet
from csp_sudoku.pictures.svg import Point, element, label, path
from csp_sudoku.puzzle import Puzzle

_HUES = ("grey", "blue", "orange", "green", "purple")


def draw_layers(sheet: Sheet, values: Mapping[Place, int]) -> None:
    """Draw the values of all layers, as far as they are known."""
    looks = layer_looks(sheet.puzzle)
    hues = iter(_HUES * len(looks))
    for name, places in sheet.puzzle.layers.items():
        known = {place: values[place] for place in places if place in values}
        hue = next(hues)
        if not known:
            continue
        with sheet.titled(name):
            match looks[name]:
                case "regions":
                    _borders(sheet, known)
                case "shading":
                    _shading(sheet, known, hue, len(places))
                case "line" | "diagonal line" as look:
                    _line(sheet, known, hue, diagonal=look != "line")
                case "stars":
                    for place in [place for place, value in known.items() if value]:
                        sheet.add("shape", label("★", _point(sheet, place), 56, f"f-{hue}"))
                case "numbers":
                    _numbers(sheet, known)


def layer_looks(puzzle: Puzzle) -> dict[str, LayerLook]:
    """Return how each layer is drawn: as a rule says, or else as its values suggest."""
    said = {name: look for rule in puzzle.constraints for name, look in rule.layer_looks().items()}
    return {
        name: said.get(name) or _usual(puzzle, places) for name, places in puzzle.layers.items()
    }


def _usual(puzzle: Puzzle, places: Sequence[LayerCell]) -> LayerLook:
    if any(place.cell is None for place in places):
        return "numbers" if any(p.row % 1 and p.col % 1 for p in places) else "line"
    return "shading" if {*puzzle.values_of(places[0])} <= {0, 1} else "numbers"


def _borders(sheet: Sheet, known: Mapping[LayerCell, int]) -> None:
    """Draw a thick line between neighbours with different values."""
    drawn = "".join(
        path([_point(sheet, place, *end) for end in ends])
        for place, other, ends in _neighbours(known)
        if known[place] != known[other]
    )
    if drawn:
        sheet.add("border", element("path", class_="rule s-ink", d=drawn, stroke_width=5))


def _shading(sheet: Sheet, known: Mapping[LayerCell, int], hue: str, size: int) -> None:
    """Colour the cells that are not 0; while some are open, a dot says that a cell is 0."""
    for place, value in known.items():
        left, top = _point(sheet, place, -0.5, -0.5)
        if value:
            square = {"x": left, "y": top, "width": UNIT, "height": UNIT}
            sheet.add("shape", element("rect", class_=f"f-{hue}", **square))
        elif len(known) < size:
            dot = {"cx": left + UNIT / 2, "cy": top + UNIT / 2, "r": 5}
            sheet.add("shape", element("circle", class_=f"f-{hue}", **dot))


def _line(sheet: Sheet, known: Mapping[LayerCell, int], hue: str, *, diagonal: bool) -> None:
    """Draw a line through neighbours that are not 0, or across edges that are not 0."""
    on = [place for place, value in known.items() if value and place.cell is not None]
    steps = [[_point(sheet, on[i]), _point(sheet, on[j])] for i, j in adjacent_pairs(on, diagonal)]
    for place, value in known.items():
        if place.cell is None and value:
            across, down = (0.5, 0.0) if place.col % 1 else (0.0, 0.5)
            steps.append([_point(sheet, place, -down, -across), _point(sheet, place, down, across)])
        elif value:
            x, y = _point(sheet, place)
            sheet.add("line", element("circle", class_=f"f-{hue}", cx=x, cy=y, r=0.1 * UNIT))
    if steps:
        drawn = "".join(path(step) for step in steps)
        width = 0.2 * UNIT
        sheet.add("line", element("path", class_=f"pen s-{hue}", d=drawn, stroke_width=width))


def _numbers(sheet: Sheet, known: Mapping[LayerCell, int]) -> None:
    """Write small numbers, in the lower left corner of a cell."""
    for place, value in known.items():
        if place.cell is None:
            sheet.add("digit", label(str(value), _point(sheet, place), 15, "f-pencil"))
        else:
            x, y = _point(sheet, place, 0.5, -0.5)
            sheet.add("digit", label(str(value), (x + 5, y - 9), 15, "f-pencil", anchor="start"))


def _neighbours(
    known: Mapping[LayerCell, int],
) -> Iterator[tuple[LayerCell, LayerCell, tuple[Point, Point]]]:
    """Yield cells that share an edge, and the ends of the edge as seen from the first of them."""
    at = {place.cell: place for place in known if place.cell is not None}
    for cell, place in at.items():
        if other := at.get(Cell(cell.row, cell.col + 1)):
            yield place, other, ((-0.5, 0.5), (0.5, 0.5))
        if other := at.get(Cell(cell.row + 1, cell.col)):
            yield place, other, ((0.5, -0.5), (0.5, 0.5))


def _point(sheet: Sheet, place: LayerCell, down: float = 0, right: float = 0) -> Point:
    """Return the centre of a place of a layer, moved by a share of a cell."""
    row, col = int(place.row // 1), int(place.col // 1)
    x, y = sheet.centre(Cell(row, col))
    return x + UNIT * (place.col - col + right), y + UNIT * (place.row - row + down)
