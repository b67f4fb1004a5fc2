"""Factors of a constraint graph as text."""

from __future__ import annotations

from csp_encodings.factors import AllDifferent, Connected, Factor, Linear, Regular, Relation


def factor_text(factor: Factor) -> str:
    """Return a factor in a line.

    Examples
    --------
    >>> factor_text(Linear((1, 2), ("x", "y"), 3, None))
    'linear 3 ≤ x + 2·y'
    """
    scope = " ".join(map(str, factor.scope))
    match factor:
        case AllDifferent():
            return f"all-different {scope}"
        case Relation():
            return f"relation {scope}, {len(factor.allowed)} pairs"
        case Linear():
            terms = " + ".join(
                str(v) if c == 1 else f"{c}·{v}"
                for c, v in zip(factor.coefficients, factor.scope, strict=True)
            )
            low = "" if factor.low is None else f"{factor.low} ≤ "
            high = "" if factor.high is None else f" ≤ {factor.high}"
            return f"linear {low}{terms or 0}{high}"
        case Regular():
            edges = sum(map(len, factor.automaton.layers))
            return f"automaton {scope}, {edges} edges"
        case Connected():
            classes = " and ".join(",".join(map(str, values)) for values in factor.classes)
            return f"connected {classes} in {scope}, {len(factor.edges)} edges"
