"""One table: who sits there, and its match from the deal to the result.

The table task keeps the time and plays the house bots. Sessions call `act` and its like directly: a plain function in
one thread needs no lock and no queue, and hand-offs between tasks are what costs most. Nothing here waits for a peer.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
import trio

from games.api import Action, Game, IllegalAction
from games.chance import SEED_BYTES, Chance, commitment, deal_key
from protocol import limits
from protocol.errors import RemoteProtocolError
from protocol.messages import (
    Accepted,
    Act,
    Chat,
    ClockRule,
    Message,
    SeatClock,
    SeatInfo,
    TableChanged,
    TableInfo,
    Turn,
)
from protocol.text import escape
from server.answers import error_message
from server.config import Config
from server.house import Choose, House
from server.match import SPECTATORS, Aborted, Did, Entry, Header, Letters, Match, Spoke, Stalled, Went, replay
from server.people import Ear, Player

log = logging.getLogger("magehall.table")

STALL = 0.25  # seconds: waking later than this is the server's fault, not a player's

ROUNDING = 1e-6  # seconds: an alarm's moment, taken apart and put together again, may come out a hair early


@dataclass
class Chair:
    """A place at the table. `house` plays it if set; `ear` hears for it while its player is connected."""

    number: int
    name: str = ""
    player: Player | None = None
    house: Choose | None = None
    house_name: str = ""
    ear: Ear | None = None
    nonce: str = ""
    grace: float = 0.0  # seconds left for being away
    away: float | None = None  # since when
    illegal_now: int = 0
    illegal_all: int = 0

    def info(self) -> SeatInfo:
        """As everybody may see it."""
        if self.player is not None:
            return SeatInfo(self.number, self.name, self.player.kind, self.ear is not None)
        return SeatInfo(self.number, self.name, "house" if self.name else "empty")


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
        self.chairs = [Chair(number, grace=config.grace) for number in range(1, seats + 1)]
        self.watchers: dict[Ear, None] = {}
        self.match: Match | None = None
        self.entries: list[Entry] = []
        self.done = trio.Event()
        self.touched = trio.current_time()
        self._config, self._house = config, house
        self._seed, self._salt = seed or secrets.token_bytes(SEED_BYTES), secrets.token_bytes(16)
        self._commitment = commitment(self._seed, self._salt)
        # a struct's type is prepared once, a bare union's at every conversion
        self._holder: Any = msgspec.defstruct("Holder", [("action", game.action_type)])
        self._late_chance = Chance(deal_key(self._seed)).fork("late")
        self._zero = 0.0
        self._scope = trio.CancelScope()
        self._waking = trio.Event()
        self._alarm = float("inf")  # when the table task looks at the clocks again, on the table's own scale

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
            seats=tuple(chair.info() for chair in self.chairs),
            clock=self.clock,
            options=self.options,
            commitment=self._commitment,
            watchers=len(self.watchers),
            cards=self.game.cards_digest,
        )

    def chair_of(self, player: Player) -> Chair | None:
        """The player's place here."""
        return next((chair for chair in self.chairs if chair.player is player), None)

    def running(self) -> Match:
        """The match, running or over. Raises `not_started`."""
        if self.match is None:
            raise RemoteProtocolError("not_started")
        return self.match

    def names(self) -> list[str]:
        """The names of the seats, first seat first."""
        return [chair.name for chair in self.chairs]

    # -- before the match ----------------------------------------------------------------------------------------------

    def sit(self, player: Player, seat: int = 0, nonce: str = "") -> Chair:
        """Gives the player a seat, the first empty one if `seat` is 0."""
        self._must_be_open()
        if self.chair_of(player):
            raise RemoteProtocolError("already_seated")
        chair = self._free(seat)
        chair.name, chair.player, chair.ear, chair.nonce = player.name, player, player.ear, nonce
        player.tables[self.id] = self
        if player.ear is not None:
            self.watchers.pop(player.ear, None)  # hears as a seat from now on
        self._changed(but=player)
        return chair

    def add_house(self, bot: str) -> Chair:
        """Puts one of the house's bots on the next empty seat."""
        self._must_be_open()
        chair = self._free(0)
        chair.house = self._house.make(self.game, bot, self._house_seed())
        chair.house_name = bot
        taken = set(self.names())
        names = [bot, *(f"{bot}-{number}" for number in range(2, len(self.chairs) + 1))]
        chair.name = next(name for name in names if name not in taken)
        self._changed()
        return chair

    def start(self, answer: Callable[[], None]) -> None:
        """Deals, lets `answer` speak first, then tells everybody. The caller runs `run` afterwards.

        Raises RemoteProtocolError, `internal` too where the game fails at the deal; the table is open then as before.
        """
        self._must_be_open()
        if not all(chair.name for chair in self.chairs):
            raise RemoteProtocolError("not_enough_players")
        header = Header(
            table=self.id,
            game=self.game.id,
            options=self.options,
            seats=tuple(chair.info() for chair in self.chairs),
            clock=self.clock,
            seed=self._seed,
            salt=self._salt,
            nonces=tuple(chair.nonce for chair in self.chairs),
            grace=self._config.grace,
        )
        self._zero = trio.current_time()
        match = Match(self.game, header)
        try:
            letters = match.begin(self._wanted())
        except Exception:
            log.exception("incident %s: no deal at table %s", secrets.token_hex(4), self.id)
            raise RemoteProtocolError("internal") from None
        self.match = match
        answer()
        self._deliver(letters)
        for chair in self.chairs:
            if chair.player is not None and chair.ear is None:
                self.away(chair.player)

    # -- the match -----------------------------------------------------------------------------------------------------

    def act(self, player: Player, request: Act, answer: Callable[[Message], None]) -> None:
        """Does what the player decided. `answer` gets `accepted`, or why not, before anything that follows from it.

        Raises RemoteProtocolError for what is no matter of the rules; then nothing has changed.
        """
        match = self.running()
        chair = self.chair_of(player)
        if chair is None:
            raise RemoteProtocolError("not_seated")
        if match.over is not None:
            raise RemoteProtocolError("game_over")
        seat = chair.number
        if seat not in match.asked or chair.house is not None:
            raise RemoteProtocolError("not_your_turn")
        if request.turn != match.turns[seat]:
            raise RemoteProtocolError("stale_turn", turn=self.turn(seat))
        now = self._now()
        if now >= match.clocks.deadline(seat):
            self._settle()
            raise RemoteProtocolError("stale_turn", turn=self.turn(seat))
        try:
            done = Did(now, seat, self.read_action(request.action))
            self._feed(done, lambda: answer(Accepted(re=request.id, table=self.id, turn=request.turn)))
        except IllegalAction as why:
            refused = RemoteProtocolError("illegal_action", why.text, "$.action", re=request.id, rule=why.code)
        except RemoteProtocolError as error:
            refused = error
        else:
            chair.illegal_now = 0
            return
        answer(error_message(refused, request.id, clock_runs=True))
        if refused.code.name in ("illegal_action", "bad_action"):
            self._count_illegal(chair)

    def read_action(self, plain: Mapping[str, Any]) -> Action:
        """A plain map as the game's action. Raises `bad_action`."""
        try:
            action: Action = msgspec.convert({"action": plain}, self._holder).action
        except msgspec.ValidationError as error:
            text = escape(f"That is no action of {self.game.id}: {error}")[:200]
            raise RemoteProtocolError("bad_action", text, "$.action") from None
        return action

    def turn(self, seat: int) -> Turn | None:
        """What the seat is asked now, its clock as of this moment."""
        match = self.running()
        turn = match.turn(seat)
        if turn is not None:
            turn.left = round(max(0.0, match.clocks.deadline(seat) - self._now()), 3)
        return turn

    def awaits(self, player: Player) -> bool:
        """Whether a decision of this player is awaited here."""
        match, chair = self.match, self.chair_of(player)
        return match is not None and chair is not None and chair.house is None and chair.number in match.asked

    def hearer(self, ear: Ear, player: Player) -> int:
        """As whom this player hears the match: the own seat, or 0 as a spectator. Raises `not_seated`."""
        chair = self.chair_of(player)
        if chair is not None:
            return chair.number
        if ear in self.watchers:
            return SPECTATORS
        raise RemoteProtocolError("not_seated", "You have no seat at that table and do not watch it.")

    def story(self, hearer: int, after: int) -> list[Message]:
        """What that hearer was told after that message, made anew from the log. Raises `bad_cursor`."""
        match = self.running()
        if after > match.counts[hearer]:
            raise RemoteProtocolError("bad_cursor")
        return replay(self.game, match.header, self.entries, hearer, after)

    def check_resign(self, player: Player) -> Chair:
        """The chair that may be given up. Raises RemoteProtocolError with the reason why not."""
        match = self.running()
        chair = self.chair_of(player)
        if chair is None:
            raise RemoteProtocolError("not_seated")
        if match.over is not None or chair.house is not None:
            raise RemoteProtocolError("game_over", "There is nothing left to resign." if chair.house else "")
        if self.game.no_resigning:
            raise RemoteProtocolError("no_resigning", self.game.no_resigning)
        return chair

    def resign(self, player: Player) -> None:
        """A house bot plays on; the seat is placed last."""
        self._take_over(self.check_resign(player), "resigned")

    def clock_report(self) -> tuple[SeatClock, ...]:
        """All clocks at this moment."""
        return self.running().clocks.report(self._now())

    def say(self, sender: str, text: str) -> int:
        """Talk at the table; returns how many others hear it."""
        heard = self._ears()
        if self.state == "playing":
            self._feed(Spoke(self._now(), sender, text))
        else:
            for ear in heard:
                ear.push((Chat(sender=sender, text=text, table=self.id),))
        return len(heard)

    # -- coming and going ----------------------------------------------------------------------------------------------

    def away(self, player: Player) -> None:
        """The player's connection is gone; the seat waits for the rest of its grace time."""
        chair = self.chair_of(player)
        if chair is None:
            return
        chair.ear = None
        if self.state == "open":
            self.stand_up(player)
        elif self.state == "playing" and chair.house is None and chair.away is None:
            chair.away = self._now()
            self._feed(Went(chair.away, chair.number, "away"))

    def back(self, player: Player, ear: Ear) -> None:
        """The player is connected again and has been told what was missed."""
        chair = self.chair_of(player)
        if chair is None:
            return
        if chair.away is not None:
            now = self._now()
            chair.grace -= now - chair.away
            chair.away = None
            chair.ear = ear
            if self.state == "playing":
                self._feed(Went(now, chair.number, "back"))
        chair.ear = ear

    def stand_up(self, player: Player) -> float:
        """The player leaves on purpose; returns for how many seconds the seat is held."""
        chair = self.chair_of(player)
        if chair is None:
            raise RemoteProtocolError("not_seated")
        if self.state == "playing" and chair.house is None:
            self.away(player)
            return max(0.0, chair.grace)
        player.tables.pop(self.id, None)
        if self.state == "open":
            self.chairs[chair.number - 1] = Chair(chair.number, grace=self._config.grace)
            if self.owner == player.name:
                self.owner = next((other.name for other in self.chairs if other.player is not None), "")
            self._changed()
        else:
            chair.ear = None
        return 0.0

    def stalled(self, seconds: float) -> None:
        """The server stood still; running decisions and absences get that time back."""
        if self.state != "playing":
            return
        log.warning("table %s: %.2f s given back after a stall", self.id, seconds)
        for chair in self.chairs:
            if chair.away is not None:
                chair.away += seconds
        self._feed(Stalled(self._now(), seconds))

    def dismiss(self, player: Player) -> None:
        """The player is known not to come back: the house plays on without waiting."""
        chair = self.chair_of(player)
        if chair is not None and chair.house is None and self.state == "playing":
            chair.ear = None
            self._take_over(chair, "left")

    def watch(self, ear: Ear) -> None:
        """One more spectator."""
        if len(self.watchers) >= limits.WATCHERS_A_TABLE and ear not in self.watchers:
            raise RemoteProtocolError("too_many_watchers")
        self.watchers[ear] = None

    # -- time and house bots -------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """The table's task: keeps the time and plays the house bots until the match is over."""
        try:
            while self._go_on():
                if self._play_house():
                    await trio.lowlevel.checkpoint()
                    continue
                self._waking = trio.Event()
                self._alarm = self._deadline()
                with trio.CancelScope(deadline=self._zero + self._alarm) as self._scope:
                    await self._waking.wait()
                if self._scope.cancelled_caught and self._now() > self._alarm + STALL:
                    await trio.sleep(2 * STALL)  # the server stood still: first the time is given back, then it counts
                self._settle()
        except RemoteProtocolError:
            pass  # an entry failed; the match is aborted already, and logged
        except Exception:
            self._crash()
        finally:
            self.touched = trio.current_time()
            self.done.set()

    def _go_on(self) -> bool:
        return self.match is not None and self.match.over is None

    def _play_house(self) -> bool:
        """One decision of a house bot, if one is asked."""
        match = self.running()
        for seat in sorted(match.asked):
            chair = self.chairs[seat - 1]
            if chair.house is not None:
                self._feed(Did(self._now(), seat, self._house_action(chair, match), "house"))
                return True
        return False

    def _house_action(self, chair: Chair, match: Match) -> Action:
        seat, state = chair.number, match.state
        legal = state.legal_actions(seat)
        assert chair.house is not None
        try:
            action = chair.house(seat, state.view(seat), legal, match.turns[seat])
            if state.refusal(seat, action) is None:
                return action
            log.error("house bot %s chose an illegal action", chair.house_name)
        except Exception:
            log.exception("house bot %s failed", chair.house_name)
        return state.default_action(seat, self._late_chance)

    def _settle(self) -> None:
        """Does what time demands: default actions for late seats, house bots for seats whose grace is used up."""
        match, now = self.running(), self._now() + ROUNDING
        for seat in sorted(match.asked):
            if self.chairs[seat - 1].house is None and now >= match.clocks.deadline(seat):
                self._strike(self.chairs[seat - 1], "time")
        for chair in self.chairs:
            if chair.away is not None and chair.house is None and now >= chair.away + chair.grace and self._go_on():
                self._take_over(chair, "left")

    def _strike(self, chair: Chair, why: str) -> None:
        match = self.running()
        if chair.number not in match.asked:
            return
        chair.illegal_now = 0
        action = match.state.default_action(chair.number, self._late_chance)
        self._feed(Did(self._now(), chair.number, action, why))
        if why == "time" and match.late[chair.number] >= self._config.late_a_match and self._go_on():
            self._take_over(chair, "late")

    def _count_illegal(self, chair: Chair) -> None:
        """Programs that keep erring lose the decision, then the seat; people may err while their clock runs."""
        if chair.player is None or not chair.player.bot:
            return
        chair.illegal_now += 1
        chair.illegal_all += 1
        if chair.illegal_all >= self._config.illegal_a_match:
            self._take_over(chair, "illegal")
        elif chair.illegal_now >= self._config.illegal_a_decision:
            self._strike(chair, "illegal")

    def _house_seed(self) -> int:
        """From the deal's seed, so that a match with a given seed repeats itself, house bots and all."""
        return self._late_chance.below("house", 2**32)

    def _take_over(self, chair: Chair, how: str) -> None:
        """A house bot plays the seat from now on. Its player goes on hearing, but decides no more."""
        names = self._house.names(self.game)
        chair.house_name = self.game.house_bot if self.game.house_bot in names else names[0]
        chair.house = self._house.make(self.game, chair.house_name, self._house_seed())
        chair.away = None
        self._feed(Went(self._now(), chair.number, how, chair.house_name))

    # -- within --------------------------------------------------------------------------------------------------------

    def _now(self) -> float:
        return trio.current_time() - self._zero

    def _deadline(self) -> float:
        """The next moment at which time alone changes something."""
        match = self.running()
        soonest = float("inf")
        for seat in match.asked:
            if self.chairs[seat - 1].house is None:
                soonest = min(soonest, match.clocks.deadline(seat))
        for chair in self.chairs:
            if chair.away is not None:
                soonest = min(soonest, chair.away + chair.grace)
        return soonest

    def _feed(self, entry: Entry, accepted: Callable[[], None] | None = None) -> None:
        """Takes an entry into match and log, tells everybody, and sets the table's alarm anew."""
        match = self.running()
        try:
            letters = match.feed(entry, self._wanted())
        except IllegalAction:
            raise
        except Exception:
            self._crash()
            raise RemoteProtocolError("internal") from None
        self.entries.append(entry)
        if accepted is not None:
            accepted()
        self._deliver(letters)
        if match.over is not None or any(self.chairs[seat - 1].house is not None for seat in match.asked):
            self._waking.set()
        else:
            alarm = self._deadline()
            if alarm < self._alarm:  # a later one is found when this one rings
                self._alarm = alarm
                self._scope.deadline = self._zero + alarm

    def _wanted(self) -> list[int]:
        wanted = [chair.number for chair in self.chairs if chair.ear is not None]
        if self.watchers:
            wanted.append(SPECTATORS)
        return wanted

    def _deliver(self, letters: Letters) -> None:
        """Tells everybody; who has to decide next hears it first."""
        asked = self.running().asked
        for hearer in [*(one for one in letters if one in asked), *(one for one in letters if one not in asked)]:
            messages = letters[hearer]
            if not messages:
                continue
            if hearer == SPECTATORS:
                for ear in list(self.watchers):
                    ear.push(messages)
            else:
                ear_of_seat = self.chairs[hearer - 1].ear
                if ear_of_seat is not None:
                    ear_of_seat.push(messages)

    def _crash(self) -> None:
        """We erred: the match is aborted and its players told; the server lives on."""
        incident = secrets.token_hex(4)
        log.exception("incident %s: table %s aborted", incident, self.id)
        match = self.match
        if match is None or match.over is not None:
            return
        self.match = match = self._as_logged(match)
        entry = Aborted(self._now(), f"The server erred (incident {incident}); the match does not count.")
        letters = match.feed(entry, self._wanted())
        self.entries.append(entry)
        self._deliver(letters)
        self._waking.set()

    def _as_logged(self, match: Match) -> Match:
        """The match without what a failed entry left behind: whoever comes back later is told by the log alone."""
        try:
            clean = Match(self.game, match.header)
            clean.begin(())
            for entry in self.entries:
                clean.feed(entry, ())
        except Exception:
            log.exception("table %s cannot be folded again", self.id)
            return match
        return clean

    def _must_be_open(self) -> None:
        self.touched = trio.current_time()
        if self.match is not None:
            raise RemoteProtocolError("already_started")

    def _free(self, seat: int) -> Chair:
        if seat > len(self.chairs):
            raise RemoteProtocolError("bad_field", f"This table has seats 1 to {len(self.chairs)}.", "$.seat")
        if seat:
            if self.chairs[seat - 1].name:
                raise RemoteProtocolError("seat_taken")
            return self.chairs[seat - 1]
        for chair in self.chairs:
            if not chair.name:
                return chair
        raise RemoteProtocolError("table_full")

    def _ears(self) -> list[Ear]:
        return [*(chair.ear for chair in self.chairs if chair.ear is not None), *self.watchers]

    def _changed(self, but: Player | None = None) -> None:
        message = (TableChanged(info=self.info()),)
        for ear in self._ears():
            if but is None or ear is not but.ear:
                ear.push(message)
