"""Cross-checks: what is established from which answers, and who is shown to be wrong."""

import io
import os
import signal
from dataclasses import dataclass, replace

import msgspec
import pytest
from rich.console import Console

import csp_sudoku as cs
from csp_encodings.dimacs import read_cnf, read_proof
from csp_encodings.proof import check
from csp_sudoku import backends
from csp_sudoku.backends.base import Backend, Enumeration, Session, Statistics
from csp_sudoku.crosscheck.agreement import Ending, Outcome, Way
from csp_sudoku.crosscheck.record import AgreementRecord, agreement_schema
from csp_sudoku.running.isolation import shared_pool

FOUR = cs.Puzzle.blank(4)
UNIQUE = "0100300140020040"
SOLUTION = "2134342143121243"
TWO = "..3434214312..43"
MANY = "1..............."
NONE = "11.. .... .... ...."
CLASSIC = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"


def cross_check(puzzle, solvers=("sat", "dlx"), **settings):
    return cs.cross_check(puzzle, solvers, **{"isolate": False, **settings})


def answer_of(agreement, name):
    [found] = [answer for answer in agreement.answers if answer.name == name]
    return found


@pytest.mark.parametrize(
    ("puzzle", "settings", "outcome", "summary"),
    [
        (UNIQUE, {}, Outcome.UNIQUE_CERTIFIED, "one solution, certified"),
        (UNIQUE, {"certify": False}, Outcome.UNIQUE_AGREED, "one solution, by agreement"),
        (NONE, {}, Outcome.NONE_CERTIFIED, "no solution, certified"),
        (NONE, {"certify": False}, Outcome.NONE_AGREED, "no solution, by agreement"),
        (
            MANY,
            {"limit": 99},
            Outcome.SEVERAL,
            "several solutions: exactly 72, certified",
        ),
        (
            MANY,
            {"limit": 99, "certify": False},
            Outcome.SEVERAL,
            "several solutions: exactly 72",
        ),
        (UNIQUE, {"limit": 1, "reference": False}, Outcome.UNKNOWN, "unknown"),
        (
            UNIQUE,
            {"timeout": 0},
            Outcome.UNKNOWN,
            "unknown; no answer from sat (out of time), dlx (out of time)",
        ),
    ],
)
def test_outcomes(puzzle, settings, outcome, summary):
    agreement = cross_check(puzzle, **settings)
    assert (agreement.outcome, agreement.summary, agreement.ok) == (outcome, summary, True)
    assert (agreement.certificate is not None) == ("certified" in summary)
    assert bool(agreement.uncertified) == (agreement.certificate is None)
    assert agreement.findings == ()


def test_one_alone_is_no_agreement():
    settings = {"certify": False, "reference": False}
    assert cross_check(UNIQUE, ["sat"], **settings).outcome is Outcome.UNKNOWN
    # A variant of the same solver is no second witness, another one is.
    assert (
        cross_check(UNIQUE, ["sat", "sat:solver=glucose4"], **settings).outcome is Outcome.UNKNOWN
    )
    assert cross_check(UNIQUE, ["sat", "cpsat"], **settings).outcome is Outcome.UNIQUE_AGREED
    # Two solutions that keep the rules are two, whoever found them.
    assert cross_check(FOUR, ["sat"], **settings).outcome is Outcome.SEVERAL


def test_two_solutions_are_shown_with_the_cells_in_which_they_differ():
    agreement = cross_check(TWO)
    assert agreement.summary == "several solutions: exactly 2, certified"
    assert [str(place) for place in agreement.differing] == ["R1C1", "R1C2", "R4C1", "R4C2"]
    assert cross_check(UNIQUE).differing == ()


def test_everybody_is_asked_by_default():
    # In a fresh environment the kernels are compiled first, on a busy machine for a minute.
    agreement = cs.cross_check(UNIQUE, isolate=False, timeout=600)
    assert [answer.name for answer in agreement.answers] == [
        *backends.names(),
        "textbook",
        "brute",
        "sat (reference)",
    ]
    assert all(answer.solutions == agreement.solutions for answer in agreement.answers)
    assert agreement.solutions[0].text == SOLUTION
    assert agreement.complete
    assert answer_of(agreement, "sat").size["variables"] > 0
    assert answer_of(agreement, "brute").way is Way.RULES
    assert any("oracle" in sentence for sentence in agreement.established)
    assert any("12 of 12 rules" in sentence for sentence in agreement.established)


