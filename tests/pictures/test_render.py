"""Pictures of puzzles of all shapes, with what is known of their cells."""

import re
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

import csp_sudoku as cs
from csp_sudoku.pictures.render import solution_svg, step_svg
from csp_sudoku.strategies.step import Step

ROOT = Path(__file__).parent.parent.parent
SVG = "{http://www.w3.org/2000/svg}"
NINE = tuple(range(1, 10))
FOUR = cs.read("0100 3001 4002 0040")


def labels(svg, class_=""):
    """The texts whose class begins so, with their places."""
    found = []
    for item in ElementTree.fromstring(svg).iter(f"{SVG}text"):
        if item.get("class").startswith(class_):
            found.append((item.text, float(item.get("x")), float(item.get("y"))))
    return found


def words(svg, class_=""):
    return [text for text, _, _ in labels(svg, class_)]


SHAPES = {
    "1×1": cs.Puzzle.blank(1),
    "2×3": cs.Puzzle.blank(2, 3, box=None, values=[-12, 0, 100]).with_givens({"R1C1": -12}),
    "jigsaw": cs.Puzzle.blank(3, regions="AAB ABB CCC"),
    "samurai": cs.Puzzle.overlapping(
        cs.Grid(9, 9, NINE, box=(3, 3), top=top, left=left)
        for top, left in [(0, 0), (0, 12), (6, 6), (12, 0), (12, 12)]
    ),
    "far apart": cs.Puzzle.overlapping(
        cs.Grid(4, 4, (1, 2, 3, 4), box=(2, 2), top=top) for top in (0, 8000)
    ),
    "16×16": cs.Puzzle.blank(16),
    "64×64": cs.Puzzle.blank(64).add(cs.AntiKnight()),
}


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_is_drawn(name):
    puzzle = SHAPES[name]
    svg = cs.render_svg(puzzle, candidates=len(puzzle.cells) < 400)
    root = ElementTree.fromstring(svg)
    _, _, width, height = map(float, root.get("viewBox").split())
    for text, x, y in labels(svg):
        assert -200 <= x <= width, text
        assert 0 <= y <= height, text
    assert root.find(f"{SVG}title").text.startswith("Sudoku")
    assert cs.render_svg(puzzle, candidates=len(puzzle.cells) < 400) == svg


def test_a_thick_line_stands_where_regions_meet():
    svg = cs.render_svg(cs.Puzzle.blank(2, regions="AB AB"))
    border = re.search(r'class="layer-border"><path class="rule s-ink" d="([^"]*)"', svg)[1]
    assert "M64 0V64" in border  # between R1C1 and R1C2
    assert "M0 64H64" not in border  # R1C1 and R2C1 are one region


def test_nothing_is_loaded_from_elsewhere():
    svg = cs.render_svg(FOUR.add(cs.Thermometer("R1C1-R1C3"), cs.AntiKnight()))
    assert re.findall(r"https?:[^\"]*", svg) == ["http://www.w3.org/2000/svg"]
    for word in ("href", "url(", "@import", "<script", "<image"):
        assert word not in svg


def test_givens_found_values_and_candidates_look_different():
    puzzle = FOUR.with_givens({"R1C3": [2, 3]})
    plain = cs.render_svg(puzzle)
    assert words(plain, "f-ink") == list("131424")
    assert words(plain, "f-pencil") == ["2", "3"]  # a part of the puzzle
    solved = cs.render_svg(puzzle, solution=cs.solve(puzzle).solutions[0])
    assert len(words(solved, "f-found")) == 10
    assert words(solved, "f-pencil") == []
    assert words(cs.render_svg(FOUR, candidates=True), "f-pencil")[:1] == ["2"]  # R1C1: 1 2 seen
    some = cs.render_svg(FOUR, candidates={cs.cell("R1C1"): [2, 4], cs.cell("R1C3"): []})
    assert words(some, "f-pencil") == ["2", "4"]
    assert "∅" in words(some)


def test_candidates_stand_in_their_own_places():
    marks = cs.render_svg(cs.Puzzle.blank(9), candidates={cs.cell("R1C1"): NINE})
    places = [(x, y) for _, x, y in labels(marks, "f-pencil")]
    assert len({x for x, _ in places}) == len({y for _, y in places}) == 3


def test_candidates_leave_room_for_the_sum_of_a_cage():
    caged = cs.Puzzle.blank(9).add(cs.KillerCage("R1C1 R1C2", 9))
    free, below = (
        min(y for _, _, y in labels(cs.render_svg(p, candidates=True), "f-pencil"))
        for p in (cs.Puzzle.blank(9), caged)
    )
    assert below == free  # in the other cells of the row
    first = labels(cs.render_svg(caged, candidates={cs.cell("R1C1"): [1]}), "f-pencil")
    assert first[0][2] > free + 5


def test_a_step_is_drawn_with_all_it_says():
    step = Step(
        technique="hidden single",
        score=1.2,
        sentence="R1C1 is the only place for 2",
        cells=cs.cells("R1C1-R1C2"),
        placements=((cs.cell("R1C1"), 2),),
        eliminations=((cs.cell("R1C3"), 3), (cs.cell("R2C2"), 4)),
    )
    svg = step_svg(step, FOUR)
    assert words(svg, "f-found") == ["2"]
    assert words(svg, "f-strike") == ["3", "4"]
    assert svg.count('class="f-lit"') == 2
    assert "<title>hidden single: R1C1 is the only place for 2</title>" in svg
    assert " ".join(words(svg)).endswith("hidden single: R1C1 is the only place for 2")
    assert words(cs.render_svg(FOUR, highlight=step), "f-strike") == ["3", "4"]


