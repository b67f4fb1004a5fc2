"""Rules that grow: one SAT solver holds some rules, and further ones behind switches."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from csp_encodings.graph import GraphBuilder
from csp_sudoku.backends.auto import AutoSession
from csp_sudoku.backends.sat_session import SatSession
from csp_sudoku.constraints.logic import depends, reads_others
from csp_sudoku.lowering import Facts, add_rule
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.solving.answering import CompiledRules

if TYPE_CHECKING:
    from csp_sudoku.backends.base import Session
    from csp_sudoku.constraints.base import Constraint


class Switch(NamedTuple):
    """What a rule is called in the solver."""

    number: int


class GrowingRules:
    """A SAT solver that holds some rules; it takes further ones, and answers for any of these.

    Parameters
    ----------
    fixed
        The rules that the solver holds, and that always hold.
    session
        The solver.
    """

    def __init__(self, fixed: Puzzle, session: SatSession) -> None:
        self.fixed = fixed
        self.session = session
        self._facts = [group for rule in fixed.rules for group in rule.different(fixed)]
        self._fixed = set(fixed.constraints)
        self._switches: dict[Constraint, Switch] = {}
        self._known_readers: tuple[tuple[Constraint, ...], list[Constraint]] = (), []

    def takes(self, rules: Puzzle) -> bool:
        """Whether the solver can answer for these rules.

        They must have all that always holds, and no other variables. And no rule may mean something
        else because of a rule that is switched on or off, as a negative rule does.
        """
        if (rules.grids, rules.named) != (self.fixed.grids, self.fixed.named):
            return False
        further = self._further(rules)
        if further is None:
            return False
        return not any(
            depends(rule, [other for other in further if other is not rule])
            for rule in self._readers(rules.constraints)
        )

    def _readers(self, rules: tuple[Constraint, ...]) -> list[Constraint]:
        """The rules that may mean something else because of others; mostly one rule is new."""
        known, readers = self._known_readers
        start = len(known) if rules[: len(known)] == known else 0
        found = [*(readers if start else ()), *filter(reads_others, rules[start:])]
        self._known_readers = rules, found
        return found

    def _further(self, rules: Puzzle) -> list[Constraint] | None:
        """The rules beside those that always hold; None if one of these is missing."""
        fixed = self.fixed.constraints
        if rules.constraints[: len(fixed)] == fixed:
            return [*rules.constraints[len(fixed) :]]
        if not self._fixed.issubset(rules.constraints):
            return None
        return [rule for rule in rules.constraints if rule not in self._fixed]

    def compiled(self, rules: Puzzle) -> CompiledRules:
        """Return the solver with these rules switched on, once it has loaded those it lacks."""
        switched = {}
        for rule in self._further(rules) or ():
            switch = self._switches.get(rule)
            if switch is None:
                switch = self._switches[rule] = Switch(len(self._switches))
                self._load(rule, rules, switch)
            switched[switch] = (1,)
        return CompiledRules("sat", self.session, switched=switched)

    def _load(self, rule: Constraint, rules: Puzzle, switch: Switch) -> None:
        """Lower a rule with a view to what always holds, and to nothing else."""
        builder = GraphBuilder()
        for place in rule.scope(rules):
            builder.variable(place, rules.values_of(place))
        for part in rule.expand(rules):
            add_rule(part, rules, builder, Facts([*self._facts, *part.different(rules)]))
        self.session.grow(builder.build_view(), switch)


def sat_solver(session: Session) -> SatSession | None:
    """Return the SAT solver of a session, if it has one that can grow."""
    if isinstance(session, AutoSession):
        found = session.member("sat", None)
        return found if isinstance(found, SatSession) else None
    return session if isinstance(session, SatSession) else None
