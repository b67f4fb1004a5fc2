"""From hand-made pictures to figures: what is drawn, and on which cells."""

from itertools import permutations

import pytest

import csp_sudoku as cs
from csp_sudoku.understanding.canvas import Canvas, Outline, Shape, Stroke
from csp_sudoku.understanding.figures import figures, joined_lines

GREY, BLACK, WHITE, GREEN = "#aaaaaa", "#000000", "#ffffff", "#67f067"


def cell(name):
    row, column = name[1:].split("C")
    return cs.Cell(int(row) - 1, int(column) - 1)


def centre(name):
    place = cell(name)
    return place.row + 0.5, place.col + 0.5


def line(names, colour=GREY, **fields):
    return Stroke(tuple(map(centre, names.split())), colour, **fields)


def circle(at, size=0.8, fill=GREY, **fields):
    return Shape(centre(at) if isinstance(at, str) else at, size, size, True, fill, **fields)


def found(*drawn, side=6):
    def of(kind):
        return tuple(item for item in drawn if isinstance(item, kind))

    return figures(Canvas(side, side, of(Stroke), of(Shape), of(Outline)))


def summary(*drawn, **fields):
    return sorted((f.kind, " ".join(map(str, f.cells))) for f in found(*drawn, **fields))


def test_a_line_has_all_cells_between_its_corners():
    assert summary(line("R1C1 R1C4 R3C2")) == [("line", "R1C1 R1C2 R1C3 R1C4 R2C3 R3C2")]


def test_a_thermometer_begins_at_its_bulb():
    assert summary(line("R1C4 R1C1"), circle("R1C1")) == [("thermometer", "R1C1 R1C2 R1C3 R1C4")]


def test_each_branch_of_a_thermometer_begins_at_the_bulb():
    drawn = (line("R1C1 R1C4"), line("R1C3 R3C3"), circle("R1C1"))
    assert summary(*drawn) == [
        ("thermometer", "R1C1 R1C2 R1C3 R1C4"),
        ("thermometer", "R1C1 R1C2 R1C3 R2C3 R3C3"),
    ]


def test_a_bulb_of_another_colour_is_a_mark():
    kinds = [kind for kind, _ in summary(line("R1C1 R1C3"), circle("R1C1", fill=GREEN))]
    assert kinds == ["cell", "line"]


def test_circles_at_both_ends_belong_to_the_line():
    [figure] = found(line("R1C1 R1C3"), circle("R1C1", fill=WHITE, border=GREY),
                     circle("R1C3", fill=WHITE, border=GREY))  # fmt: skip
    assert (figure.kind, figure.form) == ("line", "circle")


def test_an_arrow_with_a_circle():
    [figure] = found(line("R1C1 R1C3", head=True), circle("R1C1", fill=WHITE, border=GREY))
    assert (figure.kind, figure.form) == ("arrow", "circle")
    assert figure.heads == (cell("R1C1"),)
    assert figure.cells == (cell("R1C2"), cell("R1C3"))


def test_an_arrow_with_a_pill():
    pill = Shape((0.5, 1.0), 1.8, 0.8, True, WHITE, GREY)
    [figure] = found(line("R1C2 R3C2", head=True), pill)
    assert (figure.kind, figure.form) == ("arrow", "pill")
    assert figure.heads == (cell("R1C1"), cell("R1C2"))
    assert figure.cells == (cell("R2C2"), cell("R3C2"))


@pytest.mark.parametrize(("fill", "colour"), [(WHITE, "white"), (BLACK, "black")])
def test_dots_lie_between_two_cells(fill, colour):
    [beside] = found(circle((0.5, 1.0), 0.3, fill, border=BLACK))
    assert (beside.kind, beside.form, beside.cells) == (
        "edge",
        "circle",
        (cell("R1C1"), cell("R1C2")),
    )
    assert colour in beside.colours
    [below] = found(circle((1.0, 0.5), 0.3, fill, border=BLACK))
    assert below.cells == (cell("R1C1"), cell("R2C1"))


@pytest.mark.parametrize("letter", ["X", "V"])
def test_letters_between_cells(letter):
    [figure] = found(Shape((1.5, 2.0), 0.3, 0.3, fill=WHITE, text=letter))
    assert (figure.kind, figure.text) == ("edge", letter)
    assert figure.cells == (cell("R2C2"), cell("R2C3"))


@pytest.mark.parametrize(
    ("points", "pair"),
    [
        (((0.4, 0.95), (0.5, 1.05), (0.6, 0.95)), "R1C1 R1C2"),  # >
        (((0.4, 1.05), (0.5, 0.95), (0.6, 1.05)), "R1C2 R1C1"),  # <
        (((0.95, 0.4), (1.05, 0.5), (0.95, 0.6)), "R1C1 R2C1"),  # v
        (((1.05, 0.4), (0.95, 0.5), (1.05, 0.6)), "R2C1 R1C1"),  # ^
    ],
)
def test_a_chevron_points_at_its_last_cell(points, pair):
    assert summary(Stroke(points, BLACK)) == [("sign", pair)]


