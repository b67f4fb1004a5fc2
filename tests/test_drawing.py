"""Drawings of grids of every kind."""

import io

import pytest
from rich.console import Console

import csp_sudoku as cs
from csp_sudoku import drawing

NINE = tuple(range(1, 10))


def overlapping(*corners):
    return cs.Puzzle.overlapping(
        cs.Grid(4, 4, (1, 2, 3, 4), box=(2, 2), top=top, left=left) for top, left in corners
    )


@pytest.mark.parametrize(
    ("puzzle", "wanted"),
    [
        (cs.Puzzle.blank(1), """
┌───┐
│ . │
└───┘"""),
        (cs.Puzzle.blank(4).with_givens({"R1C1": 1, "R4C3": 3}), """
┌─────┬─────┐
│ 1 . │ . . │
│ . . │ . . │
├─────┼─────┤
│ . . │ . . │
│ . . │ 3 . │
└─────┴─────┘"""),
        (cs.Puzzle.blank(2, 3, box=None, values=[-1, 10]).with_givens({"R1C1": -1}), """
┌──────────┐
│ -1  .  . │
│  .  .  . │
└──────────┘"""),
        # Irregular regions: lines stand where two regions meet, and nowhere else.
        (cs.Puzzle.blank(3, regions="AAB ABB CCC"), """
┌───────┬───┐
│ .   . │ . │
│   ┌───┘   │
│ . │ .   . │
├───┴───────┤
│ .   .   . │
└───────────┘"""),
        # All columns are equally wide, also where no line runs.
        (cs.Puzzle.blank(4, regions="AAAA BBBB CCDD CCDD"), """
┌───────────────┐
│ .   .   .   . │
├───────────────┤
│ .   .   .   . │
├───────┬───────┤
│ .   . │ .   . │
│ .   . │ .   . │
└───────┴───────┘"""),
        # Cells of no region have lines around them too.
        (cs.Puzzle.blank(3, regions="AAA A.A AAA"), """
┌───────────┐
│ .   .   . │
│   ┌───┐   │
│ . │ . │ . │
│   └───┘   │
│ .   .   . │
└───────────┘"""),
        # Grids that share a box.
        (overlapping((0, 0), (2, 2)), """
┌─────┬─────┐
│ . . │ . . │
│ . . │ . . │
├─────┼─────┼─────┐
│ . . │ . . │ . . │
│ . . │ . . │ . . │
└─────┼─────┼─────┤
      │ . . │ . . │
      │ . . │ . . │
      └─────┴─────┘"""),
        # Grids far apart stand near each other in the drawing.
        (overlapping((0, 0), (8000, 0)), """
┌─────┬─────┐
│ . . │ . . │
│ . . │ . . │
├─────┼─────┤
│ . . │ . . │
│ . . │ . . │
└─────┴─────┘

┌─────┬─────┐
│ . . │ . . │
│ . . │ . . │
├─────┼─────┤
│ . . │ . . │
│ . . │ . . │
└─────┴─────┘"""),
    ],
)  # fmt: skip
def test_drawings(puzzle, wanted):
    assert drawing.draw(puzzle) == wanted.removeprefix("\n")


@pytest.mark.parametrize("side", [4, 6, 8, 9, 12, 16, 25, 64])
def test_a_drawing_of_any_size_is_a_rectangle(side):
    lines = drawing.draw(cs.Puzzle.blank(side)).split("\n")
    height, width = cs.Puzzle.blank(side).grids[0].box
    assert len({len(line) for line in lines}) == 1
    assert len(lines) == side + side // height + 1
    assert lines[0].count("┬") == side // width - 1


def test_plain_characters_where_others_cannot_be_shown():
    text = drawing.draw(cs.Puzzle.blank(3, regions="AAB ABB CCC"), signs=drawing.ASCII)
    assert text.isascii()
    assert text.split("\n")[2] == "|   +---+   |"


def terminal(puzzle, solution, **settings):
    out = io.StringIO()
    Console(file=out, force_terminal=True, **settings).print(drawing.styled(puzzle, solution))
    return out.getvalue()


def test_givens_and_found_values_look_different():
    puzzle = cs.read("0100 3001 4002 0040")
    solution = cs.solve(puzzle, "brute").solutions[0]
    shown = terminal(puzzle, solution, color_system="standard")
    assert "\x1b[1m1\x1b[0m" in shown  # the given 1 of R1C2 is bold
    assert "\x1b[32m2\x1b[0m" in shown  # the found 2 of R1C1 is green
    assert "\x1b[32m" not in terminal(puzzle, solution, color_system="standard", no_color=True)
