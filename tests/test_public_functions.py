"""What docs/how-to/call.md promises of every public function that takes a puzzle."""

import inspect
from concurrent.futures import ThreadPoolExecutor
from math import inf, nan
from pathlib import Path

import numpy as np
import pytest

import csp_sudoku as cs

FOUR = "0100300140020040"
SOLVED = "2134342143121243"
NONE = "11.............."
HERE = {"backends": ["sat"], "isolate": False}

# How each function is called for a puzzle.
CALLS = {
    "ac3": cs.ac3,
    "assess": lambda puzzle: cs.assess(puzzle, SOLVED),
    "canonical": cs.canonical,
    "check_claim": lambda puzzle: cs.check_claim(puzzle, SOLVED),
    "count": cs.count,
    "count_in_parts": lambda puzzle: cs.count_in_parts(puzzle, ThreadPoolExecutor(1)),
    "cross_check": lambda puzzle: cs.cross_check(puzzle, **HERE),
    "cross_check_many": lambda puzzle: list(cs.cross_check_many([puzzle], **HERE)),
    "cubes": lambda puzzle: list(cs.cubes(puzzle)),
    "describe": cs.describe,
    "duplicates": lambda puzzle: cs.duplicates([puzzle, puzzle]),
    "estimate": cs.estimate,
    "explain": cs.explain,
    "export": lambda puzzle: cs.export(puzzle, "cnf").text,
    "generate": lambda puzzle: cs.generate(puzzle, seed=1),
    "generate_many": lambda puzzle: list(cs.generate_many(1, puzzle, seed=1)),
    "hint": cs.hint,
    "import_answer": lambda puzzle: cs.import_answer(puzzle, "cnf", "s UNSATISFIABLE"),
    "is_minimal": cs.is_minimal,
    "is_unique": cs.is_unique,
    "random_solution": lambda puzzle: cs.random_solution(puzzle, seed=1),
    "rate": cs.rate,
    "read": cs.read,
    "read_with_notes": cs.read_with_notes,
    "redundant": cs.redundant,
    "render_graph": cs.render_graph,
    "render_svg": cs.render_svg,
    "score": lambda puzzle: cs.score(puzzle, SOLVED),
    "session": lambda puzzle: cs.session(puzzle).close(),
    "solutions": lambda puzzle: list(cs.solutions(puzzle)),
    "solve": cs.solve,
    "solve_in_parts": lambda puzzle: cs.solve_in_parts(puzzle, ThreadPoolExecutor(1)),
    "solve_many": lambda puzzle: list(cs.solve_many([puzzle])),
    "space": cs.space,
    "trace_encoding": cs.trace_encoding,
    "true_candidates": cs.true_candidates,
    "verify": lambda puzzle: cs.verify(puzzle, SOLVED),
    "watch": lambda puzzle: cs.watch(puzzle, "ac3"),
    "why_not": lambda puzzle: cs.why_not(puzzle, "R1C1", 1),
    "why_unsolvable": cs.why_unsolvable,
    "write_fpuzzles": cs.write_fpuzzles,
    "write_iss": cs.write_iss,
    "write_json": cs.write_json,
    "write_link": cs.write_link,
    "write_scl": cs.write_scl,
    "write_sudokumaker": cs.write_sudokumaker,
    "write_text": cs.write_text,
}
# Functions that take no puzzle, or a file or an array of many.
OTHERS = {
    "agreement_schema", "at_least", "at_most", "batch", "cell", "cells", "check_claims",
    "clear_cache", "exactly", "fold", "fuzz", "implies", "is_one_of", "is_value", "limits",
    "modified", "on_layer", "read_answer", "read_many", "rule", "set_cache_budget", "solve_array",
    "survey", "unmarked", "verify_many", "warm_up", "where", "xor",
}  # fmt: skip


def test_no_function_is_forgotten():
    functions = {name for name in cs.__all__ if inspect.isfunction(getattr(cs, name))}
    assert functions == CALLS.keys() | OTHERS


def rows(text):
    return [[int(sign.replace(".", "0")) for sign in text[i : i + 4]] for i in range(0, 16, 4)]


@pytest.mark.parametrize("name", CALLS)
def test_a_puzzle_may_be_text_rows_an_array_or_a_file(name, tmp_path):
    text = NONE if name == "why_unsolvable" else FOUR
    file = tmp_path / "puzzle.txt"
    file.write_text(text)
    for puzzle in (text, rows(text), np.array(rows(text)), file, cs.read(text)):
        CALLS[name](puzzle)


@pytest.mark.parametrize("kind", [str, rows, np.array, cs.read])
def test_rules_may_be_what_a_puzzle_may_be(kind):
    blank = "." * 16
    rules = np.array(rows(blank)) if kind is np.array else kind(blank)
    assert cs.read(SOLVED, like=rules) == cs.read(SOLVED)
    assert next(cs.solve_many([FOUR], rules=rules)).solutions[0].text == SOLVED
    assert len(cs.solve_array(np.zeros((2, 16), int), rules).grids) == 2


