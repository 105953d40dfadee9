"""The error that all parts of the exam raise, and a check that raises it."""

from __future__ import annotations


class ExamFailed(AssertionError):
    """The game broke its contract."""


def require(right: bool, text: str) -> None:
    """Raises ExamFailed with the text if `right` is False."""
    if not right:
        raise ExamFailed(text)
