"""Write MiniZinc models, and CP-SAT models as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

import networkx as nx

from csp_encodings.automaton import Automaton
from csp_encodings.connected_clauses import connected_pattern
from csp_encodings.errors import EncodingError
from csp_encodings.export.base import Answer, Exported, commented, identifiers, sources
from csp_encodings.factors import (
    AllDifferent,
    Connected,
    Domain,
    Linear,
    Regular,
    Relation,
)
from csp_encodings.graph import Assignment, domains, factors, variables

_SOLUTION_END = "----------"
_NONE_EXIST = "=====UNSATISFIABLE====="


def export_minizinc(graph: nx.Graph) -> Exported:
    """Write a MiniZinc model. Automata become ``mdd``, connected factors clauses."""
    names = identifiers(graph)
    shown = variables(graph)
    known = dict(domains(graph))

    def lines() -> Iterator[str]:
        yield "% a constraint graph; the variables and their meanings:\n"
        for variable, name in names.items():
            yield f"% {name} {variable}\n"
        # One by one: including globals.mzn would clash with redefinitions of some solvers.
        for name in ("all_different", "mdd", "table"):
            yield f'include "{name}.mzn";\n'
        for variable, name in names.items():
            yield f"var {_set(known[variable])}: {name};\n"
        for node, factor in factors(graph).items():
            source = graph.nodes[node]["source"]
            label = "" if source is None else f", {getattr(source, 'label', source)}"
            yield from commented("%", [f"{node}{label}"])
            if isinstance(factor, Connected):
                yield from _clauses(factor, f"link_{node.index}", names, known)
            else:
                yield f"constraint {_constraint(factor, names, known)};\n"
        yield "solve satisfy;\n"
        shows = ", ".join(f'"{names[variable]} = \\({names[variable]});\\n"' for variable in shown)
        yield f"output [{shows}];\n"

    back = {names[variable]: variable for variable in shown}

    def read(text: str) -> Answer:
        found: list[Assignment] = []
        current: dict[Any, int] = {}
        for number, line in enumerate(text.splitlines(), 1):
            word = line.strip()
            if word == _NONE_EXIST:
                if found or current:
                    raise EncodingError(f"line {number}: {_NONE_EXIST} after a solution")
                return Answer(False, [])
            if word == _SOLUTION_END:
                found.append(_complete(current, shown))
                current = {}
            elif said := re.fullmatch(r"(\w+) = (-?[0-9]{1,18});", word, re.ASCII):
                if said[1] not in back:
                    raise EncodingError(f"line {number}: there is no variable {said[1]}")
                current[back[said[1]]] = int(said[2])
        if current:
            found.append(_complete(current, shown))
        return Answer(True if found else None, found)

    return Exported(lines, read)


def export_cpsat(graph: nx.Graph) -> Exported:
    """Write the proto of a CP-SAT model as text. Its variables have the names in the graph."""
    from csp_encodings.cpsat import encode

    encoded = encode(graph)

    def read(text: str) -> Answer:
        """Read a response as text: its status, and a line ``solution: VALUE`` for each variable."""
        status = re.search(r"^status: (\w+)", text, re.MULTILINE)
        if status and status[1] == "INFEASIBLE":
            return Answer(False, [])
        values = [int(v) for v in re.findall(r"^solution: (-?[0-9]{1,18})$", text, re.MULTILINE)]
        if not values:
            return Answer(None, [])
        if len(values) < encoded.shown:
            raise EncodingError(f"{len(values)} values for {encoded.shown} variables")
        return Answer(True, [encoded.decode(values)])

    def lines() -> Iterator[str]:
        proto = encoded.model.proto
        said = sources(graph, "constraints", encoded.firsts, len(proto.constraints))
        yield from commented("#", said)
        yield from str(proto).splitlines(keepends=True)

    return Exported(lines, read)


def _complete(values: Assignment, shown: list[Any]) -> Assignment:
    for variable in shown:
        if variable not in values:
            raise EncodingError(f"the answer has no value for {variable}")
    return values


def _clauses(
    factor: Connected, links: str, names: dict[Any, str], known: dict[Any, Domain]
) -> Iterator[str]:
    """Write the clauses of a connected factor over new Booleans."""
    while links in names.values():
        links += "_"
    own = tuple([known[variable] for variable in factor.scope])
    found = connected_pattern(own, factor.edges, factor.classes, factor.largest)
    literals = [f"{names[v]} = {value}" for v in factor.scope for value in known[v]]
    number = sum(count for count, _ in found.new)
    if number:
        yield f"array[1..{number}] of var bool: {links};\n"
    literals += [f"{links}[{i}]" for i in range(1, number + 1)]
    for clause in found.clauses:
        said = [f"{'not ' if x < 0 else ''}({literals[abs(x) - 1]})" for x in clause]
        yield "constraint " + (" \\/ ".join(said) or "false") + ";\n"


def _constraint(
    factor: AllDifferent | Relation | Linear | Regular,
    names: dict[Any, str],
    known: dict[Any, Domain],
) -> str:
    scope = [names[variable] for variable in factor.scope]
    match factor:
        case AllDifferent():
            return f"all_different([{', '.join(scope)}])"
        case Relation():
            a, b = (known[variable] for variable in factor.scope)
            rows = [(x, y) for x in a for y in b if (x, y) in factor.allowed]
            if not rows:
                return "false"
            table = "".join(f"|{x},{y}" for x, y in rows)
            return f"table([{', '.join(scope)}], [{table}|])"
        case Linear():
            terms = zip(factor.coefficients, scope, strict=True)
            total = " + ".join(f"{c}*{name}" for c, name in terms) or "0"
            sides = [f"{total} >= {factor.low}"] if factor.low is not None else []
            sides += [f"{total} <= {factor.high}"] if factor.high is not None else []
            return " /\\ ".join(sides) or "true"
        case Regular():
            return _mdd(factor.automaton, scope)


def _mdd(automaton: Automaton, scope: list[str]) -> str:
    """Write an automaton as ``mdd``: nodes are numbered from 1, the accepting node is 0."""
    if not automaton.widths[0]:
        return "false"
    if not scope:
        return "true"
    first = [1, *accumulate(automaton.widths[:-1], initial=1)][1:]
    levels = [i for i, width in enumerate(automaton.widths[:-1], 1) for _ in range(width)]
    edges = [
        (first[i] + tail, _set(values), first[i + 1] + head if i + 1 < len(scope) else 0)
        for i, layer in enumerate(automaton.layers)
        for tail, values, head in layer
    ]
    tails, labels, heads = (", ".join(map(str, column)) for column in zip(*edges, strict=True))
    return (
        f"mdd([{', '.join(scope)}], {len(levels)}, [{', '.join(map(str, levels))}], "
        f"{len(edges)}, [{tails}], [{labels}], [{heads}])"
    )


def _set(values: Domain) -> str:
    if values and values[-1] - values[0] == len(values) - 1:
        return f"{values[0]}..{values[-1]}"
    return "{" + ", ".join(map(str, values)) + "}" if values else "1..0"
