"""Read what somebody claims about a puzzle, in any of many forms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from math import prod
from os import PathLike
from pathlib import Path
from typing import Any, SupportsIndex

import msgspec

from csp_encodings.dimacs import Step, read_proof
from csp_encodings.errors import EncodingError
from csp_encodings.export import export
from csp_sudoku.crosscheck.grids import Values, all_grids, one_grid
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats import strict_json
from csp_sudoku.formats.sources import text_of
from csp_sudoku.formats.texts.several import split
from csp_sudoku.formats.texts.shapes import Wanted
from csp_sudoku.integers import as_int
from csp_sudoku.puzzle import Puzzle, shared_graph
from csp_sudoku.solving.results import Result

_PROOFS = (".drup", ".drat", ".proof")
_NONE = re.compile(
    r"((there (is|are) )?no( valid)? solutions?( found| exists?)?|none( exists?)?|unsolvable"
    r"|infeasible|unsatisfiable|unsat|impossible|invalid( puzzle)?)[.!]?"
)
_UNIQUE = re.compile(r"((there is )?((exactly|only) )?(one|an? unique) solution|unique)\.?")
_COUNT = re.compile(
    r"(?:(?:there (?:is|are)|found) )?(?:exactly )?([0-9]{1,30})(?: solutions?(?: found)?\.?)?"
    r"|(?:number of )?solutions(?: found)?\s*[:=]\s*([0-9]{1,30})",
    re.ASCII,
)
# A line of a grid drawn with borders, and what a program may print before a grid.
_DRAWN = re.compile(r"[\d\s|.+*=-]*\d[\d\s|.+*=-]*|[\s|+*=-]+", re.ASCII)
_LABEL = re.compile(r"[^:=]{1,40}[:=]\s*")
_BETWEEN = re.compile(r"[\s,;:|]+")
_ANSWER = re.compile(r"^(s [A-Z]+|v( -?[0-9]+)+|SAT|UNSAT|INDET)\s*$", re.MULTILINE | re.ASCII)
_STEP = re.compile(r"(d\s+)?(-?[0-9]+\s+)*0", re.ASCII)


@dataclass(frozen=True)
class Claim:
    """What is claimed.

    Attributes
    ----------
    grids
        The grids that are claimed to be solutions.
    complete
        Whether the claim is that there are no others.
    count
        The claimed number of solutions: 0 for "no solution", 1 for "unique".
    proof
        A proof that is claimed to refute the formula of the puzzle without these grids.
    """

    grids: tuple[Values, ...] = ()
    complete: bool = False
    count: int | None = None
    proof: tuple[Step, ...] | None = None


class ClaimDocument(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A claim as a JSON document. A field that is missing claims nothing.

    `solutions` are claimed to be all there are, unless `complete` is false.
    """

    solution: Any = None
    solutions: list[Any] | None = None
    complete: bool | None = None
    unique: bool | None = None
    count: int | None = None
    proof: str | list[str] | None = None


def read_claim(source: object, puzzle: Puzzle) -> Claim:
    """Read a claim: an object, text, or a file.

    Examples
    --------
    >>> from csp_sudoku import Puzzle
    >>> four = Puzzle.blank(4)
    >>> [read_claim(text, four).count for text in ("no solution", "unique", "288 solutions")]
    [0, 1, 288]
    >>> len(read_claim("2134 3421 4312 1243", four).grids)
    1
    """
    match source:
        case Claim():
            claim = source
        case None:
            claim = Claim(count=0)
        case bool():
            raise FormatError(f"{source} is not a claim")
        case SupportsIndex() if (number := as_int(source)) is not None:
            claim = _count(number)
        case Result():
            claim = Claim(source.solutions, source.complete)
        case PathLike() if Path(source).suffix in _PROOFS:
            claim = _read_proof_file(Path(source))
        case str() | bytes() | PathLike():
            claim = _read_text(text_of(source), puzzle)
        case _:
            grids, single = all_grids(source, puzzle)
            claim = Claim(tuple(grids), complete=not single)
    return claim


def read_output(text: str, puzzle: Puzzle) -> Claim:
    """Read what a program prints about a puzzle.

    If the whole output is a claim (:func:`read_claim`), it is that. Otherwise these are looked for
    in its lines, and other lines say nothing:

    =======================================  ================================================
    it prints                                it says
    =======================================  ================================================
    ``2134342143121243``                     this is a solution; several: these are solutions
    ``Solution: 2134…``, ``0100…,2134…``     the same: a label, or the puzzle, may stand before
    ``2 1 | 3 4`` and so on, on lines        the same: a grid that is drawn
    ``12 solutions``, ``solutions: 12``      that there are so many
    ``no solution``, ``unsolvable``,         that there is none
    ``infeasible``, ``invalid``, ``UNSAT``
    ``unique``, ``one solution``             that there is exactly one
    =======================================  ================================================

    Examples
    --------
    >>> four = Puzzle.blank(4)
    >>> wanted = read_claim("2134342143121243", four).grids
    >>> read_output("12 nodes\\n2134342143121243\\n0.1 ms\\n", four).grids == wanted
    True
    >>> read_output("21|34\\n34|21\\n--+--\\n43|12\\n12|43\\n1 solution\\n", four).count
    1
    >>> read_output("solved\\n", four)
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.FormatError: neither a full grid, nor a number of solutions, nor "no solution"
    """
    whole: Claim | None = None
    with suppress(CspSudokuError):
        whole = read_claim(text, puzzle)
        if all(len(grid) >= len(puzzle.cells) for grid in whole.grids):
            return whole
    lines = [line.strip() for line in text.splitlines()]
    grids = [grid for line in lines for grid in _full_grids(line, puzzle)]
    grids = grids or [grid for block in _drawn(lines) for grid in _full_grids(block, puzzle)]
    found = [claim for line in lines if (claim := _in_words(line, puzzle, bare=False))]
    counts = {claim.count for claim in found}
    if len(counts) > 1 or (grids and 0 in counts):
        raise FormatError("it contradicts itself about the number of solutions")
    if not grids and not counts:
        if whole is not None:  # a grid with empty cells is an answer, if a wrong one
            return whole
        raise FormatError('neither a full grid, nor a number of solutions, nor "no solution"')
    different = [grid for i, grid in enumerate(grids) if grid not in grids[:i]]
    return Claim(tuple(different), count=counts.pop() if counts else None)


