"""The command demo: a guided tour of one minute."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files

import click

from csp_encodings.graph import factors
from csp_sudoku.cli import cross_checking, options, output
from csp_sudoku.cli.codes import SOLVED
from csp_sudoku.cli.output import answer
from csp_sudoku.formats import read
from csp_sudoku.puzzle import Puzzle, shared_graph

_STEPS = 5  # how many steps of the explanation are shown

_KINDS = {
    "AllDifferent": "all different",
    "Relation": "pairs of values",
    "Linear": "sums",
    "Regular": "automata",
    "Connected": "connected cells",
}


@click.command()
@options.QUIET
@options.DEBUG
def demo() -> int:
    """Show what csp-sudoku does, in one minute.

    A variant puzzle is drawn, compiled for every solver, solved, proved and explained.

    \b
    Examples:
      csp-sudoku demo
    """
    puzzle = read(files("csp_sudoku.cli").joinpath("demo.json").read_text("utf-8"))
    _puzzle(puzzle)
    _graph(puzzle)
    _answers(puzzle)
    _explanation(puzzle)
    _title("Go on")
    answer("csp-sudoku cross-check PUZZLE   any file, link or literal, on all solvers")
    answer("csp-sudoku variants             the rules there are, and how to write them")
    answer("csp-sudoku --help               all commands")
    return SOLVED


def _puzzle(puzzle: Puzzle) -> None:
    _title("1. A puzzle: no givens, but thermometers, arrows and cages")
    output.answer_grid(puzzle)
    for constraint in puzzle.constraints:
        answer(f"  {constraint.describe(puzzle)}")


def _graph(puzzle: Puzzle) -> None:
    _title("2. One model: a constraint graph")
    graph = shared_graph(puzzle)
    kinds = Counter(type(factor).__name__ for factor in factors(graph).values())
    listed = ", ".join(f"{number} {_KINDS[kind]}" for kind, number in kinds.items())
    answer(f"  {len(puzzle.cells)} cells; factors: {listed}")
    answer("  a plain networkx graph: puzzle.graph")


def _answers(puzzle: Puzzle) -> None:
    _title("3. Compiled for every solver, asked one by one, compared, and proved")
    output.answer_rich(cross_checking.ask(puzzle, None))


def _explanation(puzzle: Puzzle) -> None:
    from csp_sudoku.strategies import explain

    _title("4. How a person would find it")
    with output.working(lambda: "explaining"):
        found = explain(puzzle)
    for number, step in enumerate(found.steps[:_STEPS], 1):
        answer(f"  {number}. {step.sentence}")
    answer(f"  … {len(found.steps)} steps in all: csp-sudoku explain examples/variant.json")


def _title(text: str) -> None:
    answer("")
    answer(text)
