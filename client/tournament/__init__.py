"""A tournament run from the command line."""
