"""Reasons: which rules and givens of a puzzle exclude a value or every solution."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from csp_sudoku import backends
from csp_sudoku.backends.base import OutOfTime, Restriction
from csp_sudoku.cells import Place, cell
from csp_sudoku.checking.verify import keeps_rules
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import PuzzleError, UndecidedError, WrongAnswerError
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.running.closing import Closing
from csp_sudoku.running.deadlines import sooner, time_left, what_ended
from csp_sudoku.solving.answers import limited
from csp_sudoku.solving.query import check_query
from csp_sudoku.solving.solution import Solution
from csp_sudoku.solving.switching import Switchboard
from csp_sudoku.why import sentences
from csp_sudoku.why.shrinking import Shrinking

if TYPE_CHECKING:
    from threading import Event

Candidates = Mapping[Any, int | Iterable[int]]

# How many minimal reasons are looked for; the shortest is taken.
_TRIES = 8

# A given and a rule: no reason can be shorter.
_SHORT = 2

# Search is quicker on few rules and gets some seconds; CP-SAT seldom gets lost.
_CONFIRMING = (("search", 2.0), ("cpsat", None))


@dataclass(frozen=True)
class Reason:
    """Rules and givens that together leave no solution.

    Attributes
    ----------
    claim
        What the reason is for.
    constraints
        The rules, houses included; each means what it means in the whole puzzle.
    givens
        For the places that the reason needs, their possible values: one value for a given.
    used
        For rules about many groups of cells, the groups that the reason needs, such as some pairs
        of an anti-knight rule.
    minimal
        Whether each rule and given is needed: without it there is a solution. False if time ran
        out. Another reason may still be shorter.
    confirmed_by
        The second backend that finds no solution either; None if time ran out.
    sentences
        The reason in words, one for each given and each rule.
    """

    claim: str
    constraints: tuple[Constraint, ...]
    givens: Mapping[Place, tuple[int, ...]]
    used: Mapping[Constraint, sentences.Groups]
    minimal: bool
    confirmed_by: str | None
    sentences: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    """Rules of the puzzle's source that were not read; see `Puzzle.left_out`."""

    def __repr__(self) -> str:
        parts = f"{len(self.constraints)} rules, {len(self.givens)} givens"
        return f"<Reason: {self.claim}: {parts}>"

    def __str__(self) -> str:
        claim = limited(self.claim, self.left_out)
        return "\n".join([f"{claim}:", *[f"- {sentence}" for sentence in self.sentences]])


