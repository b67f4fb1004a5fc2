"""Which tests run which lines of the packages: a few cases of each test function, traced.

``python tests/mutations/lines.py [PATH …]`` runs the tests and writes ``lines.json``, for
``sample.py``. It needs the package coverage. What a test does in other processes is not traced.
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from pathlib import Path

import coverage
import pytest

TOP = Path(__file__).parents[2]
PACKAGES = (TOP / "csp_sudoku", TOP / "encodings" / "csp_encodings")
CASES = 3
LEFT_OUT = ("test_mutations.py", "test_docs.py", "test_examples.py", "web/")


class Recorder:
    """Traces each test by itself, and notes its computing time."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.seconds: dict[str, float] = {}
        self.counts: dict[str, int] = {}
        self.failed: set[str] = set()
        self.tracer = coverage.Coverage(data_file=None, source=[str(p) for p in PACKAGES])
        self.tracer.start()

    def pytest_collection_modifyitems(self, items):
        cases = defaultdict(list)
        for item in items:
            if not any(name in item.nodeid for name in LEFT_OUT):
                cases[item.nodeid.partition("[")[0]].append(item)
        self.counts = {name: len(each) for name, each in cases.items()}
        items[:] = [item for each in cases.values() for item in spread(each)]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        started = time.process_time()
        self.tracer.switch_context(item.nodeid)
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = round(time.process_time() - started, 3)

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self):
        self.tracer.stop()
        data = self.tracer.get_data()
        lines: dict[str, dict[str, list[int]]] = defaultdict(dict)
        for context in sorted(data.measured_contexts() & self.seconds.keys() - self.failed):
            data.set_query_context(context)
            for file in data.measured_files():
                if found := data.lines(file):
                    lines[context][str(Path(file).relative_to(TOP))] = sorted(found)
        said = {"seconds": self.seconds, "counts": self.counts, "lines": lines}
        self.out.write_text(json.dumps(said), encoding="utf-8")


def spread(cases: list[pytest.Item]) -> list[pytest.Item]:
    """Return a few cases: the first, the last, and some between."""
    step = max(1, (len(cases) - 1) / (CASES - 1))
    return [cases[round(index * step)] for index in range(min(CASES, len(cases)))]


def main() -> None:
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-W", "ignore"]
    pytest.main([*options, *(sys.argv[1:] or ["tests"])], plugins=[Recorder(Path("lines.json"))])


if __name__ == "__main__":
    main()
