"""Many puzzles at once: texts, puzzles or an array, in order, with threads or other processes.

``many`` any puzzles, a result for each · ``arrays`` puzzles of the same rules as an array, an array
of solutions · ``verifying`` many grids, each by the rules of its puzzle · ``rows`` what these are
made of · ``checking`` the check of whole arrays · ``files`` the puzzles of a file, with answers
that a later run goes on with · ``cubes`` one puzzle cut into many.
"""
