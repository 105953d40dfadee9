"""Enforces the clocks of a match, the grace of absent players and the limits on illegal actions, and lets house bots
play seats. Callers pass the current time, in seconds since the match began."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, Protocol, TypeAlias

from games.api import Action
from games.chance import Chance
from matches.fold import Entry, Match
from matches.house import HouseBots, HouseQuestion
from matches.seats import PlannedAction, SeatState
from protocol.entries import ActionRefused, ActionTaken, PauseWanted, PresenceChanged, ServerStalled, UndoWanted

NOW, NEVER = float("-inf"), float("inf")
AGAIN = 0.5  # seconds until a house bot is checked again that did not act although it was due
ROUNDING = 1e-6  # in seconds: because of rounding, timers may fire this much early

Fault: TypeAlias = Literal["late", "illegal", "failed"]
"""What a house bot did wrong: it took too long, chose an illegal action, or raised an exception."""


class MatchLimits(Protocol):
    """The limits that the referee enforces. It reads them at each use, so they may change during a match."""

    @property
    def illegal_a_match(self) -> int:
        """Number of illegal actions in one match after which a house bot takes over a program's seat."""
        ...

    @property
    def illegal_a_decision(self) -> int:
        """Number of illegal actions in one decision after which the server makes that decision for a program."""
        ...

    @property
    def illegal_a_match_person(self) -> int:
        """Number of illegal actions in one match after which a house bot takes over a person's seat."""
        ...

    @property
    def illegal_a_decision_person(self) -> int:
        """Number of illegal actions in one decision after which the server makes that decision for a person."""
        ...

    @property
    def late_a_match(self) -> int:
        """Number of late decisions in one match after which a house bot takes over the seat."""
        ...

    @property
    def pause_a_match(self) -> float:
        """Seconds that all pauses of a match together may take, if the match belongs to no cup."""
        ...

    @property
    def pause_in_cups(self) -> float:
        """Seconds that all pauses of a match together may take, if the match belongs to a cup."""
        ...

    @property
    def undo_seconds(self) -> float:
        """Seconds for which house bots wait until all people agree to take a decision back."""
        ...

    @property
    def house_seconds(self) -> float:
        """Delay before each action of a house bot, in seconds."""
        ...

    @property
    def late_house_seconds(self) -> float:
        """Seconds after the planned time of its action at which a house bot that has not chosen counts as late."""
        ...


class LogWriter(Protocol):
    """Adds an entry to a match and its log, calls `answer`, and then sends the resulting messages."""

    def __call__(self, entry: Entry, answer: Callable[[], None] | None = None, /) -> None:
        """Raises IllegalAction if the rules refuse the action, and then changes nothing."""
        ...


