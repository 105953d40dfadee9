"""A table as one person sees it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from games.api import Action, Line, Unreadable, View, to_map
from games.spelling import shown, understood
from matches.seat import JoinedTable
from matches.turn import Turn
from people.effects import Effects
from people.language import _
from people.text.sentences import LONG_CLOCK
from people.text.where import Decision
from protocol.errors import Refusal
from protocol.messages import Late, Over, Presence, SeatClock, Started, TableInfo
from protocol.messages.parts import Map

WARNINGS = (10.0, 30.0, 60.0)  # seconds before a decision is late, the most urgent first


@dataclass
class PersonTable(JoinedTable):
    """A table where the person sits or watches."""

    people: list[str]
    state: str = "open"
    turn: Turn | None = None  # the decision that is awaited
    fresh: bool = False  # the person was not asked for it yet
    sent: Turn | None = None  # the decision that was sent and not yet accepted
    deadline: float = 0.0
    warned: float = 0.0  # at how many seconds before it the person was warned
    view: View | None = None  # the last one seen
    aimed: bool = False  # the game's aim was said
    sums: list[str] = field(default_factory=list)  # of the round that ended last, as they were said
    adding: list[Line] = field(default_factory=list)  # the same, until the person has typed something
    alone: tuple[Action, float] | None = None  # what is done for the person, and when
    auto: bool = False  # the person lets things be until something concerns them
    told_of_auto: bool = False
    played_by: str = ""  # the house bot that plays the person's seat; "" while they play it
    starting: bool = False  # the start was asked for
    over: Over | None = None  # how the match ended
    takes_back: bool = False  # a seat asks to take the latest decision back
    is_undone: bool = False  # a decision was taken back, and the person has not seen the table since
    paused_at: float | None = None  # since when no clock runs
    known: Started | TableInfo | None = None  # what was told last of its match
    before: View | None = None  # as it was seen at the person's last decision
    running: frozenset[int] = frozenset()  # seats that have to decide
    clocks: tuple[SeatClock, ...] = ()
    clocks_told: float = 0.0

    def first_lines(self) -> list[Line]:
        """What is said before the person is asked: the game's aim the first time, and each round's sums once."""
        lines: list[Line] = []
        if not self.aimed:
            self.aimed = True
            lines += [[("title", text)] for text in self.game.aim.split("\n") if text]
        return [*lines, *self.new_sums()]

    def new_sums(self) -> list[Line]:
        """How the round that has ended adds up, unless that was said."""
        sums = self.game.words.account(self.view, self.people) if self.view is not None else []
        if not sums or sums == self.sums:
            return []
        self.sums, self.adding = sums, [[("", text)] for text in sums]
        return self.adding

    @property
    def is_asked(self) -> bool:
        """Whether a decision is awaited that the person makes."""
        return self.turn is not None and self.alone is None

    def take_turn(self, turn: Turn, left: float, now: float) -> None:
        """A decision is awaited, for so many seconds."""
        self.turn, self.view, self.fresh, self.sent, self.alone = turn, turn.view, True, None, None
        self.deadline, self.warned = now + left, left

    def take_no_turn(self) -> None:
        """No decision of the person's is awaited."""
        self.turn = None

    def take_back(self, *, asked: bool) -> None:
        """A seat asks to take the latest decision back, or does so no more."""
        self.takes_back = asked

    def undo(self) -> None:
        """The latest decision was taken back, and a turn that was pending is void."""
        self.turn = self.sent = None
        self.takes_back, self.is_undone = False, True

    def see_undone(self) -> bool:
        """Returns, once, whether a decision was taken back."""
        was_undone, self.is_undone = self.is_undone, False
        return was_undone

    def asked(self) -> None:
        """The person was asked for the decision."""
        self.fresh = False

    def decide_alone(self, action: Action, at: float) -> None:
        """That action is done for the person at that time, unless they decide before."""
        self.alone = action, at

    def due(self, now: float) -> Action | None:
        """What is to be done for the person by now, which waits for the end of a pause; it is not due again."""
        if self.turn is None or self.alone is None or now < self.alone[1] or self.paused_at is not None:
            return None
        action, self.alone = self.alone[0], None
        return action

    def unconcerned(self) -> Action | None:
        """The action that lets things be, where the awaited decision does not concern the person; else None."""
        turn = self.turn
        return self.game.unconcerned(turn.view, turn.legal) if turn is not None and turn.view is not None else None

    def let_be(self, *, on: bool) -> None:
        """The person lets things be until something concerns them, or no longer, and is asked again then."""
        self.auto, self.told_of_auto = on, True
        if not on and self.alone is not None:
            self.alone, self.fresh = None, True

    def tell_of_auto(self) -> None:
        """The person was told that they may let things be."""
        self.told_of_auto = True

    def settled(self, *, refused: bool) -> None:
        """The decision that was sent was accepted or, if `refused`, is still to be made."""
        if refused:
            self.turn = self.turn or self.sent
        self.sent = None

    def see(self, view: Any) -> View:
        """The table looks like this now."""
        self.view = self.read_view(view)
        return self.view

    def end(self, over: Over) -> None:
        """The match is over."""
        self.state, self.turn, self.over, self.auto = "over", None, over, False

    def read(self) -> None:
        """The sums of the last round were read."""
        self.adding = []

    def start(self, *, asked: bool) -> None:
        """The start was asked for, or not yet."""
        self.starting = asked

    def seat_people(self, info: TableInfo) -> None:
        """These sit there now."""
        self.people = [one.name for one in info.seats]

    def names(self) -> list[str]:
        """The names of the seats, first seat first."""
        return self.people

    def decision(self) -> Decision | None:
        """The decision that is awaited, as the typed language needs it."""
        turn = self.turn
        if turn is None:
            return None

        def read(line: str) -> list[Map]:
            try:
                return [to_map(one) for one in understood(turn.game, line, turn.view, turn.legal, self.people)]
            except Unreadable as error:
                raise Refusal("unreadable", str(error)) from None

        def listed(place: int) -> Map:
            return to_map(turn.legal[place])

        def said(place: int) -> str:
            return shown(turn.game.words, turn.legal[place])

        return Decision(self.id, turn.number, len(turn.legal), listed, said, read)

    def decided(self) -> None:
        """The decision was sent."""
        self.sent, self.turn = self.turn, None
        self.before = self.sent.view if self.sent is not None else self.before

    def is_decided_by(self, message: Late | Presence, heard: Effects) -> bool:
        """Whether that takes the decision from the person; says who plays their seat from now on."""
        if message.seat != self.seat or (isinstance(message, Presence) and not message.by):
            return False
        self.turn = None
        if isinstance(message, Presence):
            self.played_by = message.by
            if message.how != "resigned":
                heard.say(_("{by} plays your seat from now on.", by=message.by), "bad")
        return True

    def take(self, info: TableInfo, seat: int) -> None:
        """The table as it is now, where the person has that seat, or 0 for the one that they had."""
        self.seat_people(info)
        self.seat, self.state, self.known = seat or self.seat, info.state, info
        self.played_by = info.seats[self.seat - 1].by if self.seat else ""

    def begin(self, told: Started) -> None:
        """The match begins, or is told of from its beginning."""
        self.known = told

    def take_clocks(self, clocks: tuple[SeatClock, ...], now: float) -> None:
        """All clocks, as they are now."""
        self.running = frozenset(clock.seat for clock in clocks if clock.running)
        self.clocks, self.clocks_told = clocks, now

    def pause(self, *, on: bool, now: float) -> None:
        """No clock runs from now on, or they run again."""
        if not on and self.paused_at is not None:
            self.deadline += now - self.paused_at
            self.clocks_told = now
        self.paused_at = (now if self.paused_at is None else self.paused_at) if on else None

    def clocks_at(self, now: float) -> list[tuple[int, float, bool]]:
        """Each seat, in their order, with the seconds that it has left and whether its clock runs."""
        gone = max(0.0, (now if self.paused_at is None else self.paused_at) - self.clocks_told)
        return [
            (clock.seat, max(0.0, clock.left - gone) if clock.running else clock.main, clock.running)
            for clock in sorted(self.clocks, key=lambda clock: clock.seat)
        ]

    def seconds_left(self, now: float) -> float | None:
        """For the decision that is awaited; None if there is none, or no hurry."""
        turn = self.turn  # also called from the terminal's thread, so this is read only once
        if turn is None or turn.clock >= LONG_CLOCK or self.paused_at is not None:
            return None
        return max(0.0, self.deadline - now)

    def warning(self, now: float) -> float | None:
        """One of WARNINGS when so few seconds are left and the person was not warned yet."""
        left = self.seconds_left(now)
        for seconds in WARNINGS:
            if left is not None and left <= seconds < self.warned:
                self.warned = seconds
                return seconds
        return None
