"""Write an agreement as a JSON document, and the schema of these documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from csp_sudoku.cells import Place
from csp_sudoku.crosscheck.agreement import Agreement, Answer, Ending, Outcome, Role, Way
from csp_sudoku.crosscheck.certificates import SOLVER, Certificate
from csp_sudoku.errors import CspSudokuError
from csp_sudoku.formats import write_json
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.solving.answers import BY_THE_RULES_READ
from csp_sudoku.solving.results import Status

_OUTCOME = f"^({'|'.join(outcome.value for outcome in Outcome)})({BY_THE_RULES_READ})?$"


class SolutionRecord(msgspec.Struct, frozen=True):
    """A solution: the cells row by row on one line, the named variables, and the layers."""

    text: str
    named: dict[str, int]
    layers: dict[str, str] = {}


class AnswerRecord(msgspec.Struct, frozen=True):
    """The answer of one solver; `solutions` is the number of those that keep the rules."""

    name: str
    role: Role
    way: Way
    status: Status
    ending: Ending
    solutions: int
    wrong: int
    repeats: int
    compile_seconds: float
    solve_seconds: float
    size: dict[str, int]
    statistics: dict[str, int | float | str]
    text: str


class DisagreementRecord(msgspec.Struct, frozen=True):
    """A solver that is wrong, and a grid as evidence."""

    name: str
    text: str
    evidence: dict[str, int] | None


class CertificateRecord(msgspec.Struct, frozen=True):
    """A checked proof: what it certifies, and its size."""

    statement: str
    solver: str
    variables: int
    clauses: int
    excluded: int
    lemmas: int
    prove_seconds: float
    check_seconds: float


class AgreementRecord(msgspec.Struct, frozen=True):
    """The result of a cross-check: the outcome, the answers and the proof.

    `puzzle` is null if a rule is a Python function, which a document cannot hold. If rules were
    left out when the puzzle was read, `left_out` lists them, and `outcome` says so at its end.
    """

    format: Literal["csp-sudoku agreement"]
    version: Literal[1]
    outcome: Annotated[str, msgspec.Meta(pattern=_OUTCOME)]
    summary: str
    ok: bool
    complete: bool
    puzzle: dict[str, Any] | None
    solutions: list[SolutionRecord]
    differing: list[str]
    answers: list[AnswerRecord]
    disagreements: list[DisagreementRecord]
    certificate: CertificateRecord | None
    uncertified: str
    unanswered: list[str]
    findings: list[str]
    disputes: list[str]
    established: list[str]
    left_out: list[str]
    seconds: float


def encode(agreement: Agreement) -> str:
    """Return the JSON document of an agreement."""
    certificate = agreement.certificate
    record = AgreementRecord(
        "csp-sudoku agreement",
        1,
        agreement.limited(agreement.outcome.value),
        agreement.summary,
        agreement.ok,
        agreement.complete,
        _puzzle(agreement.puzzle),
        [SolutionRecord(s.text, s.named, s.layer_texts) for s in agreement.solutions],
        [str(place) for place in agreement.differing],
        [_answer(answer) for answer in agreement.answers],
        [DisagreementRecord(d.name, d.text, _grid(d.evidence)) for d in agreement.disagreements],
        _certificate(certificate) if certificate else None,
        agreement.uncertified,
        [answer.name for answer in agreement.unanswered],
        list(agreement.findings),
        list(agreement.disputes),
        list(agreement.established),
        list(agreement.left_out),
        agreement.seconds,
    )
    return msgspec.json.encode(record).decode()


def agreement_schema() -> dict[str, Any]:
    """Return the JSON Schema of the documents that :meth:`Agreement.to_json` writes.

    Examples
    --------
    >>> agreement_schema()["$schema"]
    'https://json-schema.org/draft/2020-12/schema'
    """
    found = msgspec.json.schema(AgreementRecord)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}


def _answer(answer: Answer) -> AnswerRecord:
    return AnswerRecord(
        answer.name,
        answer.role,
        answer.way,
        answer.status,
        answer.ending,
        len(answer.solutions),
        len(answer.wrong),
        answer.repeats,
        answer.compile_seconds,
        answer.solve_seconds,
        dict(answer.size),
        dict(answer.statistics),
        answer.text,
    )


def _certificate(certificate: Certificate) -> CertificateRecord:
    return CertificateRecord(
        certificate.statement,
        SOLVER,
        certificate.cnf.variables,
        len(certificate.cnf.clauses),
        len(certificate.blocking),
        certificate.checked.lemmas,
        certificate.prove_seconds,
        certificate.check_seconds,
    )


def _grid(values: Mapping[Place, int] | None) -> dict[str, int] | None:
    return None if values is None else {str(place): value for place, value in values.items()}


def _puzzle(puzzle: Puzzle) -> dict[str, Any] | None:
    try:
        document: dict[str, Any] = msgspec.json.decode(write_json(puzzle))
    except CspSudokuError:
        return None
    return document
