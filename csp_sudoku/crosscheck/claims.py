"""Check what somebody claims about a puzzle."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from csp_encodings.cnf import encode
from csp_encodings.proof import check as check_proof
from csp_encodings.watch import watched
from csp_sudoku.backends.base import OutOfTime, check_deadline
from csp_sudoku.cells import Place, Var
from csp_sudoku.checking.verify import Violation, keeps_rules, stated_disputes, verify
from csp_sudoku.counting import count as counting
from csp_sudoku.crosscheck.agreement import Agreement
from csp_sudoku.crosscheck.certificates import blocking
from csp_sudoku.crosscheck.claim_reading import Claim, read_claim
from csp_sudoku.crosscheck.participants import Solver, participants
from csp_sudoku.crosscheck.run import DEFAULT_TIMEOUT, cross_check
from csp_sudoku.errors import CspSudokuError
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.puzzle import Puzzle, shared_graph
from csp_sudoku.running.deadlines import seconds_left
from csp_sudoku.solving import solve as solving
from csp_sudoku.solving.answers import limited
from csp_sudoku.solving.query import check_items, check_query
from csp_sudoku.solving.results import Status
from csp_sudoku.solving.solution import Solution

# Up to this number of solutions all of them are compared; more are only counted.
_COMPARED = 1_000


class ClaimVerdict(Enum):
    """The verdict on a claim."""

    VALID = "valid"
    """The claim is right."""
    INVALID = "invalid"
    """A grid breaks a rule."""
    INCOMPLETE = "incomplete"
    """A grid breaks no rule but has empty cells."""
    WRONG_COUNT = "wrong count"
    """There are more or fewer solutions than claimed."""
    PROOF_ACCEPTED = "proof accepted"
    """The proof shows the claim."""
    PROOF_REJECTED = "proof rejected"
    """The proof does not show the claim."""
    MALFORMED = "malformed"
    """The text cannot be read as a claim."""
    UNDECIDED = "undecided"
    """Time ran out before the claim was decided."""


RIGHT = (ClaimVerdict.VALID, ClaimVerdict.PROOF_ACCEPTED)


@dataclass(frozen=True)
class CheckedClaim:
    """The result of :func:`check_claim`.

    Attributes
    ----------
    text
        The verdict in a sentence.
    violations
        The rules that a grid breaks, with the cells.
    missing
        Cells that are empty.
    evidence
        A solution that the claim left out.
    agreement
        The cross-check that decided, if there was one.
    left_out
        Rules of the puzzle's source that were not read; see `Puzzle.left_out`.
    disputes
        Where the claim, the rules and the solution that the source states disagree.
    """

    verdict: ClaimVerdict
    text: str
    violations: tuple[Violation, ...] = ()
    missing: tuple[Place, ...] = ()
    evidence: Solution | None = None
    agreement: Agreement | None = None
    left_out: tuple[str, ...] = ()
    disputes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the claim is right: all rules are known, and nobody disputes it."""
        return self.verdict in RIGHT and not self.left_out and not self.disputes

    def __str__(self) -> str:
        said = limited(self.verdict.value, self.left_out)
        return "; ".join([f"{said}: {self.text}", *self.disputes])


