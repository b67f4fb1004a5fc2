"""Deliberate faults in encoders, kernels, sessions and lowerings: the checks notice every one.

The list is ``tests/mutations/faults.json``. To try some by hand, with what noticed each:
``python tests/mutations/run.py cnf``. Random puzzles notice every one, too, which takes some
minutes: ``python tests/mutations/run.py --fuzz``. Three of them are tried here.
"""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from csp_sudoku.testing import conformance_cases

FOLDER = Path(__file__).parent / "mutations"
FAULTS = json.loads((FOLDER / "faults.json").read_text(encoding="utf-8"))
# Many in one process: importing the solvers takes longer than most faults survive.
PROCESSES = 4


def test_there_are_enough_of_them():
    assert len(FAULTS) >= 40
    assert len({fault["name"] for fault in FAULTS}) == len(FAULTS)


def test_each_is_a_change_of_the_present_source():
    for fault in FAULTS:
        source = Path(find_spec(fault["module"]).origin).read_text(encoding="utf-8")
        assert source.count(fault["old"]) == 1, fault["name"]


def test_the_case_that_shows_one_is_known():
    cases = {case.name for case in conformance_cases()}
    assert {fault["shown by"] for fault in FAULTS if "shown by" in fault} <= cases


def run(*arguments):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(FOLDER / "run.py"), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {row["name"]: row for row in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("part", range(PROCESSES))
def test_every_fault_is_noticed(part):
    names = [fault["name"] for fault in FAULTS[part::PROCESSES]]
    said = {name: row["noticed"] for name, row in run(*names).items()}
    assert said.keys() == set(names)
    assert [name for name, noticed in said.items() if not noticed] == []


def test_random_puzzles_find_a_fault_and_shrink_it():
    names = (
        "cnf: a relation of a cell with itself is ignored",
        "sat: a solution is blocked for all puzzles",
        "lowering: the bits of an and are or-ed",
    )
    rows = run("--fuzz", *names)
    assert rows.keys() == set(names)
    assert [name for name, row in rows.items() if not row["noticed"]] == []
    assert max(row["constraints"] for row in rows.values()) <= 3
