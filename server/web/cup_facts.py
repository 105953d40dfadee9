"""What a page shows of a cup, from the answers that every player gets: its log, its standings and its description."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, TypeAlias

import msgspec

from matches.results import with_computed_places
from protocol import messages as m
from server.web.web_requester import WebRequester
from tournaments.bundle import Line, ScheduledMatch
from tournaments.cup import MatchEnded
from tournaments.figures import HeadToHead
from tournaments.schedule import Pairing
from tournaments.standings import CountedMatch

MATCHES = 100  # most finished matches in the facts, the latest ones
Facts: TypeAlias = dict[str, Any]
"""Plain values for JSON."""


class CupLogReader:
    """Reads the log of one cup, each line once, and keeps what a page shows of it.

    Attributes:
        commitment: The commitment of the cup, which differs from that of a later cup of the same name.
    """

    def __init__(self, commitment: str) -> None:
        self.commitment = commitment
        self._lines = 0  # number of lines that were read
        self._numbers: dict[
            str, int
        ] = {}  # numbers of the entrants that were paired, in the order of their first match
        self._running: dict[int, ScheduledMatch] = {}  # the matches that have begun and are not over, by number
        self._ended: deque[Facts] = deque(maxlen=MATCHES)
        self._met = HeadToHead()
        self._decoder = msgspec.json.Decoder(Line)

    async def read_on(self, requester: WebRequester, cup: str) -> None:
        """Reads the lines that were added to the log."""
        while True:
            request = m.CupLog(id=1, cup=cup, after=self._lines)
            part = await requester.ask(request, m.CupLogLines, charged=False)
            if part.after != self._lines:  # another visitor's page has read these lines meanwhile
                continue
            for line in part.lines:
                self._read_line(line)
            if not part.more:
                return

    def _read_line(self, line: str) -> None:
        self._lines += 1
        if self._lines == 1:  # the first line has the settings
            return
        entry = self._decoder.decode(line)
        if isinstance(entry, ScheduledMatch):
            self._running[entry.match] = entry
            for name in entry.entrants:
                self._numbers.setdefault(name, len(self._numbers))
        elif isinstance(entry, MatchEnded):
            self._end(self._running.pop(entry.match), entry)

    def _end(self, match: ScheduledMatch, ended: MatchEnded) -> None:
        entrants = tuple(self._numbers[name] for name in match.entrants)
        self._met.add(CountedMatch(Pairing(match.match, match.deal, entrants), match.table, ended.results))
        self._ended.append(
            {
                **_match(match),
                "seats": [
                    {"entrant": name, "score": one.score, "place": one.place, "how": one.how}
                    for name, one in zip(match.entrants, with_computed_places(ended.results), strict=False)
                ],
            }
        )

    def playing(self, tables: Sequence[str]) -> list[Facts]:
        """Returns the matches that are played at these tables."""
        return [_match(one) for one in self._running.values() if one.table in tables]

    def ended(self) -> list[Facts]:
        """Returns the latest finished matches, latest first."""
        return list(reversed(self._ended))

    def head_to_head(self, names: Sequence[str]) -> list[list[float | None]]:
        """Returns the crosstable of these entrants, with a row and a column for each."""
        table = self._met.table(len(self._numbers))
        numbers = [self._numbers[name] for name in names]
        return [[table[one][other] for other in numbers] for one in numbers]


class CupFacts:
    """Collects what pages show of the cups of one server, which has at most `most` cups."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._readers: dict[str, CupLogReader] = {}  # by name of the cup, the latest used last

    async def of(self, requester: WebRequester, cup: str) -> Facts:
        """Returns the facts of a cup for a page or for JSON. Raises Refusal, such as `no_such_cup`."""
        info = (await requester.ask(m.CupRequest(id=1, cup=cup), m.CupReply)).info
        standings = await requester.ask(m.Standings(id=2, cup=cup), m.CupStandings)
        reader = self._readers.pop(info.cup, None)
        if reader is None or reader.commitment != info.commitment:
            reader = CupLogReader(info.commitment)
        self._readers[info.cup] = reader
        for oldest in list(self._readers)[: -self._most]:
            del self._readers[oldest]
        await reader.read_on(requester, info.cup)
        names = [row.entrant for row in standings.rows]
        return {
            "cup": msgspec.to_builtins(info),
            "standings": msgspec.to_builtins(standings.rows),
            "challenger": standings.challenger,
            "against": msgspec.to_builtins(standings.against),
            "head_to_head": reader.head_to_head(names),
            "playing": reader.playing(info.playing),
            "matches": reader.ended(),
        }


def _match(match: ScheduledMatch) -> Facts:
    return {"match": match.match, "deal": match.deal, "table": match.table, "entrants": list(match.entrants)}
