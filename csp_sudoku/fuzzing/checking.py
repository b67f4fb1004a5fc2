"""The examination of one puzzle: solvers against each other and the oracle, and some laws."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from csp_sudoku.backends.lp import ENGINES
from csp_sudoku.backends.sat_solvers import SOLVERS
from csp_sudoku.backends.search import (
    INFERENCES,
    RESTARTS,
    STRENGTHS,
    VALUE_ORDERS,
    VARIABLE_ORDERS,
)
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.crosscheck.agreement import Agreement, Ending
from csp_sudoku.crosscheck.run import cross_check
from csp_sudoku.errors import BudgetError, ConstraintError, PuzzleError
from csp_sudoku.fuzzing.laws import LAWS, TIMEOUT, Solve, Undecided
from csp_sudoku.puzzle import Puzzle

# How many solutions each solver is asked for. LP is slow to find them.
_LIMIT = 150
_LP_LIMIT = 12

# A law is tried with one of this many random choices; a replay tries them all.
LAW_CHOICES = 6

_FAILURES = (Ending.ERROR, Ending.CRASH, Ending.MEMORY)
_LAW_BACKENDS = ("sat", "cpsat", "search", "dlx")


@dataclass(frozen=True)
class Plan:
    """What to do with a puzzle. Each law comes with the number of its random choice."""

    backends: tuple[str, ...]
    limit: int = _LIMIT
    certify: bool = False
    reference: bool = False
    seed: int = 0
    laws: tuple[tuple[str, int], ...] = ()
    law_backend: str = "sat"


@dataclass(frozen=True)
class Trouble:
    """A fault: its kind, who or what is wrong, how it shows, and the trace of an exception."""

    kind: str
    name: str
    text: str
    trace: str = ""
    law: str = ""
    agreement: Agreement | None = field(default=None, compare=False)
    puzzle: Puzzle | None = field(default=None, compare=False)
    """The puzzle that shows it, if it is a sibling of the one that was drawn."""

    @property
    def sort(self) -> tuple[str, str]:
        """Faults with the same sort count as one."""
        return self.kind, self.name


@dataclass
class Examination:
    """The result of a plan."""

    troubles: list[Trouble] = field(default_factory=list)
    solutions: int = 0
    comparisons: int = 0
    unknowns: int = 0
    laws: Counter[str] = field(default_factory=Counter)
    cases: Counter[str] = field(default_factory=Counter)
    """How often each part of the library was tried."""

    def add(self, trouble: Trouble, puzzle: Puzzle | None = None) -> None:
        """Note a fault, only the first of each sort; and the sibling that shows it."""
        if all(trouble.sort != known.sort for known in self.troubles):
            self.troubles.append(trouble if puzzle is None else replace(trouble, puzzle=puzzle))


def random_plan(seed: int, number: int, *, tiny: bool, chosen: Sequence[str] = ()) -> Plan:
    """Draw a plan for the puzzle of a seed with a number, for all backends or the chosen ones."""
    rng = Random(f"plan {seed} {number}")
    backends = [*chosen] or _random_backends(rng)
    slow = any(backend.startswith("lp") for backend in backends)
    if tiny:
        backends.append("brute")
    # Laws are quick, so several are tried.
    laws = tuple([(law, rng.randrange(LAW_CHOICES)) for law in rng.sample(sorted(LAWS), 3)])
    return Plan(
        tuple(backends),
        limit=_LP_LIMIT if slow else _LIMIT,
        certify=rng.random() < 0.1,
        reference=tiny and rng.random() < 0.06,
        seed=rng.randrange(100),
        laws=laws,
        law_backend=rng.choice(chosen or _LAW_BACKENDS),
    )


def every_backend() -> list[str]:
    """Return all backends that siblings are solved by, the quick ones more often."""
    quick = [*_sat(), *_search(), *("dlx", "cpsat", "auto", "auto:kernels=true") * 4]
    return [*quick, "textbook", *_lp()]


def _random_backends(rng: Random) -> list[str]:
    # CP-SAT without presolve is left out: it aborts the process on some models.
    found = [rng.choice(list(_sat())), rng.choice(list(_search())), "dlx", "cpsat"]
    if rng.random() < 0.18:
        found.append(rng.choice(list(_lp())))
    return found


def whole_plans() -> Iterator[Plan]:
    """Yield everything that a random plan may do, the usual settings first."""
    everything = tuple([(law, choice) for law in LAWS for choice in range(LAW_CHOICES)])
    usual = ("sat", "cpsat", "search", "dlx", "lp", "brute")
    yield Plan(usual, certify=True, reference=True, laws=everything)
    yield Plan((*_sat(), *_search(), *_lp()))
    # One law is about sessions; the others are about rules, whoever solves them.
    sessions = tuple([("splitting", choice) for choice in range(LAW_CHOICES)])
    yield from (Plan((), laws=sessions, law_backend=b) for b in _LAW_BACKENDS if b != "sat")


def _sat() -> Iterator[str]:
    yield "sat"
    for solver, traits in SOLVERS.items():
        yield f"sat:solver={solver}"
        if traits.native:
            yield f"sat:solver={solver},at_most_one=native"
    for way in ("pairwise", "sequential", "product"):
        yield f"sat:solver=glucose42,at_most_one={way}"
    yield from ("sat:redundant=false", "sat:implied=false")


def _search() -> Iterator[str]:
    yield "search"
    yield from (f"search:inference={name}" for name in INFERENCES)
    yield from (f"search:variable_order={name}" for name in VARIABLE_ORDERS)
    yield from (f"search:value_order={name}" for name in VALUE_ORDERS)
    yield from (f"search:all_different={name}" for name in STRENGTHS)
    yield from (f"search:value_order=random,restart={name}" for name in RESTARTS)
    yield "search:implied=false"


def _lp() -> Iterator[str]:
    yield "lp"
    yield from (f"lp:engine={name}" for name in ENGINES)
    yield from ("lp:relaxation=false", "lp:redundant=true")


def examine(puzzle: Puzzle, plan: Plan) -> Examination:
    """Do what the plan says; raise nothing but an interrupt."""
    found = Examination()
    try:
        if plan.backends:
            _compare(puzzle, plan, found)
    except Exception as error:
        found.add(mishap(error))
    for law, choice in plan.laws:
        _try_law(puzzle, law, choice, plan.law_backend, found)
    return found


def _compare(puzzle: Puzzle, plan: Plan, found: Examination) -> None:
    agreement = cross_check(
        puzzle,
        plan.backends,
        limit=plan.limit,
        timeout=TIMEOUT,
        isolate=False,
        certify=plan.certify,
        reference=plan.reference,
        seed=plan.seed,
    )
    found.solutions += len(agreement.solutions)
    found.comparisons += sum(answer.complete for answer in agreement.answers)
    found.unknowns += sum(answer.ending is Ending.TIME for answer in agreement.answers)
    found.cases.update(f"cross-check: {answer.backend}" for answer in agreement.answers)
    found.cases["certificates"] += agreement.certificate is not None
    if not agreement.agreed:
        first = agreement.disagreements[0]
        found.add(Trouble("disagreement", first.name, first.text, agreement=agreement))
    for answer in agreement.answers:
        if answer.ending in _FAILURES:
            found.add(Trouble("error", answer.name, answer.text))
    for said in agreement.findings:
        if "proof" in said:
            found.add(Trouble("error", "proof", said))


def _try_law(puzzle: Puzzle, name: str, choice: int, backend: str, found: Examination) -> None:
    try:
        broken = LAWS[name](puzzle, _random(name, choice, puzzle), Solve(backend))
    except (Undecided, BudgetError, ConstraintError, PuzzleError):
        return  # too much to compare, or rules that do not go together
    except Exception as error:
        found.add(mishap(error, name))
        return
    if broken is not None:
        found.laws[name] += 1
    if broken:
        found.add(Trouble("law", name, f"{broken} (by {backend})", law=name))


def _random(law: str, choice: int, puzzle: Puzzle) -> Random:
    """Return the random choices of a law; they depend on a number and on the puzzle."""
    rules = [f"{rule.name} {rule.label}" for rule in puzzle.constraints]
    return Random(f"{law} {choice} {puzzle.grids} {puzzle.candidates} {rules}")


def mishap(error: Exception, law: str = "") -> Trouble:
    """Return an exception as a fault."""
    trace = "".join(traceback.format_exception(error))
    frames = traceback.extract_tb(error.__traceback__)
    # Name it after its origin: it may show in many places.
    name = f"{type(error).__name__} in {Path(frames[-1].filename).name}, {frames[-1].name}"
    return Trouble("error", name, str(error), trace, law)


def kinds_of(rules: Iterable[Constraint]) -> Counter[str]:
    """Count the kinds of rules, including rules inside others."""
    found: Counter[str] = Counter()
    for rule in rules:
        found[rule.name] += 1
        found += kinds_of(rule.combined())
    return found


def only(plan: Plan, trouble: Trouble) -> Plan:
    """Return the part of a plan that shows a fault."""
    if not trouble.law:
        return replace(plan, laws=())
    return replace(plan, backends=(), laws=tuple([(trouble.law, i) for i in range(LAW_CHOICES)]))
