"""One law for all commands: an answer about a part of a puzzle is never taken for a whole one."""

import json

import pytest
from pysat.solvers import Cadical153

import csp_sudoku as cs
from csp_sudoku.cli import main
from csp_sudoku.cli.group import cli
from csp_sudoku.formats import write_json
from csp_sudoku.solving.answers import BY_THE_RULES_READ

FULL = "1234341221434321"
MOONBEAM = "Digits on a moonbeam are shy."
NORMAL = "Normal sudoku rules apply."
GREEN = "#67f067"
# The 1 and the 3 of two rows can be swapped, but R1C1 is given.
OPEN = {(0, 2), (1, 0), (1, 2)}


def sudokupad():
    """A document with a sentence that nobody understands, and a line that nobody explains."""
    cells = [
        [{} if (r, c) in OPEN else {"value": int(FULL[4 * r + c])} for c in range(4)]
        for r in range(4)
    ]
    boxes = [[[r, c] for r in (a, a + 1) for c in (b, b + 1)] for a in (0, 2) for b in (0, 2)]
    line = {"wayPoints": [[3.5, 0.5], [3.5, 2.5]], "color": GREEN}
    told = {"title": "Night", "author": "me", "rules": f"{NORMAL} {MOONBEAM}", "solution": FULL}
    return {"cells": cells, "regions": boxes, "lines": [line], "metadata": told}


def fpuzzles():
    """A cosmetic line, and a rules text that says of it what nobody understands."""
    grid = [
        [{} if (r, c) in OPEN else {"value": int(FULL[4 * r + c]), "given": True} for c in range(4)]
        for r in range(4)
    ]
    line = {"lines": [["R1C1", "R1C2", "R1C3"]], "outlineC": GREEN}
    return {"size": 4, "grid": grid, "ruleset": f"{NORMAL} {MOONBEAM}", "line": [line]}


SOURCES = {"sudokupad": json.dumps(sudokupad()), "f-puzzles": json.dumps(fpuzzles())}
# A document of our own that was written by a lenient reader.
SOURCES["document"] = write_json(cs.read(SOURCES["sudokupad"], lenient=True))

# What names a puzzle in the arguments of a command. Commands without any are not about puzzles.
PUZZLES = {"puzzle", "puzzles", "table", "replay"}
COMMANDS = {
    name: command
    for name, command in [(name, cli.get_command(None, name)) for name in cli.list_commands(None)]
    # The puzzles of a survey, and of a fuzz, are a number.
    if name not in ("fuzz", "survey")
    and any(parameter.name in PUZZLES for parameter in command.params)
}
# How each command is called, if not by the puzzle alone: FILE stands for the puzzle.
CALLS = {
    "batch": [["FILE", "--out", "OUT"]],
    "bench": [["FILE", "--backend", "sat", "--rounds", "1"]],
    "check": [["FILE", FULL], ["FILE"], ["FILE", "--claim", FULL], ["FILE", "--claim", "unique"]],
    "check-claims": [["TABLE"]],
    "convert": [["FILE", "--to", "json"], ["FILE", "--to", "line"]],
    "cross-check": [["FILE", "--backend", "sat"]],
    "export": [["FILE", "--to", "cnf"]],
    "fuzz": [["--replay", "FILE"]],
    "import-answer": [["FILE", "ANSWER", "--to", "cnf"]],
    "why": [["FILE", "R1C3=1"]],
}
CASES = [(name, call) for name in COMMANDS for call in CALLS.get(name, [["FILE"]])]
LENIENT = {
    name
    for name, command in COMMANDS.items()
    if any(parameter.name == "lenient" for parameter in command.params)
}
# Commands without the option still meet documents that a lenient reader has written.
MEETINGS = [
    (name, call, source)
    for name, call in CASES
    for source in SOURCES
    if name in LENIENT or source == "document"
]
# These tell of each puzzle what was not understood, and refuse none.
PATIENT = {"inspect", "batch", "check-claims"}
# Commands whose answer is no verdict: grids, documents, pictures, times and faults.
NO_VERDICT = {
    "convert", "encoding", "export", "fuzz", "import-answer", "inspect", "render", "show", "solve",
}  # fmt: skip


