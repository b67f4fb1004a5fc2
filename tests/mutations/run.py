"""Apply deliberate faults one at a time and see what notices them.

``python run.py [WORD …]``: the checks of the tests. ``python run.py --fuzz [WORD …]``: random
puzzles, cross-checked, with nothing known of the fault; it says after how many puzzles and seconds
of computing time the fault was found and shrunk, and to how many constraints.

Every fault is a piece of source text and what stands in its place. Where it takes long to find, it
has the case that shows it, which is tried first. The packages are imported anew
with that one change, without touching a file, and are checked until something fails. Prints one
JSON object a fault. Kernels run as plain Python: no cache of compiled code is involved.
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import json
import os
import sys
import time
from contextlib import contextmanager, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ["NUMBA_DISABLE_JIT"] = "1"
FAULTS = json.loads((Path(__file__).parent / "faults.json").read_text(encoding="utf-8"))
OURS = ("csp_sudoku", "csp_encodings")
TESTS = Path(__file__).parents[1]
sys.path += [str(Path(__file__).parents[1] / folder) for folder in ("strategies", "connected")]


class Saboteur(importlib.abc.MetaPathFinder):
    """Gives one module with a fault in it."""

    def __init__(self, module: str, old: str, new: str) -> None:
        self.module, self.old, self.new = module, old, new

    def find_spec(self, name, path=None, target=None):
        if name != self.module:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        spec.loader.get_code = lambda _name: self.code(spec.origin)
        return spec

    def code(self, origin):
        source = Path(origin).read_text(encoding="utf-8")
        assert source.count(self.old) == 1, f"{self.module}: {self.old!r} is not there once"
        return compile(source.replace(self.old, self.new), origin, "exec")


def forget() -> None:
    """Import the packages anew next time."""
    for name in [n for n in sys.modules if n.partition(".")[0] in OURS]:
        del sys.modules[name]


@contextmanager
def sabotaged(fault: dict[str, str]):
    """The packages have the fault, as long as this lasts."""
    forget()
    saboteur = Saboteur(fault["module"], fault["old"], fault["new"])
    sys.meta_path.insert(0, saboteur)
    try:
        yield
    finally:
        sys.meta_path.remove(saboteur)
        forget()


def check_steps(technique: str) -> None:
    """The steps of a technique are right."""
    sys.modules.pop("test_soundness", None)
    import test_soundness as sound

    named = [each for each in sound.TECHNIQUES if each.name == technique]
    for seed, text in enumerate(sound.CLASSICS.values()):
        sound.check_all_steps(sound.cs.read(text), seed, techniques=named)


def check_graphs(backend: str) -> None:
    """Connected factors on small random graphs, very small ones for what is slow."""
    sys.modules.pop("test_backends", None)
    import test_backends as connected

    most = 5 if backend in {"dlx", "lp", "search"} else 9
    for seed in range(40):
        connected.check_random_factor(seed)
        connected.check_random_planar((), seed)
        connected.check_random_graph(backend, seed, most)


OTHER_CHECKS = {"steps": check_steps, "graphs": check_graphs}


def first_failure(fault: dict[str, str]) -> str:
    """What the first check that fails says, or nothing."""
    found = ""
    try:
        from csp_sudoku import constraints, testing

        if fault["caught by"] == "lowering":
            import csp_sudoku as cs

            houseless = {"box": None, "row_houses": False, "column_houses": False}
            bare = [cs.Puzzle.blank(side, **houseless) for side in (3, 4)]
            for example in getattr(constraints, fault["target"]).examples():
                for puzzle in (*bare, cs.Puzzle.blank(4)):
                    with suppress(cs.ConstraintError):  # a cell outside the smaller grid
                        testing.assert_lowering(example, puzzle)
            return ""
        if fault["caught by"] == "tests":
            return failing_test(fault["target"])
        if fault["caught by"] in OTHER_CHECKS:
            OTHER_CHECKS[fault["caught by"]](fault["target"])
            return ""
        backend = fault["target"]
        if fault["caught by"] == "session":
            testing.check_session(backend)
            return ""
        for case in quick_first(testing.conformance_cases(), fault.get("shown by")):
            # Boards refuse much; a refusal is no sign of a fault.
            few, may_refuse = (6 if backend == "lp" else 24), backend == "boards"
            found = f"{case.name}: "
            testing.check_case(backend, case, most=few, may_refuse=may_refuse)
    except Exception as error:
        return f"{found}{type(error).__name__}: {str(error)[:160]}"
    return ""


def failing_test(target: str) -> str:
    """What the first failing test of a file says, or nothing; ``file -k words`` picks some."""
    import pytest

    class Notes:
        said = ""

        def pytest_runtest_logreport(self, report):
            if report.failed and not self.said:
                crash = getattr(report.longrepr, "reprcrash", None)
                self.said = f"{report.nodeid}: {crash.message if crash else report.longrepr}"

        pytest_collectreport = pytest_runtest_logreport

    notes, (name, *chosen) = Notes(), target.split(" ", 2)
    # Plain assertions: to explain the difference of two large structures may take minutes. And no
    # search for exceptions in finalizers: it collects garbage five times, with all that is left.
    options = ["-x", "-q", "-W", "ignore", "--assert=plain"]
    options += ["-p", "no:cacheprovider", "-p", "no:unraisableexception"]
    with redirect_stdout(StringIO()):
        pytest.main([str(TESTS / name), *chosen, *options], plugins=[notes])
    for module, loaded in [*sys.modules.items()]:
        if str(TESTS) in str(getattr(loaded, "__file__", "")) and module != __name__:
            del sys.modules[module]
    return notes.said[:200]


def quick_first(cases, known=None):
    """The case that is known to show a fault, then shapes and combinations, which show most."""
    return sorted(
        cases, key=lambda case: (case.name != known, ", " in case.name and "×" in case.name)
    )


def first_finding(folder: str) -> dict[str, object]:
    """What random puzzles show, after how many of them, and how few constraints show it."""
    from csp_sudoku.fuzzing.run import fuzz

    report = fuzz(puzzles=500, seed=1, out=folder, isolate=False, stop_at_first=True)
    said = {"noticed": "", "puzzles": report.puzzles}
    for finding in report.findings[:1]:
        said["noticed"] = f"{finding.kind}: {finding.name}: {finding.text}"[:160]
        said["constraints"] = finding.constraints
    return said


def main(words: list[str]) -> None:
    fuzzed = "--fuzz" in words
    wanted = [word for word in words if word != "--fuzz"]
    for fault in FAULTS:
        if wanted and not any(word in fault["name"] or word == fault["target"] for word in wanted):
            continue
        started = time.process_time()
        with sabotaged(fault), TemporaryDirectory() as folder:
            said = first_finding(folder) if fuzzed else {"noticed": first_failure(fault)}
        seconds = round(time.process_time() - started, 2)
        print(json.dumps({"name": fault["name"], **said, "seconds": seconds}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
