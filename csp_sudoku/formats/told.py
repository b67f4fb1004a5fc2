"""What a document tells people, and what it says besides: title, rules, solution, words for rules.

It stands at the top, in metadata, or in cages whose text is ``key: text``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from csp_sudoku.errors import FormatError
from csp_sudoku.formats import loose
from csp_sudoku.formats.loose import Object
from csp_sudoku.formats.texts.shapes import shown
from csp_sudoku.understanding.sentences import sentences

_LINE = re.compile(r"([^: ]+):\s*(.+)", re.DOTALL)
# Who made the puzzle, and what a player sees when it is solved: two of them do no harm.
_FOR_PEOPLE = frozenset("title author source msgcorrect".split())
KNOWN = _FOR_PEOPLE | {"rules", "solution"}


def line_of(value: object) -> tuple[str, str] | None:
    """The key and the text in the text of a cage; None for other texts.

    Examples
    --------
    >>> line_of("rules: Normal sudoku rules apply."), line_of("15")
    (('rules', 'Normal sudoku rules apply.'), None)
    """
    found = _LINE.match(loose.text(value))
    return (found[1], found[2]) if found else None


def of_lines(lines: Iterable[tuple[str, str]]) -> Object:
    """What several lines tell; a key that is repeated has all its texts."""
    told: Object = {}
    for key, text in lines:
        told[key] = f"{told[key]}\n{text}" if key in told else text
    return told


def gathered(*sources: Mapping[str, object]) -> Object:
    """What several parts of a document tell: all their rules, and of other things the last.

    A part may say nothing against another one.
    """
    told: Object = {}
    for source in sources:
        for key, value in source.items():
            if loose.is_empty(value):
                continue
            if key == "rules":
                texts = [told.get(key, ""), loose.rules(value).strip()]
                told[key] = "\n".join(dict.fromkeys(filter(None, texts)))
            elif key in _FOR_PEOPLE:
                texts = value if isinstance(value, list) else [value]
                told[key] = "\n".join(map(loose.text, texts))
            elif told.setdefault(key, value) != value:
                raise FormatError(f"{shown(key)[1:-1]} is said twice, and differs")
    return told


def may_be_rules(name: str, value: object) -> bool:
    """Whether something of this name may be a rule: texts are read, all else may be one.

    Examples
    --------
    >>> may_be_rules("setter", "Ann"), may_be_rules("setter", "Ann; no digit is beside its double")
    (False, True)
    """
    if name in KNOWN or loose.is_empty(value):
        return False
    texts = value if isinstance(value, list) else [value]
    if not all(isinstance(text, str) for text in texts):
        return True
    words = [name, *texts]
    return any(sentence.is_about_rules for text in words for sentence in sentences(text))
