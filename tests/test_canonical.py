"""Canonical forms: equal for symmetric copies, different otherwise, and published class counts."""

from __future__ import annotations

import json
from itertools import combinations, permutations, product
from random import Random

import pytest

import csp_sudoku as cs
from csp_encodings.automaton import Automaton
from csp_encodings.canonical import Structure
from csp_encodings.factors import AllDifferent, Connected, Linear, Regular, Relation
from csp_encodings.graph import graph_of
from csp_sudoku.cli import main
from csp_sudoku.constraints import registry
from csp_sudoku.errors import UndecidedError
from csp_sudoku.fuzzing.transforms import transposed
from csp_sudoku.puzzle import shared_rules_graph


def shuffled_lines(size, band, rng):
    bands = rng.sample(range(size // band), size // band)
    return [b * band + i for b in bands for i in rng.sample(range(band), band)]


def copy_of(puzzle, rng):
    """A random symmetric copy of a puzzle without constraints."""
    grid = puzzle.grids[0]
    height, width = grid.box or (1, 1)
    rows = shuffled_lines(grid.rows, height, rng)
    columns = shuffled_lines(grid.columns, width, rng)
    turned = rng.random() < 0.5 and (grid.rows, height) == (grid.columns, width)
    names = dict(zip(grid.values, rng.sample(grid.values, len(grid.values)), strict=True))
    moved = {}
    for place, values in puzzle.candidates:
        row, column = rows.index(place.row), columns.index(place.col)
        new = cs.Cell(column, row) if turned else cs.Cell(row, column)
        moved[new] = [names[value] for value in values]
    return puzzle.without_givens().with_givens(moved)


SHAPES = {
    "4×4": cs.Puzzle.blank(4),
    "6×6": cs.Puzzle.blank(6),
    "9×9": cs.Puzzle.blank(9),
    "Latin square, from 0": cs.Puzzle.blank(5, box=None, values=range(5)),
    "wide": cs.Puzzle.blank(3, 5, box=None),
    "8×8": cs.Puzzle.blank(8),
    "10×10, tall boxes": cs.Puzzle.blank(10, box=(5, 2)),
}


@pytest.mark.parametrize("givens", [0, 1, 2, 9, 17, 100])
@pytest.mark.parametrize("name", SHAPES)
def test_symmetric_copies(name, givens):
    rng = Random(f"{name}/{givens}")
    solution = cs.random_solution(SHAPES[name], seed=givens)
    cells = SHAPES[name].cells
    chosen = rng.sample(cells, min(givens, len(cells)))
    puzzle = SHAPES[name].with_givens({place: solution[place] for place in chosen})
    if givens == 2:
        puzzle = puzzle.with_givens({"R2C3": puzzle.grids[0].values[:3]})
    form = cs.canonical(puzzle)
    for _ in range(3):
        other = cs.canonical(copy_of(puzzle, rng))
        assert (other, other.puzzle) == (form, form.puzzle)
    assert cs.canonical(form.puzzle) == form
    assert cs.count(form.puzzle, limit=3).value == cs.count(puzzle, limit=3).value
    if 1 < givens < 17:
        fewer = puzzle.without_givens().with_givens(dict([*puzzle.givens.items()][1:]))
        assert cs.canonical(fewer) != form


def test_solution_grids_of_4x4():
    """288 grids in 2 classes."""
    grids = [*cs.solutions(cs.Puzzle.blank(4))]
    assert (len(grids), len({cs.canonical(grid.text) for grid in grids})) == (288, 2)


def test_minimal_puzzles_of_4x4():
    """36 classes, 13 of them with 4 givens (Wikipedia, "Mathematics of Sudoku")."""
    grids = [solution.text for solution in cs.solutions(cs.Puzzle.blank(4))]
    firsts = {cs.canonical(grid).key: grid for grid in grids}.values()
    classes: dict[int, set[str]] = {}
    for grid in firsts:
        # A set of givens has one solution if it meets what every other grid has different.
        different = {
            frozenset(i for i in range(16) if grid[i] != other[i])
            for other in grids if other != grid
        }  # fmt: skip
        needed = [d for d in different if not any(other < d for other in different)]
        hitting: list[frozenset[int]] = []
        for size in range(4, 8):
            for chosen in map(frozenset, combinations(range(16), size)):
                if any(known <= chosen for known in hitting):
                    continue
                if all(chosen & d for d in needed):
                    hitting.append(chosen)
                    text = "".join(grid[i] if i in chosen else "." for i in range(16))
                    classes.setdefault(size, set()).add(cs.canonical(text).key)
    assert {size: len(keys) for size, keys in classes.items()} == {4: 13, 5: 22, 6: 1}


def test_latin_squares():
    """Order 4 and 5 have two types each (B. McKay, A. Meynert, W. Myrvold, 2007)."""
    for side in (4, 5):
        rules = cs.Puzzle.blank(side, box=None)
        line = range(side)
        reduced = rules.with_givens(
            {cs.Cell(i, j): i + j + 1 for i, j in product(line, line) if i == 0 or j == 0}
        )
        found = {cs.canonical(rules.with_givens(dict(s))).key for s in cs.solutions(reduced)}
        assert len(found) == 2


# Its automaton goes along the rows, whatever the direction of the grid.
WRITTEN_IN_TWO_WAYS = ("connected-values",)


@pytest.mark.parametrize("name", registry.built_in())
def test_transposed_rules(name):
    """A rule whose image is written differently may count as another one; these are known."""
    rule = registry.built_in()[name]
    for example in rule.examples():
        try:
            puzzle = cs.Puzzle.blank(4).add(example).with_givens({"R1C2": 1, "R3C4": 2})
            images = transposed(puzzle)
        except (cs.ConstraintError, cs.PuzzleError, cs.BudgetError):
            continue
        if images is None or not images[0].constraints:
            continue
        one, other = map(cs.canonical, images)
        if name not in WRITTEN_IN_TWO_WAYS:
            assert one == other, example


VALUES = (1, 2, 3)
TABLES = [
    frozenset((a, b) for a, b in product(VALUES, VALUES) if keep(a, b))
    for keep in (
        lambda a, b: a < b, lambda a, b: a != b, lambda a, b: abs(a - b) != 1,
        lambda a, b: (a, b) != (2, 3), lambda a, b: a == b,
    )
]  # fmt: skip


def factor_of(rng, names):
    chosen = rng.sample(names, len(names))
    kind = rng.randrange(5)
    if kind < 2:
        return AllDifferent(tuple(sorted(chosen[: 2 + kind])))
    if kind == 2:
        return Linear(tuple(rng.choice((1, 1, -1, 2)) for _ in chosen[:3]), tuple(chosen[:3]), 0, 3)
    return Relation(*chosen[:2], rng.choice(TABLES))


def tables_of(listed, names):
    """What a set of factors accepts, factor by factor, whatever the order of their scopes."""
    return {
        frozenset(
            tuple(sorted(zip(f.scope, row, strict=True)))
            for row in product(VALUES, repeat=len(f.scope)) if f.accepts(row)
        ) | {len(f.scope)}
        for f in listed
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(80))
def test_against_all_renamings(seed):
    """Two small graphs have the same key exactly if some renaming makes them equal."""
    rng = Random(seed)
    names = ("a", "b", "c", "d")
    first = [factor_of(rng, names) for _ in range(rng.randrange(1, 4))]
    if seed % 2:
        other = [factor_of(rng, names) for _ in first]
    else:
        new = dict(zip(names, rng.sample(names, 4), strict=True))
        other = [moved(f, new) for f in rng.sample(first, len(first))]
    keys = {Structure(graph_of(dict.fromkeys(names, VALUES), *some)).form({}).key
            for some in (first, other)}  # fmt: skip
    counts = any(isinstance(f, Linear) for f in (*first, *other))
    values = [VALUES] if counts else [*permutations(VALUES)]
    wanted = tables_of(other, names)
    same = any(
        {renamed_table(t, dict(zip(names, new, strict=True)), dict(zip(VALUES, v, strict=True)))
         for t in tables_of(first, names)} == wanted
        for new in permutations(names) for v in values
    )  # fmt: skip
    assert (len(keys) == 1) is same


def moved(factor, new):
    if isinstance(factor, Relation):
        turned = frozenset((b, a) for a, b in factor.allowed)
        return Relation(new[factor.second], new[factor.first], turned)
    scope = tuple(new[name] for name in factor.scope)
    if isinstance(factor, Linear):
        negative = tuple(-c for c in factor.coefficients)
        return Linear(negative, scope, -factor.high, -factor.low)
    return AllDifferent(scope[::-1])


def renamed_table(table, new, values):
    return frozenset(
        part if isinstance(part, int) else tuple(sorted((new[n], values[v]) for n, v in part))
        for part in table
    )


def test_orders_of_an_automaton():
    """Cells of a cage in any order, a line in both directions, an arrow in one."""
    alphabets = [range(1, 5)] * 3
    equal_ends = Automaton.from_predicate(alphabets, lambda a, b, c: a == c or b > 2)
    total = Automaton.from_predicate(alphabets, lambda a, b, c: a + b + c == 6)
    arrow = Automaton.from_predicate(alphabets, lambda a, b, c: a == b + c)
    names = dict.fromkeys("abcd", tuple(range(1, 5)))

    def key(scope, automaton):
        tied = Relation("a", "d", frozenset([(1, 2), (2, 4)]))
        return Structure(graph_of(names, Regular(tuple(scope), automaton), tied)).form({}).key

    assert len({key(scope, total) for scope in permutations("abc")}) == 1
    assert key("abc", equal_ends) == key("cba", equal_ends) != key("bac", equal_ends)
    assert key("abc", arrow) == key("acb", arrow) != key("bac", arrow)


def test_connected():
    square = Connected(tuple("abcd"), ((0, 1), (1, 2), (2, 3), (0, 3)), ((1,),))
    turned = Connected(tuple("bcda"), ((0, 1), (1, 2), (2, 3), (0, 3)), ((1,),))
    path = Connected(tuple("abcd"), ((0, 1), (1, 2), (2, 3)), ((1,),))
    keys = [Structure(graph_of(dict.fromkeys("abcd", (0, 1)), f)).form({"a": [1]}).key
            for f in (square, turned, path)]  # fmt: skip
    assert keys[0] == keys[1] != keys[2]


def test_a_killer_moved_by_a_symmetry_of_the_grid():
    """Cages move with rows and bands; their values keep their names."""

    def killer(row, column):
        cages = [((0, 0), (0, 1), 9), ((1, 3), (2, 3), 4), ((5, 5), (4, 5), 7)]
        return cs.Puzzle.blank(6).add(*[
            cs.KillerCage([cs.Cell(row[a], column[b]), cs.Cell(row[c], column[d])], total)
            for (a, b), (c, d), total in cages
        ])  # fmt: skip

    form = cs.canonical(killer(range(6), range(6)))
    assert cs.canonical(killer([5, 4, 2, 3, 0, 1], [3, 5, 4, 2, 0, 1])) == form
    assert cs.canonical(killer([5, 4, 2, 0, 3, 1], range(6))) != form
    assert form.puzzle is None


def test_upside_down():
    """Thermometers allow v → 7 - v, which turns them round."""
    one = cs.Puzzle.blank(6).add(cs.Thermometer("R1C1 R2C2 R3C3")).with_givens({"R5C5": 2})
    other = cs.Puzzle.blank(6).add(cs.Thermometer("R3C3 R2C2 R1C1")).with_givens({"R5C5": 5})
    assert cs.canonical(one) == cs.canonical(other)
    same_given = other.without_givens().with_givens({"R5C5": 2})
    assert cs.canonical(one) != cs.canonical(same_given)


def test_what_was_not_read():
    link = {"size": 4, "grid": [[{} for _ in range(4)] for _ in range(4)], "unknownrule": [1]}
    puzzle = cs.read(json.dumps(link), lenient=True)
    with pytest.raises(UndecidedError):
        cs.canonical(puzzle)


def test_the_command(tmp_path, capsys):
    rng = Random(3)
    puzzles = [made.puzzle for made in cs.generate_many(4, 6, minimal=True, seed=1)]
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    one.write_text("\n".join(cs.write_text(p) for p in puzzles))
    again = [copy_of(puzzles[2], rng), copy_of(puzzles[0], rng), cs.Puzzle.blank(6)]
    other.write_text("\n".join(cs.write_text(p) for p in again))
    assert main(["duplicates", str(one), str(other)]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines() == [f"{one}:1  {other}:2", f"{one}:3  {other}:1"]
    assert err == "7 puzzles, 5 different\n"
    assert main(["duplicates", str(one), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["duplicates"] == []
    assert shared_rules_graph(puzzles[0]) is shared_rules_graph(puzzles[1])
