"""Drawings of grids of every kind."""

import io

import pytest
from rich.console import Console

import csp_sudoku as cs
from csp_sudoku.pictures import terminal

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
        # Cages: broken lines, with their sums above their first cells.
        (cs.Puzzle.blank(4).add(cs.KillerCage("R1C2 R2C2 R2C3", 9), cs.KillerCage("R4C1 R4C2")), """
┌───┬9──┬───────┐
│ . ╎ . │ .   . │
│   ╎   ├╌╌╌┐   │
│ . ╎ . │ . ╎ . │
├───┴───┼───┴───┤
│ .   . │ .   . │
├╌╌╌╌╌╌╌┤       │
│ .   . │ .   . │
└───────┴───────┘"""),
        # Cages that overlap, on an irregular grid; columns are as wide as the longest sum.
        (cs.Puzzle.blank(2, regions="AB AB").add(
            cs.KillerCage("R1C1 R1C2", 3), cs.KillerCage("R1C1 R2C1", [3, 13])), """
┌3 3/13┬──────┐
│    . │    . │
├╌╌╌╌╌╌┼╌╌╌╌╌╌┤
│    . │    . │
└──────┴──────┘"""),
        # Signs between cells; the tips of wedges point at the smaller cell.
        (cs.Puzzle.blank(4).add(
            cs.Difference("R1C1 R1C2", 1), cs.Ratio("R1C2 R1C3", 2), cs.Ratio("R1C1 R2C1", 2),
            cs.GreaterThan("R3C1 R3C2"), cs.GreaterThan("R4C3 R3C3"), cs.PairSum("R2C4 R3C4", 5),
            cs.GreaterThan("R1C4 R2C4"), cs.NotEqual("R4C3 R4C4"),
            cs.PairSum("R4C1 R4C2", 7), cs.Ratio("R1C1 R4C4", 2)), """
┌───────┬───────┐
│ . ○ . ● .   . │
│ ●     │     ∨ │
│ .   . │ .   . │
├───────┼─────V─┤
│ . > . │ .   . │
│       │ ∧     │
│ .   . │ . ≠ . │
└───────┴───────┘"""),
        # Grids without boxes still show where they end.
        (cs.Puzzle.overlapping(cs.Grid(2, 2, (1, 2), top=i, left=i) for i in (0, 1)), """
┌───────┐
│ .   . │
│   ┌───┼───┐
│ . │ . │ . │
└───┼───┘   │
    │ .   . │
    └───────┘"""),
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
    assert terminal.draw(puzzle) == wanted.removeprefix("\n")


@pytest.mark.parametrize("side", [4, 6, 8, 9, 12, 16, 25, 64])
def test_a_drawing_of_any_size_is_a_rectangle(side):
    lines = terminal.draw(cs.Puzzle.blank(side)).split("\n")
    height, width = cs.Puzzle.blank(side).grids[0].box
    assert len({len(line) for line in lines}) == 1
    assert len(lines) == side + side // height + 1
    assert lines[0].count("┬") == side // width - 1


def test_plain_characters_where_others_cannot_be_shown():
    text = terminal.draw(cs.Puzzle.blank(3, regions="AAB ABB CCC"), signs=terminal.ASCII)
    assert text.isascii()
    assert text.split("\n")[2] == "|   +---+   |"


def printed(puzzle, solution, **settings):
    out = io.StringIO()
    Console(file=out, force_terminal=True, **settings).print(terminal.styled(puzzle, solution))
    return out.getvalue()


def test_givens_and_found_values_look_different():
    puzzle = cs.read("0100 3001 4002 0040")
    solution = cs.solve(puzzle, "brute").solutions[0]
    shown = printed(puzzle, solution, color_system="standard")
    assert "\x1b[1m1\x1b[0m" in shown  # the given 1 of R1C2 is bold
    assert "\x1b[32m2\x1b[0m" in shown  # the found 2 of R1C1 is green
    assert "\x1b[32m" not in printed(puzzle, solution, color_system="standard", no_color=True)


def test_candidates_fill_the_open_cells():
    puzzle = cs.read("0100 3001 4002 0040")
    marks = terminal.pencil_marks(puzzle)
    assert terminal.draw(puzzle, candidates=marks).split("\n")[1:3] == [
        "│  2  1 │ 23 34 │",
        "│  3 24 │  2  1 │",
    ]
    # Those of a value that is placed now are gone; two digits need a comma; none is a dash.
    filled = terminal.pencil_marks(puzzle, puzzle.givens | {cs.cell("R1C1"): 2})
    assert cs.cell("R1C1") not in filled
    assert filled[cs.cell("R1C3")] == (3,)
    wide = cs.Puzzle.blank(2, values=[1, 12])
    shown = terminal.draw(wide, candidates={cs.cell("R1C1"): (1, 12), cs.cell("R2C1"): ()})
    assert shown.split("\n")[1:3] == ["│ 1,12 . │", "│    - . │"]


@pytest.mark.parametrize("side", [9, 16, 25])
def test_drawings_with_cages_and_candidates_are_rectangles(side):
    puzzle = cs.Puzzle.blank(side).add(cs.KillerCage("R1C1 R1C2 R2C2", 100), cs.KillerCage("R3C3"))
    for marks in (None, terminal.pencil_marks(puzzle)):
        lines = terminal.draw(puzzle, candidates=marks).split("\n")
        assert len({len(line) for line in lines}) == 1


def test_cages_in_plain_characters():
    text = terminal.draw(cs.Puzzle.blank(2).add(cs.KillerCage("R1C1", 1)), signs=terminal.ASCII)
    assert text.split("\n") == [
        "+1--+---+",
        "| . : . |",
        "+...+   |",
        "| .   . |",
        "+-------+",
    ]


def test_signs_in_plain_characters():
    rules = [cs.NotEqual("R1C1 R1C2"), cs.Difference("R1C1 R2C1", 1)]
    text = terminal.draw(cs.Puzzle.blank(2).add(*rules), signs=terminal.ASCII)
    assert text.split("\n")[1:4] == ["| . ! . |", "| o     |", "| .   . |"]


def test_a_rule_of_ones_own_has_its_cage():
    class Own(cs.KillerCage):
        name = "own-cage"

    assert "┌9──" in terminal.draw(cs.Puzzle.blank(4).add(Own("R1C1 R1C2", 9)))
