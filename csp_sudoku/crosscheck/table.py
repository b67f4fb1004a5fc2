"""Show an agreement in the terminal: a table of the answers, then what was established."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from csp_sudoku.crosscheck.agreement import Agreement, Answer, Ending, Outcome

_STYLES = {
    Outcome.DISAGREEMENT: "bold red",
    Outcome.UNKNOWN: "yellow",
    Outcome.SEVERAL: "cyan",
}

_SHOWN = 12  # how many differing cells are named


def render(agreement: Agreement) -> RenderableType:
    """Return the table and the sentences of an agreement."""
    style = _STYLES.get(agreement.outcome, "yellow" if agreement.doubtful else "green")
    return Group(
        _table(agreement),
        _text(agreement.summary, f"bold {style}"),
        *map(_text, details(agreement)),
    )


def _table(agreement: Agreement) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("solver", "says", "solutions"):
        table.add_column(title, no_wrap=True)
    table.columns[-1].justify = "right"
    for title in ("compile", "solve"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("size of its input")
    wrong = {disagreement.name for disagreement in agreement.disagreements}
    for answer in agreement.answers:
        table.add_row(*map(_text, _row(answer)), style="red" if answer.name in wrong else None)
    return table


def _text(said: str, style: str = "") -> Text:
    """Plain text: brackets are not markup, and control characters do not reach the terminal."""
    return Text("".join(sign if sign.isprintable() else "?" for sign in said), style=style)


def _row(answer: Answer) -> tuple[str, str, str, str, str, str]:
    return (
        answer.name,
        says_text(answer),
        count_text(answer),
        seconds_text(answer.compile_seconds),
        seconds_text(answer.solve_seconds),
        answer.text or size_text(answer.size),
    )


def says_text(answer: Answer) -> str:
    """What a solver says, or how its run ended."""
    said = answer.status if answer.ending is Ending.COMPLETE else answer.ending
    return str(said.value)


def count_text(answer: Answer) -> str:
    """How many solutions a solver gave, right and wrong ones."""
    found = str(len(answer.solutions)) if answer.solutions or answer.complete else ""
    return f"{found} ({len(answer.wrong)} wrong)".strip() if answer.wrong else found


def seconds_text(seconds: float) -> str:
    """A time; empty if it was not measured."""
    return f"{seconds * 1000:,.0f} ms" if seconds else ""


def size_text(size: Mapping[str, int]) -> str:
    """The size of a solver's input."""
    return ", ".join(f"{number:,} {what}" for what, number in size.items())


def details(agreement: Agreement) -> Iterator[str]:
    """What a report says below the summary."""
    yield from (str(disagreement) for disagreement in agreement.disagreements[1:])
    if agreement.outcome is Outcome.SEVERAL:
        yield from (f"  {solution.line}" for solution in agreement.solutions[:2])
        cells = [str(place) for place in agreement.differing]
        more = f" and {len(cells) - _SHOWN} more" if len(cells) > _SHOWN else ""
        yield f"these two differ in {' '.join(cells[:_SHOWN])}{more}"
    elif agreement.outcome is Outcome.DISAGREEMENT and agreement.evidence:
        yield f"  {agreement.evidence}"
    elif len(agreement.solutions) == 1:
        yield f"  {agreement.solutions[0].line}"
    yield from agreement.established
    if agreement.uncertified and agreement.agreed:
        yield f"no certificate: {agreement.uncertified}"
    yield from agreement.findings
    yield from (f"left out: {reason}" for reason in agreement.left_out)
