"""The page of the vocabulary: every constraint, from the registry."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from importlib import import_module
from itertools import groupby

import pictures
from prose import cell, example, markdown

from csp_sudoku import Puzzle, manual, write_json
from csp_sudoku.constraints import Constraint, registry
from csp_sudoku.errors import FormatError

_HEAD = """\
# Vocabulary

All {count} rules that come with the library, made from its registry when this page was built. A
rule has one name in files and on the command line (`killer-cage`) and one in Python
(`KillerCage`). Those that need nothing but their name can be added to any puzzle with
`--rule`, such as `--rule anti-knight`; the others stand in [documents](formats.md#documents), or in
links of other programs. Cells are written `R1C1`, ranges `R1C1-R1C4`; where a rule takes `cells`,
one text with several will do.

Every rule is its predicate; the lowering that compiles it is compared with that predicate
exhaustively on small domains. `csp-sudoku variants killer` shows the same in a terminal, with a
grid that keeps the rule.

| rule | class | in a sentence |
|---|---|---|
"""


def page() -> str:
    """The text of the page."""
    known = registry.built_in()
    lines = [_HEAD.format(count=len(known))]
    for name, kind in sorted(known.items()):
        summary = markdown(kind.__doc__).partition("\n")[0]
        lines.append(f"| [{name}](#{name}) | `{kind.__name__}` | {cell(summary)} |\n")
    grouped = sorted(known.values(), key=lambda kind: (kind.__module__, kind.name))
    for module, kinds in groupby(grouped, key=lambda kind: kind.__module__):
        lines.append(f"\n## {_title(module)}\n\n{_about(module)}\n")
        for kind in kinds:
            lines += _entry(kind)
    return "".join(lines)


def _title(module: str) -> str:
    return module.rpartition(".")[2].replace("_", " ").capitalize()


def _about(module: str) -> str:
    return markdown(inspect.getdoc(import_module(module)))


def _entry(kind: type[Constraint]) -> Iterator[str]:
    yield f"\n### {kind.name} {{#{kind.name}}}\n\n"
    if pictures.drawn_example(kind):
        yield from _picture(kind)
    yield f"{markdown(kind.__doc__)}\n\n"
    if kind.aliases:
        yield f"Also called {', '.join(kind.aliases)}.\n\n"
    yield from _parameters(kind)
    if puzzle := pictures.example_of(kind):
        yield from _example(puzzle)
    if code := example(kind.__doc__):
        yield f"```pycon\n{code}\n```\n"


def _parameters(kind: type[Constraint]) -> Iterator[str]:
    parameters = manual.parameters(kind)
    if not parameters:
        yield f"`{kind.__name__}()`: it needs nothing but its name.\n\n"
        return
    yield f"`{manual.signature(kind)}`\n\n| parameter | takes | default |\n|---|---|---|\n"
    for parameter in parameters:
        default = f"`{parameter.default}`" if parameter.default else ""
        yield f"| `{parameter.name}` | {parameter.takes} | {default} |\n"
    yield "\n"


def _picture(kind: type[Constraint]) -> Iterator[str]:
    place = f"../{pictures.place_of(kind)}"
    for theme in pictures.THEMES:
        yield f"![An example of {kind.name}]({place}-{theme}.svg#only-{theme}){{ .rule }}\n"
    yield "\n"


def _example(puzzle: Puzzle) -> Iterator[str]:
    """The sentence of an example, and how it stands in a document."""
    yield f"For example: *{puzzle.constraints[0].describe(puzzle)}.*\n\n"
    try:
        entry = json.loads(write_json(puzzle))["constraints"][0]
    except FormatError:  # a rule in Python
        return
    yield f"```json\n{json.dumps(entry)}\n```\n\n"
