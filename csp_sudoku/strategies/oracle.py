"""A solver that helps to explain: it finds false candidates, and proves that they are false."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from csp_encodings.errors import BudgetError
from csp_encodings.watch import watched
from csp_sudoku import backends
from csp_sudoku.backends.base import OutOfTime, Session
from csp_sudoku.errors import UndecidedError
from csp_sudoku.puzzle import Puzzle, shared_graph
from csp_sudoku.running.closing import Closing
from csp_sudoku.running.deadlines import time_left
from csp_sudoku.solving.solution import Solution
from csp_sudoku.solving.solve import Solutions
from csp_sudoku.strategies.bits import mask_of, members
from csp_sudoku.strategies.forcing import suspects
from csp_sudoku.strategies.network import listing
from csp_sudoku.strategies.position import Candidate, Position
from csp_sudoku.strategies.proofs import Prover
from csp_sudoku.strategies.rounds import MANY, next_steps
from csp_sudoku.strategies.step import Step
from csp_sudoku.strategies.techniques import LEMMAS, PROOF, Technique
from csp_sudoku.why import Reason, Reasons

# How many false candidates are tried to find a short proof. No other one is tried after so many
# questions to the solver.
_PROOFS, _QUESTIONS = 12, 80

# With more candidates a proof is found faster than a nested argument, and is shorter.
_NESTED_CANDIDATES = 300

# A proof may have tens of thousands of lemmas, which nobody can follow. So many looks at a lemma
# may be taken to confirm some. If that is too few, so many candidates are excluded at once, without
# the proof. With more candidates than this, rules and candidates are not told in its place.
_LOOKS, _EXCLUDED, _TOLD_CANDIDATES = 4_000_000, 100, 1_000


class Oracle(Closing):
    """A solver for the rules of a puzzle; a context manager. It compiles them at first use."""

    def __init__(self, puzzle: Puzzle, deadline: float | None = None) -> None:
        self._puzzle = puzzle
        self._deadline = deadline
        self._session: Session | None = None
        self._reasons: Reasons | None = None
        self._known: list[Solution] = []
        self._prover = Prover(puzzle, deadline)

    def has_solution(self, puzzle: Puzzle) -> bool:
        """Whether a puzzle of these rules has a solution."""
        return bool(self.solve(puzzle))

    def solve(self, puzzle: Puzzle, limit: int = 1) -> list[Solution]:
        """Find up to `limit` solutions, and remember them."""
        if self._session is None:
            # With the givens: they make the formula small, and what is asked later has them, too.
            self._session = self._compile()
        within = dict(puzzle.candidates)
        found = Solutions(
            puzzle, self._session.solutions(within, limit=limit, deadline=self._deadline), "sat"
        )
        taken = list(islice(found, limit))
        if len(taken) < limit and not found.complete:
            raise OutOfTime
        found.close()
        self._known += taken
        return taken

    def _compile(self) -> Session:
        with watched(self._deadline):
            graph = shared_graph(self._puzzle)
        try:
            return backends.get("sat").compile(graph, deadline=self._deadline)
        except BudgetError:
            # CP-SAT has sums of its own: it can handle a long sum of many values.
            return backends.get("cpsat").compile(graph, deadline=self._deadline)

    def why_unsolvable(self) -> Reason:
        """Find rules and givens that leave no solution."""
        try:
            return self._proving.why_unsolvable(**time_left(self._deadline), confirm=False)
        except UndecidedError:
            raise OutOfTime from None

    def steps(self, position: Position, hardest: Sequence[Technique]) -> list[Step]:
        """Find steps if no technique applies; none if every candidate is in some solution.

        The hardest techniques are tried first, then a proof is made. It may be too long to be told:
        then the step only says what a solver excludes.
        """
        false = self.false_candidates(position)
        if not false:
            return []
        candidates = position.choices
        steps: list[Step] = []
        if candidates <= _NESTED_CANDIDATES:
            suspects(position, false)
            steps = next_steps(position, hardest)
        long = candidates > _TOLD_CANDIDATES
        if not steps and candidates <= MANY:
            steps = self._prover.steps(position, false, LEMMAS, _LOOKS)
            long = long or self._prover.gave_up
        if not steps and long:
            return [_untold(position, false, self._prover.learnt(position))]
        return steps or [self._core(position, false)]

    def false_candidates(self, position: Position) -> list[Candidate]:
        """The candidates of a position that are in no solution."""
        network = position.network
        state = position.puzzle(self._puzzle)
        first_two = self.solve(state, limit=2)
        false = []
        for place, value in self._candidates(position):
            name, number = network.places[place], network.values[value]
            if any(solution[name] == number for solution in self._known):
                continue
            # If there is only one solution, all other candidates are false.
            if len(first_two) < 2 or not self.has_solution(state.with_givens({name: number})):
                false.append((place, value))
        return false

    def _candidates(self, position: Position) -> list[Candidate]:
        return [
            (place, value)
            for place in members(position.open)
            for value in members(position.masks[place])
        ]

    def _core(self, position: Position, false: list[Candidate]) -> Step:
        """The shortest proof found for a false candidate, in places with few candidates."""
        most = self._proving.asked + _QUESTIONS
        best: tuple[int, Candidate, Reason] | None = None
        masks = position.masks
        for candidate in sorted(false, key=lambda c: (masks[c[0]].bit_count(), c))[:_PROOFS]:
            reason = self._why_not(position, candidate)
            size = len(reason.constraints) + len(reason.givens)
            if best is None or size < best[0]:
                best = (size, candidate, reason)
            if self._proving.asked >= most:
                break
        assert best is not None
        _, candidate, reason = best
        net = position.network
        cells = 1 << candidate[0]
        for place in reason.givens:
            cells |= 1 << net.number[place]
        clash = f"{net.were(*candidate)}, a solver finds that"
        return position.step(
            "proof",
            PROOF,
            cells,
            f"{clash} these cannot all be kept: {'; '.join(_folded(reason.sentences))}. So",
            eliminations=[candidate],
            rules=reason.constraints,
            briefly=f"{clash} {len(reason.sentences)} rules and candidates cannot all be kept. So",
        )

    def _why_not(self, position: Position, candidate: Candidate) -> Reason:
        place, value = candidate
        name, number = position.network.places[place], position.network.values[value]
        try:
            return self._proving.why_not(
                name,
                number,
                position.candidates,
                **time_left(self._deadline),
                tries=1,
                confirm=False,
            )
        except UndecidedError:
            raise OutOfTime from None

    @property
    def _proving(self) -> Reasons:
        if self._reasons is None:
            try:
                self._reasons = Reasons(self._puzzle, **time_left(self._deadline))
            except UndecidedError:
                raise OutOfTime from None
        return self._reasons

    def close(self) -> None:
        """Release the solvers."""
        for each in (self._session, self._reasons):
            if each is not None:
                each.close()


def _folded(sentences: Sequence[str]) -> list[str]:
    """The sentences of a reason, with those about houses in one."""
    once = " holds each value once"
    houses = [each.removesuffix(once) for each in sentences if each.endswith(once)]
    others = [each for each in sentences if not each.endswith(once)]
    return [*others, f"{listing(houses)} hold each value once"] if houses[1:] else list(sentences)


def _untold(position: Position, false: Sequence[Candidate], way: str) -> Step:
    """False candidates in places with few candidates, without a proof: it is too long to tell."""
    masks = position.masks
    gone = sorted(false, key=lambda c: (masks[c[0]].bit_count(), c))[:_EXCLUDED]
    found = (
        f"a solver finds {len(false)} of the {position.choices} candidates in no solution, by a "
        "proof too long to be told"
    )
    return position.step(
        "proof",
        PROOF,
        mask_of(place for place, _ in gone),
        f"{found}{way}. So",
        eliminations=gone,
        briefly=f"{found}. So",
    )
