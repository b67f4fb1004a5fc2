"""The layout and the direction of dependencies, held by tests."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def python(*arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    return names


def test_the_lower_package_knows_nothing_of_the_upper():
    files = sorted((ROOT / "encodings" / "csp_encodings").rglob("*.py"))
    assert files
    assert [f.name for f in files if "csp_sudoku" in imported(f)] == []


# What grows is in the store, where it counts against the budget. These are tables of names, types
# and the like, and the pool of workers.
TABLES = {
    "_cached_fields", "_cached_hints", "_fill", "_first_ids", "_kinds", "_load", "_load_ours",
    "_loaded", "_meant", "_packed_class", "_patterns", "_said", "_shared_pool", "_tiny",
    "built_in_rows", "classes", "_compiled", "digest", "sections", "type_for", "was_on_disk",
}  # fmt: skip


def test_whatever_grows_is_kept_in_the_store():
    cached = set()
    for folder in ("csp_sudoku", "encodings/csp_encodings"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                assert "lru_cache" not in (getattr(node, "id", ""), getattr(node, "attr", "")), path
                if isinstance(node, ast.FunctionDef):
                    names = {getattr(decorator, "id", "") for decorator in node.decorator_list}
                    cached |= {node.name} if "cache" in names else set()
    assert cached <= TABLES


def test_encodings_is_a_source_root_and_no_package():
    # A package called encodings would be shadowed by, or break, the standard library's.
    assert not (ROOT / "encodings" / "__init__.py").exists()


def test_import_works_from_the_root_of_a_checkout():
    assert python("-c", "import csp_sudoku; print('fine')", PYTHONPATH=".") == "fine\n"


@pytest.mark.parametrize("module", ["csp_sudoku", "csp_sudoku.cli"])
def test_import_loads_no_solver(module):
    code = f"import sys, {module}; print(sys.modules.keys() & {{'ortools', 'pysat', 'numba'}})"
    assert python("-c", code) == "set()\n"


VERIFY = """
import sys
import csp_sudoku as cs
from csp_sudoku.checking.verify import keeps_rules
puzzle = cs.read("0100300140020040").add(cs.KillerCage("R1C1 R1C2", 3), cs.Thermometer("R2C3 R2C1"))
assert cs.verify(puzzle, "2134342143121243").ok
assert keeps_rules(puzzle, cs.read("2134342143121243").givens)
print(*sys.modules)
"""


def test_the_checker_loads_no_encoder_and_no_solver():
    loaded = set(python("-c", VERIFY).split())
    encoders = {"cnf", "cpsat", "linear", "exact_cover", "arrays"}
    assert not loaded & {f"csp_encodings.{name}" for name in encoders}
    engines = ("csp_sudoku.backends", "csp_sudoku.kernels")
    assert not any(name.startswith(engines) for name in loaded)
    assert not loaded & {"ortools", "pysat", "numba"}


DIGEST = """
import hashlib
import csp_sudoku as cs
from csp_encodings import cnf
rules = [cs.AntiKnight(), cs.KillerCage("R1C1 R2C2", 5) | ~cs.Thermometer("R1C1-R1C3"),
         cs.fold("R1C1-R4C1", frozenset(), lambda s, v: s | {v % 2}, lambda s: len(s) == 2)]
graph = cs.Puzzle.blank(4).add(*rules).graph
nodes = [(str(n), d.get("domain"), str(d.get("factor"))) for n, d in graph.nodes(data=True)]
edges = [(str(a), str(b), d) for a, b, d in graph.edges(data=True)]
print(hashlib.sha256(repr((nodes, edges, cnf.encode(graph).clauses)).encode()).hexdigest())
"""


def test_graphs_and_encodings_do_not_depend_on_the_hash_seed():
    assert python("-c", DIGEST, PYTHONHASHSEED="1") == python("-c", DIGEST, PYTHONHASHSEED="2")
