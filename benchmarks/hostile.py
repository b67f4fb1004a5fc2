"""Crafted inputs and what each gives: ``python -m benchmarks hostile [--timeout N]``.

Each is solved in a process of its own, with a timeout. No answer but a result and an error of the
library with a message of one line is right; anything else is marked as a fault.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence

import csp_sudoku as cs
from benchmarks.overruns import attackers, measured

_RIGHT = ("Result", "UndecidedError", "BudgetError", "FormatError", "SourceError", "PuzzleError")


def inputs() -> dict[str, Callable[[], str]]:
    """Return what makes each text, by its name."""
    rules = {name: lambda make=make: cs.write_json(make()) for name, make in attackers().items()}
    return rules | {
        "100,000 brackets": lambda: "[" * 100_000,
        "a rule in 5,000 nots": lambda: _document(
            '{"type":"not","part":' * 5_000 + '{"type":"anti-knight"}' + "}" * 5_000
        ),
        "a document cut in the middle": lambda: cs.write_json(cs.Puzzle.blank(9))[:40],
        "a size of 5,000 digits": lambda: _sized("9" * 5_000),
        "a size of 10,000": lambda: _sized("10000"),
        "a size of -1": lambda: _sized("-1"),
        "a size of NaN": lambda: _sized("NaN"),
        "a key twice": lambda: _sized('4,"rows":9'),
        "half a character": lambda: _document('{"type":"\\ud800"}'),
        "a cage of 100,000 cells": lambda: _document(
            json.dumps({"type": "sum", "cells": ["R1C1"] * 100_000, "total": 5})
        ),
        "a cage with a sum of 10**30": lambda: _document(
            json.dumps({"type": "killer-cage", "cells": ["R1C1", "R1C2"], "sum": 10**30})
        ),
        "a rule of an unknown type": lambda: _document('{"type":"__class__"}'),
        "a million lines": lambda: "\n".join(["." * 81] * 1_000_000),
        "81 NUL bytes": lambda: "\0" * 81,
        "81 digits of another alphabet": lambda: "٣" * 81,
        "nothing": lambda: "",
    }


def _sized(rows: str) -> str:
    return f'{{"format":"csp-sudoku","version":1,"grids":[{{"rows":{rows},"columns":9}}]}}'


def _document(rule: str) -> str:
    return _sized("9").removesuffix("}") + f',"constraints":[{rule}]}}'


def main(arguments: Sequence[str]) -> int:
    """Print the table; the exit status is 1 if an answer is a fault."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks hostile", description=__doc__)
    parser.add_argument("--timeout", type=float, default=1.0, metavar="N")
    timeout = parser.parse_args(arguments).timeout
    faults = 0
    print("| input | characters | CPU, s | MB | answer |\n|---|---:|---:|---:|---|")
    for name, make in inputs().items():
        text = make()
        cpu, _, _, size, said = measured(_solve, text, timeout)
        fault = not said.startswith(_RIGHT) or "\n" in said
        faults += fault
        mark = "**fault** " if fault else ""
        print(f"| {name} | {len(text):,} | {cpu:.2f} | {size} | {mark}{said} |", flush=True)
    print(f"\n{faults} faults")
    return 1 if faults else 0


def _solve(text: str, timeout: float) -> object:
    return cs.solve(text, timeout=timeout)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
