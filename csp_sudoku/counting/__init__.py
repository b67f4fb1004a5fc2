"""Counting: how many solutions there are, exactly or estimated, and what they share."""
