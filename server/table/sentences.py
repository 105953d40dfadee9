"""The events of a table as sentences for people."""

from __future__ import annotations

from typing import Any

from games.api import Words
from languages import language
from server.table.seating import Seating

SENTENCES_KEPT = 16  # one action leads to fewer events


class Sentences:
    """One a table, for all who read it as text. Each event is made a sentence once in each language, however many hear
    it."""

    def __init__(self, words: Words, seating: Seating) -> None:
        self._words, self._seating = words, seating
        self._known: dict[tuple[int, str], tuple[Any, str]] = {}  # by the event's identity and the language

    def tell(self, event: Any) -> str:
        """One sentence for an event, in the current language; "" where there is nothing worth a line."""
        key = id(event), language()
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= SENTENCES_KEPT:
                self._known.clear()
            known = self._known[key] = event, self._words.tell(event, self._seating.names())
        return known[1]