def check_claim(
    puzzle: object,
    claim: object,
    *,
    backends: Iterable[Solver] | None = None,
    timeout: float | None = DEFAULT_TIMEOUT,
    isolate: bool = True,
) -> CheckedClaim:
    """Check what somebody claims about a puzzle, such as the output of another program.

    Parameters
    ----------
    puzzle
        A :class:`Puzzle`, or anything :func:`read` takes.
    claim
        One of these, or text or a :class:`~pathlib.Path` that holds one:

        - a grid, claimed to be a solution;
        - several grids, claimed to be all solutions;
        - a count, or None for "no solution"; in text also ``unique``, ``no solution`` and so on;
        - a SAT solver's answer to the exported formula, or a DRUP proof that it has no model;
        - a JSON document with some of ``solution``, ``solutions``, ``complete``, ``count``,
          ``unique`` and ``proof``.
    backends, timeout, isolate
        As in :func:`cross_check`, which decides what the rules alone cannot.

    Examples
    --------
    >>> print(check_claim("0100 3001 4002 0040", "2134 3421 4312 1243"))
    valid: it keeps every rule
    >>> print(check_claim("0100 3001 4002 0040", "2134 3421 4312 1244"))
    invalid: row 4: R4C3 and R4C4 both hold 4 (and 2 more)
    >>> print(check_claim("0100 3001 4002 0040", "2134 .421 4312 1243"))
    incomplete: R2C1 is empty
    """
    deadline = check_query(None, timeout, None).deadline()
    solvers = None if backends is None else check_items("backends", backends, "solvers")
    if solvers is not None:
        participants(solvers)  # refuses unknown names, even if no solver is asked in the end
    wanted = as_puzzle(puzzle, deadline)
    try:
        said = read_claim(claim, wanted)
    except CspSudokuError as error:
        return CheckedClaim(ClaimVerdict.MALFORMED, str(error), left_out=wanted.left_out)
    check = _Check(wanted, said, deadline, {"backends": solvers, "isolate": isolate})
    found = check.grids() or check.repeats() or check.proof() or check.number() or check.valid()
    known = [*check.solutions, *(found.agreement.solutions if found.agreement else ())]
    disputes = tuple(stated_disputes(wanted, known))
    return replace(found, left_out=wanted.left_out, disputes=disputes)


