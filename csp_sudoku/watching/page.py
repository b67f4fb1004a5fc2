"""The film of an algorithm as one HTML file that needs nothing else."""

from __future__ import annotations

import json
import reprlib
from collections.abc import Callable, Iterator
from importlib.resources import files
from itertools import islice
from typing import Any

from csp_sudoku.constraints.base import all_values
from csp_sudoku.errors import BackendError
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.pictures.render import render_svg
from csp_sudoku.pictures.sheet import positions
from csp_sudoku.pictures.svg import html_text
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.solving.answers import limited
from csp_sudoku.solving.query import check_count
from csp_sudoku.watching.covering import Covering
from csp_sudoku.watching.frames import Frame
from csp_sudoku.watching.learning import watch_sat
from csp_sudoku.watching.relaxing import watch_lp
from csp_sudoku.watching.searching import watch_ac3, watch_backtracking

ALGORITHMS: dict[str, str] = {
    "ac3": "AC-3: revise arcs until nothing changes",
    "backtracking": "Backtracking with MRV, degree, LCV and MAC",
    "dlx": "Algorithm X with dancing links",
    "lp": "The linear relaxation, branched depth first",
    "sat": "A SAT solver: decisions, unit propagation and learnt clauses",
}
_FILMS: dict[str, Callable[[Puzzle], Iterator[Frame]]] = {
    "ac3": watch_ac3,
    "backtracking": watch_backtracking,
    "dlx": lambda puzzle: Covering(puzzle).frames(),
    "lp": watch_lp,
    "sat": watch_sat,
}


def watch(puzzle: object, algorithm: str = "backtracking", *, frames: int = 1_000) -> str:
    """Return a page with the film of an algorithm at work on a puzzle.

    Parameters
    ----------
    puzzle
        A :class:`Puzzle`, or anything :func:`read` takes.
    algorithm
        ``ac3``, ``backtracking``, ``dlx``, ``lp`` or ``sat``.
    frames
        How many frames there are at most; the last one says if there would be more.

    Examples
    --------
    >>> page = watch("..3. ..4. 2.13 ...4", "ac3")
    >>> "arcs wait in the queue" in page, "http://" in page.replace("http://www.w3.org", "")
    (True, False)
    """
    known, film = as_puzzle(puzzle), film_of(puzzle, algorithm, frames=frames)
    # Markup in a text must neither end the script nor open another.
    data = json.dumps(film, separators=(",", ":")).replace("<", "\\u003c")
    return _PAGE.format(
        title=html_text(film["title"]),
        style=part("player.css"),
        script=part("player.js"),
        board=stage(known),
        data=data,
        rules="".join(f"<li>{html_text(said)}</li>" for said in _sentences(known)),
    )


def film_of(puzzle: object, algorithm: str, *, frames: int = 1_000) -> dict[str, Any]:
    """Return the film of an algorithm as the player reads it."""
    if not isinstance(algorithm, str) or algorithm not in _FILMS:
        raise BackendError(
            f"algorithm {reprlib.repr(algorithm)}: there are {', '.join(ALGORITHMS)}"
        )
    check_count("frames", frames, most=1_000_000)
    known = as_puzzle(puzzle)
    taken = list(islice(_FILMS[algorithm](known), frames + 1))
    records = [frame.record(known) for frame in taken[:frames]]
    if len(taken) > frames:
        records[-1] |= {"k": "end", "t": f"{records[-1]['t']} … and so on: the film ends here"}
    return {
        "title": limited(ALGORITHMS[algorithm], known.left_out),
        "cells": positions(known),
        "names": [str(place) for place in known.cells],
        "values": all_values(known.cells, known),
        "givens": [i for i, place in enumerate(known.cells) if place in known.givens],
        "matrix": Covering(known).matrix if algorithm == "dlx" else {},
        "frames": records,
    }


def stage(puzzle: Puzzle) -> str:
    """Return the board on which a film is shown: its rules without any digit."""
    return render_svg(puzzle.without_givens(), legend=False, labels=True)


def _sentences(puzzle: Puzzle) -> Iterator[str]:
    """Yield the rules of a puzzle, and what was left out of them."""
    yield from (rule.describe(puzzle) for rule in puzzle.constraints)
    yield from (f"left out: {reason}" for reason in puzzle.left_out)


def part(name: str) -> str:
    """Return a file of the player."""
    return (files("csp_sudoku.watching") / name).read_text(encoding="utf-8")


_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
<body>
<main class="player" id="player">
<h1>{title}</h1>
<div class="stage">
<div class="board">{board}</div>
<div class="beside"></div>
</div>
<ul class="rules">{rules}</ul>
</main>
<script>{script}
new Player(document.getElementById("player"), {data});
</script>
</body>
</html>
"""
