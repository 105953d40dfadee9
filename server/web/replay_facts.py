"""What a page shows of a finished match: the text of each moment, from the replay that every player may get."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import trio

from languages import speaking
from matches.moments import moments
from matches.record import Record, read_replay
from people.replay_text import ReplayText
from protocol import messages as m
from protocol.errors import Refusal
from server.failures import log_failure
from server.web.web_requester import WebRequester

log = logging.getLogger("magehall.web")

LINE_WORK = 1.0  # work that each line of a replay is charged as, in plain requests; its text takes about 1 ms
KEPT = 16  # most replays that are kept as text; one has about 100 KB


@dataclass(frozen=True)
class ReplayFacts:
    """A finished match for a page, with all hands open.

    Attributes:
        table: The id of its table.
        game: The title of its game.
        people: The names of its players, seat 1 first.
        lines: Each different line of text, once.
        moments: For each moment, the indices of its lines.
    """

    table: str
    game: str
    people: list[str]
    lines: list[str]
    moments: list[list[int]]

    def moment(self, number: int) -> list[str]:
        """Returns the lines of a moment, by its number from 1."""
        return [self.lines[one] for one in self.moments[number - 1]]


class ReplayTexts:
    """Makes and keeps the texts of one server's replays. `games` has the installed games by id."""

    def __init__(self, games: Mapping[str, Any]) -> None:
        self._games = games
        self._kept: dict[tuple[str, str, bytes], ReplayFacts] = {}  # the latest used last
        self._one_at_a_time = trio.CapacityLimiter(1)

    async def of(self, requester: WebRequester, table: str) -> ReplayFacts:
        """Returns the match of a table. Raises Refusal, such as `not_over`.

        The server is asked for the replay each time, also if its text is kept, because its answer may have changed.
        """
        part = await requester.ask(m.Replay(id=1, table=table), m.ReplayLines)
        key = (table, requester.language, hashlib.sha256(part.lines[0].encode()).digest())
        found = self._kept.pop(key, None)
        if found is None:
            lines = list(part.lines)
            while part.more:
                part = await requester.ask(m.Replay(id=1, table=table, after=len(lines)), m.ReplayLines)
                lines += part.lines
            requester.charge(LINE_WORK * len(lines))
            data = "".join(f"{line}\n" for line in lines).encode()
            work = partial(_text_of, data, self._games, table, requester.language)
            found = await trio.to_thread.run_sync(work, limiter=self._one_at_a_time)
        self._kept[key] = found
        for oldest in list(self._kept)[:-KEPT]:
            del self._kept[oldest]
        return found


def _text_of(data: bytes, games: Mapping[str, Any], table: str, language: str) -> ReplayFacts:
    """Returns the text of a replay file in that language. Raises Refusal (`internal`) if the rules raise an
    exception."""
    try:
        with speaking(language):
            record: Record = read_replay(data, games)
            text = ReplayText(record)
            for moment in moments(record):
                text.add(moment)
            people = [seat.name for seat in record.header.seats]
            return ReplayFacts(table, record.game.title, people, text.lines, text.moments)
    except Exception:
        log_failure(log, "the replay of table %s cannot be shown", table)
        raise Refusal("internal") from None