def called(name, call, source, folder):
    """The arguments of a call, and all files that it needs."""
    known = {"OUT": folder / "out.jsonl", "ANSWER": folder / "answer", "TABLE": folder / "table"}
    known["FILE"] = folder / "puzzle.json"
    known["FILE"].write_text(SOURCES[source], encoding="utf-8")
    row = {"puzzle": SOURCES["document"], "claim": FULL}
    known["TABLE"].write_text(json.dumps(row) + "\n", encoding="utf-8")
    exported = cs.export(cs.read(SOURCES["document"]), "cnf")
    known["ANSWER"].write_text(sat_answer(exported.text), encoding="utf-8")
    known["OUT"].unlink(missing_ok=True)
    arguments = [str(known.get(word, word)) for word in call]
    options = {parameter.name for parameter in COMMANDS[name].params}
    return [name, *arguments, *["--lenient"] * (name in LENIENT)], options


def sat_answer(text):
    """What a SAT solver prints for a formula."""
    lines = [line for line in text.splitlines() if line[0] not in "cp"]
    clauses = [[*map(int, line.split()[:-1])] for line in lines]
    with Cadical153(bootstrap_with=clauses) as solver:
        assert solver.solve()
        return "s SATISFIABLE\nv " + " ".join(map(str, solver.get_model())) + " 0\n"


@pytest.mark.parametrize(("name", "call", "source"), MEETINGS)
def test_no_command_gives_a_plain_answer_about_a_part(name, call, source, tmp_path, capsys):
    arguments, options = called(name, call, source, tmp_path)
    for quiet in ([], ["-q"] if "quiet" in options else []):
        (tmp_path / "out.jsonl").unlink(missing_ok=True)
        code = main([*arguments, *quiet])
        out, err = capsys.readouterr()
        assert code == 7
        [line] = [line for line in err.splitlines() if line.startswith("left out: ")]
        assert "moonbeam" in line or name in ("batch", "check-claims")
        if name not in NO_VERDICT:
            assert BY_THE_RULES_READ in out
    if "as_json" in options:
        (tmp_path / "out.jsonl").unlink(missing_ok=True)
        assert main([*arguments, "--json", "-q"]) == 7
        found = json.loads(capsys.readouterr().out)
        assert found["left_out"]


@pytest.mark.parametrize("source", ["sudokupad", "f-puzzles"])
@pytest.mark.parametrize(("name", "call"), [case for case in CASES if case[0] not in PATIENT])
def test_without_lenient_nothing_is_answered(name, call, source, tmp_path, capsys):
    arguments, _ = called(name, call, source, tmp_path)
    code = main([word for word in arguments if word != "--lenient"])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert "moonbeam" in err


def test_the_answers_of_a_batch_name_it(tmp_path, capsys):
    path = tmp_path / "many.jsonl"
    path.write_text(
        SOURCES["document"].replace("\n", "") + "\n" + write_json(cs.read(FULL)).replace("\n", ""),
        encoding="utf-8",
    )
    for task, words in (("solve", "all found"), ("count", "counted"), ("cross-check", "one")):
        out = tmp_path / f"{task}.jsonl"
        assert main(["batch", str(path), "--out", str(out), "--task", task, "-q"]) == 7
        assert "left out: rules of 1 puzzles; see left_out in " in capsys.readouterr().err
        rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()[1:]]
        assert [bool(row.get("left_out")) for row in rows] == [True, False]
        assert rows[0]["status"].startswith(words)
        assert rows[0]["status"].endswith(BY_THE_RULES_READ)
        assert not rows[1]["status"].endswith(BY_THE_RULES_READ)


