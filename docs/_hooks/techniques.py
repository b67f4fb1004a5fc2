"""The page of the techniques: what each concludes, on an example with a picture."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import csp_sudoku as cs
from csp_sudoku.strategies import TECHNIQUES, Step, Technique
from csp_sudoku.strategies.network import network_of
from csp_sudoku.strategies.position import Position

_TEXT = """\
# Techniques

All techniques from easy to hard, each on an example: the cells that the reason uses are shaded, and
the candidates that go are crossed out. The score is explained in
[How hard](../how-to/explain.md#how-hard). The positions are in `examples/techniques.json`.

Each technique can be asked for alone (`csp-sudoku hint PUZZLE --technique w-wing`), be the only one
(`csp-sudoku explain PUZZLE --only "naked single"`) or be left out (`--without`).

"""


def page(root: Path) -> str:
    """The page as Markdown."""
    parts = [_TEXT]
    for technique, _, step in examples(root):
        place = f"../{place_of(technique)}"
        parts.append(
            f"## {technique.name}\n\n"
            f"Score {technique.score}. {_doc(technique)}{_remark(technique)}\n\n"
            f"![{technique.name}]({place}-light.svg#only-light)\n"
            f"![{technique.name}]({place}-dark.svg#only-dark)\n\n"
            f"> {step.summary}\n"
        )
    return "\n".join(parts)


def pictures(root: Path) -> dict[str, str]:
    """The pictures as SVG, by their place in the site."""
    found = {}
    for technique, position, step in examples(root):
        puzzle = position.network.puzzle
        open_ = {place: v for place, v in position.candidates.items() if len(v) > 1}
        values = {place: v[0] for place, v in position.candidates.items() if len(v) == 1}
        for theme in ("light", "dark"):
            found[f"{place_of(technique)}-{theme}.svg"] = cs.render_svg(
                puzzle,
                solution=values,
                candidates=open_,
                highlight=step,
                legend=False,
                title=step.summary,
                theme=theme,
            )
    return found


def place_of(technique: Technique) -> str:
    """Where the picture of a technique is, but for the theme."""
    return f"images/techniques/{re.sub(r'[^a-z0-9]+', '-', technique.name.lower())}"


def examples(root: Path) -> Iterator[tuple[Technique, Position, Step]]:
    """Each technique with its example and the step there."""
    listed = json.loads((root / "examples" / "techniques.json").read_text(encoding="utf-8"))
    known = {example["technique"]: example for example in listed}
    for technique in TECHNIQUES:
        position = _position(known[technique.name])
        yield technique, position, technique.steps(position)[0]


def _position(example: dict[str, Any]) -> Position:
    """The position of an example; values that were placed later are not givens."""
    if "marks" in example:
        puzzle = cs.read("\n".join(example["marks"]), dialect="candidates")
    else:
        puzzle = cs.read(json.dumps(example["puzzle"]))
    position = Position.start(network_of(puzzle), dict(puzzle.candidates))
    number, code = position.network.number, position.network.code
    return position.after(
        [(number[cs.cell(p)], code[v]) for p, v in example.get("placed", {}).items()],
        [(number[cs.cell(p)], code[v]) for p, vs in example.get("removed", {}).items() for v in vs],
    )


def _doc(technique: Technique) -> str:
    """The first paragraph of what finds it."""
    told = (technique.find.__doc__ or "").partition("\n\n")[0]
    return re.sub(r"\s+", " ", told)


def _remark(technique: Technique) -> str:
    if technique.needs_uniqueness:
        return " It relies on there being one solution, so it is used only with `--uniqueness`."
    return " It is used only if it is asked for by its name." if technique.by_request else ""
