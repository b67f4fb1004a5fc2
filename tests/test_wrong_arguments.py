"""Wrong arguments of every kind: whatever a user gives, only our own errors come out.

Each public function, each constructor of a rule and each method of a puzzle has a good call. One
argument at a time is replaced by things that are none. The call then works, or it raises a
CspSudokuError of one short line.
"""

import inspect
import math
import os
import traceback
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import islice

import pytest

import csp_sudoku as cs
from csp_sudoku.constraints import registry


class Nothing:
    """An object that no function has use for."""

    def __repr__(self):
        return "<nothing>"


WRONG = [
    None, True, 1.5, math.nan, math.inf, -1, 0, 10**30, -(10**30), 1j, "", "x", "1...", "R1C1",
    "R1C1-", "R0C0", "R99C99", "R1C1-R9999C9999", "$", "$x", "x:R1C1", "\x00", "\ud800", "9" * 500,
    b"x", [], {}, set(), (), [[]], [[[]]], [None], [1.5], [10**30], ["R1C1", 3], [[1, 2], [3]],
    [["R1C1", ["R1C2", ["R1C3"]]]], (1,), (1, 2, 3), {1}, {"a": 1}, {"R1C1": "x"}, {1: 1},
    range(3), Nothing(), len, float, cs.Cell(-1, 0), cs.Cell(0, 10**9), cs.AntiKnight(),
    [cs.AntiKnight()], cs.Status.UNKNOWN,
]  # fmt: skip


def shown(value):
    return ascii(value)[:40]


@pytest.fixture
def escapes():
    """A list of all that escapes; a test ends well if there is nothing."""
    found: list[str] = []
    yield found
    assert not found, "\n".join(found)


def attempt(escapes, what, call):
    """Note whatever a call raises that is no short error of ours."""
    try:
        found = call()
        if isinstance(found, Iterator):
            list(islice(found, 2))
    except cs.CspSudokuError as error:
        message = str(error)
        if len(message) > 600 or "\n" in message:
            escapes.append(f"{what}: a long error: {message[:200]!a}")
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{where.filename.rpartition('/')[2]}:{where.lineno}"
        escapes.append(f"{what}: {type(error).__name__} at {place}: {str(error)[:100]}")


FOUR = cs.Puzzle.blank(4)
KINDS = registry.built_in()


def moved(held):
    """What a field holds, with its first cell outside the grid; the same if it has no cell."""
    if isinstance(held, cs.Cell):
        return cs.Cell(4, 0)
    for i, item in enumerate(held if isinstance(held, tuple) else ()):
        if (other := moved(item)) is not item:
            return (*held[:i], other, *held[i + 1 :])
    return held


@pytest.mark.parametrize("name", KINDS)
def test_a_cell_outside_the_grid_is_refused_wherever_it_stands(name):
    for rule in KINDS[name].examples():
        held = {field.name: getattr(rule, field.name) for field in fields(rule)}
        for field, value in held.items():
            if (other := moved(value)) is not value:
                with pytest.raises(cs.CspSudokuError, match="R5C1"):
                    FOUR.add(type(rule)(**held | {field: other}))


@pytest.mark.parametrize("name", KINDS)
def test_constructors_of_rules(name, escapes):
    kind = KINDS[name]
    example = kind.examples()[0]
    given = (
        {f.name: getattr(example, f.name) for f in fields(example)} if is_dataclass(kind) else {}
    )
    for field in given:
        for wrong in WRONG:

            def use(field=field, wrong=wrong):
                rule = kind(**{**given, field: wrong})
                puzzle = FOUR.add(rule)
                rule.describe(puzzle)
                puzzle.objections()
                assert puzzle.graph

            attempt(escapes, f"{name}({field}={shown(wrong)})", use)


# What each function needs, and what else it takes that is wrong here and there.
TEXT = "1234341221434321"
OPEN = "123434122143...."
ASKED = {"limit": 1, "timeout": 5}
READING = {"rules": (), "like": None, "size": 4, "box": (2, 2), "values": range(1, 5),
           "dialect": None, "lenient": False, "explains": (), "reading": None}  # fmt: skip
