"""Puzzles of the same rules as rows of givens, and the check of solutions that are rows, too."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from csp_sudoku.backends.base import Rows
from csp_sudoku.batches.checking import array_check
from csp_sudoku.checking.verify import verify
from csp_sudoku.kernels import BLANK
from csp_sudoku.puzzle import Puzzle, of_rules


def rows_of_texts(values: bytes, number: int) -> Rows:
    """Return the rows of plain texts, whose values come one text after the other.

    Examples
    --------
    >>> rows_of_texts(bytes([1, 0, 0, 2]), 2).tolist() == [[1, BLANK], [BLANK, 2]]
    True
    """
    written = np.frombuffer(values, np.uint8).reshape(number, -1)
    rows = written.astype(np.int64)
    rows[written == 0] = BLANK
    return rows


def rows_of_puzzles(rules: Puzzle, puzzles: Sequence[Puzzle]) -> Rows | None:
    """Return the rows of puzzles; None if one has a list of candidates, or values too large.

    Examples
    --------
    >>> two = Puzzle.blank(2)
    >>> rows_of_puzzles(two, [two.with_givens({"R2C1": 1})]).tolist() == [[BLANK, BLANK, 1, BLANK]]
    True
    """
    if not fits_rows(rules):
        return None
    blank, columns, rows = [BLANK] * len(rules.variables), rules.columns, []
    # One puzzle may be there for many grids.
    keys = [*map(id, puzzles)]
    distinct = dict(zip(keys, puzzles, strict=True))
    for puzzle in distinct.values():
        row = blank.copy()
        for place, values in puzzle.candidates:
            if len(values) != 1:
                return None
            row[columns[place]] = values[0]
        rows.append(row)
    made = np.array(rows, np.int64)
    if len(distinct) == len(puzzles):
        return made
    number = {key: i for i, key in enumerate(distinct)}
    return made[[*map(number.__getitem__, keys)]]


def puzzle_of_row(rules: Puzzle, givens: Rows) -> Puzzle:
    """Return the puzzle of a row of givens."""
    places = zip(rules.variables, givens.tolist(), strict=True)
    return rules.with_givens({place: value for place, value in places if value != BLANK})


def fits_rows(rules: Puzzle) -> bool:
    """Whether rows can hold all values of a puzzle: whole numbers of 64 bits."""
    return rules.has_small_values or _fits_rows(rules)


@of_rules
def _fits_rows(rules: Puzzle) -> bool:
    domains = {rules.values_of(place) for place in rules.variables}
    return all(BLANK < value < 2**63 for domain in domains for value in domain)


def broken_list(rules: Puzzle, puzzles: Sequence[Puzzle], solutions: Rows, counts: Rows) -> str:
    """Return the given or candidate list of its own puzzle that a solution breaks, if any.

    It goes by the puzzles themselves, not by the rows that were made of them.
    """
    columns = rules.columns
    for puzzle, row, count in zip(puzzles, solutions, counts.tolist(), strict=True):
        solution = row.tolist()
        for place, values in puzzle.candidates if count > 0 else ():
            held = solution[columns[place]]
            if held not in values:
                return f"{place} holds {held}, not {' or '.join(map(str, values))}"
    return ""


def broken_rule(rules: Puzzle, givens: Rows, solutions: Rows, counts: Rows) -> str:
    """Return the rule that a solution of these rows breaks; empty if all solutions are right.

    There is a solution where the count is above 0.
    """
    found = counts > 0
    if not _any(found):
        return ""
    wrong = found > array_check(rules).keeps(solutions, givens)
    if not _any(wrong):
        return ""
    values = dict(zip(rules.variables, solutions[wrong][0].tolist(), strict=True))
    broken = verify(rules, values).violations
    return str(broken[0]) if broken else "a given is not kept"


def _any(flags: NDArray[np.bool_]) -> bool:
    """Whether one of some flags is set; on a few it takes a tenth of what NumPy takes."""
    return True in flags.tobytes()
