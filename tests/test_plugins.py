"""Plug-ins: packages installed beside the library bring constraints and backends."""

import json
import os
import subprocess
import sys
import textwrap
from collections import Counter
from random import Random

import pytest

import csp_sudoku as cs
from csp_sudoku import backends, plugins
from csp_sudoku.constraints import registry
from csp_sudoku.fuzzing import rules
from csp_sudoku.generating import kinds
from csp_sudoku.generating.recipes import Recipe

MODULE = """
from dataclasses import dataclass

from csp_sudoku import CellConstraint, Constraint, Puzzle
from csp_sudoku.backends.base import Backend
from csp_sudoku.constraints.aspects import Look, grown_lines
from csp_sudoku.backends.sat import Sat


@dataclass(frozen=True)
class FirstIs(Constraint):
    \"\"\"The first cell holds the value.\"\"\"

    value: int = 1
    name = "first-is"
    aliases = ("first", "thermo", "anti-king")

    def scope(self, puzzle):
        return puzzle.cells[:1]

    def holds(self, values, puzzle):
        return values[puzzle.cells[0]] == self.value


@dataclass(frozen=True, init=False)
class Rope(CellConstraint):
    \"\"\"Neighbours on the rope are consecutive.\"\"\"

    name = "rope"
    look = Look("teal", 0.3, (0.2, 0.1))
    placing = grown_lines(longest=4)

    def accepts(self, values):
        return all(abs(a - b) == 1 for a, b in zip(values, values[1:]))

    @classmethod
    def draw(cls, maker):
        return maker.fields(cls, cells=lambda: maker.places(2, 3))


class Mine(Sat):
    name = "mine"
    summary = "a backend of somebody else"


class Misnamed(FirstIs):
    name = "other"


class Thief(FirstIs):
    name = "anti-knight"


not_a_class = 5
"""

ENTRIES = """
[csp_sudoku.constraints]
first-is = tiny_plugin:FirstIs
rope = tiny_plugin:Rope
misnamed = tiny_plugin:Misnamed
anti-knight = tiny_plugin:Thief
not-a-class = tiny_plugin:not_a_class
gone = tiny_plugin:NoSuchThing
explodes = exploding_plugin:Anything

[csp_sudoku.backends]
mine = tiny_plugin:Mine
brute = tiny_plugin:Mine
leaves = leaving_plugin:Anything
absent = absent_module:Backend
"""