CALLS = {
    "ac3": {"puzzle": OPEN},
    "assess": {"puzzle": OPEN, "grid": TEXT, "timeout": 5},
    "at_least": {"number": 1, "rules": [cs.AntiKnight()]},
    "at_most": {"number": 1, "rules": [cs.AntiKnight()]},
    "cell": {"text": "R1C1"},
    "check_claim": {"puzzle": OPEN, "claim": TEXT, "backends": ["brute"], "timeout": 5,
                    "isolate": False},
    "count": {"puzzle": OPEN, "backend": "search", **ASKED},
    "cross_check": {"puzzle": OPEN, "backends": ["brute"], **ASKED, "workers": 1, "isolate": False,
                    "certify": False, "reference": False, "seed": 1, "memory": None},
    "cubes": {"puzzle": OPEN, "parts": 2},
    "exactly": {"number": 1, "rules": [cs.AntiKnight()]},
    "explain": {"puzzle": OPEN, "uniqueness": False, "only": (), "without": (), "timeout": 5},
    "export": {"puzzle": OPEN, "to": "dimacs"},
    "fold": {"cells": "R1C1", "start": 0, "step": max, "accept": bool, "positional": False,
             "text": ""},
    "generate": {"rules": 4, "mode": "unique", "share": None, "minimal": False, "clues": None,
                 "symmetry": None, "difficulty": None, "recipe": (), "seed": 1, "timeout": 5},
    "generate_many": {"count": 1, "rules": 4, "seed": 1, "chunk": 1, "timeout": 5},
    "hint": {"puzzle": OPEN, "uniqueness": False, "technique": None, "timeout": 5},
    "implies": {"condition": cs.AntiKnight(), "consequence": cs.AntiKing()},
    "import_answer": {"puzzle": OPEN, "to": "dimacs", "answer": "s UNSATISFIABLE"},
    "is_minimal": {"puzzle": OPEN, "timeout": 5},
    "is_unique": {"puzzle": OPEN, "backend": "search", "timeout": 5},
    "on_layer": {"layer": "x"},
    "random_solution": {"rules": 4, "seed": 1, "timeout": 5},
    "rate": {"puzzle": OPEN, "uniqueness": False, "timeout": 5},
    "read": {"source": OPEN, **READING},
    "read_answer": {"text": TEXT, "puzzle": OPEN},
    "read_many": {"source": OPEN, **READING},
    "read_with_notes": {"source": OPEN, **READING},
    "redundant": {"puzzle": OPEN, "timeout": 5},
    "render_graph": {"puzzle": OPEN, "theme": "light"},
    "render_svg": {"puzzle": OPEN, "solution": None, "candidates": False, "highlight": None,
                   "legend": True, "theme": "light", "title": "a", "caption": "b"},
    "rule": {"text": "R1C1 > 1", "sentence": ""},
    "session": {"rules": OPEN, "backend": "search"},
    "solutions": {"puzzle": OPEN, "backend": "search", **ASKED, "seed": 1},
    "solve": {"puzzle": OPEN, "backend": "search", **ASKED, "seed": 1, "cancel": None},
    "solve_array": {"grids": [[1, 2, 3, 4] * 4], "rules": None, "backend": "search", "limit": 1,
                    "workers": 1, "timeout": 5},
    "solve_many": {"puzzles": [OPEN], "backend": "search", **ASKED, "rules": None, "workers": 1},
    "true_candidates": {"puzzle": OPEN, **ASKED},
    "verify": {"puzzle": OPEN, "solution": TEXT},
    "verify_many": {"puzzles": OPEN, "grids": [TEXT]},
    "unmarked": {"text": "m", "predicate": "a > b", "on": "edges"},
    "watch": {"puzzle": OPEN, "algorithm": "ac3", "frames": 50},
    "where": {"cells": "R1C1", "predicate": bool, "text": ""},
    "why_not": {"puzzle": OPEN, "place": "R4C4", "value": 2, "timeout": 5},
    "why_unsolvable": {"puzzle": "11" + "." * 14, "timeout": 5},
    **{f"write_{form}": {"puzzle": OPEN, "lenient": False}
       for form in ("fpuzzles", "iss", "link", "scl", "sudokumaker")},
    "write_json": {"puzzle": OPEN},
    "write_text": {"puzzle": OPEN, "solution": None, "form": "line", "dialect": None},
    "xor": {"first": cs.AntiKnight(), "second": cs.AntiKing()},
}  # fmt: skip
# Functions that read and write files, run for long, take no argument, or take executors.
APART = {
    "agreement_schema", "batch", "cells", "check_claims", "clear_cache", "count_in_parts",
    "cross_check_many", "fuzz", "limits", "modified", "set_cache_budget", "solve_in_parts",
    "survey",
}  # fmt: skip


