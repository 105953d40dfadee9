"""One table: who sits there, and its match from the deal to the result.

The table task keeps the time and plays the house bots. Sessions call `act` and its like directly: a plain function in
one thread needs no lock and no queue, and hand-offs between tasks are what costs most. Nothing here waits for a peer.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import trio

from games.api import Action, Game, IllegalAction, action_from
from games.chance import SEED_BYTES, Chance, commitment, deal_key
from protocol import limits
from protocol.errors import Refusal
from protocol.messages import (
    Accepted,
    Act,
    Chat,
    ClockRule,
    Message,
    SeatClock,
    TableChanged,
    TableInfo,
    Turn,
)
from protocol.text.printable import escape
from server.answers import error_message
from server.config import Config
from server.house import House
from server.player import Listener, Player
from server.table.match import SPECTATORS, Aborted, Did, Entry, Header, Match, Spoke, Stalled, Went, fold, replay
from server.table.referee import NEVER, NOW, Referee, house_seed
from server.table.seating import Chair, Seating

log = logging.getLogger("magehall.table")

STALL = 0.25  # seconds: waking later than this is the server's fault, not a player's

LEAST_ABSENCE = 0.1  # seconds of grace that each costs, so that the log of who comes and goes ends, too


class Table:
    """Made open; `start` deals; `run` is its task from then on; `done` is set after the last message is out."""

    def __init__(
        self,
        table_id: str,
        game: Game,
        seats: int,
        config: Config,
        house: House,
        *,
        owner: str,
        options: Mapping[str, Any],
        clock: ClockRule,
        seed: bytes = b"",
    ) -> None:
        self.id, self.game, self.owner = table_id, game, owner
        self.options, self.clock = dict(options), clock
        self.seating = Seating(seats, config.grace)
        self.match: Match | None = None
        self.entries: list[Entry] = []
        self.done = trio.Event()
        self.touched = trio.current_time()
        self._config, self._house = config, house
        self._seed, self._salt = seed or secrets.token_bytes(SEED_BYTES), secrets.token_bytes(16)
        self._commitment = commitment(self._seed, self._salt)
        self._chance = Chance(deal_key(self._seed)).fork("late")  # for what is decided in somebody's stead
        self._referee: Referee
        self._chats = [0] * (seats + 1)  # said during the match, by hearer
        self._zero = 0.0
        self._scope = trio.CancelScope()
        self._waking = trio.Event()
        self._alarm = NEVER  # when the table task looks at the clocks again, on the table's own scale

    # -- what everybody may know ---------------------------------------------------------------------------------------

    @property
    def state(self) -> str:
        """open, playing or over."""
        if self.match is None:
            return "open"
        return "playing" if self.match.over is None else "over"

    def info(self) -> TableInfo:
        """The table for the lobby."""
        return TableInfo(
            table=self.id,
            game=self.game.id,
            state=self.state,
            owner=self.owner,
            seats=tuple(chair.info() for chair in self.seating.chairs),
            clock=self.clock,
            options=self.options,
            commitment=self._commitment,
            spectators=len(self.seating.spectators),
            cards=self.game.cards_digest,
        )

    def running(self) -> Match:
        """The match, running or over. Raises `not_started`."""
        if self.match is None:
            raise Refusal("not_started")
        return self.match

    def names(self) -> list[str]:
        """The names of the seats, first seat first."""
        return self.seating.names()

    # -- before the match ----------------------------------------------------------------------------------------------

    def sit(self, player: Player, seat: int = 0, nonce: str = "") -> Chair:
        """Gives the player a seat, the first empty one if `seat` is 0."""
        self._must_be_open()
        if self.seating.chair_of(player):
            raise Refusal("already_seated")
        chair = self.seating.free_chair(seat)
        chair.name, chair.player, chair.listener, chair.nonce = player.name, player, player.listener, nonce
        player.tables[self.id] = None
        if player.listener is not None:
            self.seating.spectators.pop(player.listener, None)  # hears as a seat from now on
        self._changed(but=player)
        return chair

    def add_house(self, bot: str) -> Chair:
        """Puts one of the house's bots on the next empty seat."""
        self._must_be_open()
        chair = self.seating.free_chair(0)
        chair.house = self._house.make(self.game, bot, house_seed(self._chance))
        chair.house_name = bot
        chair.name = self.seating.name_for(bot)
        self._changed()
        return chair

    def start(self, answer: Callable[[], None]) -> None:
        """Deals, lets `answer` speak first, then tells everybody. The caller runs `run` afterwards.

        Raises Refusal, `internal` too where the game fails at the deal; the table is open then as before.
        """
        self._must_be_open()
        if not all(self.seating.names()):
            raise Refusal("not_enough_players")
        header = Header(
            table=self.id,
            game=self.game.id,
            options=self.options,
            seats=tuple(chair.info() for chair in self.seating.chairs),
            clock=self.clock,
            seed=self._seed,
            salt=self._salt,
            nonces=tuple(chair.nonce for chair in self.seating.chairs),
            grace=self._config.grace,
        )
        self._zero = trio.current_time()
        match, outgoing = Match(self.game, header), self.seating.outgoing()
        try:
            match.begin(outgoing)
        except Exception:
            log.exception("incident %s: no deal at table %s", secrets.token_hex(4), self.id)
            raise Refusal("internal") from None
        self._play(match)
        answer()
        self.seating.deliver(outgoing, match.asked)
        for chair in self.seating.chairs:
            if chair.player is not None and chair.listener is None:
                self.away(chair.player)

    # -- the match -----------------------------------------------------------------------------------------------------

    def act(self, seat: int, request: Act, answer: Callable[[Message], None]) -> None:
        """Does what the seat's player decided. `answer` gets `accepted` or why not, before what follows from it.

        Raises Refusal for what is no matter of the rules; then nothing has changed.
        """
        match = self.running()
        chair = self.seating.chair(seat)
        if match.over is not None:
            raise Refusal("game_over")
        if seat not in match.asked or chair.house is not None:
            raise Refusal("not_your_turn")
        if request.turn != match.turns[seat]:
            raise Refusal("stale_turn", turn=self.turn(seat))
        now = self._now()
        if now >= match.clocks.deadline(seat):
            self._referee.settle(now)
            raise Refusal("stale_turn", turn=self.turn(seat))
        try:
            done = Did(now, seat, self.read_action(request.action))
            self._record(done, partial(answer, Accepted(re=request.id, table=self.id, turn=request.turn)))
        except IllegalAction as why:
            refused = Refusal("illegal_action", why.text, "$.action", re=request.id, rule=why.code)
        except Refusal as error:
            refused = error
        else:
            chair.illegal_now = 0
            return
        answer(error_message(refused, request.id, clock_runs=True))
        if refused.code.name in ("illegal_action", "bad_action"):
            self._referee.erred(chair, now)

    def read_action(self, plain: Mapping[str, Any]) -> Action:
        """A plain map as the game's action. Raises `bad_action`."""
        try:
            return action_from(self.game, plain)
        except ValueError as error:
            text = escape(f"That is no action of {self.game.id}: {error}")[:200]
            raise Refusal("bad_action", text, "$.action") from None

    def turn(self, seat: int) -> Turn | None:
        """What the seat is asked now, its clock as of this moment."""
        match = self.running()
        turn = match.turn(seat)
        if turn is not None:
            turn.left = round(max(0.0, match.clocks.deadline(seat) - self._now()), 3)
        return turn

    def awaits(self, player: Player) -> bool:
        """Whether a decision of this player is awaited here."""
        match, chair = self.match, self.seating.chair_of(player)
        return match is not None and chair is not None and chair.house is None and chair.number in match.asked

    def hearer(self, listener: Listener, player: Player) -> int:
        """As whom this player hears the match: the own seat, or 0 as a spectator. Raises `not_seated`."""
        chair = self.seating.chair_of(player)
        if chair is not None:
            return chair.number
        if listener in self.seating.spectators:
            return SPECTATORS
        raise Refusal("not_seated", "You have no seat at that table and do not watch it.")

    def story(self, hearer: int, after: int) -> list[Message]:
        """What that hearer was told after that message, made anew from the log. Raises `bad_cursor`."""
        match = self.running()
        if after > match.counts[hearer]:
            raise Refusal("bad_cursor")
        return replay(self.game, match.header, self.entries, hearer, after)

    def check_resign(self, player: Player) -> Chair:
        """The chair that may be given up. Raises Refusal with the reason why not."""
        match = self.running()
        chair = self.seating.chair_of(player)
        if chair is None:
            raise Refusal("not_seated")
        if match.over is not None or chair.house is not None:
            raise Refusal("game_over", "There is nothing left to resign." if chair.house else "")
        if self.game.no_resigning:
            raise Refusal("no_resigning", self.game.no_resigning)
        return chair

    def resign(self, player: Player) -> None:
        """A house bot plays on; the seat is placed last."""
        self._referee.take_over(self.check_resign(player), self._now(), "resigned")

    def clock_report(self) -> tuple[SeatClock, ...]:
        """All clocks at this moment."""
        return self.running().clocks.report(self._now())

    def say(self, hearer: int, sender: str, text: str) -> int:
        """Talk at the table, from a seat or from among the spectators; returns how many hear it, the sender too.

        Raises `too_much_chat`.
        """
        heard = len(self.seating.listeners())
        if self.state == "playing":
            if self._chats[hearer] >= limits.CHATS_A_MATCH:
                raise Refusal("too_much_chat")
            self._chats[hearer] += 1
            self._record(Spoke(self._now(), sender, text))
        else:
            self.seating.tell(Chat(sender=sender, text=text, table=self.id))
        return heard

    # -- coming and going ----------------------------------------------------------------------------------------------

    def away(self, player: Player) -> None:
        """The player's connection is gone; the seat waits for the rest of its grace time."""
        chair = self.seating.chair_of(player)
        if chair is None:
            return
        chair.listener = None
        if self.state == "open":
            self.stand_up(player)
        elif self.state == "playing" and chair.house is None and chair.away is None:
            chair.away = self._now()
            self._record(Went(chair.away, chair.number, "away"))

    def back(self, player: Player, listener: Listener) -> None:
        """The player is connected again and has been told what was missed."""
        chair = self.seating.chair_of(player)
        if chair is None:
            return
        chair.listener = listener
        if chair.away is not None:
            now = self._now()
            chair.grace -= max(LEAST_ABSENCE, now - chair.away)
            chair.away = None
            if self.state == "playing":
                self._record(Went(now, chair.number, "back"))

    def stand_up(self, player: Player) -> float:
        """The player leaves on purpose; returns for how many seconds the seat is held."""
        chair = self.seating.chair_of(player)
        if chair is None:
            raise Refusal("not_seated")
        if self.state == "playing" and chair.house is None:
            self.away(player)
            return max(0.0, chair.grace)
        player.tables.pop(self.id, None)
        if self.state == "open":
            self.seating.clear(chair)
            if self.owner == player.name:
                self.owner = next((other.name for other in self.seating.chairs if other.player is not None), "")
            self._changed()
        else:
            chair.listener = None
        return 0.0

    def stalled(self, seconds: float) -> None:
        """The server stood still; running decisions and absences get that time back."""
        if self.state != "playing":
            return
        log.warning("table %s: %.2f s given back after a stall", self.id, seconds)
        for chair in self.seating.chairs:
            if chair.away is not None:
                chair.away += seconds
        self._record(Stalled(self._now(), seconds))

    def dismiss(self, player: Player) -> None:
        """The player is known not to come back: the house plays on without waiting."""
        chair = self.seating.chair_of(player)
        if chair is not None and chair.house is None and self.state == "playing":
            chair.listener = None
            self._referee.take_over(chair, self._now(), "left")

    # -- time and house bots -------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """The table's task: keeps the time and plays the house bots until the match is over."""
        try:
            while self._go_on():
                if self._referee.play_house(self._now()):
                    await trio.lowlevel.checkpoint()
                    continue
                self._waking = trio.Event()
                self._alarm = self._referee.next_moment()
                with trio.CancelScope(deadline=self._zero + self._alarm) as self._scope:
                    await self._waking.wait()
                if self._scope.cancelled_caught and self._now() > self._alarm + STALL:
                    await trio.sleep(2 * STALL)  # the server stood still: first the time is given back, then it counts
                self._referee.settle(self._now())
        except Refusal:
            pass  # an entry failed; the match is aborted already, and logged
        except Exception:
            self._crash()
        finally:
            self.touched = trio.current_time()
            self.done.set()

    def _go_on(self) -> bool:
        return self.match is not None and self.match.over is None

    # -- within --------------------------------------------------------------------------------------------------------

    def _now(self) -> float:
        return trio.current_time() - self._zero

    def _play(self, match: Match) -> None:
        self.match = match
        self._referee = Referee(self.seating, self.game, match, self._config, self._house, self._chance, self._record)

    def _record(self, entry: Entry, accepted: Callable[[], None] | None = None) -> None:
        """Takes an entry into match and log, tells everybody, and sets the table's alarm anew."""
        match, outgoing = self.running(), self.seating.outgoing()
        try:
            match.apply(entry, outgoing)
        except IllegalAction:
            raise
        except Exception:
            self._crash()
            raise Refusal("internal") from None
        self.entries.append(entry)
        if accepted is not None:
            accepted()
        self.seating.deliver(outgoing, match.asked)
        moment = self._referee.next_moment()
        if match.over is not None or moment == NOW:
            self._waking.set()
        elif moment < self._alarm:  # a later one is found when this one rings
            self._alarm = moment
            self._scope.deadline = self._zero + moment

    def _crash(self) -> None:
        """We erred: the match is aborted and its players told; the server lives on."""
        incident = secrets.token_hex(4)
        log.exception("incident %s: table %s aborted", incident, self.id)
        match = self.match
        if match is None or match.over is not None:
            return
        match = self._as_logged(match)
        self._play(match)
        entry = Aborted(self._now(), f"The server erred (incident {incident}); the match does not count.")
        outgoing = self.seating.outgoing()
        match.apply(entry, outgoing)
        self.entries.append(entry)
        self.seating.deliver(outgoing, ())
        self._waking.set()

    def _as_logged(self, match: Match) -> Match:
        """The match without what a failed entry left behind: whoever comes back later is told by the log alone."""
        try:
            return fold(self.game, match.header, self.entries, {})
        except Exception:
            log.exception("table %s cannot be folded again", self.id)
            return match

    def _must_be_open(self) -> None:
        self.touched = trio.current_time()
        if self.match is not None:
            raise Refusal("already_started")

    def _changed(self, but: Player | None = None) -> None:
        self.seating.tell(TableChanged(info=self.info()), but)