NO_PUZZLES = [
    None, True, 1.5, nan, "", "12345", "hello", "y" * 16, b"\xff\xfe", {}, {"R1C1": 1}, [], [[]],
    [[1, 2], [3]], [["a"] * 4] * 4, (1, 2), np.zeros((2, 2, 2), int), np.full((2, 2), 0.5),
    object(), len, Path("/nowhere/puzzle.txt"),
]  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_what_is_no_puzzle_is_our_own_error(name):
    for puzzle in NO_PUZZLES:
        with pytest.raises(cs.CspSudokuError):
            CALLS[name](puzzle)


# Values that are of the right type, and wrong.
WRONG = {
    "backend": ["sta", "sat:solver=x", "sat:x=1", ""],
    "backends": [[], ["sta"], ["cat {cnf} {cnf}"]],
    "box": [(0, 1), (3, 3)],
    "chunk": [0, -1],
    "clues": [-1, 999],
    "count": [-1],
    "dialect": ["x"],
    "difficulty": ["x", "9-1", ""],
    "first": [-1],
    "highlight": ["R9C9", "x"],
    "limit": [0, -1],
    "memory": [0, -5],
    "mode": ["x"],
    "place": ["R9C9", "hello", ""],
    "recipe": ["killer:-1", "killer:x", "nonsense"],
    "rules": ["x", ["anti-knight"]],
    "sample": [0, -1],
    "samples": [0, -1],
    "seed": [-1, 2**80],
    "share": [-0.5, 1.5, nan],
    "size": [0, -1, 100, (0, 4), (1, 2, 3)],
    "theme": ["x"],
    "of": [[], "R9C9", "$nobody", "the grid"],
    "timeout": [-1, -1.5, nan, inf],
    "to": ["pdf", ""],
    "value": [9, -1, 0],
    "values": [(), (3, 1), (1, 1, 2)],
    "workers": [0, -1],
}
ARGUMENTS = {
    "check_claim": (FOUR, SOLVED),
    "count_in_parts": (FOUR, ThreadPoolExecutor(1)),
    "export": (FOUR, "cnf"),
    "generate_many": (1, 4),
    "import_answer": (FOUR, "cnf", "s UNSATISFIABLE"),
    "score": (FOUR, SOLVED),
    "solve_in_parts": (FOUR, ThreadPoolExecutor(1)),
    "assess": (FOUR, SOLVED),
    "verify": (FOUR, SOLVED),
    "why_not": (FOUR, "R1C1", 1),
    "why_unsolvable": (NONE,),
}


def call(name, parameter, value):
    """Call a function with one argument replaced."""
    function = getattr(cs, name)
    bound = inspect.signature(function).bind(*ARGUMENTS.get(name, (FOUR,)))
    if bound.signature.parameters[parameter].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD:
        bound.arguments[parameter] = value
        found = function(**bound.arguments)
    else:
        found = function(*bound.args, **bound.kwargs, **{parameter: value})
    return list(found) if inspect.isgenerator(found) else found


@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        (name, parameter)
        for name in CALLS
        for parameter in inspect.signature(getattr(cs, name)).parameters
        if parameter in WRONG
    ],
)
def test_a_wrong_value_is_our_own_error(name, parameter):
    for value in WRONG[parameter]:
        with pytest.raises(cs.CspSudokuError):
            call(name, parameter, value)


@pytest.mark.parametrize(
    ("name", "parameter", "value"),
    [
        ("cross_check", "workers", np.int64(1)),
        ("cross_check", "memory", np.uint16(2000)),
        ("cross_check", "timeout", 1e300),
        ("check_claim", "claim", np.int8(1)),
        ("check_claim", "claim", {"R1C1": np.int64(2)}),
        ("generate", "clues", np.int32(9)),
        ("generate", "rules", np.int64(4)),
        ("random_solution", "rules", np.uint8(4)),
        ("generate_many", "count", np.int64(1)),
        ("generate_many", "first", np.int64(3)),
        ("why_not", "value", np.int64(1)),
        ("render_svg", "solution", {cs.cell("R1C1"): np.int64(2)}),
    ],
)
def test_numbers_of_numpy_are_numbers(name, parameter, value):
    found = call(name, parameter, value)
    if isinstance(found, cs.CheckedClaim):
        assert found.verdict is not cs.ClaimVerdict.MALFORMED
    if parameter == "clues":
        assert found.clues == 9


def test_an_unknown_solver_is_refused_although_the_rules_decide_a_claim():
    with pytest.raises(cs.BackendError, match="no backend is called 'sta'"):
        cs.check_claim(FOUR, SOLVED, backends=["sta"])