# What is good for a parameter of this name, if it has no default.
GOOD = {"puzzle": OPEN, "puzzles": [OPEN], "place": "R1C1", "value": 1, "values": [1, 2]}
# A program may give these, a user hardly does; and a wrong one shows only when it is used.
SELDOM = {"executor", "progress", "cancel"}


def good_call(function):
    """The arguments of a function that is not listed: new functions join by themselves."""
    found = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name not in SELDOM and parameter.kind not in (
            parameter.VAR_POSITIONAL,
            parameter.VAR_KEYWORD,
        ):
            is_given = parameter.default is parameter.empty
            found[name] = GOOD.get(name, "R1C1") if is_given else parameter.default
    return found


FUNCTIONS = sorted(
    name for name in cs.__all__ if inspect.isfunction(getattr(cs, name)) and name not in APART
)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name, tmp_path, monkeypatch, escapes):
    monkeypatch.chdir(tmp_path)
    function = getattr(cs, name)
    given = CALLS.get(name) or good_call(function)
    attempt(escapes, name, lambda: function(**given))
    for parameter in given:
        for wrong in WRONG:
            attempt(
                escapes,
                f"{name}({parameter}={shown(wrong)})",
                lambda p=parameter, w=wrong: function(**{**given, p: w}),
            )
    assert not os.listdir(), "a wrong argument became a file"


METHODS = {
    "add": [cs.AntiKnight()],
    "box": [0, 0],
    "candidates_of": ["R1C1"],
    "column": [0, 0],
    "houses_of": ["R1C1"],
    "line": ["R1C1", "R1C3"],
    "neighbours": ["R1C1", "knight"],
    "ray": ["R1C1", "SE"],
    "row": [0, 0],
    "runs": ["R1C1-R1C4"],
    "values_of": [cs.Cell(0, 0)],
    "with_givens": [{"R1C1": 1}],
    "with_layer": ["x", [0, 1], "cells"],
    "with_named": ["x", [1, 2]],
    "without": [cs.AntiKnight()],
}
KNIGHTS = FOUR.add(cs.AntiKnight())


# Methods whose arguments are made by the library itself, or that take none.
NOT_ASKED = {
    "blank", "corners", "edges", "has", "lacks", "no_such_place", "objections", "overlapping",
    "pairs_at", "placed", "with_all_named", "without_givens",
}  # fmt: skip


def test_no_method_of_a_puzzle_is_left_out():
    methods = {n for n, f in inspect.getmembers(cs.Puzzle, callable) if not n.startswith("_")}
    assert methods == METHODS.keys() | NOT_ASKED


@pytest.mark.parametrize("name", METHODS)
def test_methods_of_a_puzzle(name, escapes):
    method, given = getattr(KNIGHTS, name), METHODS[name]
    method(*given)
    for position in range(len(given)):
        for wrong in WRONG:
            arguments = [*given[:position], wrong, *given[position + 1 :]]
            attempt(escapes, f"{name}({position}: {shown(wrong)})", lambda a=arguments: method(*a))


