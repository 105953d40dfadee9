"""A match while it is played: its log, its time, its house bots. The table task is `run`."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Hashable

import trio

from games.api import Game, IllegalAction
from games.chance import Chance
from protocol.errors import Refusal
from server.config import Config
from server.house import House
from server.table.match import Aborted, Entry, Header, Match, Outgoing, Stalled, fold
from server.table.referee import NEVER, NOW, Referee
from server.table.refunds import Refunds
from server.table.seating import Chair, Seating
from server.table.story import Story

log = logging.getLogger("magehall.table")

STORY_SECONDS = 30.0  # after it was asked for

STALL = 0.25  # seconds: waking later than this is the server's fault, not a player's


class LiveMatch:
    """Everything that happens in the match goes through `record`: into the match, into the log, to all who hear it.

    Times are in seconds since the match began.
    """

    def __init__(
        self,
        game: Game,
        header: Header,
        seating: Seating,
        config: Config,
        house: House,
        chance: Chance,
        queue: trio.Lock,
    ) -> None:
        self.entries: list[Entry] = []
        self.match: Match
        self.referee: Referee
        self._seating = seating
        self._config, self._house, self._chance = config, house, chance
        self._queue = queue
        self._refunds = Refunds()
        self._zero = trio.current_time()
        self._scope = trio.CancelScope()
        self._waking = trio.Event()
        self._alarm = NEVER  # when the task looks at the clocks again
        self._story: Story | None = None  # the one that was asked for last: others mostly ask for the same
        self._story_until = 0.0
        self._play(Match(game, header))

    def begin(self) -> Outgoing:
        """Deals. Returns the first messages, which the caller delivers."""
        outgoing = self._seating.outgoing()
        self.match.begin(outgoing)
        return outgoing

    def now(self) -> float:
        """Seconds since the match began."""
        return trio.current_time() - self._zero

    def record(self, entry: Entry, accepted: Callable[[], None] | None = None) -> None:
        """Adds an entry to match and log, calls `accepted`, tells everybody, and sets the alarm again.

        Raises IllegalAction for an action that the rules refuse; then nothing has changed. Raises Refusal (`internal`)
        where we erred; then the match is aborted.
        """
        match, outgoing = self.match, self._seating.outgoing()
        try:
            match.apply(entry, outgoing)
        except IllegalAction:
            raise
        except Exception:
            self._crash()
            raise Refusal("internal") from None
        self.entries.append(entry)
        if self._story is not None and self.now() > self._story_until:
            self._story = None
        if accepted is not None:
            accepted()
        self._seating.deliver(outgoing, match.asked)
        moment = self.referee.next_moment()
        if match.over is not None or moment == NOW:
            self._waking.set()
        elif moment < self._alarm:  # a later one is found when this one rings
            self._alarm = moment
            self._scope.deadline = self._zero + moment

    def story(self, hearer: int) -> Story:
        """What that hearer was told; it is kept for a while, and grows when it is asked for again."""
        if self._story is None or self._story.hearer != hearer:
            self._story = Story(self.match.game, self.match.header, self.entries, hearer)
        self._story_until = self.now() + STORY_SECONDS
        return self._story

    def take_over(self, chair: Chair, how: str) -> None:
        """A house bot plays the seat from now on."""
        self.referee.take_over(chair, self.now(), how)

    def stalled(self, seconds: float, busy_with: Hashable = None, *, stopped: bool = True) -> None:
        """The server stood still; running decisions and absences get time back. Unless it was stopped, it was busy with
        what came from the address `busy_with`, and that address gets nothing."""
        guilty = None if stopped else self._seats_at(busy_with)
        given = dict(self._refunds.after(seconds, self.match.turns, self.match.asked, guilty))
        for chair in self._seating.chairs:
            if chair.away is not None:
                chair.away += given[0]
        del given[0]
        log.warning("table %s: a stall of %.2f s, given back: %s", self.match.header.table, seconds, given)
        if any(given.values()):
            self.record(Stalled(self.now(), given))

    def _seats_at(self, address: Hashable) -> set[int]:
        if address is None:
            return set()
        players = [(chair.number, chair.player) for chair in self._seating.chairs]
        return {number for number, player in players if player is not None and player.address == address}

    async def run(self) -> None:
        """Keeps the time and plays the house bots until the match is over."""
        try:
            while self.match.over is None:
                if self.referee.house_is_asked:
                    async with self._queue:
                        if self.referee.play_house(self.now()):
                            continue
                self._waking = trio.Event()
                self._alarm = self.referee.next_moment()
                with trio.CancelScope(deadline=self._zero + self._alarm) as self._scope:
                    await self._waking.wait()
                if self._scope.cancelled_caught and self.now() > self._alarm + STALL:
                    await trio.sleep(2 * STALL)  # the server stood still: first the time is given back, then it counts
                self.referee.settle(self.now())
        except Refusal:
            pass  # an entry failed; the match is aborted already, and logged
        except Exception:
            self._crash()

    def _play(self, match: Match) -> None:
        self.match = match
        self.referee = Referee(self._seating, match.game, match, self._config, self._house, self._chance, self.record)

    def _crash(self) -> None:
        """We erred: the match is aborted and its players told; the server lives on."""
        incident = secrets.token_hex(4)
        log.exception("incident %s: table %s aborted", incident, self.match.header.table)
        if self.match.over is not None:
            return
        self._play(self._as_logged())
        self.abort(f"The server erred (incident {incident}); the match does not count.")

    def abort(self, text: str) -> None:
        """The match ends without a result, and everybody is told why."""
        entry = Aborted(self.now(), text)
        outgoing = self._seating.outgoing()
        self.match.apply(entry, outgoing)
        self.entries.append(entry)
        self._seating.deliver(outgoing, ())
        self._waking.set()

    def _as_logged(self) -> Match:
        """The match computed from the log alone, without what a failed entry left behind."""
        try:
            return fold(self.match.game, self.match.header, self.entries, {})
        except Exception:
            log.exception("table %s cannot be folded again", self.match.header.table)
            return self.match
