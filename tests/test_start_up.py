"""An import is quick because names are loaded late; nothing else about them differs."""

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
from csp_sudoku import constraints, formats
from csp_sudoku.constraints import registry
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.formats import recognition

PACKAGES = [cs, constraints, formats]


def loaded_by(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def names_for_type_checkers(package: ModuleType) -> set[str]:
    tree = ast.parse(Path(str(package.__file__)).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    assert isinstance(block.test, ast.Name)
    names: set[str] = set()
    for line in block.body:
        assert isinstance(line, ast.ImportFrom)
        if line.names[0].name == "*":
            names |= names_for_type_checkers(importlib.import_module(str(line.module)))
        else:
            names |= {alias.asname or "" for alias in line.names}
    return names


def test_an_import_loads_neither_solvers_nor_what_they_need():
    loaded = loaded_by("import csp_sudoku")
    assert not loaded & {"networkx", "numpy", "msgspec", "pysat", "ortools", "numba", "typer"}
    assert not any(name.startswith("csp_sudoku.constraints.") for name in loaded)


def test_reading_and_checking_need_no_graph():
    code = "import csp_sudoku as cs; assert cs.verify(cs.read('1...' * 4), '1' * 16).violations"
    assert not loaded_by(code) & {"networkx", "numpy", "csp_sudoku.formats.iss"}


def test_a_plain_solve_on_the_command_line_loads_only_what_it_needs():
    code = "from csp_sudoku.cli import main; main(['solve', '0100300140020040'])"
    loaded = loaded_by(code)
    assert "pysat" in loaded
    heavy = {"ortools", "numba", "pydantic", "numpy", "csp_sudoku.cli.exporting"}
    assert not loaded & heavy


def test_help_on_the_command_line_loads_nothing_that_solves():
    loaded = loaded_by("from csp_sudoku.cli import main; main(['--help'])")
    assert "csp_sudoku.cli.exporting" in loaded
    assert not loaded & {"networkx", "numpy", "pysat", "csp_sudoku.strategies"}


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_python_and_type_checkers_see_the_same_names(package):
    assert set(package.__all__) == names_for_type_checkers(package)


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
    code = "import csp_sudoku.verify, csp_sudoku.cells; from csp_sudoku import cells, verify\n"
    assert loaded_by(f"{code}assert callable(cells) and callable(verify)")


def test_names_come_with_a_star():
    everything: dict[str, object] = {}
    exec("from csp_sudoku import *", everything)
    assert everything["KillerCage"] is cs.KillerCage
    assert everything["verify"] is cs.verify


def test_what_is_loaded_late_can_be_pickled():
    puzzle = cs.Puzzle.blank(4).add(cs.AntiKnight())
    assert pickle.loads(pickle.dumps((puzzle, cs.solve))) == (puzzle, cs.solve)


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
