"""What the types of its fields do not say of a rule: how many cells, which words and functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from csp_sudoku import constraints as c
from csp_sudoku.cells import Cell
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.fuzzing.shapes import weighted

if TYPE_CHECKING:
    from csp_sudoku.fuzzing.rules import RuleMaker

Maker: TypeAlias = Callable[["RuleMaker"], dict[str, Any]]

COUNTS: dict[tuple[type[Constraint], str], tuple[int, int]] = {
    **{(kind, "cells"): (2, 2) for kind in (
        c.Difference, c.Equal, c.GreaterThan, c.NotEqual, c.PairSum, c.Ratio,
    )},
    (c.CountDistinct, "cells"): (2, 5),
    (c.DoubleArrow, "cells"): (3, 5),
    (c.Lockout, "cells"): (2, 5),
    (c.PillArrow, "pill"): (2, 3),
    (c.ValueIndexing, "cells"): (3, 5),
}  # fmt: skip
"""How many cells such a rule has, where it has not any number."""


def _line(maker: RuleMaker) -> str:
    grid = maker.rng.choice(maker.puzzle.grids)
    way, most = maker.rng.choice((("R", grid.rows), ("C", grid.columns)))
    return f"{way}{maker.rng.randint(1, most)}"


def _clue(maker: RuleMaker) -> str:
    said = maker.rng.sample("012345", maker.rng.randint(1, 2))
    return "".join(f"{maker.rng.randint(0, 3)}{value}" for value in said)


WORDS: dict[str, Callable[[RuleMaker], str]] = {
    "line": _line,
    "direction": lambda maker: maker.rng.choice(("NE", "SE", "SW", "NW")),
    "ties": lambda maker: maker.rng.choice(("none", "any", "only")),
    "clue": _clue,
    "title": lambda maker: "house",
}
"""Fields of text, by their names."""


def _table(maker: RuleMaker) -> dict[str, Any]:
    places = maker.line(maker.rng.randint(1, 4))
    size = weighted(maker.rng, {0: 1, 1: 2, 6: 5, 25: 5})
    rows = []
    for _ in range(size):
        # Each row repeats itself where its places do, for the most part.
        held = {place: maker.value() for place in places}
        rows.append([held[p] if maker.rng.random() < 0.95 else maker.number() for p in places])
    return {"cells": places, "rows": rows}


def _pairs(maker: RuleMaker) -> dict[str, Any]:
    return {"cells": maker.line(maker.rng.randint(1, 4)), "allowed": maker.pairs()}


def _sum(maker: RuleMaker) -> dict[str, Any]:
    rng = maker.rng
    places = maker.line(rng.randint(1, maker.longest))
    weights = None
    if rng.random() < 0.5:
        weights = [rng.choice((-2, -1, 0, 1, 1, 2, 3)) for _ in places]
    total = rng.randint(-5, 14)
    at_most = total + rng.randint(-1, 6) if rng.random() < 0.4 else None
    return {"cells": places, "total": total, "coefficients": weights, "at_most": at_most}


def _magic_square(maker: RuleMaker) -> dict[str, Any]:
    side = weighted(maker.rng, {1: 2, 2: 6, 3: 1})
    return {"cells": maker.line(side * side)}


def _block(maker: RuleMaker) -> dict[str, Any]:
    row, col = maker.rng.choice(maker.puzzle.cells)
    around = [Cell(row + r, col + k) for r in (0, 1) for k in (0, 1)]
    block = [place for place in around if maker.puzzle.has(place)]
    return {"cells": block, "values": [maker.number() for _ in range(maker.rng.randint(1, 4))]}


def _even_cage(maker: RuleMaker) -> dict[str, Any]:
    size = maker.rng.choice((2, 4))
    cells = maker.puzzle.cells
    places = list(maker.rng.sample(cells, size)) if size <= len(cells) else list(cells)
    return {"cells": [*places, *places[: maker.rng.random() < 0.2]]}


def _lunchbox(maker: RuleMaker) -> dict[str, Any]:
    size = min(maker.rng.randint(1, maker.longest), len(maker.puzzle.cells))
    return {"cells": maker.rng.sample(maker.puzzle.cells, size), "sum": maker.rng.randint(-1, 7)}


def _regex(maker: RuleMaker) -> dict[str, Any]:
    places = maker.line(maker.rng.randint(1, maker.longest))
    return {"cells": places, "pattern": _pattern(maker, 0)}


def _pattern(maker: RuleMaker, depth: int) -> str:
    rng = maker.rng

    def sign() -> str:
        value = maker.value()
        return str(value) if 0 <= value <= 9 and rng.random() < 0.7 else f"<{value}>"

    match rng.randint(0, 7 if depth < 3 else 2):
        case 0:
            return sign()
        case 1:
            return "."
        case 2:
            return f"[{rng.choice(('', '^'))}{sign()}{sign()}]"
        case 3:
            return f"({_pattern(maker, depth + 1)}|{_pattern(maker, depth + 1)})"
        case 4:
            repeat = rng.choice(("*", "+", "?", "{0,2}", "{2}", "{1,3}"))
            return f"({_pattern(maker, depth + 1)}){repeat}"
        case _:
            return _pattern(maker, depth + 1) + _pattern(maker, depth + 1)


def _state_machine(maker: RuleMaker) -> dict[str, Any]:
    rng = maker.rng
    states = range(rng.randint(1, 4))
    size = rng.randint(0, 4 * len(states))
    moves = [(rng.choice(states), maker.value(), rng.choice(states)) for _ in range(size)]
    return {
        "cells": maker.line(rng.randint(1, maker.longest)),
        "transitions": moves,
        "accepting": [rng.choice(states) for _ in range(rng.randint(0, 2))],
        "starts": [rng.choice(states) for _ in range(rng.randint(0, 2))],
    }


def _where(maker: RuleMaker) -> dict[str, Any]:
    rng = maker.rng
    places = maker.line(rng.randint(1, 4))
    a, b = rng.randint(1, 3), rng.randint(0, 3)
    text, predicate = rng.choice(_PREDICATES)
    return {"cells": places, "predicate": lambda *v: predicate(v, a, b), "text": f"{text}; {a} {b}"}


_Values: TypeAlias = tuple[int, ...]
_PREDICATES: tuple[tuple[str, Callable[[_Values, int, int], object]], ...] = (
    ("the sum, divided by a + 1, leaves b", lambda v, a, b: sum(v) % (a + 1) == b % (a + 1)),
    ("at most a values", lambda v, a, b: len(set(v)) <= a),
    ("first times a is last plus b", lambda v, a, b: v[0] * a == v[-1] + b),
    ("the range is at least b", lambda v, a, b: max(v) - min(v) >= b),
    ("never", lambda v, a, b: False),
    ("a number that is not 0 is true", lambda v, a, b: (v[0] * a - b) % 3),
)


def _fold(maker: RuleMaker) -> dict[str, Any]:
    rng = maker.rng
    places = maker.line(rng.randint(1, maker.longest))
    a, b, m = rng.randint(1, 3), rng.randint(0, 3), rng.randint(2, 4)
    match rng.randint(0, 3):
        case 0:
            machine = {
                "start": 0,
                "step": lambda s, v: (a * s + v) % m,
                "accept": lambda s: s <= b % m,
            }
        case 1:
            machine = {
                "start": b,
                "step": lambda s, v, i: (s + (i + a) * v) % (m + 2),
                "accept": lambda s: s % 2 == b % 2,
                "positional": True,
            }
        case 2:
            machine = {
                "start": frozenset(),
                "step": lambda s, v: None if v in s else s | {v, v + a},
                "accept": lambda s: True,
            }
        case _:
            machine = {
                "start": (), "step": lambda s, v: (*s, v)[-2:] if sum(s) <= b + 4 else None,
                "accept": lambda s: len(set(s)) != a % 2 + 1,
            }  # fmt: skip
    return {"cells": places, "text": "a machine", **machine}


def _chess_offset(maker: RuleMaker) -> dict[str, Any]:
    rng = maker.rng
    some = rng.sample(maker.puzzle.cells, rng.randint(1, len(maker.puzzle.cells)))
    return {
        "rows": rng.randint(0, 3),
        "columns": rng.randint(0, 3),
        "values": None if rng.random() < 0.5 else [maker.value() for _ in range(rng.randint(0, 2))],
        "cells": None if rng.random() < 0.6 else some,
        "toroidal": rng.random() < 0.4,
    }


def _cells_of_the_grid(maker: RuleMaker) -> dict[str, Any]:
    count = min(maker.rng.randint(1, 3), len(maker.puzzle.cells))
    return {"cells": maker.rng.sample(maker.puzzle.cells, count)}


def _modifiers(maker: RuleMaker) -> dict[str, Any]:
    kinds = [
        (maker.rng.randint(-1, 3), maker.rng.randint(-1, 2)) for _ in range(maker.rng.randint(1, 2))
    ]
    return {"kinds": kinds}


def _groups_of_values(maker: RuleMaker) -> dict[str, Any]:
    rng = maker.rng
    sizes = [rng.randint(1, 3) for _ in range(rng.randint(1, 3))]
    groups = [sorted({maker.number() for _ in range(size)}) for size in sizes]
    return {"groups": groups if rng.random() < 0.7 else None}


def _modulus(maker: RuleMaker) -> dict[str, Any]:
    return {"modulus": maker.rng.randint(1, 4)}


def _modular(maker: RuleMaker) -> dict[str, Any]:
    return {"cells": maker.line(maker.rng.randint(1, maker.longest)), **_modulus(maker)}


def _diagonals(maker: RuleMaker) -> dict[str, Any]:
    falling, rising = maker.rng.choice(((True, True), (True, False), (False, True)))
    return {"falling": falling, "rising": rising}


MAKERS: dict[type[Constraint], Maker] = {
    c.AllPairs: _pairs,
    c.BoxIndexing: _cells_of_the_grid,
    c.ChessOffset: _chess_offset,
    c.ColumnIndexing: _cells_of_the_grid,
    c.Diagonals: _diagonals,
    c.EqualityCage: _even_cage,
    c.Fold: _fold,
    c.GlobalEntropy: _groups_of_values,
    c.GlobalModulo: _modulus,
    c.Lunchbox: _lunchbox,
    c.MagicSquare: _magic_square,
    c.Modular: _modular,
    c.Pair: _pairs,
    c.Quadruple: _block,
    c.Regex: _regex,
    c.RowIndexing: _cells_of_the_grid,
    c.StateMachine: _state_machine,
    c.Sum: _sum,
    c.Table: _table,
    c.ValueModifiers: _modifiers,
    c.Where: _where,
}
"""How the fields of such a rule are drawn."""
