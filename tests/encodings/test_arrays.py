"""The arrays of a graph: what is in them, that they are small, and always the same."""

import os
import subprocess
import sys

import numpy as np
import pytest

from csp_encodings.arrays import encode
from csp_encodings.automaton import Automaton
from csp_encodings.errors import BudgetError, GraphError
from csp_encodings.factors import AllDifferent, Linear, Regular, Relation
from csp_encodings.graph import GraphBuilder, base_of, graph_of, owned, restricted_view
from csp_encodings.implied import with_implied
from csp_encodings.network import ALL_DIFFERENT, LINEAR, NO_ARC, REGULAR, RELATION

LESS = frozenset((a, b) for a in range(10) for b in range(10) if a < b)


def arcs_of(arrays):
    """The kind and the scope, by name, of each arc."""
    network = arrays.network
    return [
        (
            int(kind),
            "".join(
                arrays.names[v]
                for v in network.scope[network.first_place[a] : network.first_place[a + 1]]
            ),
        )
        for a, kind in enumerate(network.kind)
    ]


def is_impossible(arrays):
    """Whether a variable without a name and without values says so."""
    return len(arrays.network.first_word) - 1 == len(arrays.names) + 1


def test_variables_of_one_all_different_share_bits_and_others_do_not():
    arrays = encode(
        graph_of(
            {"a": (1, 3), "b": (3, 7), "c": (-5, 3), "d": (7, 9)},
            AllDifferent(("a", "b")),
            AllDifferent(("b", "c")),
        )
    )
    assert arrays.universes == ((-5, 1, 3, 7), (-5, 1, 3, 7), (-5, 1, 3, 7), (7, 9))
    assert arrays.network.domain.tolist() == [0b0110, 0b1100, 0b0101, 0b11]


def test_a_wide_domain_widens_no_other():
    arrays = encode(
        graph_of(
            {"a": range(9), "b": range(9), "s": range(500)},
            AllDifferent(("a", "b")),
            Linear((1, 1, -1), ("a", "b", "s"), 0, 0),
        )
    )
    assert np.diff(arrays.network.first_word).tolist() == [1, 1, 8]


def test_arcs_come_cheap_first_and_a_relation_is_two():
    arrays = encode(
        graph_of(
            {"a": (1, 2, 3), "b": (1, 2, 3), "c": (1, 2)},
            Regular(("a", "c"), Automaton.from_regex([range(4)] * 2, "1 2")),
            Linear((1, 1), ("a", "b"), 3, 4),
            Relation("a", "c", LESS),
            AllDifferent(("b", "c")),
        )
    )
    assert arcs_of(arrays) == [
        (ALL_DIFFERENT, "bc"),
        (RELATION, "ac"),
        (RELATION, "ca"),
        (LINEAR, "ab"),
        (REGULAR, "ac"),
    ]
    # A relation spares its other direction, a sum has itself revised again, the others need not.
    assert arrays.network.reverse.tolist() == [0, 2, 1, NO_ARC, 4]


@pytest.mark.parametrize(
    ("domains", "needed"),
    [
        ({"a": (1, 2), "b": (1, 2)}, 0b11),
        ({"a": (1, 2), "b": (2, 1 + 2)}, 0),  # three values, two places: none must occur
        ({"a": (5,), "b": (1,)}, 0b11),  # different domains, and yet a permutation
    ],
)
def test_the_values_that_must_occur(domains, needed):
    network = encode(graph_of(domains, AllDifferent(("a", "b")))).network
    assert network.masks[network.data[0]] == needed
    # Without such values, only a variable with a single value wakes the arc.
    woken_by_any = network.fixed_wake - network.first_wake[:-1]
    assert woken_by_any.tolist() == ([1, 1] if needed else [0, 0])


@pytest.mark.parametrize(
    "factor",
    [
        AllDifferent(("a", "b", "a")),
        AllDifferent(("a", "b", "c")),  # two values for three
        Linear((), (), 1, None),
        Linear((1, 1), ("a", "b"), 5, None),
        Regular((), Automaton.nothing([])),
        Regular(("a",), Automaton.nothing([(1, 2)])),
    ],
)
def test_what_can_never_hold_is_a_variable_without_values(factor):
    arrays = encode(graph_of(dict.fromkeys("abc", (1, 2)), factor))
    assert is_impossible(arrays)
    assert arrays.network.domain[-1] == 0