class _Check:
    """The check of one claim. Each method returns a verdict, or None to leave it to the next."""

    def __init__(
        self, puzzle: Puzzle, claim: Claim, deadline: float | None, settings: dict[str, Any]
    ) -> None:
        self.puzzle = puzzle
        self.claim = claim
        self.deadline = deadline
        self.settings = settings
        self.solutions: list[Solution] = []

    def grids(self) -> CheckedClaim | None:
        """Check that the grids are solutions."""
        for number, values in enumerate(self.claim.grids, 1):
            where = f"grid {number}: " if len(self.claim.grids) > 1 else ""
            if len(values) == len(self.puzzle.variables) and keeps_rules(self.puzzle, values):
                self.solutions.append(Solution(values, self.puzzle))
                continue
            judged = verify(self.puzzle, values)
            if judged.violations:
                more = len(judged.violations) - 1
                text = f"{where}{judged.violations[0]}{f' (and {more} more)' if more else ''}"
                return CheckedClaim(ClaimVerdict.INVALID, text, judged.violations)
            empty = [place for place in judged.missing if not isinstance(place, Var)]
            if empty:
                named = " ".join(map(str, empty[:5])) + " …" * (len(empty) > 5)
                text = f"{where}{named} {'are' if len(empty) > 1 else 'is'} empty"
                return CheckedClaim(ClaimVerdict.INCOMPLETE, text, missing=judged.missing)
            # A grid as text has no named variables: there must be values for them that fit.
            puzzle = self.puzzle.with_givens(values)
            found = solving.solve(puzzle, timeout=seconds_left(self.deadline))
            names = " ".join(map(str, judged.missing))
            if found.status is Status.UNKNOWN:
                text = f"{where}no values of {names} were found in time"
                return CheckedClaim(ClaimVerdict.UNDECIDED, text)
            if not found.solutions:
                return CheckedClaim(ClaimVerdict.INVALID, f"{where}no values of {names} fit")
            self.solutions.append(found.solutions[0])
        return None

    def repeats(self) -> CheckedClaim | None:
        """Check that no grid is listed twice."""
        seen: dict[Solution, int] = {}
        for number, solution in enumerate(self.solutions, 1):
            if solution in seen:
                text = f"grid {number} is grid {seen[solution]} again"
                return CheckedClaim(ClaimVerdict.WRONG_COUNT, text, evidence=solution)
            seen[solution] = number
        return None

    def proof(self) -> CheckedClaim | None:
        """Check that the proof refutes the formula without the grids."""
        if self.claim.proof is None:
            return None
        try:
            with watched(self.deadline):
                graph = shared_graph(self.puzzle)
                cnf = encode(graph)
            known = blocking(graph, cnf, [tuple(solution.values()) for solution in self.solutions])
            checked = check_proof(
                [*cnf.clauses, *known],
                self.claim.proof,
                progress=lambda: check_deadline(self.deadline),
            )
        except OutOfTime:
            return CheckedClaim(ClaimVerdict.UNDECIDED, "the proof could not be checked in time")
        if not checked.accepted:
            return CheckedClaim(ClaimVerdict.PROOF_REJECTED, checked.reason)
        number = len(self.solutions)
        if self.claim.count not in (None, number):
            return self._miscounted(f"it proves that there are {number} solutions")
        return CheckedClaim(ClaimVerdict.PROOF_ACCEPTED, checked.reason)

    def number(self) -> CheckedClaim | None:
        """Check that there are as many solutions as claimed."""
        claim = self.claim
        listed = len(self.solutions) if claim.complete else None
        if claim.count is None and listed is None:
            return None
        if None not in (claim.count, listed) and claim.count != listed:
            return self._miscounted(f"it lists {listed}")
        expected = claim.count if claim.count is not None else listed
        assert expected is not None
        return self._compare(expected) if expected <= _COMPARED else self._count(expected)

    def valid(self) -> CheckedClaim:
        """The verdict if nothing else is claimed than solutions, and they are right."""
        many = len(self.solutions) > 1
        return CheckedClaim(
            ClaimVerdict.VALID, "they keep every rule" if many else "it keeps every rule"
        )

    def _compare(self, expected: int) -> CheckedClaim:
        left = seconds_left(self.deadline)
        agreement = cross_check(self.puzzle, limit=expected + 1, timeout=left, **self.settings)
        if not agreement.agreed:
            text = f"our solvers disagree: {agreement.disagreements[0]}"
            return CheckedClaim(ClaimVerdict.UNDECIDED, text, agreement=agreement)
        listed = set(self.solutions)
        other = next((s for s in agreement.solutions if s not in listed), None)
        number = len({*agreement.solutions, *listed})
        if number > expected:
            text = f"there {_are(number, 'at least')}"
            return CheckedClaim(ClaimVerdict.WRONG_COUNT, text, evidence=other, agreement=agreement)
        if not agreement.complete:
            text = f"there {_are(number, 'at least')}, but no solver knows whether there are more"
            return CheckedClaim(ClaimVerdict.UNDECIDED, text, agreement=agreement)
        verdict = ClaimVerdict.VALID if number == expected else ClaimVerdict.WRONG_COUNT
        how = "certified" if agreement.certificate else "by agreement"
        return CheckedClaim(verdict, f"there {_are(number, 'exactly')}, {how}", agreement=agreement)

    def _count(self, expected: int) -> CheckedClaim:
        left = seconds_left(self.deadline)
        counted = counting.count(self.puzzle, "dlx", limit=expected + 1, timeout=left)
        if counted.value > expected:
            text = f"there {_are(counted.value, 'at least')}"
            return CheckedClaim(ClaimVerdict.WRONG_COUNT, text)
        if not counted.complete:
            text = f"there {_are(counted.value, 'at least')}; time ran out"
            return CheckedClaim(ClaimVerdict.UNDECIDED, text)
        verdict = ClaimVerdict.VALID if counted.value == expected else ClaimVerdict.WRONG_COUNT
        return CheckedClaim(verdict, f"there {_are(counted.value, 'exactly')}, says dlx")

    def _miscounted(self, but: str) -> CheckedClaim:
        text = f"it says that there {_are(self.claim.count or 0)}, but {but}"
        return CheckedClaim(ClaimVerdict.WRONG_COUNT, text)


def _are(number: int, how: str = "") -> str:
    """How many solutions there are, in words."""
    if number == 0:
        return "is no solution"
    how = f"{how} " if how else ""
    return f"is {how}one solution" if number == 1 else f"are {how}{number:,} solutions"
