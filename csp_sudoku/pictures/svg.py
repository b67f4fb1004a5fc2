"""SVG elements as text: escaped, with short numbers, the same bytes for the same input."""

from __future__ import annotations

from collections.abc import Iterable

Point = tuple[float, float]

# The width of a usual character and of a digit, as a share of the size of the font.
CHARACTER = 0.52
DIGIT = 0.6


def element(name: str, *children: str, **attributes: object) -> str:
    """Return an element. ``class_`` means class, ``_`` a hyphen; None leaves an attribute out.

    Examples
    --------
    >>> element("text", clean("a < b"), class_="ink", font_size=2.50)
    '<text class="ink" font-size="2.5">a &lt; b</text>'
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def clean(text: str) -> str:
    """Make text safe for XML: escape markup, replace characters that XML forbids."""
    return _escaped(_printable(text))


def html_text(text: str) -> str:
    """Make text safe for HTML: no markup, no quotes, no control characters; lines may break.

    Examples
    --------
    >>> html_text('<b> "1"')
    '&lt;b&gt; &quot;1&quot;'
    """
    lines = _escaped("\n".join(map(_printable, text.split("\n"))))
    return lines.replace('"', "&quot;").replace("'", "&#x27;")


def label(text: str, point: Point, size: float, class_: str, *, anchor: str = "middle") -> str:
    """Return a line of text, centred vertically at a point."""
    x, y = point
    return element(
        "text",
        clean(text),
        class_=class_,
        x=x,
        y=y + 0.355 * size,
        font_size=size,
        text_anchor=None if anchor == "start" else anchor,
    )


def fitted(text: str, size: float, width: float) -> float:
    """Return a font size, at most `size`, in which the text fits the width."""
    return min(size, width / (DIGIT * max(1, len(text))))


def path(points: Iterable[Point], *, closed: bool = False) -> str:
    """Return the data of a path of straight lines."""
    steps = [f"{number(x)} {number(y)}" for x, y in points]
    return "M" + "L".join(steps) + "Z" * closed


def number(value: float) -> str:
    """Write a number with at most two decimals.

    Examples
    --------
    >>> number(2.0), number(1 / 3), number(-0.001)
    ('2', '0.33', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _value(value: object) -> str:
    if isinstance(value, int | float):
        return number(value)
    return clean(str(value)).replace('"', "&quot;")


def _printable(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)


def _escaped(text: str) -> str:
    # xml.sax.saxutils.escape would load urllib and http.
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
