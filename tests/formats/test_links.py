"""Files with a link on each line, and what stands behind a link."""

import pytest

import csp_sudoku as cs
from csp_sudoku.errors import FormatError
from csp_sudoku.formats import fpuzzles, iss, lzstring, recognition, sudokumaker, sudokupad

PUZZLES = [cs.Puzzle.blank(4).with_givens({"R1C1": value}) for value in (1, 2, 3, 4)]
WRITERS = (fpuzzles.write_link, sudokupad.write_link, sudokumaker.write_link, iss.write_link)
LINKS = [write(puzzle) for write, puzzle in zip(WRITERS, PUZZLES, strict=True)] * 2


def test_a_file_of_links_has_as_many_puzzles(tmp_path):
    text = "# eight links\n\n" + "\n".join(LINKS) + "\n"
    assert list(cs.read_many(text)) == PUZZLES * 2
    path = tmp_path / "links.txt"
    path.write_text(text.replace("\n", "\r\n"), newline="")
    assert list(cs.read_many(path)) == PUZZLES * 2
    pieces = list(recognition.split_many(path))
    assert [recognition.read_piece(piece) for piece in pieces] == PUZZLES * 2


def test_a_large_file_of_links_is_read_line_by_line(tmp_path):
    path = tmp_path / "links.txt"
    number = 4 * 2**20 // sum(map(len, LINKS)) + 1
    path.write_text("\n".join(LINKS * number))
    found = cs.read_many(path)
    assert [next(found) for _ in range(8)] == PUZZLES * 2
    assert sum(1 for _ in recognition.split_many(path)) == 8 * number


def test_one_puzzle_is_asked_for_where_there_are_eight():
    with pytest.raises(FormatError, match="8 puzzles are in this file of links; read_many"):
        cs.read("\n".join(LINKS))


@pytest.mark.parametrize("link", LINKS[:4])
@pytest.mark.parametrize("more", ["hello", "1234", "by Anna, 2024", LINKS[0]])
def test_what_stands_behind_a_link_is_an_error(link, more):
    for text in (f"{link} {more}", f"{link}&x=1 {more}", f"{link}\t{more}"):
        with pytest.raises(FormatError):
            cs.read(text)


@pytest.mark.parametrize("more", ["hello", '", @"1234'])
def test_the_error_names_what_stands_there(more):
    for link in (LINKS[0], LINKS[1], LINKS[2], LINKS[0].partition("load=")[2]):
        with pytest.raises(FormatError, match="behind the link is not understood"):
            cs.read(f"{link} {more}")


def test_the_puzzle_is_named_and_the_others_are_read(tmp_path):
    with pytest.raises(FormatError, match="puzzle 2: 'nonsense' is not a link"):
        list(cs.read_many(f"{LINKS[0]}\nnonsense"))
    with pytest.raises(FormatError, match="puzzle 2: 'hello' behind the link"):
        list(cs.read_many(f"{LINKS[0]}\n\n{LINKS[1]} hello"))
    path = tmp_path / "links.txt"
    path.write_text("\n".join((LINKS[0], f"{LINKS[1]} hello", "nonsense", LINKS[2])))
    cs.batch(path, tmp_path / "answers.jsonl")
    answers = (tmp_path / "answers.jsonl").read_text()
    assert answers.count("is not understood") == answers.count("is not a link") == 1
    assert answers.count("some found") == 2


def test_a_blank_may_stand_for_a_plus():
    puzzles = (cs.Reading(PUZZLES[0], title=f"Number {n}") for n in range(50))
    texts = map(fpuzzles.write_fpuzzles, puzzles)
    link = next(fpuzzles.LINK + p for p in map(lzstring.compress, texts) if "+" in p)
    assert cs.read(link.replace("+", " ")) == PUZZLES[0]
    assert list(cs.read_many(f"{link.replace('+', ' ')}\n{link}")) == [PUZZLES[0]] * 2
