"""Checking: does a grid keep the rules, how good is it, what is an answer worth."""
