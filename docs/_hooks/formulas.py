"""Formulas: TeX between dollar signs, which Arithmatex marks, as MathML."""

from __future__ import annotations

import re
from html import unescape

from latex2mathml.converter import convert

_MARKED = re.compile(
    r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>',
    re.DOTALL,
)
# In a line of its own this sign has its limits below, as a sum has.
_LARGE = re.compile(r"(\\bigvee)_")


def rendered(html: str) -> str:
    """The page with its formulas as MathML."""
    return _MARKED.sub(_mathml, html)


def _mathml(found: re.Match[str]) -> str:
    tex = unescape(found[3])
    if found[2] == "(":
        return convert(tex, display="inline")
    return convert(_LARGE.sub(r"\1\\limits_", tex), display="block")
