"""Random texts of rules, for the fuzzer and the tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from csp_sudoku.fuzzing.rules import RuleMaker

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def condition(maker: RuleMaker, depth: int = 2) -> str:
    """Draw a condition that names a few places of a puzzle.

    Examples
    --------
    >>> from random import Random
    >>> from csp_sudoku import Puzzle
    >>> from csp_sudoku.fuzzing.rules import RuleMaker
    >>> condition(RuleMaker(Puzzle.blank(4), None, Random(1)), depth=0)
    '(R1C3 == R4C4 == 2)'
    """
    rng = maker.rng
    if depth > 0 and rng.random() < 0.4:
        first, second = condition(maker, depth - 1), condition(maker, depth - 1)
        return rng.choice(
            (
                f"({first} and {second})",
                f"({first} or {second})",
                f"not {first}",
                f"(if {first} then {second})",
                f"(if {first} then {second} else {condition(maker, depth - 1)})",
                f"(({first}) {rng.choice(_COMPARISONS)} ({second}))",
                f"count({first}, {second}) {rng.choice(_COMPARISONS)} {rng.randint(0, 2)}",
            )
        )
    return rng.choice((_compared, _chained, _over_group, _different))(maker)


def _compared(maker: RuleMaker) -> str:
    return f"{_number(maker, 2)} {maker.rng.choice(_COMPARISONS)} {_number(maker, 1)}"


def _chained(maker: RuleMaker) -> str:
    first, second, third = [_number(maker, 0) for _ in range(3)]
    signs = maker.rng.choices(_COMPARISONS, k=2)
    return f"({first} {signs[0]} {second} {signs[1]} {third})"


def _over_group(maker: RuleMaker) -> str:
    rng = maker.rng
    group, a, sign = _group(maker), maker.number(), rng.choice(_COMPARISONS)
    return rng.choice(
        (
            f"all(a {sign} {a} for a in {group})",
            f"any(a % 3 == {a} % 3 for a in {group})",
            f"count(a {sign} {a} for a in {group}) {rng.choice(_COMPARISONS)} {rng.randint(0, 3)}",
            f"all(abs(a - b) {sign} {a} for a, b in successive({group}))",
            f"sum(a * b for a, b in pairs({group})) {sign} {5 * a}",
            f"{a} in {group}",
            f"{_place(maker)} not in {group}",
            f"item({group}, {_place(maker)}) {sign} {a}",
            f"position({a}, {group}) {sign} {rng.randint(1, 3)}",
        )
    )


def _different(maker: RuleMaker) -> str:
    parts = ", ".join(_number(maker, 1) for _ in range(maker.rng.randint(2, 3)))
    name = maker.rng.choice(("all_different", "all_equal"))
    if maker.rng.random() < 0.3:
        return f"count_distinct({parts}) == {maker.rng.randint(1, 3)}"
    return f"{name}({parts})"


def _number(maker: RuleMaker, depth: int) -> str:
    rng = maker.rng
    if depth == 0 or rng.random() < 0.3:
        return _place(maker) if rng.random() < 0.7 else str(maker.number()).replace("-", "0 - ")
    first, second = _number(maker, depth - 1), _number(maker, depth - 1)
    return rng.choice(
        (
            *(f"({first} {sign} {second})" for sign in ("+", "-", "*", "//", "%")),
            f"-{first}",
            f"abs({first} - {second})",
            f"min({first}, {second})",
            f"max({first}, {second})",
            f"(if {first} > {second} then {first} else {second})",
            f"sum({_group(maker)})",
        )
    )


def _group(maker: RuleMaker) -> str:
    return f"[{', '.join(map(str, maker.line(maker.rng.randint(1, 4))))}]"


def _place(maker: RuleMaker) -> str:
    return str(maker.place())