def test_of_many_puzzles_only_those_are_marked(tmp_path, capsys):
    path = tmp_path / "many.jsonl"
    path.write_text(
        SOURCES["document"].replace("\n", "") + "\n" + write_json(cs.read(FULL)).replace("\n", ""),
        encoding="utf-8",
    )
    assert main(["rate", str(path), "--json"]) == 7
    out, err = capsys.readouterr()
    first, second = map(json.loads, out.splitlines())
    assert ("left_out" in first, "left_out" in second) == (True, False)
    assert len(err.splitlines()) == 1


def test_a_fault_is_not_hidden(tmp_path, capsys, monkeypatch):
    from csp_sudoku.fuzzing import findings
    from csp_sudoku.fuzzing.checking import Trouble

    path = tmp_path / "puzzle.json"
    path.write_text(SOURCES["document"], encoding="utf-8")
    monkeypatch.setattr(findings, "replay", lambda puzzle: [Trouble("law", "x", "y")])
    assert main(["fuzz", "--replay", str(path)]) == 1
    assert "left out: " in capsys.readouterr().err


# inspect and show


def written(tmp_path, text):
    path = tmp_path / "puzzle.json"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_inspect_lists_what_was_understood_and_what_was_not(tmp_path, capsys):
    document = sudokupad()
    document["overlays"] = [
        {"center": [0.5, 3], "width": 0.3, "height": 0.3, "rounded": True,
         "backgroundColor": "#ffffff", "borderColor": "#000000"}]  # fmt: skip
    document["metadata"]["rules"] += " Cells separated by a white dot are consecutive."
    path = written(tmp_path, json.dumps(document))
    assert main(["inspect", path, "--json"]) == 7
    found = json.loads(capsys.readouterr().out)
    assert (found["title"], found["author"]) == ("Night", "me")
    assert found["stated_solution"] == [int(sign) for sign in FULL]
    [dot] = [row for row in found["read"] if row["rule"]]
    assert dot["drawn"].endswith("circle mark at R1C3 R1C4")
    assert dot["said"] == "Cells separated by a white dot are consecutive"
    assert dot["rule"].startswith("difference at R1C3: ")
    assert [item["kind"] for item in found["not_understood"]] == ["drawing", "rules text"]
    assert main(["inspect", path]) == 7
    out = capsys.readouterr().out
    assert "title: Night" in out
    assert "not understood: said: 'Digits on a moonbeam are shy' is not understood" in out


