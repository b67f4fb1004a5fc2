"""Solving: the one way from a question about a puzzle to verified solutions."""
