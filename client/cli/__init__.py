"""The command line: starts things."""
