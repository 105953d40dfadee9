"""The leak gate plays cups of one match, by a format of its own."""

from __future__ import annotations

import pytest

from tests.server.leaks.one_match import OneMatch
from tournaments.formats.registry import FORMATS


@pytest.fixture(autouse=True)
def one_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """Registers the format for one test."""
    monkeypatch.setitem(FORMATS, OneMatch.id, OneMatch)
