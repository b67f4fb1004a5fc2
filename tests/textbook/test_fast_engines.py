"""The fast engines do what the textbook algorithms do: same domains, same nodes, same solutions.

Textbooks know an all-different as a difference of each two of its variables. Where the fast engine
draws more from the whole factor (hidden singles in a permutation), the graph of the comparison has
relations in its place: then both have the same to go by.
"""

from collections import Counter
from itertools import combinations, islice, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import csp_sudoku as cs
from csp_encodings.automaton import Automaton
from csp_encodings.factors import AllDifferent, Connected, Linear, Regular, Relation
from csp_encodings.graph import GraphBuilder, domains, factors, graph_of
from csp_sudoku import backends
from csp_sudoku.textbook import Csp, ac3

CHOICES = [
    f"inference={inference},variable_order={variable_order},value_order={value_order}"
    for inference, variable_order, value_order in product(
        ("none", "forward", "mac"), ("first", "mrv", "mrv+degree"), ("natural", "lcv")
    )
]


def run(spec, graph, *, most=100_000):
    """The solutions in their order, and what they cost."""
    with backends.get(spec).compile(graph) as session:
        found = session.solutions()
        solutions = [dict(solution) for solution in islice(found, most)]
        statistics = found.statistics
    return solutions, statistics.assignments, statistics.backtracks


def assert_same_search(graph, choices=CHOICES, **settings):
    for choice in choices:
        wanted = run(f"textbook:{choice}", graph, **settings)
        assert run(f"search:{choice},all_different=singles", graph, **settings) == wanted, choice


def is_impossible(factor, domain_of):
    """Whether the fast engine sees before the search that a factor cannot hold."""
    values = [domain_of[variable] for variable in factor.scope]
    match factor:
        case AllDifferent():
            return len(set().union(*values)) < len(values)
        case Linear():
            low, high = factor.bounds(values)
            return low > high
        case Regular():
            return not all(factor.automaton.widths)
    return False


def with_relations(graph):
    """The same graph, with a relation for each two variables of an all-different."""
    builder = GraphBuilder()
    for variable, data in graph.nodes(data=True):
        if "domain" in data:
            # An auxiliary is any variable here: what defines it is a factor like others.
            builder.variable(variable, data["domain"])
    for factor in factors(graph).values():
        if isinstance(factor, AllDifferent):
            for a, b in combinations(factor.scope, 2):
                sizes = builder.domain(a), builder.domain(b)
                builder.factor(Relation.where(a, b, *sizes, lambda x, y: x != y))
        else:
            builder.factor(factor)
    return builder.build()


# Random graphs

VALUES = st.integers(-3, 6)


@st.composite
def variables_of_graph(draw, most=5):
    """Some variables, whose values have gaps and are negative, too."""
    names = "abcdef"[: draw(st.integers(2, most))]
    sizes = st.sets(VALUES, min_size=1, max_size=4)
    return {name: tuple(sorted(draw(sizes))) for name in names}


@st.composite
def relations(draw, domain_of):
    a, b = draw(st.sampled_from([*product(domain_of, repeat=2)]))
    pairs = [*product(domain_of[a], domain_of[b])]
    return Relation(a, b, frozenset(draw(st.sets(st.sampled_from(pairs)))))


@st.composite
def scopes(draw, domain_of):
    return tuple(draw(st.lists(st.sampled_from([*domain_of]), min_size=1, unique=True)))


@st.composite
def sums(draw, domain_of):
    scope = draw(scopes(domain_of))
    coefficients = tuple(draw(st.sampled_from([-2, -1, 1, 3])) for _ in scope)
    low, high = (draw(st.none() | st.integers(-6, 12)) for _ in range(2))
    return Linear(coefficients, scope, low, high)


@st.composite
def automata(draw, domain_of):
    scope = draw(scopes(domain_of))
    scope += scope[: draw(st.integers(0, 1))]  # a variable may stand there twice
    modulus, rest = draw(st.integers(1, 3)), draw(st.integers(0, 1))
    alphabets = [[v for v in range(-3, 7) if v != draw(VALUES)] for _ in scope]
    return Regular(
        scope,
        Automaton.from_fold(
            alphabets, 0, lambda s, v: (2 * s + v) % modulus, lambda s: s in (0, rest)
        ),
    )


