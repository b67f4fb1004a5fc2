"""Ask several solvers, compare their answers, prove the result; check the claims of others.

``run`` the cross-check · ``participants`` ``external`` the solvers that take part · ``jobs`` their
runs, side by side · ``collecting`` from events to answers · ``reference`` rules compiled a second
way · ``cores`` givens that leave no solution · ``judging`` what follows from the answers ·
``certificates`` proofs · ``agreement`` ``record`` ``table`` the result, as JSON and as text ·
``shrink`` the smallest puzzle on which solvers disagree · ``many`` many puzzles.

``claims`` the check of a claim · ``claim_reading`` ``grids`` how claims are read · ``bulk`` many
claims.
"""
