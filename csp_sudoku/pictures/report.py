"""A cross-check as one page of HTML that loads nothing from elsewhere."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from math import log1p
from typing import Any

from csp_sudoku.cells import Place
from csp_sudoku.checking.verify import verify
from csp_sudoku.constraints.base import in_grid
from csp_sudoku.crosscheck.agreement import Agreement, Answer, Disagreement, Outcome, Way
from csp_sudoku.crosscheck.certificates import SOLVER, Certificate
from csp_sudoku.crosscheck.programs import command_line
from csp_sudoku.crosscheck.table import count_text, says_text, seconds_text
from csp_sudoku.errors import CspSudokuError
from csp_sudoku.formats import write_json
from csp_sudoku.integers import counted
from csp_sudoku.pictures.highlight import Highlight
from csp_sudoku.pictures.render import render_svg
from csp_sudoku.pictures.report_style import PAGE_STYLE, STYLE
from csp_sudoku.pictures.svg import html_text
from csp_sudoku.puzzle import Puzzle

_PACKAGES = ("csp-sudoku", "python-sat", "ortools", "numpy", "numba", "networkx")

_MOODS = {
    Outcome.DISAGREEMENT: "bad",
    Outcome.UNKNOWN: "warn",
    Outcome.SEVERAL: "warn",
}

# How many places are listed.
_LISTED = 40

# Times shorter than this hardly show as bars.
_SHORT = 0.001

# The page loads nothing and runs nothing, whatever text a puzzle holds.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def report(agreement: Agreement, command: Sequence[str] | None = None) -> str:
    """Return the whole page.

    `command` repeats the cross-check of the file ``puzzle.json``; by default it asks the same
    solvers.

    Examples
    --------
    >>> from csp_sudoku import cross_check
    >>> agreement = cross_check("0100 3001 4002 0040", ["sat", "dlx"], isolate=False)
    >>> page = report(agreement)
    >>> "one solution, certified" in page, "<script" in page
    (True, False)
    """
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Cross-check: {html_text(agreement.summary)}</title>\n"
        f"<style>{PAGE_STYLE}</style>\n</head>\n<body>\n"
        f"{fragment(agreement, command)}</body>\n</html>\n"
    )


def fragment(agreement: Agreement, command: Sequence[str] | None = None) -> str:
    """Return the report as a part of another page, such as a notebook."""
    mood = _MOODS.get(agreement.outcome, "warn" if agreement.doubtful else "good")
    parts = [
        "<h1>Cross-check</h1>",
        f'<p class="outcome {mood}">{html_text(agreement.summary)}</p>',
        *_doubts(agreement),
        *_pictures(agreement),
        *_disagreements(agreement),
        *_differences(agreement),
        *_answers(agreement),
        *_sizes(agreement),
        *_established(agreement),
        *_repeat(agreement, command or _command(agreement)),
    ]
    body = "\n".join(parts)
    return f'<style>{STYLE}</style>\n<div class="csp-report">\n{body}\n</div>\n'


def _doubts(agreement: Agreement) -> Iterator[str]:
    if agreement.left_out:
        yield "<h2>Left out when the puzzle was read</h2>"
        yield _list(agreement.left_out)
    if agreement.disputes:
        yield "<h2>The stated solution</h2>"
        yield _list(agreement.disputes)


def _pictures(agreement: Agreement) -> Iterator[str]:
    puzzle = agreement.puzzle
    figures = [_figure(puzzle, "The puzzle")]
    if len(agreement.solutions) == 1 and agreement.agreed:
        solution = agreement.solutions[0]
        figures.append(_figure(puzzle, "Its solution", solution=solution, legend=False))
    yield _figures(figures)
    if agreement.solutions and agreement.agreed:
        lines = [solution.line for solution in agreement.solutions]
        listed = f"<pre>{html_text(chr(10).join(lines))}</pre>"
        if len(lines) > 1:
            listed = f"<details><summary>The {len(lines)} solutions</summary>{listed}</details>"
        yield listed


def _disagreements(agreement: Agreement) -> Iterator[str]:
    if not agreement.disagreements:
        return
    yield "<h2>Who is wrong</h2>"
    yield _list(map(str, agreement.disagreements))
    figures = [
        _evidence(agreement.puzzle, disagreement)
        for disagreement in agreement.disagreements
        if disagreement.evidence
    ]
    if figures:
        yield _figures(figures)


def _evidence(puzzle: Puzzle, disagreement: Disagreement) -> str:
    grid = disagreement.evidence or {}
    caption = f"Evidence against {disagreement.name}; what breaks a rule is framed"
    return _figure(
        puzzle, caption, solution=grid, highlight=verify(puzzle, grid).violations, legend=False
    )


def _differences(agreement: Agreement) -> Iterator[str]:
    if len(agreement.solutions) < 2:
        return
    differing = agreement.differing
    yield "<h2>Two of the solutions</h2>"
    places = html_text(_listing(differing))
    yield f"<p>They differ in {counted(len(differing), 'place')}: {places}.</p>"
    yield _figures(
        _figure(
            agreement.puzzle,
            f"Solution {i}",
            solution=solution,
            highlight=Highlight(frozenset(in_grid(differing))),
            legend=False,
        )
        for i, solution in enumerate(agreement.solutions[:2], 1)
    )


def _answers(agreement: Agreement) -> Iterator[str]:
    wrong = {disagreement.name for disagreement in agreement.disagreements}
    times = [
        t for answer in agreement.answers for t in (answer.compile_seconds, answer.solve_seconds)
    ]
    longest = max(times, default=0.0)
    rows = []
    for answer in agreement.answers:
        cells = [
            _cell(answer.name),
            _cell(says_text(answer)),
            _cell(count_text(answer), "number"),
            _cell(seconds_text(answer.compile_seconds), "number"),
            _cell(seconds_text(answer.solve_seconds), "number"),
            f'<td class="wide">{_bars(answer, longest)}{html_text(answer.text)}</td>',
        ]
        mark = ' class="bad"' if answer.name in wrong else ""
        rows.append(f"<tr{mark}>{''.join(cells)}</tr>")
    yield "<h2>Who said what</h2>"
    heads = ("solver", "says", "solutions", "compile", "solve", "time, on a logarithmic scale")
    yield _table(heads, rows, numbers=(2, 3, 4))
    yield (
        '<p class="key soft"><span><i class="compile"></i>compile</span>'
        '<span><i class="solve"></i>solve</span>'
        f"<span>whole cross-check: {agreement.seconds:.2f} s</span></p>"
    )


def _bars(answer: Answer, longest: float) -> str:
    parts = (("compile", answer.compile_seconds), ("solve", answer.solve_seconds))
    return "".join(
        f'<div class="bar"><i class="{kind}" style="width:{_share(t / _SHORT, longest / _SHORT)}%">'
        "</i></div>"
        for kind, t in parts
        if t
    )


def _share(number: float, most: float) -> str:
    """Return the length of a bar on a logarithmic scale, in percent of the longest."""
    return f"{100 * log1p(number) / log1p(most):.1f}" if most > 0 else "0"


def _sizes(agreement: Agreement) -> Iterator[str]:
    most = max((n for answer in agreement.answers for n in answer.size.values()), default=0)
    rows = [
        f"<tr>{_cell(answer.name)}{_cell(what)}{_cell(f'{number:,}', 'number')}"
        f'<td class="wide"><div class="bar"><i class="compile" style="width:'
        f'{_share(number, most)}%"></i></div></td></tr>'
        for answer in agreement.answers
        for what, number in answer.size.items()
    ]
    if rows:
        yield "<h2>Sizes of the encodings</h2>"
        yield _table(("solver", "counts", "number", "on a logarithmic scale"), rows, numbers=(2,))


def _established(agreement: Agreement) -> Iterator[str]:
    """Yield what was established, the proof of it, and what went wrong on the way."""
    certificate = agreement.certificate
    yield "<h2>What was established</h2>"
    if agreement.established:
        yield _list(agreement.established)
    if certificate is not None:
        yield f'<p class="soft">{html_text(_origin(certificate))}</p>'
    else:
        why = agreement.uncertified or "none was asked for"
        yield f"<p>There is no certificate: {html_text(why)}.</p>"
    if agreement.findings:
        yield "<h2>What went wrong on the way</h2>"
        yield _list(agreement.findings)


def _origin(certificate: Certificate) -> str:
    return (
        f"The proof comes from {SOLVER} ({certificate.prove_seconds:.2f} s) and was checked by a "
        f"checker of our own ({certificate.check_seconds:.2f} s, "
        f"{counted(certificate.checked.lemmas, 'lemma')}). It is about the formula; that the "
        f"formula is the puzzle is what the reference and the other solvers are for."
    )


def _repeat(agreement: Agreement, command: Sequence[str]) -> Iterator[str]:
    yield "<h2>How to repeat it</h2>"
    try:
        document = write_json(agreement.puzzle)
    except CspSudokuError as error:
        yield f"<p>The puzzle cannot be written down: {html_text(str(error))}.</p>"
    else:
        yield "<p>Save the puzzle below as <code>puzzle.json</code>, and run</p>"
        yield f"<pre>{html_text(command_line(command))}</pre>"
        yield f"<details><summary>puzzle.json</summary><pre>{html_text(document)}</pre></details>"
    rows = [f"<tr>{_cell(name)}{_cell(number)}</tr>" for name, number in _versions()]
    yield _table(("software", "version"), rows)


def _command(agreement: Agreement) -> list[str]:
    asked = [answer.backend for answer in agreement.answers if answer.way is Way.GRAPH]
    options = [word for name in asked for word in ("--backend", name)]
    return ["csp-sudoku", "cross-check", "puzzle.json", *options]


def _versions() -> Iterator[tuple[str, str]]:
    yield "Python", f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    for name in _PACKAGES:
        try:
            yield name, version(name)
        except PackageNotFoundError:  # run from a checkout that is not installed
            yield name, "not installed"


def _figure(puzzle: Puzzle, caption: str, **drawn: Any) -> str:
    picture = render_svg(puzzle, title=caption, **drawn)
    return f"<figure>{picture}<figcaption>{html_text(caption)}</figcaption></figure>"


def _figures(figures: Iterable[str]) -> str:
    return f'<div class="figures">{"".join(figures)}</div>'


def _table(heads: Sequence[str], rows: Iterable[str], *, numbers: Iterable[int] = ()) -> str:
    right = set(numbers)
    head = "".join(
        f'<th scope="col"{" class=number" if i in right else ""}>{html_text(title)}</th>'
        for i, title in enumerate(heads)
    )
    return (
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _cell(text: str, class_: str = "") -> str:
    mark = f' class="{class_}"' if class_ else ""
    return f"<td{mark}>{html_text(text)}</td>"


def _list(items: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{html_text(item)}</li>' for item in items)}</ul>"


def _listing(places: Sequence[Place]) -> str:
    more = f" and {len(places) - _LISTED} more" if len(places) > _LISTED else ""
    return " ".join(map(str, places[:_LISTED])) + more
