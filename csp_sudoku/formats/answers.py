"""Find the grid in an answer that a person or a language model has written.

The grid may stand alone, among sentences, in a code fence, as rows with labels, frames or markup,
on one line, with or without a sign between the rows, as JSON, as an array of LaTeX or a table of
HTML. What was thought (``<think>``) and what stands before ``<answer>`` does not count. A grid is
found only if there is no doubt: of two different grids none is taken, labels say which row it is,
and columns or boxes are no rows.
"""

from __future__ import annotations

import json
import re
import reprlib
from collections.abc import Iterator
from os import PathLike
from typing import Any, NamedTuple

from csp_sudoku.cells import Place
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats.recognition import read_grid
from csp_sudoku.formats.sources import as_puzzle, text_of
from csp_sudoku.puzzle import Puzzle

Values = dict[Place, int]

_FENCE = re.compile(r"^ {0,3}(```|~~~)[^\n]*\n(.*?)^ {0,3}\1", re.MULTILINE | re.DOTALL)
# "Row 3:", "R3 |", "3)" before the values of a row.
_LABEL = re.compile(
    r"^\W*(?:r(?:ow)?[\W_]{0,2}([0-9]+)|([0-9]+)(?:[):.](?=\s)|\W*[|│]))\W*", re.IGNORECASE
)
# "row_3", the name of a row in JSON.
_ROW_NAME = re.compile(r"^R(?:OW)?[\W_]{0,2}([0-9]+)$")
# What follows is no list of rows.
_NOT_ROWS = re.compile(r"(?:^|\n)\W*(?:col(?:umn)?s|boxes|blocks|regions)\W*$", re.IGNORECASE)
_FRAME = re.compile(r"[\s|¦│┃║+=─━═┼╋╬┌┐└┘├┤┬┴-]*")
_SEPARATORS = re.compile(r"[\s,;|¦│┃║\[\](){}&\"']+")
_WORD = re.compile(r"[0-9A-Za-z._*?-]+", re.ASCII)
# Quotations, items of a list, and bold print.
_MARKUP = re.compile(r"^\s*[>*•-]\s+|(?<![^\s|])\*\*(?=[0-9]+\*\*)|(?<=[0-9])\*\*(?![^\s|])")
_THOUGHT = re.compile(r"\A.*</think(?:ing)?>|<think(?:ing)?>.*", re.DOTALL | re.IGNORECASE)
_BEFORE = re.compile(r"\A.*?<answer>", re.DOTALL | re.IGNORECASE)
_LATEX = re.compile(r"\\(?:begin|end)\{[a-z*]+\}(?:\{[^{}]*\})?|\\\\|\\hline|\\cline\{[^{}]*\}")
_ROW_END = re.compile(r"</tr\s*>|<br\s*/?>", re.IGNORECASE)
_TAG = re.compile(r"</?(?:table|tbody|thead|tr|td|th|b|strong|pre|code)\b[^<>]*>", re.IGNORECASE)
# Digits of other scripts' width, and of keys.
_DIGITS = str.maketrans("０１２３４５６７８９", "0123456789", "\ufe0f\u20e3")
_ENTRIES = "0123456789._? ,|-"
_BLANK = re.compile(r"[._*?xX-]|None|null")


def read_answer(text: str | bytes | PathLike[str], puzzle: object) -> Values:
    """Return the filled cells of the one grid that an answer to a puzzle holds.

    Parameters
    ----------
    text
        What was answered: a text, bytes, or the path of a file.
    puzzle
        The puzzle that was asked for, or anything :func:`read` takes: it says how large the grid
        is.

    Raises
    ------
    FormatError
        If there is no grid of this size, or if there are two different ones. A grid that only
        repeats the givens does not count beside another one, nor does a part of a full grid.

    Examples
    --------
    >>> puzzle = "0100300140020040"
    >>> said = "The solution is:\\n```\\n2 1 3 4\\n3 4 2 1\\n4 3 1 2\\n1 2 4 3\\n```\\nHave fun!"
    >>> "".join(map(str, read_answer(said, puzzle).values()))
    '2134342143121243'
    >>> read_answer("It is 2134342143121243, or 2134342143121234.", puzzle)
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.FormatError: the answer holds 2 different grids; it must hold one
    """
    if not isinstance(text, str | bytes | PathLike):
        raise FormatError(f"an answer is text or a file, not {reprlib.repr(text)}")
    said = _plain(text if isinstance(text, str) else text_of(text))
    puzzle = as_puzzle(puzzle)
    found: list[Values] = []
    for grid in _grids(said, puzzle):
        if grid not in found:
            found.append(grid)
    kept = [grid for grid in found if not any(_is_part(grid, other) for other in found)]
    more = [grid for grid in kept if not grid.items() <= puzzle.givens.items()]
    match more or kept:
        case [grid]:
            return grid
        case []:
            size = puzzle.grids[0].size
            raise FormatError(f"the answer holds no grid of {size} cells, as a line or as rows")
        case several:
            raise FormatError(f"the answer holds {len(several)} different grids; it must hold one")


def _plain(text: str) -> str:
    """An answer without what was thought before it, a line for each row of an array or a table."""
    text = _BEFORE.sub("", _THOUGHT.sub("", text))
    if "\\begin{" in text:
        text = _LATEX.sub("\n", text)
    return _TAG.sub(" ", _ROW_END.sub("\n", text)).translate(_DIGITS)


def _is_part(grid: Values, other: Values) -> bool:
    return grid.items() < other.items()


