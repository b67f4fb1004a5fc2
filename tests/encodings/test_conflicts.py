"""The conflicts between values say what the graph says."""

from itertools import pairwise, product

import pytest

from csp_encodings.conflicts import CandidateConflicts, encode
from csp_encodings.factors import AllDifferent, Linear, Relation
from csp_encodings.graph import assignments, graph_of

LESS = Relation("x", "y", frozenset({(a, b) for a in range(4) for b in range(4) if a < b}))
DIFFERENT = AllDifferent(("x", "y", "z"))
THREE = {"x": (0, 1, 2), "y": (1, 2, 3), "z": (0, 3)}


def without_clash(found: CandidateConflicts) -> list[dict[str, int]]:
    conflicts = found.conflicts
    first, clash = conflicts.first_clash, conflicts.clash
    clashes = [set(clash[a:b].tolist()) for a, b in pairwise(first)]
    starts = conflicts.first_candidate.tolist()
    choices = [range(a, b) for a, b in pairwise(starts)]
    return [
        found.decode(chosen)
        for chosen in product(*choices)
        if not any(clashes[candidate].intersection(chosen) for candidate in chosen)
    ]


@pytest.mark.parametrize(
    "factors", [(), (DIFFERENT,), (LESS,), (DIFFERENT, LESS, AllDifferent(("y", "z")))]
)
def test_a_choice_without_a_clash_is_a_solution(factors):
    made = graph_of(THREE, *factors)
    assert without_clash(encode(made)) == list(assignments(made))


@pytest.mark.parametrize(
    ("why", "made"),
    [
        ("a sum is more than conflicts", graph_of(THREE, Linear((1, 1), ("x", "y"), None, 3))),
        ("a variable without a value", graph_of(THREE | {"z": ()}, DIFFERENT)),
        ("a variable that differs from itself", graph_of(THREE, AllDifferent(("x", "x")))),
        (
            "a relation of a variable to itself",
            graph_of(THREE, Relation("x", "x", frozenset({(0, 0)}))),
        ),
    ],
)
def test_refused(why, made):
    assert encode(made) is None, why


def test_too_many_conflicts_are_refused():
    made = graph_of(THREE, DIFFERENT)  # 0, 1, 2 and 3 are each in two domains
    assert encode(made, most=4)
    assert encode(made, most=3) is None
