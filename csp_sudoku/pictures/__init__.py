"""Pictures of puzzles.

``render`` a puzzle as SVG · ``graph`` its constraint graph · ``report`` a cross-check as one page
of HTML · ``printing`` PNG and PDF · ``plain`` what a drawing in text can show.
Rules: ``table`` from a rule to its marks, filled by ``marks_cells``, ``marks_lines``,
``marks_pairs``, ``marks_outside`` · ``marks``, ``signs``, ``margin`` the marks there are.
The sheet: ``board`` cells and digits · ``highlight`` what is pointed at · ``legend`` what stands
below · ``sheet`` places and layers · ``outline``, ``svg``, ``theme`` what all of it is made of.
"""
