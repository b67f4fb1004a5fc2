"""Proofs with hints (LRAT): written from a proof without them, and checked in a few lines.

A line of such a proof names a lemma and the clauses that refute its opposite, in the order in which
they become units (Cruz-Filipe, Heule, Hunt, Kaufmann & Schneider-Kamp, "Efficient certified RAT
verification", CADE 2017). A checker need not search: each named clause must have one literal left,
and the last one none. So the checker here is short enough to be read, and verified checkers such as
cake_lpr take the same file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from csp_encodings.dimacs import Clause, Step
from csp_encodings.errors import EncodingError
from csp_encodings.proof import Checked, Verdict
from csp_encodings.watch import look

__all__ = ["Hinted", "add_hints", "check_hints", "read_lrat", "write_lrat"]


@dataclass(frozen=True, slots=True)
class Hinted:
    """A lemma, its number, and the numbers of the clauses that refute its opposite.

    The clauses of the formula have the numbers from 1 on.
    """

    number: int
    clause: Clause
    hints: tuple[int, ...]


def write_lrat(lemmas: Iterable[Hinted]) -> Iterator[str]:
    r"""The lines of a proof with hints.

    Examples
    --------
    >>> list(write_lrat([Hinted(5, (1,), (1, 2)), Hinted(6, (), (5, 3, 4))]))
    ['5 1 0 1 2 0\n', '6 0 5 3 4 0\n']
    """
    for lemma in lemmas:
        words = [lemma.number, *lemma.clause, 0, *lemma.hints, 0]
        yield " ".join(map(str, words)) + "\n"


def read_lrat(lines: Iterable[str]) -> list[Hinted]:
    """The lemmas of a proof with hints; deletions are passed over, for they prove nothing.

    Examples
    --------
    >>> read_lrat(["5 1 0 1 2 0", "5 d 1 0", "6 0 5 3 4 0"])[1]
    Hinted(number=6, clause=(), hints=(5, 3, 4))
    """
    lemmas = []
    for place, line in enumerate(lines, 1):
        words = line.split()
        if not words or words[0] == "c" or words[1:2] == ["d"]:
            continue
        try:
            first, *rest = map(int, words)
            middle = rest.index(0)
            hints = rest[middle + 1 :]
            if hints[-1:] != [0] or 0 in hints[:-1]:
                raise ValueError
        except ValueError:
            raise EncodingError(f"line {place}: no lemma with hints: {line.strip()[:60]}") from None
        lemmas.append(Hinted(first, tuple(rest[:middle]), tuple(hints[:-1])))
    return lemmas


def check_hints(clauses: Iterable[Clause], lemmas: Iterable[Hinted]) -> Checked:
    """Check that a proof with hints refutes a formula; every lemma is checked.

    Examples
    --------
    >>> formula = [(1, 2), (1, -2), (-1, 2), (-1, -2)]
    >>> print(check_hints(formula, [Hinted(5, (1,), (1, 2)), Hinted(6, (), (5, 3, 4))]))
    accepted: the formula is refuted after 2 lemmas
    >>> print(check_hints(formula, [Hinted(5, (1,), (1, 3))]))
    rejected: lemma 1 does not follow
    """
    known = {number: frozenset(clause) for number, clause in enumerate(clauses, 1)}
    count = 0
    for count, lemma in enumerate(lemmas, 1):
        if lemma.number in known or not _follows(known, lemma):
            return Checked(Verdict.REJECTED, count)
        if not lemma.clause:
            return Checked(Verdict.ACCEPTED, count)
        known[lemma.number] = frozenset(lemma.clause)
    return Checked(Verdict.INCOMPLETE, count)


def _follows(known: dict[int, frozenset[int]], lemma: Hinted) -> bool:
    """Whether the named clauses refute the opposite of a lemma, one after the other."""
    true = {-literal for literal in lemma.clause}
    for number in lemma.hints:
        left = [literal for literal in known.get(number, ()) if -literal not in true]
        if number not in known or len(left) > 1:
            return False
        if not left:
            return True
        true.add(left[0])
    return False


def add_hints(clauses: Sequence[Clause], proof: Iterable[Step]) -> list[Hinted]:
    """Find the hints for a proof that :func:`csp_encodings.proof.check` accepts.

    Lemmas that the refutation does not need are left out. Raises :class:`EncodingError` if a lemma
    does not follow, or if the formula is not refuted.

    Examples
    --------
    >>> formula = [(1, 2), (1, -2), (-1, 2), (-1, -2), (3, 4)]
    >>> add_hints(formula, [Step((1, 3)), Step((1,))])
    [Hinted(number=7, clause=(1,), hints=(1, 2)), Hinted(number=8, clause=(), hints=(7, 3, 4))]
    """
    propagation = _Propagation()
    for number, clause in enumerate(clauses, 1):
        propagation.add(number, clause)
    number = len(clauses)
    found: list[Hinted] = []
    for step in proof:
        if propagation.conflict:
            break
        if step.deleted:
            continue
        look()
        number += 1
        hints = propagation.refute(step.clause)
        if hints is None:
            raise EncodingError(f"the lemma {step.clause} does not follow")
        found.append(Hinted(number, tuple(dict.fromkeys(step.clause)), hints))
        propagation.add(number, step.clause)
    if not propagation.conflict:
        raise EncodingError("the proof does not refute the formula")
    found.append(Hinted(number + 1, (), propagation.reasons(propagation.conflict)))
    return _needed(found)


def _needed(lemmas: list[Hinted]) -> list[Hinted]:
    """The lemmas that the last one depends on."""
    needed = {lemmas[-1].number}
    kept = []
    for lemma in reversed(lemmas):
        if lemma.number in needed:
            needed.update(lemma.hints)
            kept.append(lemma)
    return kept[::-1]


class _Propagation:
    """Unit propagation that knows the reason of everything that it assigns."""

    def __init__(self) -> None:
        self.conflict = 0  # the number of a clause that is false
        self._clauses: dict[int, list[int]] = {}
        self._watching: dict[int, list[int]] = {}
        self._trail: list[int] = []
        self._reason: dict[int, int] = {}  # of each true literal, the clause; 0 if assumed
        self._done = 0

    def add(self, number: int, clause: Iterable[int]) -> None:
        """Take up a clause for good, and draw conclusions."""
        literals = list(dict.fromkeys(clause))
        if any(-literal in literals for literal in literals):
            return
        # Those that are not false are watched first.
        literals.sort(key=lambda literal: -literal in self._reason)
        self._clauses[number] = literals
        for literal in literals[:2]:
            self._watching.setdefault(literal, []).append(number)
        if not literals or -literals[0] in self._reason:
            self.conflict = self.conflict or number
        elif len(literals) == 1 or -literals[1] in self._reason:
            self._assign(literals[0], number)
            self.conflict = self.conflict or self._propagate()

    def refute(self, lemma: Iterable[int]) -> tuple[int, ...] | None:
        """The clauses that refute the opposite of a lemma, in their order; None if none do."""
        mark, done = len(self._trail), self._done
        conflict = 0
        for literal in lemma:
            if self._reason.get(literal):
                conflict = self._reason[literal]  # it is true: its reason is false with the others
                break
            if literal not in self._reason and -literal not in self._reason:
                self._assign(-literal, 0)
            elif self._reason.get(literal) == 0:
                conflict = -1  # the lemma holds in any case
        conflict = conflict or self._propagate()
        hints = self.reasons(conflict, {*lemma}) if conflict > 0 else None
        for literal in self._trail[mark:]:
            del self._reason[literal]
        del self._trail[mark:]
        self._done = done
        return hints

    def reasons(self, conflict: int, lemma: Iterable[int] = ()) -> tuple[int, ...]:
        """The clauses that lead to a false one, in the order in which they became units."""
        assumed = {-literal for literal in lemma}
        wanted = {-literal for literal in self._clauses[conflict]} - assumed
        chain = [conflict]
        for literal in reversed(self._trail):
            if literal in wanted and (reason := self._reason[literal]):
                chain.append(reason)
                wanted |= {-other for other in self._clauses[reason] if other != literal} - assumed
        return tuple(reversed(chain))

    def _assign(self, literal: int, reason: int) -> None:
        if literal not in self._reason:
            self._reason[literal] = reason
            self._trail.append(literal)

    def _propagate(self) -> int:
        """Assign what follows; the number of a clause that is false, or 0."""
        true = self._reason
        while self._done < len(self._trail):
            false = -self._trail[self._done]
            self._done += 1
            watching = self._watching.get(false, [])
            kept: list[int] = []
            for place, number in enumerate(watching):
                literals = self._clauses[number]
                if literals[0] == false:
                    literals[0], literals[1] = literals[1], false
                if literals[0] in true:
                    kept.append(number)
                    continue
                for other in range(2, len(literals)):
                    if -literals[other] not in true:
                        literals[1], literals[other] = literals[other], false
                        self._watching.setdefault(literals[1], []).append(number)
                        break
                else:
                    kept.append(number)
                    if -literals[0] in true:
                        self._watching[false] = kept + watching[place + 1 :]
                        return number
                    self._assign(literals[0], number)
            self._watching[false] = kept
        return 0
