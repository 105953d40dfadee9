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

WARNINGS = (10.0, 30.0, 60.0)  # seconds before the deadline of a decision, the most urgent first


@dataclass
class PersonTable(JoinedTable):
    """A table where the person sits or watches."""

    people: list[str]
    state: str = "open"
    turn: Turn | None = None  # the open decision
    fresh: bool = False  # the person was not asked for it yet
    sent: Turn | None = None  # the decision that was sent but not accepted yet
    deadline: float = 0.0
    warned: float = 0.0  # the latest warning, in seconds before the deadline
    view: View | None = None  # the latest one
    aimed: bool = False  # the game's aim was shown
    sums: list[str] = field(default_factory=list)  # of the latest round, as shown
    adding: list[Line] = field(default_factory=list)  # the same, until the person types something
    alone: tuple[Action, float] | None = None  # what is done for the person, and when
    auto: bool = False  # let things be until something concerns the person
    told_of_auto: bool = False
    played_by: str = ""  # the house bot that plays the person's seat; "" while they play it
    starting: bool = False  # the start was requested
    over: Over | None = None  # the end of the match
    takes_back: bool = False  # a seat asks to take the latest decision back
    is_undone: bool = False  # a decision was taken back, and the person has not seen the table since
    paused_at: float | None = None  # since when no clock runs
    known: Started | TableInfo | None = None  # the latest information about its match
    before: View | None = None  # at the person's last decision
    running: frozenset[int] = frozenset()  # seats that must decide
    clocks: tuple[SeatClock, ...] = ()
    clocks_told: float = 0.0

    def first_lines(self) -> list[Line]:
        """Returns the lines before a question: the game's aim the first time, and each round's sums once."""
        lines: list[Line] = []
        if not self.aimed:
            self.aimed = True
            lines += [[("title", text)] for text in self.game.aim.split("\n") if text]
        return [*lines, *self.new_sums()]

    def new_sums(self) -> list[Line]:
        """Returns the sums of the latest round, unless they were shown."""
        sums = self.game.words.account(self.view, self.people) if self.view is not None else []
        if not sums or sums == self.sums:
            return []
        self.sums, self.adding = sums, [[("", text)] for text in sums]
        return self.adding

    @property
    def is_asked(self) -> bool:
        """Whether there is an open decision that the person makes."""
        return self.turn is not None and self.alone is None

    def take_turn(self, turn: Turn, left: float, now: float) -> None:
        """Opens a decision, with `left` seconds."""
        self.turn, self.view, self.fresh, self.sent, self.alone = turn, turn.view, True, None, None
        self.deadline, self.warned = now + left, left

    def take_no_turn(self) -> None:
        """Closes the open decision."""
        self.turn = None

    def take_back(self, *, asked: bool) -> None:
        """Notes that a seat asks to take the latest decision back, or no longer does."""
        self.takes_back = asked

    def undo(self) -> None:
        """Takes the latest decision back. A pending turn becomes void."""
        self.turn = self.sent = None
        self.takes_back, self.is_undone = False, True

    def see_undone(self) -> bool:
        """Returns once whether a decision was taken back."""
        was_undone, self.is_undone = self.is_undone, False
        return was_undone

    def asked(self) -> None:
        """Notes that the person was asked for the decision."""
        self.fresh = False

    def decide_alone(self, action: Action, at: float) -> None:
        """Schedules an action for the person, unless they decide before."""
        self.alone = action, at

    def due(self, now: float) -> Action | None:
        """Returns the scheduled action once it is due and no pause is on; afterwards None."""
        if self.turn is None or self.alone is None or now < self.alone[1] or self.paused_at is not None:
            return None
        action, self.alone = self.alone[0], None
        return action

    def unconcerned(self) -> Action | None:
        """Returns the action that lets things be if the open decision does not concern the person, else None."""
        turn = self.turn
        return self.game.unconcerned(turn.view, turn.legal) if turn is not None and turn.view is not None else None

    def let_be(self, *, on: bool) -> None:
        """Sets whether to let things be until something concerns the person. When it ends, they are asked again."""
        self.auto, self.told_of_auto = on, True
        if not on and self.alone is not None:
            self.alone, self.fresh = None, True

    def tell_of_auto(self) -> None:
        """Notes that the person knows of `auto`."""
        self.told_of_auto = True

    def settled(self, *, refused: bool) -> None:
        """Closes the sent decision, or with `refused` opens it again."""
        if refused:
            self.turn = self.turn or self.sent
        self.sent = None

    def see(self, view: Any) -> View:
        """Updates the view of the table."""
        self.view = self.read_view(view)
        return self.view

    def end(self, over: Over) -> None:
        """Ends the match."""
        self.state, self.turn, self.over, self.auto = "over", None, over, False

    def read(self) -> None:
        """Marks the sums of the last round as read."""
        self.adding = []

    def start(self, *, asked: bool) -> None:
        """Notes whether the start was requested."""
        self.starting = asked

    def seat_people(self, info: TableInfo) -> None:
        """Updates the players in the seats."""
        self.people = [one.name for one in info.seats]

    def names(self) -> list[str]:
        """Returns the names of the seats, first seat first."""
        return self.people

    def decision(self) -> Decision | None:
        """Returns the open decision in the form for reading typed lines."""
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
        """Notes that the decision was sent."""
        self.sent, self.turn = self.turn, None
        self.before = self.sent.view if self.sent is not None else self.before

    def is_decided_by(self, message: Late | Presence, heard: Effects) -> bool:
        """Returns whether that message takes the decision from the person; says who plays their seat from now on."""
        if message.seat != self.seat or (isinstance(message, Presence) and not message.by):
            return False
        self.turn = None
        if isinstance(message, Presence):
            self.played_by = message.by
            if message.how != "resigned":
                heard.say(_("{by} plays your seat from now on.", by=message.by), "bad")
        return True

    def take(self, info: TableInfo, seat: int) -> None:
        """Updates the table's information and the person's seat; 0 keeps the known one."""
        self.seat_people(info)
        self.seat, self.state, self.known = seat or self.seat, info.state, info
        self.played_by = info.seats[self.seat - 1].by if self.seat else ""

    def begin(self, told: Started) -> None:
        """Begins the match, or its repetition from the beginning."""
        self.known = told

    def take_clocks(self, clocks: tuple[SeatClock, ...], now: float) -> None:
        """Updates all clocks."""
        self.running = frozenset(clock.seat for clock in clocks if clock.running)
        self.clocks, self.clocks_told = clocks, now

    def pause(self, *, on: bool, now: float) -> None:
        """Stops all clocks, or starts them again."""
        if not on and self.paused_at is not None:
            self.deadline += now - self.paused_at
            self.clocks_told = now
        self.paused_at = (now if self.paused_at is None else self.paused_at) if on else None

    def clocks_at(self, now: float) -> list[tuple[int, float, bool]]:
        """Returns each seat in order, with the seconds that it has left and whether its clock runs."""
        gone = max(0.0, (now if self.paused_at is None else self.paused_at) - self.clocks_told)
        return [
            (clock.seat, max(0.0, clock.left - gone) if clock.running else clock.main, clock.running)
            for clock in sorted(self.clocks, key=lambda clock: clock.seat)
        ]

    def seconds_left(self, now: float) -> float | None:
        """Returns the seconds left for the open decision; None without one, or without a time limit."""
        turn = self.turn  # read once, because this is also called from the terminal's thread
        if turn is None or turn.clock >= LONG_CLOCK or self.paused_at is not None:
            return None
        return max(0.0, self.deadline - now)

    def warning(self, now: float) -> float | None:
        """Returns one of WARNINGS when it is due and was not given yet."""
        left = self.seconds_left(now)
        for seconds in WARNINGS:
            if left is not None and left <= seconds < self.warned:
                self.warned = seconds
                return seconds
        return None
