"""The pages of the reference: what the two packages offer, module by module, for mkdocstrings."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from prose import markdown

import csp_encodings
import csp_sudoku

_SUDOKU = """\
# csp_sudoku

Everything here can be imported from `csp_sudoku` itself: `import csp_sudoku as cs`. Solvers are
loaded when they are first asked for. The constraints are in the [vocabulary](vocabulary.md).

"""
_ENCODINGS = """\
# csp_encodings

The lower package: constraint graphs and their way to solvers. It knows nothing of Sudoku, and can
be used by itself: the examples [n-queens](../examples.md#queens) and
[map colouring](../examples.md#map_colouring) do.

"""
# What is read by those who write constraints, backends and tests, and not exported at the top.
_MORE = (
    "csp_sudoku.constraints.fields",
    "csp_sudoku.lowering",
    "csp_sudoku.backends.base",
    "csp_sudoku.testing",
    "csp_sudoku.textbook.csp",
    "csp_sudoku.textbook.dancing_links",
    "csp_sudoku.textbook.events",
    "csp_sudoku.textbook.search",
    "csp_sudoku.textbook.tracing",
)
_WHOLE = "heading_level: 3, show_root_heading: false, show_root_toc_entry: false"
_BASES = ("Constraint", "CellConstraint")


def pages() -> dict[str, str]:
    """The texts of the pages, by their place in the site."""
    return {"reference/csp_sudoku.md": _sudoku(), "reference/csp_encodings.md": _encodings()}


def _sudoku() -> str:
    homes: dict[str, list[str]] = {}
    for name in csp_sudoku.__all__:
        home = getattr(csp_sudoku, name).__module__
        if not home.startswith("csp_sudoku.constraints.") or name in _BASES:
            homes.setdefault(home, []).append(name)
    for module in _MORE:
        homes[module] = []
    return _SUDOKU + "".join(_section(module, names) for module, names in sorted(homes.items()))


def _encodings() -> str:
    modules = [
        module.name
        for module in iter_modules(csp_encodings.__path__, "csp_encodings.")
        if not module.name.rpartition(".")[2].startswith("_")
    ]
    return _ENCODINGS + "".join(_section(module, []) for module in modules)


def _section(module: str, names: list[str]) -> str:
    """A module: the names that are exported from it, or all that it has."""
    lines = [f"## {module.partition('.')[2]} {{#{module}-module}}\n\n"]
    if names:
        lines.append(f"{markdown(import_module(module).__doc__)}\n\n")
        lines += [f"::: {module}.{name}\n    options: {{heading_level: 3}}\n\n" for name in names]
    else:
        lines.append(f"::: {module}\n    options: {{{_WHOLE}}}\n")
    return "".join(lines) + "\n"
