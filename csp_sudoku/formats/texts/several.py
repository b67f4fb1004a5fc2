"""Texts with several grids: one a line, stacked, in a section, or in the column of a table."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from math import isqrt

from csp_sudoku.errors import FormatError
from csp_sudoku.formats.beside import check_beside, may_say_rules, says_rules, without_rules
from csp_sudoku.formats.texts.shapes import Wanted, shown
from csp_sudoku.formats.texts.text import Line, is_layout, lines_of
from csp_sudoku.formats.texts.values import BLANKS
from csp_sudoku.grid import MAX_SIDE

_COLUMNS = ("puzzle", "puzzles", "quiz", "quizzes", "grid", "sudoku", "board", "givens")
_SECTION = re.compile(r"\s*\[[A-Za-z ]+\]\s*")
_TITLE = re.compile(r"\s*(grid|puzzles?|quizzes|sudoku|game)\s*#?\s*[0-9]*\s*:?\s*", re.IGNORECASE)
# A grid and the word behind it. What follows a grid without a gap is a mistake in the grid.
_RUN = re.compile(r"\s*([0-9A-Za-z.?_*-]+)(?=[\s,;#]|$)[\s,;]*([^\s,;]*)")
_COMMENT = re.compile(r"\s*[,;#]|.*[A-Za-z]{2}")
_SMALLEST = 4
# A 4×4 grid on every line of the largest text that is read at once.
_MAX_LINES = 250_000
# How many lines show what a long text is, and how many characters show what a line is.
_HEAD = 1_000


def split(text: str, wanted: Wanted) -> list[str]:
    """The grids of a text, each as a text of its own.

    Examples
    --------
    >>> split("12..34..1...2...\\n....12..34..1...", Wanted())
    ['12..34..1...2...', '....12..34..1...']
    """
    if text.count("\n") > _MAX_LINES:
        raise FormatError(f"the text has more than {_MAX_LINES:,} lines")
    if is_csv(text):
        return list(column(io.StringIO(text)))
    text = _section("".join(_read_whole(io.StringIO(text), wanted)))
    if size := _one_a_line(text, wanted):
        return list(lines(io.StringIO(text), size))
    return _stacked(text, wanted) or [text]


def is_csv(text: str) -> bool:
    """Whether the first line names a column of puzzles."""
    return _column(text.lstrip().partition("\n")[0]) is not None


def column(source: Iterable[str]) -> Iterator[str]:
    """The grids in the column of puzzles."""
    rows = csv.reader((line for line in source if not line.isspace()), strict=True)
    try:
        header = next(rows)
        index = _column(",".join(header)) or 0
        names = [_name(field) for field in header]
        if names.count(names[index]) > 1:
            raise FormatError(f"two columns are called {shown(names[index])}")
        others = [(i, name) for i, name in enumerate(names) if may_say_rules(name)]
        for number, fields in enumerate(rows, 2):
            if len(fields) != len(names):
                raise FormatError(
                    f"row {number}: {len(fields)} fields where {len(names)} are needed"
                )
            for i, name in others:
                check_beside(name, fields[i], fields[index])
            yield fields[index]
    except csv.Error as error:
        raise FormatError(f"the table of puzzles cannot be read: {error}") from None


def stream(source: Iterator[str], wanted: Wanted) -> Iterator[str]:
    """The grids of a text that is too long to be held in memory; each line or row has one."""
    head = list(islice(source, _HEAD))
    whole = chain(head, source)
    if is_csv("".join(head)):
        return column(whole)
    if size := _line_size(head, wanted):
        return lines(_read_whole(whole, wanted), size)
    raise FormatError("a file of this size must have a puzzle on every line")


def lines(source: Iterable[str], size: int) -> Iterator[str]:
    """The grids of a text that has one on every line, each of `size` cells.

    What follows a grid is a comment, or the layout of its regions.
    """
    side = isqrt(size)
    for line in _grid_lines(source):
        found = _RUN.match(line)
        grid, more = found.groups() if found else (line, "")
        yield grid + more if is_layout(more, (side, side)) else grid


def _read_whole(source: Iterable[str], wanted: Wanted) -> Iterable[str]:
    """The lines. Comments are passed over, so they must say no rule, unless the caller does."""
    return source if wanted.has_rules else without_rules(source)


def _one_a_line(text: str, wanted: Wanted) -> int:
    """The number of cells of each line, if every line is a grid of its own; else 0."""
    found = list(_grid_lines(io.StringIO(text)))
    size = _line_size(found, wanted)
    if not size:
        return 0
    if len(found) == 1:
        return size if _has_comment(found[0], wanted) else 0
    if wanted.cells is not None or size > MAX_SIDE or len(found) % size:
        return 0 if wanted.columns == size else size
    # Stacked grids have as many lines as columns; their values may rule out one grid a line.
    side = isqrt(size)
    if set("".join(found)) <= set(BLANKS + "\n") | {str(v) for v in range(1, side + 1)}:
        raise FormatError(
            f"{len(found)} lines of {size} characters may be grids of {side}×{side} (choose "
            f"size={side}) or of {size}×{size} (choose size={size})"
        )
    return 0


def _has_comment(line: str, wanted: Wanted) -> bool:
    """Whether a single line is a grid and a comment, not a grid with gaps or of a wrong length."""
    run = _RUN.match(line)
    if run is None or wanted.shape(len("".join(line.split()))):
        return False
    grid, more = run.groups()
    side = isqrt(len(grid))
    rest = line[run.end(1) :]
    return bool(_COMMENT.match(rest)) or _solves(more, grid) or is_layout(more, (side, side))


def _line_size(found: list[str], wanted: Wanted) -> int:
    size = 0
    for line in _grid_lines(found):
        run = _RUN.match(line)
        length = len(run[1]) if run else 0
        if (size or length) != length or not _is_size(length, wanted):
            return 0
        size = length
    return size


def _grid_lines(source: Iterable[str]) -> Iterator[str]:
    return (line for line in source if not line.isspace() and not line.lstrip().startswith("#"))


def _is_size(length: int, wanted: Wanted) -> bool:
    if length < _SMALLEST**2:  # a word of two characters may be one value
        return False
    if wanted.cells is not None:
        return length == wanted.cells
    return isqrt(length) ** 2 == length <= MAX_SIDE**2


def _column(header: str) -> int | None:
    names = [_name(field) for field in header[:_HEAD].split(",")]
    if len(names) == 1:  # a title, whatever it says
        return None
    return next((i for i, name in enumerate(names) if name in _COLUMNS), None)


def _name(field: str) -> str:
    """The name of a column."""
    return field.strip().strip('"').lower()


def _section(text: str) -> str:
    """The section [Puzzle], if there are sections, without titles. Lines keep their numbers."""
    if "[" not in text and not _TITLE.match(text):
        return text
    kept, inside = [], True
    for number, line in enumerate(text.split("\n"), 1):
        if _SECTION.fullmatch(line):
            name = line.strip(" \t[]").lower()
            if says_rules(name):
                raise FormatError(f"line {number}: the section {line.strip()} is not understood")
            inside = name == "puzzle"
            kept.append("")
        else:
            kept.append(line if inside and not _TITLE.fullmatch(line) else "")
    return "\n".join(kept)


def _stacked(text: str, wanted: Wanted) -> list[str]:
    """The grids of a text that are stacked. A full grid below its puzzle is the solution."""
    found: list[Line] = []
    behind: dict[int, list[str]] = {}  # the lines of frame behind a row
    for line in lines_of(text):
        if line.rule:
            behind.setdefault(len(found), []).append(line.raw)
        else:
            found.append(line)
            if not _SMALLEST <= _width(line) == _width(found[0]) <= MAX_SIDE:
                return []
    if not found:
        return []
    width = _width(found[0])
    height = wanted.rows or width
    if wanted.columns not in (None, width) or len(found) < 2 * height or len(found) % height:
        return []
    starts = range(0, len(found), height)
    grids = [found[i : i + height] for i in starts]
    framed = [
        "".join(
            part
            for row in range(i, i + height)
            for part in (found[row].raw, *(behind.get(row + 1, ()) if row < i + height - 1 else ()))
        )
        for i in starts
    ]
    if len(grids) == 2:
        first, second = ("".join(word for line in grid for word in line.words) for grid in grids)
        if is_layout(second, (height, width)):
            return []
        if _solves(second, first):
            framed.pop()
    return framed


def _width(line: Line) -> int:
    """The number of cells in a row: its words if they are numbers, else its characters."""
    if len(line.words) > 9 and max(map(len, line.words)) == 2:
        return len(line.words)
    return line.cells


def _solves(full: str, puzzle: str) -> bool:
    return len(full) == len(puzzle) and all(
        value not in BLANKS and given in (*BLANKS, value)
        for value, given in zip(full, puzzle, strict=True)
    )
