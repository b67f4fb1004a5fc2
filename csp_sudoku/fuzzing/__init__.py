"""Random puzzles that look for faults: every solver against every other, and against laws.

``run`` the loop and its report · ``worker`` the loop in a process of its own · ``checking`` one
puzzle · ``findings`` what was found, shrunk and saved · ``puzzles`` random puzzles · ``shapes``
their grids · ``rules`` ``odd_rules`` their rules · ``laws`` what every puzzle obeys ·
``transforms`` puzzles that look different and are the same.
"""
