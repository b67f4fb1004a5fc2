"""Programs that read a puzzle as a line, and what their answers are taken for."""

import os
import shlex
import stat
import sys
import time
from itertools import product

import pytest

import csp_sudoku as cs
from csp_sudoku.crosscheck import programs
from csp_sudoku.crosscheck.agreement import Ending, Outcome, Role
from csp_sudoku.crosscheck.claim_reading import read_output
from csp_sudoku.crosscheck.shrink import failures

UNIQUE = "0100300140020040"
DOTTED = UNIQUE.replace("0", ".")
SOLUTION = "2134342143121243"
NONE = "11.............."
MANY = "12.............."

# Each reads a line from its argument, from a file, or from its standard input.
READS = """
import sys
def lines():
    if len(sys.argv) > 1:
        word = sys.argv[1]
        yield open(word).read().strip() if word.endswith(".txt") else word
    else:
        for line in sys.stdin:
            yield line.strip()
for line in lines():
    {answer}
    sys.stdout.flush()
"""
# They know by heart what they are asked: to load a solver would take longer than all the rest.
SOLVES = f"print({SOLUTION!r} if line == {DOTTED!r} else 'no solution')"
COUNTS = f"print(1 if line == {DOTTED!r} else 24, 'solutions')"
CHATS = f"print('reading', line); print({SOLUTION!r}); print('7 nodes')"
PLACES = ("line", "file", "stdin")


@pytest.fixture
def program(tmp_path):
    def make(answer, place):
        path = tmp_path / f"mine-{place}.py"
        path.write_text(READS.format(answer=answer.strip()))
        return f"{sys.executable} {path} {{{place}}}"

    return make


def cross_check(puzzle, command, **settings):
    settings = {"isolate": False, "certify": False, "reference": False, "limit": 5, **settings}
    return cs.cross_check(puzzle, ["sat", command], **settings)


@pytest.mark.parametrize("place", PLACES)
def test_a_program_that_solves(program, place):
    command = program(SOLVES, place)
    agreement = cross_check(UNIQUE, command)
    assert agreement.ok
    assert agreement.answers[1].role is Role.TESTED
    assert agreement.answers[1].ending is Ending.OPEN
    assert [found.text for found in agreement.answers[1].solutions] == [SOLUTION]
    none = cross_check(NONE, command)
    assert (none.ok, none.outcome) == (True, Outcome.NONE_AGREED)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (f"print({SOLUTION[::-1]!r})", "gave what is no solution"),
        ("print('no solution')", "says that there is no solution, but sat found one"),
        ("print(3)", "says that there are 3 solutions, but sat found 1 in all"),
    ],
)
def test_a_program_that_lies(program, place, answer, text):
    [wrong] = cross_check(UNIQUE, program(answer, place)).disagreements
    assert wrong.text.startswith(text)


def test_a_number_that_is_too_small(program):
    [wrong] = cross_check(MANY, program("print('unique')", "line")).disagreements
    assert wrong.text == "says that there are 1 solutions, but 5 are known"


@pytest.mark.parametrize(("puzzle", "number"), [(UNIQUE, 1), (MANY, 24)])
def test_a_program_that_counts(program, puzzle, number):
    agreement = cross_check(puzzle, program(COUNTS, "line"), limit=30)
    assert (agreement.ok, agreement.answers[1].claimed) == (True, number)
    assert agreement.answers[1].ending is Ending.COUNT


def test_other_lines_are_passed_over(program):
    assert cross_check(UNIQUE, program(CHATS, "line")).ok


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("answer", ["1 / 0", "sys.exit(3)", "print('solved')", "print('7 nodes')"])
def test_a_program_without_an_answer_is_no_agreement(program, place, answer):
    agreement = cs.cross_check(UNIQUE, [program(answer, place), "sat"], isolate=False)
    assert agreement.outcome is Outcome.UNIQUE_CERTIFIED
    assert not agreement.ok
    assert agreement.summary.startswith("one solution, certified; no answer from python")
    assert agreement.summary.endswith("(failed)")


