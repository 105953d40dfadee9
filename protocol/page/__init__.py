"""Generates the tables of the pages of the protocol, and its JSON Schema."""
