"""The grammar: from tokens to a tree, by recursive descent.

::

    rule        = condition
    condition   = "if" condition "then" condition ["else" condition] | implication
    implication = either ["implies" implication]
    either      = both {"or" both}
    both        = negation {"and" negation}
    negation    = "not" negation | comparison
    comparison  = range {("==" | "!=" | "<" | "<=" | ">" | ">=" | ["not"] "in") range}
    range       = sum [".." sum]
    sum         = product {("+" | "-") product}
    product     = signed {("*" | "//" | "%") signed}
    signed      = "-" signed | atom
    atom        = NUMBER | PLACE | NAME | "(" condition ")" | "[" items "]"
                | ("row" | "column" | "box") NUMBER | "cells" "(" places ")" | NAME "(" items ")"
                | "neighbours" ["(" [condition ","] [NAME] ")"] | "on" "(" NAME "," condition ")"
                | "ray" "(" condition "," NAME ")"
    items       = condition {loop} | condition {"," condition}
    loop        = "for" NAME {"," NAME} "in" range
    places      = PLACE ["-" PLACE] {[","] PLACE ["-" PLACE]}

Every rule but ``rule`` also stands for numbers and groups: the kinds are checked here, too. A
condition is 1 or 0 where a number is wanted; a number is never a condition.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from csp_sudoku.cells import Cell, LayerCell, Place, cell, cells
from csp_sudoku.errors import ConstraintError
from csp_sudoku.geometry import DIRECTIONS, MOVES
from csp_sudoku.language.syntax import (
    CONDITION,
    GROUP,
    NUMBER,
    Apply,
    Bound,
    Each,
    Loop,
    Node,
    Number,
    PlaceName,
    kind_name,
)
from csp_sudoku.language.tokens import Token, fault, tokens
from csp_sudoku.plugins import nearest

COMPARISONS = ("==", "!=", "<=", ">=", "<", ">")
#: Functions of numbers, groups of numbers, or an item for each turn of a loop.
OF_NUMBERS = {
    "sum": NUMBER,
    "product": NUMBER,
    "min": NUMBER,
    "max": NUMBER,
    "count_distinct": NUMBER,
    "all_different": CONDITION,
    "all_equal": CONDITION,
}
#: Functions of conditions, or of a condition for each turn of a loop.
OF_CONDITIONS = {"all": CONDITION, "any": CONDITION, "count": NUMBER}
#: Functions with fixed arguments: their kinds, and the kind of the result.
FIXED: dict[str, tuple[tuple[int, ...], int]] = {
    "abs": ((NUMBER,), NUMBER),
    "item": ((GROUP, NUMBER), NUMBER),
    "position": ((NUMBER, GROUP), NUMBER),
    "cell": ((NUMBER, NUMBER), NUMBER),
    "row_of": ((NUMBER,), NUMBER),
    "column_of": ((NUMBER,), NUMBER),
    "box_of": ((NUMBER,), NUMBER),
}
#: Groups that are made of other groups: how many they take.
OF_GROUPS = {"pairs": 1, "successive": 1, "zip": 2}
LINES = ("row", "column", "box")
#: Groups that need no argument.
WHOLE = {"grid": GROUP, "values": GROUP, "rows": 2, "columns": 2, "boxes": 2, "corners": 2}
NEIGHBOURS = tuple(MOVES)
KEYWORDS = ("if", "then", "else", "implies", "or", "and", "not", "in", "for")
#: What only a grid can give a meaning to.
OF_A_GRID = (
    *LINES, *WHOLE, "cell", "row_of", "column_of", "box_of", "cells", "neighbours", "ray", "on"
)  # fmt: skip
FUNCTIONS = (
    *OF_NUMBERS, *OF_CONDITIONS, *FIXED, *OF_GROUPS, *LINES, "cells", "neighbours", "ray", "on"
)  # fmt: skip

# How many parts may stand inside each other, in brackets and in the whole tree.
_MOST_BRACKETS = 25
_MOST_DEPTH = 60
# The most cells of a rectangle: the largest grid.
_MOST_CELLS = 64 * 64
_RESERVED = (*KEYWORDS, *FUNCTIONS, *WHOLE)


def parse(text: str, letters: str = "") -> Node:
    """Return the tree of a rule; an error points at the place in the text.

    With `letters` it is a condition on numbers that have these names, and on no cells.

    Examples
    --------
    >>> parse("R1C1 > 2").operator
    'compare'
    >>> parse("3")
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.ConstraintError: column 1: a rule is a condition, not a number
    """
    return _Parser(text, letters).rule()


class _Parser:
    def __init__(self, text: str, letters: str) -> None:
        self._text = text
        self._tokens = tokens(text)
        self._next = 0
        self._brackets = 0
        self._letters = letters
        self._bound: dict[str, int] = {}

    def rule(self) -> Node:
        found = self._condition()
        if self._peek().kind != "end":
            raise self._expected("an operator or the end")
        if found.kind != CONDITION:
            raise self._fault(found, f"a rule is a condition, not {kind_name(found.kind)}")
        return found

    # Operators, from the loosest to the tightest

    def _condition(self) -> Node:
        with self._deeper():
            if not (start := self._take("if")):
                return self._implication()
            test = self._truth(self._condition())
            self._require("then", "after the condition of an if")
            yes = self._condition()
            if not self._take("else"):
                return self._apply("implies", start.at, CONDITION, test, self._truth(yes))
            no = self._condition()
            if yes.kind == no.kind == CONDITION:
                return self._apply("choose", start.at, CONDITION, test, yes, no)
            return self._apply(
                "choose", start.at, NUMBER, test, self._number(yes), self._number(no)
            )

    def _implication(self) -> Node:
        first = self._either()
        if not self._take("implies"):
            return first
        with self._deeper():
            then = self._implication()
        return self._apply("implies", first.at, CONDITION, self._truth(first), self._truth(then))

    def _either(self) -> Node:
        parts = [self._both()]
        while self._take("or"):
            parts.append(self._both())
        return self._joined("or", parts)

    def _both(self) -> Node:
        parts = [self._negation()]
        while self._take("and"):
            parts.append(self._negation())
        return self._joined("and", parts)

    def _joined(self, operator: str, parts: list[Node]) -> Node:
        if len(parts) == 1:
            return parts[0]
        return self._apply(operator, parts[0].at, CONDITION, *map(self._truth, parts))

    def _negation(self) -> Node:
        if not (sign := self._take("not")):
            return self._comparison()
        with self._deeper():
            part = self._truth(self._negation())
        return self._apply("not", sign.at, CONDITION, part)

    def _comparison(self) -> Node:
        left = self._range()
        links: list[Node] = []
        while True:
            if sign := self._take(*COMPARISONS):
                right = self._range()
                pair = self._number(left), self._number(right)
                links.append(self._apply("compare", left.at, CONDITION, *pair, word=sign.text))
            elif sign := self._take("in", "not"):
                if sign.text == "not":
                    self._require("in", "after not")
                right = self._range()
                pair = self._number(left), self._group(right)
                inside = self._apply("in", left.at, CONDITION, *pair)
                links.append(
                    inside if sign.text == "in" else self._apply("not", left.at, CONDITION, inside)
                )
            else:
                break
            left = right
        return self._joined("and", links) if links else left

    def _range(self) -> Node:
        first = self._sum()
        if not self._take(".."):
            return first
        return self._apply("range", first.at, GROUP, self._number(first), self._number(self._sum()))

    def _sum(self) -> Node:
        first = self._product()
        parts = [first]
        while sign := self._take("+", "-"):
            part = self._number(self._product())
            if sign.text == "-":
                part = self._apply("negative", part.at, NUMBER, part)
            parts.append(part)
        if len(parts) == 1:
            return first
        self._number(first)
        return self._apply("sum", first.at, NUMBER, *parts)

    def _product(self) -> Node:
        found = self._signed()
        while sign := self._take("*", "//", "%"):
            right = self._number(self._signed())
            found = self._apply(sign.text, found.at, NUMBER, self._number(found), right)
        return found

    def _signed(self) -> Node:
        if not (sign := self._take("-")):
            return self._atom()
        with self._deeper():
            part = self._number(self._signed())
        return self._apply("negative", sign.at, NUMBER, part)

    # Atoms

    def _atom(self) -> Node:
        token = self._peek()
        if self._letters and (token.kind == "place" or token.text in OF_A_GRID):
            message = f"{token} has no meaning here; a, b, c … stand for the values, in order"
            raise fault(self._text, token.at, message)
        self._next += 1
        match token.kind, token.text:
            case "number", text:
                return Number(token.at, NUMBER, int(text))
            case "place", _:
                return PlaceName(token.at, NUMBER, self._place(token))
            case "sign", "(":
                inner = self._condition()
                self._require(")", "to close the bracket")
                return inner
            case "sign", "[":
                return self._list(token)
            case "name", name if name not in KEYWORDS:
                return self._named(token)
        self._next -= 1
        raise self._expected("a number, a cell, a group or a function")

    def _named(self, token: Token) -> Node:
        """Read a bound name, a group or a function."""
        name = token.text
        if name in self._bound:
            return Bound(token.at, self._bound[name], name)
        if name in self._letters:
            return Bound(token.at, NUMBER, name)
        if name in WHOLE:
            return self._apply(name, token.at, WHOLE[name])
        if name in LINES and self._peek().kind in ("number", "name"):
            return self._apply(name, token.at, GROUP, self._number(self._atom()))
        if name == "neighbours":
            return self._neighbours(token)
        if name not in FUNCTIONS:
            hint = nearest(name[:20], [*_RESERVED, *self._bound])
            raise fault(self._text, token.at, f"{token} is not known here; {hint}")
        self._require("(", f"after {name}")
        special = {"cells": self._cells, "on": self._on, "ray": self._ray}
        return special.get(name, self._call)(token)

    def _list(self, start: Token) -> Node:
        parts = self._items("]")
        kinds = {max(NUMBER, part.kind) for part in parts}
        if len(kinds) > 1:
            raise fault(self._text, start.at, "a list has either numbers or groups, not both")
        return self._apply("list", start.at, 1 + max(kinds, default=NUMBER), *parts)

    def _call(self, function: Token) -> Node:
        name = function.text
        parts = self._items(")")
        if name in OF_NUMBERS:
            for part in parts:
                if part.kind > GROUP:
                    raise self._fault(part, f"{name} takes numbers or groups of numbers")
            return self._apply(name, function.at, OF_NUMBERS[name], *parts)
        if name in OF_CONDITIONS:
            return self._apply(name, function.at, OF_CONDITIONS[name], *map(self._truth, parts))
        if name in OF_GROUPS:
            self._require_count(function, parts, OF_GROUPS[name])
            parts = [self._group(part) for part in parts]
            kind = max(part.kind for part in parts)
            if any(part.kind != kind for part in parts):
                raise self._fault(parts[0], f"{name} takes groups of one kind")
            return self._apply(name, function.at, 1 + kind, *parts)
        if name in LINES:
            self._require_count(function, parts, 1, 2)
            return self._apply(name, function.at, GROUP, *map(self._number, parts))
        kinds, result = FIXED[name]
        self._require_count(function, parts, len(kinds))
        for part, kind in zip(parts, kinds, strict=True):
            self._number(part) if kind == NUMBER else self._group(part, flat=True)
        return self._apply(name, function.at, result, *parts)

    def _neighbours(self, start: Token) -> Node:
        """Read ``neighbours(R1C1, king)``, a group of cells, or ``neighbours(king)``, of pairs."""
        place: list[Node] = []
        word = NEIGHBOURS[0]
        if self._take("("):
            if self._peek().text not in NEIGHBOURS:
                place.append(self._number(self._condition()))
            if not place or self._take(","):
                if self._peek().text not in NEIGHBOURS:
                    raise self._expected(f"one of {', '.join(NEIGHBOURS)}")
                word = self._peek().text
                self._next += 1
            self._require(")", "to close the bracket")
        kind = GROUP if place else GROUP + 1
        return self._apply("neighbours", start.at, kind, *place, word=word)

    def _ray(self, start: Token) -> Node:
        """Read ``ray(R1C1, SE)``, the cells from a cell in one direction."""
        place = self._number(self._condition())
        self._require(",", "after the first cell")
        direction = self._peek()
        if direction.text not in DIRECTIONS:
            raise self._expected(f"one of {', '.join(DIRECTIONS)}")
        self._next += 1
        self._require(")", "to close the bracket")
        return self._apply("ray", start.at, GROUP, place, word=direction.text)

    def _on(self, start: Token) -> Node:
        """Read ``on(shaded, row 1)``, the cells of a layer that stand on these cells."""
        layer = self._peek()
        if layer.kind != "name":
            raise self._expected("the name of a layer")
        self._next += 1
        self._require(",", "after the name of a layer")
        thing = self._condition()
        self._require(")", "to close the bracket")
        if thing.kind == CONDITION:
            raise self._fault(thing, "expected cells, not a condition")
        return self._apply("on", start.at, thing.kind, thing, word=layer.text)

    def _cells(self, start: Token) -> Node:
        found: list[Place] = []
        while not self._take(")"):
            if found:
                self._take(",")
            token = self._peek()
            if token.kind != "place":
                raise self._expected("a cell, a range of cells such as R1C1-R1C4, or ')'")
            self._next += 1
            first = self._place(token)
            if not self._take("-"):
                found.append(first)
                continue
            last = self._place(self._peek())
            self._next += 1
            if isinstance(first, Cell | LayerCell) and isinstance(last, Cell | LayerCell):
                size = (abs(first.row - last.row) + 1) * (abs(first.col - last.col) + 1)
                if size + len(found) > _MOST_CELLS:
                    raise fault(self._text, token.at, f"{_MOST_CELLS:,} cells are possible")
            try:
                found += cells(f"{first}-{last}")
            except ConstraintError as error:
                raise fault(self._text, token.at, str(error)) from None
        return self._apply("list", start.at, GROUP, *(PlaceName(start.at, 0, p) for p in found))

    def _items(self, end: str) -> list[Node]:
        """Read what stands between brackets: items in a row, or one item for each turn of loops."""
        loops, behind = self._loops_ahead(end)
        if loops:
            item = self._condition()
            if self._peek().text != "for":
                raise self._expected("'for'")
            for name in [name for loop in loops for name in loop.names]:
                del self._bound[name]
            self._next = behind
            self._require(end, "after the groups of a for")
            depth = 1 + max(item.depth, *(loop.group.depth for loop in loops))
            return [self._shallow(Each(item.at, item.kind, item, tuple(loops), depth=depth))]
        parts: list[Node] = []
        while not self._take(end):
            if parts:
                self._require(",", f"or {end!r}")
            parts.append(self._condition())
        return parts

    def _loops_ahead(self, end: str) -> tuple[list[Loop], int]:
        """Read the loops before their item, which needs to know what the names stand for."""
        start, opened = self._next, 0
        for index in range(start, len(self._tokens)):
            text = self._tokens[index].text
            opened += (text in ("(", "[")) - (text in (")", "]"))
            if opened < 0:
                return [], start
            if text == "for" and not opened:
                break
        else:
            return [], start
        self._next = index
        loops = []
        while self._take("for"):
            loops.append(self._loop())
        behind, self._next = self._next, start
        return loops, behind

    def _loop(self) -> Loop:
        names: list[Token] = []
        while not names or self._take(","):
            token = self._peek()
            if token.kind != "name" or token.text in _RESERVED:
                raise self._expected("a name that means nothing else, such as a")
            if token.text in self._bound or token.text in [known.text for known in names]:
                raise self._expected("another name")
            names.append(token)
            self._next += 1
        self._require("in", "after the names of a for")
        group = self._group(self._range())
        kind = group.kind - (1 if len(names) == 1 else 2)
        if kind < NUMBER:
            raise self._fault(group, f"its items are numbers, not groups of {len(names)}")
        self._bound |= {token.text: kind for token in names}
        return Loop(tuple(token.text for token in names), group)

    # Helpers

    def _peek(self) -> Token:
        return self._tokens[self._next]

    def _take(self, *texts: str) -> Token | None:
        token = self._tokens[self._next]
        if token.text not in texts or token.kind == "end":
            return None
        self._next += 1
        return token

    def _require(self, text: str, why: str) -> None:
        if not self._take(text):
            raise self._expected(f"{text!r} {why}")

    def _require_count(self, function: Token, parts: list[Node], *counts: int) -> None:
        if len(parts) not in counts or any(isinstance(part, Each) for part in parts):
            many = " or ".join(map(str, counts)) + " argument" + "s" * (counts != (1,))
            raise fault(self._text, function.at, f"{function.text} takes {many}")

    def _place(self, token: Token) -> Place:
        if token.kind != "place":
            raise fault(self._text, token.at, f"expected a cell, not {token}")
        try:
            return cell(token.text)
        except ConstraintError as error:
            raise fault(self._text, token.at, str(error)) from None

    def _apply(self, operator: str, at: int, kind: int, *operands: Node, word: str = "") -> Apply:
        depth = 1 + max([operand.depth for operand in operands], default=0)
        made = Apply(at, kind, operator, operands, word, depth=depth)
        self._shallow(made)
        return made

    def _shallow(self, node: Node) -> Node:
        if node.depth > _MOST_DEPTH:
            raise self._fault(node, f"more than {_MOST_DEPTH} parts stand inside each other")
        return node

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        self._brackets += 1
        if self._brackets > _MOST_BRACKETS:
            message = f"more than {_MOST_BRACKETS} parts stand inside each other"
            raise fault(self._text, self._peek().at, message)
        yield
        self._brackets -= 1

    def _number(self, node: Node) -> Node:
        if node.kind > NUMBER:
            raise self._fault(node, f"expected a number, not {kind_name(node.kind)}")
        return node

    def _truth(self, node: Node) -> Node:
        if node.kind != CONDITION:
            raise self._fault(node, f"expected a condition, not {kind_name(node.kind)}")
        return node

    def _group(self, node: Node, *, flat: bool = False) -> Node:
        if node.kind < GROUP or (flat and node.kind > GROUP):
            raise self._fault(node, f"expected a group, not {kind_name(node.kind)}")
        return node

    def _fault(self, node: Node, message: str) -> ConstraintError:
        return fault(self._text, node.at, message)

    def _expected(self, what: str) -> ConstraintError:
        token = self._peek()
        return fault(self._text, token.at, f"expected {what}, not {token}")