@pytest.mark.parametrize(
    "factor",
    [
        AllDifferent(()),
        AllDifferent(("a",)),
        Linear((), (), None, 0),
        Linear((1, 1), ("a", "b"), 2, 4),
        Regular((), Automaton.everything([])),
    ],
)
def test_what_always_holds_is_no_arc(factor):
    arrays = encode(graph_of({"a": (1, 2), "b": (1, 2)}, factor))
    assert not is_impossible(arrays)
    assert arcs_of(arrays) == []


def test_a_relation_of_a_variable_with_itself_is_its_diagonal():
    arrays = encode(graph_of({"a": (1, 2, 3)}, Relation("a", "a", frozenset({(1, 1), (2, 3)}))))
    assert arrays.candidates(arrays.network.domain) == {"a": (1,)}


def test_supports():
    arrays = encode(graph_of({"a": (1, 5), "b": (0, 3, 9)}, Relation("a", "b", LESS)))
    network = arrays.network
    supports = [network.masks[network.data[arc] :][:n].tolist() for arc, n in ((0, 2), (1, 3))]
    assert supports == [[0b110, 0b100], [0b00, 0b01, 0b11]]


def test_equal_tables_and_automata_are_stored_once():
    domains = dict.fromkeys("abcdef", range(9))
    rising = [
        Automaton.from_fold([range(9)] * 3, -1, lambda s, v: v if v > s else None, lambda s: True)
        for _ in range(2)
    ]
    once = encode(graph_of(domains, Relation("a", "b", LESS), Regular(tuple("abc"), rising[0])))
    twice = encode(
        graph_of(
            domains,
            Relation("a", "b", LESS),
            Relation("c", "d", frozenset(LESS)),
            Regular(tuple("abc"), rising[0]),
            Regular(tuple("def"), rising[1]),
        )
    )
    assert len(twice.network.kind) == 2 * len(once.network.kind)
    assert len(twice.network.masks) == len(once.network.masks)
    assert len(twice.network.edge_head) == len(once.network.edge_head)


def test_sums_beyond_machine_words_become_automata():
    big = 10**30
    domains = {"a": (-big, big), "b": (-big, 0, big)}
    arrays = encode(graph_of(domains, Linear((1, 1), ("a", "b"), 0, 0)))
    assert arcs_of(arrays) == [(REGULAR, "ab")]
    # Large values close together still are a sum.
    near = {"a": (big, big + 1), "b": (big, big + 1)}
    arrays = encode(graph_of(near, Linear((1, 1), ("a", "b"), 2 * big + 1, None)))
    assert arcs_of(arrays) == [(LINEAR, "ab")]


def test_restrictions_and_decoding():
    builder = GraphBuilder()
    builder.variable("x", range(100, 200))
    total = builder.auxiliary("t", range(100, 200), lambda t: Linear((1, -1), ("x", t), 0, 0))
    builder.variable("y", (-1, 0, 1))
    arrays = encode(builder.build())
    domain = arrays.restricted({"x": (199, 150, 7), "y": [1], total: range(150, 160)})
    left = arrays.candidates(domain)
    assert left == {"x": (150, 199), total: tuple(range(150, 160)), "y": (1,)}
    assert arrays.decode(arrays.restricted({"x": [170], "y": [0]})) == {"x": 170, "y": 0}
    assert arrays.candidates(arrays.network.domain)["x"] == tuple(range(100, 200))
    with pytest.raises(GraphError, match="variable z is not in the graph"):
        arrays.restricted({"z": (1,)})


def test_an_automaton_beyond_the_budget_is_refused():
    domains = {f"v{i}": [3**i * j * 10**20 for j in range(3)] for i in range(12)}
    factor = Linear((1,) * 12, tuple(domains), 10**25, 10**25)
    with pytest.raises(BudgetError):
        encode(graph_of(domains, factor))


