"""The marks of clues outside the grid; each kind of clue has a frame of its own."""

from __future__ import annotations

from collections.abc import Iterable

from csp_sudoku.constraints import (
    BeforeGreatest,
    FullRank,
    HiddenSkyscraper,
    LittleKiller,
    NumberedRoom,
    Outside,
    Sandwich,
    Skyscraper,
    XSum,
)
from csp_sudoku.constraints.line_clue import LineClue
from csp_sudoku.pictures.margin import Clue, DiagonalClue, Frame, Side
from csp_sudoku.pictures.marks import Mark
from csp_sudoku.pictures.table import table
from csp_sudoku.puzzle import Puzzle


@table.register
def _(rule: LittleKiller, puzzle: Puzzle) -> Iterable[Mark]:
    return [DiagonalClue(rule.start, rule.direction, str(rule.sum))]


@table.register
def _(rule: Sandwich, puzzle: Puzzle) -> Iterable[Mark]:
    return [_clue(rule, puzzle, str(rule.sum), "none")]


@table.register
def _(rule: XSum, puzzle: Puzzle) -> Iterable[Mark]:
    return [_clue(rule, puzzle, f"X{rule.sum}", "pill")]


@table.register
def _(rule: Skyscraper, puzzle: Puzzle) -> Iterable[Mark]:
    return [_clue(rule, puzzle, str(rule.count), "tower")]


@table.register
def _(rule: HiddenSkyscraper, puzzle: Puzzle) -> Iterable[Mark]:
    return [_clue(rule, puzzle, str(rule.value), "dashed")]


@table.register
def _(rule: NumberedRoom, puzzle: Puzzle) -> Iterable[Mark]:
    return [_clue(rule, puzzle, str(rule.value), "circle")]


@table.register
def _(rule: Outside, puzzle: Puzzle) -> Iterable[Mark]:
    return [_clue(rule, puzzle, " ".join(map(str, rule.values)), "square")]


@table.register
def _(rule: BeforeGreatest, puzzle: Puzzle) -> Iterable[Mark]:
    return [_clue(rule, puzzle, f"<{rule.sum}", "none")]


@table.register
def _(rule: FullRank, puzzle: Puzzle) -> Iterable[Mark]:
    return [_clue(rule, puzzle, f"#{rule.rank}", "none")]


def _clue(rule: LineClue, puzzle: Puzzle, text: str, frame: Frame) -> Clue:
    reverse = bool(getattr(rule, "reverse", False))
    sides: tuple[Side, Side] = ("left", "right") if rule.line[0] == "R" else ("top", "bottom")
    return Clue(sides[reverse], rule.cells(puzzle)[0], text, frame)
