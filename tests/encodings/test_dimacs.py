"""Formulas, proofs and answers as text: written, read back, and refused by line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from csp_encodings.dimacs import (
    Answer,
    Step,
    read_answer,
    read_cnf,
    read_proof,
    write_cnf,
    write_proof,
)
from csp_encodings.errors import EncodingError

CLAUSES = st.lists(st.lists(st.integers(-9, 9).filter(bool), max_size=4).map(tuple), max_size=6)


@given(CLAUSES)
def test_formulas_go_there_and_back(clauses):
    assert read_cnf(write_cnf(9, clauses, ["one", "two"])) == (9, clauses)


@given(st.lists(st.builds(Step, st.lists(st.integers(1, 9)).map(tuple), st.booleans())))
def test_proofs_go_there_and_back(steps):
    assert read_proof(write_proof(steps)) == steps


def test_a_clause_may_span_lines_and_satlib_files_end_in_a_percent_sign():
    assert read_cnf("p cnf 3 2\n1\n2 0 -3\n0\n%\n0\n".splitlines()) == (3, [(1, 2), (-3,)])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no line `p cnf"),
        ("1 2 0", "line 1: `p cnf VARIABLES CLAUSES` must come first"),
        ("p dnf 1 1", "line 1: expected `p cnf VARIABLES CLAUSES`"),
        ("p cnf -1 1", "line 1: expected"),
        ("p cnf 1\n1 0", "line 1: expected"),
        ("p cnf 1 1\np cnf 1 1", "line 2: a second line p"),
        ("p cnf 1 1\n1 x 0", "line 2: 'x' is not a literal"),
        ("p cnf 1 1\n1_0 0", "line 2: '1_0' is not a literal"),
        ("p cnf 9 1\n٣ 0", "line 2: '٣' is not a literal"),
        ("p cnf 9 1\n99999999999999999999999999 0", "line 2: '99999999999999999999' is not"),
        ("p cnf 2000000000 1", "line 1: '2000000000' is not a literal"),
        ("p cnf 1 1\n2 0", "line 2: literal 2, but the formula has 1 variables"),
        ("p cnf 1 1\n1", "line 2: the last clause does not end in 0"),
        ("p cnf 1 2\n1 0", "1 clauses, but line p says 2"),
    ],
)
def test_bad_formulas(text, message):
    with pytest.raises(EncodingError, match=message):
        read_cnf(text.splitlines())


@pytest.mark.parametrize("line", ["1 2", "1 0 2 0", "d", "d 1", "e 1 0", "a\x05"])
def test_bad_proofs(line):
    with pytest.raises(EncodingError, match="line 3: "):
        read_proof(["c a proof", "1 0", line])


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("s SATISFIABLE\nv 1 -2\nv 3 0", Answer(True, (1, 3))),
        ("c hello\nc v 9\ns UNSATISFIABLE", Answer(False, ())),
        ("s UNKNOWN", Answer(None, ())),
        ("s INDETERMINATE", Answer(None, ())),
        ("SAT\n1 -2 3 0", Answer(True, (1, 3))),
        ("SAT\n1 -2 3 0\n==\n\ndecisions : 1\nSATISFIABLE", Answer(True, (1, 3))),
        ("SATISFIABLE\nSAT\n1 -2 3 0", Answer(True, (1, 3))),
        ("UNSAT", Answer(False, ())),
        ("INDET", Answer(None, ())),
        ("v 1 0\ns SATISFIABLE\n", Answer(True, (1,))),
    ],
)
def test_answers(text, answer):
    assert read_answer(text.splitlines()) == answer


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no line `s SATISFIABLE`"),
        ("v 1 0", "no line `s SATISFIABLE`"),
        ("s MAYBE", "line 1: `s MAYBE` is not one of"),
        ("s SATISFIABLE\ns UNSATISFIABLE", "line 2: `s UNSATISFIABLE` contradicts `s SATISFIABLE`"),
        ("s SATISFIABLE\nv 1 two 0", "line 2: 'two' is not a literal"),
        ("s SATISFIABLE\nv 1 -1 0", "variable 1 is both true and false"),
        ("s SATISFIABLE\nv 1 0\nv 2 0", "line 3: .* after its end"),
        ("SAT\n1 0\n2 0", "line 3: .* after its end"),
        ("SAT\n1 0\nUNSATISFIABLE", "line 3: `s UNSATISFIABLE` contradicts `s SAT`"),
    ],
)
def test_bad_answers(text, message):
    with pytest.raises(EncodingError, match=message):
        read_answer(text.splitlines())