@pytest.mark.parametrize("place", PLACES)
def test_a_program_that_is_late_is_ended(program, place):
    started = time.monotonic()
    agreement = cross_check(UNIQUE, program("import time; time.sleep(60)", place), timeout=1)
    assert time.monotonic() - started < 10
    assert agreement.answers[1].ending is Ending.TIME
    assert not agreement.ok


def test_a_program_is_kept_running(tmp_path):
    path = tmp_path / "once.py"
    path.write_text(
        "import sys, os\n"
        "open(sys.argv[1], 'a').write('started ')\n"
        f"for line in sys.stdin: print({SOLUTION!r}, flush=True)\n"
    )
    log = tmp_path / "log"
    mine = cs.PuzzleProgram(f"{sys.executable} {path} {log} {{stdin}}")
    for _ in range(3):
        assert cs.cross_check(UNIQUE, [mine, "sat"], isolate=False).ok
    assert log.read_text() == "started "


def test_a_program_of_a_command_ends_with_the_cross_check(tmp_path):
    path, log = tmp_path / "on.py", tmp_path / "log"
    path.write_text(
        "import sys, os\n"
        "open(sys.argv[1], 'w').write(str(os.getpid()))\n"
        f"for line in sys.stdin: print({SOLUTION!r}, flush=True)\n"
    )
    assert cross_check(UNIQUE, f"{sys.executable} {path} {log} {{stdin}}").ok
    with pytest.raises(ProcessLookupError):
        os.kill(int(log.read_text()), 0)


def test_a_program_that_ended_is_started_again(tmp_path):
    path = tmp_path / "one.py"
    path.write_text(f"input(); print({SOLUTION!r})")
    mine = cs.PuzzleProgram(f"{sys.executable} {path} {{stdin}}")
    for _ in range(3):
        assert cs.cross_check(UNIQUE, [mine, "sat"], isolate=False).ok
        time.sleep(0.5)  # the program ends after its answer


def test_a_second_line_is_never_the_answer_to_the_next_puzzle(program):
    mine = cs.PuzzleProgram(program(f"print({SOLUTION!r}); print('7 nodes')", "stdin"))
    assert cross_check(UNIQUE, mine).ok
    time.sleep(0.2)
    again = cross_check(UNIQUE, mine)
    assert "prints more than a line: '7 nodes'" in again.answers[1].text
    assert cross_check(UNIQUE, mine).ok


