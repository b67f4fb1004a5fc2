"""PNG and PDF files."""

import struct
import sys

import pytest

import csp_sudoku as cs
from csp_sudoku.pictures.printing import print_svg

PICTURE = cs.render_svg(cs.read("0100 3001 4002 0040").add(cs.AntiKnight()), theme="light")


def test_a_png_has_twice_the_pixels_of_the_svg():
    typst = pytest.importorskip("typst", reason="the extra csp-sudoku[pictures] is not installed")
    assert typst
    printed = print_svg(PICTURE, "png")
    assert printed[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", printed[16:24])
    wanted = PICTURE.split('width="')[1].split('"')[0], PICTURE.split(' height="')[1].split('"')[0]
    assert abs(width - 2 * int(wanted[0])) <= 1
    assert abs(height - 2 * int(wanted[1])) <= 1


def test_the_same_picture_is_the_same_file():
    pytest.importorskip("typst", reason="the extra csp-sudoku[pictures] is not installed")
    assert print_svg(PICTURE, "pdf") == print_svg(PICTURE, "pdf")


def test_without_the_extra_package_the_error_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(cs.CspSudokuError, match=r"^PNG files .* 'csp-sudoku\[pictures\]'; SVG"):
        print_svg(PICTURE, "png")


def test_other_pictures_are_refused():
    pytest.importorskip("typst", reason="the extra csp-sudoku[pictures] is not installed")
    with pytest.raises(cs.CspSudokuError, match="its size is missing"):
        print_svg("<svg/>", "png")
