"""From rules to marks: every rule is drawn, or written under the picture."""

from dataclasses import dataclass
from xml.etree import ElementTree

import pytest

import csp_sudoku as cs
from csp_sudoku.constraints.aspects import Look
from csp_sudoku.constraints.registry import built_in
from csp_sudoku.pictures.marks import Cage, Line, Sentence, Shade, marks_of
from csp_sudoku.pictures.signs import Dot

SVG = "{http://www.w3.org/2000/svg}"
FOUR = cs.Puzzle.blank(4)

# Rules that no mark can show: they hold all over the grid, or for rules.
WRITTEN = {
    "anti-king", "anti-knight", "cave", "chess-offset", "connected-values",
    "diagonal-nonconsecutive",
    "disjoint-groups", "doppelganger", "doublers", "dutch-flatmates", "full-rank-ties",
    "global-entropy", "global-modulo", "knightmare", "layer-different", "layer-whisper", "loop",
    "negative-kropki", "negative-xv", "negators",
    "no-two-by-two", "nonconsecutive", "not", "or", "queen", "regions-to-find", "same-value-houses",
    "self-taxicab", "taxicab",
    "at-least", "at-most", "exactly", "implies", "stars", "unmarked", "value-modifiers",
    "yin-yang", "edge-loop",
}  # fmt: skip


def puzzle_with(rule):
    """A small grid that the rule fits into."""
    try:
        return FOUR.add(rule)
    except cs.CspSudokuError:
        return cs.Puzzle.blank(4, box=(2, 2), values=range(-2, 10)).add(rule)


def texts(svg):
    return ["".join(item.itertext()) for item in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("name", sorted(built_in()))
def test_every_rule_is_drawn_or_written(name):
    examples = built_in()[name].examples()
    assert examples
    for rule in examples:
        puzzle = puzzle_with(rule)
        svg = cs.render_svg(puzzle)
        drawn = [m for m in marks_of(rule, puzzle) if not isinstance(m, Sentence)]
        if name in WRITTEN:
            said = rule.describe(puzzle)[1:20]
            assert drawn == []
            assert said in " ".join(texts(svg))
        else:
            # The group says its rule when one points at it, and the key names it.
            titles = [item.text for item in ElementTree.fromstring(svg).iter(f"{SVG}title")]
            margin = any(type(mark).__module__.endswith("margin") for mark in drawn)
            assert drawn
            assert margin or any(title.startswith(rule.label) for title in titles[1:])
            assert name.replace("-", " ") in texts(svg)


def test_no_two_kinds_of_line_differ_in_colour_alone():
    looks = {}
    for name, rule in built_in().items():
        for mark in marks_of(rule.examples()[0], FOUR) if name not in {"and", *WRITTEN} else ():
            if isinstance(mark, Line):
                look = (mark.width, mark.dash, mark.ends, mark.bulb, mark.head)
                assert looks.setdefault(look, name) == name
    assert len(looks) > 15


@dataclass(frozen=True, init=False)
class Mirrored(cs.CellConstraint):
    name = "mirrored"

    def accepts(self, values):
        return values == values[::-1]

    def describe(self, puzzle):
        return 'a < b & "c" \x07 hold'

    def picture(self, puzzle):
        return [Shade(self.cells, "teal"), Dot(self.cells[0], self.cells[-1], "<&>")]


@dataclass(frozen=True, init=False)
class Unseen(Mirrored):
    name = "unseen"

    def picture(self, puzzle):
        return ()


@dataclass(frozen=True, init=False)
class SecretCage(cs.KillerCage):
    name = "secret-cage"


@dataclass(frozen=True, init=False)
class Rope(Mirrored):
    name = "rope"
    look = Look("teal", 0.3, (0.2, 0.1), ends="ring", written=True)
    picture = cs.CellConstraint.picture


def test_a_line_of_ones_own_needs_a_look_only():
    line, said = marks_of(Rope("R1C1 R1C2"), FOUR)
    cells = cs.cells("R1C1 R1C2")
    assert line == Line(cells, "teal", 0.3, (0.2, 0.1), ends="ring")
    assert isinstance(said, Sentence)


def test_rules_of_ones_own_say_their_marks():
    svg = cs.render_svg(FOUR.add(Mirrored("R1C1 R1C2")))
    assert "<&>" in texts(svg)
    assert "f-teal" in svg
    assert "&lt;&amp;&gt;" in svg


def test_a_colour_that_there_is_not_is_refused():
    class Pink(Mirrored):
        name = "pink"

        def picture(self, puzzle):
            return [Shade(self.cells, "purpel")]

    wanted = r"^picture: no colour is called 'purpel'; did you mean purple\?$"
    with pytest.raises(cs.CspSudokuError, match=wanted):
        cs.render_svg(FOUR.add(Pink("R1C1 R1C2")))


def test_a_region_with_a_hole_leaves_it_out():
    ring = [c for c in cs.Puzzle.blank(3).cells if c != cs.cell("R2C2")]
    svg = cs.render_svg(cs.Puzzle.blank(4).add(cs.AllDifferent(ring)))
    assert svg.count('fill-rule="evenodd"') == 1


def test_rules_of_ones_own_without_marks_are_written():
    assert 'A < b & "c" \ufffd hold.' in texts(cs.render_svg(FOUR.add(Unseen("R1C1 R1C2"))))


def test_rules_made_from_built_in_ones_look_like_them():
    assert marks_of(SecretCage("R1C1 R1C2", 5), FOUR) == [Cage(cs.cells("R1C1 R1C2"), "5")]


def test_all_parts_of_a_conjunction_are_drawn():
    both = cs.KillerCage("R1C1 R1C2", 5) & cs.Thermometer("R2C1 R2C2")
    assert [type(mark) for mark in marks_of(both, FOUR)] == [Cage, Line]


def test_rules_about_named_variables_are_written():
    puzzle = FOUR.with_named("x", range(3, 8)).add(
        cs.Sum(["R1C1 R1C2", cs.Var("x")], 0, (1, 1, -1))
    )
    shown = " ".join(texts(cs.render_svg(puzzle)))
    assert "$x" in shown
    assert "$x: one of 3 4 5 6 7." in shown
    assert "$x = 5" in texts(cs.render_svg(puzzle, solution={cs.Var("x"): 5}))


@pytest.mark.parametrize("less", [0, 1])
def test_a_circle_says_whether_it_counts_itself(less):
    puzzle = FOUR.with_layer("shaded", (0, 1))
    cell, values = cs.cell("R2C2"), dict.fromkeys(puzzle.layers["shaded"], 0)
    values |= {cs.LayerCell("shaded", *cell): 1, cell: 1}  # alone, and its number is 1
    square = [cs.cell(f"R{r}C{c}") for r in (1, 2, 3) for c in (1, 2, 3)]
    rays = ["R2C2 R1C2", "R2C2 R3C2 R4C2", "R2C2 R2C1", "R2C2 R2C3 R2C4"]

    def on_layer(cells):
        return [cs.LayerCell("shaded", *place) for place in cells]

    for rule in (
        cs.SameCount(cell, on_layer([cell, *(c for c in square if c != cell)]), less),
        cs.RunLength(cell, [on_layer(cs.cells(ray)) for ray in rays], less),
    ):
        [said] = [mark for mark in marks_of(rule, puzzle) if isinstance(mark, Sentence)]
        assert ("itself included" in said.text) == rule.holds(values, puzzle)
        assert ("without itself" in said.text) == (not rule.holds(values, puzzle))
