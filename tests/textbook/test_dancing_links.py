"""Algorithm X: links that dance, the examples of the book, and all covers of random problems."""

from itertools import combinations, pairwise
from random import Random

import numpy as np
import pytest

import csp_sudoku as cs
from csp_encodings.exact_cover import ExactCover, encode
from csp_sudoku import textbook
from csp_sudoku.textbook import Backtracked, Chosen, Covered, SolutionFound, Uncovered, algorithm_x
from csp_sudoku.textbook.dancing_links import (
    cover,
    hide,
    matrix,
    purify,
    uncover,
    unhide,
    unpurify,
    walk,
)


def problem(primary, secondary, options):
    """A problem from options such as ``p q x:A``; option 0 says that variable 0 is 1, and so on."""
    items = [*primary.split(), *secondary.split()]
    rows = [[word.partition(":") for word in option.split()] for option in options]
    members = [items.index(name) for row in rows for name, _, _ in row]
    colours = [ord(colour) - 64 if colour else 0 for row in rows for _, _, colour in row]
    return ExactCover(
        items=tuple(items),
        preferred=len(primary.split()),
        primary=len(primary.split()),
        starts=np.cumsum([0, *map(len, rows)], dtype=np.int32),
        members=np.array(members, np.int32),
        colours=np.array(colours, np.int32),
        meanings=tuple((number, 1) for number in range(len(options))),
        options={number: {1: number} for number in range(len(options))},
        variables=(),
    )


def found(given):
    """The covers, each as the set of its options."""
    covers, path = [], []
    for event in algorithm_x(given):
        match event:
            case Chosen(_, option, depth):
                path[depth - 1 :] = [option.number]
            case SolutionFound():
                covers.append(frozenset(path))
            case Backtracked(_, depth):
                del path[depth - 1 :]
    assert len(set(covers)) == len(covers)
    return set(covers)


# The book: 7.2.2.1, (6) and (49)
EXACT = problem("a b c d e f g", "", ["c e", "a d g", "b c f", "a d f", "b g", "d e g"])
COLOURED = problem(
    "p q r", "x y", ["p q x y:A", "p r x:A y", "p x:B", "q x:A", "r y:B"]
)  # fmt: skip


def test_the_examples_of_the_book():
    assert found(EXACT) == {frozenset([0, 3, 4])}
    assert found(COLOURED) == {frozenset([1, 3])}


def test_the_steps_of_the_book():
    # Of the items with two options, a is the first. Its option "a d g" leaves f only "b c f", which
    # is in the way of "c e", and then e has no option left.
    events = [event for event in algorithm_x(EXACT) if isinstance(event, Chosen | Backtracked)]
    assert [(e.place, getattr(e, "choice", None) and e.choice.number) for e in events] == [
        ("a", 1),
        ("b", 2),
        ("e", None),
        ("b", None),
        ("a", 3),
        ("b", 4),
        ("c", 0),
        ("c", None),
        ("b", None),
        ("a", None),
    ]


def links(root):
    """Everything that can change, as it is now."""
    headers = {node.item for item in walk(root, "right") for node in walk(item, "down")}
    headers |= {
        other.item for item in headers for n in walk(item, "down") for other in walk(n, "right")
    }
    nodes = [root, *headers, *(node for item in headers for node in walk(item, "down"))]
    state = {(n, way): getattr(n, way) for n in nodes for way in ("left", "right", "up", "down")}
    return (
        state
        | {(item, "size"): item.size for item in headers}
        | {(n, "colour"): n.colour for n in nodes}
    )


def test_covering_is_undone_in_the_opposite_order():
    root = matrix(EXACT)
    items = {item.name: item for item in walk(root, "right")}
    before = links(root)
    cover(items["a"])
    assert [item.name for item in walk(root, "right")] == list("bcdefg")
    # "a d g" and "a d f" are gone from the columns of d, f and g; column a still has them.
    assert [items[name].size for name in "abcdefg"] == [2, 2, 2, 1, 2, 1, 2]
    cover(items["d"])
    assert [items[name].size for name in "bcefg"] == [2, 2, 1, 1, 1]
    uncover(items["d"])
    uncover(items["a"])
    assert links(root) == before


def test_hiding_leaves_the_column_that_one_comes_from():
    root = matrix(EXACT)
    items = {item.name: item for item in walk(root, "right")}
    before = links(root)
    node = items["a"].down
    hide(node)
    assert [items[name].size for name in "adg"] == [2, 2, 2]
    unhide(node)
    assert links(root) == before