@st.composite
def connected(draw, domain_of):
    scope = draw(scopes(domain_of))
    pairs = [*product(range(len(scope)), repeat=2)]
    edges = draw(st.lists(st.sampled_from(pairs), max_size=6))
    values = draw(st.permutations(range(-3, 7)))
    cut, end = draw(st.integers(1, 4)), draw(st.integers(5, 9))
    largest = draw(st.none() | st.integers(1, 4))
    return Connected(scope, tuple(edges), (tuple(values[:cut]), tuple(values[cut:end])), largest)


@st.composite
def binary_graphs(draw):
    domain_of = draw(variables_of_graph())
    return graph_of(domain_of, *draw(st.lists(relations(domain_of), min_size=1, max_size=7)))


@st.composite
def all_different_graphs(draw):
    domain_of = draw(variables_of_graph())
    several = draw(st.lists(scopes(domain_of).map(AllDifferent), min_size=1, max_size=3))
    return graph_of(domain_of, *several)


@st.composite
def mixed_graphs(draw):
    """All five factors."""
    domain_of = draw(variables_of_graph(most=4))
    any_factor = st.one_of(
        relations(domain_of),
        sums(domain_of),
        automata(domain_of),
        scopes(domain_of).map(AllDifferent),
        connected(domain_of),
    )
    return graph_of(domain_of, *draw(st.lists(any_factor, min_size=1, max_size=4)))


# Puzzles of many shapes

SHAPES = {
    "1×4": cs.Puzzle.blank(1, 4, box=None),
    "1×4 of gaps": cs.Puzzle.blank(1, 4, box=None, values=(-5, -1, 0, 3, 9)),
    "2×3 of 4 values": cs.Puzzle.blank(2, 3, box=None, values=range(4)),
    "3×2 without houses": cs.Puzzle.blank(
        3, 2, box=None, values=(0, 1), row_houses=False, column_houses=False
    ),
    "jigsaw": cs.read("1..." + "." * 12, like=cs.Puzzle.blank(4, regions="AAAB CABB CCBD CDDD")),
    "4×4": cs.read("1... ..2. .3.. ...."),
    "4×4, negative": cs.Puzzle.blank(4, values=(-2, -1, 0, 5)).with_givens({"R1C1": -2, "R2C3": 5}),
    "4×4, no solution": cs.read("12.. ..1. ..2. ...1"),
    "anti-knight": cs.read("1... .... .... ....").add(cs.AntiKnight()),
    "cage and thermometer": cs.read("." * 16).add(
        cs.KillerCage("R1C1 R1C2 R2C1", 7), cs.Thermometer("R3C1 R3C2 R4C3")
    ),
    "arrow and sum": cs.read("..1. .... .... 3...").add(
        cs.Arrow("R1C1", "R2C2 R3C2"), cs.Sum("R1C4 R2C4 R3C3", 6)
    ),
    "6×6": cs.read("1.....2.....3.....4.....5.....6....."),
    "overlapping": cs.Puzzle.overlapping(
        [cs.Grid(1, 3, (1, 2, 3)), cs.Grid(1, 3, (2, 3, 4), left=2)]
    ),
}


# AC-3


def root_domains(graph):
    """What the search has left at its root, before it assigns anything; None if it fails there."""
    backend = backends.get("search:inference=mac,variable_order=first,trace=100000")
    found = backend.compile(graph).solutions()
    solution = next(found, None)
    if solution is None and found.statistics.assignments == 0:
        return None
    left = {variable: list(values) for variable, values in Csp.of(graph).domains.items()}
    for event in found.trace:
        if event.kind != "remove":
            break
        left[event.variable].remove(event.value)
    return {variable: tuple(values) for variable, values in left.items()}


def assert_same_closure(graph):
    result = ac3(graph)
    assert root_domains(with_relations(graph)) == (result.domains if result.consistent else None)


def assert_no_larger_closure(graph):
    """Of sums, textbooks look only at the bounds, and the fast engine at more."""
    textbook, fast = ac3(graph), root_domains(with_relations(graph))
    if fast is not None:
        assert textbook.consistent
        assert all({*fast[variable]} <= {*left} for variable, left in textbook.domains.items())


