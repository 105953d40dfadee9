"""One table: its seats, the requests of its players, and its match from the deal to the result.

Sessions call `act` and similar methods directly. These are plain functions in one thread, so they need no lock. A queue
with a task would cost more than the work itself. No method waits for a peer.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import trio

from games.api import Action, Game, IllegalAction
from games.chance import SEED_BYTES, Chance, deal_key, seed_commitment
from languages import ENGLISH, current_language
from matches.fold import SPECTATORS, Entry, Match, MatchHeader
from matches.referee import house_bot_seed
from people.lessons import guided_seed
from protocol.entries import ActionRefused, ChatSent, PauseWanted, UndoWanted
from protocol.errors import Refusal
from protocol.messages import Accepted, Act, Chat, ClockRule, Message, SeatClock, TableChanged, TableInfo, TurnUpdate
from server.answers import error_message
from server.build import build_version
from server.common import SharedObjects
from server.failures import log_failure
from server.language import N_, _
from server.log_fields import extra_fields
from server.player import Player, PlayerSession
from server.table.live import LiveMatch
from server.table.message_log import MessageLog
from server.table.records import TableRowWriter
from server.table.seating import Seating, TableSeat
from server.table.sentences import Sentences
from server.table.spectators import Spectators

log = logging.getLogger("magehall.table")

FASTEST = 0.02  # shortest delay before a decision of a house bot, in seconds
SESSIONS_A_SEAT = 8  # most sessions of a seat that are remembered
_HINT = N_("Type confirm on, and each decision waits until you type yes.")


class Table:
    """A table is open until `start` deals. Then `run` is its task. `done` is set when the last message has been
    sent."""

    def __init__(
        self,
        table_id: str,
        game: Game,
        seats: int,
        common: SharedObjects,
        *,
        owner: str,
        options: Mapping[str, Any],
        clock: ClockRule,
        delay: int = 0,
        seed: bytes = b"",
        salt: bytes = b"",
        word: str = "",
    ) -> None:
        self.id, self.game, self.owner, self.config = table_id, game, owner, common.config
        self.options, self.clock, self.delay = dict(options), clock, delay
        self.seating = Seating(seats, common.config.grace, Spectators(common.broadcaster, common.journal, table_id))
        self.sentences = Sentences(game.words, self.seating)
        self.muted: dict[Player, None] = {}  # players who may not talk at this table
        self.kicked: dict[Player, None] = {}  # players who may not have a seat at this table again
        self.done = trio.Event()
        # whether the match began with other rules or cards than those installed, so that it does not continue
        self.stopped = False
        self.records = TableRowWriter(common.journal, table_id)
        self.touched = trio.current_time()
        self._common = common
        self.seed, self.salt = seed or secrets.token_bytes(SEED_BYTES), salt or secrets.token_bytes(16)
        self.word, self._commitment = word, seed_commitment(self.seed, self.salt)
        # random numbers for decisions on behalf of players who are absent
        self.chance = Chance(deal_key(self.seed)).fork("late")
        self._live: LiveMatch | None = None  # the match with its log; None before the deal
        self._pace = common.config.house_seconds
        # by seat: number of messages in that part of the match that was restored from the store
        self._kept_messages: Mapping[int, int] = {}
        # by seat: words of the sessions that have got messages of the match from this process
        self._heard_here: dict[int, dict[str, None]] = {}

    # -- information ---------------------------------------------------------------------------------------------------

    @property
    def match(self) -> Match | None:
        """The match, whether it is running or over; None while the table is open."""
        return self._live.match if self._live else None

    @property
    def entries(self) -> list[Entry]:
        """The log of the match so far."""
        return self._live.entries if self._live else []

    @property
    def state(self) -> str:
        """The state of the table: open, playing or over."""
        if self.match is None:
            return "open" if not self.stopped else "over" if self.done.is_set() else "playing"
        return "playing" if self.match.over is None else "over"

    @property
    def is_guided(self) -> bool:
        """Whether the table has the deal of the game's guided match, which everyone may know."""
        return self.seed == guided_seed(self.game)

    def table_info(self) -> TableInfo:
        """Returns the description of the table that all clients may see."""
        return TableInfo(
            table=self.id,
            game=self.game.id,
            state=self.state,
            owner=self.owner,
            seats=tuple(seat_state.seat_info() for seat_state in self.seating.seat_states),
            clock=self.clock,
            options=self.options,
            commitment=self._commitment,
            spectators=len(self.seating.spectators),
            cards=self.game.cards_digest,
            delay=self.delay,
        )

    def require_match(self) -> Match:
        """Returns the match, whether it is running or over. Raises Refusal (`not_started`)."""
        return self.require_live_match().match

    def require_live_match(self) -> LiveMatch:
        """Returns the match with its log and its clock. Raises Refusal (`not_started`)."""
        if self._live is None:
            raise Refusal("other_rules" if self.stopped else "not_started")
        return self._live

    # -- seats before the match ----------------------------------------------------------------------------------------

    def seat_player(self, player: Player, seat: int = 0, nonce: str = "") -> TableSeat:
        """Gives the player the seat with that number, or the first empty seat for 0. Raises Refusal."""
        self._must_be_open()
        self.check_not_kicked(player)
        if self.is_guided and player.name != self.owner:
            raise Refusal("table_full", _("That is a guided match, only for {owner}.", owner=self.owner))
        if self.seating.seat_state_of(player):
            raise Refusal("already_seated")
        seat_state = self.seating.free_seat_state(seat)
        seat_state.name, seat_state.player, seat_state.listener, seat_state.nonce = (
            player.name,
            player,
            player.listener,
            nonce,
        )
        player.tables[self.id] = None
        if player.listener is not None:
            self.records.save_table(self)
            # a player gets the messages of the seat, and no longer those of a spectator
            self.seating.spectators.flush_and_remove(player.listener, self.records.position)
        self._changed(but=player)
        return seat_state

    def add_house_bot(self, bot: str, seat: int = 0, *, may_think: bool = True) -> None:
        """Puts a house bot on the seat with that number, or on the first empty seat for 0. Raises Refusal, such as
        `no_such_bot` if the bot searches and `may_think` is false."""
        self._must_be_open()
        seat_state = self.seating.free_seat_state(seat)
        seats, seed = len(self.seating.seat_states), house_bot_seed(self.chance, seat_state.number)
        made = self._common.house.make(self.game, seats, self.options, bot, seed)
        if made.seconds and not may_think:
            raise Refusal(
                "no_such_bot",
                _("The server has its limit of thinking bots. {bot} has to wait until one has finished.", bot=bot),
            )
        seat_state.house, seat_state.house_name, seat_state.name = made, bot, self.seating.new_house_bot_name(bot)
        self._changed()

    def start(self, answer: Callable[[], None]) -> None:
        """Deals, calls `answer`, and then sends the first messages. The caller must then start `run` as a task.

        Raises Refusal. Its code is `internal` if the game raises an exception at the deal, and the table then stays
        open.
        """
        self._must_be_open()
        if not all(self.seating.names()):
            raise Refusal("not_enough_players")
        header = MatchHeader(
            table=self.id,
            game=self.game.id,
            options=self.options,
            seats=tuple(seat_state.seat_info() for seat_state in self.seating.seat_states),
            clock=self.clock,
            seed=self.seed,
            salt=self.salt,
            nonces=tuple(seat_state.nonce for seat_state in self.seating.seat_states),
            grace=self._common.config.grace,
            word=self.word,
            delay=self.delay,
            magehall=build_version(),
        )
        live = self._live_match(header)
        try:
            outgoing = live.begin()
        except Exception:
            incident = secrets.token_hex(4)
            log_failure(log, "incident %s: no deal at table %s", incident, self.id, incident=incident, table=self.id)
            raise Refusal("internal") from None
        self._live = live
        self.records.store_header(self, header)
        self.seating.hold_until_committed(self.records.position)
        answer()
        self.seating.deliver(outgoing, live.match.asked, self.records.position)
        for seat_state in self.seating.seat_states:
            if seat_state.player is not None:
                seat_state.player.record_match_begun()
                if seat_state.listener is None:
                    self.record_disconnect(seat_state.player)
                else:
                    self._heard_here[seat_state.number] = {seat_state.player.session_word: None}

    # -- requests during the match -------------------------------------------------------------------------------------

    def apply_decision(self, seat: int, request: Act, answer: Callable[[Message], None]) -> None:
        """Applies the decision in the request of the seat's player. `answer` gets the message `accepted` or an error,
        before any other message is sent.

        Raises Refusal for errors that are not about the rules, such as an outdated turn. It then has no effects.
        """
        live = self.require_live_match()
        match, seat_state = live.match, self.seating.seat_state(seat)
        if match.over is not None:
            raise Refusal("game_over")
        if seat not in match.asked or seat_state.house is not None:
            raise Refusal("not_your_turn")
        if request.turn != match.turns[seat]:
            raise Refusal("stale_turn", turn=self.open_turn(seat))
        now = live.match_time()
        if now >= match.clocks.deadline(seat):
            live.referee.perform_due_actions(now)
            raise Refusal("stale_turn", turn=self.open_turn(seat))
        action: Action | None = None
        accepted = Accepted(re=request.id, table=self.id, turn=request.turn)
        try:
            action = live.parse_action(request.action)
            live.referee.record_decision(seat, action, now, partial(answer, accepted))
            return
        except IllegalAction as why:
            refused = Refusal("illegal_action", why.text, "$.action", re=request.id, rule=why.code)
        except Refusal as error:
            refused = error
        counts = refused.code.name in ("illegal_action", "bad_action")
        still = not counts or live.referee.allows_another_error(seat_state)
        tell = partial(answer, error_message(refused, request.id, clock_runs=still))
        if counts:
            kept = refused.text if current_language() == ENGLISH else live.refusal_reason(seat, request.action)
            live.referee.record_illegal_action(ActionRefused(now, seat, refused.rule, kept, action), tell)
        else:
            tell()

    def open_turn(self, seat: int) -> TurnUpdate | None:
        """Returns the decision that is open for the seat, with the time that is left now; None if there is none."""
        live = self.require_live_match()
        live.match.wants[seat] = self.seating.wanted_fields(seat)
        turn = live.match.turn_message(seat)
        if turn is not None:
            turn.left = round(max(0.0, live.match.clocks.seconds_left(seat, live.match_time())), 3)
        return turn

    def deciding_seat(self, player: Player) -> int:
        """Returns the number of the player's seat if it has an open decision, otherwise 0."""
        live, seat_state = self._live, self.seating.seat_state_of(player)
        is_asked = (
            live is not None
            and seat_state is not None
            and seat_state.house is None
            and seat_state.number in live.match.asked
        )
        return seat_state.number if seat_state is not None and is_asked else 0

    def has_active_seat(self, player: Player) -> bool:
        """Returns whether the player plays here or will: the match is not over, and no house bot has taken the seat
        over."""
        seat_state = self.seating.seat_state_of(player)
        return seat_state is not None and seat_state.house is None and self.state != "over"

    def is_playing(self, player: Player) -> bool:
        """Returns whether the player plays in the running match, or has a seat in it that is held."""
        return self.state == "playing" and self.has_active_seat(player)

    def receiver_number(self, listener: PlayerSession, player: Player) -> int:
        """Returns the recipient number for the messages that the session gets: the player's seat, or 0 for a spectator.
        Raises Refusal (`not_seated`)."""
        seat_state = self.seating.seat_state_of(player)
        if seat_state is not None:
            return seat_state.number
        if listener in self.seating.spectators:
            return SPECTATORS
        raise Refusal("not_seated", _("You have no seat at that table and do not watch it."))

    def message_log(self, hearer: int, after: int) -> MessageLog:
        """Returns the past messages of a recipient, for a client that has got the first `after` of them. Raises Refusal
        (`bad_cursor`) if there are fewer."""
        live = self.require_live_match()
        if after > live.match.counts[hearer]:
            raise Refusal("bad_cursor")
        return live.message_log(hearer)

    def check_resume_point(self, seat: int, after: int, session: str) -> None:
        """Checks that the messages which a resuming session has got are those of the match as this server knows it.

        A session that has got no messages from this process may have got them from an earlier one. Of those, only the
        ones in the stored part of the match are certainly the same: if a backup was restored, the match may have gone
        another way.

        Args:
            seat: The player's seat.
            after: The number of the last message that the session has got.
            session: The word by which the client identifies the session.

        Raises:
            Refusal: `bad_cursor`, if the session has got messages that this server has lost.
        """
        heard = self._heard_here.setdefault(seat, {})
        if session not in heard and after > self._kept_messages.get(seat, 0):
            raise Refusal("bad_cursor", _("The server lost message {after}. Resume after 0.", after=after))
        heard[session] = None
        for oldest in list(heard)[:-SESSIONS_A_SEAT]:
            del heard[oldest]

    def check_can_resign(self, player: Player) -> TableSeat:
        """Returns the player's seat if the player may resign. Otherwise raises Refusal."""
        match, seat_state = self.require_match(), self.seating.seat_state_of(player)
        if seat_state is None:
            raise Refusal("not_seated")
        if match.over is not None or seat_state.house is not None:
            raise Refusal("game_over", _("There is nothing left to resign.") if seat_state.house else "")
        if self.game.no_resigning_reason:
            raise Refusal("no_resigning", self.game.no_resigning_reason)
        return seat_state

    def resign(self, player: Player) -> None:
        """Resigns for the player: a house bot plays on, and the seat gets the last place."""
        self.require_live_match().take_over(self.check_can_resign(player), "resigned")

    def request_pause(self, seat: int, *, on: bool, answer: Callable[[], None]) -> None:
        """Records that the seat wants a pause or, if `on` is false, does not want it any more. Calls `answer` before it
        sends messages.

        Raises Refusal: `game_over`, `no_pause`.
        """
        live, seat_state = self.require_live_match(), self.seating.seat_state(seat)
        match, now = live.match, live.match_time()
        pauses = match.pauses
        if match.over is not None:
            raise Refusal("game_over")
        if seat_state.house is not None:
            raise Refusal("no_pause", _("{by} plays your seat now.", by=seat_state.house_name))
        if seat not in pauses.people:
            raise Refusal("no_pause", _("Only people may pause and continue a match."))
        if not on and not pauses.is_on and seat not in pauses.wanting:
            raise Refusal("no_pause", _("There is no pause."))
        waiting = sorted(pauses.people - pauses.wanting)
        has_asked = seat in pauses.wanting and (bool(waiting) or pauses.is_on)
        if on and (has_asked or not pauses.can_request_pause(seat)):
            names = _(" and ").join(self.seating.seat_state(one).name for one in waiting)
            text = _("You have already asked; {names} may type pause, too.", names=names) if names else ""
            raise Refusal("no_pause", text if seat in pauses.wanting else "")
        if on and live.referee.pause_seconds_left() <= 0:
            raise Refusal("no_pause", _("The pauses of this match are used up."))
        live.record_entry(PauseWanted(now, seat, on), answer)

    def set_pace(self, seconds: float) -> None:
        """Sets the delay before each decision of a house bot, in seconds.

        The delay is at least FASTEST, or the server's default if that is less.
        """
        self._pace = max(seconds, min(FASTEST, self.config.house_seconds))
        if self._live is not None:
            self._live.set_pace(self._pace)

    def request_undo(self, seat: int, *, on: bool, answer: Callable[[], None]) -> None:
        """Records that the seat wants the latest decision to be taken back or, if `on` is false, refuses this. Calls
        `answer` before it sends messages.

        Raises Refusal: `game_over`, `no_undo`.
        """
        live = self.require_live_match()
        match, undos = live.match, live.match.undos
        if match.over is not None:
            raise Refusal("game_over")
        if (seat_state := self.seating.seat_state(seat)).house is not None:
            raise Refusal("no_undo", _("{by} plays your seat now.", by=seat_state.house_name))
        if seat not in match.pauses.people:
            raise Refusal("no_undo", _("Only people take decisions back and agree to that."))
        if undos.wanting and on and seat in undos.wanting:
            names = _(" and ").join(self.seating.seat_state(one).name for one in undos.seats_to_agree)
            raise Refusal("no_undo", _("You have asked already; {names} may type undo, too.", names=names))
        if not undos.wanting and not on:
            raise Refusal("no_undo", _("Nobody asks to take a decision back."))
        if on and not undos.wanting:
            self._check_may_undo(seat, live)
        live.record_entry(UndoWanted(live.match_time(), seat, on), answer)

    def _check_may_undo(self, seat: int, live: LiveMatch) -> None:
        """Raises Refusal (`no_undo`) if there is no decision that the seat may ask to take back."""
        match, latest = live.match, live.match.undos.latest_decision
        if self.word:
            raise Refusal("no_undo", _("In a cup no decision is taken back."))
        if self.delay:
            raise Refusal("no_undo", _("Where spectators see all hands, no decision is taken back."))
        if match.pauses.is_on:
            raise Refusal("no_undo", _("The match is paused; type resume first."))
        if latest is None:
            raise Refusal("no_undo", _("Nothing has been decided yet."))
        if latest.seat != seat:
            name = self.seating.seat_state(latest.seat).name
            text = _(
                "{name} decided last; only the latest decision can be taken back. {hint}", name=name, hint=_(_HINT)
            )
            raise Refusal("no_undo", text)
        if latest.why:
            raise Refusal("no_undo", _("The server decided for you, and that stays."))
        if not match.undos.can_request_undo(seat):
            raise Refusal("no_undo", _("You have asked as often as a match allows."))
        if match.has_revealed():
            text = _("Your decision has shown something that was hidden, so it stays. {hint}", hint=_(_HINT))
            raise Refusal("no_undo", text)

    def seat_clocks(self) -> tuple[SeatClock, ...]:
        """Returns the state of each seat's clock at this moment."""
        live = self.require_live_match()
        return live.match.clocks.seat_clocks(live.match_time())

    def send_chat(self, hearer: int, sender: str, text: str) -> None:
        """Sends a line of talk to all at the table. `hearer` is the recipient number of its sender: a seat, or 0 for
        spectators."""
        live = self._playing()
        self.seating.count_chat_line(hearer)
        if live is not None:
            live.record_entry(ChatSent(live.match_time(), sender, text))
        else:
            self.seating.send_to_all(Chat(sender=sender, text=text, table=self.id))

    # -- arrivals and departures ---------------------------------------------------------------------------------------

    def record_disconnect(self, player: Player, how: str = "away") -> None:
        """Records that the player has disconnected or, if `how` is `left`, has quit on purpose. The seat is held,
        unless the player quits at an open table."""
        if (seat_state := self.seating.seat_state_of(player)) is None:
            return
        seat_state.listener = None
        if self._live is None:
            self.stand_up(player) if how == "left" else self._changed()
        elif self._playing() and seat_state.house is None and seat_state.away is None:
            self._live.record_presence(seat_state.number, how)

    def reconnect_player(self, player: Player, listener: PlayerSession) -> None:
        """Connects the player to the seat again. The session has already got all messages that the player missed."""
        if (seat_state := self.seating.seat_state_of(player)) is None:
            return
        was_here, seat_state.listener = seat_state.listener is not None, listener
        if self._live is not None and seat_state.away is not None:
            self._live.record_presence(seat_state.number, "back")
        elif self._live is None and not was_here:
            self._changed(but=player)

    def stand_up(self, player: Player) -> float:
        """Lets the player leave the seat on purpose. Returns for how many seconds the seat is held. Raises Refusal
        (`not_seated`)."""
        seat_state = self.seating.seat_state_of(player)
        if seat_state is None:
            raise Refusal("not_seated")
        if self._playing() and seat_state.house is None:
            self.record_disconnect(player, "left")
            return max(0.0, seat_state.grace)
        player.tables.pop(self.id, None)
        seat_state.listener = None
        if self.state == "open":
            self.empty_seat(seat_state)
        return 0.0

    def empty_seat(self, seat_state: TableSeat, *, kicked: str = "", reason: str = "") -> None:
        """Makes a seat empty. If its player owned the table, the next player becomes the owner. `kicked` is the name of
        a player who was removed, and `reason` says why."""
        gone = seat_state.name
        self.seating.clear_seat(seat_state)
        if self.owner == gone:
            heir = next((other.name for other in self.seating.seat_states if other.player is not None), "")
            self._common.owned.change_owner(self, heir)
        self._changed(kicked=kicked, reason=reason)

    def set_owner(self, player: Player) -> None:
        """Makes the player the owner of the table."""
        self._common.owned.change_owner(self, player.name)
        self._changed(but=player)

    def check_not_kicked(self, player: Player) -> None:
        """Raises Refusal (`kicked`) if the player may not have a seat at this table again."""
        if player in self.kicked:
            raise Refusal("kicked")

    def compensate_stall(self, seconds: float, busy_with: Player | None = None, *, stopped: bool = True) -> None:
        """Gives back time for which the server was stalled; see LiveMatch.compensate_stall."""
        if (live := self._playing()) is not None:
            live.compensate_stall(seconds, busy_with, stopped=stopped)

    def give_seat_to_bot(self, player: Player, how: str) -> None:
        """Gives the seat of a player who will not return to a house bot at once. `how` is the reason that others
        see."""
        live, seat_state = self._playing(), self.seating.seat_state_of(player)
        if live is not None and seat_state is not None and seat_state.house is None:
            seat_state.listener = None
            live.take_over(seat_state, how)

    def resume_match(self, header: MatchHeader, entries: list[Entry]) -> None:
        """Continues a restored match from its last entry. The time that has passed since that entry is charged to no
        player."""
        self.word = header.word
        self._live = self._live_match(header)
        self._live.resume_from_log(entries)
        self._kept_messages = dict(enumerate(self._live.match.counts))
        if self._live.match.over is not None:
            self.done.set()

    async def run(self) -> None:
        """Runs the match to its end, as the task of the table."""
        assert self._live is not None
        try:
            await self._live.run()
        finally:
            self.touched = trio.current_time()
            if self.state == "over":
                self.done.set()
                self.records.save_table(self)
                told = extra_fields("match_over", table=self.id, game=self.game.id)
                log.info("%s is over: %s", self.id, self.require_match().result_text, extra=told)

    # -- private methods -----------------------------------------------------------------------------------------------

    def _playing(self) -> LiveMatch | None:
        """Returns the match with its log if it is running; otherwise None."""
        return self._live if self._live is not None and self._live.match.over is None else None

    def _must_be_open(self) -> None:
        self.touched = trio.current_time()
        if self.state != "open":
            raise Refusal("already_started")

    def _live_match(self, header: MatchHeader) -> LiveMatch:
        live = LiveMatch(self.game, header, self.seating, self._common, self.chance, self.records, self._hand_on)
        live.set_pace(self._pace)
        return live

    def _hand_on(self, lost: TableSeat) -> None:
        """Makes another player the owner, if the owner has lost the seat `lost` and is disconnected. It is a connected
        player, if possible a person; without one the owner stays the same."""
        if lost.player is None or lost.player.name != self.owner or lost.listener is not None:
            return
        others = [
            seat_state
            for seat_state in self.seating.seat_states
            if seat_state.player is not None and seat_state.house is None
        ]
        if others:
            heir = min(
                others,
                key=lambda seat_state: (
                    seat_state.listener is None,
                    seat_state.player is None or seat_state.player.bot,
                ),
            )
            self._common.owned.change_owner(self, heir.name)
            self._changed()

    def _changed(self, but: Player | None = None, *, kicked: str = "", reason: str = "") -> None:
        self.records.save_table(self)
        told = TableChanged(info=self.table_info(), kicked=kicked, reason=reason)
        self.seating.send_to_all(told, self.records.position, but)
