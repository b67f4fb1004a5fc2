"""An explanation as a page: a picture for each step, steps of the same kind together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from csp_sudoku.cells import Cell
from csp_sudoku.pictures.highlight import Highlight
from csp_sudoku.pictures.render import render_svg
from csp_sudoku.pictures.report_style import STYLE
from csp_sudoku.pictures.svg import html_text

if TYPE_CHECKING:
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.strategies import Explanation, Step
    from csp_sudoku.why import Reason

_STYLE = """
.csp-report details { margin: .5rem 0; border-left: 3px solid var(--line); padding-left: .8rem; }
.csp-report summary { cursor: pointer; font-weight: 600; }
.csp-report .steps { display: flex; flex-wrap: wrap; gap: 1.5rem; }
.csp-report .steps figure { flex: 0 1 20rem; }
"""


def explanation_page(explanation: Explanation, steps: int | None = None) -> str:
    """Return a page of its own with the first steps of an explanation (default: all).

    Examples
    --------
    >>> from csp_sudoku import explain
    >>> page = explanation_page(explain("0100 3001 4002 0040"))
    >>> page.count("<figure>"), "steps of the same kind" in page
    (11, True)
    """
    title = f"{len(explanation.steps)} steps: {explanation.remark}"
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html_text(title)}</title>\n{explanation_html(explanation, steps)}</html>\n"
    )


def explanation_html(explanation: Explanation, steps: int | None = None) -> str:
    """Return the same as a part of another page, such as a notebook."""
    shown = explanation.steps[:steps]
    left = len(explanation.steps) - len(shown)
    remark = f"{left} more steps follow" if left else explanation.remark
    missing = "".join(f"<p>Left out: {html_text(reason)}</p>" for reason in explanation.left_out)
    figure = f"<figure>{render_svg(explanation.puzzle, labels=True)}</figure>"
    return (
        f'<style>{STYLE}{_STYLE}</style><article class="csp-report">'
        f"<h1>Step by step</h1>{missing}{figure}"
        f"{''.join(_groups(explanation, shown))}<p>{html_text(remark)}</p></article>"
    )


def reason_svg(
    reason: Reason, puzzle: Puzzle, excluded: Any = None, *, caption: bool = True
) -> str:
    """Draw a reason: the cells that it rests on, and the candidate that it excludes.

    Parameters
    ----------
    excluded
        A place and a value; None if the reason is that there is no solution.
    caption
        Whether the reason is written under the picture.

    Examples
    --------
    >>> from csp_sudoku import cell, read, why_not
    >>> puzzle = read("1... .... ..1. ....")
    >>> reason = why_not(puzzle, "R2C4", 2)
    >>> "R2C4 is not 2" in reason_svg(reason, puzzle, (cell("R2C4"), 2))
    True
    """
    places = dict.fromkeys(reason.givens)
    for rule in reason.constraints:
        if rule in puzzle.constraints:
            groups = reason.used.get(rule) or [rule.scope(puzzle)]
            places.update(dict.fromkeys(place for group in groups for place in group))
    return render_svg(
        puzzle,
        highlight=Highlight(
            frozenset(place for place in places if isinstance(place, Cell)),
            frozenset([excluded] if excluded and isinstance(excluded[0], Cell) else []),
        ),
        legend=caption,
        title=reason.claim,
        caption=str(reason) if caption else None,
        labels=True,
    )


def _groups(explanation: Explanation, shown: Sequence[Step]) -> Iterator[str]:
    """Yield the steps, those in a row with the same technique together."""
    number = 0
    for technique, found in groupby(shown, key=lambda step: step.technique):
        steps = list(found)
        figures = []
        for step in steps:
            number += 1
            figures.append(_figure(explanation, number, step))
        span = f"{number}" if len(steps) == 1 else f"{number - len(steps) + 1} to {number}"
        kind = "" if len(steps) == 1 else f", {len(steps)} steps of the same kind"
        yield (
            f"<details{' open' if len(steps) == 1 else ''}>"
            f"<summary>{span}: {html_text(technique)}{kind}</summary>"
            f'<div class="steps">{"".join(figures)}</div></details>'
        )


def _figure(explanation: Explanation, number: int, step: Step) -> str:
    """One step on the board as it was before it; a long sentence is folded."""
    before, given = explanation.state(number - 1), explanation.puzzle.givens
    open_ = [place for place in before.variables if place not in before.givens]
    marks = {place: before.candidates_of(place) for place in open_}
    values = {place: value for place, value in before.givens.items() if place not in given}
    picture = render_svg(
        explanation.puzzle,
        solution=values,
        candidates=marks,
        highlight=step,
        legend=False,
        title=step.summary,
        labels=True,
    )
    text = f"{number}. {html_text(step.summary)}"
    if step.sentence != step.summary:
        text += f"<details><summary>in full</summary>{html_text(step.sentence)}</details>"
    return f"<figure>{picture}<figcaption>{text}</figcaption></figure>"
