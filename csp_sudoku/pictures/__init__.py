"""Pictures of puzzles, and the marks that rules are drawn with.

A rule names its marks in :meth:`~csp_sudoku.constraints.base.Constraint.picture`. They are in
``marks`` (on cells), ``signs`` (between cells) and ``margin`` (outside the grid), and all of them
can be imported from here.

Pictures: ``render`` a puzzle as SVG · ``graph`` its constraint graph · ``report`` a cross-check as
one page of HTML · ``printing`` PNG and PDF · ``terminal`` a puzzle as text · ``plain`` what text
can show of a rule.
The sheet: ``board`` cells and digits · ``highlight`` cells and candidates to point at · ``legend``
the key and the sentences below · ``sheet`` places and layers · ``outline``, ``svg``, ``theme`` what
all of it is made of.
"""

from typing import TYPE_CHECKING

# The marks stand here twice: for type checkers, and for Python, which loads them when a picture is
# drawn. Rules import this package, and most of them are never drawn.
if TYPE_CHECKING:
    from csp_sudoku.pictures.margin import Clue as Clue
    from csp_sudoku.pictures.margin import DiagonalClue as DiagonalClue
    from csp_sudoku.pictures.marks import Arrow as Arrow
    from csp_sudoku.pictures.marks import Cage as Cage
    from csp_sudoku.pictures.marks import Line as Line
    from csp_sudoku.pictures.marks import Mark as Mark
    from csp_sudoku.pictures.marks import Note as Note
    from csp_sudoku.pictures.marks import Pill as Pill
    from csp_sudoku.pictures.marks import Sentence as Sentence
    from csp_sudoku.pictures.marks import Shade as Shade
    from csp_sudoku.pictures.marks import Shape as Shape
    from csp_sudoku.pictures.marks import marks_of as marks_of
    from csp_sudoku.pictures.marks import sentence as sentence
    from csp_sudoku.pictures.signs import Chevron as Chevron
    from csp_sudoku.pictures.signs import Corner as Corner
    from csp_sudoku.pictures.signs import Dot as Dot
    from csp_sudoku.pictures.signs import Wedges as Wedges
else:
    from csp_sudoku._later import attach

    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "csp_sudoku.pictures.margin": "Clue DiagonalClue",
            "csp_sudoku.pictures.marks": (
                "Arrow Cage Line Mark Note Pill Sentence Shade Shape marks_of sentence"
            ),
            "csp_sudoku.pictures.signs": "Chevron Corner Dot Wedges",
        },
    )
