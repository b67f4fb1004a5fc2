"""A puzzle as an SVG picture."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from csp_sudoku.cells import Cell, LayerCell, Place, Var
from csp_sudoku.constraints import Constraint
from csp_sudoku.errors import PuzzleError
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.grid import Grid
from csp_sudoku.layers import by_name
from csp_sudoku.pictures import board, margin
from csp_sudoku.pictures import theme as themes
from csp_sudoku.pictures.highlight import Highlight, highlight_of
from csp_sudoku.pictures.layers import draw_layers
from csp_sudoku.pictures.legend import legend as draw_legend
from csp_sudoku.pictures.marks import Mark, Sample, Sentence, marks_of
from csp_sudoku.pictures.sheet import UNIT, Sheet, used_colours
from csp_sudoku.pictures.svg import clean, element, number
from csp_sudoku.pictures.terminal import pencil_marks
from csp_sudoku.pictures.theme import Theme
from csp_sudoku.puzzle import Puzzle

# The least and the greatest width of a cell in pixels.
_PIXELS = (18.0, 46.0)
_WIDE = 1000.0

_PAD = 10.0
# A legend needs this width for its sentences, however small the grid.
_LEGEND_WIDTH = 6.5 * UNIT


def render_svg(
    puzzle: object,
    *,
    solution: Mapping[Place, int] | None = None,
    candidates: bool | Mapping[Place, Any] = False,
    highlight: Any = None,
    legend: bool = True,
    theme: Theme = "auto",
    title: str | None = None,
    caption: str | None = None,
    labels: bool = False,
) -> str:
    """Draw a puzzle with all its marks as SVG.

    Rules without a mark are written below the picture. Candidate lists of the puzzle are always
    drawn: they belong to it.

    Parameters
    ----------
    puzzle
        A :class:`Puzzle`, or anything :func:`read` takes.
    solution
        Values besides the givens; some places may be missing.
    candidates
        True for pencil marks in all open cells: the candidates that no given or value seen from
        the cell excludes. Or a mapping from cells to the candidates to be drawn.
    highlight
        Cells, a step, or broken rules: see :func:`~csp_sudoku.pictures.highlight.highlight_of`.
    legend
        Whether the key and the sentences are drawn.
    theme
        ``auto`` follows the reader's screen, ``light`` and ``dark`` do not.
    title
        The title for screen readers; by default the kind of puzzle.
    caption
        Sentences under the picture, one a line.
    labels
        Whether rows and columns are named beside the board: R1, C1, and so on.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Thermometer
    >>> picture = render_svg(Puzzle.blank(4).add(Thermometer("R1C1-R1C3")))
    >>> picture[:38]
    '<svg xmlns="http://www.w3.org/2000/svg'
    >>> "values increase along the thermometer" in picture
    True
    """
    themes.check(theme)
    puzzle = as_puzzle(puzzle)
    sheet = Sheet(puzzle)
    seen = highlight_of(highlight, puzzle)
    for name, text in (("title", title), ("caption", caption)):
        if not isinstance(text, str | None):
            raise PuzzleError(f"{name} {reprlib.repr(text)}: must be text")
    if not isinstance(solution, Mapping | None):
        raise PuzzleError(f"solution {reprlib.repr(solution)}: must map cells to values")
    values = {**puzzle.givens, **(solution or {})}
    board.draw_frame(sheet)
    board.draw_highlight(sheet, seen)
    key = _draw_rules(sheet)
    draw_layers(sheet, values)
    board.draw_digits(sheet, values, _pencilled(puzzle, values, candidates, seen), seen)
    margins = margin.lay_out(sheet)
    if labels:
        margins = margin.name_lines(sheet, margins)
    sheet.sentences += _named(puzzle, values)
    drawn, width, height = _assembled(
        sheet,
        margins,
        key if legend else {},
        [
            *(caption.splitlines() if caption else []),
            *left_out_lines(puzzle),
            *(sheet.sentences if legend else []),
        ],
    )
    low, high = _PIXELS
    pixels = min(high, max(low, 900 / max(len(sheet.columns), len(sheet.rows)))) / UNIT
    return page(drawn, (width, height), pixels, theme, title or _title(puzzle))


def left_out_lines(puzzle: Puzzle) -> list[str]:
    """The lines under a picture of a puzzle that was read without some of its rules."""
    return [f"Left out: {reason}" for reason in puzzle.left_out]


def solution_svg(solution: Mapping[Place, int]) -> str:
    """Draw a solution by itself, without the regions and rules of its puzzle.

    Examples
    --------
    >>> from csp_sudoku import solve
    >>> picture = solution_svg(solve("0100 3001 4002 0040").solutions[0])
    >>> picture.count("<text"), "f-found" in picture
    (16, False)
    """
    cells = {place: value for place, value in solution.items() if isinstance(place, Cell)}
    top, left = min(c.row for c in cells), min(c.col for c in cells)
    frame = Grid(
        max(c.row for c in cells) - top + 1,
        max(c.col for c in cells) - left + 1,
        tuple(sorted(set(cells.values()))),
        top=top,
        left=left,
    )
    named: dict[Var, tuple[int, ...]] = {
        place: (v,) for place, v in solution.items() if isinstance(place, Var)
    }
    for places in by_name(named).values():  # the cells of a layer have the same values
        named |= dict.fromkeys(places, tuple(sorted({solution[place] for place in places})))
    puzzle = Puzzle((frame,), named=tuple(named.items())).with_givens(cells)
    return render_svg(puzzle, solution=solution, title="Solution")


def step_svg(step: Any, puzzle: Puzzle) -> str:
    """Draw a step of an explanation: the cells it rests on, and its conclusions.

    A step is anything with ``cells``, ``placements`` and ``eliminations``. If it has a
    ``sentence``, its text is written under the picture.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from csp_sudoku import cell, cells, read
    >>> step = SimpleNamespace(cells=cells("R1C1"), placements=[(cell("R1C2"), 2)])
    >>> "f-placed" in step_svg(step, read("1... .... ..3. ...."))
    True
    """
    said = str(step) if hasattr(step, "sentence") else None
    return render_svg(
        puzzle, candidates=True, highlight=step, title=said, caption=said, labels=True
    )


def _draw_rules(sheet: Sheet) -> dict[str, Sample]:
    """Draw the marks of all rules; return a sample of the marks for each kind of rule."""
    key: dict[str, Sample] = {}
    for rule in sheet.puzzle.constraints:
        marks = marks_of(rule, sheet.puzzle)
        with sheet.titled(_said(rule, sheet.puzzle)):
            for mark in marks:
                mark.draw(sheet)
        drawn = [mark for mark in marks if not isinstance(mark, Sentence)]
        if drawn:
            key.setdefault(rule.name.replace("-", " "), _best(drawn))
    return key


def _best(drawn: list[Mark]) -> Sample:
    """Return a sample of the mark that says most: an arrow rather than its circle."""
    samples = [mark.sample for mark in drawn]
    return next((sample for sample in samples if sample.form == "arrow"), samples[0])


def _named(puzzle: Puzzle, values: Mapping[Place, int]) -> Iterator[str]:
    """Yield the values of named variables, and for those without a value their domains."""
    open_: dict[tuple[int, ...], list[str]] = {}
    for variable, domain in puzzle.named:
        if isinstance(variable, LayerCell):
            continue
        if variable in values:
            yield f"{variable} = {values[variable]}"
        else:
            open_.setdefault(domain, []).append(str(variable))
    for name, places in puzzle.layers.items():
        if any(place not in values for place in places):
            open_.setdefault(puzzle.values_of(places[0]), []).append(f"layer {name}")
    for domain, names in open_.items():
        listed = ", ".join(names) if len(names) < 8 else f"{names[0]} … {names[-1]}"
        yield f"{listed}: {_span(domain)}."


def _span(domain: tuple[int, ...]) -> str:
    if len(domain) > 8 and domain[-1] - domain[0] == len(domain) - 1:
        return f"{domain[0]} to {domain[-1]}"
    return f"one of {' '.join(map(str, domain))}"


def _said(rule: Constraint, puzzle: Puzzle) -> str:
    return f"{rule.label}: {rule.describe(puzzle)}"


def _pencilled(
    puzzle: Puzzle,
    values: Mapping[Place, int],
    candidates: bool | Mapping[Place, Any],
    seen: Highlight,
) -> dict[Place, tuple[int, ...]]:
    if isinstance(candidates, Mapping):
        if not all(isinstance(left, Iterable) for left in candidates.values()):
            raise PuzzleError("candidates: must map cells to lists of values")
        return {place: tuple(left) for place, left in candidates.items()}
    listed = dict(puzzle.candidates)
    if not candidates:
        shown = {place: listed[place] for place in listed if len(listed[place]) != 1}
        # A candidate that is eliminated must show.
        goes = {cell: puzzle.candidates_of(cell) for cell, _ in sorted(seen.eliminated)}
        return goes | shown
    return pencil_marks(puzzle, values)


def _assembled(
    sheet: Sheet, margins: margin.Margins, key: Mapping[str, Sample], sentences: list[str]
) -> tuple[str, float, float]:
    """Join the board, its margins and the legend below; return it, its width and its height."""
    left, top = margins.left + _PAD, margins.top + _PAD
    width = sheet.width + left + margins.right + _PAD
    height = sheet.height + top + margins.bottom + _PAD
    body = element("g", sheet.layers(), transform=f"translate({number(left)} {number(top)})")
    if key or sentences:
        width = max(width, _LEGEND_WIDTH)
        scale = max(1.0, width / _WIDE)
        below, room = draw_legend(key, sentences, width - 2 * _PAD, scale)
        place = f"translate({number(_PAD)} {number(height)})"
        body += element("g", below, class_="legend", transform=place)
        height += room + 6 * scale
    return element("rect", class_="f-paper", width=width, height=height) + body, width, height


def page(body: str, size: tuple[float, float], pixels: float, theme: Theme, title: str) -> str:
    """Return a whole picture: its body with a size, colours and a title for screen readers."""
    width, height = size
    style = themes.sheet(theme, used_colours(body))
    return (
        element(
            "svg",
            element("title", clean(title)),
            element("style", style),
            "\n",
            body,
            xmlns="http://www.w3.org/2000/svg",
            class_=f"csp-{theme}",
            viewBox=f"0 0 {number(width)} {number(height)}",
            width=round(width * pixels),
            height=round(height * pixels),
            role="img",
        )
        + "\n"
    )


def _title(puzzle: Puzzle) -> str:
    plural = "" if len(puzzle.givens) == 1 else "s"
    kinds = list(dict.fromkeys(rule.name for rule in puzzle.constraints))
    shape = " + ".join(grid.size for grid in puzzle.grids)
    more = f", with {', '.join(kinds)}" if kinds else ""
    return f"Sudoku {shape}, {len(puzzle.givens)} given{plural}{more}"
