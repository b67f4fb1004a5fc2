"""Read puzzles: recognise the format, split the text into puzzles, and build them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from itertools import chain
from os import PathLike
from typing import NamedTuple, Protocol, Unpack, cast

from csp_sudoku.cells import Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats import json_lines, links, opensudoku, strict_json
from csp_sudoku.formats.reading import NO_HELP, Help, Reading
from csp_sudoku.formats.request import Box, ReadingOptions, Request, Size, entries
from csp_sudoku.formats.sources import as_puzzle, is_large, lines_of_file, names_file, text_of
from csp_sudoku.formats.texts import several
from csp_sudoku.formats.texts.plain import read_plain
from csp_sudoku.formats.texts.rows import read_rows
from csp_sudoku.formats.texts.shapes import Wanted, shown
from csp_sudoku.formats.texts.text import read_text
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.solving.query import check_items

Text = str | bytes | PathLike[str]


def read(
    source: object,
    rules: Iterable[Constraint] = (),
    *,
    like: object = None,
    size: Size | None = None,
    box: Box = "auto",
    values: Iterable[int] | None = None,
    dialect: str | None = None,
    lenient: bool = False,
    download: bool = False,
    explains: Iterable[str] = (),
    reading: int | None = None,
) -> Puzzle:
    """Read a puzzle from a text, a link, a file or a list; the format is recognised.

    Parameters
    ----------
    source
        A :class:`Puzzle` or a :class:`Reading`; text, a link or bytes (never a file name); a
        :class:`~pathlib.Path`; rows of values, 0 or None where blank, as lists or as an array.
    rules
        Constraints to add.
    like
        A puzzle, or a source of one, whose grid and rules to take; `source` then only gives the
        givens.
    size
        The rows and columns, or one number for both. Default: a square grid.
    box
        The (rows, columns) of a box, or None for no boxes. Default: the usual boxes.
    values
        The values of the grid, such as ``range(9)``. Default: from 1 on.
    dialect
        How to read a text that may mean two things; an error says when it is needed. One of
        ``1-9A-G``, ``0-9A-F``, ``A-P`` (one character a cell), ``pairs`` (two digits a cell),
        ``candidates`` and ``sdx`` (words of several digits: candidates, or only notes).
    lenient
        Whether to leave out what is not understood in a document of another program. It is named
        in ``puzzle.left_out`` then. Default: this is an error.
    download
        Whether to fetch a puzzle that a link or a SudokuPad id only names from its site. Default:
        nothing is fetched, and this is an error.
    explains
        The beginnings of the sentences of the source's rules text that `rules` stand for.
    reading
        Which reading to take, counted from 1, of a rules text that can be read in several ways, or
        that is worded in an unusual way.

    Examples
    --------
    >>> read("0100 3001 4002 0040")
    <Puzzle 4×4, 6 givens, 0 constraints>
    >>> read([[0, 1], [0, 0]])
    <Puzzle 2×2, 1 given, 0 constraints>
    >>> read("02..", values=range(2), size=2)
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.PuzzleError: R1C2: 2 is not a value of this puzzle (0, 1)
    """
    like = None if like is None else as_puzzle(like)
    told = size is not None or box != "auto" or values is not None or dialect is not None
    if like is not None and like.stated:  # another puzzle of its rules has another solution
        like = replace(like, stated=())
    if type(source) is str and not told and not rules:
        found = read_plain(source, like)
        if found is not None:
            return found
    if isinstance(source, Puzzle) and not told:
        return source.add(*check_items("rules", rules, "rules"))
    return read_with_notes(
        source,
        rules,
        like=like,
        size=size,
        box=box,
        values=values,
        dialect=dialect,
        lenient=lenient,
        download=download,
        explains=explains,
        reading=reading,
    ).puzzle


def read_with_notes(
    source: object, rules: Iterable[Constraint] = (), **options: Unpack[ReadingOptions]
) -> Reading:
    """Read a puzzle and what its source says besides: title, author, rules, stated solution.

    The arguments are those of :func:`read`.

    Examples
    --------
    >>> from csp_sudoku.formats import fpuzzles
    >>> link = fpuzzles.write_link(Reading(Puzzle.blank(4), title="Easy"))
    >>> read_with_notes(link).title
    'Easy'
    """
    request = Request.of(rules, **options)
    return request.with_rules(_read(source, request))


def read_many(
    source: object, rules: Iterable[Constraint] = (), **options: Unpack[ReadingOptions]
) -> Iterator[Puzzle]:
    """Read the puzzles of a source one by one; the arguments are those of :func:`read`.

    A file with a puzzle on every line, or a table with a header, may have any length. An iterable
    that is not a text is a sequence of sources.

    Examples
    --------
    >>> [len(puzzle.givens) for puzzle in read_many("1...2...3...4...\\n1.......3...4...")]
    [4, 3]
    """
    return (found.puzzle for found in many_with_notes(source, rules, **options))


def many_with_notes(
    source: object, rules: Iterable[Constraint] = (), **options: Unpack[ReadingOptions]
) -> Iterator[Reading]:
    """Read the puzzles of a source one by one, and what it says of each besides."""
    request = Request.of(rules, **options)
    if isinstance(source, str | bytes | PathLike):
        request = request.for_file(source)
        found = (_read_piece(piece, request) for piece in _pieces(source, request))
    else:
        found = (_read(item, request) for item in _iterable(source))
    count = 0
    try:
        for one in found:
            count += 1
            yield request.with_rules(one)
    except CspSudokuError as error:
        raise type(error)(f"puzzle {count + 1}: {error}") from None


class Piece(NamedTuple):
    """The text of one puzzle, and the name of its format."""

    text: str
    form: str


def split_many(
    source: str | bytes | PathLike[str],
    rules: Iterable[Constraint] = (),
    *,
    size: Size | None = None,
) -> Iterator[Piece]:
    """Split a source into its puzzles without reading them; :func:`read_piece` reads one.

    Examples
    --------
    >>> [piece.text for piece in split_many("1...2...3...4...\\n1.......3...4...")]
    ['1...2...3...4...', '1.......3...4...']
    """
    return _pieces(source, Request.of(rules, size=size).for_file(source))


def read_piece(
    piece: Piece, rules: Iterable[Constraint] = (), **options: Unpack[ReadingOptions]
) -> Puzzle:
    """Read a piece of a source; the arguments are those of :func:`read`.

    Examples
    --------
    >>> [piece] = split_many("1...2...3...4...")
    >>> read_piece(piece)
    <Puzzle 4×4, 4 givens, 0 constraints>
    """
    request = Request.of(rules, **options)
    return request.with_rules(_read_piece(piece, request)).puzzle


def read_grid(source: object, puzzle: Puzzle) -> list[tuple[Place, int]]:
    """The filled cells of a grid that belongs to a puzzle, whether they are right or wrong.

    Examples
    --------
    >>> read_grid("3... .... .... ....", Puzzle.blank(4))
    [(R1C1, 3)]
    """
    wanted = Wanted.like(puzzle)
    if isinstance(source, str | bytes | PathLike):
        grid = read_text(text_of(source), wanted)
    else:
        grid = read_rows(_iterable(source), wanted)
    return [(place, entry[0]) for place, entry in entries(grid, puzzle) if len(entry) == 1]


@dataclass(frozen=True)
class _Format:
    """A format: how its texts are recognised, split into puzzles, and read."""

    name: str
    recognises: Callable[[str], bool]
    split: Callable[[str, Wanted], list[str]]
    read: Callable[[str, Request], Reading]


def _read_grid_text(text: str, request: Request) -> Reading:
    try:
        return request.puzzle(read_text(text, request.wanted), text)
    except FormatError as error:
        if request.download and (fetched := _fetched(text)) != text:
            return _read(fetched, replace(request, download=False))
        raise _explained(error, text.strip()) from None


def _explained(error: FormatError, text: str) -> FormatError:
    """The error about a text that is no grid; names of files and of puzzles are called so."""
    name = shown(text)
    said = [str(error)]
    if names_file(text):
        said = [] if os.path.exists(text) else [f"there is no such file as {name}"]
        said.append(f"a text is never a file name: give Path({name})")
    if links.may_be_id(text):
        said.append(f"if {name} is a short id of the SudokuPad site, {links.DOWNLOAD}")
    return FormatError("; ".join(said))


def _fetched(text: str) -> str:
    from csp_sudoku.formats.downloads import resolve

    return resolve(text)


def _read_json_rows(text: str, request: Request) -> Reading:
    return request.puzzle(read_rows(strict_json.parse(text), request.wanted))


def _read_document(text: str, request: Request) -> Reading:
    from csp_sudoku.formats.document import read_document

    request.refuse_shape()
    return Reading(read_document(text))


def _split_json_lines(text: str, wanted: Wanted) -> list[str]:
    return list(json_lines.split(text.splitlines()))


def _read_json_line(text: str, request: Request) -> Reading:
    return _read(text, request)


def _split_links(text: str, wanted: Wanted) -> list[str]:
    return list(links.split(text.splitlines()))


def _read_link(text: str, request: Request) -> Reading:
    links.check(text)
    if request.download and (fetched := _fetched(text)) != text:
        return _read(fetched, replace(request, download=False))
    found = next(form for form in _FORMATS if form.name != _LINKS and form.recognises(text))
    return found.read(text, request)


class _Foreign(Protocol):
    """The module of a format of another program, which is loaded when a text may have it."""

    def recognises(self, text: str) -> bool: ...

    def read_text(self, text: str, help_given: Help = NO_HELP) -> Reading: ...


def _foreign(name: str, module: str) -> _Format:
    full_name = f"csp_sudoku.formats.{module}"

    @cache
    def _loaded() -> _Foreign:
        # To import a module anew each time takes longer than to look at most texts.
        return cast(_Foreign, import_module(full_name))

    def read(text: str, request: Request) -> Reading:
        request.refuse_shape()
        return _loaded().read_text(text, request.help)

    return _Format(name, lambda text: _loaded().recognises(text), _whole, read)


def _whole(text: str, wanted: Wanted) -> list[str]:
    return [text]


# A list of lists, of numbers or of strings, and no heading such as [Puzzle].
_ROWS = re.compile(r'\[\s*[\[\]"0-9n-]')
# The formats in the order in which they are tried. The last one takes every text.
_LINKS, _JSON_LINES, _TEXT = "file of links", "file of JSON lines", "text"
_FORMATS = (
    _Format(_LINKS, links.recognises, _split_links, _read_link),
    _Format(_JSON_LINES, json_lines.recognises, _split_json_lines, _read_json_line),
    _foreign("f-puzzles document", "fpuzzles"),
    _foreign("SudokuPad link", "sudokupad"),
    _foreign("SudokuMaker document", "sudokumaker"),
    _foreign("SudokuPad document", "sudokupad.scl"),
    _foreign("Interactive Sudoku Solver string", "iss"),
    _foreign("SudokuWiki link", "sudokuwiki"),
    _foreign("penpa link", "penpa"),
    _foreign("description", "described"),
    _foreign("link", "refused"),
    _Format("document", lambda text: text.startswith("{"), _whole, _read_document),
    _Format("list", lambda text: bool(_ROWS.match(text)), _whole, _read_json_rows),
    _Format(
        "OpenSudoku file",
        opensudoku.is_opensudoku,
        lambda text, wanted: opensudoku.games(text),
        _read_grid_text,
    ),
    _Format(_TEXT, lambda text: True, several.split, _read_grid_text),
)


# Such a text can only be a grid. Most puzzles are, so no other format is loaded for them.
_PLAIN = re.compile(r"[0-9.\s]*", re.ASCII)


def _recognise(text: str) -> _Format:
    if _PLAIN.fullmatch(text):
        return _FORMATS[-1]
    start = text.lstrip()
    return next(form for form in _FORMATS if form.recognises(start))


def is_grid_text(text: str) -> bool:
    """Whether a text has no other format than that of a grid; it need not be one."""
    return _recognise(text).name == _TEXT


def _read(source: object, request: Request) -> Reading:
    if isinstance(source, Reading):
        return source
    if isinstance(source, Puzzle):
        return Reading(source)
    if not isinstance(source, str | bytes | PathLike):
        return request.puzzle(read_rows(_iterable(source), request.wanted))
    request = request.for_file(source)
    text = text_of(source)
    form = _recognise(text)
    pieces = form.split(text, request.wanted)
    if len(pieces) != 1:
        raise FormatError(
            f"{len(pieces)} puzzles are in this {form.name}; read_many and the command batch read "
            f"them"
        )
    return form.read(pieces[0], request)


def _read_piece(piece: Piece, request: Request) -> Reading:
    form = next(form for form in _FORMATS if form.name == piece.form)
    return form.read(piece.text, request)


def _pieces(source: Text, request: Request) -> Iterator[Piece]:
    if isinstance(source, PathLike) and is_large(source):
        lines = lines_of_file(source)
        first = next(lines)
        whole = chain([first], lines)
        if links.recognises(first):
            yield from (Piece(text, _LINKS) for text in links.split(whole))
        elif first.lstrip().startswith("{"):
            yield from (Piece(text, _JSON_LINES) for text in json_lines.split(whole))
        else:
            yield from (Piece(text, _TEXT) for text in several.stream(whole, request.wanted))
        return
    text = text_of(source)
    form = _recognise(text)
    for piece in form.split(text, request.wanted):
        yield Piece(piece, form.name)


def _iterable(source: object) -> Iterable[object]:
    if isinstance(source, Iterable):
        return source
    raise FormatError(f"{shown(source)} is not a puzzle; give text, a Path, or rows of values")