@pytest.mark.skipif(os.name == "nt", reason="runs a script by its first line")
@pytest.mark.parametrize("place", ["line", "cnf"])
def test_a_program_of_this_folder(tmp_path, monkeypatch, place):
    path = tmp_path / "mine"
    said = SOLUTION if place == "line" else "s UNSATISFIABLE"
    path.write_text(f"#!/bin/sh\necho {said}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.chdir(tmp_path)
    agreement = cross_check(UNIQUE, f"./mine {{{place}}}")
    assert agreement.answers[1].ending in (Ending.OPEN, Ending.COMPLETE)


@pytest.mark.parametrize(
    ("puzzle", "message"),
    [
        (cs.Puzzle.blank(4).with_givens({"R1C1": (1, 2)}), "R1C1 has a list of candidates"),
    ],
)
def test_what_a_line_cannot_hold_is_refused(program, puzzle, message):
    agreement = cross_check(puzzle, program(SOLVES, "line"))
    assert message in agreement.answers[1].text
    assert not agreement.ok


def test_a_variant_is_verified_by_all_of_its_rules(program):
    """The program is told nothing of the rule, and gives a grid that breaks it."""
    knight = cs.Puzzle.blank(4).add(cs.AntiKnight()).with_givens({"R1C1": 1})
    plain = next(s.text for s in cs.solutions("1" + "." * 15) if not cs.verify(knight, s).ok)
    agreement = cross_check(knight, program(f"print({plain!r})", "line"))
    assert agreement.outcome is Outcome.DISAGREEMENT


# Who counts as missing


def raises(puzzle):
    raise ValueError("lost")


def test_a_function_that_raises_is_no_agreement():
    agreement = cs.cross_check(UNIQUE, [raises, "sat"], isolate=False)
    assert (agreement.ok, agreement.agreed) == (False, True)
    assert agreement.summary == "one solution, certified; no answer from raises (failed)"
    assert [answer.name for answer in agreement.unanswered] == ["raises"]


def test_a_backend_of_ours_that_is_late_is_named_but_not_under_test():
    agreement = cs.cross_check(UNIQUE, ["sat", "dlx"], timeout=0, isolate=False)
    assert agreement.ok
    assert agreement.summary == "unknown; no answer from sat (out of time), dlx (out of time)"


def test_what_is_asked_in_addition_is_not_named():
    agreement = cs.cross_check(UNIQUE, ["sat"], isolate=False)
    assert {answer.role for answer in agreement.answers} == {Role.ASKED, Role.EXTRA}
    assert agreement.unanswered == ()


def fails_on_ones(puzzle):
    if 1 in puzzle.givens.values():
        raise ValueError("a one")
    return cs.solve(puzzle, "sat")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("place", [*PLACES, "cnf"])
@pytest.mark.parametrize("answer", ["pass", f"print({SOLUTION!r})", "print('s UNSATISFIABLE')"])
def test_what_a_program_printed_before_it_crashed_is_no_answer(program, place, answer):
    if place == "stdin":
        answer = "pass"  # a line that was sent was sent
    code = f"{answer}; sys.stdout.flush(); import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
    agreement = cross_check(UNIQUE, program(code, place))
    [crashed] = agreement.unanswered
    assert (crashed.ending, agreement.ok, agreement.agreed) == (Ending.CRASH, False, True)
    assert "was ended by SIGSEGV" in crashed.text


@pytest.mark.parametrize("givens", [4, 0])
def test_a_failure_is_not_shrunk_to_another_one(givens):
    """One is wrong with few givens, late with fewer, fails with none: each failure stays."""

    def mine(puzzle):
        number = len(puzzle.givens)
        if number == 0:
            raise ValueError("nothing to do")
        if number < 3:
            raise programs.OutOfTime
        return [] if number < 5 else cs.solve(puzzle, "sat")

    puzzle = cs.Puzzle.blank(4).with_givens(dict([*cs.read(UNIQUE).givens.items()][:givens]))
    found = cs.cross_check(puzzle, [mine, "sat"], isolate=False, certify=False)
    small = found.shrink(seconds=10)
    assert failures(small) == failures(found)
    assert len(small.puzzle.givens) == min(givens, 3)
    # It is asked again as it was at first, and not with the short time of shrinking.
    assert small.again is found.again


def test_a_failure_is_shrunk_too():
    small = cs.cross_check(UNIQUE, [fails_on_ones, "sat"], isolate=False).shrink(seconds=10)
    assert not small.ok
    assert [*small.puzzle.givens.values()] == [1]


@pytest.mark.parametrize(("answered", "claimed"), [*product((0, 1, 2), (None, 0, 1, 2, 3))])
def test_numbers_and_grids_are_judged_alike(answered, claimed):
    """A program that says a number is wrong exactly when it is not the number."""
    from csp_sudoku.crosscheck.agreement import Answer, Way
    from csp_sudoku.crosscheck.judging import disagreements

    puzzle = cs.Puzzle.blank(2)
    grids = tuple(cs.solutions(puzzle))[:answered]
    ours = Answer("sat", "sat", Way.GRAPH, Ending.COMPLETE, grids)
    mine = Answer("mine", "mine", Way.RULES, Ending.COUNT, role=Role.TESTED, claimed=claimed)
    wrong = claimed not in (None, answered)
    assert bool(disagreements([ours, mine])) == wrong


DRAWN = """\
reading 0100...
+-----+-----+
| 2 1 | 3 4 |
| 3 4 | 2 1 |
+-----+-----+
| 4 3 | 1 2 |
| 1 2 | 4 3 |
+-----+-----+
done in 3 ms
"""


@pytest.mark.parametrize(
    ("printed", "grids", "count"),
    [
        (SOLUTION, 1, None),
        (f"Solution: {SOLUTION}\n", 1, None),
        (f"solution = {SOLUTION}\n7 nodes\n", 1, None),
        (f"{UNIQUE},{SOLUTION}\n", 1, None),
        (f"{UNIQUE.replace('0', '.')}:1:{SOLUTION}:0.1\n", 1, None),
        (f"1 solution\n{SOLUTION}\n", 1, 1),
        (f"12 nodes\n{SOLUTION}\n{SOLUTION[::-1]}\n{SOLUTION}\n", 2, None),
        (DRAWN, 1, None),
        ("12\n", 0, 12),
        ("Found 12 solutions.\n3 nodes\n", 0, 12),
        ("Number of solutions: 12\n", 0, 12),
        ("parsing\nsolutions found = 0\n", 0, 0),
        ("No solution found.\n", 0, 0),
        ("Solving ...\nUNSAT\n", 0, 0),
        ("Invalid puzzle!\n", 0, 0),
        ("checking\nunique\n", 0, 1),
    ],
)
def test_the_usual_forms_of_answers(printed, grids, count):
    claim = read_output(printed, cs.read(UNIQUE))
    assert (len(claim.grids), claim.count) == (grids, count)
    if grids:
        assert "".join(map(str, claim.grids[0].values())) == SOLUTION


@pytest.mark.parametrize(
    "printed",
    [
        "solved\n",
        "12 nodes\n",
        f"{UNIQUE}\nok\n",
        f"{SOLUTION}\nno solution\n",
        "x\nunique\n2 solutions",
    ],
)
def test_what_is_no_answer_or_two(printed):
    with pytest.raises(cs.FormatError):
        read_output(printed, cs.read(UNIQUE))


def test_a_number_that_does_not_fit_its_grids_is_judged(program):
    claims = f"print('3 solutions'); print({SOLUTION!r})"
    agreement = cross_check(UNIQUE, program(claims, "line"))
    assert "says that there are 3 solutions, but sat found 1 in all" in agreement.summary


def test_only_the_givens_of_a_line_are_left_out(program):
    # It forgets the boxes; a puzzle of another shape would show nothing about it.
    code = "print('1234214334124321')"
    small = cross_check("12....4.........", program(code, "line")).shrink(seconds=3)
    assert (small.puzzle.grids, small.puzzle.constraints) == (cs.Puzzle.blank(4).grids, ())
    assert not small.ok


@pytest.mark.parametrize(
    ("platform", "command", "words"),
    [
        ("win32", r"C:\solvers\mine.exe {line}", [r"C:\solvers\mine.exe", "{line}"]),
        ("win32", r'"C:\my solvers\a.exe" -o="x y" {file}',
         [r"C:\my solvers\a.exe", "-o=x y", "{file}"]),
        ("win32", r"C:\new\table.exe '{line}'", [r"C:\new\table.exe", "{line}"]),
        ("linux", r"my\ solver '{line}' #1", ["my solver", "{line}", "#1"]),
    ],
)  # fmt: skip
def test_paths_of_windows_survive(monkeypatch, platform, command, words):
    monkeypatch.setattr(programs.sys, "platform", platform)
    assert programs._split(command) == words
    assert programs._split(programs.command_line(words)) == words


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other quotes")
def test_a_command_to_type_has_the_words_that_it_was_made_of():
    words = ["./my solver", "it's", 'a "b"', "$HOME", "", "a\\b", "{cnf}", "*", "é"]
    assert shlex.split(programs.command_line(words)) == words