@pytest.mark.parametrize(
    ("highlight", "lit", "framed"),
    [
        ("R1C1,R2C1-R2C2", 3, 0),
        ([cs.cell("R1C1")], 1, 0),
        (cs.verify(cs.Puzzle.blank(4), {"R1C1": 1, "R1C3": 1}), 0, 2),
        (cs.verify(cs.Puzzle.blank(4), {"R1C1": 1, "R1C3": 1}).violations[0], 0, 2),
        (cs.verify(cs.Puzzle.blank(4), {"R1C1": 1}), 0, 0),
        (None, 0, 0),
    ],
)
def test_highlights(highlight, lit, framed):
    svg = cs.render_svg(cs.Puzzle.blank(4), highlight=highlight)
    assert (svg.count('class="f-lit"'), svg.count('class="f-clash"')) == (lit, framed)
    assert svg.count('class="pen s-strike"') == framed


def test_a_highlight_outside_the_grid_is_refused():
    with pytest.raises(cs.PuzzleError, match=r"^highlight: R9C9 is outside the 4×4 grid$"):
        cs.render_svg(cs.Puzzle.blank(4), highlight="R9C9")


def test_themes():
    assert "prefers-color-scheme" in cs.render_svg(FOUR)
    light, dark = (cs.render_svg(FOUR, theme=theme) for theme in ("light", "dark"))
    assert "prefers-color-scheme" not in light + dark
    assert light.replace("csp-light", "csp-dark") != dark
    with pytest.raises(cs.CspSudokuError, match=r"^theme 'pink': there are auto, light, dark$"):
        cs.render_svg(FOUR, theme="pink")


def test_the_legend_can_be_left_out():
    puzzle = FOUR.add(cs.AntiKnight(), cs.Thermometer("R1C1-R1C3"))
    assert "thermometer" not in words(cs.render_svg(puzzle, legend=False))
    assert "thermometer" in words(cs.render_svg(puzzle))


CLUES = [
    *(cs.Sandwich(line, 12) for line in ("R1", "C1", "R4", "C2")),
    *(cs.XSum(line, 25, reverse) for line in ("R1", "C1", "R2") for reverse in (False, True)),
    *(cs.Skyscraper(line, 2, reverse) for line in ("C2", "R3") for reverse in (False, True)),
    cs.Outside("R4", [1, 2, 3, 4]),
    cs.Outside("C4", [1, 2, 3, 4], reverse=True),
    cs.FullRank("C1", 11),
    *(cs.LittleKiller(start, way, 10) for start, way in [
        ("R1C1", "SE"), ("R1C2", "SE"), ("R1C2", "SW"), ("R1C3", "SW"), ("R1C4", "SW"),
        ("R4C4", "NW"), ("R4C1", "NE"), ("R3C1", "NE"), ("R2C1", "SE"), ("R3C1", "SE"),
        ("R3C4", "NW"), ("R2C4", "SW"), ("R4C2", "NW"), ("R4C2", "NE"), ("R1C1", "SE"),
    ]),
]  # fmt: skip


def test_clues_outside_do_not_stand_on_each_other():
    svg = cs.render_svg(cs.Puzzle.blank(4).add(*CLUES), legend=False)
    boxes = []
    for item in ElementTree.fromstring(svg).iter(f"{SVG}text"):
        size, x, y = (float(item.get(key)) for key in ("font-size", "x", "y"))
        half = 0.25 * size * len(item.text)
        boxes.append((x - half, x + half, y - 0.7 * size, y, item.text))
    assert len(boxes) == len(CLUES)
    for a, b in combinations(boxes, 2):
        apart = a[1] <= b[0] or b[1] <= a[0] or a[3] <= b[2] or b[3] <= a[2]
        assert apart, (a, b)
    for left, right, top, bottom, _ in boxes:  # nor on the grid
        assert right <= 0 or left >= 256 or bottom <= 0 or top >= 256


def test_solutions_and_puzzles_show_themselves():
    puzzle = FOUR.with_named("x", [1, 2])
    solution = cs.solve(puzzle).solutions[0]
    assert puzzle._repr_svg_() == cs.render_svg(puzzle)
    shown = solution._repr_svg_()
    assert shown == solution_svg(solution)
    assert words(shown)[:16] == list(solution.text)
    assert f"$x = {solution['$x']}" in words(shown)


def test_pictures_do_not_depend_on_the_hash_seed():
    code = (
        "import csp_sudoku as cs\n"
        "p = cs.Puzzle.blank(4).add(*[r for n in ('killer-cage', 'whisper', 'clone', 'or')"
        " for r in cs.constraints.registry.get(n).examples()])\n"
        "print(cs.render_svg(p, candidates=True, highlight='R1C1 R2C2 R3C3'), cs.render_graph(p))"
    )
    shown = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert shown[0] == shown[1]


def test_the_picture_of_the_documentation_is_up_to_date():
    # csp-sudoku render examples/variant.json -o docs/images/variant.svg
    puzzle = cs.read(ROOT / "examples" / "variant.json")
    kept = (ROOT / "docs" / "images" / "variant.svg").read_text(encoding="utf-8")
    assert kept == cs.render_svg(puzzle)
