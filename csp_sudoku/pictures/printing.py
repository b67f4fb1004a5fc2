"""PNG and PDF files from SVG, with the optional package typst (``csp-sudoku[pictures]``)."""

from __future__ import annotations

import re
from typing import Literal

from csp_sudoku.errors import CspSudokuError
from csp_sudoku.pictures.theme import colour

# Pixels of a PNG and points on paper for each pixel of an SVG.
_PIXELS, _POINTS = 2.0, 0.75
_SIZE = re.compile(r' width="(\d+)" height="(\d+)"')

# No date in the file: the same picture gives the same bytes.
_PAGE = (
    "#set document(date: none)\n"
    '#set page(width: {width}pt, height: {height}pt, margin: 0pt, fill: rgb("{paper}"))\n'
    '#image(bytes(sys.inputs.svg), format: "svg", width: 100%, height: 100%)'
)


def print_svg(svg: str, kind: Literal["png", "pdf"]) -> bytes:
    """Turn a picture of a fixed theme into a PNG or PDF file.

    Parameters
    ----------
    svg
        A picture of this package with the theme ``light`` or ``dark``.

    Examples
    --------
    >>> from csp_sudoku import Puzzle
    >>> from csp_sudoku.pictures.render import render_svg
    >>> print_svg(render_svg(Puzzle.blank(4), theme="light"), "pdf")[:5]
    b'%PDF-'
    """
    try:
        import typst
    except ImportError:
        raise CspSudokuError(
            f"{kind.upper()} files need the extra package of pip install 'csp-sudoku[pictures]'; "
            f"SVG needs nothing"
        ) from None
    found = _SIZE.search(svg)
    if found is None:
        raise CspSudokuError("this is not a picture of csp-sudoku: its size is missing")
    # A PNG has one pixel for each point of its page; fractions would drop rows of pixels.
    points = _PIXELS if kind == "png" else _POINTS
    width, height = (
        max(1, round(points * int(side))) if kind == "png" else points * int(side)
        for side in found.groups()
    )
    paper = colour("paper", dark='class="csp-dark"' in svg)
    return typst.compile(
        _PAGE.format(width=width, height=height, paper=paper).encode(),
        format=kind,
        ppi=72 if kind == "png" else None,
        sys_inputs={"svg": svg},
    )
