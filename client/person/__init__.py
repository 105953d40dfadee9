"""A person at the tables, with neither terminal nor connection: what is heard becomes lines, what is typed requests."""
