"""Connects a `people.Person` in the server to its session: typed lines in, requests out. A subclass draws the lines."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Protocol, TypeAlias

from languages import speaking
from matches.moments import Moment
from people import reviewing
from people.effects import Effects
from people.pages import Review
from people.person import Person
from people.settings import PersonSettings
from people.text.sentences import another_match_text
from people.text.typing_context import RequestDraft
from protocol import messages as m
from protocol.errors import Refusal
from server.desk.text_session import TextSession
from server.language import ngettext

PART_WORK = 1.0  # cost of each part of a finished match that is computed for a review, in plain requests
Line: TypeAlias = list[tuple[str, str]]  # a line of text: pairs of style and text, as in `games.api`

# most requests that are sent at once after one typed line; further ones wait for the peer's allowance
ASKED_AT_ONCE = 16


class RequestSender(Protocol):
    """What a face needs of its session: to carry out requests, and to send text."""

    language: str  # the language of texts for the peer

    @property
    def columns(self) -> int:
        """The width of the peer's terminal in columns; 0 if the peer did not send it."""
        ...

    @property
    def is_busy(self) -> bool:
        """Whether a long answer is being computed, so that other requests have to wait."""
        ...

    def handle_request(self, request: m.Request) -> None:
        """Carries out a request and sends its answer."""
        ...

    def send_text(self, text: str) -> None:
        """Sends a text that answers no request."""
        ...

    def charge(self, work: float) -> None:
        """Charges work to this peer, in plain requests."""
        ...

    def call_soon(self, do: Callable[[], None]) -> None:
        """Schedules a call of `do` after the messages that are being sent now."""
        ...

    def call_at(self, time: float, do: Callable[[], None]) -> None:
        """Schedules a call of `do` at that time, in seconds of trio's clock."""
        ...


