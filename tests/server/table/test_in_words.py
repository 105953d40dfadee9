"""A table as text: what is told to many is made a sentence once in each language."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from games.api import Event
from languages import speaking
from server.table.in_words import SENTENCES_KEPT, TableInWords
from server.table.seating import Seating
from tests.helpers.toy import TOY, Chose, ToyWords


def test_an_event_is_worded_once_in_each_language_and_few_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    worded: list[Event] = []

    def tell(_words: ToyWords, event: Event, names: Sequence[str]) -> str:
        worded.append(event)
        return f"{event} {names}"

    monkeypatch.setattr(ToyWords, "tell", tell)
    seating = Seating(2, 30.0)
    seating.chair(1).name = "ann"
    table = TableInWords("t1", TOY, seating)
    events = [Chose(seat) for seat in range(1, SENTENCES_KEPT + 1)]
    for event in events * 2:
        assert table.tell(event) == f"{event} ['ann', '']"
    assert worded == events
    with speaking("fr"):
        table.tell(events[-1])
        table.tell(events[-1])
    assert worded == [*events, events[-1]]
    assert len(table._sentences) == 1, "the others made room"
