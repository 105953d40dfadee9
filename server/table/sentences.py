"""The events of a table as sentences for people."""

from __future__ import annotations

from typing import Any

from games.api import Words
from languages import language
from server.table.seating import Seating

SENTENCES_KEPT = 16  # one action causes fewer events


class Sentences:
    """The sentence cache of one table. Each event is put into words once per language, not once per reader."""

    def __init__(self, words: Words, seating: Seating) -> None:
        self._words, self._seating = words, seating
        self._known: dict[tuple[int, str], tuple[Any, str]] = {}  # by the event's identity and the language

    def tell(self, event: Any) -> str:
        """Returns one sentence for an event in the current language, or "" for an event without one."""
        key = id(event), language()
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= SENTENCES_KEPT:
                self._known.clear()
            known = self._known[key] = event, self._words.tell(event, self._seating.names())
        return known[1]
