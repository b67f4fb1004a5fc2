"""The constraint graph of a puzzle as an SVG picture."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from math import cos, hypot, pi, sin
from typing import Any

from csp_encodings.factors import AllDifferent, Connected, Factor, Linear, Regular, Relation
from csp_encodings.graph import Auxiliary, domains, factors
from csp_sudoku.cells import Cell
from csp_sudoku.constraints import Constraint, House
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.pictures import theme as themes
from csp_sudoku.pictures.legend import legend
from csp_sudoku.pictures.render import left_out_lines, page
from csp_sudoku.pictures.sheet import UNIT, Sheet
from csp_sudoku.pictures.svg import CHARACTER, DIGIT, Point, clean, element, fitted, label, path
from csp_sudoku.pictures.theme import Theme
from csp_sudoku.puzzle import Puzzle, shared_graph

# The letter, name, colour and dashes of each kind of factor. Houses are in every puzzle and stay in
# the background.
_LOOKS: dict[type, tuple[str, str, str, str | None]] = {
    House: ("≠", "row, column or box", "grey", None),
    AllDifferent: ("≠", "all-different", "blue", None),
    Relation: ("R", "relation", "green", None),
    Linear: ("Σ", "linear sum", "orange", None),
    Regular: ("A", "automaton", "purple", "4 3"),
    Connected: ("C", "connected", "red", "1 3"),
}

# Cells are further apart than in the puzzle: factors stand between them.
_SPREAD = 1.7
_RADIUS, _SIDE = 19.0, 15.0
# The radius of a small sign. Signs nearer than the sum of their radii would overlap.
_SMALL = 9.0


def render_graph(puzzle: object, *, theme: Theme = "auto") -> str:
    """Draw the constraint graph: variables at their cells, factors as squares.

    The factors of rows stand to the left and those of columns above, where there is room.
    Auxiliary variables are diamonds.

    Examples
    --------
    >>> from csp_sudoku import Puzzle
    >>> picture = render_graph(Puzzle.blank(4))
    >>> picture.count('class="factor"'), picture.count('class="variable"')
    (12, 16)
    """
    themes.check(theme)
    return _GraphPicture(as_puzzle(puzzle)).svg(theme)


class _GraphPicture:
    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.graph = shared_graph(puzzle)
        self.domains = domains(self.graph)
        self.factors = factors(self.graph)
        sheet = Sheet(puzzle)
        self.places: dict[Any, Point] = {}
        self._taken: dict[tuple[int, int], list[tuple[float, float, float]]] = {}
        for cell in puzzle.cells:
            x, y = sheet.centre(cell)
            self._put(cell, (x * _SPREAD, y * _SPREAD), _RADIUS)
        self._put_named(sheet)
        for node, factor in self.factors.items():
            self._put_factor(node, factor)

    def _put(self, node: Any, point: Point, reach: float = _SMALL) -> None:
        self.places[node] = point
        self._taken.setdefault(_square(point), []).append((*point, reach))

    def _put_named(self, sheet: Sheet) -> None:
        """Place the named variables in rows under the grid."""
        longest = max((len(str(variable)) for variable, _ in self.puzzle.named), default=0)
        step = 12 * DIGIT * longest + 40
        wide = max(1, int(max(sheet.width * _SPREAD, 400) // step))
        for i, (variable, _) in enumerate(self.puzzle.named):
            point = ((i % wide + 0.5) * step, sheet.height * _SPREAD + 40 + 60 * (i // wide))
            self._put(variable, point, step / 2 - 14)

    def _put_factor(self, node: Any, factor: Factor) -> None:
        """Place a factor near the middle of its scope, its auxiliary beside it."""
        known = [self.places[v] for v in dict.fromkeys(factor.scope) if v in self.places]
        cells = [v for v in dict.fromkeys(factor.scope) if isinstance(v, Cell)]
        if not known:
            known = [(0.0, -_SPREAD * UNIT)]
        middle = (
            sum(x for x, _ in known) / len(known),
            sum(y for _, y in known) / len(known),
        )
        if isinstance(factor, AllDifferent) and len(cells) == len(factor.scope) > 2:
            if len({cell.row for cell in cells}) == 1:
                middle = (min(x for x, _ in known) - UNIT * 0.8, middle[1])
            elif len({cell.col for cell in cells}) == 1:
                middle = (middle[0], min(y for _, y in known) - UNIT * 0.8)
        self._put(node, self._free(middle))
        for variable in dict.fromkeys(factor.scope):
            if variable not in self.places:
                self._put(variable, self._free(self.places[node]))

    def _free(self, wanted: Point) -> Point:
        """Return the free place nearest to the wanted one, on a spiral."""
        for turn in count():
            radius = 7.0 * turn
            for step in range(max(1, 6 * turn)):
                angle = 2 * pi * step / max(1, 6 * turn) + 0.6
                point = (wanted[0] + radius * cos(angle), wanted[1] + radius * sin(angle))
                if self._is_free(point):
                    return point
        raise AssertionError("a plane has room")

    def _is_free(self, point: Point) -> bool:
        row, column = _square(point)
        return all(
            hypot(point[0] - x, point[1] - y) >= _SMALL + reach
            for r in (row - 1, row, row + 1)
            for c in (column - 1, column, column + 1)
            for x, y, reach in self._taken.get((r, c), ())
        )

    def _kind(self, node: Any) -> type:
        """Return the kind of a factor in :data:`_LOOKS`."""
        if isinstance(self.graph.nodes[node]["source"], House):
            return House
        return type(self.factors[node])

    def svg(self, theme: Theme) -> str:
        signs = [sign for signs in self._taken.values() for sign in signs]
        left, right = min(x - r for x, _, r in signs) - 14, max(x + r for x, _, r in signs) + 14
        top, bottom = min(y for _, y, _ in signs) - 30, max(y for _, y, _ in signs) + 34
        width = max(right - left, 420.0)
        key, below = self._key(width - 20)
        if said := left_out_lines(self.puzzle):
            missing, room = legend({}, said, width - 20, 1.0)
            key += element("g", missing, transform=f"translate(0 {below:.1f})")
            below += room
        body = "".join([*self._edge_paths(), *self._factor_signs(), *self._variable_signs()])
        height = bottom - top + below
        whole = (
            element("rect", class_="f-paper", width=width, height=height)
            + element("g", body, transform=f"translate({-left:.1f} {-top:.1f})")
            + element("g", key, transform=f"translate(10 {bottom - top:.1f})")
        )
        title = f"Constraint graph: {len(self.domains)} variables, {len(self.factors)} factors"
        return page(whole, (width, height), min(1.0, 1200 / width), theme, title)

    def _edge_paths(self) -> Iterator[str]:
        for kind, (_, _, hue, dash) in _LOOKS.items():
            pieces = [
                path([self.places[node], self.places[variable]])
                for node, factor in self.factors.items()
                if self._kind(node) is kind
                for variable in dict.fromkeys(factor.scope)
            ]
            if pieces:
                yield element(
                    "path",
                    class_=f"rule s-{hue}",
                    d="".join(pieces),
                    stroke_width=1.3,
                    stroke_opacity=0.75,
                    stroke_dasharray=dash,
                )

    def _factor_signs(self) -> Iterator[str]:
        for node, factor in self.factors.items():
            letter, name, hue, _ = _LOOKS[self._kind(node)]
            x, y = self.places[node]
            source = self.graph.nodes[node]["source"]
            said = source.label if isinstance(source, Constraint) else str(node)
            scope = " ".join(map(str, factor.scope))
            square = element(
                "rect",
                class_=f"f-{hue} s-paper",
                x=x - _SIDE / 2,
                y=y - _SIDE / 2,
                width=_SIDE,
                height=_SIDE,
                stroke_width=1,
            )
            yield element(
                "g",
                element("title", clean(f"{said}: {name} {scope}")),
                square,
                label(letter, (x, y), 11, "f-black bold"),
                class_="factor",
            )

    def _variable_signs(self) -> Iterator[str]:
        for variable, domain in self.domains.items():
            x, y = self.places[variable]
            values = " ".join(map(str, domain)) or "no value"
            title = element("title", clean(f"{variable}: {values}"))
            if isinstance(variable, Auxiliary):
                corners = [(x, y - 9), (x + 9, y), (x, y + 9), (x - 9, y)]
                sign = element(
                    "path", class_="f-soft s-ink", d=path(corners, closed=True), stroke_width=1.3
                )
                yield element("g", title, sign, class_="variable")
                continue
            given = len(domain) == 1
            text = str(domain[0]) if given and isinstance(variable, Cell) else str(variable)
            size = 20.0 if given and isinstance(variable, Cell) else 12.0
            half = _RADIUS
            if isinstance(variable, Cell):
                size = fitted(text, size, 2 * _RADIUS - 6)
            else:
                half = max(half, DIGIT * size * len(text) / 2 + 6)
            sign = element(
                "rect",
                class_=f"{'f-lit' if given else 'f-paper'} s-ink",
                x=x - half,
                y=y - _RADIUS,
                width=2 * half,
                height=2 * _RADIUS,
                rx=_RADIUS,
                stroke_width=1.6,
            )
            yield element("g", title, sign, label(text, (x, y), size, "f-ink"), class_="variable")

    def _key(self, width: float) -> tuple[str, float]:
        """Draw the key: the signs, their names and their numbers."""
        entries: list[tuple[str, str, str]] = []
        for kind, (letter, name, hue, _) in _LOOKS.items():
            number = sum(self._kind(node) is kind for node in self.factors)
            if number:
                entries.append((letter, hue, f"{name}: {number:,}"))
        extra = sum(isinstance(v, Auxiliary) for v in self.domains)
        plain = len(self.domains) - extra
        entries.append(("○", "paper", f"variable: {plain:,}"))
        if extra:
            entries.append(("◇", "paper", f"auxiliary variable: {extra:,}"))
        size, line = 16.0, 26.0
        drawn, x, y = [], 0.0, line / 2
        for sign, hue, text in entries:
            wide = 26 + CHARACTER * size * len(text) + 24
            if x and x + wide > width:
                x, y = 0.0, y + line
            drawn.append(
                element("rect", class_=f"f-{hue}", x=x, y=y - _SIDE / 2, width=_SIDE, height=_SIDE)
            )
            class_ = "f-ink bold" if hue == "paper" else "f-black bold"
            drawn.append(label(sign, (x + _SIDE / 2, y), 11 if hue != "paper" else 17, class_))
            drawn.append(label(text, (x + 22, y), size, "f-ink", anchor="start"))
            x += wide
        return "".join(drawn), y + line


def _square(point: Point) -> tuple[int, int]:
    """Return the square of a coarse net that holds a point, to find its neighbours quickly."""
    return int(point[1] // 64), int(point[0] // 64)
