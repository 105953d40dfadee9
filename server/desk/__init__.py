"""Answers requests; knows no socket."""
