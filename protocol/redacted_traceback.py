"""Removes the messages of exceptions before they are logged. The code of a game's rules may name secret cards in an
exception, and an operator may read the server's log while the match runs."""

from __future__ import annotations


class RedactedError(Exception):
    """Replaces an exception in a log. Its text is the name of the exception's class."""


def redact_error(error: BaseException) -> RedactedError:
    """Returns a copy of the exception and its causes that keeps class names and tracebacks but drops the messages."""
    told = RedactedError(type(error).__name__).with_traceback(error.__traceback__)
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    told.__cause__ = None if before is None else redact_error(before)
    return told
