"""The groups of exact cover problems: those of any problem with colours, and what they conclude."""

from dataclasses import replace
from itertools import chain, combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from csp_encodings.automaton import Automaton
from csp_encodings.exact_cover import ExactCover, encode
from csp_encodings.factors import AllDifferent, Regular, Relation
from csp_encodings.graph import assignments, graph_of
from csp_sudoku.backends.dlx import Dlx
from csp_sudoku.kernels import dlx, groups, options


def problem(primary, items, *lists):
    """A problem whose options are lists of items, or of pairs of an item and a colour."""
    members = [[m if isinstance(m, tuple) else (m, 0) for m in option] for option in lists]
    flat = np.array([*chain.from_iterable(members)], np.int32).reshape(-1, 2)
    return ExactCover(
        items=tuple(f"item {i}" for i in range(items)),
        preferred=primary,
        primary=primary,
        starts=np.cumsum([0, *map(len, members)], dtype=np.int32),
        members=flat[:, 0].copy(),
        colours=flat[:, 1].copy(),
        meanings=(None,) * len(lists),
        options={},
        variables=(),
    )


def by_definition(cover):
    """Every set of options that has each primary item once and agrees on the others."""
    pairs = list(zip(cover.members.tolist(), cover.colours.tolist(), strict=True))
    lists = [pairs[a:b] for a, b in zip(cover.starts, cover.starts[1:], strict=False)]
    found = set()
    for chosen in chain.from_iterable(
        combinations(range(len(lists)), size) for size in range(cover.primary + 1)
    ):
        members = [member for option in chosen for member in lists[option]]
        taken = [item for item, colour in members if not colour]
        colours = {member for member in members if member[1]}
        if (
            set(range(cover.primary)) <= set(taken)
            and len(set(taken)) == len(taken)
            and len({item for item, _ in colours}) == len(colours)
        ):
            found.add(chosen)
    return found


def begun(cover, given=()):
    g, d = groups.arrange(cover, np.arange(len(cover.meanings)))
    dlx.begin(g, d, np.array(given, np.int64))
    return g, d


def covers(cover, given=()):
    g, d = begun(cover, given)
    found = []
    while dlx.search(g, d, 1, 10**6) == dlx.FOUND:
        found.append(tuple(sorted(d.sample[: d.sampled].tolist())))
    assert len(set(found)) == len(found)
    return set(found)


PROBLEMS = {
    "nothing to cover": problem(0, 0),
    "an item without options": problem(2, 2, [0]),
    "a colour that one item never has": problem(
        2, 3, [0, (2, 1)], [0, (2, 2)], [1, (2, 2)], [1, (2, 3)]
    ),
    "no colour in common": problem(2, 3, [0, (2, 1)], [1, (2, 2)]),
    "colours in some options only": problem(
        3, 4, [0, (3, 1)], [0], [1, (3, 2)], [1, (3, 1)], [2], [2, (3, 3)]
    ),
    "a first item that is another's second": problem(
        2, 3, [0, 1, (2, 1)], [1, 0], [1], [0, (2, 2)]
    ),
    "a first item that is secondary": problem(1, 3, [1, 0], [2, 0, 1], [0]),
    "most options clash with another's": problem(2, 3, [0, 2], [0, 2], [0], [1, 2], [1]),
    "all options clash with another's": problem(2, 3, [0, 2], [0, 2], [1, 2], [1]),
    "all options clash with all": problem(2, 3, [0, 2], [0, 2], [1, 2], [1, 2]),
}


@pytest.mark.parametrize("cover", PROBLEMS.values(), ids=PROBLEMS.keys())
def test_covers(cover):
    assert covers(cover) == by_definition(cover)


@st.composite
def problems(draw):
    """Two to four primary items, a secondary one, a coloured one or two; options in any order."""
    primary, coloured = draw(st.integers(2, 4)), draw(st.integers(1, 2))
    colour = st.integers(1, 3)
    lists = []
    for _ in range(draw(st.integers(1, 9))):
        plain = draw(st.sets(st.integers(0, primary), min_size=1, max_size=3))
        hues = {primary + 1 + k: draw(st.none() | colour) for k in range(coloured)}
        members = [*plain, *[(item, c) for item, c in hues.items() if c]]
        if plain != {primary}:
            lists.append(draw(st.permutations(members)) if draw(st.booleans()) else members)
    return problem(primary, primary + 1 + coloured, *lists)


@given(problems(), st.integers(0, 8))
@settings(max_examples=400, deadline=None)
def test_covers_of_random_problems(cover, option):
    wanted = by_definition(cover)
    assert covers(cover) == wanted
    if option < len(cover.meanings):
        assert covers(cover, [option]) == {chosen for chosen in wanted if option in chosen}