@settings(max_examples=150, deadline=None)
@given(mixed_graphs())
def test_random_graphs_have_the_same_domains_after_ac3(graph):
    if any(isinstance(factor, Linear) for factor in factors(graph).values()):
        assert_no_larger_closure(graph)
    else:
        assert_same_closure(graph)


@pytest.mark.parametrize("name", SHAPES)
def test_puzzles_have_the_same_domains_after_ac3(name):
    assert_same_closure(SHAPES[name].graph)


# Searches


@settings(max_examples=60, deadline=None)
@given(binary_graphs())
def test_every_choice_means_the_same_on_relations(graph):
    assert_same_search(graph)


@settings(max_examples=40, deadline=None)
@given(mixed_graphs())
def test_plain_and_mac_searches_are_the_same_on_all_factors(graph):
    # Not forward checking (nor LCV, which looks ahead by it): what one pass over sums and automata
    # removes depends on the order in which it meets them. Not the degree: the fast engine does not
    # count a sum that every assignment satisfies.
    assume(not any(is_impossible(factor, domains(graph)) for factor in factors(graph).values()))
    assert_same_search(
        with_relations(graph),
        [c for c in CHOICES if "forward" not in c and "degree" not in c and "natural" in c],
    )


@settings(max_examples=40, deadline=None)
@given(all_different_graphs())
def test_forward_checking_is_the_same_on_all_different_itself(graph):
    assume(not any(is_impossible(factor, domains(graph)) for factor in factors(graph).values()))
    assert_same_search(graph, [c for c in CHOICES if "mac" not in c and "degree" not in c])


@pytest.mark.parametrize("name", SHAPES)
def test_every_choice_means_the_same_on_puzzles(name):
    graph = with_relations(SHAPES[name].graph)
    binary = all(isinstance(factor, Relation) for factor in factors(graph).values())
    exact = CHOICES if binary else [c for c in CHOICES if "forward" not in c and "natural" in c]
    # Blank grids take too long in plain Python to go through without inference.
    exact = [c for c in exact if "none" not in c or len(domains(graph)) <= 16]
    assert_same_search(graph, exact, most=20)


def test_a_hard_puzzle():
    hard = cs.read(
        "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
    )
    graph = with_relations(hard.graph)
    assert_same_search(graph, [c for c in CHOICES if "mac" in c and "first" not in c])
    assert_same_search(graph, ["inference=forward,variable_order=mrv,value_order=natural"])


# Exact covers

DLX = "dlx:choice=fewest,supports=false"
X = "textbook:algorithm=x"


def covers(spec, graph):
    with backends.get(spec).compile(graph) as session:
        found = session.solutions()
        solutions = Counter(tuple(solution.values()) for solution in found)
    return solutions, found.statistics


@settings(max_examples=60, deadline=None)
@given(mixed_graphs())
def test_random_graphs_have_the_same_covers(graph):
    assert covers(DLX, graph)[0] == covers(X, graph)[0]


@pytest.mark.parametrize("name", SHAPES)
def test_puzzles_have_the_same_covers(name):
    graph = SHAPES[name].graph
    if name == "6×6":
        graph = SHAPES[name].with_givens({"R1C2": 2, "R2C3": 6, "R6C6": 4}).graph
    assert covers(DLX, graph)[0] == covers(X, graph)[0]


def test_nodes_are_the_same_where_no_option_is_in_vain():
    easy = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
    graph = cs.read(easy).graph
    assert covers(DLX, graph)[1].nodes == covers(X, graph)[1].assignments == 81


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......", 402),
        ("1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..", 1401),
        ("800000000003600000070090200050007000000045700000100030001000068008500010090000400", 2740),
    ],
)
def test_nodes_differ_by_little_where_the_search_fails(text, nodes):
    # Knuth goes through the options of one item. `dlx` drops the option that failed, and chooses
    # anew; and of several options that are the only one of their item, it takes the one that it
    # found last. That changes when a dead end shows, but not what has to be guessed.
    graph = cs.read(text).graph
    assert covers(X, graph)[1].assignments == nodes
    assert abs(covers(DLX, graph)[1].nodes - nodes) < nodes / 8
