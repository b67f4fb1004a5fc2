"""The pictures of the site: a puzzle, its solution, a step, its graph, and every rule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import csp_sudoku as cs
from csp_sudoku import manual
from csp_sudoku.constraints import registry

THEMES = ("light", "dark")


def files(root: Path) -> dict[str, str]:
    """The pictures as SVG, by their place in the site, one for light pages and one for dark."""
    variant = cs.read(root / "examples" / "variant.json")
    [solution] = cs.solve(variant).solutions
    structure = sorted((root / "examples" / "structure").glob("*.json"))
    small = cs.read("0100 3001 4002 0040")
    found = _themed("images/front", variant)
    found |= _themed("images/solved", variant, solution=solution)
    found |= _themed("images/hint", small, candidates=True, highlight=cs.hint(small))
    for theme in THEMES:
        found[f"images/graph-{theme}.svg"] = cs.render_graph(small, theme=theme)
    for file in structure:
        puzzle = cs.read(file)
        [solution] = cs.solve(puzzle, limit=2).solutions
        found |= _themed(f"images/{file.stem}", puzzle, solution=solution, legend=False)
    for kind in registry.built_in().values():
        if puzzle := drawn_example(kind):
            found |= _themed(place_of(kind), puzzle, legend=False)
    return found


def place_of(kind: type[cs.Constraint]) -> str:
    """Where the picture of a rule is, but for the theme."""
    return f"images/rules/{kind.name}"


def example_of(kind: type[cs.Constraint]) -> cs.Puzzle | None:
    """A small puzzle with the first example of a rule that fits."""
    return next((puzzle for _, puzzle in manual.on_boards(kind)), None)


def drawn_example(kind: type[cs.Constraint]) -> cs.Puzzle | None:
    """The example, if there is anything to see of the rule in its picture."""
    puzzle = example_of(kind)
    if puzzle is None:
        return None
    without = cs.Puzzle(puzzle.grids)
    seen = [cs.render_svg(p, legend=False, title=" ") for p in (puzzle, without)]
    return puzzle if seen[0] != seen[1] else None


def _themed(place: str, puzzle: cs.Puzzle, **settings: Any) -> dict[str, str]:
    return {
        f"{place}-{theme}.svg": cs.render_svg(puzzle, theme=theme, **settings) for theme in THEMES
    }


if __name__ == "__main__":
    # Readers of a plain checkout see the pictures of the pages, too; those of the rules are many.
    _root = Path(__file__).parent.parent.parent
    for _place, _text in files(_root).items():
        if "/rules/" not in _place:
            (_root / "docs" / _place).write_text(_text, encoding="utf-8")