def _grids(text: str, puzzle: Puzzle) -> Iterator[Values]:
    """Yield every grid that the text may hold."""
    fences = [match[2] for match in _FENCE.finditer(text)]
    for part in (text, *fences):
        if (grid := _read(part, puzzle)) is not None:
            yield grid
        yield from _in_json(part, puzzle)
    yield from _rows(text, puzzle)
    yield from _rows_in_line(text, puzzle)
    for word in _WORD.findall(text):
        # A full stop, or the stars of bold print, may stand around a line.
        for signs in (word, word.rstrip("."), word.strip("*_.")):
            if len(signs) == len(puzzle.cells) and (grid := _read(signs, puzzle)) is not None:
                yield grid
                break


def _read(source: object, puzzle: Puzzle) -> Values | None:
    try:
        return dict(read_grid(source, puzzle))
    except CspSudokuError:
        return None


def _in_json(text: str, puzzle: Puzzle) -> Iterator[Values]:
    """Yield the grids in JSON: a list of rows, a text, a list of all values, or named rows."""
    waiting: list[Any] = []
    # Python writes quotation marks of its own.
    for part in (text, text.replace("'", '"')):
        end = 0
        for begin in re.finditer(r"[\[{]", part):
            if begin.start() < end or _NOT_ROWS.search(part[: begin.start()][-40:]):
                continue
            try:
                item, end = json.JSONDecoder().raw_decode(part, begin.start())
            except RecursionError:
                break
            except ValueError:
                continue
            waiting.append(item)
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            named = _named(item, puzzle)
            waiting += [named] if named else [v for k, v in item.items() if not _NOT_ROWS.match(k)]
            continue
        grid = _read(item, puzzle) if isinstance(item, list | str) and item else None
        if grid is not None:
            yield grid
        elif isinstance(item, list):
            waiting += [part for part in item if isinstance(part, list | dict | str)]


def _named(item: dict[str, Any], puzzle: Puzzle) -> list[Any] | None:
    """The rows or values of an object, such as ``{"row1": [1, 2], …}`` or ``{"R1C1": 1, …}``."""
    said = {_ROW_NAME.sub(r"\1", name.upper()): value for name, value in item.items()}
    rows = [str(row) for row in range(1, puzzle.grids[0].rows + 1)]
    cells = [str(place) for place in puzzle.cells]
    for names in (rows, cells):
        if len(item) == len(names) and said.keys() == {*names}:
            return [[*v] if isinstance(v, str) else v for v in map(said.__getitem__, names)]
    return None


class _Row(NamedTuple):
    """The values of a line, and the number that its label says."""

    number: int | None
    values: list[int | None]


def _rows(text: str, puzzle: Puzzle) -> Iterator[Values]:
    """Yield the grids whose rows stand one below the other, with frames or labels or without."""
    grid = puzzle.grids[0]
    run: list[_Row] = []
    before = ""
    for line in [*text.splitlines(), "end"]:
        if _FRAME.fullmatch(line):
            continue
        row = _row(line, grid.columns)
        if row is not None:
            run.append(row)
            continue
        if run and not _NOT_ROWS.match(before):
            yield from _of_run(run, puzzle)
        run, before = [], line


def _of_run(run: list[_Row], puzzle: Puzzle) -> Iterator[Values]:
    """Yield the grids of rows without a word between them, if it is clear where each begins."""
    grid = puzzle.grids[0]
    head, *others = run
    # The numbers of the columns may stand above rows with labels.
    if head == (None, [*range(1, grid.columns + 1)]) and all(row.number for row in others):
        run = others or run
    if len(run) % grid.rows:
        return
    for i in range(0, len(run), grid.rows):
        part = run[i : i + grid.rows]
        if {row.number for row in part} == {*range(1, grid.rows + 1)}:
            part.sort()
        in_place = all(row.number in (None, at) for at, row in enumerate(part, 1))
        if in_place and (found := _read([row.values for row in part], puzzle)) is not None:
            yield found


def _rows_in_line(text: str, puzzle: Puzzle) -> Iterator[Values]:
    """Yield the grids whose rows stand in one line, with / or ; between them."""
    for line in text.splitlines():
        first, *others = re.split("[/;]", line)
        if others and len(others) + 1 == puzzle.grids[0].rows:
            # Words may stand before the first row and behind the last one, and a full stop.
            *middle, last = others
            first = first[len(first.rstrip(_ENTRIES)) :]
            last = last if last.lstrip()[:1] in _ENTRIES else _LABEL.sub("", last)
            last = last[: len(last) - len(last.lstrip(_ENTRIES))]
            for end in (last, last.rstrip(" .")):
                yield from _rows("\n".join([first, *middle, end]), puzzle)


def _row(line: str, columns: int) -> _Row | None:
    """The values of a row; None for any other line."""
    label = _LABEL.match(line)
    number = int(label[1] or label[2]) if label else None
    for said, text in (
        (None, line),
        (number, line[label.end() :] if label else ""),
        (None, _MARKUP.sub("", line)),
    ):
        words = [word for word in _SEPARATORS.split(text) if word]
        if len(words) == 1 and len(words[0]) == columns:
            words = list(words[0])
        elif len(words) > 1 and sum(map(len, words)) == columns and len(words) != columns:
            words = list("".join(words))  # boxes with blanks between them: 534 678 912
        if len(words) == columns and all(_is_entry(word) for word in words):
            return _Row(said, [int(word) if word.isdecimal() else None for word in words])
    return None


def _is_entry(word: str) -> bool:
    return (word.isascii() and word.isdigit()) or _BLANK.fullmatch(word) is not None
