"""What failed, without its words: rules compute with cards, and name them in what they raise. For logs that are read
while a match goes on."""

from __future__ import annotations


class Withheld(Exception):
    """Stands in a log for an error, whose kind is its text."""


def withheld(error: BaseException) -> Withheld:
    """Where the error came from, and what came before it, with nothing but their kinds."""
    told = Withheld(type(error).__name__).with_traceback(error.__traceback__)
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    told.__cause__ = None if before is None else withheld(before)
    return told