def test_no_oracle_for_what_is_not_tiny_and_no_way_around_if_none_is_wanted():
    names = [answer.name for answer in cross_check(CLASSIC).answers]
    assert names == ["sat", "dlx", "sat (reference)"]
    names = [answer.name for answer in cross_check(UNIQUE, reference=False).answers]
    assert names == ["sat", "dlx"]


def test_an_infeasible_model_of_cpsat_is_tried_without_presolve():
    backends = ["cpsat", "cpsat:workers=2"]
    agreement = cross_check(NONE, backends, reference=False, isolate=True)
    assert sorted(answer.name for answer in agreement.answers) == [
        "cpsat",
        "cpsat:presolve=false",
        "cpsat:workers=2",
        "cpsat:workers=2,presolve=false",
    ]
    # Not in the caller's process: it may be aborted.
    assert [
        answer.name for answer in cross_check(NONE, backends, reference=False).answers
    ] == backends
    names = [answer.name for answer in cross_check(UNIQUE, ["cpsat"], reference=False).answers]
    assert names == ["cpsat"]


def test_the_givens_that_clash_are_named_and_confirmed():
    agreement = cross_check("11.. .... .... ...4")
    assert (
        "the givens R1C1=1 R1C2=1 leave no solution by themselves, says sat, and so says dlx"
        in (agreement.established)
    )


# Functions


def right(puzzle):
    return [solution.text for solution in cs.solutions(puzzle, "brute")]


def one_of_them(puzzle):
    return next(cs.solutions(puzzle, "brute")).rows


def nobody(puzzle):
    return None


def the_first_as_a_list(puzzle):
    return right(puzzle)[:1]


def a_result(puzzle):
    return cs.solve(puzzle, "brute", limit=None)


def wrong_grid(puzzle):
    return "1111" * 4


def half_a_grid(puzzle):
    return "1..." * 4


def no_grid(puzzle):
    return "what?"


def raises(puzzle):
    raise RuntimeError("oh no")


@pytest.mark.parametrize(
    ("function", "puzzle", "ending", "fault"),
    [
        (right, TWO, Ending.COMPLETE, ""),
        (right, NONE, Ending.COMPLETE, ""),
        (one_of_them, TWO, Ending.OPEN, ""),
        (nobody, NONE, Ending.COMPLETE, ""),
        (a_result, TWO, Ending.COMPLETE, ""),
        (the_first_as_a_list, UNIQUE, Ending.COMPLETE, ""),
        (nobody, UNIQUE, Ending.COMPLETE, "says that there is no solution, but sat found one"),
        (the_first_as_a_list, FOUR, Ending.COMPLETE, "says that there is one solution, but sat"),
        (wrong_grid, UNIQUE, Ending.OPEN, "gave what is no solution: R2C1 holds 1, but 3"),
        (wrong_grid, FOUR, Ending.OPEN, "gave what is no solution: row 1: R1C1"),
        (half_a_grid, FOUR, Ending.OPEN, "gave what is no solution: column 1: "),
    ],
)
def test_functions_take_part(function, puzzle, ending, fault):
    agreement = cross_check(puzzle, ["sat", function], certify=False)
    said = answer_of(agreement, function.__name__)
    assert (said.way, said.ending) == (Way.RULES, ending)
    found = [d.text for d in agreement.disagreements if d.name == function.__name__]
    assert len(found) == bool(fault)
    assert all(text.startswith(fault) for text in found)
    assert agreement.ok == (not fault)
    assert all(d.name == function.__name__ for d in agreement.disagreements)


def test_who_has_found_as_many_as_were_asked_for_says_no_more():
    asked = ["sat", "dlx", "brute", right, lambda puzzle: cs.solve(puzzle, limit=3)]
    agreement = cross_check(FOUR, asked, certify=False, limit=3)
    assert len(agreement.answers) >= len(asked)
    assert {answer.ending for answer in agreement.answers} == {Ending.LIMIT}
    assert agreement.ok


@pytest.mark.parametrize(
    ("function", "text"), [(raises, "RuntimeError: oh no"), (no_grid, "5 characters")]
)
def test_what_fails_is_a_finding_and_no_answer(function, text):
    agreement = cross_check(UNIQUE, ["sat", function])
    assert agreement.outcome is Outcome.UNIQUE_CERTIFIED
    [finding] = agreement.findings
    assert finding.startswith(f"{function.__name__}: failed: ")
    assert text in finding


