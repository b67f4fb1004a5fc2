"""The page of the benchmarks: what the last run of ``python -m benchmarks`` left."""

from __future__ import annotations

import re
from pathlib import Path

_HEAD = """\
# Benchmarks

Speed is measured, not asserted: no test looks at a clock. Contenders run in one go, in turns, on
the same instances; what counts is their ratio. Times are of the machine that is named, and say
little about yours. Run it there:

```sh
pip install -e '.[bench]'
python -m benchmarks            # --quick for a look, --only NAME for a part
```

To compare the backends on a puzzle of your own, `csp-sudoku bench puzzle.json` does.

"""
_NOTHING = "There is no record of a run in this checkout.\n"


def page(root: Path) -> str:
    """The text of the page."""
    results = root / "docs" / "benchmarks" / "benchmarks.md"
    if not results.exists():
        return _HEAD + _NOTHING
    text = re.sub(r"\A# .*\n", "", results.read_text(encoding="utf-8")).strip()
    # The page is one folder further up than the file.
    placed = re.sub(r"(!\[[^]]*\]\()", r"\1benchmarks/", text)
    return f"{_HEAD}## Results\n\n{placed}\n"