def test_purifying_keeps_the_options_of_the_colour():
    root = matrix(COLOURED)
    node = next(node for node in walk(root.right, "down") if node.option.number == 1)  # p r x:A y
    x = next(other for other in walk(node, "right") if other.item.name == "x")
    before = links(root)
    purify(x.item, x.colour)
    p, q, r = walk(root, "right")
    # "p q x" and "p x:B" are in the way, "q x:A" is not.
    assert [n.option.number for n in walk(p, "down")] == [1]
    assert [n.option.number for n in walk(q, "down")] == [3]
    assert [n.option.number for n in walk(r, "down")] == [1, 4]
    unpurify(x.item, 1)
    assert links(root) == before


@pytest.mark.parametrize(
    "given",
    [
        EXACT,
        COLOURED,
        encode(cs.read("1... ..2. ...4 ....").add(cs.Arrow("R1C1", "R2C2 R3C2")).graph),
    ],
)
def test_what_is_covered_is_uncovered(given):
    stack = []
    for event in algorithm_x(given):
        match event:
            case Covered(item, colour):
                stack.append((item, colour))
            case Uncovered(item, colour):
                assert stack.pop() == (item, colour)
            case SolutionFound():
                # A solution covers every primary item.
                assert {*given.items[: given.primary]} <= {item for item, _ in stack}
    assert stack == []


def all_covers(given):
    """By definition: every primary item once, every secondary one at most once or in one colour."""
    starts = given.starts.tolist()
    rows = [
        [*zip(given.members[a:b].tolist(), given.colours[a:b].tolist(), strict=True)]
        for a, b in pairwise(starts)
    ]
    covers = set()
    for size in range(len(rows) + 1):
        for chosen in combinations(range(len(rows)), size):
            uses = {}
            for option in chosen:
                for item, colour in rows[option]:
                    uses.setdefault(item, []).append(colour)
            if all(item in uses for item in range(given.primary)) and all(
                len(colours) == 1 or (item >= given.primary and 0 < min(colours) == max(colours))
                for item, colours in uses.items()
            ):
                covers.add(frozenset(chosen))
    return covers


def test_all_covers_of_random_problems():
    rng = Random(5)
    numbers = []
    for _ in range(150):
        options = []
        for _ in range(rng.randint(1, 9)):
            # An option has a primary item: one without is chosen by nobody.
            names = rng.sample("abcd", rng.randint(1, 2))
            names += [
                name + rng.choice(["", ":A", ":B"]) for name in rng.sample("xyz", rng.randint(0, 2))
            ]
            options.append(" ".join(names))
        given = problem("a b c d"[: rng.choice([3, 5, 7])], "x y z d c b", options)
        if any(set("abcd"[: given.primary]).isdisjoint(option) for option in options):
            continue
        wanted = all_covers(given)
        numbers.append(len(wanted))
        assert found(given) == wanted
    assert len(numbers) > 40
    assert max(numbers) > 1
    assert 0 in numbers


def test_items_have_the_names_of_rules():
    events = textbook.trace("1... .... .... ....", "x")
    first = [str(event) for _, event in zip(range(5), events, strict=False)]
    assert first == [
        "cover R1C1",
        "choose R1C1=1 for R1C1",
        "cover row 1 has 1",
        "cover column 1 has 1",
        "cover box 1 has 1",
    ]
    puzzle = cs.Puzzle.blank(4).add(cs.Arrow("R1C1", "R2C2 R3C2"))
    steps = {str(event) for event in textbook.trace(puzzle, "x") if "arrow" in str(event)}
    assert "cover arrow at R1C1 step 1" in steps
    assert "purify arrow at R1C1 state 1 to 1" in steps
    assert any(step.startswith("choose arrow at R1C1 step 1 ") for step in steps)


def test_auxiliaries_wait():
    # A sum of sums: its value is no guess as long as a cell is open.
    puzzle = cs.Puzzle.blank(4).add(
        cs.KillerCage("R1C1 R2C2 R3C3", 7) | cs.Thermometer("R1C1-R1C3")
    )
    given = encode(puzzle.graph)
    assert given.preferred < given.primary
    preferred = {*given.items[: given.preferred]}
    waiting = set(preferred)
    for event in algorithm_x(given):
        match event:
            case Covered(item):
                waiting.discard(item)
            case Uncovered(item):
                waiting |= {item} & preferred
            case Chosen(item):
                assert item in preferred or not waiting
