"""Downloads: puzzles that a link only names, from a server on this machine."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import csp_sudoku as cs
from csp_sudoku.cli import main
from csp_sudoku.errors import FormatError
from csp_sudoku.formats import downloads, fpuzzles, sudokumaker, sudokupad

PUZZLE = cs.Puzzle.blank(9).add(cs.AntiKnight()).with_givens({"R1C1": 2})
LONG = sudokupad.write_link(PUZZLE)
GRID = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SITES = ("sudokupad.app", "tinyurl.com", "www.sudokuwiki.org", "f-puzzles.com")


def redirect(to):
    return 302, {"Location": to}, b""


def page(text):
    return 200, {"Content-Type": "text/html"}, f"<!DOCTYPE html><p>{text}</p>".encode()


ANSWERS = {
    "/api/puzzle/ryr673qcbh": (200, {}, LONG.removeprefix(sudokupad.LINK).encode()),
    "/api/puzzle/author/a-title": (200, {}, GRID.encode()),
    "/2fjn8dam": redirect(fpuzzles.write_link(PUZZLE)),
    "/maker": redirect(sudokumaker.write_link(PUZZLE)),
    "/twice": redirect("https://tinyurl.com/2fjn8dam"),
    "/relative": redirect("2fjn8dam"),
    "/plain": redirect("http://tinyurl.com/2fjn8dam"),
    "/elsewhere": redirect("https://example.com/puzzle"),
    "/file": redirect("file:///etc/hostname"),
    "/round": redirect("https://tinyurl.com/round"),
    "/Daily": page(f"Today: <a href='sudoku.htm?bd={GRID.replace('.', '0')}'>load</a>"),
    "/Grid": page(f"Today: {GRID}"),
    "/Several": page(f"<a href='{LONG}'>1</a> <a href='{fpuzzles.write_link(PUZZLE)}'>2</a>"),
    "/Nothing": page("No puzzle today."),
    "/api/puzzle/empty": (200, {}, b""),
    "/api/puzzle/large": (200, {}, b"1" * (2**22 + 1)),
    "/api/puzzle/binary": (200, {}, bytes(100)),
    "/api/puzzle/broken": (200, {"Content-Length": "100"}, b"scl"),
}


class Server(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        status, headers, body = ANSWERS.get(self.path, (404, {}, b"no such puzzle"))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def asked(monkeypatch):
    """The paths that were asked for, of a server that stands for all sites."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        server.asked = []
        for site in SITES:
            address = f"http://127.0.0.1:{server.server_port}"
            monkeypatch.setitem(downloads.STAND_INS, site, address)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.asked
        server.shutdown()
        thread.join()


NAMED = {
    "https://sudokupad.app/ryr673qcbh": PUZZLE,
    "sudokupad.app/ryr673qcbh?setting-nogrid=1": PUZZLE,
    "ryr673qcbh": PUZZLE,
    "https://sudokupad.app/author/a-title": cs.read(GRID),
    "author/a-title": cs.read(GRID),
    "https://f-puzzles.com/?id=2fjn8dam": PUZZLE,
    "https://tinyurl.com/2fjn8dam": PUZZLE,
    "https://tinyurl.com/maker": PUZZLE,
    "https://tinyurl.com/twice": PUZZLE,
    "https://tinyurl.com/relative": PUZZLE,
    "https://www.sudokuwiki.org/Daily": cs.read(GRID),
}


@pytest.mark.parametrize("link", NAMED)
def test_a_named_puzzle_is_fetched_if_this_is_asked_for(link, asked):
    assert cs.read(link, download=True) == NAMED[link]
    assert cs.read_with_notes(link, download=True).puzzle == NAMED[link]
    assert list(cs.read_many(link, download=True)) == [NAMED[link]]
    assert asked


@pytest.mark.parametrize("link", NAMED)
def test_nothing_is_fetched_unasked(link, asked):
    with pytest.raises(FormatError, match=r"--download \(in Python download=True\)"):
        cs.read(link)
    assert not asked


def test_a_link_that_holds_its_puzzle_is_not_fetched(asked):
    for link in (LONG, fpuzzles.write_link(PUZZLE), GRID):
        assert cs.read(link, download=True) == cs.read(link)
    assert not asked


def test_a_file_of_names(asked, tmp_path):
    path = tmp_path / "links.txt"
    path.write_text(f"https://sudokupad.app/ryr673qcbh\n{LONG}\nhttps://tinyurl.com/2fjn8dam\n")
    assert list(cs.read_many(path, download=True)) == [PUZZLE] * 3
    assert asked == ["/api/puzzle/ryr673qcbh", "/2fjn8dam"]


@pytest.mark.parametrize(
    ("link", "complaint"),
    [
        ("https://sudokupad.app/nosuch1", "'sudokupad.app' answers: 404"),
        ("https://sudokupad.app/empty", "is empty"),
        ("https://sudokupad.app/large", "larger than 4 MB"),
        ("https://sudokupad.app/binary", "is not text"),
        ("https://sudokupad.app/broken", "breaks off"),
        ("https://tinyurl.com/plain", "is not one of the known sites"),
        ("https://tinyurl.com/elsewhere", "is not one of the known sites"),
        ("https://tinyurl.com/file", "is not one of the known sites"),
        ("https://tinyurl.com/round", "without an end"),
        ("https://www.sudokuwiki.org/Several", "2 puzzles are on the page"),
        ("https://www.sudokuwiki.org/Nothing", "no puzzle is on the page"),
        # Nobody says which rules belong to a mere grid.
        ("https://www.sudokuwiki.org/Grid", "no puzzle is on the page"),
        ("https://example.com/puzzle", "hold no puzzle that can be read here"),
    ],
)
def test_downloads_that_fail(link, complaint, asked):
    with pytest.raises(FormatError, match=complaint):
        cs.read(link, download=True)


def test_a_site_that_cannot_be_reached(monkeypatch):
    monkeypatch.setitem(downloads.STAND_INS, "sudokupad.app", "http://127.0.0.1:1")
    with pytest.raises(FormatError, match="'sudokupad.app' cannot be reached"):
        cs.read("https://sudokupad.app/ryr673qcbh", download=True)


def test_a_slow_site(monkeypatch, asked):
    monkeypatch.setattr(downloads, "_SECONDS", -1.0)
    with pytest.raises(FormatError, match="took longer"):
        cs.read("https://sudokupad.app/ryr673qcbh", download=True)


def test_the_command_line(asked, capsys):
    link = "https://sudokupad.app/author/a-title"
    assert main(["count", link]) == 2
    refusal = capsys.readouterr().err
    assert "--download" in refusal
    assert "file" not in refusal
    assert not asked
    assert main(["count", link, "--download"]) == 0
    assert capsys.readouterr().out == "1\n"
