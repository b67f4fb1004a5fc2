"""The marks of rules on ordered cells: lines and arrows, in the customary colours."""

from __future__ import annotations

from collections.abc import Iterable

from csp_sudoku.constraints import (
    Arrow,
    AverageArrow,
    Between,
    DoubleArrow,
    Entropic,
    Equal,
    Fold,
    Lockout,
    Modular,
    Nabner,
    Pair,
    Palindrome,
    ParityLine,
    PillArrow,
    ProductLine,
    Regex,
    RegionSum,
    Renban,
    SlowThermometer,
    StateMachine,
    SumLine,
    Thermometer,
    ValueIndexing,
    Whisper,
    Zipper,
)
from csp_sudoku.pictures import marks
from csp_sudoku.pictures.marks import Form, Line, Mark, Note, Pill, Shape
from csp_sudoku.pictures.table import in_grid, sentence, table
from csp_sudoku.puzzle import Puzzle

# Colour, width and dashes: no two kinds of line differ in their colour alone.
_LOOKS: dict[type, tuple[str, float, tuple[float, ...]]] = {
    Thermometer: ("grey", 0.26, ()),
    SlowThermometer: ("grey", 0.14, ()),
    Whisper: ("green", 0.18, ()),
    Renban: ("purple", 0.22, ()),
    Nabner: ("gold", 0.14, ()),
    Palindrome: ("grey", 0.12, (0.5, 0.16)),
    ParityLine: ("red", 0.1, (0.02, 0.18)),
    Modular: ("teal", 0.14, (0.3, 0.2)),
    Entropic: ("orange", 0.2, (0.02, 0.28)),
    Between: ("grey", 0.07, ()),
    Lockout: ("blue", 0.07, ()),
    RegionSum: ("blue", 0.12, ()),
    Zipper: ("lilac", 0.16, (0.1, 0.2)),
    SumLine: ("brown", 0.16, ()),
    ProductLine: ("brown", 0.12, (0.2, 0.16)),
    DoubleArrow: ("grey", 0.05, ()),
    Regex: ("lilac", 0.07, ()),
    StateMachine: ("lilac", 0.07, (0.2, 0.12)),
    Fold: ("lilac", 0.07, (0.04, 0.12)),
    Pair: ("teal", 0.06, (0.04, 0.12)),
    Equal: ("gold", 0.06, (0.12, 0.12)),
    ValueIndexing: ("red", 0.07, (0.3, 0.12)),
}

_ENDS: dict[type, Form] = {Between: "ring", DoubleArrow: "ring", Lockout: "diamond"}

# What the line alone does not say is said in a sentence, too.
_SAID = (Regex, StateMachine, Fold, Pair, Equal, ValueIndexing)


@table.register(Between)
@table.register(DoubleArrow)
@table.register(Entropic)
@table.register(Equal)
@table.register(Fold)
@table.register(Lockout)
@table.register(Modular)
@table.register(Nabner)
@table.register(Pair)
@table.register(Palindrome)
@table.register(ParityLine)
@table.register(ProductLine)
@table.register(Regex)
@table.register(RegionSum)
@table.register(Renban)
@table.register(SlowThermometer)
@table.register(StateMachine)
@table.register(SumLine)
@table.register(Thermometer)
@table.register(ValueIndexing)
@table.register(Whisper)
@table.register(Zipper)
def _line(rule: Whisper, puzzle: Puzzle) -> Iterable[Mark]:
    look = next(_LOOKS[kind] for kind in type(rule).__mro__ if kind in _LOOKS)
    hue, width, dash = look
    cells = in_grid(rule.cells)
    yield Line(
        cells,
        hue,
        width,
        dash,
        loop=bool(getattr(rule, "loop", False)),
        ends=next((_ENDS[kind] for kind in type(rule).__mro__ if kind in _ENDS), None),
        bulb=isinstance(rule, Thermometer | SlowThermometer),
        head=isinstance(rule, _SAID) and not isinstance(rule, Equal),
    )
    yield from _number(rule, puzzle)
    if isinstance(rule, _SAID):
        yield sentence(rule, puzzle)


def _number(rule: object, puzzle: Puzzle) -> Iterable[Mark]:
    """The number that belongs to a line, where it is not the customary one."""
    match rule:
        case Whisper() if rule.difference is not None:
            text = f"≥{rule.difference}"
        case Lockout() if rule.difference is not None:
            text = f"≥{rule.difference}"
        case Modular() if rule.modulus != 3:
            text = f"mod {rule.modulus}"
        case SumLine():
            text = f"Σ{rule.total}"
        case ProductLine():
            text = f"Π{rule.product}"
        case _:
            return
    yield Note(in_grid(rule.cells)[0], text)


@table.register
def _(rule: Arrow, puzzle: Puzzle) -> Iterable[Mark]:
    return _arrow(rule, "grey", ())


@table.register
def _(rule: AverageArrow, puzzle: Puzzle) -> Iterable[Mark]:
    return [*_arrow(rule, "teal", (0.14, 0.1)), *(Note(c, "⌀") for c in in_grid([rule.circle]))]


def _arrow(rule: Arrow | AverageArrow, hue: str, dash: tuple[float, ...]) -> list[Mark]:
    circle, *shaft = in_grid((rule.circle, *rule.shaft))
    return [Shape(circle, "ring", hue), marks.Arrow((circle, *shaft), hue, dash)]


@table.register
def _(rule: PillArrow, puzzle: Puzzle) -> Iterable[Mark]:
    pill, shaft = in_grid(rule.pill), in_grid(rule.shaft)
    # The arrow leaves the pill at the cell nearest to where it goes.
    near = min(pill, key=lambda c: (abs(c.row - shaft[0].row) + abs(c.col - shaft[0].col), c))
    return [Pill(pill), marks.Arrow((near, *shaft))]