def algorithm_c(cover):
    """Knuth's Algorithm C on plain lists: the covers in their order, and how many options it tries.

    It chooses an item by MRV with the sharp preference of exercise 10.
    """
    pairs = list(zip(cover.members.tolist(), cover.colours.tolist(), strict=True))
    members = [dict(pairs[a:b]) for a, b in zip(cover.starts, cover.starts[1:], strict=False)]
    found, tried = [], 0

    def fit(a, b):
        shared = members[a].keys() & members[b].keys()
        return all(members[a][item] == members[b][item] != 0 for item in shared)

    def search(active, items, taken):
        nonlocal tried
        if not items:
            found.append(tuple(sorted(taken)))
            return

        def cost(item):
            size = sum(item in members[option] for option in active)
            return size > 1 and item >= cover.preferred, size

        chosen = min(items, key=cost)
        for option in active:
            if chosen in members[option]:
                tried += 1
                search(
                    [other for other in active if fit(option, other)],
                    [item for item in items if item not in members[option]],
                    [*taken, option],
                )

    search(range(len(members)), range(cover.primary), [])
    return found, tried


def knuth(cover, budget=10**6):
    """What the kernel does with the settings of Algorithm C, so many nodes at a time."""
    g, d = groups.arrange(cover, np.arange(len(cover.meanings)), supports=False)
    d.learning, d.by_item = 0, 1
    dlx.begin(g, d, np.zeros(0, np.int64))
    found = []
    while (status := dlx.search(g, d, 1, budget)) != dlx.DONE:
        if status == dlx.FOUND:
            found.append(tuple(sorted(d.sample[: d.sampled].tolist())))
    return found, d.nodes


@pytest.mark.parametrize("cover", PROBLEMS.values(), ids=PROBLEMS.keys())
def test_it_can_be_algorithm_c(cover):
    assert knuth(cover) == knuth(cover, budget=1) == algorithm_c(cover)


@given(problems(), st.data())
@settings(max_examples=300, deadline=None)
def test_it_can_be_algorithm_c_on_random_problems(cover, data):
    cover = replace(cover, preferred=data.draw(st.integers(0, cover.primary)))
    assert knuth(cover) == algorithm_c(cover)


def test_it_can_be_algorithm_c_on_sudoku():
    digits, cells = range(1, 5), list(product(range(4), repeat=2))
    houses = [
        tuple(cell for cell in cells if house_of(*cell) == house)
        for house_of in (lambda r, c: r, lambda r, c: c, lambda r, c: r // 2 * 2 + c // 2)
        for house in range(4)
    ]
    total = Automaton.from_fold([digits] * 3, 0, lambda a, b: a + b, lambda a: a == 7)
    graph = graph_of(
        dict.fromkeys(cells, digits),
        *map(AllDifferent, houses),
        Regular(((0, 0), (1, 1), (2, 3)), total),
        Relation.where((0, 3), (3, 1), digits, digits, lambda a, b: a < b),
    )
    cover = encode(graph)
    found, tried = algorithm_c(cover)
    assert len(found) == len(list(assignments(graph))) > 10
    assert knuth(cover) == (found, tried)
    session = Dlx(choice="fewest", branching="item", supports=False).compile(graph)
    counted = session.solutions()
    assert counted.drain().count == len(found)
    assert counted.statistics.nodes == tried


def left(cover, given):
    """The values that are left once conclusions are drawn, before any choice."""
    g, d = begun(cover, given)
    assert dlx.propagate(g, d)
    return {
        name: [value for value, option in known.items() if d.mark[option] != options.GONE]
        for name, known in cover.options.items()
    }


def test_an_automaton_is_arc_consistent():
    """What the sum of four digits leaves when two are known, in whichever places."""
    digits = range(1, 10)
    total = Automaton.from_fold([digits] * 4, 0, lambda a, b: a + b, lambda a: a == 15)
    cover = encode(graph_of(dict.fromkeys("wxyz", digits), Regular(tuple("wxyz"), total)))
    for known, unknown in (("wx", "yz"), ("yz", "wx"), ("wz", "xy")):
        said = left(cover, [cover.options[known[0]][2], cover.options[known[1]][9]])
        assert said == {known[0]: [2], known[1]: [9]} | {name: [1, 2, 3] for name in unknown}


def test_a_relation_takes_the_values_that_have_no_support():
    digits = range(1, 10)
    whisper = Relation.where("x", "y", digits, digits, lambda a, b: abs(a - b) >= 5)
    cover = encode(graph_of({"x": digits, "y": digits, "z": (0,)}, whisper))
    g, d = groups.arrange(cover, np.arange(len(cover.meanings)))
    # 5 is in no pair; without 1, 2 and 3, neither 7 nor 8 is left to the other.
    for value in (1, 2, 3):
        d.mark[cover.options["x"][value]] = options.GONE
    dlx.begin(g, d, np.zeros(0, np.int64))
    assert dlx.propagate(g, d)
    kept = [v for v, option in cover.options["y"].items() if d.mark[option] == options.OPEN]
    assert kept == [1, 2, 3, 4, 9]


def test_undoing_leaves_everything_as_it_was():
    digits = range(1, 5)
    total = Automaton.from_fold([digits] * 3, 0, lambda a, b: a + b, lambda a: a == 8)
    cover = encode(graph_of(dict.fromkeys("xyz", digits), Regular(tuple("xyz"), total)))
    g, d = begun(cover)
    assert dlx.propagate(g, d)
    before = [d.count.copy(), d.mark.copy()]
    level = d.drops, d.takes
    options.take(g, d, cover.options["y"][4])
    dlx.propagate(g, d)
    assert (d.mark != before[1]).any()
    options.undo(g, d, *level)
    assert (d.count == before[0]).all()
    assert (d.mark == before[1]).all()
