"""Formats of cups: algorithms that pair the entrants."""
