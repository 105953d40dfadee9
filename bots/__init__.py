"""Bots: the SDK and the house bots, one folder each."""
