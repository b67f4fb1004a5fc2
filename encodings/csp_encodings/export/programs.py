"""Write the 0/1 linear program as CPLEX LP, free MPS and OPB (pseudo-Boolean) files."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from itertools import pairwise
from math import inf

import networkx as nx

from csp_encodings.errors import EncodingError
from csp_encodings.export.base import Answer, Exported, commented, identifiers, number_text, sources
from csp_encodings.linear import LinearProgram, encode

Terms = list[tuple[int, str]]
Row = tuple[Terms, str, int]

Values = dict[str, int]

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)

# What a pseudo-Boolean solver says in its line s.
_STATUSES = {
    "SATISFIABLE": True,
    "OPTIMUM FOUND": True,
    "UNSATISFIABLE": False,
    "UNKNOWN": None,
    "UNSUPPORTED": None,
}

# Whole lines of linear solvers.
_INFEASIBLE = re.compile(
    r"""
    (integer\ )?infeasible\.?(\ -\ objective\ value.*)?            # CBC, and the word alone
    | result\ -\ problem\ proven\ infeasible                       # CBC
    | (model\ |solution\ )?status\s*:?\s*(infeasible|integer\ empty)  # HiGHS, SCIP, glpsol
    | scip\ status\s*:\s*problem\ is\ solved\ \[infeasible\]         # SCIP
    | this\ problem\ is\ infeasible                                 # lp_solve
    | (problem|lp)\ has\ no\ (primal\ |integer\ )?feasible\ solution  # glpsol
    | model\ is\ infeasible | infeasible\ model                     # Gurobi
    | mip\ -\ integer\ infeasible\.?                               # CPLEX
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SOLVED = re.compile(
    r"""
    optimal(\ -\ objective\ value|$)                               # CBC, HiGHS
    | (model\ |solution\ )?status\s*:?\s*(integer\ )?optimal        # HiGHS, SCIP, glpsol
    | scip\ status\s*:\s*problem\ is\ solved\ \[optimal             # SCIP
    | integer\ optimal\ solution\ found                            # glpsol
    """,
    re.IGNORECASE | re.VERBOSE,
)
_UNDECIDED = re.compile(r"status\s*:?\s*integer undefined", re.IGNORECASE)  # glpsol


def export_lp(graph: nx.Graph) -> Exported:
    """Write the CPLEX LP format, for glpsol, SCIP, HiGHS, CBC and Gurobi."""
    program, names = _program(graph)

    def lines() -> Iterator[str]:
        yield from commented("\\", _legend(program, names))
        yield from commented("\\", _sources(graph, program))
        yield f"Minimize\n obj: 0 {names[0]}\n" if names else "Minimize\n obj:\n"
        yield "Subject To\n"
        for number, (terms, sense, side) in enumerate(_rows(program, names), 1):
            yield f" r{number}: {_sum(terms)} {sense} {side}\n"
        yield "Bounds\n"
        for name, upper in zip(names, program.upper.tolist(), strict=True):
            yield f" 0 <= {name} <= {upper}\n"
        large = program.upper > 1
        for kind, members in (("Binaries", ~large), ("Generals", large)):
            if members.any():
                yield f"{kind}\n"
            for column in members.nonzero()[0].tolist():
                yield f" {names[column]}\n"
        yield "End\n"

    return Exported(lines, _reader(program, names))


def export_mps(graph: nx.Graph) -> Exported:
    """Write the free MPS format, for every MIP solver."""
    program, names = _program(graph)
    senses = {"<=": "L", ">=": "G", "=": "E"}

    def lines() -> Iterator[str]:
        yield from commented("*", _legend(program, names))
        yield from commented("*", _sources(graph, program))
        # CBC takes names of more than eight characters only if this says FREE.
        yield "NAME graph FREE\nROWS\n N obj\n"
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
    """Write OPB, the format of pseudo-Boolean solvers such as RoundingSat, Sat4j and SCIP."""
    program, names = _program(graph)
    # In OPB variables are called x1, x2, …, and each is 0 or 1.
    numbered = [f"x{i}" for i in range(1, len(names) + 1)]
    upper = dict(zip(numbered, program.upper.tolist(), strict=True))
    ruled_out = [name for name, bound in upper.items() if not bound]
    bits: dict[str, Terms] = {name: [(1, name)] for name in numbered}
    # A column with a larger bound is its last binary digit. The further digits come at the end.
    total = len(names)
    for name in [name for name, bound in upper.items() if bound > 1]:
        for i in range(1, upper[name].bit_length()):
            total += 1
            bits[name].append((2**i, f"x{total}"))

    def lines() -> Iterator[str]:
        bounds = [([(1, name)], "<=", upper[name]) for name in bits if len(bits[name]) > 1]
        whole = [
            ([(c * weight, bit) for c, name in terms for weight, bit in bits[name]], sense, side)
            for terms, sense, side in (*_rows(program, numbered), *bounds)
        ]
        rows = [row for row in whole if row[1] != "<="]
        at_most = [row for row in whole if row[1] == "<="]
        number = len(rows) + len(at_most) + len(ruled_out)
        yield f"* #variable= {total} #constraint= {number}\n"
        yield from commented("*", _legend(program, numbered))
        for terms, sense, side in rows:
            yield f"{_terms(terms)} {sense} {side} ;\n"
        for terms, _, side in at_most:  # OPB has no <=
            yield f"{_terms([(-c, name) for c, name in terms])} >= {-side} ;\n"
        for name in ruled_out:
            yield f"+1 {name} = 0 ;\n"

    everything = [*numbered, *[f"x{i}" for i in range(len(names) + 1, total + 1)]]
    return Exported(lines, _reader(program, everything))


