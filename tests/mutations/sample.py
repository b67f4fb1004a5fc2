"""A random sample of small faults in the packages, and which of them no test notices.

``python -m pytest --cov=csp_sudoku --cov=csp_encodings --cov-context=test`` (it needs pytest-cov)
writes a file ``.coverage`` that says which test runs which line. Then ``python
tests/mutations/sample.py --faults 100`` draws faults, see ``operators.py``. Each is put in by
itself, without touching a file, and the tests that run its line are run until one fails. Kernels
are machine code in the tests: they are run as plain Python on the conformance cases of their
backend. Prints the faults that survived, and a table; the file ``--out`` has all of them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import cycle, islice
from pathlib import Path

from operators import Mutant, mutants

TOP = Path(__file__).parents[2]
AREAS = {
    "encoders": ["encodings/csp_encodings"],
    "constraints": ["csp_sudoku/constraints"],
    "readers": ["csp_sudoku/formats", "csp_sudoku/understanding", "csp_sudoku/language"],
    "checking": ["csp_sudoku/checking", "csp_sudoku/crosscheck", "csp_sudoku/solving/answering.py"],
    "strategies": ["csp_sudoku/strategies"],
    "kernels": ["csp_sudoku/kernels"],
    "backends": ["csp_sudoku/backends"],
}
# First a few tests of each function, then all: most faults are noticed at once.
ROUNDS = ((2, 60), (40, 1_500))
KERNELS_OF = {"boards": ("board",), "dlx": ("dlx", "options", "groups")}


def main() -> None:
    options = parse()
    if options.inject:
        inject(*options.inject)
        return
    rows = []
    for area, path, mutant in draw(options.modules, options.faults, options.seed):
        row = examine(area, path, mutant, options.coverage)
        rows.append(row)
        with options.out.open("a", encoding="utf-8") as file:
            print(json.dumps(row), file=file)
        if not row["noticed"]:
            print(f"{row['place']}: {row['old']}  ->  {row['new']}", flush=True)
    print(table(rows))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", help="words of paths; default: all")
    parser.add_argument("--faults", type=int, default=100, help="how many; modules take turns")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--coverage", type=Path, default=TOP / ".coverage")
    parser.add_argument("--out", type=Path, default=Path("sample.jsonl"))
    parser.add_argument("--inject", nargs="+", help=argparse.SUPPRESS)
    return parser.parse_args()


def modules(words: list[str]) -> Iterable[tuple[str, Path]]:
    """Return the modules that are examined, with their areas."""
    for area, roots in AREAS.items():
        for root in roots:
            path = TOP / root
            for each in [path] if path.is_file() else sorted(path.rglob("*.py")):
                name = str(each.relative_to(TOP))
                if not words or any(word in name for word in words):
                    yield area, each


def draw(words: list[str], number: int, seed: int) -> Iterable[tuple[str, Path, Mutant]]:
    """Draw faults: the parts of the packages take turns, and within a part its modules."""
    chance = random.Random(seed)
    parts = {area: [path for a, path in modules(words) if a == area] for area in AREAS}
    faults = {path: mutants(path.read_text(encoding="utf-8")) for p in parts.values() for path in p}
    parts = {area: [p for p in paths if faults[p]] for area, paths in parts.items()}
    turns = cycle([area for area, paths in parts.items() if paths])
    for area in islice(turns, number):
        path = chance.choice(parts[area])
        yield area, path, chance.choice(faults[path])


def examine(area: str, path: Path, mutant: Mutant, coverage: Path) -> dict[str, object]:
    """Say whether the tests notice a fault, and which."""
    _, old, new = mutant.applied()
    noticed, ran = "", 0
    if area == "kernels":
        own = [name for name, words in KERNELS_OF.items() if any(w in path.stem for w in words)]
        noticed, ran = attempt(path, mutant, ["--backend", *(own or ["search"])]), 1
    else:
        tests = tests_of(path, mutant.line, coverage)
        for each, most in ROUNDS:
            chosen = some(tests, each, most)
            if noticed or len(chosen) <= ran:
                break
            ran = len(chosen)
            noticed = attempt(path, mutant, chosen) if chosen else ""
    return {
        "area": area,
        "place": f"{path.relative_to(TOP)}:{mutant.line}",
        "old": " ".join(old.split())[:100],
        "new": " ".join(new.split())[:100],
        "noticed": noticed,
        "tests": ran,
    }


def tests_of(path: Path, line: int, coverage: Path) -> list[str]:
    """Return the tests that run a line; for what is run at import, those that run the module."""
    from coverage import CoverageData

    data = CoverageData(str(coverage))
    data.read()
    contexts = data.contexts_by_lineno(str(path))
    names = [c for c in contexts.get(line, []) if c]
    if not names:
        names = [c for line_contexts in contexts.values() for c in line_contexts if c]
    return sorted({name.partition("|")[0] for name in names})


def some(tests: list[str], each: int, most: int) -> list[str]:
    """Choose a few cases of each test function."""
    functions = defaultdict(list)
    for test in tests:
        functions[test.partition("[")[0]].append(test)
    chance = random.Random(0)
    chosen = [
        c for cases in functions.values() for c in chance.sample(cases, min(each, len(cases)))
    ]
    return chance.sample(chosen, min(most, len(chosen)))


def attempt(path: Path, mutant: Mutant, tests: list[str]) -> str:
    """Run tests with a fault, in a process of their own; what failed, or nothing."""
    fault = json.dumps([str(path), mutant.line, mutant.node, mutant.change])
    command = [sys.executable, "-W", "ignore", __file__, "--inject", fault]
    try:
        done = subprocess.run(
            command,
            input="\n".join(tests),
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
            cwd=TOP,
        )
    except subprocess.TimeoutExpired:
        return "it does not end"
    if done.returncode == 0:
        return ""
    return (done.stdout.strip().splitlines() or ["it crashes"])[-1][:200]


def inject(fault: str) -> None:
    """Run the tests of the standard input with a fault; exit 1 if one fails."""
    where, *numbers = json.loads(fault)
    path, tests = Path(where), sys.stdin.read().split("\n")
    if "kernels" in where:
        os.environ["NUMBA_DISABLE_JIT"] = "1"
    tree, _, _ = Mutant(path.read_text(encoding="utf-8"), *numbers).applied()
    import run

    parts = path.relative_to(TOP).with_suffix("").parts
    module = ".".join(parts[1:] if parts[0] == "encodings" else parts).removesuffix(".__init__")
    saboteur = run.Saboteur(module, "", "")
    saboteur.code = lambda origin: compile(tree, origin, "exec")
    sys.meta_path.insert(0, saboteur)
    if tests[0] == "--backend":
        for backend in tests[1:]:
            said = run.first_failure({"caught by": "cases", "target": backend})
            if said:
                print(said)
                sys.exit(1)
        return
    import pytest

    sys.exit(
        min(
            1,
            pytest.main(
                ["-x", "-q", "-p", "no:cacheprovider", "-W", "ignore", "--no-header", *tests]
            ),
        )
    )


def table(rows: list[dict[str, object]]) -> str:
    """Return how many faults were tried and noticed, by area."""
    tried = Counter(row["area"] for row in rows)
    survived = Counter(row["area"] for row in rows if not row["noticed"])
    lines = ["| part | faults | noticed | survived |", "|---|---|---|---|"]
    for area, number in tried.items():
        lines.append(f"| {area} | {number} | {number - survived[area]} | {survived[area]} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
