"""The person's screen: a terminal or a pipe."""
