"""Write exact covers with colours in the text format of Knuth's program XCC."""

from __future__ import annotations

from collections.abc import Iterator

import networkx as nx

from csp_encodings.errors import EncodingError
from csp_encodings.exact_cover import ExactCover, encode
from csp_encodings.export.base import Answer, Exported, commented


def export_xcc(graph: nx.Graph) -> Exported:
    """Write the items on the first line, secondary ones after ``|``, then one option per line."""
    cover = encode(graph)
    names = _names(cover)
    options = [_option(cover, names, number) for number in range(len(cover.meanings))]

    def lines() -> Iterator[str]:
        yield from commented("|", _legend(cover, names))
        primary, secondary = names[: cover.primary], names[cover.primary :]
        yield " ".join([*primary, *(["|", *secondary] if secondary else [])]) + "\n"
        for option in options:
            yield " ".join(option) + "\n"

    numbers = {frozenset(option): number for number, option in enumerate(options)}

    def read(text: str) -> Answer:
        """Read the options of one solution, one on each line, items in any order."""
        chosen = []
        known = set(names)
        for line in text.splitlines():
            # After an option Knuth's programs print its position, in parentheses.
            words = line.partition("(")[0].split()
            if not words or words[0].partition(":")[0] not in known:
                continue
            number = numbers.get(frozenset(words))
            if number is None:
                raise EncodingError(f"{line[:60]!r} is not an option of this cover")
            chosen.append(number)
        if not chosen:
            return Answer(None, [])
        said = {cover.meanings[number] for number in chosen}
        missing = set(cover.variables) - {meaning[0] for meaning in said if meaning}
        if missing:
            raise EncodingError(f"there is no option for {min(map(str, missing))}")
        return Answer(True, [cover.decode(chosen)])

    return Exported(lines, read)


def _names(cover: ExactCover) -> list[str]:
    """Names without blanks, colons and bars, which have a meaning in this format."""
    plain = [name.translate(str.maketrans(" :|", "_;/")) or "item" for name in cover.items]
    if len(set(plain)) < len(plain):
        return [f"{number}_{name}" for number, name in enumerate(plain, 1)]
    return plain


def _option(cover: ExactCover, names: list[str], number: int) -> list[str]:
    first, last = cover.starts[number : number + 2].tolist()
    members, colours = cover.members[first:last].tolist(), cover.colours[first:last].tolist()
    return [
        f"{names[item]}:{colour}" if colour else names[item]
        for item, colour in zip(members, colours, strict=True)
    ]


def _legend(cover: ExactCover, names: list[str]) -> Iterator[str]:
    yield f"{cover.primary} primary items, {len(names)} items, {len(cover.meanings)} options"
    yield "an option that begins with the name of a variable gives its value:"
    for number, meaning in enumerate(cover.meanings, 1):
        if meaning:
            yield f"option {number}: {meaning[0]}={meaning[1]}"