def _full_grids(text: str, puzzle: Puzzle) -> list[Values]:
    """The full grids of a line: all of it, what follows a label, or words of it."""
    label = _LABEL.match(text)
    for tried in ([text], [text[label.end() :]] if label else [], _BETWEEN.split(text)):
        grids = []
        for piece in tried:
            try:
                grid = one_grid(piece, puzzle)
            except CspSudokuError:
                continue
            if len(grid) >= len(puzzle.cells):
                grids.append(grid)
        if grids:
            return grids
    return []


def _drawn(lines: list[str]) -> Iterator[str]:
    """Neighbouring lines of digits and borders, as blocks."""
    block: list[str] = []
    for line in [*lines, "end"]:
        if line and _DRAWN.fullmatch(line):
            block.append(line)
        elif block:
            yield "\n".join(block)
            block = []


def _read_proof_file(path: Path) -> Claim:
    """Read a proof line by line: it may be larger than any other claim."""
    try:
        with open(path, encoding="ascii") as lines:
            return Claim(complete=True, proof=_proof(lines))
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"{path} cannot be read as a proof in text form: {error}") from None


def _read_text(text: str, puzzle: Puzzle) -> Claim:
    if text.lstrip().startswith("{"):
        return _read_document(text, puzzle)
    if _ANSWER.search(text):
        return _read_answer(text, puzzle)
    return _in_words(text, puzzle) or _read_grids(text, puzzle)


def _in_words(text: str, puzzle: Puzzle, *, bare: bool = True) -> Claim | None:
    """What a text says about the number of solutions; `bare`: digits alone may be a number."""
    words = " ".join(text.lower().split())
    if _NONE.fullmatch(words):
        return Claim(count=0)
    if _UNIQUE.fullmatch(words):
        return Claim(count=1)
    count = _COUNT.fullmatch(words)
    if count is None or (count[1] == words and (not bare or _is_grid(words, puzzle))):
        return None
    return Claim(count=int(count[1] or count[2]))


def _is_grid(digits: str, puzzle: Puzzle) -> bool:
    """Whether bare digits are a grid, perhaps one with a digit missing, rather than a count."""
    known = dict(puzzle.candidates)
    fillings = prod(len(known.get(place, puzzle.values_of(place))) for place in puzzle.cells)
    return len(digits) == len(puzzle.cells) or int(digits) > fillings


def _read_grids(text: str, puzzle: Puzzle) -> Claim:
    try:
        grids = [one_grid(piece, puzzle) for piece in split(text, Wanted.like(puzzle))]
    except CspSudokuError:
        # Rows of a grid may end in 0, too. So it is a proof only if it is not a grid.
        lines = [line.strip() for line in text.splitlines()]
        if all(_STEP.fullmatch(line) for line in lines if line and not line.startswith("c")):
            return Claim(complete=True, proof=_proof(text.splitlines()))
        raise
    return Claim(tuple(grids), complete=len(grids) > 1)


def _read_answer(text: str, puzzle: Puzzle) -> Claim:
    """A SAT solver's answer to the formula that is exported for the puzzle."""
    try:
        said = export(shared_graph(puzzle), "cnf").read(text)
    except EncodingError as error:
        raise FormatError(str(error)) from None
    if said.satisfiable is None:
        raise FormatError("the solver says that it does not know: that is not a claim")
    return Claim(tuple(said.assignments)) if said.satisfiable else Claim(count=0)


def _read_document(text: str, puzzle: Puzzle) -> Claim:
    return read_fields(strict_json.parse(text), puzzle)


def read_fields(fields: object, puzzle: Puzzle) -> Claim:
    """Read a claim from the fields of a :class:`ClaimDocument`."""
    try:
        document = msgspec.convert(fields, ClaimDocument)
    except msgspec.ValidationError as error:
        raise FormatError(str(error)) from None
    listed = document.solutions or ([] if document.solution is None else [document.solution])
    grids = tuple([one_grid(grid, puzzle) for grid in listed])
    complete = document.complete
    if complete is None:
        complete = document.solutions is not None or document.proof is not None
    if document.unique and document.count not in (None, 1):
        raise FormatError(f"unique, but count is {document.count}")
    count = 1 if document.unique else document.count
    lines = document.proof
    proof = None
    if lines is not None:
        proof = _proof(lines.splitlines() if isinstance(lines, str) else lines)
    if not (grids or complete or count is not None):
        raise FormatError("nothing is claimed: give solution, solutions, count, unique or proof")
    return Claim(grids, complete, None if count is None else _count(count).count, proof)


def _count(number: int) -> Claim:
    if number < 0:
        raise FormatError(f"{number} solutions: a count is 0 or more")
    return Claim(count=number)


def _proof(lines: Iterable[str]) -> tuple[Step, ...]:
    try:
        return tuple(read_proof(lines))
    except EncodingError as error:
        raise FormatError(str(error)) from None