BLANK = {"rows": 4, "columns": 4, "box": (2, 2), "values": range(1, 5), "regions": None,
         "row_houses": True, "column_houses": True}  # fmt: skip
GRID = {**BLANK, "values": (1, 2, 3, 4), "regions": (), "top": 0, "left": 0}


@pytest.mark.parametrize(("make", "given"), [(cs.Puzzle.blank, BLANK), (cs.Grid, GRID)])
def test_shapes(make, given, escapes):
    for parameter in given:
        for wrong in WRONG:
            changed = {**given, parameter: wrong}
            if parameter == "regions":
                changed["box"] = None
            attempt(escapes, f"{make}({parameter}={shown(wrong)})", lambda c=changed: make(**c))
    for wrong in WRONG:
        attempt(escapes, f"overlapping({shown(wrong)})", lambda w=wrong: cs.Puzzle.overlapping(w))
        attempt(escapes, f"Puzzle({shown(wrong)})", lambda w=wrong: cs.Puzzle(w))


def test_cells_and_modifiers(escapes):
    for wrong in WRONG:
        attempt(escapes, f"cells({shown(wrong)})", lambda w=wrong: cs.cells(w))
        attempt(escapes, f"cells(R1C1, {shown(wrong)})", lambda w=wrong: cs.cells("R1C1", w))
        attempt(escapes, f"modified({shown(wrong)})", lambda w=wrong: cs.modified(w))
        attempt(escapes, f"Var({shown(wrong)})", lambda w=wrong: cs.Var(w))
        attempt(
            escapes, f"set_cache_budget({shown(wrong)})", lambda w=wrong: cs.set_cache_budget(w)
        )
    cs.set_cache_budget(256 * 2**20)


def test_sessions_and_solutions(escapes):
    found = cs.solve(OPEN).solutions[0]
    with cs.session(FOUR) as session:
        for wrong in WRONG:
            attempt(escapes, f"session.solve({shown(wrong)})", lambda w=wrong: session.solve(w))
            attempt(escapes, f"session.count({shown(wrong)})", lambda w=wrong: session.count(w))
            attempt(escapes, f"session.add({shown(wrong)})", lambda w=wrong: session.add(w))
            attempt(escapes, f"session.without({shown(wrong)})", lambda w=wrong: session.without(w))
            attempt(escapes, f"count(of={shown(wrong)})", lambda w=wrong: session.count(OPEN, of=w))
            attempt(escapes, f"solution.layer({shown(wrong)})", lambda w=wrong: found.layer(w))
            attempt(escapes, f"grid.row({shown(wrong)})", lambda w=wrong: FOUR.grids[0].row(w))
    with pytest.raises(KeyError):  # a solution is a mapping
        found["R9C9"]


MOVES = {"legal": ["R4C4"], "mark": ["R4C4", [1, 2]], "place": ["R4C4", 1], "remove": ["R4C4"]}
TIMED = ("hint", "solution", "solvable")


@pytest.mark.parametrize("name", [*MOVES, *TIMED])
def test_games(name, escapes):
    given = MOVES.get(name, [])
    if name != "remove":  # there is nothing yet
        getattr(cs.Game(OPEN), name)(*given)
    for wrong in WRONG:
        for position in range(len(given)):
            arguments = [*given[:position], wrong, *given[position + 1 :]]
            attempt(
                escapes,
                f"game.{name}({position}: {shown(wrong)})",
                lambda a=arguments: getattr(cs.Game(OPEN), name)(*a),
            )
        if name in TIMED:
            attempt(
                escapes,
                f"game.{name}(timeout={shown(wrong)})",
                lambda w=wrong: getattr(cs.Game(OPEN), name)(timeout=w),
            )


def test_limits(escapes):
    for name in inspect.signature(cs.limits).parameters:
        for wrong in WRONG:

            def use(name=name, wrong=wrong):
                with cs.limits(**{name: wrong}):
                    cs.count(OPEN)

            attempt(escapes, f"limits({name}={shown(wrong)})", use)