class PersonFace(ABC):
    """The person at the other end of one session: what they see, and what their lines mean.

    `typed` handles input lines. `render` turns messages into output, which may be "". The session sends all outputs in
    order.
    """

    def __init__(self, typist: TextSession, carrier: RequestSender, settings: PersonSettings) -> None:
        self._typist, self._carrier = typist, carrier
        self._person = Person("", typist.games, settings)
        self._memory = self._person.prompt.memory
        self._next_id = 0
        self._asked: dict[int, RequestDraft] = {}  # by id: the requests that have no answer yet
        self._due: list[RequestDraft] = []
        self._asks = False  # whether requests are being sent, because their answers may add further requests
        self._alone_at = 0.0  # the time for which a decision in the person's place was scheduled last
        self._unsaid = 0  # number of chat lines in a row that were refused because they came too fast

    # -- output --------------------------------------------------------------------------------------------------------

    @abstractmethod
    def _drawn(self, lines: Iterable[Line], message: m.Message | None = None) -> str:
        """Returns the output for these lines. `message` is the message that they are about; None if they are about no
        message."""

    # -- input ---------------------------------------------------------------------------------------------------------

    def handle_line(self, line: str) -> Refusal | None:
        """Handles a typed line. Returns the reason if the line could not be understood, otherwise None."""
        effects = self._person.on_typed_line(line.strip(" "))
        self._carrier.send_text(self._drawn(self._follow(effects)))
        self._ask(ASKED_AT_ONCE)
        self._schedule()
        return effects.refused

    def _follow(self, effects: Effects) -> list[Line]:
        """Carries out what a typed line or a message causes. Returns the lines to show."""
        self._due += effects.asks
        lines = effects.lines
        if effects.seeks is not None:
            self._carrier.call_soon(partial(self._seek, effects.seeks, effects.seeks.find_moment()))
        if effects.again:
            lines = lines + self._follow(self._person.on_typed_line(effects.again))
        return lines

    def _ask(self, most: int = 1) -> None:
        """Sends at most `most` of the requests that are due, including those that their answers add. Schedules the
        sending of the rest."""
        if self._asks:
            return
        self._asks = True
        try:
            while self._due and most and not self._carrier.is_busy:
                ask, most = self._due.pop(0), most - 1
                self._next_id += 1
                self._asked[self._next_id] = ask
                self._person.guided.note_sent(ask)
                self._carrier.handle_request(ask.kind(id=self._next_id, **ask.fields))
        except Refusal:
            self._due.clear()
            raise
        finally:
            self._asks = False
        if self._due:
            self._carrier.call_soon(self._ask)

    def _seek(self, match: Review, work: Iterator[Moment | None]) -> None:
        """Computes one part of a finished match on the way to the moment that the person wants to see. Schedules the
        next part, so that other peers get their turn."""
        self._carrier.charge(PART_WORK)
        moment = next(work)
        if moment is None:
            self._carrier.call_soon(partial(self._seek, match, work))
            return
        self._typist.check_is_over()
        effects = Effects()
        reviewing.show_moment(match, moment, self._person.settings.width(), effects)
        self._carrier.send_text(self._drawn(self._person.show_page(effects).lines))

    # -- messages ------------------------------------------------------------------------------------------------------

    def render(self, messages: Iterable[m.Message]) -> str:
        """Returns the text of these messages. Each line ends with a newline."""
        with speaking(self._carrier.language):
            text = "".join([self._heard(message) for message in messages])
            text += self._drawn(self._follow(self._person.ask_for_decisions()))
        if self._due and not self._asks:
            self._carrier.call_soon(self._ask)
        self._schedule()
        return text

    def _schedule(self) -> None:
        """Schedules the next decision that is made in the person's place, such as a forced move."""
        at = self._person.next_action_time()
        if at is not None and at != self._alone_at:
            self._alone_at = at
            self._carrier.call_at(at, self._decide_alone)

    def _decide_alone(self) -> None:
        self._carrier.send_text(self._drawn(self._follow(self._person.ask_for_decisions())))
        self._ask()
        self._schedule()

    def show_open_decisions(self) -> None:
        """Shows each decision that is open now. The session calls this after changes that it had announced were
        undone."""
        self._carrier.call_soon(self._take_turns)

    def _take_turns(self) -> None:
        told = []
        for table in self._person.seats.tables.values():
            turn = self._typist.open_turn(table.id)
            if turn is None:
                table.drop_turn()
            elif table.turn is None or table.turn.number != turn.turn:
                told.append(turn)
        self._carrier.send_text(self.render(told))

    def _heard(self, message: m.Message) -> str:
        if type(message) is m.Happened and not self._unsaid:  # the quickest way for the most frequent type of message
            return self._drawn(self._person.on_message(message).lines)
        if isinstance(message, m.Error) and message.code == "talk_too_fast":
            self._unsaid += 1
            if self._unsaid > 1:
                self._asked.pop(message.re, None)
                return ""
            before = ""
        else:
            before = self._end_of_unsaid()
        if isinstance(message, m.Reply) and (ask := self._asked.pop(message.re, None)) is not None:
            effects = self._person.on_answer(ask, message)
        else:
            effects = self._person.on_message(message)
        if isinstance(message, m.Over):
            effects.add_line(another_match_text())
        return before + self._drawn(self._follow(effects), message)

    def _end_of_unsaid(self) -> str:
        """Returns a line that says how many chat lines were not sent because they came too fast; "" if there were
        none."""
        more, self._unsaid = self._unsaid - 1, 0
        if more < 1:
            return ""
        unsaid = ngettext("! {n} more line was not sent.", "! {n} more lines were not sent.", more)
        return self._drawn([[("", unsaid)]])


def without_outdated_turns(missed: Iterable[m.Message], turn: m.TurnUpdate | None) -> list[m.Message]:
    """Returns the missed messages without those turns that are outdated. `turn` is the decision that is still open;
    None if there is none."""
    return [
        *(message for message in missed if not isinstance(message, m.TurnUpdate)),
        *([turn] if turn is not None else []),
    ]
