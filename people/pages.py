"""Renders moments of a finished match as lines: as one player or a spectator saw them, or with all hands open. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.api import Action, AddressedEvent, Game, StyledLine, View
from games.open_hands import draw_open_hands, seat_only_lines
from games.spelling import typed_action_text
from matches.fold import SPECTATORS
from matches.moments import Moment, count_decisions, moments
from matches.record import Record
from people.language import N_, _
from people.render import plain_lines
from people.text.sentences import seat_headings
from people.text.times import format_minutes
from protocol import messages as m
from protocol.entries import ActionRefused, ActionTaken
from protocol.names import lookalike_key
from protocol.printable import escape_text

MOMENTS_A_PART = 20  # moments that are computed in one part of work; all moments of a long match take some 25 ms
WHY = {"time": N_("out of time"), "illegal": N_("illegal actions")}  # reasons why the server did a default action


@dataclass(frozen=True)
class MomentRenderer:
    """Renders moments in lines of `width` columns: as the seat `hearer` saw them (SPECTATORS: as a spectator did), or
    with `all_open` including everything that only some seats saw."""

    game: Game
    people: Sequence[str]
    hearer: int
    all_open: bool
    width: int

    def names(self) -> list[str]:
        """Returns the names of the players in seat order."""
        return list(self.people)

    def page_lines(self, moment: Moment) -> list[StyledLine]:
        """Returns all lines of a moment: its title, the events since the moment before it, the table, and the
        decision."""
        lines: list[StyledLine] = [
            [("title", self.title_text(moment))],
            *self.event_lines(moment),
            *self.table_lines(moment),
        ]
        if moment.turn is not None:
            lines.append(
                [("you", _("Your turn: ")), ("", self.game.words.decision_prompt(moment.turn.view, moment.turn.legal))]
            )
        return lines + self.decision_lines(moment)

    def title_text(self, moment: Moment) -> str:
        """Returns the title of a moment: the number of its decision, and from whose seat it is seen."""
        title = _("The end") if moment.decision is None else _("Before decision {number}", number=moment.number)
        return _("{title}, as {name} sees it", title=title, name=self._name(self.hearer)) if self.hearer else title

    def table_lines(self, moment: Moment, height: int = 0) -> list[StyledLine]:
        """Returns the table as the seat `hearer` sees it; with `all_open`, also what only one seat sees. `height` is
        the approximate number of lines."""
        if not self.all_open:
            return self.game.words.render_board(moment.view(), self.people, self.width, height)
        views, heads = self._views(moment), seat_headings(self.people)
        return draw_open_hands(self.game.words, moment.view(), views, self.people, heads, self.width, height)

    def decision_lines(self, moment: Moment) -> list[StyledLine]:
        """Returns one line with the decision made at that moment, if the seat `hearer` made it or all is open;
        otherwise []."""
        decision = moment.decision
        if decision is None or not (self.all_open or decision.seat == self.hearer):
            return []
        return [self._decision(decision)]

    def event_lines(self, moment: Moment) -> Iterator[StyledLine]:
        """Yields a line for each event since the moment before this one; with `all_open`, also refused actions."""
        messages = list(moment.told)
        if self.all_open:
            if messages and isinstance(messages[0], m.MatchStarted):
                yield from plain_lines(messages.pop(0), self)
            for told in moment.events:
                yield from self._event(told)
        for message in messages:
            if isinstance(message, m.Happened):
                if not self.all_open:
                    yield from self._event(AddressedEvent(message.event))
            else:
                yield from plain_lines(message, self)
        if self.all_open:
            for entry in moment.passed:
                if isinstance(entry, ActionRefused):
                    tried = f" ({typed_action_text(self.game.words, entry.action)})" if entry.action is not None else ""
                    yield [
                        (
                            "bad",
                            _(
                                "! {name} was refused{tried}: {text}",
                                name=self._name(entry.seat),
                                tried=tried,
                                text=entry.text,
                            ),
                        )
                    ]

    def _event(self, told: AddressedEvent) -> Iterator[StyledLine]:
        text = self.game.words.event_sentence(told.event, self.people)
        if text:
            alone = [("hidden", _("({name} alone) ", name=self._name(told.only)))] if told.only else []
            yield [("", "* "), *alone, ("", text)]

    def hidden_lines(self, moment: Moment, *, short: bool = False) -> list[StyledLine]:
        """Returns what only one seat sees: the lines of each seat's board that the public board does not have. With
        `short`, compact boards are compared."""
        view = moment.match.state.view(None)
        views, heads = self._views(moment), seat_headings(self.people)
        return seat_only_lines(self.game.words, view, views, self.people, heads, self.width, short=short)

    def _views(self, moment: Moment) -> list[View]:
        return [moment.match.state.view(seat) for seat in range(1, len(self.people) + 1)]

    def _decision(self, decision: ActionTaken[Action]) -> StyledLine:
        why = {"": "", "house": _(" (a house bot)")}.get(
            decision.why, _(" (done for them: {why})", why=_(WHY.get(decision.why, decision.why)))
        )
        when = _(", {minutes} after the beginning", minutes=format_minutes(decision.at)) if self.all_open else ""
        written = typed_action_text(self.game.words, decision.action)
        return [("key", f"> {self._name(decision.seat)}: {written}{why}{when}")]

    def _name(self, seat: int) -> str:
        return self.people[seat - 1]


class Review:
    """One finished match, and the moment at which its reader is. `on` is true while typed lines step through the
    match."""

    def __init__(self, record: Record) -> None:
        self.record, self.last = record, count_decisions(record) + 1
        self.number, self.on = self.last, False
        self.people = [info.name for info in record.header.seats]

    def current_moment(self) -> Moment:
        """Returns the reader's current moment: before the decision `number`, or the end of the match."""
        return next(moments(self.record, SPECTATORS, self.number))

    def find_moment(self) -> Iterator[Moment | None]:
        """Finds the same moment as `moment`, in parts of MOMENTS_A_PART decisions, so that a server can do other work
        between them: yields None after each part, and the moment last."""
        for moment in moments(self.record, SPECTATORS):
            if moment.number == self.number:
                yield moment
                return
            if moment.number % MOMENTS_A_PART == 0:
                yield None

    def open_renderer(self, width: int) -> MomentRenderer:
        """Returns the renderer of this match with all hands open."""
        return MomentRenderer(self.record.game, self.people, SPECTATORS, True, width)

    def end_stepping(self) -> None:
        """Ends the stepping, so that typed lines no longer move through the match."""
        self.on = False

    def step(self, word: str) -> None:
        """Moves the reader: `n` to the next moment, `p` to the previous one, a number to that decision. The first step
        always goes to the first moment."""
        if not self.on:
            self.on, self.number = True, 1
        elif word in ("n", "p"):
            self.number += -1 if word == "p" else 1
        elif word.isdigit():
            self.number = int(word)
        self.number = min(max(self.number, 1), self.last)

    def is_step_word(self, word: str) -> bool:
        """Returns whether the typed word steps through the match (`n`, `p`, a number), or ends the stepping (`q`)."""
        return self.on and (word in ("n", "p", "q") or (word.isascii() and word.isdigit() and len(word) < 6))


def parse_viewing_seat(word: str, people: Sequence[str]) -> int:
    """Returns the seat that `word` names, by its number or its player's name (spelling variants allowed); SPECTATORS
    for "". Raises ValueError with a sentence for the user."""
    if not word:
        return SPECTATORS
    alike = [seat for seat, name in enumerate(people, 1) if lookalike_key(name) == lookalike_key(word)]
    if word in people:
        return people.index(word) + 1
    if len(alike) == 1:
        return alike[0]
    if word.isascii() and word.isdigit() and 1 <= int(word) <= len(people):
        return int(word)
    listed = ", ".join(f"{seat} {escape_text(name)}" for seat, name in enumerate(people, 1))
    raise ValueError(_("There is no seat {word!r}; there are: {listed}.", word=word, listed=listed))
