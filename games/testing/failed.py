"""What every part of the exam raises, and how."""

from __future__ import annotations


class ExamFailed(AssertionError):
    """The game broke its contract."""


def demand(right: bool, text: str) -> None:
    """Raises ExamFailed with that sentence unless it is right."""
    if not right:
        raise ExamFailed(text)