def test_rules_that_cannot_be_compiled_are_a_finding():
    large = cs.Puzzle.blank(9).add(cs.where("R1C1-R1C9", lambda *values: values[0] == 1))

    def by_hand(puzzle):
        return cs.solve(cs.Puzzle.blank(9).with_givens({"R1C1": 1})).solutions[0]

    agreement = cross_check(large, ["sat", "dlx", by_hand])
    assert [answer.ending for answer in agreement.answers] == [
        Ending.REFUSED,
        Ending.REFUSED,
        Ending.OPEN,
    ]
    assert agreement.outcome is Outcome.UNKNOWN
    assert len(agreement.solutions) == 1
    assert "sat: refused: where at R1C1: a predicate" in agreement.findings[0]


# Backends that are wrong


@dataclass
class OddStatistics(Statistics):
    relaxation: str = ""


class Faulty(Backend):
    """Passes on what SAT finds, changed."""

    name = "faulty"
    summary = "for tests"

    def __init__(self, change, relaxation=""):
        self.change = change
        self.relaxation = relaxation

    def compile(self, graph, *, deadline=None):
        return FaultySession(backends.get("sat").compile(graph), self)


class FaultySession(Session):
    def __init__(self, session, owner):
        self.session = session
        self.owner = owner

    def enumerate(self, request):
        found = self.owner.change(list(self.session.solutions(request.restrict)))
        return Enumeration(iter(found), OddStatistics(relaxation=self.owner.relaxation))


def turned(found):
    """Every value in the place of its neighbour."""
    return [dict(zip(s, [*list(s.values())[1:], s[0, 0]], strict=True)) for s in found]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda found: [], "says that there is no solution, but sat found one"),
        (lambda found: found[:-1], "says that there are 71 solutions, but sat found another"),
        (lambda found: [*found, found[0]], "gave solutions more than once: 1 repeats"),
        (turned, "gave what is no solution: "),
    ],
)
def test_a_backend_that_is_wrong_is_named(change, fault):
    agreement = cross_check(MANY, ["sat", "dlx", Faulty(change)], limit=None)
    assert agreement.outcome is Outcome.DISAGREEMENT
    assert {d.name for d in agreement.disagreements} == {"faulty"}
    assert agreement.disagreements[0].text.startswith(fault)
    assert agreement.established[0].startswith("look at the encoding or the search of faulty: ")
    assert agreement.certificate is None


@pytest.mark.parametrize(
    ("puzzle", "solvers", "limit", "why"),
    [
        (TWO, ["sat"], 1, "the limit of 1 solution was reached, so there may be more"),
        ("." * 16, ["sat", "dlx"], 9, "the limit of 9 solutions was reached, so there may be more"),
        (TWO, [lambda puzzle: [str(s.text) for s in cs.solutions(puzzle)]], 9, "graph"),
        (UNIQUE, ["sat", lambda puzzle: []], 2, "the solvers disagree"),
        (UNIQUE, [lambda puzzle: "2" * 16], 2, "the solvers disagree"),
    ],
)
def test_why_there_is_no_certificate(puzzle, solvers, limit, why):
    agreement = cs.cross_check(puzzle, solvers, limit=limit, isolate=False, reference=False)
    assert agreement.certificate is None
    if why == "graph":
        why = "no solver that takes the constraint graph has found all solutions"
    assert agreement.uncertified == why


def test_it_does_not_matter_how_many_are_wrong():
    empty = Faulty(lambda found: [])
    agreement = cross_check(UNIQUE, [empty, empty, empty, "sat"], reference=False)
    assert [d.name for d in agreement.disagreements] == ["faulty", "faulty 2", "faulty 3"]


def test_the_proof_itself_may_show_that_somebody_is_wrong():
    agreement = cross_check(UNIQUE, [Faulty(lambda found: [])], reference=False)
    assert agreement.disagreements[0].text == (
        "says that there is no solution, but glucose4 found one that keeps every rule"
    )


