"""The proof checker: sound against brute force, complete against plain unit propagation."""

from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from csp_encodings.dimacs import Step, read_proof
from csp_encodings.errors import EncodingError
from csp_encodings.proof import Checked, Verdict, check

LITERALS = st.integers(-4, 4).filter(bool)
CLAUSES = st.lists(LITERALS, max_size=4).map(tuple)


def satisfiable(clauses):
    """By trying all assignments."""
    top = max((abs(literal) for clause in clauses for literal in clause), default=0)
    return any(
        all(any(signs[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses)
        for signs in product((True, False), repeat=top)
    )


def refutes(clauses, assumed=()):
    """Whether unit propagation alone finds a conflict: plainly, clause by clause."""
    true = set(assumed)
    while True:
        if any(-literal in true for literal in true):
            return True
        before = len(true)
        for clause in clauses:
            left = {literal for literal in clause if -literal not in true}
            if not left:
                return True
            if len(left) == 1:
                true |= left
        if len(true) == before:
            return False


def naive(clauses, lemmas):
    known = list(clauses)
    if refutes(known):
        return Checked(Verdict.ACCEPTED, 0)
    for number, lemma in enumerate(lemmas, 1):
        if not refutes(known, {-literal for literal in lemma}):
            return Checked(Verdict.REJECTED, number)
        known.append(lemma)
        if refutes(known):
            return Checked(Verdict.ACCEPTED, number)
    return Checked(Verdict.INCOMPLETE, len(lemmas))


@given(st.lists(CLAUSES, max_size=14), st.lists(CLAUSES, max_size=6))
@settings(max_examples=200, deadline=None)
@example([], [])
@example([()], [])
@example([(1, 1, 1), (-1, -1)], [])
@example([(1, -1)], [(2, -2), ()])
@example([(1, 2), (1, -2)], [(3, 1), (1,)])
def test_it_does_what_plain_unit_propagation_does(clauses, lemmas):
    found = check(clauses, list(map(Step, lemmas)))
    assert found == naive(clauses, lemmas)
    assert not (found.accepted and satisfiable(clauses))


def pigeons(holes):
    """One pigeon too many: unsatisfiable, and not by unit propagation."""
    place = {(p, h): p * holes + h + 1 for p in range(holes + 1) for h in range(holes)}
    clauses = [tuple(place[p, h] for h in range(holes)) for p in range(holes + 1)]
    clauses += [
        (-place[p, h], -place[q, h])
        for h in range(holes)
        for q in range(holes + 1)
        for p in range(q)
    ]
    return clauses


def proof_of(solver, clauses, assumptions=()):
    with Solver(solver, bootstrap_with=clauses, with_proof=True) as solving:
        assert not solving.solve(assumptions)
        return read_proof(solving.get_proof())


@pytest.mark.parametrize("solver", ["glucose3", "glucose4", "glucose42", "cadical153", "maplecm"])
def test_proofs_of_solvers_are_accepted(solver):
    clauses = pigeons(5)
    proof = proof_of(solver, clauses)
    assert check(clauses, proof).accepted
    # Without its assumptions the formula has a model, and no proof is one.
    assert not check(clauses[1:], proof).accepted


def test_a_proof_under_assumptions_is_no_proof():
    clauses = pigeons(4)
    free = [(99, *clauses[0]), *clauses[1:]]
    assert not check(free, proof_of("glucose4", free, assumptions=[-99])).accepted
    assert check([*free, (-99,)], proof_of("glucose4", [*free, (-99,)])).accepted


def test_a_bad_lemma_ends_it_even_if_the_rest_is_sound():
    clauses = pigeons(4)
    proof = proof_of("glucose4", clauses)
    shifted = [Step(tuple(x + 1 if x > 0 else x - 1 for x in s.clause), s.deleted) for s in proof]
    assert check(clauses, shifted).verdict is Verdict.REJECTED
    assert check(clauses, [Step((1,)), *proof]) == Checked(Verdict.REJECTED, 1)


def test_a_proof_that_stops_early_is_incomplete():
    clauses = pigeons(4)
    lemmas = [step for step in proof_of("glucose4", clauses) if not step.deleted]
    number = check(clauses, lemmas).lemmas
    assert number > 3
    assert check(clauses, lemmas[: number - 1]) == Checked(Verdict.INCOMPLETE, number - 1)


def test_deletions_change_nothing():
    clauses = [(1, 2), (1, -2), (-1, 2), (-1, -2)]
    deleted = [Step(clause, deleted=True) for clause in [*clauses, (7, 8)]]
    assert check(clauses, [*deleted, Step((1,))]).accepted


@pytest.mark.parametrize("literal", [0, 2**30, -(2**40)])
def test_literals_out_of_range_are_refused(literal):
    with pytest.raises(EncodingError, match="a literal must be an integer other than 0"):
        check([(1, literal)], [])


def test_it_can_be_given_up():
    def give_up():
        raise TimeoutError

    with pytest.raises(TimeoutError):
        check(pigeons(4), [Step((1,))], progress=give_up)
