"""What stands beside a grid and is not read: it must not be about rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from csp_sudoku.errors import FormatError
from csp_sudoku.formats.texts.shapes import shown

# Words that name a rule wherever they stand, and those that do only as the name of a field.
_NAMES = (
    r"rules?|constraints?|variants?|anti-?\w+|argyle|arrows?|asterisk|cages?|calcudoku|caves?|chaos"
    r"|(non-?)?consecutive|diag(onals?)?|digit-set|disjoint|doppelganger|doublers?|entrop\w+"
    r"|even[ -]?odd|flatmates|futoshiki|gattai|german|girandola|global|greater[ -]?than|hyper\w*"
    r"|irregular|jigsaws?|kenken|killers?|kings?|knightmare|knights?|kropki|layer|loop|negat\w+"
    r"|odd[ -]?even|offset|palindromes?|queens?|regions-to-find|renbans?|same-\w+|samurai"
    r"|sandwich(es)?|skyscrapers?|snake|star-battle|sudoku[ -]?x|sums?|taxicab|thermo\w*|whispers?"
    r"|windoku|x-sums?|x[ -]?sudoku|xv|yin-yang"
)
_FIELDS = r"rule_?set|lines?|dots?|regions?|layout|visual_elements"
_AS_NAME = re.compile(rf"(^|[^a-z])({_NAMES}|{_FIELDS})([^a-z]|$)", re.IGNORECASE)
_AS_REMARK = re.compile(rf"(^|[^a-z])({_NAMES}|must)([^a-z]|$)", re.IGNORECASE)
# A letter that means both diagonals, where nothing else is said.
_X = re.compile(r"(^|[\s,;#])x\s*$", re.IGNORECASE)
# Fields with words for people.
_OF_PEOPLE = re.compile(
    r"(^|[^a-z])(types?|kinds?|modes?|genre|category|name|title|description|comments?|notes?)"
    r"([^a-z]|$)",
    re.IGNORECASE,
)
_SYMMETRY = re.compile(r"symmetr\w*\W+diagonal\w*|diagonal\w*\W+symmetr\w*", re.IGNORECASE)
_USUAL = ("", "classic", "normal", "standard", "none", "null", "false", "[]", "{}")

# A grid; a link or a document has rules of its own, which others may repeat.
_GRID = re.compile(r'[\s\[\]",0-9A-Za-z.?_*|+=-]*')
# A line that is a comment, which may begin with a letter for its kind; or a grid of 4×4 or more
# with a comment behind it.
_COMMENT = re.compile(r"\s*(?:#(?:[A-Z]\s)?|[0-9A-Za-z.?_*-]{16,}[\s,;#])(?P<comment>.*)")


def says_rules(name: str) -> bool:
    """Whether something of this name, beside a puzzle, may be one of its rules.

    Examples
    --------
    >>> says_rules("rules"), says_rules("extra_constraints"), says_rules("difficulty")
    (True, True, False)
    """
    return _AS_NAME.search(name) is not None


def may_say_rules(name: str) -> bool:
    """Whether what has this name, beside a puzzle, is to be looked at for rules."""
    return says_rules(name) or _OF_PEOPLE.search(name) is not None


def is_about_rules(remark: str) -> bool:
    """Whether a title or a comment may say a rule.

    Examples
    --------
    >>> is_about_rules("Anti-knight, hard"), is_about_rules("17 clues, diagonal symmetry")
    (True, False)
    >>> is_about_rules("X")  # both diagonals
    True
    """
    plain = _SYMMETRY.sub("", remark).strip()
    return _AS_REMARK.search(plain) is not None or _X.fullmatch(plain) is not None


def check_beside(name: str, value: object, puzzle: object) -> None:
    """Refuse what says rules beside a grid, unless it says that there are only the usual ones."""
    if not _GRID.fullmatch(str(puzzle)) or str(value).strip().lower() in _USUAL:
        return
    if says_rules(name) or is_about_rules(str(value)):
        raise FormatError(f"{shown(name)} may hold rules, and only the puzzle beside it is read")


def without_rules(lines: Iterable[str]) -> Iterator[str]:
    """The lines of a text of grids. A comment that may say a rule is refused.

    Examples
    --------
    >>> list(without_rules(["# hard, by Ann", "1...............; rated 7.1"]))
    ['# hard, by Ann', '1...............; rated 7.1']
    >>> list(without_rules(["1...............  # anti-knight"]))
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.FormatError: line 1: the comment 'anti-knight' may be a rule, and comments \
are not read: say which rules the puzzle has, or take the comment away
    """
    for number, line in enumerate(lines, 1):
        # Most lines have none of these words anywhere.
        if (_AS_REMARK.search(line) or _X.search(line)) and (found := _COMMENT.match(line)):
            comment = found["comment"].strip(" \t\r\n#;,")
            if is_about_rules(comment):
                raise FormatError(
                    f"line {number}: the comment {shown(comment)} may be a rule, and comments are "
                    f"not read: say which rules the puzzle has, or take the comment away"
                )
        yield line
