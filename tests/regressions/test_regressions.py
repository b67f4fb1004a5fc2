"""What fuzzing has found: every puzzle that ever showed a fault, examined with all there is.

A file is what ``csp-sudoku fuzz`` wrote, renamed to say what was wrong.
"""

from pathlib import Path

import pytest

from csp_sudoku.fuzzing.findings import replay

FILES = sorted(Path(__file__).parent.glob("*.json"))


def test_there_are_some():
    assert FILES


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_does_not_come_back(path):
    assert replay(path) == []
