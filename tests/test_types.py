"""What type checkers see of rules. mypy reads this file, too: see ``modules`` in pyproject.toml.

There, a wrong type shows as an error, and an error that is expected but missing as an unused
``type: ignore``.
"""

from collections.abc import Sequence
from typing import assert_type

import pytest

import csp_sudoku as cs
from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.fields import WholeNumbers, rule, whole, whole_numbers


@rule
class AtLeast(cs.CellConstraint):
    """A rule with declared fields, as a user writes it."""

    name = "at-least"
    least: int = whole(least=0)
    others: WholeNumbers = whole_numbers(default=())

    def accepts(self, values: tuple[int, ...]) -> bool:
        return min(values) >= self.least


def test_a_field_is_given_one_type_and_holds_another() -> None:
    cage = cs.KillerCage("R1C1 R1C2", 5)
    assert_type(cage.cells, tuple[Place, ...])
    assert_type(cage.sum, int | None)
    assert_type(cs.Arrow("R1C1", "R1C2", Cell(0, 2)).circle, Place)
    assert_type(cs.Maximum("R1C1").cell, Cell)
    assert_type(cs.Knightmare(range(5)).sums, tuple[int, ...])
    assert_type(cs.Clone(["R1C1", [Cell(0, 1)]]).groups, tuple[tuple[Place, ...], ...])
    assert_type(cs.ChessOffset(1, 2, values=[4], cells="R1C1").cells, tuple[Place, ...] | None)
    assert_type(cs.XSum("R1", 5, reverse=True).sum, int)
    assert_type(AtLeast("R1C1 R1C2", 5, [1]).cells, tuple[Place, ...])
    assert_type(AtLeast("R1C1 R1C2", 5, [1]).others, tuple[int, ...])


def test_cells_are_one_argument_or_several() -> None:
    rules: Sequence[cs.Constraint] = (cs.Equal("R1C1", "R1C2"), cs.NotEqual(Cell(0, 0), "R1C2"))
    assert len({*rules, cs.AntiKnight(), cs.Diagonals(rising=False)}) == 4


def test_what_does_not_fit_is_an_error() -> None:
    with pytest.raises(cs.ConstraintError):
        cs.KillerCage("R1C1", 2.5)  # type: ignore[arg-type]
    with pytest.raises(cs.ConstraintError):
        cs.KillerCage(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        cs.PairSum("R1C1 R1C2")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        AtLeast("R1C1")  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        cs.Equal("R1C1").cells = ()  # type: ignore[arg-type]
