"""What docstrings write for Sphinx, for mkdocstrings: roles, literal blocks and tables."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, NameResolutionError, Object

_ROLE = re.compile(r":(?:func|class|meth|mod|data|attr):`(~?)([^`]+)`")
_CODE = re.compile(r"``([^`]+)``")
# A rule, the heads of the columns, a rule, the rows, a rule.
_TABLE = re.compile(r"^=+  =+\n(.+)\n=+  =+\n((?:.+\n)+?)=+  =+$", re.MULTILINE)


class Roles(Extension):
    """Rewrites the docstrings of everything that is shown."""

    def on_instance(self, *, obj: Object, **_: Any) -> None:
        """Rewrite one docstring."""
        if obj.docstring:
            obj.docstring.value = rewritten(obj.docstring.value, obj)


def rewritten(text: str, obj: Object) -> str:
    """The docstring with links where it names something, and plain Markdown elsewhere."""

    def link(found: re.Match[str]) -> str:
        shown = found[2].rpartition(".")[2] if found[1] else found[2]
        try:
            target = obj.resolve(found[2])
        except NameResolutionError:
            target = found[2]
        # Optional: a name that has no place in the site stays code, and is no warning.
        return f'<autoref identifier="{target}" optional><code>{shown}</code></autoref>'

    text = _TABLE.sub(_table, re.sub(r"^::$\n", "", text, flags=re.MULTILINE))
    return _CODE.sub(r"`\1`", _ROLE.sub(link, text))


def _table(found: re.Match[str]) -> str:
    head, *rows = [
        re.split(r"\s{2,}", line, maxsplit=1) for line in (found[1], *found[2].split("\n")) if line
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))
