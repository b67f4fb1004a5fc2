"""Check a table of claims: a CSV file with a header, or a file with a JSON object on each line.

Each verdict is written to a report at once. So a run that was stopped continues where it ended.
"""

from __future__ import annotations

import csv
import reprlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

from csp_sudoku.constraints.base import Constraint
from csp_sudoku.crosscheck.claim_reading import Claim, read_claim, read_fields
from csp_sudoku.crosscheck.claims import RIGHT, CheckedClaim, ClaimVerdict, check_claim
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats import read, strict_json
from csp_sudoku.formats.sources import lines_of_file
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.reports import Head, Report, ReportRow, digest
from csp_sudoku.solving.answers import BY_THE_RULES_READ

PUZZLES = ("puzzle", "puzzles", "quiz", "quizzes", "sudoku", "board", "givens", "question")
"""Names of a column or field with puzzles."""

CLAIMS = ("claim", "claims", "solution", "solutions", "answer", "answers", "count")
"""Names of a column with claims."""


class ClaimRow(ReportRow, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A line of a report: the number of a row, from 1 without the header, and its verdict.

    A verdict on a puzzle of which rules were left out, or which its stated solution disputes, does
    not show that the claim is right.
    """

    verdict: ClaimVerdict
    text: str
    left_out: tuple[str, ...] = ()
    disputes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the claim is right; see `CheckedClaim.ok`."""
        return self.verdict in RIGHT and not self.left_out and not self.disputes

    def __str__(self) -> str:
        checked = CheckedClaim(
            self.verdict, self.text, left_out=self.left_out, disputes=self.disputes
        )
        return f"row {self.row}: {checked}"


@dataclass(frozen=True)
class ClaimSummary:
    """The result of all rows: how many have each verdict, and the first wrong claims."""

    rows: int
    verdicts: Mapping[ClaimVerdict, int]
    failures: tuple[ClaimRow, ...]
    partly_read: int = 0
    """How many puzzles were read without some of their rules."""

    @property
    def ok(self) -> bool:
        """Whether every claim is right."""
        return not self.failures

    def __str__(self) -> str:
        counts = [f"{number:,} {verdict.value}" for verdict, number in self.verdicts.items()]
        read = f"; {self.partly_read:,} of them only{BY_THE_RULES_READ}" if self.partly_read else ""
        return f"{self.rows:,} claims: {', '.join(counts) or 'none'}{read}"


# How many failures a summary keeps.
_SHOWN = 100


def check_claims(
    source: str | Path,
    *,
    report: str | Path | None = None,
    rules: Iterable[Constraint] = (),
    like: Puzzle | None = None,
    progress: Callable[[ClaimRow], None] | None = None,
    **settings: Any,
) -> ClaimSummary:
    """Check all claims in a file.

    Parameters
    ----------
    source
        A CSV file whose header names a column with puzzles and one with claims, or a file with a
        JSON object on each line: ``puzzle`` and ``claim``, or ``puzzle`` and the fields of a claim
        (see :func:`check_claim`).
    report
        A file for the verdicts, one on each line. Rows that it already has are not checked again.
    rules, like
        As in :func:`read`, for all puzzles.
    progress
        Called with each row that is done.
    settings
        As in :func:`check_claim`.
    """
    if not isinstance(source, str | PathLike):
        raise FormatError(f"claims: must be the path of a file, not {reprlib.repr(source)}")
    path = Path(source)
    if not path.is_file():
        raise FormatError(f"{path} cannot be read: there is no such file")
    tally = _Tally()
    rules = tuple(rules)
    asked = digest(*rules, like, *chain(*sorted(settings.items())))
    head = Head("csp-sudoku claims", 2, {"settings": asked})
    with Report(report, head, ClaimRow, map(_question, _rows(path))) as written:
        for old in written.rows:
            tally.take(old)
        known = {old.row for old in written.rows}
        for number, fields in enumerate(_rows(path), 1):
            if number in known:
                continue
            checked = _check(fields, rules, like, settings)
            found = ClaimRow(
                number,
                _question(fields),
                checked.verdict,
                checked.text,
                checked.left_out,
                checked.disputes,
            )
            written.add(found)
            tally.take(found)
            if progress:
                progress(found)
    return tally.summary


class _Tally:
    """The verdicts of the rows so far."""

    def __init__(self) -> None:
        self._verdicts: Counter[ClaimVerdict] = Counter()
        self._failures: list[ClaimRow] = []
        self._partly_read = 0

    def take(self, found: ClaimRow) -> None:
        self._verdicts[found.verdict] += 1
        self._partly_read += bool(found.left_out)
        if not found.ok and len(self._failures) < _SHOWN:
            self._failures.append(found)

    @property
    def summary(self) -> ClaimSummary:
        rows = self._verdicts.total()
        return ClaimSummary(rows, dict(self._verdicts), tuple(self._failures), self._partly_read)


def _check(
    fields: Mapping[str, Any] | CspSudokuError,
    rules: Iterable[Constraint],
    like: Puzzle | None,
    settings: Mapping[str, Any],
) -> CheckedClaim:
    try:
        if isinstance(fields, CspSudokuError):
            raise fields
        puzzle = read(fields["puzzle"], rules, like=like)
        return check_claim(puzzle, _claim(fields, puzzle), **settings)
    except CspSudokuError as error:
        return CheckedClaim(ClaimVerdict.MALFORMED, str(error))


def _question(fields: Mapping[str, Any] | CspSudokuError) -> str:
    """The digest of a row; of one that cannot be read, its error."""
    return digest(str(fields) if isinstance(fields, CspSudokuError) else sorted(fields.items()))


def _claim(fields: Mapping[str, Any], puzzle: Puzzle) -> Claim:
    if "claim" in fields:
        return read_claim(fields["claim"], puzzle)
    return read_fields({key: fields[key] for key in fields if key != "puzzle"}, puzzle)


# Rows


def _rows(path: Path) -> Iterator[Mapping[str, Any] | CspSudokuError]:
    """The fields of each row, or the error of a row that cannot be read."""
    lines = lines_of_file(path)
    first = next((line for line in lines if line.strip()), None)
    if first is None:
        raise FormatError(f"{path} is empty")
    if first.lstrip().startswith("{"):
        yield _object(first)
        yield from (_object(line) for line in lines if line.strip())
    else:
        yield from _table(path, first, lines)


def _object(line: str) -> Mapping[str, Any] | CspSudokuError:
    try:
        fields = strict_json.parse(line)
        if not isinstance(fields, dict) or "puzzle" not in fields:
            raise FormatError('each line must be an object with the key "puzzle"')
    except FormatError as error:
        return error
    return fields


def _table(
    path: Path, header: str, lines: Iterable[str]
) -> Iterator[Mapping[str, Any] | CspSudokuError]:
    names = [name.strip().lower() for name in next(csv.reader([header]))]
    puzzle = next((i for i, name in enumerate(names) if name in PUZZLES), None)
    claim = next((i for i, name in enumerate(names) if name in CLAIMS), None)
    if puzzle is None or claim is None:
        raise FormatError(
            f"{path}: its first line must name a column with puzzles ({PUZZLES[0]}) and one with "
            f"claims ({CLAIMS[0]}), not {', '.join(names)[:80]!r}"
        )
    try:
        for fields in csv.reader(line for line in lines if line.strip()):
            if len(fields) > max(puzzle, claim):
                yield {"puzzle": fields[puzzle], "claim": fields[claim]}
            else:
                yield FormatError(f"{len(fields)} fields where the header has {len(names)}")
    except csv.Error as error:
        raise FormatError(f"{path} cannot be read as a table: {error}") from None
