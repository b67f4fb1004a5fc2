"""Write puzzles for other programs, and read their answers as verified solutions."""

from __future__ import annotations

import reprlib

from csp_encodings.errors import BudgetError as EncodingBudgetError
from csp_encodings.errors import EncodingError
from csp_encodings.export import FORMATS, Exported
from csp_encodings.export import export as export_graph
from csp_sudoku.checking.verify import verify
from csp_sudoku.errors import BudgetError, FormatError, WrongAnswerError
from csp_sudoku.formats import read
from csp_sudoku.puzzle import shared_graph
from csp_sudoku.solving.solution import Solution


def export(puzzle: object, to: str) -> Exported:
    """Write a puzzle for another program.

    ``text`` or ``lines()`` of the result is the file; ``read`` reads the program's answer.

    Parameters
    ----------
    puzzle
        A :class:`Puzzle`, or anything :func:`read` takes.
    to
        ``cnf``, ``cnf+``, ``opb``, ``lp``, ``mps``, ``xcc``, ``minizinc``, ``cpsat``, ``graphml``
        or ``json``.

    Examples
    --------
    >>> export("0100 3001 4002 0040", "xcc").text.splitlines()[-1]
    'R4C4 factor_3_has_4 factor_7_has_4 factor_11_has_4'
    """
    if not isinstance(to, str) or to not in FORMATS:
        raise FormatError(f"no format is called {reprlib.repr(to)}; there are {', '.join(FORMATS)}")
    try:
        return export_graph(shared_graph(read(puzzle)), to)
    except EncodingBudgetError as error:
        raise BudgetError(f"export to {to}: {error}") from None


def import_answer(puzzle: object, to: str, answer: str) -> list[Solution] | None:
    """Read another program's answer to an exported puzzle.

    Returns the solutions, each verified by the rules; an empty list if the program says that there
    is none; None if it does not know. Raises :class:`FormatError` if the text is not an answer, and
    :class:`WrongAnswerError` if a solution breaks a rule.

    Examples
    --------
    >>> from csp_sudoku import Puzzle
    >>> answer = "s SATISFIABLE\\nv 1 0"
    >>> [solution.text for solution in import_answer(Puzzle.blank(1), "cnf", answer)]
    ['1']
    """
    wanted = read(puzzle)
    if not isinstance(answer, str):
        raise FormatError(f"answer to {to}: must be text, not {reprlib.repr(answer)}")
    try:
        said = export(wanted, to).read(answer)
    except EncodingError as error:
        raise FormatError(f"answer to {to}: {error}") from None
    if said.satisfiable is None:
        return None
    solutions = []
    for assignment in said.assignments:
        for place in wanted.variables:
            if place not in assignment:
                raise FormatError(f"answer to {to}: there is no value for {place}")
        found = verify(wanted, assignment)
        if found.violations:
            raise WrongAnswerError(f"the answer breaks a rule: {found.violations[0]}")
        solutions.append(Solution(assignment, wanted))
    return solutions
