"""Proofs with hints: made from proofs without, and checked; whatever is wrong in one is noticed.

Everything here is fixed: the same formulas in every run.
"""

from itertools import product
from random import Random

import pytest
from pysat.solvers import Solver

from csp_encodings.dimacs import Step, read_proof
from csp_encodings.errors import EncodingError
from csp_encodings.lrat import Hinted, add_hints, check_hints, read_lrat, write_lrat
from csp_encodings.proof import Verdict, check


def pigeons(holes):
    """One pigeon too many: unsatisfiable, and no clause can be spared."""
    place = {(p, h): p * holes + h + 1 for p in range(holes + 1) for h in range(holes)}
    clauses = [tuple(place[p, h] for h in range(holes)) for p in range(holes + 1)]
    return clauses + [
        (-place[p, h], -place[q, h])
        for h in range(holes)
        for q in range(holes + 1)
        for p in range(q)
    ]


def every_sign(size):
    """All clauses over the first variables: unsatisfiable, and no clause can be spared."""
    return [
        tuple(s * v for s, v in zip(signs, range(1, size + 1), strict=True))
        for signs in product((1, -1), repeat=size)
    ]


def random_formula(seed):
    """Clauses of up to three literals, so many that there is hardly a model."""
    rng = Random(seed)
    return [
        tuple(v * rng.choice((1, -1)) for v in rng.sample(range(1, 8), rng.choice((1, 2, 3, 3, 3))))
        for _ in range(32)
    ]


def proof_of(clauses, solver="glucose4"):
    with Solver(solver, bootstrap_with=clauses, with_proof=True) as solving:
        return None if solving.solve() else read_proof(solving.get_proof())


TIGHT = {"pigeons": pigeons(4), "all signs": every_sign(4), "two": every_sign(2)}
LOOSE = {seed: random_formula(seed) for seed in range(40)}


@pytest.mark.parametrize("solver", ["glucose4", "cadical153", "maplecm"])
def test_hints_are_found_and_accepted(solver):
    for clauses in (TIGHT | LOOSE).values():
        check_hints_of(clauses, solver)


def check_hints_of(clauses, solver):
    proof = proof_of(clauses, solver)
    if proof is None:
        with pytest.raises(EncodingError, match="does not refute"):
            add_hints(clauses, [])
        return
    hinted = add_hints(clauses, proof)
    assert check_hints(clauses, hinted).accepted
    assert read_lrat(write_lrat(hinted)) == hinted
    # The lemmas alone are a proof for the other checker, too.
    assert check(clauses, [Step(lemma.clause) for lemma in hinted]).accepted


@pytest.mark.parametrize("name", TIGHT)
def test_a_weaker_formula_is_not_refuted(name):
    """One literal more, at either end of any clause, and there is a model: never accepted."""
    clauses = TIGHT[name]
    proof = proof_of(clauses)
    hinted = add_hints(clauses, proof)
    for number, clause in enumerate(clauses):
        for weaker in ((*clause, 99), (99, *clause), (*clause[:1], 99, *clause[1:])):
            changed = [*clauses[:number], weaker, *clauses[number + 1 :]]
            assert not check_hints(changed, hinted).accepted
            assert not check(changed, proof).accepted
            with pytest.raises(EncodingError):
                add_hints(changed, proof)


@pytest.mark.parametrize("name", [*TIGHT, 1, 2, 3])
def test_no_hint_can_be_spared(name):
    clauses = (TIGHT | LOOSE)[name]
    hinted = add_hints(clauses, proof_of(clauses))
    for place, lemma in enumerate(hinted):
        for hint in range(len(lemma.hints)):
            fewer = lemma.hints[:hint] + lemma.hints[hint + 1 :]
            wrong = [
                *hinted[:place],
                Hinted(lemma.number, lemma.clause, fewer),
                *hinted[place + 1 :],
            ]
            assert check_hints(clauses, wrong).verdict is Verdict.REJECTED
    assert check_hints(clauses, hinted[:-1]).verdict is Verdict.INCOMPLETE


def test_what_is_no_proof_with_hints():
    formula = [(1, 2), (1, -2)]
    for lemma in (
        Hinted(3, (1,), (1, 7)),  # a clause that is not there
        Hinted(3, (1,), (3, 1)),  # itself
        Hinted(2, (1,), (1, 2)),  # a number that is taken
        Hinted(3, (), ()),
        Hinted(3, (2,), (1, 2)),
    ):
        assert check_hints(formula, [lemma]).verdict is Verdict.REJECTED
    for line in ("3 1 0 1 2", "3 1 0 1 0 2 0", "x 1 0 1 0", "3 1 2"):
        with pytest.raises(EncodingError, match="line 1: no lemma with hints"):
            read_lrat([line])
