"""Where a person reads and types: a terminal or a pipe."""
