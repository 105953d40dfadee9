"""The leak gate plays cups of one match, by a format of its own; open hands are shown after fewer decisions than usual,
as a match of the toy game has too few."""

from __future__ import annotations

import pytest

from protocol import limits
from tests.server.leaks.one_match import OneMatch
from tournaments.formats.registry import FORMATS


@pytest.fixture(autouse=True)
def one_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """Registers the format for one test."""
    monkeypatch.setitem(FORMATS, OneMatch.id, OneMatch)


@pytest.fixture(autouse=True)
def few_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "OPEN_HANDS_DECISIONS", 3)
