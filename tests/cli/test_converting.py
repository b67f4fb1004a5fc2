"""convert, bench and demo."""

import json
from pathlib import Path

import pytest

import csp_sudoku as cs
from csp_sudoku.cli import main

FOUR = "0100300140020040"
VARIANT = Path(__file__).parents[2] / "examples" / "variant.json"


@pytest.mark.parametrize(
    "to",
    [
        "json",
        "jsonl",
        "f-puzzles",
        "f-puzzles-link",
        "sudokupad",
        "sudokupad-link",
        "sudokumaker",
        "sudokumaker-link",
        "iss",
        "iss-link",
    ],
)
def test_a_puzzle_with_rules_survives(to, capsys):
    assert main(["convert", str(VARIANT), "--to", to]) == 0
    assert cs.read(capsys.readouterr().out) == cs.read(VARIANT)


@pytest.mark.parametrize("to", ["sudokupad", "sudokupad-link", "f-puzzles", "sudokumaker"])
def test_what_people_are_told_survives(to, capsys):
    puzzle = cs.Puzzle.blank(4).with_givens({"R1C1": 3}).add(cs.Thermometer("R2C2 R1C2 R1C1"))
    told = cs.Reading(puzzle, "A title", "An author", "Digits increase on thermometers.")
    assert main(["convert", cs.write_scl(told), "--to", to]) == 0
    again = cs.read_with_notes(capsys.readouterr().out)
    assert (again.puzzle, again.title, again.author) == (puzzle, "A title", "An author")


@pytest.mark.parametrize("to", ["line", "matrix", "frame", "candidates", "jsonl"])
def test_many_puzzles(to, tmp_path, capsys):
    path = tmp_path / "many.txt"
    path.write_text(f"{FOUR}\n{FOUR[::-1]}\n")
    assert main(["convert", str(path), "--to", to]) == 0
    out = capsys.readouterr().out
    assert list(cs.read_many(out)) == [cs.read(FOUR), cs.read(FOUR[::-1])]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([FOUR, "--to", "xml"], "--to 'xml': the formats are line, "),
        ([str(VARIANT), "--to", "line"], "--to line has no place for thermometer at R3C2"),
        (["nothing.sdk", "--to", "line"], "there is no such file as 'nothing.sdk'"),
    ],
)
def test_what_cannot_be_converted(arguments, said, capsys):
    assert main(["convert", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_one_document_holds_one_puzzle(tmp_path, capsys):
    path = tmp_path / "many.txt"
    path.write_text(f"{FOUR}\n{FOUR}\n")
    assert main(["convert", str(path), "--to", "json"]) == 2
    assert "for several use --to jsonl" in capsys.readouterr().err


def test_lenient_leaves_rules_out(capsys):
    assert main(["convert", str(VARIANT), "--to", "line", "--lenient"]) == 7
    out, err = capsys.readouterr()
    assert out == "." * 36 + "\n"
    assert err.startswith("left out: thermometer at R3C2; thermometer at R5C5; arrow at R1C6; ")


def test_bench(capsys):
    arguments = ["bench", FOUR, "--rounds", "2", "--backend", "sat", "--backend", "dlx"]
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {row["backend"] for row in found["backends"]} == {"sat", "dlx"}
    assert all(row["solutions"] == 1 for row in found["backends"])
    assert main(arguments) == 0
    assert "1.0 ×" in capsys.readouterr().out


def test_demo(capsys):
    assert main(["demo"]) == 0
    out = capsys.readouterr().out
    for said in ("one solution, certified", "all different", "cpsat", "steps in all"):
        assert said in out
    built_in = Path(cs.__file__).parent / "cli" / "demo.json"
    assert built_in.read_text() == VARIANT.read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bench", FOUR, "--backend", "nope"], "no backend is called 'nope'"),
        (["generate", "--size", "4", "--clues", "17"], "clues 17: the grid has 16 cells"),
        (["fuzz", "--replay", "no.json"], "there is no such file as 'no.json'"),
    ],
)
def test_what_cannot_be_meant(arguments, said, capsys):
    assert main(arguments) == 2
    assert said in capsys.readouterr().err


def test_lenient_names_the_rules_that_another_program_cannot_hold(tmp_path, capsys):
    path = tmp_path / "puzzle.json"
    puzzle = cs.Puzzle.blank(4).add(cs.AntiKnight(), cs.Lunchbox("R3C1 R3C2 R3C3", 3))
    path.write_text(cs.write_json(puzzle), encoding="utf-8")
    assert main(["convert", str(path), "--to", "f-puzzles", "--lenient"]) == 7
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("left out: f-puzzles cannot hold this: lunchbox at R3C1")
    assert main(["convert", str(path), "--to", "json", "--lenient"]) == 0
    assert capsys.readouterr().err == ""