class Reasons(Closing):
    """The rules of a puzzle, compiled once for many questions; a context manager.

    Examples
    --------
    >>> with Reasons("1... .... .2.. ....") as reasons:
    ...     print(reasons.why_not("R2C2", 1))
    ...     print(reasons.why_not("R3C1", 3, {"R3C1": [3, 4], "R3C3": 3}))
    R2C2 is not 1:
    - R1C1 is 1
    - box 1 holds each value once
    R3C1 is not 3:
    - R3C3 is 3
    - row 3 holds each value once
    """

    def __init__(
        self, puzzle: object, *, timeout: float | None = None, cancel: Event | None = None
    ) -> None:
        deadline = check_query(None, timeout, None, cancel).deadline()
        self.puzzle = as_puzzle(puzzle, deadline)
        try:
            self._board = Switchboard(self.puzzle, deadline=deadline)
        except OutOfTime:
            raise _undecided(deadline) from None

    @property
    def asked(self) -> int:
        """How many questions a solver has answered so far: a measure of work."""
        return self._board.asked

    def why_not(
        self,
        place: str | Place,
        value: int,
        candidates: Candidates | None = None,
        *,
        timeout: float | None = None,
        cancel: Event | None = None,
        tries: int = _TRIES,
        confirm: bool = True,
    ) -> Reason:
        """Return why a place cannot have a value.

        Parameters
        ----------
        candidates
            Values or candidate lists that are known besides the puzzle. A reason may use them.
        timeout
            Seconds; the reason found until then may not be minimal.
        cancel
            As for :func:`csp_sudoku.solve`.
        tries
            How many minimal reasons to look for; the shortest is taken.
        confirm
            Whether to ask a second backend.

        Raises
        ------
        PuzzleError
            If the value is possible; the message names a solution.
        UndecidedError
            If time runs out before it is known to be impossible.
        """
        query, where = check_query(None, timeout, None, cancel), cell(place)
        if value not in self.puzzle.values_of(where):
            raise PuzzleError(f"{where}: {value} is not a value of this puzzle")
        claim, deadline = f"{where} is not {value}", query.deadline()
        givens = self._givens(candidates)
        own = givens.pop(where, (value,))
        if value not in own:
            confirmed_by = self._confirm([], {where: ()}, deadline) if confirm else None
            return self._reason(claim, [where], {where: own}, {}, True, confirmed_by)
        return self._refute(claim, {where: (value,)}, givens, deadline, tries, confirm)

    def why_unsolvable(
        self,
        candidates: Candidates | None = None,
        *,
        timeout: float | None = None,
        cancel: Event | None = None,
        tries: int = _TRIES,
        confirm: bool = True,
    ) -> Reason:
        """Return why there is no solution; see :meth:`why_not`."""
        query = check_query(None, timeout, None, cancel)
        givens, deadline = self._givens(candidates), query.deadline()
        return self._refute("there is no solution", {}, givens, deadline, tries, confirm)

    def close(self) -> None:
        """Delete the solver."""
        self._board.close()

    def _givens(self, candidates: Candidates | None) -> dict[Place, tuple[int, ...]]:
        known = self.puzzle.with_givens(candidates) if candidates else self.puzzle
        return {
            place: values
            for place, values in known.candidates
            if len(values) < len(known.values_of(place))
        }

    def _refute(  # noqa: PLR0917 - the settings of one question, in the order of its steps
        self,
        claim: str,
        question: Restriction,
        givens: Restriction,
        deadline: float | None,
        tries: int,
        confirm: bool,
    ) -> Reason:
        board = self._board
        items: list[Any] = [*givens, *range(len(board.rules))]
        shrinking = Shrinking(board, question, givens, deadline)
        try:
            core = shrinking.core(items)
        except OutOfTime:
            raise _undecided(deadline) from None
        if core is None:
            raise PuzzleError(self._possible(question, givens))
        shortest = _shortest(shrinking, core, items, tries)
        needed = sorted(shortest or core, key=items.index)
        used = shrinking.in_parts(needed) if shortest is not None else {}
        confirmed_by = None
        if confirm:
            rules = [item for item in needed if isinstance(item, int)]
            kept = {item: givens[item] for item in needed if not isinstance(item, int)}
            switched = [part for rule in rules for part in used.get(rule, [rule])]
            confirmed_by = self._confirm(switched, {**kept, **question}, deadline)
        return self._reason(claim, needed, givens, used, shortest is not None, confirmed_by)

    def _possible(self, question: Restriction, givens: Restriction) -> str:
        """Return a sentence that the question is wrong, with a solution that shows it."""
        found = next(self._board.solutions(range(len(self._board.rules)), {**givens, **question}))
        if not keeps_rules(self.puzzle, found):
            raise WrongAnswerError("backend sat gave a solution that breaks a rule")
        said = [f"{place} can be {values[0]}" for place, values in question.items()]
        claim = limited(said[0] if said else "there is a solution", self.puzzle.left_out)
        return f"{claim}: {Solution(found, self.puzzle).text}"

    def _confirm(
        self, switched: list[int], restrict: Restriction, deadline: float | None
    ) -> str | None:
        """Return the name of a second backend that finds no solution either."""
        graph = self._board.subgraph(switched, restrict)
        for name, patience in _CONFIRMING:
            until = sooner(deadline, patience)
            try:
                with backends.get(name).compile(graph, deadline=until) as session:
                    found = session.solutions(limit=1, deadline=until)
                    solution = next(found, None)
            except OutOfTime:
                continue
            if solution is not None:
                shown = ", ".join(f"{place}={value}" for place, value in solution.items())
                raise WrongAnswerError(f"sat refutes what {name} finds a solution of: {shown}")
            if found.complete:
                return name
        return None

    def _reason(  # noqa: PLR0917 - all that was found, in the order of its steps
        self,
        claim: str,
        needed: Sequence[Any],
        givens: Restriction,
        used: Mapping[int, list[int]],
        minimal: bool,
        confirmed_by: str | None,
    ) -> Reason:
        board = self._board
        numbers = [item for item in needed if isinstance(item, int)]
        numbers += [other for rule in numbers for other in board.companions(rule)]
        rules = tuple([board.rules[number] for number in dict.fromkeys(numbers)])
        kept = {item: givens[item] for item in needed if not isinstance(item, int)}
        shown = {
            board.rules[rule]: cells
            for rule, parts in used.items()
            if (cells := sentences.groups([board.scope(part) for part in parts]))
        }
        said = [sentences.of_given(place, values) for place, values in kept.items()]
        said += [sentences.of_rule(rule, self.puzzle, shown.get(rule, ())) for rule in rules]
        left_out = self.puzzle.left_out
        return Reason(claim, rules, kept, shown, minimal, confirmed_by, tuple(said), left_out)