def test_an_infeasible_relaxation_of_what_has_a_solution_is_wrong():
    odd = Faulty(lambda found: found, relaxation="infeasible")
    agreement = cross_check(UNIQUE, ["sat", odd])
    assert [str(d) for d in agreement.disagreements] == [
        "faulty: says that the linear relaxation is infeasible, but there is a solution"
    ]


# Lowerings that are wrong


@pytest.fixture
def lowering(monkeypatch):
    """Add something to the lowering of thermometers."""
    cs.clear_cache()
    original = cs.Thermometer.lower

    def change(lower):
        monkeypatch.setattr(cs.Thermometer, "lower", lambda self, ctx: lower(self, ctx, original))

    yield change
    cs.clear_cache()


def too_strong(self, ctx, original):
    original(self, ctx)
    ctx.add_relation(self.cells[0], self.cells[1], lambda a, b: b - a != 2)


def too_weak(self, ctx, original):
    pass


@pytest.mark.parametrize("lower", [too_strong, too_weak])
def test_a_lowering_that_is_wrong_fools_all_backends_but_not_the_cross_check(lowering, lower):
    puzzle = cs.read(CLASSIC).add(cs.Thermometer("R1C3 R1C4"))
    if lower is too_weak:
        puzzle = replace(puzzle, constraints=(cs.Thermometer("R1C4 R1C3"),))
    lowering(lower)
    agreement = cross_check(puzzle)
    assert agreement.outcome is Outcome.DISAGREEMENT
    assert {d.name for d in agreement.disagreements} == {"sat", "dlx"}
    assert agreement.established[0] == (
        "all solvers that got the constraint graph are wrong: look at the lowerings"
    )


# Certificates


@pytest.mark.parametrize(("puzzle", "known"), [(UNIQUE, 1), (NONE, 0), (MANY, 72)])
def test_a_certificate_can_be_written_and_checked_by_others(puzzle, known, tmp_path):
    agreement = cross_check(puzzle, limit=None)
    formula, proof = agreement.write_proof(tmp_path / "out.drup")
    assert (formula.name, proof.name) == ("out.cnf", "out.drup")
    _, clauses = read_cnf(formula.read_text().splitlines())
    steps = read_proof(proof.read_text().splitlines())
    assert check(clauses, steps).accepted
    assert agreement.certificate.check().accepted
    assert len(agreement.certificate.blocking) == known
    assert f"has no solution{f' but the {known} known' if known else ''}" in formula.read_text()
    assert "means R1C2=" in formula.read_text()
    if known:
        # Without the clause that excludes the last solution there is one.
        assert not check(clauses[:-1], steps).accepted


@pytest.mark.parametrize("puzzle", [UNIQUE, NONE])
def test_proofs_are_written_with_hints(tmp_path, puzzle):
    """The files alone are enough: formula and proof are read back and checked."""
    from csp_encodings.dimacs import read_cnf, read_proof
    from csp_encodings.lrat import check_hints, read_lrat
    from csp_encodings.proof import check

    agreement = cross_check(puzzle, ["sat"], isolate=False)
    formula, proof = agreement.write_proof(tmp_path / "out.lrat")
    assert (formula.name, proof.name) == ("out.cnf", "out.lrat")
    clauses = read_cnf(formula.read_text().splitlines())[1]
    assert check_hints(clauses, read_lrat(proof.read_text().splitlines())).accepted
    _, proof = agreement.write_proof(tmp_path / "out.drat")
    assert check(clauses, read_proof(proof.read_text().splitlines())).accepted


def test_what_is_not_certified_cannot_be_written(tmp_path):
    with pytest.raises(cs.CspSudokuError, match="no certificate to write: none was asked for"):
        cross_check(UNIQUE, certify=False).write_proof(tmp_path / "out")


@pytest.mark.parametrize("number", [8, 30])
def test_what_is_certified_is_what_is_exported(number):
    puzzle = cs.Puzzle.blank(2).with_named("x", range(number)).add(cs.where("$x", lambda x: x < 1))
    agreement = cs.cross_check(puzzle, ["sat"], isolate=False, limit=None)
    variables, clauses = read_cnf(cs.export(puzzle, "cnf").text.splitlines())
    cnf = agreement.certificate.cnf
    assert (variables, clauses) == (cnf.variables, list(cnf.clauses))


