"""Puzzles of the same rules, in the forms in which they come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.formats.texts.plain import blank_square, plain_values, puzzle_of
from csp_sudoku.puzzle import Puzzle, shared_rules

if TYPE_CHECKING:
    from csp_sudoku.backends.base import Rows


class Group(NamedTuple):
    """Puzzles of the same rules: as puzzles, as rows of givens, or as values of plain texts."""

    rules: Puzzle
    size: int
    puzzles: Sequence[Puzzle] = ()
    rows: Rows | bytes | None = None

    @classmethod
    def of(cls, source: object, deadline: float | None = None) -> Group:
        """Return a group of one puzzle, or of anything that can be read as one until a deadline.

        The values of a plain text are enough for a row: no puzzle is made of them yet.

        Examples
        --------
        >>> Group.of("1..............2").rows is not None, Group.of(Puzzle.blank(2)).puzzles
        (True, (<Puzzle 2×2, 0 givens, 0 constraints>,))
        """
        if isinstance(source, str) and (values := plain_values(source)) is not None:
            return cls(blank_square(len(source)), 1, (), values)
        if isinstance(source, Puzzle):
            return cls(shared_rules(source), 1, (source,))
        puzzle = as_puzzle(source, deadline)
        return cls(puzzle.without_givens(), 1, (puzzle,))

    @property
    def left_out(self) -> tuple[str, ...]:
        """The rules that are not part of the question; the same for all of them."""
        return self.puzzles[0].left_out if self.puzzles else ()

    def givens(self) -> Rows | None:
        """Return the puzzles as rows of givens; None if rows cannot hold them."""
        from csp_sudoku.batches.rows import rows_of_puzzles, rows_of_texts

        if self.puzzles:
            return rows_of_puzzles(self.rules, self.puzzles)
        if isinstance(self.rows, bytes):
            return rows_of_texts(self.rows, self.size)
        return self.rows

    def puzzle(self, place: int) -> Puzzle:
        """Return one of the puzzles."""
        if self.puzzles:
            return self.puzzles[place]
        if isinstance(self.rows, bytes):
            width = len(self.rows) // self.size
            puzzle = puzzle_of(self.rules, self.rows[place * width : (place + 1) * width])
            assert puzzle is not None
            return puzzle
        from csp_sudoku.batches.rows import puzzle_of_row

        assert self.rows is not None
        return puzzle_of_row(self.rules, self.rows[place])