def why_not(
    puzzle: object,
    place: str | Place,
    value: int,
    *,
    timeout: float | None = None,
    cancel: Event | None = None,
) -> Reason:
    """Return why a place cannot have a value: a minimal set of rules and givens.

    Raises :class:`PuzzleError` with a solution if it can; :class:`UndecidedError` if time runs out
    before that is known.

    Examples
    --------
    >>> print(why_not("1... .... ..1. ....", "R2C4", 2))
    R2C4 is not 2:
    - R1C1 is 1
    - R3C3 is 1
    - row 2 holds each value once
    - column 3 holds each value once
    - box 1 holds each value once
    >>> why_not("1... .... ..1. ....", "R2C4", 1)
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.PuzzleError: R2C4 can be 1: 1423234132144132
    """
    deadline = check_query(None, timeout, None, cancel).deadline()
    with Reasons(puzzle, **time_left(deadline)) as reasons:
        return reasons.why_not(place, value, **time_left(deadline))


def why_unsolvable(
    puzzle: object, *, timeout: float | None = None, cancel: Event | None = None
) -> Reason:
    """Return why a puzzle has no solution: a minimal set of rules and givens that clash.

    Raises :class:`PuzzleError` if it has one; :class:`UndecidedError` if time runs out before that
    is known.

    Examples
    --------
    >>> from csp_sudoku import KillerCage, Puzzle
    >>> puzzle = Puzzle.blank(4).add(KillerCage("R1C1 R1C2", 3), KillerCage("R2C1 R2C2", 4))
    >>> reason = why_unsolvable(puzzle)
    >>> print(reason)
    there is no solution:
    - box 1 holds each value once
    - the cells R1C1 R1C2 of the cage differ and sum to 3
    - the cells R2C1 R2C2 of the cage differ and sum to 4
    >>> reason.minimal, reason.confirmed_by
    (True, 'search')
    """
    deadline = check_query(None, timeout, None, cancel).deadline()
    with Reasons(puzzle, **time_left(deadline)) as reasons:
        return reasons.why_unsolvable(**time_left(deadline))


def _shortest(
    shrinking: Shrinking, core: list[Any], items: list[Any], tries: int
) -> list[Any] | None:
    """Return the shortest of some minimal cores; None if time runs out before the first."""
    best: list[Any] | None = None
    chance = random.Random(0)
    try:
        for attempt in range(tries):
            if attempt:
                # The solver looks at the items in their order; another order gives another core.
                core = shrinking.core(chance.sample(items, len(items))) or core
                core = chance.sample(core, len(core))
            found = shrinking.minimal(core, below=None if best is None else len(best))
            best = best if found is None else found
            if len(best or ()) <= _SHORT:
                break
    except OutOfTime:
        pass
    return best


def _undecided(deadline: float | None) -> UndecidedError:
    ended = what_ended(deadline)
    return UndecidedError(f"{ended} before it was known whether there is a solution")
