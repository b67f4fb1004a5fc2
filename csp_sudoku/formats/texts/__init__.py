"""Grids as text and as lists, read and written.

``text`` reads a grid in any of its forms · ``plain`` the common one, quickly · ``rows`` nested
lists and arrays · ``several`` texts with many grids · ``values`` what signs and numbers stand for ·
``shapes`` what is known of a grid before it is read · ``writing`` grids to text.
"""
