"""A match at a table: its log, its clock and its house bots. `LiveMatch.run` is the task of the table."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping
from typing import Any

import trio

from games.api import Action, Game, IllegalAction, action_from
from games.chance import Chance
from languages import ENGLISH, speaking
from matches.fold import Entry, Match, MatchHeader, Outgoing, fold
from matches.referee import NEVER, NOW, Fault, Referee
from matches.seats import SeatState
from people.lessons import guided_seed
from people.text.sentences import ERRED
from protocol.entries import ChatSent, MatchAborted, PauseWanted, PresenceChanged, ServerStalled, UndoWanted
from protocol.errors import Refusal
from protocol.printable import escape_text
from server.common import SharedObjects
from server.failures import log_failure
from server.fair_share import WorkShare
from server.log_fields import extra_fields
from server.player import Player
from server.table.delayed_view import DelayedView
from server.table.message_log import MessageLog
from server.table.records import TableRowWriter
from server.table.seating import Seating, TableSeat
from server.table.stall_compensation import StallCompensation

log = logging.getLogger("magehall.table")
referee_log = logging.getLogger("magehall.referee")

STORY_SECONDS = 30.0  # how long after the last request for messages or hands what was computed for it is kept

# pause after each step of a house bot at tables without connected players, for all such tables together
LEISURE_SECONDS = 0.002
STALL = 0.25  # if a task wakes up later than this number of seconds, the server was stalled


class LiveMatch:
    """A match that is being played. `record` applies an entry to the match, appends it to the log and sends its
    messages.

    Times are in seconds since the match began.
    """

    def __init__(
        self,
        game: Game,
        header: MatchHeader,
        seating: Seating,
        common: SharedObjects,
        chance: Chance,
        records: TableRowWriter,
        seat_lost: Callable[[TableSeat], None] = lambda seat_state: None,
    ) -> None:
        self.entries: list[Entry] = []
        self.match: Match
        self.referee: Referee
        self._seating, self._records = seating, records
        self._common, self._chance = common, chance
        # called after a seat was given to a house bot for good, and the message about this was sent
        self._seat_lost = seat_lost
        self._pace = common.config.house_seconds
        self._refunds = StallCompensation()
        self._zero = trio.current_time()
        self._stands: float | None = None  # the match's time if its clock is stopped; None while it runs
        self._given_back_at = -1  # length of the log when players were last given back the time of a slow disk
        self._gone = False  # whether recovery has replaced this object by a restored one
        self._scope = trio.CancelScope()
        self._waking = trio.Event()
        self._alarm = NEVER  # when the task must look at the clocks again
        # the message log that was requested last, because most requests are for the same recipient
        self._story: MessageLog | None = None
        self._delayed: DelayedView | None = None  # the delayed view of all hands; None until a spectator asks for it
        self._asked_until: float  # until when these two are kept
        self._play(Match(game, header))

    def begin(self) -> Outgoing:
        """Deals. Returns the first messages, which the caller must send."""
        self._seating.reset_chat_counts()
        outgoing = self._seating.new_outgoing(self.match)
        self.match.begin(outgoing)
        return outgoing

    def resume_from_log(self, entries: list[Entry]) -> None:
        """Continues the match after the last entry of that log."""
        self.entries = entries
        self._play(fold(self.match.game, self.match.header, entries, {}))
        self._zero = trio.current_time() - (entries[-1].at if entries else 0.0)
        self.referee.resume_from_log(entries)
        for entry in entries:
            if isinstance(entry, ChatSent):
                self._seating.count_chat_line(self._seating.receiver_number(entry.sender))

    def match_time(self) -> float:
        """Returns the seconds since the match began. They are never less than the time of the last entry, which
        rounding after a restart could otherwise cause."""
        if self._stands is not None:
            return self._stands
        now = trio.current_time() - self._zero
        return max(now, self.entries[-1].at) if self.entries else now

    def set_pace(self, seconds: float) -> None:
        """Sets the delay before each decision of a house bot, in seconds."""
        self._pace = seconds
        self.referee.set_pace(seconds)

    def stop_clock(self) -> None:
        """Stops the clock of the match."""
        self._stands = self.match_time()

    def resume_clock(self) -> None:
        """Lets the clock of the match continue from where it was stopped."""
        if self._stands is not None:
            self._zero, self._stands = trio.current_time() - self._stands, None
            self._waking.set()

    def end_task(self) -> None:
        """Ends the table's task. It sends no more messages and stores no more rows."""
        self._gone = True
        self._waking.set()

    def record_entry(self, entry: Entry, answer: Callable[[], None] | None = None) -> None:
        """Applies an entry to the match, appends it to the log, and sends its messages; see Recorder. If the rules
        raise an unexpected exception, the match is aborted, and Refusal (`internal`) is raised."""
        match = self.match
        outgoing = self._seating.new_outgoing(match)
        try:
            match.apply(entry, outgoing)
        except IllegalAction:
            raise
        except Exception:
            self._crash()
            raise Refusal("internal") from None
        self._log(entry)
        if match.over is not None and match.header.seed != guided_seed(match.game):
            self._seating.record_places(match.header.game, match.over)
        if (self._story or self._delayed) is not None and self.match_time() > self._asked_until:
            self._story = self._delayed = None
        if answer is not None:
            answer()
        self._seating.deliver(outgoing, match.asked, self._records.position)
        if isinstance(entry, PresenceChanged) and entry.by:
            self._seat_lost(self._seating.seat_state(entry.seat))
        moment = self.referee.next_action_time()
        if match.over is not None or moment == NOW or isinstance(entry, PauseWanted | UndoWanted):
            self._waking.set()
        elif moment < self._alarm:  # a later time needs nothing, because `run` looks for it at the present alarm
            self._alarm = moment
            self._scope.deadline = self._zero + moment

    def message_log(self, hearer: int) -> MessageLog:
        """Returns the past messages of one recipient. The result is kept for a while, and grows with the log."""
        wants = self._seating.wanted_fields(hearer)
        if self._story is None or (self._story.hearer, self._story.wants) != (hearer, wants):
            self._story = MessageLog(self.match.game, self.match.header, self.entries, hearer, wants)
        self._asked_until = self.match_time() + STORY_SECONDS
        return self._story

    def delayed_view(self) -> DelayedView:
        """Returns the delayed view of all hands. Only for a table whose players agreed to show them."""
        if self._delayed is None:
            self._delayed = DelayedView(self.match.game, self.match.header, self.entries)
        self._asked_until = self.match_time() + STORY_SECONDS
        return self._delayed

    def seats_in_play(self) -> frozenset[int]:
        """Returns the seats that are still in play; none once the match is over."""
        if self.match.over is not None:
            return frozenset()
        return frozenset(range(1, self.match.seats + 1)) - self.match.state.eliminated_seats()

    def parse_action(self, plain: Mapping[str, Any]) -> Action:
        """Parses an action of the game from a plain map. Raises Refusal (`bad_action`)."""
        try:
            return action_from(self.match.game, plain)
        except ValueError as error:
            text = escape_text(f"That is no action of {self.match.game.id}: {error}")[:200]
            raise Refusal("bad_action", text, "$.action") from None

    def refusal_reason(self, seat: int, plain: Mapping[str, Any]) -> str:
        """Returns why the rules refuse that action to that seat, always in English."""
        with speaking(ENGLISH):
            try:
                why = self.match.state.refusal_reason(seat, self.parse_action(plain))
            except Refusal as refused:
                return refused.text
            return Refusal("illegal_action", "" if why is None else why.text).text

    def record_presence(self, seat: int, how: str) -> None:
        """Records that the player of a seat is `away`, has `left` on purpose, or is `back`."""
        now = self.match_time()
        self.referee.record_presence(seat, how, now)
        if self.match.over is None:
            self.record_entry(PresenceChanged(now, seat, how))

    def take_over(self, seat_state: TableSeat, how: str) -> None:
        """Gives the seat to a house bot. `how` is the reason that others see."""
        self.referee.take_over(seat_state, self.match_time(), how)

    def compensate_stall(self, seconds: float, busy_with: Player | None, *, stopped: bool) -> None:
        """Gives back the time for which the server was stalled, to seats with a decision and to absences. If the server
        was busy with a request of the player `busy_with`, that player's seats get nothing back. If the process was
        `stopped`, all seats get back all of the time."""
        if self.match.pauses.is_on:
            return  # during a pause no clock runs
        guilty = None if stopped else self._seats_of(busy_with)
        given = dict(self._refunds.seconds_to_refund(seconds, self.match.turns, self.match.asked, guilty))
        self._seating.add_grace(given[0])
        if not any(seat_state.away is not None for seat_state in self._seating.seat_states):
            del given[0]
        if any(given.values()):
            self.record_entry(ServerStalled(self.match_time(), given))

    def compensate_disk_wait(self, seconds: float) -> None:
        """Gives seats with a decision back the seconds for which their latest messages waited for the disk."""
        is_on = self._is_on and not self.match.pauses.is_on
        # otherwise the only entry since the last time is the one that gave time back
        if is_on and len(self.entries) != self._given_back_at:
            self._given_back_at = len(self.entries) + 1
            self.record_entry(ServerStalled(self.match_time(), dict.fromkeys(sorted(self.match.asked), seconds)))

    def _seats_of(self, player: Player | None) -> set[int]:
        return {
            seat_state.number for seat_state in self._seating.seat_states if seat_state.player is player is not None
        }

    @property
    def _is_on(self) -> bool:
        """Whether the clock of this match runs."""
        return self._stands is None and not self._gone

    async def run(self) -> None:
        """Watches the clocks and lets the house bots decide, until the match is over."""
        try:
            rounds = self.referee.iter_rounds(
                lambda: self.match_time() if self._is_on and self.match.over is None else None
            )
            self._alarm = next(rounds, NEVER)
            while self.match.over is None and not self._gone:
                if self._alarm != NOW:
                    await self._wait()
                    self._alarm = next(rounds, NEVER)
                    continue
                async with self._common.queue.held_for(self._share):
                    self._alarm = next(rounds, NEVER)
                if self._alarm == NOW:
                    await self._give_way()
        except Refusal:
            pass  # an entry could not be applied, so that the match is already aborted and the error logged
        except Exception:
            self._crash()
        finally:
            self.referee.close_house_bots()

    async def _wait(self) -> None:
        """Returns when the time of the alarm has come, or `_waking` is set."""
        with trio.CancelScope(deadline=self._zero + self._alarm) as self._scope:
            await self._waking.wait()
        self._waking = trio.Event()
        if self._scope.cancelled_caught and self.match_time() > self._alarm + STALL:
            await trio.sleep(2 * STALL)  # the server was stalled, so this waits until players were given the time back

    @property
    def _share(self) -> WorkShare:
        """The share that is charged for the house bots' work: that of the first connected player, or one of the table's
        own."""
        players = (
            seat_state.player
            for seat_state in self._seating.seat_states
            if seat_state.house is None and seat_state.listener is not None
        )
        player = next(players, None)
        return player.work_share if player is not None else WorkShare(self._seating)

    async def _give_way(self) -> None:
        """Lets other tasks go first if no player is connected, because then the next step of a house bot is not
        urgent."""
        if self._common.config.house_seconds and not self._seating.has_active_player:
            async with self._common.idle_lock:
                await trio.sleep(LEISURE_SECONDS)

    def _log(self, entry: Entry) -> None:
        """Appends an entry to the log, and stores it. Its messages wait until it is on disk."""
        if self._records.stores_rows:
            self._records.store_entry(len(self.entries), entry)
            self._seating.hold_until_committed(self._records.position)
        self.entries.append(entry)

    def _play(self, match: Match) -> None:
        self.match = match
        common = self._common
        self.referee = Referee(
            self._seating.seat_states,
            match,
            common.config,
            common.house,
            self._chance,
            self.record_entry,
            self._wake,
            _log_fault,
        )
        self.referee.set_pace(self._pace)

    def _wake(self) -> None:
        self._waking.set()

    def _crash(self) -> None:
        """Aborts the match after an unexpected exception, which it logs. The server goes on."""
        incident = secrets.token_hex(4)
        table = self.match.header.table
        log_failure(log, "incident %s: table %s aborted", incident, table, incident=incident, table=table)
        if self.match.over is not None:
            return
        self._play(self._as_logged())
        self.abort(ERRED.format(incident=incident))

    def abort(self, text: str) -> None:
        """Ends the match without a result. `text` is the reason that all players and spectators get."""
        entry = MatchAborted(self.match_time(), text)
        outgoing = self._seating.new_outgoing(self.match)
        self.match.apply(entry, outgoing)
        self._log(entry)
        self._seating.deliver(outgoing, (), self._records.position)
        self._waking.set()

    def _as_logged(self) -> Match:
        """Returns the match computed again from its log, so that effects of an entry that failed are left out."""
        try:
            return fold(self.match.game, self.match.header, self.entries, {})
        except Exception:
            log_failure(log, "table %s cannot be folded again", self.match.header.table)
            return self.match


def _log_fault(seat: SeatState, fault: Fault) -> None:
    """Logs an error of a house bot."""
    if fault == "failed":
        log_failure(referee_log, "house bot %s failed", seat.house_name)
        return
    text = {"late": "house bot %s took too long and stopped playing", "illegal": "house bot %s chose an illegal action"}
    referee_log.error(text[fault], seat.house_name, extra=extra_fields(f"house_bot_{fault}", bot=seat.house_name))
