"""A match as the fold of its log: applies the log's entries one by one, and computes the messages that each receiver
gets. Pure.

The live table, a resumed player, a late spectator and a replay all feed the same entries to the same code, so they get
the same messages. Receivers are the seats 1..N, and 0 for all spectators together.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import TypeAlias

import msgspec

from games.api import Action, AddressedEvent, Game, Outcome, State, options_from
from games.chance import Chance, deal_key, seed_commitment
from languages import ENGLISH, speaking
from matches.clock import MatchClocks
from matches.pauses import Pauses
from matches.results import forfeits_text, sorted_by_place
from matches.undos import Undos, is_revealing
from protocol.entries import (
    ActionRefused,
    ActionTaken,
    ChatSent,
    MatchAborted,
    PauseWanted,
    PresenceChanged,
    ServerStalled,
    UndoWanted,
)
from protocol.messages import (
    Chat,
    ClockRule,
    Happened,
    Late,
    Map,
    MatchStarted,
    Message,
    Over,
    Paused,
    Presence,
    SeatInfo,
    SeatResult,
    TurnUpdate,
    Undone,
)
from protocol.messages.parts import WANTS

SPECTATORS = 0
Outgoing: TypeAlias = dict[int, list[Message]]  # messages by receiver, in order


class MatchHeader(msgspec.Struct, frozen=True):
    """The data of a match that are fixed when it begins. They contain the secret seed, so no player gets all of
    them."""

    table: str
    game: str
    options: Map
    seats: tuple[SeatInfo, ...]
    clock: ClockRule
    seed: bytes
    salt: bytes
    nonces: tuple[str, ...]
    grace: float
    word: str = ""  # seed for bots in a cup; a match with a word shows `seed` and `salt` only in its replay
    delay: int = 0  # seconds until spectators may see all hands; 0: never
    magehall: str = ""  # version of the server that played the match


Entry: TypeAlias = (
    ActionTaken[Action]
    | ActionRefused[Action]
    | PresenceChanged
    | ChatSent
    | ServerStalled
    | PauseWanted
    | UndoWanted
    | MatchAborted
)


class Match:
    """A match in progress or finished.

    Its methods append messages to `outgoing`, only for the receivers that are keys of that dict. They number the
    messages of all receivers.
    """

    def __init__(self, game: Game, header: MatchHeader) -> None:
        self.game, self.header = game, header
        self.seats = len(header.seats)
        self.clocks = MatchClocks([seat.clock or header.clock for seat in header.seats])
        hearers = self.seats + 1  # index 0 is the spectators
        self.turns = [0] * hearers  # decisions requested so far, by seat
        self.asked_in = [0] * hearers  # number of the latest turn message, by seat
        self.asked: set[int] = set()  # seats that have to decide now
        self.counts = [0] * hearers  # messages so far, by receiver
        self.how = ["played"] * hearers  # by seat: "played", or why a house bot took it over
        self.late = [0] * hearers  # default actions so far, by seat
        self.over: Over | None = None
        self.wants = [WANTS] * hearers  # the parts of each seat's turn messages
        self.unsubscribed: Collection[int] = ()  # receivers that get no event messages, though these are numbered
        self.told: list[AddressedEvent] = []  # events of the last decision; before the first one, of the deal
        self.pauses = Pauses(seat for seat, info in enumerate(header.seats, 1) if info.kind == "person")
        self.undos = Undos(self.pauses.people)
        self.state: State

    def begin(self, outgoing: Outgoing) -> None:
        """Deals, and appends the first messages to `outgoing`."""
        self.state, self.told = self._replayed(())
        for hearer in self._count():
            if hearer in outgoing:
                outgoing[hearer].append(self.start_message(hearer))
        self._publish(self.told, outgoing)
        self._ask(self.state.to_move(), 0.0, outgoing)

    def apply(self, entry: Entry, outgoing: Outgoing) -> None:
        """Applies the next entry of the log. Raises IllegalAction if the rules refuse an action."""
        match entry:
            case ActionTaken():
                self._do(entry, outgoing)
            case ActionRefused():
                pass
            case PresenceChanged():
                self._go(entry, outgoing)
            case ChatSent():
                self._all(Chat(sender=entry.sender, text=entry.text, table=self.header.table), outgoing)
            case ServerStalled():
                self.clocks.extend_deadlines(entry.seconds)
            case PauseWanted():
                self._pause(entry, outgoing)
            case UndoWanted():
                self._undo(entry, outgoing)
            case MatchAborted():
                self._end(None, entry.text, outgoing)

    def turn_message(self, seat: int) -> TurnUpdate | None:
        """Returns the turn message of the decision that the seat has to make now; None if there is none. Its `left` is
        the time for the whole decision, in seconds, not the time that remains."""
        if seat not in self.asked:
            return None
        return self._turn(seat)

    def _do(self, entry: ActionTaken[Action], outgoing: Outgoing) -> None:
        seat = entry.seat
        told = self.told = self.state.apply(seat, entry.action)
        self.undos.add_decision(entry)
        if self.pauses.is_on:
            self._pause(PauseWanted(entry.at, seat), outgoing)
        self.clocks.stop_clock(seat, entry.at)
        self.asked.discard(seat)
        if entry.why in ("time", "illegal"):
            self.late[seat] += 1
            why = sys.intern(entry.why)  # interned, because msgspec omits only the default's own object
            late = Late(table=self.header.table, n=0, seat=seat, count=self.late[seat], why=why)
            self._all(late, outgoing)
        self._publish(told, outgoing)
        if movers := self.state.to_move():
            self._ask(movers, entry.at, outgoing)
            return
        with speaking(ENGLISH):  # English for all, whatever the language of the player who decided last
            outcome = self.state.outcome()
            assert outcome is not None
            self._end(outcome, outcome.text, outgoing)

    def _go(self, entry: PresenceChanged, outgoing: Outgoing) -> None:
        if entry.by and entry.seat not in self.state.eliminated_seats():
            self.how[entry.seat] = entry.how
        name = self.header.seats[entry.seat - 1].name
        if entry.by:
            self.pauses.remove_seat(entry.seat)
            if self.undos.wanting:
                self._undo(UndoWanted(entry.at), outgoing)
            if self.pauses.is_on and not self.pauses.people:
                self._pause(PauseWanted(entry.at, entry.seat), outgoing)
        presence = Presence(table=self.header.table, n=0, seat=entry.seat, name=name, how=entry.how, by=entry.by)
        self._all(presence, outgoing)

    def _pause(self, entry: PauseWanted, outgoing: Outgoing) -> None:
        was_on = self.pauses.is_on
        self.pauses.apply(entry)
        if self.pauses.is_on and not was_on:
            self.clocks.pause(entry.at)
        elif was_on and not self.pauses.is_on:
            self.pauses.ended.append((entry.at, self.clocks.resume(entry.at)))
        wanting = tuple(sorted(self.pauses.wanting))
        told = Paused(table=self.header.table, n=0, seat=entry.seat, wanting=wanting, on=self.pauses.is_on)
        self._all(told, outgoing)

    def _undo(self, entry: UndoWanted, outgoing: Outgoing) -> None:
        if (latest := self.undos.latest_decision) is None:
            return
        done = self.undos.apply(entry)
        wanting, header = tuple(sorted(self.undos.wanting)), self.header
        undone = Undone(table=header.table, n=0, seat=entry.seat, decided=latest.seat, wanting=wanting, done=done)
        for hearer in self._count():
            if hearer in outgoing:
                events = tuple([one.event for one in self.told if one.is_for(hearer or None)])
                outgoing[hearer].append(msgspec.structs.replace(undone, n=self.counts[hearer], events=events))
        if not done:
            return
        self.undos.remove_latest()
        self.state, self.told = self._replayed(self.undos.decisions)
        for seat in self.asked:
            self.clocks.stop_clock(seat, entry.at)
        self.asked.clear()
        self._ask(self.state.to_move(), entry.at, outgoing)

    def has_revealed(self) -> bool:
        """Returns whether the latest decision has shown anyone something that was hidden before; see `is_revealing`. At
        least one decision must not have been taken back."""
        *before, latest = self.undos.decisions
        return is_revealing(self._replayed(before)[0], latest, self.told)

    def _replayed(self, decisions: Collection[ActionTaken[Action]]) -> tuple[State, list[AddressedEvent]]:
        """Deals again, and applies these decisions. Returns the state, and the events of the last decision; without
        decisions, those of the deal."""
        options = options_from(self.game, self.header.options)
        chance = Chance(deal_key(self.header.seed, self.header.nonces))
        state, told = self.game.start(self.seats, options, chance)
        for one in decisions:
            told = state.apply(one.seat, one.action)
        return state, told

    def _ask(self, movers: Collection[int], now: float, outgoing: Outgoing) -> None:
        self.asked.intersection_update(movers)
        for seat in sorted(movers):
            if seat in self.asked:
                continue
            self.asked.add(seat)
            self.turns[seat] += 1
            self.clocks.start_clock(seat, now)
            if self.how[seat] == "played":
                self.counts[seat] += 1
                self.asked_in[seat] = self.counts[seat]
                if seat in outgoing:
                    outgoing[seat].append(self._turn(seat))

    def _turn(self, seat: int) -> TurnUpdate:
        state, wants = self.state, self.wants[seat]
        return TurnUpdate(
            table=self.header.table,
            n=self.asked_in[seat],
            turn=self.turns[seat],
            left=self.clocks.max_decision_time(seat),
            main=self.clocks.main_time_left(seat),
            view=state.view(seat) if "view" in wants else None,
            legal=state.legal_actions(seat) if "legal" in wants else (),
            knowledge=state.knowledge(seat) if "knowledge" in wants else None,
        )

    def _publish(self, told: list[AddressedEvent], outgoing: Outgoing) -> None:
        table, counts, unsubscribed = self.header.table, self.counts, self.unsubscribed
        hearing = [(hearer, messages) for hearer, messages in outgoing.items() if hearer not in unsubscribed]
        for one in told:
            only, but, event = one.only, one.but, one.event
            if only is not None:
                counts[only] += 1
                if only in outgoing and only not in unsubscribed:
                    outgoing[only].append(Happened(table=table, n=counts[only], event=event))
                continue
            counts[:] = [count + 1 for count in counts]
            if but is not None:
                counts[but] -= 1
            for hearer, messages in hearing:
                if hearer != but:
                    messages.append(Happened(table=table, n=counts[hearer], event=event))

    def _all(self, message: Chat | Late | Presence | Paused | Over, outgoing: Outgoing) -> None:
        for hearer in self._count():
            if hearer in outgoing:
                outgoing[hearer].append(msgspec.structs.replace(message, n=self.counts[hearer]))

    def _count(self) -> range:
        for hearer in range(len(self.counts)):
            self.counts[hearer] += 1
        return range(len(self.counts))

    def start_message(self, hearer: int) -> MatchStarted:
        """Returns the first message of the match for that receiver."""
        header = self.header
        return MatchStarted(
            table=header.table,
            n=self.counts[hearer],
            game=header.game,
            rules_version=self.game.rules_version,
            options=msgspec.to_builtins(options_from(self.game, header.options)),
            seats=header.seats,
            clock=header.clock,
            commitment=seed_commitment(header.seed, header.salt),
            nonces=header.nonces,
            grace=header.grace,
            you=hearer,
            cards=self.game.cards_digest,
            word=header.word,
            delay=header.delay,
        )

    def _end(self, outcome: Outcome | None, text: str, outgoing: Outgoing) -> None:
        self.asked.clear()
        self.clocks.stop_all()
        results = self._results(outcome) if outcome else ()
        if outcome:
            text = self._ending(outcome, results)
        self.over = Over(
            table=self.header.table,
            n=0,
            results=results,
            reason=outcome.reason if outcome else "aborted",
            text=text,
            seed=self.header.seed.hex(),
            salt=self.header.salt.hex(),
            aborted=outcome is None,
        )
        told = self.over
        if self.header.word:
            told = msgspec.structs.replace(told, seed="", salt="")
        self._all(told, outgoing)

    def _ending(self, outcome: Outcome, results: tuple[SeatResult, ...]) -> str:
        """Returns a sentence about how the match ended, in English and with the names of the winners.

        The game words this sentence, unless a house bot had taken over the seat in first place.
        """
        first = [info.name for info, place in zip(self.header.seats, outcome.places, strict=True) if place == 1]
        if any(one.how != "played" and outcome.places[one.seat - 1] == 1 for one in results):
            text = forfeits_text(results)
        else:
            text = self.game.words.ending_sentence(outcome.reason, first, max(outcome.scores)) or outcome.text
        return text

    @property
    def result_text(self) -> str:
        """The places, names and scores in one line for people; "" while the match is running."""
        results = self.over.results if self.over is not None else ()
        return ", ".join(f"{place}. {one.name} {one.score}" for place, one in sorted_by_place(results))

    def _results(self, outcome: Outcome) -> tuple[SeatResult, ...]:
        """Returns the result of each seat. Seats whose players stayed until the end, or until the rules put them out,
        are ranked among themselves. All other seats share the last place."""
        stayed = [seat for seat in range(1, self.seats + 1) if self.how[seat] == "played"]
        places = outcome.places
        results = []
        for seat in range(1, self.seats + 1):
            if self.how[seat] == "played":
                place = 1 + sum(places[other - 1] < places[seat - 1] for other in stayed)
            else:
                place = self.seats
            info = self.header.seats[seat - 1]
            results.append(
                SeatResult(seat, info.name, outcome.scores[seat - 1], place, self.how[seat], self.late[seat])
            )
        return tuple(results)


def fold(game: Game, header: MatchHeader, log: Collection[Entry], outgoing: Outgoing) -> Match:
    """Returns the match computed from its log. Appends messages to `outgoing`, only for the receivers that are keys of
    that dict."""
    match = Match(game, header)
    match.begin(outgoing)
    for entry in log:
        match.apply(entry, outgoing)
    return match
