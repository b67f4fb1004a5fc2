"""For setters and teachers: a solver behind f-puzzles, and a page of our own.

``protocol`` what a message of the f-puzzles userscript asks, and its answers · ``listening`` the
same over a WebSocket · ``asking`` what our page asks · ``serving`` the page, with its files.
"""
