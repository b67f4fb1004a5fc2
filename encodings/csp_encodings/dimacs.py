"""The text forms of SAT: formulas (DIMACS CNF), proofs (DRUP) and solvers' answers.

What comes from outside is read strictly, and refused by line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from csp_encodings.errors import EncodingError

__all__ = [
    "MAX_VARIABLE",
    "Answer",
    "Clause",
    "Step",
    "read_answer",
    "read_cnf",
    "read_proof",
    "write_cnf",
    "write_proof",
]

Clause: TypeAlias = tuple[int, ...]

# A literal is kept as 2v or 2v + 1 in 32 bits.
MAX_VARIABLE = 2**30 - 1

# What solvers print after `s`, and what MiniSat writes without it
_STATUSES = {
    "SATISFIABLE": True,
    "UNSATISFIABLE": False,
    "UNKNOWN": None,
    "INDETERMINATE": None,
    "SAT": True,
    "UNSAT": False,
    "INDET": None,
}

_INTEGER = re.compile(r"-?[0-9]{1,10}", re.ASCII)


class Step(NamedTuple):
    """A step of a proof: a clause that follows (a lemma), or one that is not needed any more."""

    clause: Clause
    deleted: bool = False


class Answer(NamedTuple):
    """What a solver says: satisfiable or not (None: unknown), and the true literals."""

    satisfiable: bool | None
    model: tuple[int, ...]


def write_cnf(
    variables: int, clauses: Sequence[Iterable[int]], comments: Iterable[str] = ()
) -> Iterator[str]:
    r"""The lines of a formula in DIMACS form.

    Examples
    --------
    >>> "".join(write_cnf(2, [(1, -2), ()], ["an example"]))
    'c an example\np cnf 2 2\n1 -2 0\n0\n'
    """
    for comment in comments:
        yield f"c {comment}\n"
    yield f"p cnf {variables} {len(clauses)}\n"
    for clause in clauses:
        yield " ".join([*map(str, clause), "0\n"])


def write_proof(steps: Iterable[Step]) -> Iterator[str]:
    r"""The lines of a proof in DRUP form.

    Examples
    --------
    >>> "".join(write_proof([Step((1,)), Step((1, 2), deleted=True), Step(())]))
    '1 0\nd 1 2 0\n0\n'
    """
    for clause, deleted in steps:
        yield " ".join([*(("d",) if deleted else ()), *map(str, clause), "0\n"])


def read_cnf(lines: Iterable[str]) -> tuple[int, list[Clause]]:
    """How many variables a formula has, and its clauses.

    Examples
    --------
    >>> read_cnf(["c an example", "p cnf 3 2", "1 -2 0 3", "0"])
    (3, [(1, -2), (3,)])
    >>> read_cnf(["p cnf 3 1", "1 -4 0"])
    Traceback (most recent call last):
        ...
    csp_encodings.errors.EncodingError: line 2: literal -4, but the formula has 3 variables
    """
    header: tuple[int, int] | None = None
    clauses: list[Clause] = []
    clause: list[int] = []
    number = 0
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not words or words[0] == "c":
            continue
        if words[0] == "%":  # how the files of SATLIB end
            break
        if words[0] == "p":
            header = _header(number, words, header)
            continue
        if header is None:
            raise EncodingError(f"line {number}: `p cnf VARIABLES CLAUSES` must come first")
        for literal in _integers(number, words):
            if abs(literal) > header[0]:
                raise EncodingError(
                    f"line {number}: literal {literal}, but the formula has {header[0]} variables"
                )
            if literal:
                clause.append(literal)
            else:
                clauses.append(tuple(clause))
                clause = []
    if header is None:
        raise EncodingError("there is no line `p cnf VARIABLES CLAUSES`")
    if clause:
        raise EncodingError(f"line {number}: the last clause does not end in 0")
    if len(clauses) != header[1]:
        raise EncodingError(f"{len(clauses)} clauses, but line p says {header[1]}")
    return header[0], clauses


def read_proof(lines: Iterable[str]) -> list[Step]:
    """The steps of a proof, one a line: a lemma, or ``d`` and the clause to delete.

    Examples
    --------
    >>> read_proof(["1 2 0", "d 1 2 3 0"])
    [Step(clause=(1, 2), deleted=False), Step(clause=(1, 2, 3), deleted=True)]
    """
    steps = []
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not words or words[0] == "c":
            continue
        deleted = words[0] == "d"
        *clause, end = _integers(number, words[deleted:]) or [1]
        if end != 0 or 0 in clause:
            raise EncodingError(f"line {number}: a step is literals and one 0 at the end")
        steps.append(Step(tuple(clause), deleted))
    return steps


def read_answer(lines: Iterable[str]) -> Answer:
    """A solver's output: ``s SATISFIABLE`` and lines ``v 1 -2 … 0``, or MiniSat's ``SAT``.

    Other lines are passed over.

    Examples
    --------
    >>> read_answer(["c fast", "s SATISFIABLE", "v 1 -2", "v 3 0"])
    Answer(satisfiable=True, model=(1, 3))
    """
    said: str | None = None
    literals: list[int] = []
    for number, line in enumerate(lines, 1):
        words = line.split()
        if words[:1] == ["s"] or (len(words) == 1 and words[0] in _STATUSES):
            status = words[-1]
            if status not in _STATUSES:
                raise EncodingError(f"line {number}: `{line}` is not one of {', '.join(_STATUSES)}")
            if said is not None and _STATUSES[said] != _STATUSES[status]:
                raise EncodingError(f"line {number}: `s {status}` contradicts `s {said}`")
            said = said if said == "SAT" else status
        elif words[:1] == ["v"] or (said == "SAT" and words):
            if literals[-1:] == [0]:
                if not _INTEGER.fullmatch(words[0]) and words[0] != "v":
                    continue  # statistics of MiniSat
                raise EncodingError(f"line {number}: the model goes on after its end")
            literals += _integers(number, words[words[0] == "v" :])
    if said is None:
        raise EncodingError("there is no line `s SATISFIABLE` or `s UNSATISFIABLE`")
    true = tuple([literal for literal in literals if literal > 0])
    false = {-literal for literal in literals}
    for literal in true:
        if literal in false:
            raise EncodingError(f"variable {literal} is both true and false")
    return Answer(_STATUSES[said], true)


def _header(number: int, words: list[str], known: tuple[int, int] | None) -> tuple[int, int]:
    if known is not None:
        raise EncodingError(f"line {number}: a second line p")
    sizes = _integers(number, words[2:])
    if words[1:2] != ["cnf"] or len(sizes) != 2 or min(sizes) < 0:
        raise EncodingError(f"line {number}: expected `p cnf VARIABLES CLAUSES`")
    return sizes[0], sizes[1]


def _integers(number: int, words: Iterable[str]) -> list[int]:
    found = []
    for word in words:
        if not _INTEGER.fullmatch(word) or abs(int(word)) > MAX_VARIABLE:
            raise EncodingError(f"line {number}: {word[:20]!r} is not a literal")
        found.append(int(word))
    return found
