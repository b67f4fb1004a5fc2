"""The 0/1 linear program as CPLEX LP, free MPS and OPB (pseudo-Boolean) files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from math import inf

import networkx as nx

from csp_encodings.errors import EncodingError
from csp_encodings.export.base import Answer, Exported, commented, identifiers, number_text
from csp_encodings.linear import LinearProgram, encode

Row = tuple[list[tuple[int, str]], str, int]

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)
_NONE = re.compile(r"infeasible|no (integer )?feasible|unsatisfiable", re.IGNORECASE)


def export_lp(graph: nx.Graph) -> Exported:
    """CPLEX LP format: glpsol, SCIP, HiGHS, CBC, Gurobi read it."""
    program, names = _program(graph)

    def lines() -> Iterator[str]:
        yield from commented("\\", _legend(program, names))
        yield f"Minimize\n obj: 0 {names[0]}\n" if names else "Minimize\n obj:\n"
        yield "Subject To\n"
        for number, (terms, sense, side) in enumerate(_rows(program, names), 1):
            yield f" r{number}: {_sum(terms)} {sense} {side}\n"
        yield "Bounds\n"
        for name, upper in zip(names, program.upper.tolist(), strict=True):
            yield f" 0 <= {name} <= {upper}\n"
        yield "Binaries\n"
        for name in names:
            yield f" {name}\n"
        yield "End\n"

    return Exported(lines, _reader(program, names))


def export_mps(graph: nx.Graph) -> Exported:
    """Free MPS format: every MIP solver reads it."""
    program, names = _program(graph)
    senses = {"<=": "L", ">=": "G", "=": "E"}

    def lines() -> Iterator[str]:
        yield from commented("*", _legend(program, names))
        yield "NAME graph\nROWS\n N obj\n"
        rows = list(_rows(program, names))
        entries: dict[str, list[str]] = {name: [] for name in names}
        for number, (terms, sense, _) in enumerate(rows, 1):
            yield f" {senses[sense]} r{number}\n"
            for coefficient, name in terms:
                entries[name].append(f" {name} r{number} {coefficient}\n")
        yield "COLUMNS\n MARKER 'MARKER' 'INTORG'\n"
        for name, places in entries.items():
            yield f" {name} obj 0\n"
            yield from places
        yield " MARKER 'MARKER' 'INTEND'\nRHS\n"
        for number, (_, _, side) in enumerate(rows, 1):
            if side:
                yield f" RHS r{number} {side}\n"
        yield "BOUNDS\n"
        for name, upper in zip(names, program.upper.tolist(), strict=True):
            yield f" UP BND {name} {upper}\n"
        yield "ENDATA\n"

    return Exported(lines, _reader(program, names))


def export_opb(graph: nx.Graph) -> Exported:
    """OPB, the format of pseudo-Boolean solvers: RoundingSat, Sat4j, SCIP read it."""
    program, names = _program(graph)
    # A pseudo-Boolean solver names its variables x1, x2, …
    numbered = [f"x{i}" for i in range(1, len(names) + 1)]
    ruled_out = [name for name, up in zip(numbered, program.upper.tolist(), strict=True) if not up]

    def lines() -> Iterator[str]:
        rows = [row for row in _rows(program, numbered) if row[1] != "<="]
        at_most = [row for row in _rows(program, numbered) if row[1] == "<="]
        number = len(rows) + len(at_most) + len(ruled_out)
        yield f"* #variable= {len(names)} #constraint= {number}\n"
        yield from commented("*", _legend(program, numbered))
        for terms, sense, side in rows:
            yield f"{_terms(terms)} {sense} {side} ;\n"
        for terms, _, side in at_most:  # OPB has no <=
            yield f"{_terms([(-c, name) for c, name in terms])} >= {-side} ;\n"
        for name in ruled_out:
            yield f"+1 {name} = 0 ;\n"

    return Exported(lines, _reader(program, numbered))


def _program(graph: nx.Graph) -> tuple[LinearProgram, list[str]]:
    program = encode(graph)
    names = identifiers(graph)
    columns = [f"{names[variable]}_{number_text(value)}" for variable, value in program.columns]
    columns += [f"flow_{i}" for i in range(1, len(program.upper) - len(columns) + 1)]
    if len(set(columns)) < len(columns):  # names that end in numbers of their own
        columns = [f"c{i}_{name}" for i, name in enumerate(columns, 1)]
    return program, columns


def _rows(program: LinearProgram, names: list[str]) -> Iterator[Row]:
    """The rows with one side each; an impossible program gets a row that says so."""
    for columns, coefficients, lower, upper in program.rows():
        terms = [(c, names[column]) for c, column in zip(coefficients, columns, strict=True)]
        if lower == upper:
            yield terms, "=", int(lower)
            continue
        if lower != -inf:
            yield terms, ">=", int(lower)
        if upper != inf:
            yield terms, "<=", int(upper)
    if program.impossible and names:
        yield [(1, names[0])], ">=", 2


def _legend(program: LinearProgram, names: list[str]) -> Iterator[str]:
    yield "a constraint graph; columns and what they say:"
    for name, meaning in zip(names, program.names(), strict=True):
        yield f"{name} {meaning}"


def _sum(terms: list[tuple[int, str]]) -> str:
    return " ".join(f"{'-' if c < 0 else '+'} {abs(c)} {name}" for c, name in terms)


def _terms(terms: list[tuple[int, str]]) -> str:
    return " ".join(f"{c:+d} {name}" for c, name in terms)


def _reader(program: LinearProgram, names: list[str]) -> Callable[[str], Answer]:
    """Reads any report that names columns before their values, and pseudo-Boolean ``v`` lines."""
    place = {name: i for i, name in enumerate(names)}

    def read(text: str) -> Answer:
        point = [0] * len(names)
        found = False
        words = iter(text.split())
        for word in words:
            name = word.removeprefix("-")
            if name not in place:
                continue
            if text.lstrip().startswith(("s ", "c ", "v ")):  # literals, true or negated
                point[place[name]] = int(name == word)
                found = True
                continue
            # glpsol marks integer columns with a star before their value.
            value = next((w for w in words if w != "*"), "")
            if not _NUMBER.fullmatch(value):
                raise EncodingError(f"column {name}: {value[:20]!r} is not a number")
            point[place[name]] = round(float(value))
            found = True
        if _NONE.search(text):
            return Answer(False, [])
        if not found:
            return Answer(None, [])
        return Answer(True, [program.decode(point)])

    return read