class Referee:
    """Enforces the limits of one match and plays its house bots. Callers drive the match with `rounds`.

    Args:
        seats: The seats, seat 1 first.
        match: The match, which has begun.
        limits: The limits to enforce.
        house: Creates the house bots that take over seats.
        chance: The secret random generator of the match, for default actions and bots' seeds.
        record: Adds an entry to the match and its log, as LogWriter describes.
        wake: Called when a house bot answers after `ask` returned, so that the caller checks again what is due.
        note_fault: Called with a seat whose house bot failed, and how it failed.
    """

    def __init__(
        self,
        seats: Sequence[SeatState],
        match: Match,
        limits: MatchLimits,
        house: HouseBots,
        chance: Chance,
        record: LogWriter,
        wake: Callable[[], None] = lambda: None,
        note_fault: Callable[[SeatState, Fault], None] = lambda _seat, _fault: None,
    ) -> None:
        self._seats, self._match, self._chance, self._record = seats, match, chance, record
        self._limits, self._house, self._wake, self._note_fault = limits, house, wake, note_fault
        self._pace = limits.house_seconds

    def set_pace(self, seconds: float) -> None:
        """Sets the delay before each action of a house bot from now on, in seconds."""
        self._pace = seconds

    def iter_rounds(self, now: Callable[[], float | None]) -> Iterator[float]:
        """Drives the match to its end: makes house bots choose, and performs the automatic actions that are due.

        Args:
            now: Returns the time, in seconds since the match began; None while the match is suspended.

        Yields:
            NOW before a house bot acts, otherwise the time until which the caller waits for players.
        """
        match = self._match
        while match.over is None:
            if self.awaits_house_bot:
                yield NOW
                if (at := now()) is not None and self.awaits_house_bot and self.play_house_bot(at):
                    continue
            at, moment = now(), self.next_action_time()
            yield NEVER if at is None else moment if moment != NOW else at + AGAIN
            if (at := now()) is not None:
                self.perform_due_actions(at)

    def resume_from_log(self, entries: Sequence[Entry]) -> None:
        """Brings the states of the seats up to the end of this log, from which the match was restored."""
        for entry in entries:
            match entry:
                case PresenceChanged(by=""):
                    self.record_presence(entry.seat, entry.how, entry.at)
                case PresenceChanged():
                    self.give_to_house_bot(self._seats[entry.seat - 1], entry.by)
                case ActionRefused():
                    self._seats[entry.seat - 1].count_illegal_action()
                case ActionTaken():
                    self._seats[entry.seat - 1].illegal_now = 0
                case ServerStalled():
                    for seat_state in self._seats:
                        seat_state.add_grace(entry.seconds.get(0, 0.0))

    def record_presence(self, seat: int, how: str, at: float) -> None:
        """Records that the seat's player is `away`, has `left` or is `back`. The time of a pause is not taken from the
        grace."""
        self._seats[seat - 1].record_presence(at - self._match.pauses.paused_seconds_until(at), how)

    def next_action_time(self) -> float:
        """Returns the time when the next automatic action is due: NOW if a house bot has to choose, NEVER if no action
        is due."""
        match, seat_states = self._match, self._seats
        if match.pauses.is_on:
            return match.pauses.began + self.pause_seconds_left()
        is_wanted = bool(match.undos.wanting)
        soonest = match.undos.since + self._limits.undo_seconds if is_wanted else NEVER
        for seat in match.asked:
            seat_state = seat_states[seat - 1]
            if seat_state.house is None:
                soonest = min(soonest, match.clocks.deadline(seat))
            elif is_wanted:
                continue
            elif seat_state.thought is None or seat_state.thought.turn != match.turns[seat]:
                return NOW
            else:
                soonest = min(
                    soonest, seat_state.thought.at if seat_state.thought.action is not None else seat_state.thought.late
                )
        for seat_state in seat_states:
            if seat_state.away is not None:
                soonest = min(soonest, seat_state.away + seat_state.grace + match.pauses.paused_seconds)
        return soonest

    def perform_due_actions(self, now: float) -> None:
        """Performs the automatic actions that are due: ends a pause or an undo request whose time is used up, plays
        default actions for late seats, and gives seats whose grace is used up to house bots."""
        pauses = self._match.pauses
        if pauses.is_on:
            if now + ROUNDING >= pauses.began + self.pause_seconds_left():
                self._record(PauseWanted(now))
            return
        undos = self._match.undos
        if undos.wanting and now + ROUNDING >= undos.since + self._limits.undo_seconds:
            self._record(UndoWanted(now))
        for seat in sorted(self._match.asked):
            seat_state = self._seats[seat - 1]
            if seat_state.house is None and now + ROUNDING >= self._match.clocks.deadline(seat):
                self._strike(seat_state, now, "time")
        for seat_state in self._seats:
            if seat_state.away is None or seat_state.house is not None or self._match.over is not None:
                continue
            if now + ROUNDING >= seat_state.away + seat_state.grace + pauses.paused_seconds:
                self.take_over(seat_state, now, "left")

    def pause_seconds_left(self) -> float:
        """Returns how many seconds the pauses of the match may still take, not counting the current pause."""
        most = self._limits.pause_in_cups if self._match.header.word else self._limits.pause_a_match
        return most - self._match.pauses.paused_seconds

    def record_decision(self, seat: int, action: Action, now: float, answer: Callable[[], None] | None = None) -> None:
        """Records a decision of the seat's player. Raises IllegalAction if the rules refuse it, and then changes
        nothing."""
        self._record(ActionTaken(now, seat, action), answer)
        self._seats[seat - 1].illegal_now = 0

    def record_illegal_action(self, entry: ActionRefused[Action], answer: Callable[[], None] | None = None) -> None:
        """Records an illegal action. After too many in one decision the server makes the decision, after too many in
        the match a house bot takes over the seat. Programs have lower limits than people."""
        self._record(entry, answer)
        seat_state, now = self._seats[entry.seat - 1], entry.at
        seat_state.count_illegal_action()
        in_match, in_decision = self._errors_allowed(seat_state)
        if seat_state.illegal_all >= in_match:
            self.take_over(seat_state, now, "illegal")
        elif seat_state.illegal_now >= in_decision:
            self._strike(seat_state, now, "illegal")

    def allows_another_error(self, seat_state: SeatState) -> bool:
        """Returns whether the seat could still decide after one more illegal action."""
        in_match, in_decision = self._errors_allowed(seat_state)
        return seat_state.illegal_all + 1 < in_match and seat_state.illegal_now + 1 < in_decision

    def _errors_allowed(self, seat_state: SeatState) -> tuple[int, int]:
        """Returns the limits on illegal actions of the seat, per match and per decision."""
        config = self._limits
        if seat_state.is_program:
            return config.illegal_a_match, config.illegal_a_decision
        return config.illegal_a_match_person, config.illegal_a_decision_person

    def take_over(self, seat_state: SeatState, now: float, how: str) -> None:
        """Gives the seat to a house bot from now on. Its player still gets all messages, but no longer decides."""
        game = self._match.game
        bot, names = game.house_bot, self._house.names(game)
        self.give_to_house_bot(seat_state, bot if bot in names else names[0])
        self._record(PresenceChanged(now, seat_state.number, how, seat_state.house_name))

    def give_to_house_bot(self, seat_state: SeatState, bot: str) -> None:
        """Lets that house bot play the seat from now on, and ends the grace of the seat's player."""
        seat_state.house_name, seat_state.away = bot, None
        match, seed = self._match, house_bot_seed(self._chance, seat_state.number)
        seat_state.house = self._house.make(match.game, match.seats, match.header.options, bot, seed)

    @property
    def awaits_house_bot(self) -> bool:
        """Whether the match waits for a decision of a house bot."""
        match = self._match
        if match.pauses.is_on or match.undos.wanting:
            return False
        return any(self._seats[seat - 1].house is not None for seat in match.asked)

    def play_house_bot(self, now: float) -> bool:
        """Makes a house bot choose, or performs the action of one that has chosen. Returns False if nothing is due yet.

        The delay between choosing and acting is constant, because a bot's thinking time could reveal its cards.
        """
        match = self._match
        for seat in sorted(match.asked):
            seat_state = self._seats[seat - 1]
            if seat_state.house is None:
                continue
            thought = seat_state.thought
            chosen = thought is None or thought.turn != match.turns[seat]
            if thought is None or chosen:
                thought = self._ask_house(seat_state, now)
            if thought.action is None and now + ROUNDING >= thought.late:
                self._note_fault(seat_state, "late")
                seat_state.house.close()
                thought.action = self._default_action(seat)
            if thought.action is not None and now + ROUNDING >= thought.at:
                if match.state.refusal_reason(seat, thought.action) is None:
                    self._record(ActionTaken(now, seat, thought.action, "house"))
                else:
                    seat_state.thought = None  # another seat's action has made it illegal
                return True
            if chosen:
                return True
        return False

    def _strike(self, seat_state: SeatState, now: float, why: str) -> None:
        match, seat = self._match, seat_state.number
        if seat not in match.asked:
            return
        seat_state.illegal_now = 0
        self._record(ActionTaken(now, seat, self._default_action(seat), why))
        if why == "time" and match.late[seat] >= self._limits.late_a_match and match.over is None:
            self.take_over(seat_state, now, "late")

    def _ask_house(self, seat_state: SeatState, now: float) -> PlannedAction:
        seat, match, bot = seat_state.number, self._match, seat_state.house
        assert bot is not None
        left = match.clocks.deadline(seat) - now
        # at most half of the time left, because the bot's own clock is running
        at = now + min(self._pace + bot.seconds, left / 2)
        thought = seat_state.thought = PlannedAction(match.turns[seat], at, at + self._limits.late_house_seconds)

        def answer(action: Action | None) -> None:
            if thought is not seat_state.thought or thought.action is not None or match.over is not None:
                return  # the referee no longer waits for this answer
            legal = action is not None and match.state.refusal_reason(seat, action) is None
            if action is not None and not legal:
                self._note_fault(seat_state, "illegal")
            thought.action = action if legal else self._default_action(seat)
            if thought.is_awaited:
                self._wake()

        state = match.state
        try:
            legal = state.legal_actions(seat)
            told = HouseQuestion(seat, state.view(seat), legal, thought.turn, lambda: state.knowledge(seat), left)
            bot.ask(told, answer)
        except Exception:
            self._note_fault(seat_state, "failed")
            answer(None)
        thought.is_awaited = True
        return thought

    def close_house_bots(self) -> None:
        """Closes all house bots, because the match has ended or continues elsewhere."""
        for seat_state in self._seats:
            if seat_state.house is not None:
                seat_state.house.close()

    def _default_action(self, seat: int) -> Action:
        """Returns the game's default action for the seat. Its randomness depends only on the turn, so that it is the
        same after a restart."""
        match = self._match
        return match.state.default_action(seat, self._chance.clone().fork(f"{seat} {match.turns[seat]}"))


def house_bot_seed(chance: Chance, seat: int) -> int:
    """Returns the seed of the house bot in that seat, derived from the secret seed of the deal.

    So the house bots of a match choose the same actions if it is played again with the same deal, and these cannot be
    predicted before the seed of the deal is published. The seed has 64 bits. All seeds of 32 bits could be tried
    against the bot's earlier actions, which would reveal its later choices.
    """
    draws, label = chance.clone(), f"house {seat}"
    return draws.below(label, 2**32) << 32 | draws.below(label, 2**32)
