"""Judge the answers: which solvers are wrong, and what is established.

There is no vote. A solution that keeps the rules is a fact, no matter which solver found it. A
solver that claims to have found all solutions and does not have this one is wrong, even if all
others say the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from csp_sudoku.crosscheck.agreement import MISHAPS, Answer, Disagreement, Outcome, Way
from csp_sudoku.solving.solution import Solution


def facts(answers: Sequence[Answer]) -> tuple[Solution, ...]:
    """All solutions that keep the rules, each once, in the order of the answers."""
    return tuple(dict.fromkeys(solution for answer in answers for solution in answer.solutions))


def disagreements(answers: Sequence[Answer]) -> tuple[Disagreement, ...]:
    """All solvers that are shown to be wrong."""
    known = facts(answers)
    finder: dict[Solution, str] = {}
    for answer in answers:
        for solution in answer.solutions:
            finder.setdefault(solution, answer.name)
    complete = [answer.name for answer in answers if answer.complete]
    return tuple(
        [fault for answer in answers for fault in _faults(answer, known, finder, complete)]
    )


def _faults(
    answer: Answer,
    known: tuple[Solution, ...],
    finder: dict[Solution, str],
    complete: Sequence[str],
) -> Iterator[Disagreement]:
    if answer.wrong:
        values, broken = answer.wrong[0]
        more = f" (and {len(answer.wrong) - 1} more)" if len(answer.wrong) > 1 else ""
        yield Disagreement(answer.name, f"gave what is no solution: {broken}{more}", values)
    if answer.repeats:
        yield Disagreement(answer.name, f"gave solutions more than once: {answer.repeats} repeats")
    if answer.complete:
        own = set(answer.solutions)
        missed = [solution for solution in known if solution not in own]
        if missed:
            says = f"there are {len(own)} solutions" if len(own) > 1 else "there is one solution"
            text = (
                f"says that {says if own else 'there is no solution'}, but "
                f"{finder[missed[0]]} found {'another' if own else 'one'} that keeps every rule"
            )
            yield Disagreement(answer.name, text, missed[0])
    if answer.claimed is not None and answer.claimed < len(known):
        text = f"says that there are {answer.claimed} solutions, but {len(known)} are known"
        yield Disagreement(answer.name, text, known[answer.claimed])
    if answer.claimed is not None and answer.claimed > len(known):
        text = f"says that there are {answer.claimed} solutions, but {{}} found {len(known)} in all"
        yield from (Disagreement(answer.name, text.format(name)) for name in complete[:1])
    if known and answer.statistics.get("relaxation") == "infeasible":
        text = "says that the linear relaxation is infeasible, but there is a solution"
        yield Disagreement(answer.name, text, known[0])


def suspect(answers: Sequence[Answer], found: Sequence[Disagreement]) -> str:
    """Which solvers to look at, if not all that share a lowering are wrong."""
    wrong = dict.fromkeys(disagreement.name for disagreement in found)
    by_name = {answer.name: answer for answer in answers if answer.name in wrong}
    right = [a.name for a in answers if a.way is Way.GRAPH and a.complete and a.name not in wrong]
    # A proof may be wrong, too, and is no answer.
    ways = {answer.way for answer in by_name.values()}
    if right and ways <= {Way.GRAPH, Way.REFERENCE} and Way.GRAPH in ways:
        backends = ", ".join(dict.fromkeys(answer.backend for answer in by_name.values()))
        return (
            f"look at the encoding or the search of {backends}: {right[0]} got the same "
            f"constraint graph"
        )
    return f"look at {', '.join(wrong)}" if wrong else ""


def is_lowering_suspect(answers: Sequence[Answer], found: Sequence[Disagreement]) -> bool:
    """Whether all solvers that got the constraint graph are wrong, and there are several."""
    wrong = {disagreement.name for disagreement in found}
    on_graph = [a for a in answers if a.way is Way.GRAPH and a.ending not in MISHAPS]
    return len({a.backend for a in on_graph}) > 1 and all(a.name in wrong for a in on_graph)


def outcome(answers: Sequence[Answer], *, disagree: bool, certified: bool) -> Outcome:
    """What is established."""
    known = facts(answers)
    if disagree:
        return Outcome.DISAGREEMENT
    if len(known) > 1:
        return Outcome.SEVERAL
    if certified:
        return Outcome.UNIQUE_CERTIFIED if known else Outcome.NONE_CERTIFIED
    if len(witnesses(answers)) > 1:
        return Outcome.UNIQUE_AGREED if known else Outcome.NONE_AGREED
    return Outcome.UNKNOWN


def witnesses(answers: Sequence[Answer]) -> set[str]:
    """The families of solvers that found all solutions. Two settings of one solver are one."""
    return {answer.family for answer in answers if answer.complete}


def findings(answers: Sequence[Answer]) -> tuple[str, ...]:
    """What went wrong besides wrong answers: crashes, errors, refusals."""
    return tuple(
        f"{answer.name}: {answer.ending.value}: {answer.text}"
        for answer in answers
        if answer.ending in MISHAPS
    )
