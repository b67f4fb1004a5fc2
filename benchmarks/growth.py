"""How build time, solve time and memory grow with the grid and with the constraints.

Every point is a process of its own (see :mod:`benchmarks.probe`), in seconds of the processor. A
backend that runs out of time at one size is not asked for a larger one.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from benchmarks.contest import Row, Setting

BACKENDS = ("sat", "cpsat", "search", "dlx", "lp")
SIDES = (4, 9, 16, 25, 36, 49, 64)
CONSTRAINTS = (0, 50, 100, 200, 400, 800)
LIMIT = 20.0
# Or a busy moment would look like growth.
_AGAIN = ("--again", "4")

Point = dict[str, Any]
Curves = dict[str, dict[int, Point]]


def probe(backend: str, side: int, limit: float, *options: str) -> Point:
    """Measure once; a point without ``solve`` if it took too long."""
    command = [sys.executable, "-m", "benchmarks.probe", backend, str(side)]
    try:
        done = subprocess.run(
            [*command, "--timeout", str(limit), *options],
            capture_output=True,
            text=True,
            check=True,
            timeout=2 * limit + 60,
        )
    except subprocess.TimeoutExpired:
        return {"solved": False}
    except subprocess.CalledProcessError as error:
        return {"solved": False, "error": error.stderr.strip().splitlines()[-1]}
    point: Point = json.loads(done.stdout)
    return point


def measure(setting: Setting) -> list[Row]:
    """Two rows, a file of points and two pictures."""
    sides = [side for side in SIDES if side <= 25] if setting.quick else SIDES
    numbers = CONSTRAINTS[:4] if setting.quick else CONSTRAINTS
    limit = 10.0 if setting.quick else LIMIT
    by_side: Curves = {}
    by_number: Curves = {}
    for backend in BACKENDS:
        by_side[backend] = {}
        for side in sides:
            setting.tell(f"{backend}: empty {side}×{side}")
            by_side[backend][side] = point = probe(backend, side, limit, *_AGAIN)
            if not point["solved"]:
                break
        by_number[backend] = {}
        for number in numbers:
            setting.tell(f"{backend}: {number} thermometers")
            options = ("--share", "0.5", "--constraints", str(number), *_AGAIN)
            by_number[backend][number] = probe(backend, 16, limit, *options)
    draw(by_side, "side of an empty grid", setting, "growth-side")
    draw(by_number, "thermometers on a 16×16, half given", setting, "growth-constraints")
    save(setting, {"side": by_side, "constraints": by_number})
    return [
        *(row(b, by_side[b], lambda side: side**3, "cells × values") for b in BACKENDS),
        *(row(b, by_number[b], None, "constraints") for b in BACKENDS),
    ]


def row(backend: str, points: dict[int, Point], size: Any, unit: str) -> Row:
    """How much faster than the size of its input a backend's building grows, at the large end."""
    built = {
        n: p["graph"] + p["compile"]
        for n, p in points.items()
        if "compile" in p and (n >= 9 or unit == "constraints")
    }
    command = "python -m benchmarks --only growth"
    if len(built) < 2:
        why = next((p["error"] for p in points.values() if "error" in p), "out of time")
        return Row(f"{backend}: growth against {unit}", why, "", None, "≤ 1.5 ×", None, command)
    first, last = min(built), max(built)
    if unit == "constraints":
        # What a constraint costs in the largest puzzle against what it costs in the middle one.
        middle = sorted(built)[len(built) // 2]
        costs = [max(built[n] - built[first], 0.005) / n for n in (middle, last)]
        ratio = costs[1] / costs[0]
    else:
        # Times of a few milliseconds say nothing: growth starts where it takes 20.
        first = next((n for n in sorted(built)[:-1] if built[n] >= 0.02), first)
        ratio = (built[last] / built[first]) / (size(last) / size(first))
    return Row(
        f"{backend}: graph and compilation, from {first} to {last}: growth against {unit}",
        f"{built[last]:.2f} s",
        f"{built[first]:.2f} s",
        ratio,
        "≤ 1.5 ×",
        ratio <= 1.5,
        command,
    )


def save(setting: Setting, curves: dict[str, Curves]) -> None:
    """Write the points down."""
    setting.out.mkdir(parents=True, exist_ok=True)
    (setting.out / "growth.json").write_text(json.dumps(curves, indent=1), encoding="utf-8")


def draw(curves: Curves, label: str, setting: Setting, name: str) -> None:
    """Three panels: build time, solve time, memory; the grey line grows as the input does."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(14, 4.8), layout="constrained")
    by_side = "side" in label
    numbers = sorted({n for points in curves.values() for n in points})
    panels: dict[str, Callable[[Point], float]] = {
        "graph and compilation, seconds": lambda p: p["graph"] + p["compile"],
        "first solution, seconds": lambda p: max(p["solve"], 1e-4),
        "memory beyond the start, MB": lambda p: max(p["megabytes"] - p["before"], 0.1),
    }
    for axis, (title, read) in zip(figure.subplots(1, 3), panels.items(), strict=True):
        for (backend, points), sign in zip(curves.items(), "os^Dv", strict=True):
            found = {n: read(p) for n, p in points.items() if p["solved"]}
            axis.plot(list(found), list(found.values()), marker=sign, markersize=5, label=backend)
        axis.set_yscale("log")
        if by_side:
            axis.set_xscale("log")
            low, high = axis.get_ylim()
            line = [high * (n / numbers[-1]) ** 3 for n in numbers]
            axis.plot(numbers, line, color="grey", linestyle=":", label="side³")
            axis.set_ylim(low, high)
        else:
            axis.set_xscale("symlog", linthresh=numbers[1])
            axis.set_xlim(left=-numbers[1] / 10)
        axis.set_xticks(numbers, [str(n) for n in numbers])
        axis.minorticks_off()
        axis.set_title(title)
        axis.set_xlabel(label)
        axis.grid(alpha=0.3)
    handles, names = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside right center")
    setting.out.mkdir(parents=True, exist_ok=True)
    figure.savefig(setting.out / f"{name}.svg")
    figure.savefig(setting.out / f"{name}.png", dpi=110)
