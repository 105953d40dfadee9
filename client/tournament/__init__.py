"""Runs a tournament of bots from the command line."""
