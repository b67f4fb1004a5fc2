"""Kinds of clues that are read off a solution, and endless random clues of a kind.

The ``placing`` of a rule says how its clues are placed; a small table here has the kinds that are
no rule of their own. The rule is asked whether the solution keeps a clue, so a kind only proposes
shapes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from csp_sudoku.constraints import Even, Maximum, Minimum, Odd, PairSum, registry
from csp_sudoku.constraints.aspects import Placing
from csp_sudoku.constraints.base import CellConstraint, Constraint
from csp_sudoku.errors import PluginError
from csp_sudoku.generating.easel import Easel, Make

# How many proposals in a row may fail before a kind has no more clues to give.
_PATIENCE = 400


@dataclass(frozen=True)
class Kind:
    """A kind of clue.

    Attributes
    ----------
    propose
        Draws one clue, or None.
    placing
        How many clues a puzzle gets, and whether they are drawings over cells.
    make
        Makes such a clue on given cells.
    """

    propose: Callable[[Easel], Constraint | None]
    placing: Placing
    make: Make


_SIGN, _MARK = Placing(6), Placing(3)
_X, _V = partial(PairSum, total=10), partial(PairSum, total=5)

MIXED: dict[str, Kind] = {
    "x": Kind(lambda easel: easel.sign(_X), _SIGN, _X),
    "v": Kind(lambda easel: easel.sign(_V), _SIGN, _V),
    "parity": Kind(lambda easel: easel.mark(Odd, Even), _SIGN, Odd),
    "extremes": Kind(lambda easel: easel.mark(Minimum, Maximum), _MARK, Minimum),
}
"""Kinds of clues that are no rule of their own."""


def kind_of(name: str) -> Kind | None:
    """Return the kind of clue with this name, of the library or a plug-in; None if there is none.

    Examples
    --------
    >>> kind_of("thermometer").placing.usual(9), kind_of("anti-knight")
    (6, None)
    """
    if name in MIXED:
        return MIXED[name]
    if name not in registry.classes() and name not in registry.names():
        return None
    rule = registry.get(name)
    return None if rule.placing is None else Kind(rule.propose, rule.placing, rule)


def kinds() -> list[str]:
    """Return the names of all kinds of clues, in order; all rules are loaded for that.

    Examples
    --------
    >>> kinds()[:3]
    ['arithmetic-sequence', 'arrow', 'ascending-start']
    """
    return sorted([*MIXED, *filter(_is_placed, registry.names())])


def _is_placed(name: str) -> bool:
    try:
        return registry.get(name).placing is not None
    except PluginError:
        return False  # a plug-in that cannot be loaded is named where plug-ins are listed


def clues(kind: Kind, easel: Easel, placed: Iterable[Constraint] = ()) -> Iterator[Constraint]:
    """Yield clues of a kind that the solution keeps, until no more are found.

    Two clues of a kind never lie on the same cells, nor on those of one that is placed already.
    """
    known: set[object] = {_where(clue) for clue in placed}
    failed = 0
    while failed < _PATIENCE:
        failed += 1
        clue = kind.propose(easel)
        if clue is None or _where(clue) in known or not easel.keeps(clue):
            continue
        known.add(_where(clue))
        failed = 0
        if kind.placing.drawn:
            easel.free -= set(clue.scope(easel.puzzle))
            if len(easel.free) < len(easel.puzzle.cells) // 4:
                easel.free = set(easel.puzzle.cells)
        yield clue


def _where(clue: Constraint) -> object:
    """Return the cells of a clue; a clue outside the grid stands for itself."""
    return clue.cells if isinstance(clue, CellConstraint) else clue