@pytest.fixture
def site(tmp_path):
    """A folder with an installed package, as an installer leaves it."""
    (tmp_path / "tiny_plugin.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "exploding_plugin.py").write_text("raise RuntimeError('bang\\nbang')\n")
    (tmp_path / "leaving_plugin.py").write_text("raise SystemExit(1)\n")
    info = tmp_path / "tiny_plugin-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny-plugin\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRIES, encoding="utf-8")
    return tmp_path


@pytest.fixture
def installed(site, monkeypatch):
    monkeypatch.syspath_prepend(site)
    yield site
    for name in ("tiny_plugin", "exploding_plugin"):
        sys.modules.pop(name, None)


BROKEN = {
    "misnamed": "tiny_plugin:Misnamed calls itself 'other'",
    "anti-knight": "a built-in has this name",
    "not-a-class": "tiny_plugin:not_a_class is not a subclass of Constraint",
    "gone": "AttributeError: module 'tiny_plugin' has no attribute 'NoSuchThing'",
    "explodes": "RuntimeError: bang bang",
    "brute": "a built-in has this name",
    "leaves": "SystemExit: 1",
    "absent": "ModuleNotFoundError: No module named 'absent_module'",
}


def test_a_constraint_of_a_plug_in_is_a_constraint(installed):
    assert "first-is" in registry.names()
    assert "tiny_plugin" not in sys.modules, "names are listed without loading"
    rule = registry.rule("first-is")
    puzzle = cs.Puzzle.blank(4).add(rule)
    assert cs.count(puzzle, "brute").value == 72
    assert cs.read(cs.formats.write_json(puzzle)) == puzzle
    assert "first-is" in cs.formats.schema()["$defs"]


def test_a_constraint_of_a_plug_in_has_aliases(installed):
    assert registry.rule("first").value == 1
    assert registry.get("thermo") is cs.Thermometer, "a built-in keeps its aliases"
    assert registry.get("anti-king") is cs.AntiKing, "and its name"
    assert Recipe.read("first").rules == (registry.rule("first-is"),)


def test_a_rule_of_a_plug_in_is_placed_drawn_and_examined(installed):
    made = cs.generate(4, recipe="rope:2", seed=1)
    ropes = [rule for rule in made.puzzle.constraints if rule.name == "rope"]
    assert len(ropes) == 2
    assert cs.verify(made.puzzle, made.solution).ok
    assert "rope" in kinds()
    assert "s-teal" in cs.render_svg(made.puzzle)
    rules._kinds.cache_clear()
    try:
        drawn = Counter()
        for seed in range(1_000):
            rule = rules.RuleMaker(cs.Puzzle.blank(4), None, Random(seed)).draw()
            drawn[rule.name] += 1
            assert rule.name != "rope" or len(rule.cells) <= 4
        assert drawn["rope"]
        assert drawn["first-is"]
    finally:
        rules._kinds.cache_clear()


def test_a_backend_of_a_plug_in_is_a_backend(installed):
    assert "mine" in backends.names()
    result = cs.solve("0100 3001 4002 0040", "mine")
    assert (result.backend, result.solutions[0].text) == ("mine", "2134342143121243")
    assert backends.get("mine:solver=minisat22").name == "mine"


def test_broken_plug_ins_are_named_and_left_out(installed):
    found = {plugin.name: plugin for plugin in plugins.broken()}
    assert {name: plugin.reason for name, plugin in found.items()} == BROKEN
    assert {plugin.package for plugin in found.values()} == {"tiny-plugin"}
    assert str(found["absent"]).startswith("plug-in tiny-plugin: its backend 'absent' is left out")


def test_a_broken_plug_in_is_named_when_it_is_asked_for(installed):
    with pytest.raises(cs.CspSudokuError, match="its constraint 'explodes' is left out"):
        registry.get("explodes")
    with pytest.raises(cs.CspSudokuError, match="its backend 'absent' is left out"):
        cs.solve("0100 3001 4002 0040", "absent")
    with pytest.raises(cs.FormatError, match=r"constraints\[0\].type: plug-in tiny-plugin"):
        cs.read(
            '{"format": "csp-sudoku", "version": 1, "grids": [{"rows": 4}],'
            '"constraints": [{"type": "explodes"}]}'
        )


def test_built_ins_keep_their_names(installed):
    assert registry.get("anti-knight") is cs.AntiKnight


def test_built_ins_are_what_is_exported():
    assert registry.built_in()["killer-cage"] is cs.KillerCage
    for name, found in registry.built_in().items():
        assert found.name == name
        assert found.__name__ in cs.constraints.__all__


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("anti-knigth", "did you mean anti-knight?"),
        ("qqq", "there are all-different"),
        ("killer-cage", "cannot be given by its name alone: it needs cells"),
    ],
)
def test_a_rule_by_name_is_refused(name, message):
    with pytest.raises(cs.ConstraintError, match=message):
        registry.rule(name)


def test_no_such_backend():
    with pytest.raises(cs.BackendError, match="no backend is called 'sta'; did you mean sat?"):
        backends.get("sta")
    with pytest.raises(cs.BackendError, match="brute"):
        backends.get("qqq")
    with pytest.raises(cs.BackendError, match="option 'x=1' is not one of its"):
        backends.get("sat:x=1")


def test_the_command_uses_plug_ins_and_warns_of_broken_ones(site):
    script = textwrap.dedent("""
        import contextlib, io, json, sys
        from csp_sudoku.cli import main
        found = []
        for arguments in json.loads(sys.argv[1]):
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = main(arguments)
            found.append([code, out.getvalue(), err.getvalue()])
        print(json.dumps(found))
    """)
    runs = [
        ["count", "................", "--rule", "first-is", "--backend", "brute"],
        ["solve", "0100300140020040", "--backend", "mine"],
        ["solve", "0100300140020040", "--rule", "explodes"],
        ["variants"],
    ]
    done = subprocess.run(
        [sys.executable, "-c", script, json.dumps(runs)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(site), *sys.path])},
        capture_output=True,
        text=True,
        check=True,
    )
    counted, solved, exploded, listed = json.loads(done.stdout)
    assert counted == [0, "72\n", ""]
    assert solved == [0, "2134342143121243\n", ""]
    assert exploded[0] == 2
    assert "its constraint 'explodes' is left out: RuntimeError: bang bang" in exploded[2]
    assert listed[0] == 0
    assert "first-is" in listed[1]
    assert "explodes" not in listed[1]
    warnings = listed[2].splitlines()
    assert len(warnings) == len(BROKEN)
    assert all(line.startswith("warning: plug-in tiny-plugin: its ") for line in warnings)
