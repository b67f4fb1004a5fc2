"""penpa: links whose picture and rules text make a puzzle."""

import base64
import json
import random
import zlib
from contextlib import suppress
from itertools import pairwise

import pytest

import csp_sudoku as cs
from csp_sudoku.cli import main
from csp_sudoku.errors import FormatError

LINK = "https://swaroopg92.github.io/penpa-edit/#m=edit&p="
SHORT = {
    '"number"': "zN", '"surface"': "zS", '"line"': "zL", '"lineE"': "zE", '"cage"': "zC",
    '"symbol"': "zY", '"thermo"': "zT", '"arrows"': "z3", '"killercages"': "z6", "null": "zO",
}  # fmt: skip


def packed(text):
    coder = zlib.compressobj(wbits=-15)
    return base64.b64encode(coder.compress(text.encode()) + coder.flush()).decode()


class Sheet:
    """A board to draw on, with the grid in the middle of its margins."""

    def __init__(self, rows=4, columns=4, box=(2, 2), margins=(0, 0, 0, 0), kind="sudoku"):
        self.rows, self.columns, self.margins, self.kind = rows, columns, margins, kind
        top, bottom, left, right = margins
        self.across, self.down = columns + left + right, rows + top + bottom
        self.width, self.size = self.across + 4, (self.across + 4) * (self.down + 4)
        self.question = {"surface": {}, "lineE": {}, "polygon": [], "command_undo": {"__a": []}}
        self.answer, self.colours = {}, {}
        self.header = {}
        self.tags = []
        for r in range(rows):
            for c in range(columns):
                if box and r and r % box[0] == 0:
                    self.border((r, c), (r, c + 1))
                if box and c and c % box[1] == 0:
                    self.border((r, c), (r + 1, c))

    def at(self, row, column):
        """The point at a place on the grid, in cells."""
        places = {(0.5, 0.5): 0, (0, 0): 1, (0, 0.5): 2, (0.5, 0): 3}
        kind = places[row % 1, column % 1]
        r = int(row // 1) + 2 + self.margins[0] - (row % 1 == 0)
        c = int(column // 1) + 2 + self.margins[2] - (column % 1 == 0)
        return kind * self.size + r * self.width + c

    def quarter(self, row, column, quarter=0):
        return 4 * (self.size + self.at(row + 0.5, column + 0.5)) + quarter

    def cells(self, *cells):
        return [self.at(row - 0.5, column - 0.5) for row, column in cells]

    def border(self, start, end, style=2):
        self.put("lineE", f"{self.at(*start)},{self.at(*end)}", style)

    def put(self, layer, key, value):
        self.question.setdefault(layer, {})[str(key)] = value

    def number(self, row, column, text, ink=1, style="1"):
        self.put("number", self.at(row, column), [text, ink, style])

    def given(self, row, column, digit):
        self.number(row - 0.5, column - 0.5, str(digit))

    def symbol(self, row, column, name, style=1):
        self.put("symbol", self.at(row, column), [style, name, 2])

    def line(self, *cells, style=5):
        points = self.cells(*cells)
        for start, end in pairwise(points):
            self.put("line", f"{min(start, end)},{max(start, end)}", style)

    def cage(self, corner, height, width, total):
        """A rectangular cage, as the site draws it."""
        (row, column), pieces = corner, set()
        for r in range(row - 1, row - 1 + height):
            for c in range(column - 1, column - 1 + width):
                q = [self.quarter(r, c, i) for i in range(4)]
                first_row, last_row = r == row - 1, r == row + height - 2
                first, last = c == column - 1, c == column + width - 2
                pieces |= {(q[0], q[1])} if first_row else set()
                pieces |= {(q[2], q[3])} if last_row else set()
                pieces |= {(q[0], q[2])} if first else set()
                pieces |= {(q[1], q[3])} if last else set()
                if not last:
                    after = [self.quarter(r, c + 1, i) for i in range(4)]
                    pieces |= {(q[1], after[0])} if first_row else set()
                    pieces |= {(q[3], after[2])} if last_row else set()
                if not last_row:
                    below = [self.quarter(r + 1, c, i) for i in range(4)]
                    pieces |= {(q[2], below[0])} if first else set()
                    pieces |= {(q[3], below[1])} if last else set()
        for start, end in pieces:
            self.put("cage", f"{start},{end}", 10)
        if total:
            self.put("numberS", self.quarter(row - 1, column - 1), [str(total), 1])

    def text(self, rules="", title="", author=""):
        for sign, code in {"\n": "%2D", ",": "%2C", "&": "%2E", "=": "%2F"}.items():
            rules, title = rules.replace(sign, code), title.replace(sign, code)
        fields = [self.kind, self.across, self.down, 38, 0, 1, 1, 400, 400, 60, 60, 0, 0, 0, 0]
        fields += [f"Title: {title}", f"Author: {author}", "", rules, "OFF", "false"]
        fields.append(packed('{"url":null,"x":0}'))
        for number, value in self.header.items():
            fields[number] = value
        cells = [self.at(r + 0.5, c + 0.5) for r in range(self.rows) for c in range(self.columns)]
        steps = [cells[0], *(b - a for a, b in pairwise(cells))]
        lines = [",".join(map(str, fields)), *map(json.dumps, (self.margins, {}))]
        lines += map(json.dumps, (self.question, self.answer, steps, [], {}, "x", "x", [3, 2, 3]))
        lines += ["{}", '"x"', "1" if self.colours else "0"]
        lines += map(json.dumps, (self.colours, {}, {}, self.tags))
        text = "\n".join(lines).replace("z", "zZ")
        for word, short in SHORT.items():
            text = text.replace(word, short)
        return text

    def link(self, rules="", title="", author="", solution=None):
        link = LINK + packed(self.text(rules, title, author))
        if solution:
            entries = [
                f"{self.at(i // self.columns + 0.5, i % self.columns + 0.5)},{digit}"
                for i, digit in enumerate(solution)
            ]
            link += "&a=" + packed(json.dumps([[], [], [], [], sorted(entries), []]))
        return link

    def read(self, rules="", **more):
        return cs.read_with_notes(self.link(rules), **more)


USUAL = "Normal sudoku rules apply.\n"


def test_a_classic():
    sheet = Sheet(9, 9, (3, 3))
    sheet.given(1, 1, 5)
    sheet.given(9, 8, 7)
    found = cs.read_with_notes(sheet.link(title="A puzzle, with a comma", author="Zz"))
    assert found.puzzle == cs.Puzzle.blank(9).with_givens({"R1C1": 5, "R9C8": 7})
    assert (found.title, found.author) == ("A puzzle, with a comma", "Zz")


def test_the_lines_of_a_link():
    sheet = Sheet()
    sheet.given(1, 1, 3)
    link = sheet.link()
    expected = cs.Puzzle.blank(4).with_givens({"R1C1": 3})
    for form in (link, link.replace("#m", "?m"), link.replace("edit&", "solve&"), f'"{link}"'):
        assert cs.read(form) == expected


@pytest.mark.parametrize(
    ("rows", "columns", "box", "margins"),
    [
        (4, 4, (2, 2), (1, 1, 1, 1)),
        (4, 4, (2, 2), (1, 0, 2, 0)),
        (6, 6, (2, 3), (0, 0, 0, 0)),
        (6, 4, (3, 2), (0, 0, 0, 0)),
        (4, 6, (2, 3), (0, 1, 0, 2)),
    ],
)
def test_boards_and_margins(rows, columns, box, margins):
    sheet = Sheet(rows, columns, box, margins, kind="square")
    sheet.given(rows, 1, 2)
    sheet.given(1, columns, 3)
    puzzle = sheet.read().puzzle
    expected = cs.Puzzle.blank(rows, columns, box=box)
    assert puzzle == expected.with_givens({f"R{rows}C1": 2, f"R1C{columns}": 3})


def test_irregular_regions():
    sheet = Sheet(box=None)
    regions = ["AAAB", "ACBB", "CCDB", "CDDD"]
    for r in range(4):
        for c in range(4):
            if r and regions[r][c] != regions[r - 1][c]:
                sheet.border((r, c), (r, c + 1))
            if c and regions[r][c] != regions[r][c - 1]:
                sheet.border((r, c), (r + 1, c), style=21)
    assert sheet.read().puzzle == cs.Puzzle.blank(4, regions="".join(regions))


def test_heavy_lines_that_are_no_regions():
    with pytest.raises(FormatError, match="no heavy lines part"):
        Sheet(box=None).read()
    sheet = Sheet()
    sheet.border((1, 0), (1, 1))
    with pytest.raises(FormatError, match="between R1C1 and R2C1 parts no regions"):
        sheet.read()
    sheet.border((0, 1), (1, 1))
    with pytest.raises(FormatError, match="around R1C1 enclose 1 cells, and a region has 4"):
        sheet.read()


def thermometer(sheet):
    sheet.question["thermo"] = [sheet.cells((1, 1), (1, 2), (2, 3)), None, []]


def arrow(sheet):
    sheet.question["arrows"] = [sheet.cells((2, 1), (1, 2), (1, 3))]


def pill(sheet):
    sheet.symbol(0.5, 0.5, "sudokumore", 1)
    sheet.question["direction"] = [sheet.cells((1, 2), (2, 3), (3, 3), (3, 4))]


def cage(sheet):
    sheet.cage((1, 2), 2, 2, 10)


def large_cage(sheet):
    sheet.cage((1, 1), 3, 3, 20)
    inside = [(r, c) for r in (1, 2, 3) for c in (1, 2, 3)]
    sheet.question["killercages"] = [sheet.cells(*inside)]


def dot(sheet):
    sheet.symbol(0.5, 1, "circle_SS", 1)


def black_dot(sheet):
    sheet.symbol(1, 2.5, "circle_S", 2)


def sign(sheet):
    sheet.symbol(0.5, 1, "inequality", 1)  # <


def sign_up(sheet):
    sheet.symbol(1, 0.5, "inequality", 6)  # ^


def letter(sheet):
    sheet.number(1, 0.5, "V", 5, "6")


def line(sheet):
    sheet.line((1, 1), (1, 2), (2, 3), (3, 3), style=3)


def shade(sheet):
    sheet.put("surface", sheet.at(2.5, 2.5), 3)


def square(sheet):
    sheet.symbol(1.5, 2.5, "square_M", 3)


def corner(sheet):
    sheet.number(1, 1, "12", 6, "4")


def diagonal(sheet):
    for i in range(4):
        sheet.border((i, i), (i + 1, i + 1), style=12)
        sheet.border((i, 4 - i), (i + 1, 3 - i), style=12)


def purple(sheet):
    sheet.line((1, 1), (1, 2), (1, 3))
    keys = list(sheet.question["line"])
    sheet.colours = {"line": dict.fromkeys(keys, "rgba(160, 64, 192, 1)")}


def nothing(sheet):
    pass


@pytest.mark.parametrize(
    ("draw", "rules", "expected"),
    [
        (thermometer, "Digits along a thermometer increase from the bulb.",
         cs.Thermometer("R1C1 R1C2 R2C3")),
        (arrow, "Digits along an arrow sum to the digit in its circle.",
         cs.Arrow("R2C1", "R1C2 R1C3")),
        (cage, "Digits in a cage do not repeat and sum to its number.",
         cs.KillerCage("R1C2 R1C3 R2C2 R2C3", 10)),
        (large_cage, "Digits in a cage sum to its number. Digits may repeat in cages.",
         cs.Sum("R1C1-R3C3", 20)),
        (dot, "Digits joined by a white dot are consecutive. Not all dots are given.",
         cs.Difference("R1C1 R1C2")),
        (black_dot, "Digits joined by a black dot are in a 1:2 ratio. Not all dots are given.",
         cs.Ratio("R1C3 R2C3")),
        (sign, "Inequality signs point to the smaller digit.", cs.GreaterThan("R1C2 R1C1")),
        (sign_up, "Inequality signs point to the smaller digit.", cs.GreaterThan("R2C1 R1C1")),
        (letter, "Digits joined by a V sum to 5. Not all V's are given.",
         cs.PairSum("R1C1 R2C1", 5)),
        (line, "Adjacent digits along a green line differ by at least 2.",
         cs.Whisper("R1C1 R1C2 R2C3 R3C3", 2)),
        (purple, "Digits on a purple line are consecutive, in any order.",
         cs.Renban("R1C1-R1C3")),
        (shade, "Digits in shaded cells are even.", cs.Even("R3C3")),
        (square, "Digits in grey squares are even.", cs.Even("R2C3")),
        (corner, "Digits in a circle must appear in the four surrounding cells.",
         cs.Quadruple("R1C1 R1C2 R2C1 R2C2", [1, 2])),
        (diagonal, "Digits do not repeat on the marked diagonals.", cs.Diagonals()),
        (nothing, "Cells a knight's move apart do not hold the same digit.", cs.AntiKnight()),
    ],
)  # fmt: skip
def test_drawings_with_their_sentences(draw, rules, expected):
    sheet = Sheet(margins=(1, 1, 1, 1))
    draw(sheet)
    assert sheet.read(USUAL + rules).puzzle.constraints == (expected,)
    if draw is not nothing:
        with pytest.raises(FormatError, match="no sentence says what it means"):
            sheet.read(USUAL)


def test_a_shape_on_a_shaded_cell():
    sheet = Sheet()
    shade(sheet)
    sheet.symbol(2.5, 2.5, "circle_L", 1)
    with pytest.raises(FormatError, match="white circle mark at R3C3: no sentence"):
        sheet.read(USUAL + "Digits in shaded cells are even.")
    sheet = Sheet()
    arrow(sheet)
    sheet.put("surface", sheet.at(1.5, 0.5), 7)
    rules = "Digits along an arrow sum to the digit in its circle. Digits in yellow cells are odd."
    found = sheet.read(USUAL + rules).puzzle.constraints
    assert {*found} == {cs.Arrow("R2C1", "R1C2 R1C3"), cs.Odd("R2C1")}


def test_the_pill_of_an_arrow():
    sheet = Sheet(6, 6, (2, 3))
    pill(sheet)
    rules = "The digits in a pill form a two-digit number, read from left to right, which is the "
    rules += "sum of the digits along its arrow."
    [found] = sheet.read(USUAL + rules).puzzle.constraints
    assert found == cs.PillArrow("R1C1 R1C2", "R2C3 R3C3 R3C4")


SANDWICH = "Clues outside the grid give the sum of the digits between the 1 and the 4 in that row "
SANDWICH += "or column."
KILLER = "Clues outside the grid with an arrow give the sum of the digits along the diagonal they "
KILLER += "point at."


def test_clues_outside_the_grid():
    sheet = Sheet(margins=(1, 1, 1, 1))
    sheet.number(-0.5, 1.5, "5")
    sheet.number(2.5, 4.5, "2")
    rules = sheet.read(USUAL + SANDWICH).puzzle.constraints
    assert rules == (cs.Sandwich("C2", 5), cs.Sandwich("R3", 2))


@pytest.mark.parametrize("symbol", [True, False])
def test_arrows_outside_the_grid(symbol):
    sheet = Sheet(margins=(1, 1, 1, 1))
    if symbol:
        sheet.number(-0.5, 0.5, "7")
        sheet.symbol(-0.5, 0.5, "arrow_S", 6)
    else:
        sheet.number(-0.5, 0.5, "7_7", 1, "2")
    assert sheet.read(USUAL + KILLER).puzzle.constraints == (cs.LittleKiller("R1C2", "SE", 7),)


# What is refused


def surface(sheet):
    sheet.put("surface", sheet.at(0.5, 0.5), [1, 2])


def star(sheet):
    sheet.symbol(0.5, 1, "star", 1)


def dashed_circle(sheet):
    sheet.symbol(0.5, 1, "circle_SS", 4)


def wall(sheet):
    sheet.put("wall", "1,2", 2)


def unknown_layer(sheet):
    sheet.question["hologram"] = [1]


def erased(sheet):
    sheet.put("deletelineE", "1,2", 1)


def notes(sheet):
    sheet.number(0.5, 1.5, [1, 1, 0, 0, 0, 0, 0, 0, 0, 0], 1, "7")


def red_digit(sheet):
    sheet.number(0.5, 1.5, "3", 10)


def small_digit(sheet):
    sheet.number(0.5, 1.5, "3", 1, "6")


def too_large(sheet):
    sheet.given(1, 2, 7)


def long_text(sheet):
    sheet.number(0.5, 1.5, "Hello", 1, "8")


def open_cage(sheet):
    cage(sheet)
    sheet.question["cage"].popitem()


def other_cage(sheet):
    cage(sheet)
    sheet.question["killercages"] = [sheet.cells((1, 1))]


def meeting(sheet):
    sheet.line((1, 1), (1, 2), (1, 3))
    sheet.line((1, 2), (2, 2))


def two_kinds(sheet):
    sheet.line((1, 1), (1, 2), style=5)
    sheet.line((3, 3), (3, 4), style=6)


def short_line(sheet):
    sheet.line((1, 1), (1, 2), style=40)


def outside_border(sheet):
    sheet.border((-1, 0), (-1, 1))


def two_inks(sheet):
    sheet.number(-0.5, 0.5, "3")
    sheet.number(-0.5, 1.5, "3", 10)


def two_shapes(sheet):
    sheet.symbol(0.5, 1, "circle_S", 1)
    sheet.question["symbol"][f"{sheet.at(0.5, 1)}E"] = [2, "square_SS", 2]


def no_point(sheet):
    sheet.put("symbol", 99_999, [1, "circle_S", 2])


@pytest.mark.parametrize(
    ("draw", "complaint"),
    [
        (surface, r"surface at R1C1: \[1, 2\] is not a known colour of a cell"),
        (star, "symbol at R1C1 R1C2: the symbol 'star' in style 1 is not known"),
        (dashed_circle, "the symbol 'circle_SS' in style 4 is not known"),
        (wall, "'wall': penpa draws it, and it is not read"),
        (unknown_layer, "'hologram': penpa draws it"),
        (erased, "'deletelineE': penpa draws it"),
        (notes, "number at R1C2: small candidates: a rule, or notes"),
        (red_digit, "number at R1C2: the digit 3 is not black"),
        (small_digit, "mark '3' at R1C2: no sentence says what it means"),
        (too_large, "mark '7' at R1C2: no sentence says what it means"),
        (long_text, "number at R1C2: a text in style '8' is not read"),
        (open_cage, "cage.*not closed"),
        (other_cage, "cage: the cages that are stated are not those that are drawn"),
        (meeting, "lines of one colour meet at R1C2"),
        (two_kinds, "lines of two kinds have the colours #999999 and #999999"),
        (short_line, "line at R1C1: 40 is not a known style of a line"),
        (outside_border, "drawn: .* no sentence says what it means"),
        (two_inks, "clues are written in several colours"),
        (two_shapes, "symbol at R1C1 R1C2: something else is drawn at the same place"),
        (no_point, "symbol: '99999' is not a point of the board"),
    ],
)
def test_what_is_not_understood_is_named(draw, complaint):
    sheet = Sheet(margins=(1, 1, 1, 1))
    draw(sheet)
    with pytest.raises(FormatError, match=complaint):
        sheet.read(USUAL)
    assert sheet.read(USUAL, lenient=True).left_out


@pytest.mark.parametrize(
    ("title", "tags"),
    [("Anti-Knight Sudoku", []), ("Toroidal Sudoku", []), ("", ["consecutive"]), ("X", [])],
)
def test_a_title_that_may_name_a_rule(title, tags):
    sheet = Sheet()
    sheet.tags = tags
    with pytest.raises(FormatError, match="there is no rules text"):
        cs.read(sheet.link(title=title))
    assert cs.read(sheet.link(USUAL, title)) == cs.Puzzle.blank(4)
    sheet.tags = ["classic"]
    assert cs.read(sheet.link(title="Classic Sudoku #12")) == cs.Puzzle.blank(4)


@pytest.mark.parametrize(
    ("header", "complaint"),
    [
        ({0: "hex"}, "'hex' is not a board of penpa that can be read"),
        ({0: "9"}, "first version"),
        ({4: "90"}, "turned or mirrored"),
        ({5: "-1"}, "turned or mirrored"),
        ({1: "1000"}, "more than 100 rows or columns"),
        ({1: "x"}, "'x' is not a whole number"),
        ({17: "https://example.com/?a,b"}, "cannot be told apart"),
        ({21: packed('{"url":"https://example.com/a.png"}')}, "an image lies under"),
    ],
)
def test_boards_that_are_refused(header, complaint):
    sheet = Sheet()
    sheet.header = header
    with pytest.raises(FormatError, match=complaint):
        sheet.read()


@pytest.mark.parametrize(
    ("link", "complaint"),
    [
        (LINK, "holds no puzzle"),
        (LINK.partition("#")[0], "holds no puzzle"),
        (LINK + "http://example.com", "only the address"),
        (LINK + "7VZ", "damaged"),
        (LINK + "????", "damaged"),
        (Sheet().link()[:-40], "damaged"),
        (LINK + packed("square"), "damaged"),
        (LINK + packed(Sheet().text().replace('"polygon"', "polygon")), "damaged"),
        (LINK + packed("\n".join(Sheet().text().split("\n")[:5])), "damaged"),
        (LINK + packed("a" * 5_000_000), "damaged"),
        (Sheet().link() + "&a=7VZ", "damaged"),
    ],
)
def test_damaged_links(link, complaint):
    with pytest.raises(FormatError, match=complaint) as refused:
        cs.read(link)
    assert "\n" not in str(refused.value)


def test_a_board_with_a_hole():
    text = Sheet().text().split("\n")
    text[5] = json.dumps([18, 1, 2])
    with pytest.raises(FormatError, match="do not fill a rectangle"):
        cs.read(LINK + packed("\n".join(text)))


# What a solver has entered, and the solution


def test_the_answer_layer_is_progress():
    sheet = Sheet()
    sheet.given(1, 1, 1)
    cells = sheet.cells((1, 1), (1, 2), (1, 3), (1, 4), (2, 1))
    entries = [["2", 9, "1"], ["2", 9, "1"], ["34", 9, "6"], [[0, 0, 1, 1], 9, "7"],
               [[0, 0, 1, 0], 9, "7"]]  # fmt: skip
    sheet.answer = {"number": dict(zip(map(str, cells), entries, strict=True))}
    found = sheet.read()
    assert found.puzzle == cs.Puzzle.blank(4).with_givens({"R1C1": 1})
    assert found.progress.values == {cs.Cell(0, 1): 2, cs.Cell(1, 0): 3}
    assert found.progress.candidates == {cs.Cell(0, 2): (3, 4), cs.Cell(0, 3): (3, 4)}


SOLUTION = "1234341221434321"


def test_the_solution_that_is_stated():
    sheet = Sheet()
    for i in (0, 1, 6, 9, 15):
        sheet.given(i // 4 + 1, i % 4 + 1, SOLUTION[i])
    found = cs.read_with_notes(sheet.link(solution=SOLUTION))
    assert found.solution == tuple(map(int, SOLUTION))
    sheet.header = {20: "true"}
    assert cs.read_with_notes(sheet.link(solution=SOLUTION)).solution == ()


def test_a_solution_that_breaks_a_rule_is_refused():
    sheet = Sheet()
    thermometer(sheet)
    rules = USUAL + "Digits along a thermometer increase from the bulb."
    with pytest.raises(FormatError, match="the stated solution breaks a rule"):
        cs.read(sheet.link(rules, solution="4321214334121234"))


def test_the_command_line(capsys):
    sheet = Sheet()
    dot(sheet)
    for i in range(2, 16):
        sheet.given(i // 4 + 1, i % 4 + 1, SOLUTION[i])
    link = sheet.link(USUAL + "White dots join consecutive digits.", solution=SOLUTION)
    for command in ("solve", "inspect", "show"):
        assert main([command, link]) == 0
    assert "difference at R1C1" in capsys.readouterr().out
    assert main(["solve", link[:-9]]) == 2
    assert capsys.readouterr().err.count("\n") == 1


WHOLE = """Normal sudoku rules apply. Digits along an arrow sum to the digit in its circle. White
dots join consecutive digits; not all dots are given. Shaded cells are even. Digits in a cage sum to
its number. Digits in a circle must appear in the four surrounding cells."""
ODD = [
    b"", b"0", b"-1", b"99999", b"[", b"]", b"{}", b'"', b",", b"zO", b"zZ", b"\n", b"[1]", b'"x"',
    b"1e9", b"true", b"\xff", b":", b"[" * 300, b'{"a":1}',
]  # fmt: skip


def test_damaged_documents():
    sheet = Sheet(margins=(1, 1, 1, 1))
    for draw in (arrow, dot, shade, corner, purple):
        draw(sheet)
    sheet.cage((3, 1), 2, 2, 10)
    rules = WHOLE.replace("\n", " ") + " Digits on a purple line are consecutive, in any order."
    good = sheet.text(rules)
    assert len(cs.read(LINK + packed(good)).constraints) == 6
    rng = random.Random(1)
    read = 0
    for _ in range(600):
        data = bytearray(good.encode())
        for _ in range(rng.choice([1, 1, 2, 5])):
            at = rng.randrange(len(data))
            data[at : at + rng.choice([0, 1, 1, 2, 9])] = rng.choice(ODD)
        link = LINK + packed(data.decode(errors="replace"))
        with suppress(cs.CspSudokuError):
            cs.read(link, lenient=rng.random() < 0.3)
            read += 1
    assert 10 < read < 400
