"""The events of a match in words."""

from __future__ import annotations

from typing import Any

from games.api import Words
from languages import current_language
from server.table.seating import Seating

SENTENCES_KEPT = 16  # most sentences that are remembered, because one action causes fewer events


class Sentences:
    """The sentences for the events of one table. Each event is put into words once per language, rather than once per
    reader."""

    def __init__(self, words: Words, seating: Seating) -> None:
        self._words, self._seating = words, seating
        # by the identity of the event and the language: the event and its sentence
        self._known: dict[tuple[int, str], tuple[Any, str]] = {}

    def sentence_for(self, event: Any) -> str:
        """Returns a sentence for an event, in the current language; "" for an event that has none."""
        key = id(event), current_language()
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= SENTENCES_KEPT:
                self._known.clear()
            known = self._known[key] = event, self._words.event_sentence(event, self._seating.names())
        return known[1]