def test_inspect_says_what_confirms_a_reading(tmp_path, capsys):
    document = sudokupad()
    document["lines"] = []
    document["overlays"] = [
        {"center": [0.5, 3], "width": 0.3, "height": 0.3, "rounded": True,
         "backgroundColor": "#ffffff", "borderColor": "#000000"}]  # fmt: skip
    document["metadata"]["rules"] = f"{NORMAL} Cells separated by a white dot are consecutive."
    assert main(["inspect", written(tmp_path, json.dumps(document)), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["confirmed"] == "the stated solution is the only one"
    assert {row["confirmed_by"] for row in found["read"] if row["rule"]} == {found["confirmed"]}
    assert "left_out" not in found


@pytest.mark.parametrize(
    ("text", "drawn", "said"),
    [
        (".Shape~4x4.Thermo~R1C1~R1C2~R1C3", ".Thermo~R1C1~R1C2~R1C3", ""),
        (
            json.dumps(
                {
                    "size": 4,
                    "grid": [[{}] * 4] * 4,
                    "thermometer": [{"lines": [["R1C1", "R1C2", "R1C3"]]}],
                    "ruleset": f"{NORMAL} Digits along a thermometer increase from the bulb.",
                }
            ),
            "thermometer 1",
            "Digits along a thermometer increase from the bulb",
        ),
        (write_json(cs.Puzzle.blank(4).add(cs.Thermometer("R1C1-R1C3"))), "", ""),
    ],
)
def test_inspect_says_which_entry_became_which_rule(text, drawn, said, tmp_path, capsys):
    assert main(["inspect", written(tmp_path, text), "--json"]) == 0
    rows = [row for row in json.loads(capsys.readouterr().out)["read"] if row["rule"]]
    assert [(row["drawn"], row["said"], row["confirmed_by"]) for row in rows] == [
        (drawn, said, "the document states it as data")
    ]
    assert rows[0]["rule"].startswith("thermometer at R1C1: ")


def test_show_tells_all_that_the_source_says(tmp_path, capsys):
    assert main(["show", written(tmp_path, SOURCES["sudokupad"]), "--lenient"]) == 7
    out = capsys.readouterr().out
    for line in (
        "title: Night",
        "author: me",
        f"rules text: {NORMAL} {MOONBEAM}",
        f"stated solution: {FULL}",
    ):
        assert line in out.splitlines()


def test_show_and_inspect_tell_what_a_solver_has_entered(tmp_path, capsys):
    document = fpuzzles() | {"ruleset": "", "line": []}
    document["grid"][0][2] = {"value": 3}
    path = written(tmp_path, json.dumps(document))
    for command in ("show", "inspect"):
        assert main([command, path]) == 0
        assert "entered: R1C3=3" in capsys.readouterr().out.splitlines()


def test_check_compares_with_the_stated_solution(tmp_path, capsys):
    document = sudokupad()
    document["lines"], document["cells"] = [], [[{} for _ in range(4)] for _ in range(4)]
    document["metadata"]["rules"] = NORMAL
    path = written(tmp_path, json.dumps(document))
    assert main(["check", path, FULL]) == 0
    assert capsys.readouterr().out == "correct\n"
    other = "1243431221343421"
    assert main(["check", path, other]) == 3
    said = "correct; the stated solution is another one: R1C3 is 3 there\n"
    assert capsys.readouterr().out == said
    assert main(["check", path, "--claim", other]) == 3
    assert "the stated solution is another one" in capsys.readouterr().out
    assert main(["check", path, other, "--json"]) == 3
    assert len(json.loads(capsys.readouterr().out)["disputes"]) == 1


# What the caller says about a rules text


def test_a_reading_is_chosen_by_its_number(tmp_path, capsys):
    document = sudokupad()
    del document["metadata"]["solution"]
    document["lines"] = [
        {"wayPoints": [[0.5, 0.5], [0.5, 2.5]], "color": "#e0c020"},
        {"wayPoints": [[1.5, 2.5], [2.5, 1.5]], "color": "#e02020"},
    ]
    document["metadata"]["rules"] = (
        f"{NORMAL} Digits on a renban line form a set of consecutive digits in any order. "
        "Digits on a palindrome line read the same in both directions."
    )
    path = written(tmp_path, json.dumps(document))
    assert main(["show", path]) == 2
    assert "the rules text can be read in 7 ways" in capsys.readouterr().err
    for command in (["show"], ["convert", "--to", "iss"], ["inspect"]):
        answers = set()
        for number in ("1", "2"):
            assert main([*command, path, "--reading", number]) == 0
            answers.add(capsys.readouterr().out)
        assert len(answers) == 2


def test_the_caller_can_vouch_for_a_sentence(tmp_path, capsys):
    document = sudokupad()
    del document["lines"]
    path = written(tmp_path, json.dumps(document))
    for command in (["count"], ["rate"], ["convert", "--to", "line"]):
        assert main([*command, path]) == 2
        assert main([*command, path, "--explains", "digits on a moonbeam"]) == 0


def test_inspect_says_something_about_every_puzzle(capsys):
    assert main(["inspect", FULL]) == 0
    assert capsys.readouterr().out == "puzzle: 4×4, 16 givens, 0 constraints\n"