def _program(graph: nx.Graph) -> tuple[LinearProgram, list[str]]:
    program = encode(graph)
    names = identifiers(graph)
    columns = [f"{names[variable]}_{number_text(value)}" for variable, value in program.columns]
    columns += [f"flow_{i}" for i in range(1, len(program.upper) - len(columns) + 1)]
    if len(set(columns)) < len(columns):  # some names end in numbers themselves
        columns = [f"c{i}_{name}" for i, name in enumerate(columns, 1)]
    return program, columns


def _rows(program: LinearProgram, names: list[str]) -> Iterator[Row]:
    """The rows, split so that each has one bound; an impossible program gets an impossible row."""
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


def _sources(graph: nx.Graph, program: LinearProgram) -> Iterator[str]:
    """Which rows of the file each factor became: a row with two bounds is two there."""
    written = [0]
    for _, _, lower, upper in program.rows():
        two = lower != upper and -inf < lower and upper < inf
        written.append(written[-1] + 1 + two)
    return sources(graph, "rows", [written[first] for first in program.firsts], written[-1])


def _legend(program: LinearProgram, names: list[str]) -> Iterator[str]:
    yield "a constraint graph; the columns and their meanings:"
    for name, meaning in zip(names, program.names(), strict=True):
        yield f"{name} {meaning}"


def _sum(terms: Terms) -> str:
    return " ".join(f"{'-' if c < 0 else '+'} {abs(c)} {name}" for c, name in terms)


def _terms(terms: Terms) -> str:
    return " ".join(f"{c:+d} {name}" for c, name in terms)


def _reader(program: LinearProgram, names: list[str]) -> Callable[[str], Answer]:
    """A function that reads the answers of linear and of pseudo-Boolean solvers."""
    column = {name: i for i, name in enumerate(names)}

    def read(text: str) -> Answer:
        lines = [line.strip() for line in text.splitlines()]
        if any(line.startswith("s ") for line in lines):
            satisfiable, values = _pseudo_boolean(lines, column)
        else:
            satisfiable, values = _report(lines, column)
        if not satisfiable:
            return Answer(satisfiable, [])
        point = [values.get(name, 0) for name in names]
        return Answer(True, [program.decode(point)])

    return read


def _pseudo_boolean(lines: list[str], column: Container[str]) -> tuple[bool | None, Values]:
    """Read lines ``s STATUS`` and ``v x1 -x2 …``, the output format of pseudo-Boolean solvers.

    Other lines, such as comments, say nothing.
    """
    statuses = {line.removeprefix("s ").strip() for line in lines if line.startswith("s ")}
    if unknown := statuses - _STATUSES.keys():
        raise EncodingError(f"`s {min(unknown)}` is not one of {', '.join(_STATUSES)}")
    if len(statuses) > 1:
        raise EncodingError(f"contradictory lines: `s {'` and `s '.join(sorted(statuses))}`")
    values = {}
    for line in lines:
        for literal in line.removeprefix("v ").split() if line.startswith("v ") else ():
            name = literal.removeprefix("-")
            if name not in column:
                raise EncodingError(f"there is no variable {name[:20]}")
            values[name] = int(name == literal)
    satisfiable = _STATUSES[statuses.pop()]
    if satisfiable and not values:
        raise EncodingError("a solution is announced, but there is no line v with its literals")
    return satisfiable, values


def _report(lines: list[str], column: Container[str]) -> tuple[bool | None, Values]:
    """Read a report that names columns before their values, as linear solvers write it.

    Only a line that is nothing but a status counts as one. Words in other lines, such as
    "infeasible" in a log, say nothing.
    """
    # HiGHS writes the status below its title.
    pairs = [f"{one} {other}" for one, other in pairwise(lines) if one.lower() == "model status"]
    infeasible = any(map(_INFEASIBLE.fullmatch, [*lines, *pairs]))
    solved = any(map(_SOLVED.match, [*lines, *pairs]))
    if infeasible and solved:
        raise EncodingError("contradictory: one line says infeasible, another one optimal")
    if infeasible:  # some solvers list zeros all the same
        return False, {}
    if any(map(_UNDECIDED.match, lines)):
        return None, {}
    values = {}
    words = iter(" ".join(lines).split())
    for name in words:
        if name not in column:
            continue
        # glpsol marks integer columns with a star before their value.
        value = next((word for word in words if word != "*"), "")
        if not _NUMBER.fullmatch(value):
            raise EncodingError(f"column {name}: {value[:20]!r} is not a number")
        values[name] = round(float(value))
    return True if values else None, values