def test_a_proof_that_is_rejected_certifies_nothing(monkeypatch):
    from csp_sudoku.crosscheck import certificates
    from csp_sudoku.running.worker import Proved

    monkeypatch.setattr(certificates, "prove", lambda *a, **k: Proved(("9 0", "0")))
    agreement = cross_check(MANY, limit=None)
    assert agreement.certificate is None
    assert agreement.uncertified == "the proof of glucose4 is rejected: lemma 1 does not follow"
    assert agreement.findings == (agreement.uncertified,)


# Documents and tables


def test_json_keeps_to_its_schema():
    for puzzle in (UNIQUE, NONE, TWO, FOUR.add(cs.where("R1C1", lambda a: a == 1))):
        agreement = cross_check(puzzle, ["sat", "dlx", wrong_grid])
        record = msgspec.json.decode(agreement.to_json(), type=AgreementRecord)
        assert record.outcome == agreement.outcome.value
        assert record.disagreements[0].evidence["R1C1"] == 1
        assert len(record.answers) == len(agreement.answers)
        assert (record.puzzle is None) == bool(agreement.puzzle.constraints)
    schema = agreement_schema()
    properties = schema["$defs"]["AgreementRecord"]["properties"]
    assert list(properties) == list(msgspec.json.decode(agreement.to_json()))


def test_the_table_says_it_all():
    def shown(agreement):
        console = Console(file=io.StringIO(), width=200)
        console.print(agreement)
        return console.file.getvalue()

    text = shown(cross_check(UNIQUE))
    for part in ("dlx", "all found", "ms", "clauses", "one solution, certified", SOLUTION, "proof"):
        assert part in text
    text = shown(cross_check(FOUR, ["sat", wrong_grid, raises]))
    for part in ("disagreement", "1 wrong", "wrong_grid: ", "raises: failed: RuntimeError: oh no"):
        assert part in text
    assert "these two differ in R" in shown(cross_check(FOUR))


# Processes of their own


def test_a_worker_that_is_killed_is_a_finding_and_the_rest_goes_on():
    told = []

    def kill_the_second(puzzle):
        pool = shared_pool()
        while len(pool.pids) < 2:
            pass
        os.kill(pool.pids[1], signal.SIGKILL)
        return cs.solve(puzzle, "sat").solutions[0]

    agreement = cs.cross_check(
        cs.Puzzle.blank(9).add(cs.where("R1C1 R1C2", lambda a, b: a < b)),
        ["sat", "cpsat", kill_the_second],
        limit=200,
        workers=3,
        reference=False,
        progress=lambda name, answer: told.append((name, answer and answer.ending)),
    )
    assert agreement.outcome is Outcome.SEVERAL
    assert answer_of(agreement, "sat").ending is Ending.LIMIT
    assert len(answer_of(agreement, "sat").solutions) == 200
    assert answer_of(agreement, "cpsat").ending is Ending.CRASH
    assert agreement.findings == ("cpsat: crashed: it was ended by SIGKILL",)
    assert told[:3] == [("sat", None), ("cpsat", None), ("kill_the_second", None)]
    assert ("cpsat", Ending.CRASH) in told[3:]


def test_with_and_without_isolation_it_is_the_same():
    here, there = (
        cs.cross_check(UNIQUE, ["sat"], isolate=isolate, workers=1) for isolate in (False, True)
    )
    assert here.outcome is there.outcome is Outcome.UNIQUE_CERTIFIED
    assert here.solutions == there.solutions
    assert here.certificate.proof == there.certificate.proof
    assert [a.name for a in here.answers] == [a.name for a in there.answers]


# Arguments


@pytest.mark.parametrize(
    ("solvers", "settings", "message"),
    [
        (["magic"], {}, "no backend is called 'magic'"),
        (["sat:colour=red"], {}, "option 'colour=red'"),
        ([], {}, "needs at least one backend"),
        ([7], {}, "7 is neither a backend nor a function"),
        (["sat"], {"limit": 0}, "limit 0"),
        (["sat"], {"timeout": -1}, "timeout -1"),
        (["sat"], {"workers": 0}, "workers 0"),
        (["sat"], {"memory": 0, "isolate": True}, "memory 0"),
        (["sat"], {"memory": 100}, "memory 100: .* only with isolate=True"),
    ],
)
def test_bad_arguments_are_named(solvers, settings, message):
    with pytest.raises(cs.BackendError, match=message):
        cross_check(UNIQUE, solvers, **settings)
