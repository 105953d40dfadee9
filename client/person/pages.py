"""A moment of a finished match as lines for a person: as one hearer was told it, or with everything open. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from client.person.render import plain_lines, plain_text
from games.api import Game, Line, Told
from matches.fold import SPECTATORS, Did, Refused
from matches.moments import Moment
from protocol import messages as m
from protocol.printable import escape
from protocol.text.sentences import minutes


@dataclass(frozen=True)
class Pages:
    """How moments are shown: to which hearer, or with `all_open` everything that a spectator is not told, too."""

    game: Game
    people: Sequence[str]
    hearer: int
    all_open: bool
    width: int

    def names(self) -> list[str]:
        """The names of the seats, first seat first."""
        return list(self.people)

    def page(self, moment: Moment) -> list[Line]:
        """What was told since the moment before, the table, and what the hearer has to decide and then did."""
        title = "The end" if moment.decision is None else f"Before decision {moment.number}"
        if self.hearer:
            title += f", as {self._name(self.hearer)} sees it"
        lines: list[Line] = [[("title", title)], *self._told(moment)]
        lines += self.game.words.board(moment.view(), self.people, self.width)
        if self.all_open:
            lines += self._hidden(moment)
        if moment.turn is not None:
            lines.append([("you", "Your turn: "), ("", self.game.words.ask(moment.turn.view, moment.turn.legal))])
        if moment.decision is not None and (self.all_open or moment.decision.seat == self.hearer):
            lines.append(self._decision(moment.decision))
        return lines

    def _told(self, moment: Moment) -> Iterator[Line]:
        if self.all_open:
            for told in moment.events:
                yield from self._event(told)
        for message in moment.told:
            if isinstance(message, m.Happened):
                if not self.all_open:
                    yield from self._event(Told(message.event))
            else:
                yield from plain_lines(message, self)
        if self.all_open:
            for entry in moment.passed:
                if isinstance(entry, Refused):
                    tried = f" ({self.game.words.write(entry.action)})" if entry.action is not None else ""
                    yield [("bad", f"! {self._name(entry.seat)} was refused{tried}: {entry.text}")]

    def _event(self, told: Told) -> Iterator[Line]:
        text = self.game.words.tell(told.event, self.people)
        if text:
            alone = [("hidden", f"({self._name(told.only)} alone) ")] if told.only else []
            yield [("", "* "), *alone, ("", text)]

    def _hidden(self, moment: Moment) -> Iterator[Line]:
        """What only one seat sees: the lines of its board that the public one does not have."""
        state, board = moment.match.state, self.game.words.board
        public = {plain_text(line) for line in board(state.view(None), self.people, self.width)}
        for seat, name in enumerate(self.people, 1):
            own = [line for line in board(state.view(seat), self.people, self.width) if plain_text(line) not in public]
            if own:
                yield [("hidden", f"Only {name} sees:")]
                yield from ([("", "  "), *line] for line in own)

    def _decision(self, decision: Did) -> Line:
        why = {"": "", "house": " (a house bot)"}.get(decision.why, f" (done for them: {decision.why})")
        when = f", {minutes(decision.at)} after the beginning" if self.all_open else ""
        written = self.game.words.write(decision.action)
        return [("key", f"> {self._name(decision.seat)}: {written}{why}{when}")]

    def _name(self, seat: int) -> str:
        return self.people[seat - 1]


def hearer_named(word: str, people: Sequence[str]) -> int:
    """The seat of that number or player; a spectator for "". Raises ValueError with a sentence."""
    if not word:
        return SPECTATORS
    if word in people:
        return people.index(word) + 1
    if word.isascii() and word.isdigit() and 1 <= int(word) <= len(people):
        return int(word)
    listed = ", ".join(f"{seat} {escape(name)}" for seat, name in enumerate(people, 1))
    raise ValueError(f"There is no seat {word!r}; there are: {listed}.")