@pytest.mark.parametrize("at", [0.05, 0.4, 0.95, 1.25, 1.4, 5.95, 6.05])
def test_a_chevron_is_a_sign_near_a_side_that_two_cells_share(at):
    """In the middle of a cell it is none, and at the edge of the grid neither."""
    is_sign = 0.7 < at < 1.3
    down = ((at - 0.1, 0.4), (at, 0.5), (at - 0.1, 0.6))
    for points in (down, tuple((x, y) for y, x in down)):
        assert (summary(Stroke(points, BLACK))[0][0] == "sign") == is_sign


def test_written_inequality_signs():
    assert summary(Shape((0.5, 1.0), text=">")) == [("sign", "R1C1 R1C2")]
    assert summary(Shape((0.5, 1.0), text="<")) == [("sign", "R1C2 R1C1")]
    assert summary(Shape((1.0, 0.5), text=">", angle=90)) == [("sign", "R1C1 R2C1")]


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_full_turns_change_no_sign(angle):
    at = (1.0, 0.5) if angle % 180 else (0.5, 1.0)
    said = summary(Shape(at, text=">", angle=angle))
    assert said[0][0] == "sign"
    for turns in (-2, -1, 1, 2):
        assert summary(Shape(at, text=">", angle=angle + 360 * turns)) == said


def test_only_an_arrow_may_begin_beside_a_centre():
    """Its first point lies on a circle; a line goes from centre to centre."""
    points = ((0.7, 0.8), (2.5, 2.5))
    assert summary(Stroke(points, GREY, head=True))[0][0] == "arrow"
    assert summary(Stroke(points, GREY))[0][0] == "other"


def test_a_quadruple_lies_on_a_corner():
    [figure] = found(circle((1.0, 1.0), 0.6, WHITE, border=BLACK, text="1 2"))
    assert (figure.kind, figure.text) == ("corner", "1 2")
    assert " ".join(map(str, figure.cells)) == "R1C1 R1C2 R2C1 R2C2"


def test_cages():
    pair = (cell("R1C1"), cell("R1C2"))
    [figure] = found(Outline(pair, "7", True))
    assert (figure.kind, figure.cells, figure.text, figure.unique) == ("cage", pair, "7", True)


def test_a_clue_outside_with_a_diagonal_arrow():
    clue = Shape((-0.5, 1.5), text="9")
    pointer = Stroke(((-0.3, 1.7), (0.2, 2.2)), BLACK, head=True)
    [figure] = found(clue, pointer)
    assert (figure.kind, figure.text, figure.pointing) == ("outside", "9", [(1, 1)])
    [plain] = found(clue)
    assert plain.heads == ()
    assert plain.line_beside(cs.Puzzle.blank(6).grids[0]) == ("C2", False)


LINES = {
    "a trunk and its branch": ["R1C1 R1C5", "R1C3 R3C3"],
    "two ends": ["R1C1 R1C3", "R1C3 R3C3"],
    "a chain": ["R1C1 R1C3", "R2C2 R1C2", "R4C4 R2C2"],
    "three branches": ["R3C1 R3C6", "R1C2 R3C2", "R3C4 R5C4", "R5C4 R6C4"],
}


@pytest.mark.parametrize("name", LINES)
def test_lines_that_meet_are_one_in_whatever_order_and_direction_they_are_drawn(name):
    for drawn in permutations(LINES[name]):
        turned = [" ".join(each.split()[::-1]) if i % 2 else each for i, each in enumerate(drawn)]
        for some in (drawn, turned):
            [joined] = joined_lines(found(*map(line, some)))
            assert {*joined.cells} == {
                c for each in some for f in found(line(each)) for c in f.cells
            }


@pytest.mark.parametrize("other", ["R2C1 R2C5", "R1C6 R3C6", "R3C2 R1C4"])
def test_lines_that_cross_or_pass_each_other_are_two(other):
    crossed = [figure for figure in found(line("R1C3 R3C3"), line(other)) if figure.kind == "line"]
    assert len(joined_lines(crossed)) == 2


def test_a_loop_repeats_its_first_cell():
    [figure] = found(line("R1C1 R1C3 R3C3 R3C1 R1C1"))
    assert figure.loop
    assert len(figure.cells) == 9
    [other] = found(line("R1C1 R1C3"))
    assert not other.loop


def test_a_line_drawn_twice_is_one_line_with_two_colours():
    [figure] = found(line("R1C1 R1C3", BLACK), line("R1C3 R1C1", GREEN))
    assert figure.kind == "line"
    assert {"black", "green"} <= figure.colours


def test_a_diagonal_of_the_grid():
    [kind] = [f.kind for f in found(Stroke(((0, 0), (6, 6)), GREY))]
    assert kind == "diagonal"


def test_everything_is_in_some_figure():
    drawn = [Stroke(((0.2, 0.3), (7.1, 2.2)), GREEN), Shape((0.3, 0.7), 0.1, 0.1, fill=GREEN)]
    assert [kind for kind, _ in summary(*drawn)] == ["other", "other"]
