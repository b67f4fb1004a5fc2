"""Reading and writing puzzles: text, files, nested lists, arrays and JSON documents.

``recognition`` reads whatever holds a puzzle · ``sources`` gets text from files · ``texts`` grids
as text and as lists · ``opensudoku`` ``json_lines`` files with many puzzles · ``document``
``fields`` ``strict_json`` our own JSON documents · ``answers`` the grid in an answer ·
``described`` puzzles in words.

Formats of other programs: ``fpuzzles`` · ``sudokupad`` · ``sudokumaker`` · ``iss`` (Interactive
Sudoku Solver) · ``sudokuwiki`` · ``penpa`` · ``refused`` links that hold no puzzle; ``downloads``
fetches what a link only names. Each recognises, reads and perhaps writes texts. Every rule says
itself how it is written there (:mod:`csp_sudoku.forms`); ``tables`` interprets that, ``entries``
has the shapes of JSON entries. ``reading`` is what reading gives, ``origins`` where each rule comes
from; ``drawn`` takes the pictures of documents to :mod:`csp_sudoku.understanding`; ``links``
``lzstring`` ``loose`` help.
"""

from typing import TYPE_CHECKING

# The imports for type checkers are written from the table below: python tests/test_start_up.py
if TYPE_CHECKING:
    from csp_sudoku.formats.answers import read_answer as read_answer
    from csp_sudoku.formats.described import describe as describe
    from csp_sudoku.formats.document import schema as schema
    from csp_sudoku.formats.document import write_json as write_json
    from csp_sudoku.formats.fpuzzles import write_fpuzzles as write_fpuzzles
    from csp_sudoku.formats.fpuzzles import write_link as write_link
    from csp_sudoku.formats.iss import write_iss as write_iss
    from csp_sudoku.formats.reading import NotUnderstood as NotUnderstood
    from csp_sudoku.formats.reading import Progress as Progress
    from csp_sudoku.formats.reading import Reading as Reading
    from csp_sudoku.formats.recognition import read as read
    from csp_sudoku.formats.recognition import read_grid as read_grid
    from csp_sudoku.formats.recognition import read_many as read_many
    from csp_sudoku.formats.recognition import read_with_notes as read_with_notes
    from csp_sudoku.formats.sudokumaker import write_sudokumaker as write_sudokumaker
    from csp_sudoku.formats.sudokupad.scl import write_scl as write_scl
    from csp_sudoku.formats.texts.text import DIALECTS as DIALECTS
    from csp_sudoku.formats.texts.writing import write_text as write_text
else:
    from csp_sudoku._later import attach

    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "csp_sudoku.formats.answers": "read_answer",
            "csp_sudoku.formats.described": "describe",
            "csp_sudoku.formats.document": "schema write_json",
            "csp_sudoku.formats.fpuzzles": "write_fpuzzles write_link",
            "csp_sudoku.formats.iss": "write_iss",
            "csp_sudoku.formats.reading": "NotUnderstood Progress Reading",
            "csp_sudoku.formats.recognition": "read read_grid read_many read_with_notes",
            "csp_sudoku.formats.sudokumaker": "write_sudokumaker",
            "csp_sudoku.formats.sudokupad.scl": "write_scl",
            "csp_sudoku.formats.texts.text": "DIALECTS",
            "csp_sudoku.formats.texts.writing": "write_text",
        },
    )
