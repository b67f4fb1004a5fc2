"""Reading and writing puzzles: text, files, nested lists, arrays and JSON documents.

``recognition`` the way in · ``sources`` from files to text · ``text`` ``rows`` ``values``
``shapes`` grids as text and as lists · ``several`` ``opensudoku`` files with many grids ·
``document`` ``fields`` ``strict_json`` JSON documents · ``writing`` grids to text.

What other programs write: ``fpuzzles`` · ``sudokupad`` ``scl`` · ``sudokumaker`` · ``iss``
Interactive Sudoku Solver · ``refused`` links that hold no puzzle. Each of these recognises and
reads a text; ``reading`` is what that gives, ``links`` ``lzstring`` ``loose`` ``rules_text`` help.
"""

from csp_sudoku.formats.document import schema, write_json
from csp_sudoku.formats.fpuzzles import write as write_fpuzzles
from csp_sudoku.formats.fpuzzles import write_link
from csp_sudoku.formats.reading import Reading
from csp_sudoku.formats.recognition import read, read_grid, read_many, read_with_notes
from csp_sudoku.formats.text import DIALECTS
from csp_sudoku.formats.writing import write_text

__all__ = [
    "DIALECTS",
    "Reading",
    "read",
    "read_grid",
    "read_many",
    "read_with_notes",
    "schema",
    "write_fpuzzles",
    "write_json",
    "write_link",
    "write_text",
]
