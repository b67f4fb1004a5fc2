"""An import is quick because names are loaded late; nothing else about them differs.

Each package names what it offers once, in the table that it gives to ``attach``. Type checkers
cannot read that table, so the imports above it say the same to them. They are written by a program:

    python tests/test_start_up.py
"""

import ast
import importlib
import pickle
import pkgutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

import csp_sudoku as cs
from csp_sudoku import constraints, formats, pictures
from csp_sudoku.constraints import registry
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.formats import recognition

PACKAGES = [cs, constraints, formats, pictures]


def loaded_by(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def imports_of(package: ModuleType) -> tuple[str, str]:
    """The imports that a package has for type checkers, and those that its table stands for."""
    source = Path(str(package.__file__)).read_text(encoding="utf-8")
    block = next(node for node in ast.parse(source).body if isinstance(node, ast.If))
    table = next(node for node in ast.walk(block) if isinstance(node, ast.Dict))
    wanted = []
    for home, names in zip(table.keys, table.values, strict=True):
        module = ast.literal_eval(home)
        if isinstance(names, ast.Constant):
            wanted += [(module, f"{name} as {name}") for name in names.value.split()]
        else:
            wanted.append((module, "*  # noqa: F403"))  # all that another package offers
    lines = source.splitlines(keepends=True)[block.test.lineno : block.body[-1].end_lineno]
    return "".join(lines), "".join(f"    from {m} import {n}\n" for m, n in sorted(wanted))


THREADS = """
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.machinery import SourceFileLoader
import csp_sudoku as cs
import csp_sudoku.formats.recognition
load = SourceFileLoader.exec_module
def slowly(self, module):
    time.sleep(0.05 * module.__name__.startswith("csp_sudoku.formats"))
    load(self, module)
SourceFileLoader.exec_module = slowly
with ThreadPoolExecutor(4) as threads:
    found = [*threads.map(cs.read, ["\\n".join(["12|34", "34|12", "--+--", "21|43", "43|21"])] * 4)]
assert len({*found}) == 1
"""


def test_threads_may_read_the_first_puzzles_at_the_same_time():
    assert "csp_sudoku.formats.sudokuwiki" in loaded_by(THREADS)


def test_an_import_loads_neither_solvers_nor_what_they_need():
    loaded = loaded_by("import csp_sudoku")
    assert not loaded & {"networkx", "numpy", "msgspec", "pysat", "ortools", "numba", "typer"}
    assert not any(name.startswith("csp_sudoku.constraints.") for name in loaded)


def test_reading_and_checking_need_no_graph():
    code = "import csp_sudoku as cs; assert cs.verify(cs.read('1...' * 4), '1' * 16).violations"
    foreign = {"csp_sudoku.formats.iss", "csp_sudoku.formats.tables"}
    assert not loaded_by(code) & {"networkx", "numpy", *foreign}


def test_the_checker_imports_no_encoder_and_no_solver():
    code = """
import csp_sudoku.checking.verify
from csp_sudoku import AntiKnight, Diagonals, KillerCage, Puzzle, Renban, Sandwich, Thermometer
rules = AntiKnight(), Diagonals(), KillerCage("R1C1 R1C2", 3), Renban("R1C1-R1C3")
puzzle = Puzzle.blank(4).add(*rules, Thermometer("R1C1 R1C2") | ~Sandwich("R1", 3))
assert not csp_sudoku.verify(puzzle, "2134 3421 4312 1243").ok
"""
    loaded = loaded_by(code)
    assert "csp_sudoku.checking.verify" in loaded
    encoders = {path.stem for path in (Path(__file__).parents[1] / "encodings").rglob("*.py")}
    # The language of models, in which rules lower themselves; the store of what is kept; the clock.
    encoders -= {"__init__", "errors", "graph", "factors", "automaton", "regex", "value_sets"}
    encoders -= {"store", "watch"}
    encoders = {name for name in encoders if not name.startswith("_")}
    assert {"cnf", "clauses", "cpsat", "linear", "exact_cover", "arrays", "jit"} <= encoders
    assert not loaded & {f"csp_encodings.{name}" for name in encoders}
    assert not loaded & {"pysat", "ortools", "numba", "numpy", "networkx"}
    parts = ("csp_sudoku.backends", "csp_sudoku.kernels", "csp_sudoku.batches")
    assert not [name for name in loaded if name.startswith(parts)]


def test_a_plain_solve_on_the_command_line_loads_only_what_it_needs():
    code = "from csp_sudoku.cli import main; main(['solve', '0100300140020040'])"
    loaded = loaded_by(code)
    assert "pysat" in loaded
    heavy = {"ortools", "numba", "pydantic", "numpy", "csp_sudoku.cli.exporting"}
    assert not loaded & heavy


def test_rules_load_no_code_that_draws_them_places_them_or_examines_them():
    code = (
        "import csp_sudoku as cs; from csp_sudoku.constraints import registry; registry.built_in();"
        "cs.solve(cs.read('0100 3001 4002 0040').add(cs.Whisper('R1C1 R1C2')))"
    )
    aspects = ("csp_sudoku.pictures.", "csp_sudoku.generating", "csp_sudoku.fuzzing")
    assert [name for name in loaded_by(code) if name.startswith(aspects)] == []


def test_help_on_the_command_line_loads_nothing_that_solves():
    loaded = loaded_by("from csp_sudoku.cli import main; main(['--help'])")
    assert "csp_sudoku.cli.exporting" in loaded
    assert not loaded & {"networkx", "numpy", "pysat", "csp_sudoku.strategies"}


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_type_checkers_see_the_names_of_the_table(package):
    found, wanted = imports_of(package)
    assert found == wanted, "write the imports again: python tests/test_start_up.py"


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_every_name_can_be_had_and_is_listed(package):
    for name in package.__all__:
        assert not isinstance(getattr(package, name), ModuleType)
    assert set(package.__all__) <= set(dir(package))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        package.nonsense  # noqa: B018
    with pytest.raises(ImportError, match="nonsense"):
        exec(f"from {package.__name__} import nonsense")


def test_a_function_keeps_its_name_when_a_module_is_called_the_same():
    code = "import csp_sudoku.canonical as _; from csp_sudoku import canonical\n"
    assert loaded_by(f"{code}assert callable(canonical)")


def test_names_come_with_a_star():
    everything: dict[str, object] = {}
    exec("from csp_sudoku import *", everything)
    assert everything["KillerCage"] is cs.KillerCage
    assert everything["verify"] is cs.verify


def test_what_is_loaded_late_can_be_pickled():
    puzzle = cs.Puzzle.blank(4).add(cs.AntiKnight())
    assert pickle.loads(pickle.dumps((puzzle, cs.solve))) == (puzzle, cs.solve)


def test_a_function_that_uses_the_package_can_be_sent_to_a_cluster():
    cloudpickle = pytest.importorskip("cloudpickle", reason="comes with the extra dask")
    assert pickle.loads(pickle.dumps(cs)) is cs
    sent = cloudpickle.dumps(lambda text: cs.solve(text, "sat").solutions[0].text)
    assert pickle.loads(sent)("0100 3001 4002 0040") == "2134342143121243"


def test_every_constraint_is_exported_and_called_like_its_class():
    here = {item.name for item in pkgutil.iter_modules(constraints.__path__)}
    modules = [importlib.import_module(f"csp_sudoku.constraints.{name}") for name in here]
    found = {
        item
        for module in modules
        for item in vars(module).values()
        if isinstance(item, type) and issubclass(item, Constraint)
        if hasattr(item, "name") and not item.__name__.startswith("_")
    }
    assert found == set(registry.built_in().values())
    assert {name: kind.__name__ for name, kind in registry.built_in().items()} == registry.classes()
    assert all(kind.name == name for name, kind in registry.built_in().items())


@given(st.text("0123456789. \n", min_size=1, max_size=100).filter(str.strip))
def test_digits_and_points_are_a_grid_and_nothing_else(text):
    *others, grid = recognition._FORMATS
    assert recognition._recognise(text) is grid
    assert not any(form.recognises(text.lstrip()) for form in others)


if __name__ == "__main__":
    for package in PACKAGES:
        path = Path(str(package.__file__))
        path.write_text(path.read_text(encoding="utf-8").replace(*imports_of(package)), "utf-8")
