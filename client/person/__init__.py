"""A person at the tables, without terminal or connection: messages become lines, typed lines become requests."""
