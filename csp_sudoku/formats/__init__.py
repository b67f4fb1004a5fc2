"""Reading and writing puzzles: text, files, nested lists, arrays and JSON documents.

``recognition`` the way in · ``sources`` from files to text · ``text`` ``rows`` ``values``
``shapes`` grids as text and as lists · ``several`` ``opensudoku`` files with many grids ·
``document`` ``fields`` ``strict_json`` JSON documents · ``writing`` grids to text.

What other programs write: ``fpuzzles`` · ``sudokupad`` ``scl`` · ``sudokumaker`` · ``iss``
Interactive Sudoku Solver · ``refused`` links that hold no puzzle. Each of these recognises and
reads a text; ``reading`` is what that gives, ``links`` ``lzstring`` ``loose`` ``rules_text`` help.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from csp_sudoku.formats.document import schema as schema
    from csp_sudoku.formats.document import write_json as write_json
    from csp_sudoku.formats.fpuzzles import write_fpuzzles as write_fpuzzles
    from csp_sudoku.formats.fpuzzles import write_link as write_link
    from csp_sudoku.formats.reading import Reading as Reading
    from csp_sudoku.formats.recognition import read as read
    from csp_sudoku.formats.recognition import read_grid as read_grid
    from csp_sudoku.formats.recognition import read_many as read_many
    from csp_sudoku.formats.recognition import read_with_notes as read_with_notes
    from csp_sudoku.formats.text import DIALECTS as DIALECTS
    from csp_sudoku.formats.writing import write_text as write_text
else:
    from csp_sudoku._later import attach

    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "csp_sudoku.formats.document": "schema write_json",
            "csp_sudoku.formats.fpuzzles": "write_fpuzzles write_link",
            "csp_sudoku.formats.reading": "Reading",
            "csp_sudoku.formats.recognition": "read read_grid read_many read_with_notes",
            "csp_sudoku.formats.text": "DIALECTS",
            "csp_sudoku.formats.writing": "write_text",
        },
    )
