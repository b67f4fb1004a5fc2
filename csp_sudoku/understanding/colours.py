"""The names that people give to colours."""

from __future__ import annotations

import colorsys
import re

_HEX = re.compile(r"#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})", re.IGNORECASE)

# By the hue, in degrees, up to which a name is used. Neighbouring names overlap, because people do
# not agree where one colour ends and the next begins.
_HUES: tuple[tuple[float, float, str], ...] = (
    (0, 22, "red"),
    (8, 50, "orange"),
    (10, 50, "brown"),
    (10, 45, "peach"),
    (38, 72, "yellow"),
    (35, 60, "gold"),
    (65, 170, "green"),
    (150, 200, "teal"),
    (150, 200, "turquoise"),
    (165, 205, "cyan"),
    (170, 262, "blue"),
    (225, 280, "indigo"),
    (245, 330, "purple"),
    (235, 330, "violet"),
    (240, 320, "lavender"),
    (280, 352, "magenta"),
    (285, 360, "pink"),
    (338, 360, "red"),
)

NAMES = frozenset({name for *_, name in _HUES} | {"black", "white", "grey"})

#: Words before a colour: "light blue" and "dark blue" are two colours.
SHADES = frozenset({"light", "pale", "dark", "deep"})

#: The names that a message prefers, where a colour has several.
COMMON = tuple(
    "red orange yellow green blue teal purple pink grey black white brown gold peach cyan "
    "lavender magenta violet indigo turquoise".split()
)

#: Other words for the same colours.
SYNONYMS = {
    "gray": "grey",
    "silver": "grey",
    "aqua": "cyan",
    "lilac": "lavender",
    "golden": "gold",
    "beige": "peach",
    "salmon": "peach",
    "tan": "peach",
    "crimson": "red",
    "scarlet": "red",
    "lime": "green",
    "navy": "blue",
    "azure": "blue",
    "fuchsia": "magenta",
    "mauve": "purple",
    "amber": "orange",
    "mint": "green",
}


def rgba(code: str) -> tuple[float, float, float, float] | None:
    """The parts of a colour, 0 to 1 each; None where the text is no colour.

    Examples
    --------
    >>> rgba("#f00")
    (1.0, 0.0, 0.0, 1.0)
    """
    found = _HEX.fullmatch(code.strip())
    if not found:
        return None
    digits = found[1]
    if len(digits) in (3, 4):
        digits = "".join(2 * digit for digit in digits)
    parts = [int(digits[i : i + 2], 16) / 255 for i in range(0, len(digits), 2)]
    red, green, blue, alpha = (*parts, 1.0)[:4]
    return red, green, blue, alpha


def is_clear(code: str) -> bool:
    """Whether a colour is fully transparent, so that nothing is seen of it."""
    parts = rgba(code)
    return parts is not None and parts[3] == 0


def names_of(code: str) -> frozenset[str]:
    """The names by which a rules text may call a colour; none if nothing is seen of it.

    Examples
    --------
    >>> sorted(names_of("#67f067"))
    ['green', 'light green', 'pale green']
    >>> sorted(names_of("#00000000"))
    []
    """
    parts = rgba(code)
    if parts is None or parts[3] == 0:
        return frozenset()
    red, green, blue, alpha = parts
    # On white paper, as it is seen.
    seen = [1 - alpha * (1 - part) for part in (red, green, blue)]
    hue, lightness, saturation = colorsys.rgb_to_hls(*seen)
    chroma = max(seen) - min(seen)
    found = set()
    if lightness > 0.93 and chroma < 0.1:
        found.add("white")
    if lightness < 0.25:
        found.add("black")
    if chroma < 0.16 and 0.1 < lightness < 0.95:
        found.add("grey")
    if chroma >= 0.06 and lightness > 0.08 and saturation > 0.08:
        degrees = 360 * hue
        found |= {name for low, high, name in _HUES if low <= degrees <= high}
        if lightness < 0.6 or saturation < 0.5:
            found.discard("peach")
        if lightness > 0.75 or saturation > 0.9:
            found.discard("brown")
    shades = ["light", "pale"] * (lightness >= 0.5) + ["dark", "deep"] * (lightness <= 0.55)
    shaded = {f"{shade} {name}" for shade in shades for name in found - {"black", "white"}}
    return frozenset(found | shaded)
