"""The commands there are, and how one of them is run."""

from __future__ import annotations

import os
from importlib import import_module

import click

from csp_sudoku.cli.codes import MEANINGS, SOLVED, exit_status
from csp_sudoku.cli.output import exit_code
from csp_sudoku.plugins import nearest

# A command is a function of a module. The module is loaded when the command is called.
_HOMES = {
    "solve": "commands:solve",
    "count": "commands:count",
    "estimate": "candidates:estimate",
    "check": "commands:check",
    "show": "commands:show",
    "inspect": "inspecting:inspect",
    "candidates": "candidates:candidates",
    "redundant": "candidates:redundant",
    "minimal": "candidates:minimal",
    "hint": "explaining:hint",
    "explain": "explaining:explain",
    "rate": "explaining:rate",
    "why": "explaining_why:why",
    "generate": "generating:generate",
    "render": "rendering:render",
    "cross-check": "cross_checking:cross_check",
    "check-claims": "cross_checking:check_claims",
    "fuzz": "fuzzing:fuzz",
    "survey": "surveying:survey",
    "batch": "batching:batch",
    "score": "scoring:score",
    "duplicates": "comparing:duplicates",
    "convert": "converting:convert",
    "export": "exporting:export",
    "encoding": "tracing:encoding",
    "import-answer": "exporting:import_answer",
    "watch": "watching:watch",
    "listen": "serving:listen",
    "serve": "serving:serve",
    "bench": "timing:bench",
    "variants": "variants:variants",
    "backends": "commands:list_backends",
    "schema": "commands:schema",
    "demo": "demo:demo",
    "completion": "completing:completion",
}

# Set by a shell that asks what could be typed next.
COMPLETION = "_CSP_SUDOKU_COMPLETE"


class _Commands(click.Group):
    """Commands that are loaded when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_HOMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _HOMES:
            return None
        module, _, name = _HOMES[cmd_name].partition(":")
        found: click.Command = getattr(import_module(f"csp_sudoku.cli.{module}"), name)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not (name in _HOMES or name.startswith("-") or ctx.resilient_parsing):
            raise click.UsageError(f"no command is called {name!a}; {nearest(name, list(_HOMES))}")
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Commands,
    epilog=exit_status(MEANINGS),
)
@click.version_option(package_name="csp-sudoku", message="csp-sudoku %(version)s")
def cli() -> None:
    """Solve, cross-check, explain and make Sudoku puzzles and their variants.

    `csp-sudoku COMMAND --help` explains a command, with examples.
    """


def run(arguments: list[str]) -> int:
    """Run a command line and return its exit code."""
    if COMPLETION in os.environ:
        cli.main(prog_name="csp-sudoku")
    try:
        with cli.make_context("csp-sudoku", arguments or ["--help"]) as context:
            return exit_code(int(cli.invoke(context) or SOLVED), context)
    except click.exceptions.Exit as done:
        return done.exit_code
