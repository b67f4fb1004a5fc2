"""Do the solvers agree, what proves it, and what of answers from outside?

``run`` the cross-check · ``jobs`` side by side, in processes of their own · ``participants`` who
takes part · ``reference`` the second way down · ``judging`` what follows from the answers ·
``agreement`` ``record`` ``table`` the result, as JSON and in the terminal · ``certificates``
proofs · ``shrink`` the smallest puzzle on which they disagree · ``claims`` answers from outside.
"""
