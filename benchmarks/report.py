"""The results of a run as a table for people, a file for programs and a picture."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from benchmarks.contest import Row, Setting

HEAD = ("what", "ours", "against", "ratio", "target", "met", "command")


def write(rows: Sequence[Row], setting: Setting) -> Path:
    """Write ``benchmarks.md`` and ``benchmarks.json`` into the folder; gives the table's path."""
    setting.out.mkdir(parents=True, exist_ok=True)
    machine = {
        "date": datetime.now(UTC).date().isoformat(),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "peers": setting.peers,
        "packages": {
            name: version(name) for name in ("csp-sudoku", "numba", "ortools", "python-sat")
        },
        "quick": setting.quick,
    }
    results = {"run": machine, "rows": [row.as_json() for row in rows]}
    _write(setting.out / "benchmarks.json", json.dumps(results, indent=1, ensure_ascii=False))
    peers = ", ".join(f"{name} {said}" for name, said in setting.peers.items()) or "none"
    pictures = [
        f"![How cost grows]({name})"
        for name in ("growth-side.svg", "growth-constraints.svg")
        if (setting.out / name).exists()
    ]
    lines = [
        "# Benchmarks",
        "",
        "Contenders run in one go, in turns; of each instance the best round counts. The peers",
        "stop at their first solution, and their matrices are made before the clock starts. Ours",
        "prove that the solution is the only one (where it says so), and every one is checked.",
        "",
        f"{machine['date']}, Python {machine['python']}, {machine['machine']}. Peers: {peers}.",
        "",
        *table(rows),
        "",
        *pictures,
        "",
    ]
    path = setting.out / "benchmarks.md"
    _write(path, "\n".join(lines))
    return path


def table(rows: Sequence[Row]) -> list[str]:
    """The rows in Markdown."""
    return [
        f"| {' | '.join(HEAD)} |",
        "|---" * len(HEAD) + "|",
        *(f"| {' | '.join(cells(row))} |" for row in rows),
    ]


def cells(row: Row) -> list[str]:
    """What stands in the columns."""
    ratio = "" if row.ratio is None else f"{row.ratio:.3g} ×"
    command = f"`{row.command}`"
    return [row.what, row.ours, row.theirs, ratio, row.target, row.verdict, command]


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    part = path.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
