"""How rules texts ask for structure that is to be found: shading, regions, loops and stars.

Such a rule is a whole statement: "shade some cells so that all shaded cells are orthogonally
connected and all unshaded cells are orthogonally connected". Its words mean something else in other
sentences. So each of these concepts is the statement as a whole; a word more or less, and the
sentence is not understood.
"""

from __future__ import annotations

_NUMBER = "([0-9]+|one|two|three|four|five|six|seven|eight|nine|ten)"
_ALL = "((all|every|each)( of)? )?(the )?"
_MUST = "(must |should |have to )?"
_TOGETHER = "( (with|to) (one another|each other)| together)?"
_CONNECTED = f"{_MUST}(are |be |is )?(all )?orthogonally connected{_TOGETHER}"
_ONE_AREA = f"{_MUST}forms? (a |one )(single )?orthogonally connected (region|area|group|polyomino)"
_SQUARE = r"2 ?[x×] ?2 (area|block|square|group|region)( of cells)?( (of|in) the grid)?"
_WHOLLY = "(entirely |fully |completely |all |wholly )?"
_NEVER = "(does not|doesn't|do not|don't|may not|must not|cannot|can't|never)"
# The word "even" is gone by then. "Does not touch itself diagonally" alone would forbid less.
_NOT_EVEN = "(,|,? not)( even)?"
_DRAW_LOOP = (
    "(draw|find) a (single |closed |one-cell-wide |1-cell-wide |non-intersecting )*loop"
    "( of orthogonally connected cells| (through|along) orthogonally (adjacent|connected) cells)"
    f",? (that|which) {_NEVER} touch(es)? itself"
)
_HOUSES = "(each|every) row,? (each |every )?column,? and (each |every )?(3 ?[x×] ?3 )?(box|region)"


_DIVIDE = "(divide|partition|split|cut) the grid into"
# Without this, digits may repeat in a region.
_ONCE_EACH = (
    ",? ((so|such) that (each|every) (row,? (each |every )?column,? and (each |every )?)?region"
    " (contains|has)|each containing|each of which contains) (each of )?(the )?(digits|numbers)"
    f"( from)? 1 ?(-|–|to) ?(?P<keep_last{{}}>{_NUMBER})( (exactly )?once( each)?)?"
)


def _ways(*patterns: str) -> tuple[str, ...]:
    """Patterns in which a blank is any white space."""
    return tuple([pattern.replace(" ", r"\s+").replace(r"\s+?", r"\s*") for pattern in patterns])


def _stars(number: str) -> tuple[str, ...]:
    return _ways(
        f"(place|put) {number} stars? (in|into) {_HOUSES}",
        f"{_HOUSES} {_MUST}(contains?|has|have) (exactly )?{number} stars?",
    )


STRUCTURE: dict[str, tuple[str, ...]] = {
    "two-connected-colours": _ways(
        f"(shade|colou?r) (some|some of the|certain) cells?( in the grid)? (so|such) that {_ALL}"
        f"shaded cells? {_CONNECTED},? and {_ALL}unshaded cells? {_CONNECTED}",
        f"{_ALL}shaded cells? {_CONNECTED},? and {_ALL}unshaded cells? {_CONNECTED}",
    ),
    "mixed-squares": _ways(
        f"(each|every) {_SQUARE} {_MUST}(contains?|has|have) (both )?(at least one |a )?shaded and "
        "(at least one |an )?unshaded cells?",
        f"no {_SQUARE} (is|may be|can be) {_WHOLLY}shaded or {_WHOLLY}unshaded",
        f"no {_SQUARE} (is|may be|can be) {_WHOLLY}(of )?(the same|one|a single) colou?r",
    ),
    "odd-area": _ways(f"{_ALL}odd (digits|numbers|cells) {_ONE_AREA}"),
    "even-area": _ways(f"{_ALL}even (digits|numbers|cells) {_ONE_AREA}"),
    "lone-loop": _ways(f"{_DRAW_LOOP}{_NOT_EVEN} (diagonally|at a corner)"),
    "touching-loop": _ways(f"{_DRAW_LOOP} orthogonally"),
    "one-star": _stars("(one|1|a)"),
    "two-stars": _stars("(two|2)"),
    "stars-apart": _ways(
        f"(no two )?stars {_NEVER} touch( (each other|one another))?{_NOT_EVEN} diagonally"
    ),
    "regions-wanted": _ways(
        f"{_DIVIDE} (?P<keep_regions>{_NUMBER}) regions of (?P<keep_size>{_NUMBER}) orthogonally "
        f"connected cells( each)?{_ONCE_EACH.format('')}",
        f"{_DIVIDE} (?P<keep_regions_2>{_NUMBER}) orthogonally connected regions of "
        f"(?P<keep_size_2>{_NUMBER}) cells( each)?{_ONCE_EACH.format('_2')}",
    ),
}
