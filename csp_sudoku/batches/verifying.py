"""Many grids, each checked by the rules of its puzzle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import cast

import numpy as np

from csp_sudoku.batches.checking import array_check
from csp_sudoku.batches.many import piece_of
from csp_sudoku.batches.rows import rows_of_texts
from csp_sudoku.checking.verify import Verdict, Verification, full_row, is_solution, verify
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats.texts.plain import full_values, holds_digits
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.solving.answers import limited
from csp_sudoku.solving.query import check_items
from csp_sudoku.solving.questions import Group

# From this many full grids of the same rules on, it pays to load the kernel that checks arrays.
_MANY = 500

Asked = Sequence[tuple[Sequence[int], Group]]
"""Groups of puzzles, each with the places of its grids in the list."""


class Verifications(Sequence[Verification]):
    """The answer of :func:`verify_many`: a :class:`Verification` for each grid.

    The verdicts are known. Everything else, such as the rules that are broken, is found when an
    item is asked for.

    Attributes
    ----------
    verdicts
        The verdict on each grid, by the rules that were read.
    """

    def __init__(
        self, questions: Asked, grids: Sequence[object], known: Iterable[Verdict | None]
    ) -> None:
        self._asked = questions
        self._grids = grids
        self.verdicts = [verdict or self._judge(i) for i, verdict in enumerate(known)]

    @cached_property
    def _questions(self) -> dict[int, tuple[Group, int]]:
        """For each place the group that its puzzle belongs to, and the place there."""
        return {
            place: (group, number)
            for places, group in self._asked
            for number, place in enumerate(places)
        }

    def _judge(self, place: int) -> Verdict:
        try:
            return self[place].verdict
        except CspSudokuError as error:
            raise type(error)(f"grid {place + 1}: {error}") from None

    def __len__(self) -> int:
        return len(self._grids)

    def __getitem__(self, place: int) -> Verification:  # type: ignore[override]
        group, number = self._questions[range(len(self))[place]]
        return verify(group.puzzle(number), self._grids[place])

    @property
    def ok(self) -> list[bool]:
        """For each grid whether it is a correct full solution; see :attr:`Verification.ok`."""
        correct = Verdict.CORRECT
        kept = [verdict is correct for verdict in self.verdicts]
        for place in self._doubtful():
            kept[place] = kept[place] and self[place].ok
        return kept

    def _doubtful(self) -> Iterator[int]:
        """The places where rules of the puzzle were left out, or its source states a solution."""
        for places, group in self._asked:
            for place, puzzle in zip(places, group.puzzles, strict=False):  # there may be none
                if puzzle.stated or puzzle.left_out:
                    yield place

    def __repr__(self) -> str:
        return f"<Verifications of {self}>"

    def __str__(self) -> str:
        said = [
            limited(v.value, self._questions[i][0].left_out) for i, v in enumerate(self.verdicts)
        ]
        counts = [f"{number:,} {verdict}" for verdict, number in Counter(said).items()]
        return f"{len(self):,} grids: {', '.join(counts) or 'none'}"


def verify_many(puzzles: object, grids: Iterable[object]) -> Verifications:
    """Judge many grids, each by the rules of its puzzle alone.

    Parameters
    ----------
    puzzles
        One puzzle for all grids, or a list with a puzzle for each: puzzles, or anything
        :func:`read` takes.
    grids
        What :func:`verify` takes: texts, solutions, mappings or rows of values; or an array of
        grids.

    Examples
    --------
    >>> found = verify_many("0100300140020040", ["2134342143121243", "2134342143121244"])
    >>> found.ok, [verdict.value for verdict in found.verdicts]
    ([True, False], ['correct', 'breaks a rule'])
    >>> print(found[1].violations[0])
    row 4: R4C3 and R4C4 both hold 4
    """
    listed = check_items("grids", grids, "grids")
    asked = _asked(puzzles, len(listed))
    verdicts: list[Verdict | None] = [None] * len(listed)
    correct, broken = Verdict.CORRECT, Verdict.BROKEN
    for places, group in asked:
        full, values = _full(group.rules, [listed[place] for place in places])
        for number, right in zip(full, _check(group, full, values), strict=True):
            verdicts[places[number]] = correct if right else broken
    return Verifications(asked, listed, verdicts)


def _asked(puzzles: object, number: int) -> Asked:
    """Return the puzzles of a number of grids, those of the same rules together."""
    if not isinstance(puzzles, list | tuple):
        one = Group.of(puzzles).puzzle(0)
        return [(range(number), Group(one.without_givens(), number, [one] * number))]
    if len(puzzles) != number:
        raise FormatError(f"{len(puzzles)} puzzles and {number} grids: each grid needs a puzzle")
    return piece_of([*puzzles]).groups if puzzles else []


def _full(rules: Puzzle, grids: Sequence[object]) -> tuple[Sequence[int], bytes]:
    """Return which grids are full and quick to read, and their values one after the other."""
    kinds = {*map(type, grids)}
    if kinds == {str} and (values := full_values(rules, *cast(Sequence[str], grids))):
        return range(len(grids)), values
    if kinds and kinds <= {np.ndarray, list} and (found := _full_arrays(rules, grids)):
        return found
    each = [full_row(rules, grid) for grid in grids]
    # In rows of texts 0 is a blank.
    full = [i for i, row in enumerate(each) if isinstance(row, bytes) and 0 not in row]
    return full, b"".join(cast(bytes, each[i]) for i in full)


def _full_arrays(rules: Puzzle, grids: Sequence[object]) -> tuple[Sequence[int], bytes] | None:
    """The same of arrays or lists of one shape, a value for each cell; None for any others."""
    [grid, *others] = rules.grids
    try:
        array = np.array(grids)
    except ValueError:  # of different shapes
        return None
    shapes = ((grid.rows * grid.columns,), (grid.rows, grid.columns))
    if others or array.shape[1:] not in shapes or array.dtype.kind not in "iu":
        return None
    if len(rules.variables) > len(rules.cells) or not holds_digits(rules):
        return None
    rows = array.reshape(len(grids), -1)
    full = np.flatnonzero(((rows >= 1) & (rows <= 9)).all(axis=1))
    return full.tolist(), rows[full].astype(np.uint8).tobytes()


def _check(group: Group, full: Sequence[int], values: bytes) -> Sequence[bool]:
    """Whether the values of each full grid are a solution of the puzzle with its number."""
    width = len(group.rules.variables)
    givens = group.givens() if len(full) >= _MANY else None
    if givens is None:
        rows = [values[i : i + width] for i in range(0, len(values), width)]
        return [is_solution(group.puzzle(n), row) for n, row in zip(full, rows, strict=True)]
    if len(full) < len(givens):
        givens = givens[full]
    kept = array_check(group.rules).keeps(rows_of_texts(values, len(full)), givens)
    right: list[bool] = kept.tolist()
    return right
