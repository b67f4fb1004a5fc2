"""Canonical forms: puzzles that are the same up to symmetry, and duplicates among many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from csp_encodings.canonical import Form, Structure, Value
from csp_sudoku.cells import Cell
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.puzzle import Puzzle, of_rules, shared_rules_graph
from csp_sudoku.solving.answers import refuse_left_out
from csp_sudoku.solving.query import check_items


@dataclass(frozen=True)
class Canonical:
    """What :func:`canonical` finds. Two of them are equal exactly if their puzzles are equivalent.

    Attributes
    ----------
    key
        The same text for equivalent puzzles, and for no others.
    puzzle
        The representative: one puzzle for all that are equivalent. There is one for grids with
        givens and without further rules; else None.
    """

    key: str
    puzzle: Puzzle | None = field(compare=False)


def canonical(puzzle: object) -> Canonical:
    """Find the canonical form of a puzzle: equal for puzzles that are the same up to symmetry.

    Puzzles are equivalent if their cells can be renamed so that all rules and givens of the one
    become those of the other. For a classic puzzle these are the permutations of bands, stacks,
    rows and columns, and the transposition. Values may be renamed, too, as far as the rules allow:
    any relabelling if they only say what differs, upside down for thermometers. Where a rule
    counts, as a sum does, values keep their names.

    Rules with sums, cages or lines are compared as they are compiled. Equal keys always mean
    equivalent puzzles. Two equivalent puzzles get different keys only if a rule was written in two
    ways that mean the same.

    Raises
    ------
    UndecidedError
        If rules of the puzzle were left out when it was read.
    BudgetError
        If the puzzle is too large or too regular.

    Examples
    --------
    >>> from csp_sudoku import write_text
    >>> puzzle, renamed, other = "0100300140020040", "0200300240010040", "0100300140020000"
    >>> canonical(puzzle) == canonical(renamed), canonical(puzzle) == canonical(other)
    (True, False)
    >>> turned = puzzle[::-1]
    >>> write_text(canonical(turned).puzzle) == write_text(canonical(puzzle).puzzle)
    True
    """
    question = as_puzzle(puzzle)
    refuse_left_out(question)
    structure = _structure(question)
    form = structure.form(dict(question.candidates))
    return Canonical(form.key, _representative(question, structure, form))


def duplicates(puzzles: Iterable[object]) -> list[list[int]]:
    """Find equivalent puzzles: lists of places, counted from 0, each with at least two.

    Examples
    --------
    >>> duplicates(["0100 3001 4002 0040", "1" + "0" * 15, "0200 3002 4001 0040"])
    [[0, 2]]
    """
    groups: dict[str, list[int]] = {}
    for place, puzzle in enumerate(check_items("puzzles", puzzles, "puzzles")):
        groups.setdefault(canonical(puzzle).key, []).append(place)
    return [group for group in groups.values() if len(group) > 1]


@of_rules
def _structure(rules: Puzzle) -> Structure:
    return Structure(shared_rules_graph(rules))


def _representative(puzzle: Puzzle, structure: Structure, form: Form) -> Puzzle | None:
    """Return the puzzle with its lines and values in canonical order."""
    grid = puzzle.grids[0]
    if len(puzzle.grids) > 1 or puzzle.constraints or grid.regions:
        return None
    if len(puzzle.variables) > len(puzzle.cells) or min(grid.rows, grid.columns) < 2:
        return None
    if not (grid.row_houses and grid.column_houses):
        return None
    height, width = grid.box or (1, 1)
    rows = [grid.row(i) for i in range(grid.rows)]
    columns = [grid.column(i) for i in range(grid.columns)]
    in_rows, first_row = _ordered(rows, height, structure, form)
    in_columns, first_column = _ordered(columns, width, structure, form)
    if (grid.rows, height) == (grid.columns, width) and first_column < first_row:
        rows, in_rows, in_columns = columns, in_columns, in_rows
    old = [rows[i][j] for i in in_rows for j in in_columns]
    held = dict(puzzle.candidates)
    moved = {new: held[place] for new, place in zip(grid.cells, old, strict=True) if place in held}
    # Values that are given come first, in the order of the cells.
    given = dict.fromkeys(values[0] for values in moved.values() if len(values) == 1)
    vertices = structure.names
    rest = sorted(grid.values, key=lambda value: form.place[vertices[Value(value)]])
    in_order = [*given, *[value for value in rest if value not in given]]
    renamed = dict(zip(in_order, grid.values, strict=True))
    return puzzle.without_givens().with_givens(
        {place: [renamed[value] for value in values] for place, values in moved.items()}
    )


def _ordered(
    lines: Sequence[Sequence[Cell]], band: int, structure: Structure, form: Form
) -> tuple[list[int], int]:
    """Return the canonical order of rows or columns, and the place of the first of them."""
    places = []
    for line in lines:
        members = frozenset(structure.names[place] for place in line)
        places.append(int(form.place[structure.differences[members, 0]]))
    bands = [range(i, min(i + band, len(lines))) for i in range(0, len(lines), band)]
    bands.sort(key=lambda members: min(places[i] for i in members))
    order = [i for members in bands for i in sorted(members, key=places.__getitem__)]
    return order, min(places)