PRINT = """
from hashlib import sha256
from csp_encodings.arrays import encode
from csp_encodings.automaton import Automaton
from csp_encodings.factors import AllDifferent, Linear, Regular, Relation
from csp_encodings.graph import GraphBuilder
builder = GraphBuilder()
names = ["north", "east", "south", "west"]
for i, name in enumerate(names):
    builder.variable(name, range(i, 70))
builder.factor(AllDifferent(tuple(names)))
builder.factor(Relation.where("north", "west", range(70), range(70), lambda a, b: (a * b) % 3))
builder.factor(Linear((3, -2, 1), ("north", "east", "south"), 5, None))
builder.factor(Regular(("west", "east"), Automaton.from_predicate([range(70)] * 2, int.__lt__)))
print(sha256(b"".join(a.tobytes() for a in encode(builder.build()).network)).hexdigest())
"""


def test_equal_graphs_give_equal_bytes_in_every_process():
    digests = {
        subprocess.run(
            [sys.executable, "-c", PRINT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


# A grid has many puzzles: what its houses give is found once

SIZE = 4
CELLS = [(row, column) for row in range(SIZE) for column in range(SIZE)]
VALUES = tuple(range(1, SIZE + 1))
FURTHER = {
    "nothing": [],
    "a sum": [Linear((1, 1), ((0, 0), (0, 1)), 5, 5)],
    "a diagonal": [AllDifferent(tuple((i, i) for i in range(SIZE)))],
    "a sum on it": [
        AllDifferent(tuple((i, i) for i in range(SIZE))),
        Linear((1, 1), ((0, 0), (1, 1)), 5, 5),
    ],
    "a repeat": [AllDifferent(((0, 0), (0, 0)))],
    "a cage": [
        Regular(((0, 0), (1, 1)), Automaton.from_table([VALUES] * 2, [(1, 4), (4, 1)])),
        Linear((1, 1), ((0, 0), (1, 1)), 5, 5),
    ],
    "a relation": [Relation((0, 0), (3, 3), LESS)],
}
GIVEN = {"": {}, "a given": {(0, 0): [1]}, "no value": {(0, 0): []}, "two": {(0, 0): [1, 4]}}


def grid():
    """A builder with the rows and columns of a Latin square."""
    builder = GraphBuilder()
    for cell in CELLS:
        builder.variable(cell, VALUES)
    for i in range(SIZE):
        builder.factor(AllDifferent(tuple((i, j) for j in range(SIZE))))
        builder.factor(AllDifferent(tuple((j, i) for j in range(SIZE))))
    return builder


@pytest.mark.parametrize("options", [{}, {"hall": True}, {"shared": True}])
@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
@pytest.mark.parametrize("further", FURTHER.values(), ids=FURTHER)
def test_what_the_base_of_a_graph_gives_is_what_the_graph_gives(further, given, options):
    base = grid()
    for number in range(2):  # the second graph takes over what the first one found
        builder = base.copy()
        if number:
            builder.variable("total", range(20))
            builder.auxiliary("v", VALUES, lambda v: Linear((1, -1), ((2, 2), v), 0, 0))
        for factor in further:
            builder.factor(factor)
        view = restricted_view(builder.build_view(), given)
        assert base_of(view) is not None
        assert base_of(owned(view)) is None
        views = [with_implied(graph, cheap=True) for graph in (view, owned(view))]
        one, other = (encode(graph, **options) for graph in views)
        assert (one.names, one.universes, one.shown) == (other.names, other.universes, other.shown)
        for name, array in one.network._asdict().items():
            assert array.tolist() == getattr(other.network, name).tolist(), name


def test_a_base_is_what_was_there_when_the_copy_was_made():
    builder = grid()
    first = builder.copy().build_view()
    builder.variable("more", VALUES)
    second = builder.copy().build_view()
    assert len(base_of(first).domains) == len(CELLS)
    assert len(base_of(second).domains) == len(CELLS) + 1
    assert base_of(builder.copy().build_view()) is base_of(second)
