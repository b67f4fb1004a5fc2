"""A random sample of small faults in the packages, and which of them no test notices.

``python tests/mutations/lines.py`` writes down which test runs which line. Then ``python
tests/mutations/sample.py --faults 200`` draws faults, see ``operators.py``, the groups in turns.
Each is put by itself into a copy of the project, so that other processes have it, too. Then the
tests that run its line are run, the quickest first, until one fails. Kernels are machine code,
which is not traced: they run as plain Python on the conformance cases of their backend, or on the
tests that :data:`KERNELS_OF` names. Prints the faults that survived, and a table; the file
``--out`` has all of them.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import os
import random
import resource
import shutil
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from operators import Mutant, mutants

TOP = Path(__file__).parents[2]
GROUPS = {
    "encoders": "encodings/csp_encodings",
    "kernels": "csp_sudoku/kernels",
    "constraints": "csp_sudoku/constraints",
    "formats": "csp_sudoku/formats",
    "understanding": "csp_sudoku/understanding",
    "language": "csp_sudoku/language",
    "checking": "csp_sudoku/checking",
    "crosscheck": "csp_sudoku/crosscheck",
    "strategies": "csp_sudoku/strategies",
    "batches": "csp_sudoku/batches",
    "solving": "csp_sudoku/solving",
    "counting": "csp_sudoku/counting",
    "backends": "csp_sudoku/backends",
}
# What notices a fault in a kernel: the cases of a backend, or tests; the first word that is there.
KERNELS_OF = {
    "all_different": "tests/backends/test_search_settings.py::test_the_strengths_of_all_different",
    "rup": "tests/encodings/test_proof.py",
    "dlx_batch": "tests/backends/test_dlx.py::test_solve_many",
    "bands": "tests/test_bands.py",
    "batch": "tests/test_batches.py",
    "board": "boards",
    "dlx": "dlx",
    "options": "dlx",
    "groups": "dlx",
    "generating": "tests/generating/test_reducing.py",
    "metropolis": "tests/test_estimating.py",
    "sweep": "tests/test_sweep.py",
}
# How many files of tests, and about how many seconds of them: most faults are noticed at once.
ROUNDS = ((2, 5.0), (4, 15.0))
# Of computing time: for the cases of a backend, and for any process, as a fault may not end.
CASE_SECONDS, MOST_SECONDS = 20, 120
UNKNOWN_TEST = 4  # of the exit codes of pytest


def main() -> None:
    options = parse()
    for name in ("hypothesis", "networkx", "numba", "ortools.sat.python.cp_model", "pysat.solvers"):
        importlib.import_module(name)
    rows, lines = [], json.loads(options.lines.read_text(encoding="utf-8"))
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        ignored = shutil.ignore_patterns(".git", ".venv", ".mypy_cache", ".ruff_cache", "*.pyc")
        shutil.copytree(TOP, copy, ignore=ignored)
        for group, path, mutant in draw(options.modules, options.faults, options.seed):
            row = examine(group, path, mutant, lines, copy)
            rows.append(row)
            with options.out.open("a", encoding="utf-8") as file:
                print(json.dumps(row), file=file)
            if not row["noticed"]:
                print(f"{row['place']}: {row['old']}  ->  {row['new']}", flush=True)
    print(table(rows))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", help="words of paths; default: all")
    parser.add_argument("--faults", type=int, default=100, help="how many; groups take turns")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=Path, default=Path("lines.json"))
    parser.add_argument("--out", type=Path, default=Path("sample.jsonl"))
    return parser.parse_args()


def draw(words: list[str], number: int, seed: int) -> Iterable[tuple[str, Path, Mutant]]:
    """Draw faults: the groups take turns, and within a group each place is as likely."""
    chance = random.Random(seed)
    faults = {}
    for group, root in GROUPS.items():
        for path in sorted((TOP / root).rglob("*.py")):
            name = path.relative_to(TOP)
            if not words or any(word in str(name) for word in words):
                found = mutants(path.read_text(encoding="utf-8"))
                faults.setdefault(group, []).extend((name, mutant) for mutant in found)
    for group in islice(cycle(faults), number):
        yield (group, *chance.choice(faults[group]))


def examine(group: str, path: Path, mutant: Mutant, lines: dict, copy: Path) -> dict[str, object]:
    """Say whether the tests notice a fault, and which."""
    tree, old, new = mutant.applied()
    noticed, ran = "", 0
    (copy / path).write_text(ast.unparse(tree), encoding="utf-8")
    try:
        if group == "kernels" or path.stem == "rup":
            own = next((who for word, who in KERNELS_OF.items() if word in path.stem), "search")
            backend = own if "/" not in own else ""
            noticed = attempt([own], copy, backend=backend, jit=False)
        else:
            # The sources of arrays are a part of the names of compiled kernels.
            for tests in tests_of(path, mutant.line, lines):
                ran += len(tests)
                noticed = attempt(tests, copy, jit=path.stem != "arrays")
                if noticed:
                    break
    finally:
        shutil.copy2(TOP / path, copy / path)
    return {
        "group": group,
        "place": f"{path}:{mutant.line}",
        "old": " ".join(old.split())[:100],
        "new": " ".join(new.split())[:100],
        "noticed": noticed,
        "tests": ran,
    }


def tests_of(path: Path, line: int, known: dict[str, dict]) -> Iterable[list[str]]:
    """Yield tests that run a statement; for what is run at import, those that use the module.

    First some of the files whose name says that they are meant, then some of the others.
    """
    tree = ast.parse((TOP / path).read_text(encoding="utf-8"))
    around = [n for n in ast.walk(tree) if isinstance(n, ast.stmt) and n.lineno <= line]
    first = max(n.lineno for n in around if line <= (n.end_lineno or 0))
    found = {test: files[str(path)] for test, files in known["lines"].items() if str(path) in files}
    exact = [test for test, run in found.items() if any(first <= n <= line for n in run)]
    files = defaultdict(list)
    for test in sorted(exact or found, key=known["seconds"].__getitem__):
        files[test.partition("::")[0]].append(test)
    meant = sorted(files, key=lambda name: sum(part in name for part in path.with_suffix("").parts))
    for number, most in ROUNDS:
        chosen, seconds = [], 0.0
        for test in [test for _ in range(min(number, len(meant))) for test in files[meant.pop()]]:
            seconds += known["seconds"][test]
            if not chosen or seconds < most:
                chosen.append(test)
        if chosen:
            yield chosen


def attempt(tests: list[str], copy: Path, *, backend: str = "", jit: bool = True) -> str:
    """Run tests, or the cases of a backend, in the copy; what failed, or nothing.

    A fork has all solvers loaded, and none of our own modules.
    """
    said = copy / "said.txt"
    child = os.fork()
    if not child:
        code = 1
        try:
            with said.open("w") as file:
                os.dup2(file.fileno(), 1)
                os.dup2(file.fileno(), 2)
            resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
            code = run_here(tests, copy, backend, jit=jit)
        finally:
            sys.stdout.flush()
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return f"it does not end, or crashes: signal {os.WTERMSIG(status)}"
    lines = said.read_text(errors="replace").strip().splitlines() or ["?"]
    code = os.waitstatus_to_exitcode(status)
    failed = [line for line in lines if line.startswith(("FAILED ", "ERROR "))]
    if code == UNKNOWN_TEST and not failed:  # a test was renamed since the lines were written down
        known = [test for test in tests if not any(line.endswith(f"/{test}") for line in lines)]
        return attempt(known, copy, jit=jit) if len(known) < len(tests) and known else ""
    failed = failed or lines[-1:]
    return failed[0][:200] if code else ""


def run_here(tests: list[str], copy: Path, backend: str, *, jit: bool) -> int:
    os.chdir(copy)
    own = [str(copy), str(copy / "encodings")]
    sys.path[:0] = [*own, str(copy / "tests" / "mutations")]
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPATH"] = os.pathsep.join([*own, os.environ.get("PYTHONPATH", "")])
    if not jit:
        import numba

        os.environ["NUMBA_DISABLE_JIT"] = "1"
        numba.config.DISABLE_JIT = True
    if backend:
        return int(differs(backend))
    import pytest

    quiet = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-W", "ignore", "--no-header"]
    return int(pytest.main([*quiet, *tests]))


def differs(backend: str) -> bool:
    """Whether a backend differs from the oracle, on as many cases as there is time for."""
    import run

    from csp_sudoku.testing import check_case, conformance_cases

    ends = time.process_time() + CASE_SECONDS
    for case in run.quick_first(conformance_cases()):
        try:
            check_case(backend, case, most=24, may_refuse=backend == "boards")
        except Exception as error:
            print(f"{type(error).__name__}: {error}", flush=True)
            return True
        if time.process_time() > ends:
            break
    return False


def table(rows: list[dict[str, object]]) -> str:
    """Return how many faults were tried and noticed, by group."""
    tried = Counter(row["group"] for row in rows)
    survived = Counter(row["group"] for row in rows if not row["noticed"])
    lines = ["| group | faults | noticed | survived |", "|---|---|---|---|"]
    for group, number in tried.items():
        lines.append(f"| {group} | {number} | {number - survived[group]} | {survived[group]} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
