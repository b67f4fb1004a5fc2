"""A constraint graph as bytes, and back: for another process, or a file.

The bytes are JSON. They hold the variables by number, with their names as plain text, and every
factor, but not the factors' sources: rules stay where they were written. Tables and automata that
several factors share are written once. Nothing in them is executed when they are read, and what
is read is checked, within bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import msgspec
import networkx as nx

from csp_encodings.automaton import Automaton, Budget
from csp_encodings.errors import EncodingError
from csp_encodings.factors import AllDifferent, Connected, Domain, Factor, Linear, Regular, Relation
from csp_encodings.graph import FactorId, validate
from csp_encodings.watch import look

__all__ = ["MAX_BYTES", "VERSION", "Label", "dumps", "loads"]

VERSION = 1
"""The version of the format that is written, and the only one that is read."""

MAX_BYTES = 256 * 2**20
"""What is larger is not read."""

# Wider than what constraints may be lowered with: here the diagrams are finished, and small.
_BUDGET = Budget(states=1_000_000, edges=8_000_000)

_Scope: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Label:
    """A variable of a graph that was read: its number among the variables, and its name."""

    index: int
    text: str

    def __str__(self) -> str:
        return self.text


class _Record(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    pass


class _Variable(_Record, frozen=True, tag="variable"):
    name: str
    domain: Domain
    auxiliary: bool


class _AllDifferent(_Record, frozen=True, tag="different"):
    index: int
    definition: bool
    scope: _Scope


class _Relation(_Record, frozen=True, tag="relation"):
    index: int
    definition: bool
    scope: tuple[int, int]
    table: int


class _Linear(_Record, frozen=True, tag="linear"):
    index: int
    definition: bool
    scope: _Scope
    coefficients: tuple[int, ...]
    low: int | None
    high: int | None


class _Regular(_Record, frozen=True, tag="regular"):
    index: int
    definition: bool
    scope: _Scope
    automaton: int


class _Connected(_Record, frozen=True, tag="connected"):
    index: int
    definition: bool
    scope: _Scope
    edges: tuple[tuple[int, int], ...]
    classes: tuple[tuple[int, ...], ...]
    largest: int | None


class _Automaton(_Record, frozen=True):
    alphabets: tuple[Domain, ...]
    widths: tuple[int, ...]
    layers: tuple[tuple[tuple[int, tuple[int, ...], int], ...], ...]


_Factor: TypeAlias = _AllDifferent | _Relation | _Linear | _Regular | _Connected


class _Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["csp-encodings graph"]
    version: int
    tables: tuple[tuple[tuple[int, int], ...], ...]
    automata: tuple[_Automaton, ...]
    nodes: tuple[_Variable | _Factor, ...]


def dumps(graph: nx.Graph) -> bytes:
    """Write a graph, without the sources of its factors.

    Equal graphs give equal bytes, in every process.

    Examples
    --------
    >>> from csp_encodings.graph import graph_of
    >>> graph = graph_of(dict.fromkeys("xy", range(2)), AllDifferent(("x", "y")))
    >>> graph = loads(dumps(graph))
    >>> [str(node) for node in graph]
    ['x', 'y', 'factor 0']
    """
    numbers: dict[Any, int] = {}
    tables: dict[frozenset[tuple[int, int]], int] = {}
    automata: dict[Automaton, int] = {}
    nodes: list[_Variable | _Factor] = []
    for node, data in graph.nodes(data=True):
        if not isinstance(node, FactorId):
            numbers[node] = len(numbers)
            nodes.append(_Variable(str(node), data["domain"], data["auxiliary"]))
            continue
        index, definition, factor = node.index, data["definition"], data["factor"]
        scope = tuple([numbers[variable] for variable in factor.scope])
        match factor:
            case AllDifferent():
                nodes.append(_AllDifferent(index, definition, scope))
            case Relation(allowed=allowed):
                table = tables.setdefault(allowed, len(tables))
                nodes.append(_Relation(index, definition, (scope[0], scope[1]), table))
            case Linear(coefficients, _, low, high):
                nodes.append(_Linear(index, definition, scope, coefficients, low, high))
            case Regular(automaton=automaton):
                place = automata.setdefault(automaton, len(automata))
                nodes.append(_Regular(index, definition, scope, place))
            case Connected(_, edges, classes, largest):
                nodes.append(_Connected(index, definition, scope, edges, classes, largest))
    document = _Document(
        "csp-encodings graph",
        VERSION,
        tuple([tuple(sorted(table)) for table in tables]),
        tuple([_Automaton(a.alphabets, a.widths, a.layers) for a in automata]),
        tuple(nodes),
    )
    return msgspec.json.encode(document)


def loads(data: bytes, names: Sequence[Any] | None = None) -> nx.Graph:
    """Read a graph that :func:`dumps` wrote.

    Parameters
    ----------
    names
        The variables of the graph, auxiliaries included, in its order; by default a
        :class:`Label` for each. With the variables of the graph that was written the result is
        equal to it, up to the sources.

    Examples
    --------
    >>> loads(b"[]")
    Traceback (most recent call last):
        ...
    csp_encodings.errors.EncodingError: not a constraint graph: Expected `object`, got `array`
    """
    document = _read(data)
    tables = [frozenset(rows) for rows in document.tables]
    automata = [
        Automaton.from_layers(a.alphabets, a.widths, a.layers, budget=_BUDGET)
        for a in document.automata
    ]
    number = sum(isinstance(record, _Variable) for record in document.nodes)
    if names is not None and len(names) != number:
        raise EncodingError(f"{len(names)} names for {number} variables")
    graph = nx.Graph()
    known: list[Any] = []
    for record in document.nodes:
        look()
        if isinstance(record, _Variable):
            known.append(Label(len(known), record.name) if names is None else names[len(known)])
            graph.add_node(known[-1], domain=record.domain, auxiliary=record.auxiliary)
            continue
        try:
            scope = tuple([known[_natural(number)] for number in record.scope])
            factor = _factor(record, scope, tables, automata)
        except IndexError:
            raise EncodingError(
                f"factor {record.index}: a number that stands for nothing before it"
            ) from None
        node = FactorId(record.index)
        graph.add_node(node, factor=factor, source=None, definition=record.definition)
        positions: dict[Any, tuple[int, ...]] = {}
        for place, variable in enumerate(factor.scope):
            positions[variable] = (*positions.get(variable, ()), place)
        for variable, places in positions.items():
            graph.add_edge(node, variable, positions=places)
    if len(graph) != len(document.nodes):
        raise EncodingError("two nodes have the same name")
    validate(graph)
    return nx.freeze(graph)


def _read(data: bytes) -> _Document:
    if len(data) > MAX_BYTES:
        raise EncodingError(f"a graph of {len(data):,} bytes; at most {MAX_BYTES:,} are read")
    try:
        document = msgspec.json.decode(data, type=_Document)
    except (msgspec.DecodeError, RecursionError) as error:
        raise EncodingError(f"not a constraint graph: {error}") from None
    if document.version != VERSION:
        raise EncodingError(f"a graph of version {document.version}; {VERSION} can be read")
    return document


def _factor(
    record: _Factor,
    scope: tuple[Any, ...],
    tables: list[frozenset[tuple[int, int]]],
    automata: list[Automaton],
) -> Factor:
    match record:
        case _AllDifferent():
            return AllDifferent(scope)
        case _Relation():
            return Relation(scope[0], scope[1], tables[_natural(record.table)])
        case _Linear():
            return Linear(record.coefficients, scope, record.low, record.high)
        case _Regular():
            return Regular(scope, automata[_natural(record.automaton)])
        case _Connected():
            return Connected(scope, record.edges, record.classes, record.largest)


def _natural(number: int) -> int:
    """Refuse what Python would take as a place counted from the end."""
    if number < 0:
        raise IndexError
    return number
