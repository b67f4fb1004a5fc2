"""Steps from the proof of a SAT solver, where techniques end.

The solver refutes candidates and writes down each clause that it learns on the way (a DRUP proof;
Heule, Hunt & Wetzler, "Trimming while checking clausal proofs", FMCAD 2013). A clause about
candidates is a *lemma*, such as "R1C1 = 3 and R4C4 = 5 cannot both be". Singles, clues and earlier
lemmas must confirm a lemma before it is used: so it can be told in words, and the solver need not
be trusted. Lemmas that the conclusion does not need are left out, and so are the parts of a lemma
that its own argument does not need (Bleukx, Guns & Tsouros take steps from proofs in this way).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import islice, product
from math import prod
from operator import or_
from typing import Any, NamedTuple

import networkx as nx

from csp_encodings.cnf import encode
from csp_encodings.dimacs import Clause
from csp_encodings.errors import BudgetError
from csp_encodings.factors import Domain, Factor, Linear, Regular
from csp_encodings.graph import FactorId, GraphBuilder, domains, factors, variables
from csp_encodings.watch import watched
from csp_sudoku.backends.native import run_stoppable
from csp_sudoku.puzzle import Puzzle, shared_graph
from csp_sudoku.strategies.bits import mask_of, members
from csp_sudoku.strategies.chains import chain_score
from csp_sudoku.strategies.position import Candidate, Position
from csp_sudoku.strategies.probe import Lemma, Literal, Probe, Reason
from csp_sudoku.strategies.step import Step

# It writes sound proofs, and goes on learning from one question to the next.
_SOLVER = "glucose4"

# How many candidates are refuted at once, each within this number of conflicts. If this is too few
# for all of them, the next number is tried.
_CANDIDATES = 24
_CONFLICTS = (5, 20, 80, 320, 1280)

# A number of conflicts is tried for fewer candidates, the larger it is: so many conflicts in all.
_MOST_CONFLICTS = 200_000

# Steps that score this much more than the easiest are left for later.
_HARDER = 0.3

# So many cells are named of a proof that is too long to be told.
_NAMED = 6

# A factor with at most this many combinations of values needs no auxiliaries.
_SMALL = 7_000


class Prover:
    """Refutes candidates of positions of a puzzle; the rules are encoded at first use.

    `gave_up` says whether the lemmas were too many to be confirmed, when steps were last asked for.
    """

    gave_up = False

    def __init__(self, puzzle: Puzzle, deadline: float | None = None) -> None:
        self._puzzle = puzzle
        self._deadline = deadline
        self._formula: tuple[list[Clause], Mapping[tuple[Any, int], int]] | None = None
        self._learnt: tuple[list[Lemma], list[tuple[Candidate, int]]] = [], []

    def steps(
        self,
        position: Position,
        false: Sequence[Candidate],
        score: float,
        looks: int,
    ) -> list[Step]:
        """The easiest steps that lemmas of the solver give for some of the false candidates.

        To confirm lemmas, it may look at one this many times in all.
        """
        masks = position.masks
        chosen = sorted(false, key=lambda c: (masks[c[0]].bit_count(), c))
        lemmas, refuted = self._learn(position, chosen)
        self._learnt = lemmas, refuted
        table = _Lemmas(position, lemmas, looks)
        found = [refutation for each in refuted if (refutation := table.refute(*each)) is not None]
        self.gave_up = table.looks <= 0
        least = min((each.score(score) for each in found), default=0.0)
        return [table.told(each, score) for each in found if each.score(score) <= least + _HARDER]

    def learnt(self, position: Position) -> str:
        """What the solver learnt last, to refute the first candidate, in words."""
        lemmas, refuted = self._learnt
        (place, value), before = refuted[0] if refuted else ((0, 0), 0)
        if before < _NAMED:
            return ""
        net = position.network
        about = Counter(place for lemma in lemmas[:before] for place in members(lemma.cells))
        most = mask_of(place for place, _ in about.most_common(_NAMED))
        return (
            f": {net.were(place, value)}, it learns {before} lemmas about "
            f"{len(about)} cells, most often {net.names(most)}, before nothing is left"
        )

    def _learn(
        self, position: Position, chosen: Sequence[Candidate]
    ) -> tuple[list[Lemma], list[tuple[Candidate, int]]]:
        """Let the solver refute some candidates.

        Returns the lemmas that it learns, and for each refuted candidate how many it had by then.
        """
        from pysat.solvers import Solver

        try:
            clauses, literals = self._encoded()
        except BudgetError:
            return [], []
        net = position.network
        meaning = {
            literals[net.places[place], net.values[value]]: (place, value)
            for place, domain in enumerate(net.domains)
            for value in members(domain)
            if (net.places[place], net.values[value]) in literals
        }
        number = {candidate: literal for literal, candidate in meaning.items()}
        refuted: list[Candidate] = []
        with Solver(_SOLVER, with_proof=True) as solver:
            solver.append_formula(clauses)
            for (place, value), literal in number.items():
                if not position.masks[place] >> value & 1:
                    solver.add_clause([-literal])

            def is_refuted(conflicts: int, candidate: Candidate) -> bool:
                solver.conf_budget(conflicts)
                found = run_stoppable(
                    partial(solver.solve_limited, [number[candidate]], expect_interrupt=True),
                    solver.interrupt,
                    self._deadline,
                )
                position.tick()
                return found is False

            for conflicts in _CONFLICTS:
                tried = chosen[: _MOST_CONFLICTS // conflicts]
                refuted = list(islice(filter(partial(is_refuted, conflicts), tried), _CANDIDATES))
                if refuted:
                    break
            proof = solver.get_proof()
        return _read(proof, meaning, refuted, len(net.places))

    def _encoded(self) -> tuple[list[Clause], Mapping[tuple[Any, int], int]]:
        if self._formula is None:
            with watched(self._deadline):
                self._formula = _encode(shared_graph(self._puzzle))
        return self._formula


def _read(
    proof: Iterable[str],
    meaning: Mapping[int, Candidate],
    refuted: Iterable[Candidate],
    places: int,
) -> tuple[list[Lemma], list[tuple[Candidate, int]]]:
    """The lemmas of a proof that are about candidates only, and how many each refutation has.

    At the end of each refutation the proof has an empty clause.
    """
    claims = {
        str(sign * literal): Literal(place, value, sign > 0)
        for literal, (place, value) in meaning.items()
        for sign in (1, -1)
    }
    lemmas: dict[Lemma, None] = {}
    waiting = iter(refuted)
    done: list[tuple[Candidate, int]] = []
    for line in proof:
        *clause, _ = line.split()
        if not clause:
            done += [(candidate, len(lemmas)) for candidate in islice(waiting, 1)]
        elif clause[0] != "d" and all(map(claims.__contains__, clause)):
            lemmas[Lemma.of([claims[word] for word in clause], places)] = None
    return list(lemmas), done


def _encode(graph: nx.Graph) -> tuple[list[Clause], Mapping[tuple[Any, int], int]]:
    """The clauses of a graph, and the literals of its values.

    Factors with few combinations are said without auxiliaries: then lemmas are about candidates.
    """
    known = domains(graph)
    shown = set(variables(graph))
    rest = GraphBuilder()
    small: list[Factor] = []
    for node, data in graph.nodes(data=True):
        if not isinstance(node, FactorId):
            if data["auxiliary"]:
                return _whole(graph)
            rest.variable(node, data["domain"])
    for factor in factors(graph).values():
        scope = factor.scope
        combinations = prod(len(known[variable]) for variable in scope)
        if (
            isinstance(factor, Linear | Regular)
            and combinations <= _SMALL
            and len(set(scope)) == len(scope)
            and shown.issuperset(scope)
        ):
            small.append(factor)
        else:
            rest.factor(factor)
    clauses, literals = _whole(rest.build_view())
    for factor in small:
        clauses += _direct(factor, known, literals)
    return clauses, literals


def _whole(graph: nx.Graph) -> tuple[list[Clause], Mapping[tuple[Any, int], int]]:
    formula = encode(graph, at_most_one="pairwise")
    return list(formula.clauses), formula.literals


def _direct(
    factor: Factor, known: Mapping[Any, Domain], literals: Mapping[tuple[Any, int], int]
) -> Iterator[Clause]:
    """For all variables but one, and each choice of values: the values that are left for it."""
    scope = factor.scope
    alphabets = [known[variable] for variable in scope]
    left: dict[tuple[int, tuple[int, ...]], list[int]] = {
        (i, others): []
        for i in range(len(scope))
        for others in product(*alphabets[:i], *alphabets[i + 1 :])
    }
    for values in product(*alphabets):
        if factor.accepts(values):
            for i, value in enumerate(values):
                left[i, values[:i] + values[i + 1 :]].append(literals[scope[i], value])
    for (i, others), allowed in left.items():
        if len(allowed) < len(alphabets[i]):
            rest = zip(scope[:i] + scope[i + 1 :], others, strict=True)
            yield (*(-literals[variable, value] for variable, value in rest), *allowed)


@dataclass(frozen=True)
class _Argument:
    """Conclusions in order, the last of them a clash, and what they were drawn from."""

    reasons: tuple[Reason, ...]

    @property
    def uses(self) -> list[int]:
        """The numbers of the lemmas that it uses."""
        return sorted({each.lemma for each in self.reasons if each.lemma is not None})

    @property
    def cells(self) -> int:
        """The places that it is about."""
        return mask_of(place for reason in self.reasons for place, _ in reason.needs)

    def say(self, names: dict[int, str]) -> str:
        """The argument in words; lemmas are called by these names."""
        return ", ".join(
            each.words if each.lemma is None else f"{each.words} ({names[each.lemma]})"
            for each in self.reasons
        )


class _Refutation(NamedTuple):
    """A candidate that is wrong, the argument for it, the lemmas it needs, and its length."""

    candidate: Candidate
    argument: _Argument
    lemmas: list[int]
    length: int

    def score(self, least: float) -> float:
        """How hard it is: a long one scores more."""
        return chain_score(least, 2 * self.length)


class _Lemmas:
    """The lemmas of a proof, and an argument for each that was needed so far."""

    def __init__(
        self,
        position: Position,
        lemmas: Iterable[Lemma],
        looks: int,
    ) -> None:
        self._position = position
        self._lemmas = dict(enumerate(lemmas))
        self._arguments: dict[int, _Argument] = {}
        self.looks = looks  # that may still be taken

    def refute(self, candidate: Candidate, before: int) -> _Refutation | None:
        """Why a candidate is wrong by the first lemmas; None if these are not enough."""
        place, value = candidate
        found = self._argue(self._lemma([Literal(place, value, right=False)]), before)
        if found is None:
            return None
        _, last = found
        needed: set[int] = set()
        front = last.uses
        while front:
            number = front.pop()
            if number not in needed:
                needed.add(number)
                front += self._arguments[number].uses
        length = len(last.reasons) + sum(len(self._arguments[n].reasons) for n in needed)
        return _Refutation(candidate, last, sorted(needed), length)

    def told(self, found: _Refutation, score: float) -> Step:
        """The step of a refutation, in words."""
        position, net = self._position, self._position.network
        (place, value), last, needed, length = found
        if [self._lemmas[n].literals for n in last.uses] == [[Literal(place, value, right=False)]]:
            # The conclusion is a lemma itself: its argument is told, not that it is broken.
            [same] = last.uses
            last, length = self._arguments[same], length - len(last.reasons)
            needed = [number for number in needed if number != same]
        names = {number: f"lemma {i}" for i, number in enumerate(needed, 1)}
        arguments = [last, *(self._arguments[number] for number in needed)]
        if_true = net.were(place, value)
        said = [
            f"{name}: {self._lemmas[number].say(net)} "
            f"(or else {self._arguments[number].say(names)})"
            for number, name in names.items()
        ]
        lemmas = {0: "", 1: "with a lemma, "}.get(len(needed), f"with {len(needed)} lemmas, ")
        return position.step(
            "proof",
            found.score(score),
            reduce(or_, (argument.cells for argument in arguments), 1 << place),
            "; ".join([*said, f"{if_true}: {last.say(names)}"]) + ". So",
            eliminations=[(place, value)],
            briefly=f"{lemmas}{if_true}, {length} conclusions later {last.reasons[-1].words}. So",
        )

    def _argue(self, lemma: Lemma, before: int) -> tuple[Lemma, _Argument] | None:
        """The part of a lemma that follows by earlier lemmas, with the argument for it.

        None if it does not follow, or if all allowed looks are taken.
        """
        while self.looks > 0:
            probe = Probe(self._position, lemmas=self._lemmas, first=before)
            for place, value, right in lemma.literals:
                if probe.clash is None:
                    probe.assume(Literal(place, value, not right))
            while probe.advance():
                self._position.tick()
                self.looks -= before
            if probe.clash is None:
                return None
            argument = _Argument((*probe.argument(), probe.clash))
            if all(map(self._confirm, argument.uses)):
                left = [Literal(p, v, not right) for p, v, right in probe.needed()]
                return self._lemma(left), argument
        return None

    def _lemma(self, literals: Sequence[Literal]) -> Lemma:
        return Lemma.of(literals, len(self._position.masks))

    def _confirm(self, number: int) -> bool:
        """Whether a lemma follows by earlier ones; if not, it is dropped."""
        if number not in self._arguments:
            found = self._argue(self._lemmas[number], number)
            if found is None:
                del self._lemmas[number]
                return False
            self._lemmas[number], self._arguments[number] = found
        return True
