"""The rules, pure: no socket, no clock, no global randomness. One folder holds one game."""
