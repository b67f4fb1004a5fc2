"""What fuzzing has found: every puzzle that ever showed a fault, examined with all there is.

A file is what ``csp-sudoku fuzz`` wrote, renamed to say what was wrong.
"""

from pathlib import Path

import pytest

import csp_sudoku as cs
from csp_sudoku.fuzzing.findings import replay

FILES = sorted(Path(__file__).parent.glob("*.json"))


def test_there_are_some():
    assert FILES


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_does_not_come_back(path):
    assert replay(path) == []


def test_what_shared_cells_cannot_keep_is_refused_at_once():
    # It was refused only when its rule was asked, though each grid has a middle value.
    grids = [cs.Grid(2, 2, values, top=t, left=t) for t, values in ((0, (1, 2, 3)), (1, (2, 3, 4)))]
    with pytest.raises(cs.ConstraintError, match="2 values have no middle one"):
        cs.Puzzle.overlapping(grids).add(cs.DutchFlatmates())


def test_text_does_not_lose_what_is_given_elsewhere():
    named = cs.Puzzle.blank(4).with_named("x", (1, 2, 3)).with_givens({"$x": 2})
    for form in ("line", "matrix", "candidates"):
        with pytest.raises(cs.FormatError, match="x is given, which text cannot hold"):
            cs.write_text(named, form=form)


def test_a_source_that_states_nothing_is_not_disputed():
    # A rule that nobody can keep was said to be broken by the stated solution.
    impossible = cs.Puzzle.blank(4).add(cs.GreaterThan("R1C1 R1C1"))
    assert cs.verify(impossible, "1... .... .... ....").disputes == ()
