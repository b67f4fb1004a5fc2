"""Docstrings as Markdown."""

from __future__ import annotations

import inspect
import re

_ROLE = re.compile(r":(?:func|class|meth|mod|data|attr):`~?([^`]+)`")
_CODE = re.compile(r"``([^`]+)``")


def markdown(docstring: str | None) -> str:
    """The text of a docstring up to its first section; roles become code.

    Examples
    --------
    >>> markdown('''See :class:`~pathlib.Path`, ``x``.
    ...
    ...     Examples
    ...     --------
    ... ''')
    'See `Path`, `x`.'
    """
    text = inspect.cleandoc(docstring or "")
    text = re.split(r"\n(?=[A-Z][a-z]+\n---)", text)[0].strip()
    text = _ROLE.sub(lambda found: f"`{found[1].rpartition('.')[2]}`", text)
    return _CODE.sub(r"`\1`", text)


def example(docstring: str | None) -> str:
    """The example of a docstring, with prompts; empty if there is none."""
    found = re.search(r"^Examples\n-+\n(.*)", inspect.cleandoc(docstring or ""), re.M | re.S)
    return found[1].rstrip() if found else ""


def cell(text: object) -> str:
    """A text as a cell of a table."""
    return str(text).replace("|", "\\|").replace("\n", " ")
