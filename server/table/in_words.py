"""A table as text for people."""

from __future__ import annotations

from typing import Any

from games.api import Game, plain
from games.opened import open_board
from languages import language
from people.text.folding import COLUMNS, board_columns, no_prompts
from people.text.sentences import ending_text, hand_lines, hands_title, only_texts
from protocol import messages as m
from server.table.seating import Seating

SENTENCES_KEPT = 16  # one action leads to fewer events


class TableInWords:
    """One a table, for all who read it as text, in the current language. Each event is made a sentence once in each
    language, however many hear it."""

    def __init__(self, table_id: str, game: Game, seating: Seating) -> None:
        self.id = table_id
        self._words, self._seating = game.words, seating
        self._sentences: dict[tuple[int, str], tuple[Any, str]] = {}  # by the event's identity and the language

    def names(self) -> list[str]:
        """The names of the seats, first seat first."""
        return self._seating.names()

    def board(self, view: Any, width: int = COLUMNS) -> list[str]:
        """The board of this view, in a terminal of that width."""
        return [] if view is None else no_prompts(plain(self._words.board(view, self.names(), board_columns(width))))

    def hand(self, view: Any, width: int = COLUMNS) -> list[str]:
        """What the view's seat holds, in a terminal of that width."""
        return plain(hand_lines(self._words, view, self.names(), board_columns(width)))

    def open_board(self, told: m.OpenHands, width: int = COLUMNS) -> list[str]:
        """The board with all visible hands, in a terminal of that width."""
        names = self.names()
        drawn = open_board(self._words, told.view, told.views, names, only_texts(names), board_columns(width))
        return [hands_title(told), *no_prompts(plain(drawn))]

    def tell(self, event: Any) -> str:
        """One sentence for an event; "" where there is nothing worth a line."""
        key = id(event), language()
        known = self._sentences.get(key)
        if known is None:
            if len(self._sentences) >= SENTENCES_KEPT:
                self._sentences.clear()
            known = self._sentences[key] = event, self._words.tell(event, self.names())
        return known[1]

    def foresee(self, view: Any, action: Any) -> str:
        """What a legal action would do, as far as that view tells."""
        return self._words.foresee(view, action, self.names())

    def ask(self, turn: m.Turn) -> str:
        """What is to be decided, in one sentence."""
        return self._words.ask(turn.view, turn.legal)

    def ending(self, over: m.Over) -> str:
        """How the match ended."""
        return ending_text(over, self._words.ending)
