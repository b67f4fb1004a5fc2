"""File types: those of other programs, files with several puzzles, and what is no puzzle at all."""

import json
import os
from pathlib import Path

import pytest

import csp_sudoku as cs
from csp_sudoku.formats import read, read_many, sources

CLASSIC = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
ROWS = [CLASSIC[i : i + 9] for i in range(0, 81, 9)]
DOTS = [row.replace("0", ".") for row in ROWS]

SDK = "#A An Author\n#D Caf\xe9\n#L Easy\n" + "\n".join(DOTS) + "\n"
SADMAN = "[Puzzle]\n" + "\n".join(DOTS) + "\n[State]\n" + "\n".join(["999999999"] * 9) + "\n"
SS = "\n-----------\n".join(
    "\n".join(f"{row[:3]}|{row[3:6]}|{row[6:]}" for row in DOTS[i : i + 3]) for i in (0, 3, 6)
)
SS_X = SS.replace(".", "X")
SOLVED_SS = "\n-----------\n".join(
    "\n".join(f"{SOLVED[j : j + 3]}|{SOLVED[j + 3 : j + 6]}|{SOLVED[j + 6 : j + 9]}" for j in rows)
    for rows in (range(0, 27, 9), range(27, 54, 9), range(54, 81, 9))
)
# A given is a digit, "u4" the player's own, several digits are notes (and may be wrong).
SDX = "\n".join(
    " ".join(sign if sign != "0" else ("u4" if i == j else "129") for j, sign in enumerate(row))
    for i, row in enumerate(ROWS)
)
GAME = f'<game data="{CLASSIC}"/>'
SAVED = "version: 3&#10;" + "".join(f"{v}|0|{int(v == '0')}|" for v in CLASSIC)
FILLED = "version: 1&#10;" + "".join(
    f"{full}|-|{int(given == '0')}|" for given, full in zip(CLASSIC, SOLVED, strict=True)
)
MARKED = "version: 5&#10;" + "".join(f"{v}|12|0|3|{int(v == '0')}|" for v in CLASSIC)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.sdk", SDK.encode("latin-1")),
        ("a.sdk", SDK.encode()),
        ("a.sdk", SADMAN.encode()),
        ("a.sdm", CLASSIC.encode()),
        ("a.sdm", f"# one puzzle\n{CLASSIC} an easy one\n".encode()),
        ("a.sdm", f"{CLASSIC}#7.2\n".encode()),
        ("a.sdm", f"{CLASSIC},7.2\n".encode()),
        ("a.sdm", f"{CLASSIC} {SOLVED}\n".encode()),
        ("a.ss", SS.encode()),
        ("a.ss", SS_X.encode()),
        ("a.ss", f" *-----------*\n{SS}\n *-----------*".encode()),
        ("a.ss", f"{SS}\n\n{SOLVED_SS}\n".encode()),  # a second block with the solution
        ("a.sdx", SDX.encode()),
        ("a.SDX", SDX.replace("u4", "129").encode()),
        ("a.txt", SDX.encode()),  # the "u" gives it away
        ("a.opensudoku", f"<opensudoku>{GAME}</opensudoku>".encode()),
        ("a.opensudoku", f'<?xml version="1.0"?>\n<opensudoku version="2"><folder name="f">'
         f"{GAME}</folder></opensudoku>".encode()),
        ("a.opensudoku", f'<opensudoku><game data="{SAVED}"/></opensudoku>'.encode()),
        ("a.opensudoku", f'<opensudoku><game data="{FILLED}"/></opensudoku>'.encode()),
        ("a.opensudoku", f'<opensudoku><game cells_data="{MARKED}"/></opensudoku>'.encode()),
        ("a.csv", f"quizzes,solutions\n{CLASSIC},{SOLVED}\n".encode()),
        ("a.csv", f'id,"puzzle",level\n7,"{CLASSIC}",1.5\n'.encode()),
        ("a.csv", f"{CLASSIC},{SOLVED}\n".encode()),
        ("a.csv", "\n".join(",".join(row) for row in ROWS).encode()),
        ("a.json", str([[int(sign) for sign in row] for row in ROWS]).encode()),
    ],
)  # fmt: skip
def test_files_of_other_programs(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    assert read(path) == read(CLASSIC)
    if path.suffix.lower() != ".sdx":
        assert read(content) == read(CLASSIC)


SECOND = "1" + "." * 80
SEVERAL = {
    "one a line": f"{CLASSIC}\n# between\n\n{SECOND}  comment\n",
    "with solutions": f"{CLASSIC} {SOLVED}\n{SECOND} {SOLVED}\n",
    "below each other": "\n".join(DOTS) + "\n\n" + "\n".join(["1........", *["." * 9] * 8]),
    "with titles": "Grid 01\n"
    + "\n".join(ROWS)
    + "\nGrid 02\n"
    + "1........\n"
    + f"{'.' * 9}\n" * 8,
    "framed": SS + "\n\n" + cs.formats.write_text(read(SECOND), form="frame"),
    "a table": f"puzzle,solution\n{CLASSIC},{SOLVED}\n{SECOND},{SOLVED}\n",
    "OpenSudoku": f'<opensudoku>{GAME}<game data="{SECOND}"/></opensudoku>',
    "JSON lines": f'{{"id": 1.5, "puzzle": "{CLASSIC}", "more": [null]}}\n'
    + json.dumps({"puzzle": json.loads(cs.write_json(read(SECOND)))}),
    "documents": "\n\n".join(
        json.dumps(json.loads(cs.write_json(read(text)))) for text in (CLASSIC, SECOND)
    ),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_several_puzzles(name, tmp_path):
    wanted = [read(CLASSIC), read(SECOND)]
    assert list(read_many(SEVERAL[name])) == wanted
    path = tmp_path / "several"
    path.write_text(SEVERAL[name], encoding="utf-8")
    assert list(read_many(path)) == wanted
    with pytest.raises(cs.FormatError, match="2 puzzles are in this .*read_many"):
        read(path)


def test_matrices_below_each_other():
    big = cs.Puzzle.blank(12).with_givens({"R1C1": 12})
    matrix = cs.formats.write_text(big, form="matrix")
    assert list(read_many(f"{matrix}\n\n{matrix}")) == [big, big]


def test_jigsaws_one_a_line():
    layout = "AABBAABBCCDDCCDD"
    text = f"1............... {layout}\n.............2.. {layout} hard\n"
    assert [p.grids[0].regions for p in read_many(text)] == [
        cs.Puzzle.blank(4, regions=layout).grids[0].regions
    ] * 2


def test_many_sources_in_a_list():
    assert list(read_many([CLASSIC, [[0, 1], [0, 0]], read(SECOND)])) == [
        read(CLASSIC), read([[0, 1], [0, 0]]), read(SECOND)
    ]  # fmt: skip


def test_the_wrong_one_of_many_is_named():
    with pytest.raises(cs.FormatError, match="puzzle 2: line 1, column 1: 'A'"):
        list(read_many(f"{CLASSIC}\nA{SECOND[1:]}\n"))


@pytest.mark.parametrize("header", ["", "puzzle,solution\n"])
def test_a_file_of_any_length_is_read_line_by_line(tmp_path, monkeypatch, header):
    monkeypatch.setattr(sources, "MAX_BYTES", 1000)
    path = tmp_path / "many.txt"
    path.write_text(header + f"{CLASSIC},{SOLVED}\n" * 1200, encoding="utf-8")
    found = read_many(path)
    assert next(found) == read(CLASSIC)
    assert sum(1 for _ in found) == 1199
    with pytest.raises(cs.FormatError, match="larger than"):
        read(path)


def test_a_long_file_of_json_lines(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "MAX_BYTES", 1000)
    path = tmp_path / "many.jsonl"
    path.write_text(f'{{"puzzle": "{SECOND}", "id": 1}}\n' * 50 + "{7}\n", encoding="utf-8")
    found = read_many(path)
    assert [next(found) for _ in range(50)] == [read(SECOND)] * 50
    with pytest.raises(cs.FormatError, match="puzzle 51: .* not sound JSON"):
        next(found)


def test_a_long_file_must_have_a_puzzle_on_every_line(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "MAX_BYTES", 1000)
    path = tmp_path / "many.txt"
    path.write_text(("\n".join(ROWS) + "\n\n") * 100, encoding="utf-8")
    with pytest.raises(cs.FormatError, match="a puzzle on every line"):
        next(read_many(path))
    path.write_text(f"{CLASSIC}\n" * 1100 + "." * 2**20, encoding="utf-8")
    with pytest.raises(cs.FormatError, match="puzzle 1101: .* a line that is too long"):
        list(read_many(path))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (bytes(range(256)), "is not text: byte 1 is 0x00"),
        (b"\x89PNG\r\n\x1a\n", "is not text: byte 7 is 0x1a"),
        (b"." * (4 * 2**20 + 1), "is larger than 4 MB"),
        (b"<opensudoku></opensudoku>", "holds no game"),
        (b"<opensudoku><game data=", "not sound XML"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><opensudoku><game data="&b;"/></opensudoku>', "entity"),
        (b'<opensudoku><game data="version: 9&#10;1|2|3|"/></opensudoku>', "no known version"),
        (b"puzzle,solution\n", "0 puzzles"),
        (b'puzzle,solution\n"', "table of puzzles"),
    ],
)
def test_what_is_no_puzzle_file(tmp_path, content, message):
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(cs.FormatError, match=message):
        read(path)


def test_a_path_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(cs.FormatError, match="is a directory"):
        read(tmp_path)
    with pytest.raises(cs.FormatError, match="missing.sdk cannot be read: No such file"):
        read(tmp_path / "missing.sdk")
    with pytest.raises(cs.FormatError, match="cannot be read"):
        read(Path("a\0b"))


def test_a_string_is_never_a_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "1...............").write_text(CLASSIC, encoding="utf-8")
    assert read("1...............").grids[0].rows == 4
    assert read(Path("1...............")).grids[0].rows == 9


def test_an_endless_file_is_not_read_to_its_end():
    if os.path.exists("/dev/zero"):
        with pytest.raises(cs.FormatError, match="larger than 4 MB"):
            read(Path("/dev/zero"))
