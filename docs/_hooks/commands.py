"""The page of the command line: every command, from the application itself."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterator
from typing import Any

import click
from prose import cell

from csp_sudoku.cli.codes import MEANINGS
from csp_sudoku.cli.group import cli

_HEAD = """\
# Command line

This page is made from the program itself; `csp-sudoku COMMAND --help` says the same.

Answers go to standard output; notes, progress and errors go to standard error. Progress and colours
are for terminals only, and `NO_COLOR` turns colours off. A mistake in the input gives one line and
the exit code 2, never a traceback. A `PUZZLE` is a file, a link, the puzzle itself, or `-` for
standard input; its format is recognised: see [formats](formats.md).

| command | does |
|---|---|
"""

_CODES = "".join(f"| {code} | {cell(meaning)} |\n" for code, meaning in MEANINGS.items())
_EXIT = f"""\
## Exit codes

| code | meaning |
|---|---|
{_CODES}
The codes mean the same for all commands. With `--json` there is JSON on standard output for every
code except 2, 70, 74, 130, 141 and 143. The end of each command below lists the codes it uses.

A puzzle that was read with `--lenient`, and of which something was left out, is another puzzle
than the one that was given. So each answer about it has the code 7, whatever it says; only 2, 5, 8
and the codes from 70 on stay. One line on standard error names what was left out, and `-q` does
not hide it. Each verdict ends with "by the rules that were read". This holds for JSON, too: a
status word such as `"CORRECT"` is `"CORRECT by the rules that were read"` then, so that no program
takes it for the plain word, and the key `left_out` lists what is missing.

"""


def page() -> str:
    """The text of the page."""
    context = click.Context(cli)
    known = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    common = _common(known.values())
    lines = [_HEAD]
    for name, command in known.items():
        summary = _text(command)[0].partition("\n\n")[0]
        lines.append(f"| [{name}](#{name}) | {cell(summary)} |\n")
    lines += ["\n", _EXIT, "## Options that mean the same everywhere\n\n"]
    lines += _table(common.values(), defaults=False)
    for name, command in known.items():
        lines += _command(name, command, common)
    return "".join(lines)


def _common(known: Any) -> dict[str, Any]:
    """The options that several commands have, under one name and with one meaning."""
    options = [option for command in known for option in _options(command)]
    seen = Counter((option.name, option.help) for option in options)
    shared = {o.name: o for o in options if seen[o.name, o.help] > 2}
    return dict(sorted(shared.items(), key=lambda item: item[1].opts[0]))


def _options(command: Any) -> list[Any]:
    return [p for p in command.params if p.param_type_name == "option" and p.name != "help"]


def _arguments(command: Any) -> list[Any]:
    return [p for p in command.params if p.param_type_name == "argument"]


def _text(command: Any) -> tuple[str, list[str]]:
    """What a command says of itself, and its examples."""
    text, _, examples = inspect.cleandoc(command.help or "").partition("\b\nExamples:\n")
    return text.strip(), [line.strip() for line in examples.splitlines() if line.strip()]


def _command(name: str, command: Any, common: dict[str, Any]) -> Iterator[str]:
    text, examples = _text(command)
    usage = " ".join(str(p.metavar or p.name.upper()) for p in _arguments(command))
    yield f"\n## csp-sudoku {name} {{#{name}}}\n\n{text}\n\n"
    yield f"```text\ncsp-sudoku {name} {usage} [OPTIONS]\n```\n\n".replace("  ", " ")
    own = [o for o in _options(command) if not _is_common(o, common)]
    yield from _table([*_arguments(command), *own])
    shared = [f"`{o.opts[0]}`" for o in _options(command) if _is_common(o, common)]
    if shared:
        yield f"Also: {', '.join(shared)}.\n\n"
    if examples:
        yield "```text\n" + "\n".join(f"$ {line}" for line in examples) + "\n```\n\n"
    if command.epilog:
        title, *codes = command.epilog.removeprefix("\b\n").splitlines()
        yield f"{title}\n\n| code | meaning |\n|---|---|\n"
        for line in codes:
            code, _, meaning = line.strip().partition("  ")
            yield f"| {code} | {cell(meaning)} |\n"


def _is_common(option: Any, common: dict[str, Any]) -> bool:
    return option.name in common and common[option.name].help == option.help


def _table(parameters: Any, *, defaults: bool = True) -> Iterator[str]:
    rows = [_row(parameter, defaults) for parameter in parameters]
    if rows:
        yield "| parameter | meaning |\n|---|---|\n"
        yield from rows
        yield "\n"


def _row(parameter: Any, defaults: bool) -> str:
    if parameter.param_type_name == "argument":
        name = parameter.metavar or parameter.name.upper()
    else:
        flag = getattr(parameter, "is_flag", False)
        value = "" if flag else f" {parameter.metavar or 'VALUE'}"
        name = ", ".join(parameter.opts) + value
    default = parameter.default
    plain = isinstance(default, str | int | float) and not isinstance(default, bool)
    said = f" (default {default})" if defaults and plain and default != "" else ""
    return f"| `{name}` | {cell(getattr(parameter, 'help', None) or '')}{cell(said)} |\n"
