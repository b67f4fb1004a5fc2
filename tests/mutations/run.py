"""Apply deliberate faults one at a time and see what notices them: ``python run.py [WORD …]``.

Every fault is a piece of source text and what stands in its place. The packages are imported anew
with that one change, without touching a file, and the ordinary checks run until one of them fails.
Prints one JSON object a fault. Kernels run as plain Python: no cache of compiled code is involved.
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import json
import os
import sys
import time
from contextlib import suppress
from pathlib import Path

os.environ["NUMBA_DISABLE_JIT"] = "1"
FAULTS = json.loads((Path(__file__).parent / "faults.json").read_text(encoding="utf-8"))
OURS = ("csp_sudoku", "csp_encodings")


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


def noticed(fault: dict[str, str]) -> str:
    """What the first check that fails says, or nothing."""
    forget()
    saboteur = Saboteur(fault["module"], fault["old"], fault["new"])
    sys.meta_path.insert(0, saboteur)
    try:
        return first_failure(fault)
    finally:
        sys.meta_path.remove(saboteur)
        forget()


def first_failure(fault: dict[str, str]) -> str:
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
        backend = fault["target"]
        if fault["caught by"] == "session":
            testing.check_session(backend)
            return ""
        for case in quick_first(testing.conformance_cases()):
            testing.check_case(backend, case, most=6 if backend == "lp" else 24)
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:160]}"
    return ""


def quick_first(cases):
    """Shapes and combinations first: they are few, and most faults show there."""
    return sorted(cases, key=lambda case: ", " in case.name and "×" in case.name)


def main(words: list[str]) -> None:
    for fault in FAULTS:
        if words and not any(word in fault["name"] or word == fault["target"] for word in words):
            continue
        started = time.perf_counter()
        said = noticed(fault)
        seconds = round(time.perf_counter() - started, 2)
        print(json.dumps({"name": fault["name"], "noticed": said, "seconds": seconds}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
