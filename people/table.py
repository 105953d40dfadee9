"""A table as one person sees it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from games.api import Action, StyledLine, Unreadable, View, to_map
from games.spelling import read_typed_line, typed_action_text
from matches.seat import JoinedTable
from matches.turn import Turn
from people.effects import Effects
from people.language import _
from people.text.sentences import LONG_CLOCK
from people.text.typing_context import AwaitedDecision
from protocol.errors import Refusal
from protocol.messages import Late, MatchStarted, Over, Presence, SeatClock, TableInfo
from protocol.messages.parts import Map

WARNINGS = (10.0, 30.0, 60.0)  # when the person is warned, in seconds before a decision's deadline


@dataclass
class PersonTable(JoinedTable):
    """A table where the person has a seat or watches."""

    people: list[str]
    state: str = "open"
    turn: Turn | None = None  # the person's open decision
    fresh: bool = False  # whether the person still has to be asked for the open decision
    sent: Turn | None = None  # the decision that was sent, until the server accepts or refuses it
    deadline: float = 0.0
    warned: float = 0.0  # the seconds before the deadline of the latest warning
    view: View | None = None  # the latest view
    aimed: bool = False  # whether the game's aim was shown
    sums: list[str] = field(default_factory=list)  # how the latest round's numbers add up, once it was shown
    adding: list[StyledLine] = field(default_factory=list)  # the lines of `sums` until the person types a line
    alone: tuple[Action, float] | None = None  # the action scheduled for the person, and the time when it is due
    auto: bool = False  # whether `auto` is on: the client lets things be until a decision concerns the person
    told_of_auto: bool = False
    played_by: str = ""  # the house bot that plays the person's seat; "" while they play it
    starting: bool = False  # whether the start of the match was requested
    over: Over | None = None  # the message with which the match ended
    takes_back: bool = False  # whether another player asks to take the latest decision back
    is_undone: bool = False  # whether a decision was taken back since the person last saw the board
    paused_at: float | None = None  # the time at which the running pause began; None without a pause
    known: MatchStarted | TableInfo | None = None  # the latest message about the table's game, options and seats
    before: View | None = None  # the view at the person's last decision
    running: frozenset[int] = frozenset()  # the seats whose clocks run, because they must decide
    clocks: tuple[SeatClock, ...] = ()
    clocks_told: float = 0.0

    def intro_lines(self) -> list[StyledLine]:
        """Returns the lines to show before the person is asked: the game's aim the first time, and after each round how
        its numbers add up."""
        lines: list[StyledLine] = []
        if not self.aimed:
            self.aimed = True
            lines += [[("title", text)] for text in self.game.objective.split("\n") if text]
        return [*lines, *self.round_sum_lines()]

    def round_sum_lines(self) -> list[StyledLine]:
        """Returns the lines in which the game explains how the numbers of the latest round add up; [] if they were
        shown."""
        sums = self.game.words.explain_scoring(self.view, self.people) if self.view is not None else []
        if not sums or sums == self.sums:
            return []
        self.sums, self.adding = sums, [[("", text)] for text in sums]
        return self.adding

    @property
    def is_asked(self) -> bool:
        """Whether there is an open decision for which no automatic action is scheduled."""
        return self.turn is not None and self.alone is None

    def open_turn(self, turn: Turn, left: float, now: float) -> None:
        """Opens a decision of the person, for which they have `left` seconds."""
        self.turn, self.view, self.fresh, self.sent, self.alone = turn, turn.view, True, None, None
        self.deadline, self.warned = now + left, left

    def drop_turn(self) -> None:
        """Drops the person's open decision."""
        self.turn = None

    def note_undo_request(self, *, asked: bool) -> None:
        """Notes whether another player asks to take the latest decision back."""
        self.takes_back = asked

    def undo_decision(self) -> None:
        """Notes that the latest decision was taken back. An open decision and a sent one do not count any more."""
        self.turn = self.sent = None
        self.takes_back, self.is_undone = False, True

    def pop_undone(self) -> bool:
        """Returns whether a decision was taken back since the last call."""
        was_undone, self.is_undone = self.is_undone, False
        return was_undone

    def mark_asked(self) -> None:
        """Notes that the person was asked for the open decision."""
        self.fresh = False

    def schedule_action(self, action: Action, at: float) -> None:
        """Schedules an action that is sent at the time `at`, unless the person decides before."""
        self.alone = action, at

    def due_action(self, now: float) -> Action | None:
        """Returns the scheduled action, once, when it is due and the match is not paused; otherwise None."""
        if self.turn is None or self.alone is None or now < self.alone[1] or self.paused_at is not None:
            return None
        action, self.alone = self.alone[0], None
        return action

    def unconcerned_action(self) -> Action | None:
        """Returns the action that lets things be, if the game says that the open decision does not concern the person;
        otherwise None."""
        turn = self.turn
        return (
            self.game.unconcerned_action(turn.view, turn.legal) if turn is not None and turn.view is not None else None
        )

    def set_auto(self, *, on: bool) -> None:
        """Switches `auto` on or off. When it is switched off, the person is asked for a decision whose automatic action
        was still scheduled."""
        self.auto, self.told_of_auto = on, True
        if not on and self.alone is not None:
            self.alone, self.fresh = None, True

    def mark_auto_mentioned(self) -> None:
        """Notes that the command `auto` was mentioned to the person."""
        self.told_of_auto = True

    def on_decision_answered(self, *, refused: bool) -> None:
        """Notes the server's answer to the sent decision. A refused decision is open again."""
        if refused:
            self.turn = self.turn or self.sent
        self.sent = None

    def store_view(self, view: Any) -> View:
        """Reads a view from its wire form and stores it as the latest one."""
        self.view = self.parse_view(view)
        return self.view

    def update_view(self, view: View, clocks: tuple[SeatClock, ...], now: float, *, paused: bool) -> None:
        """Stores the view, the clocks and whether the match is paused, as they are now."""
        self.view = view
        self.set_paused(on=paused, now=now)
        self.update_clocks(clocks, now)

    def end_match(self, over: Over) -> None:
        """Notes the end of the match."""
        self.state, self.turn, self.over, self.auto = "over", None, over, False

    def mark_sums_read(self) -> None:
        """Notes that the person has read how the latest round's numbers add up, because they have typed a line
        since."""
        self.adding = []

    def note_start_request(self, *, asked: bool) -> None:
        """Notes whether the start of the match was requested."""
        self.starting = asked

    def update_names(self, info: TableInfo) -> None:
        """Updates the names of the players in the seats."""
        self.people = [one.name for one in info.seats]

    def names(self) -> list[str]:
        """Returns the names of the players in seat order."""
        return self.people

    def awaited_decision(self) -> AwaitedDecision | None:
        """Returns the open decision in the form that the reader of typed lines uses; None if there is none."""
        turn = self.turn
        if turn is None:
            return None

        def read(line: str) -> list[Map]:
            try:
                return [to_map(one) for one in read_typed_line(turn.game, line, turn.view, turn.legal, self.people)]
            except Unreadable as error:
                raise Refusal("unreadable", str(error)) from None

        def listed(place: int) -> Map:
            return to_map(turn.legal[place])

        def said(place: int) -> str:
            return typed_action_text(turn.game.words, turn.legal[place])

        return AwaitedDecision(self.id, turn.number, len(turn.legal), listed, said, read)

    def mark_decided(self) -> None:
        """Notes that the person's open decision was sent."""
        self.sent, self.turn = self.turn, None
        self.before = self.sent.view if self.sent is not None else self.before

    def is_decided_by(self, message: Late | Presence, heard: Effects) -> bool:
        """Returns whether that message ends the person's open decision, because the server made it or a bot plays their
        seat. Shows a line on the bot."""
        if message.seat != self.seat or (isinstance(message, Presence) and not message.by):
            return False
        self.turn = None
        if isinstance(message, Presence):
            self.played_by = message.by
            if message.how != "resigned":
                heard.add_line(_("{by} plays your seat from now on.", by=message.by), "bad")
        return True

    def update_info(self, info: TableInfo, seat: int) -> None:
        """Updates the table's information and the person's seat; with seat 0 the person keeps the seat they have."""
        self.update_names(info)
        self.seat, self.state, self.known = seat or self.seat, info.state, info
        self.played_by = info.seats[self.seat - 1].by if self.seat else ""

    def begin_match(self, told: MatchStarted) -> None:
        """Notes the start of the match, which is also the first message when the match's messages are sent again."""
        self.known = told

    def update_clocks(self, clocks: tuple[SeatClock, ...], now: float) -> None:
        """Updates the clocks of all seats, as they are at the time `now`."""
        self.running = frozenset(clock.seat for clock in clocks if clock.running)
        self.clocks, self.clocks_told = clocks, now

    def set_paused(self, *, on: bool, now: float) -> None:
        """Stops the clocks of all seats, or starts them again, at the time `now`."""
        if not on and self.paused_at is not None:
            self.deadline += now - self.paused_at
            self.clocks_told = now
        self.paused_at = (now if self.paused_at is None else self.paused_at) if on else None

    def clocks_at(self, now: float) -> list[tuple[int, float, bool]]:
        """Returns for each seat, in order, its number, the seconds that it has left, and whether its clock runs."""
        gone = max(0.0, (now if self.paused_at is None else self.paused_at) - self.clocks_told)
        return [
            (clock.seat, max(0.0, clock.left - gone) if clock.running else clock.main, clock.running)
            for clock in sorted(self.clocks, key=lambda clock: clock.seat)
        ]

    def seconds_left(self, now: float) -> float | None:
        """Returns the seconds left for the open decision; None if there is no decision or no time limit, or in a
        pause."""
        turn = self.turn  # read once, because this is also called from the terminal's thread
        if turn is None or turn.clock >= LONG_CLOCK or self.paused_at is not None:
            return None
        return max(0.0, self.deadline - now)

    def due_warning(self, now: float) -> float | None:
        """Returns a number of seconds from WARNINGS, once, when at most that many seconds are left; otherwise None."""
        left = self.seconds_left(now)
        for seconds in WARNINGS:
            if left is not None and left <= seconds < self.warned:
                self.warned = seconds
                return seconds
        return None
