"""The face for people: typed lines become requests, messages become lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Protocol

import msgspec

from languages import speaking
from matches.moments import Moment
from people import confirming, reviewing
from people.choices import legal_rows
from people.effects import Effects
from people.own_commands import OWN
from people.pages import Review
from people.render import plain_text
from people.state import TypingState
from people.text.arguments import game_meant
from people.text.commands import COMMANDS
from people.text.folding import COLUMNS, board_columns, clamped, folded, no_prompts, rejoined
from people.text.listed import table_line
from people.text.reading import read, written_out
from people.text.sentences import (
    another_match,
    kicked_lines,
    left_text,
    legal_head,
    more_line,
    owner_lines,
    render_reply,
    standings_lines,
    talk_lines,
)
from people.text.where import Ask, Own
from protocol import messages as m
from protocol.messages.asking import EXCHANGES
from server.checks import said
from server.desk.typist import Typist
from server.language import _, ngettext
from server.table.in_words import TableInWords

UNTOLD = COLUMNS - 1  # some clients (tf5) wrap a line that reaches the last column of their terminal
PART_WORK = 1.0  # plain requests, for each part of a match that is gone through again


class Carrier(Protocol):
    """The session that carries out what is typed."""

    language: str  # in which its peer reads

    @property
    def columns(self) -> int:
        """The peer's terminal width, if it sent one; 0: unknown."""
        ...

    @property
    def answering(self) -> bool:
        """Whether a request of this peer is being carried out right now."""
        ...

    def carry_out(self, request: m.Request) -> None:
        """Answers a request."""
        ...

    def show(self, text: str) -> None:
        """Sends a text that answers no request."""
        ...

    def charge(self, work: float) -> None:
        """This peer caused so much work, in plain requests."""
        ...

    def later(self, do: Callable[[], None]) -> None:
        """Does something as soon as what is being told now is told."""
        ...


class TextFace:
    """Belongs to one session. `typed` hands requests on; `render` gives the text for messages, "" for silence."""

    def __init__(self, typist: Typist, carrier: Carrier) -> None:
        self._typist, self._carrier = typist, carrier
        self._person = TypingState("", lambda: self.width)
        self._memory = self._person.prompt.memory
        self._memory.set_width(UNTOLD)
        self._next_id = self._columns = 0  # what the terminal told last of its width
        self._spoken = ""  # what was said last, if it was said to everybody
        self._unsaid = 0  # lines of talk in a row that came too fast
        self._called = ""  # the name that was asked for last
        self._part = ""  # of the answer that is shown: "hand", or all
        self._wants = ""  # the table where a place was asked for last

    # -- typed lines ---------------------------------------------------------------------------------------------------

    def typed(self, line: str) -> str:
        """Carries out a line of a person; returns what answers it without a request. Raises Refusal."""
        self._look_at_terminal()  # a width that is typed now is later than what it told before
        person, where = self._person, self._typist.where()
        line = confirming.in_full(person, line.strip(" "))
        if person.review.match is not None:
            if person.review.takes(line, awaited=where.decision() is not None):
                return self._review(line)
            if written_out(line, where) != reviewing.WORD:
                person.review.forget()  # so that no session keeps a match alive
        meant = read(line, where, self._memory)
        if isinstance(meant, Own):
            return self._carry_out(meant)
        if isinstance(meant, Ask):
            if meant.kind is m.Act and self._memory.confirms:
                return self._hold(meant)
            self._ask(meant)
            return ""
        return self._in_rows(meant.split("\n")) if meant else ""

    def _hold(self, ask: Ask) -> str:
        """Keeps a decision back until its typist says yes to it."""
        effects = Effects()
        self._carrier.charge(EXCHANGES[m.Why].weight)  # as it says what the action would do
        self._typist.show(self._person, lists=False)
        confirming.hold(self._person, ask, effects)
        return self._said(effects)

    def _carry_out(self, meant: Own) -> str:
        """Carries out one of the commands that the typist's program carries out where there is one. Raises Refusal."""
        effects = Effects()
        self._typist.show(self._person, lists=COMMANDS[meant.word].lists)
        if meant.word == reviewing.WORD:
            return self._review(meant.word)
        if meant.word == "lessons":
            return self._lessons(meant)
        OWN[meant.word](self._person, meant, effects)
        before, follows = self._typist.here, list[Ask]()
        for ask in effects.asks:
            self._ask(ask)
            here = self._typist.here
            if ask.kind is m.Open and (here is None or here is before):
                self._person.rematch.refused()
                break
            if ask.kind is m.Open and here is not None:
                follows = self._person.rematch.opened(here.id)
            elif ask.kind is m.Watch and here is not None and here.id == ask.fields["table"]:
                follows = self._person.turning.came(here.id)
        for ask in follows:
            self._ask(ask)
        return self._said(effects)

    def _lessons(self, meant: Own) -> str:
        """Opens the guided match of a game and begins it. Raises Refusal."""
        person, before = self._person, self._typist.here
        game = game_meant(meant.rest, self._typist.where(), self._memory)
        (opens,) = person.guided.prepare(self._typist.tutor(game))
        self._ask(opens)
        here = self._typist.here
        if here is None or here is before:
            person.guided.refused()
            return ""
        for ask in person.guided.opened(here.id):
            self._ask(ask)
        return ""

    def _review(self, word: str) -> str:
        """Turns to a moment of the match that is over, which is shown once it is found. Raises Refusal."""
        effects = Effects()
        if word == reviewing.WORD and (finished := self._typist.finished()) is not None:
            self._person.review.take(finished)
        match = self._person.review.turn(word, effects)
        if match is not None:
            self._carrier.later(partial(self._seek, match, match.seek()))
        elif word == "q":
            self._person.review.forget()
        return self._said(effects)

    def _seek(self, match: Review, work: Iterator[Moment | None]) -> None:
        """One part of the way to a moment; the others wait, so that others get their turn."""
        self._carrier.charge(PART_WORK)
        moment = next(work)
        if moment is None:
            self._carrier.later(partial(self._seek, match, work))
            return
        self._typist.check_is_over()
        effects, width = Effects(), board_columns(self.width)
        reviewing.show(match, moment, width, effects)
        assert effects.page is not None
        self._carrier.show(self._said(effects) + self._in_rows(no_prompts(_plain(effects.page(width, 0)))))

    def _said(self, effects: Effects) -> str:
        return self._in_rows(_plain(effects.lines))

    @property
    def width(self) -> int:
        """The terminal's columns: the latest width that was typed or sent by telnet."""
        self._look_at_terminal()
        return self._memory.width

    def _look_at_terminal(self) -> None:
        columns = self._carrier.columns
        if columns != self._columns:
            self._columns = columns
            self._memory.set_width(clamped(columns - 1) if columns else UNTOLD)

    def _in_rows(self, lines: Iterable[str]) -> str:
        return "".join(f"{row}\n" for row in folded(lines, self.width))

    def _ask(self, ask: Ask) -> None:
        self._next_id += 1
        self._spoken = ask.fields["text"] if ask.kind is m.Say and not ask.fields["table"] else ""
        self._person.guided.note_sent(ask)
        self._called = str(ask.fields.get("name", "")) if ask.kind is m.Hello else self._called
        self._part = ask.part
        self._wants = ask.fields["table"] if ask.kind in (m.Join, m.Watch) else ""
        self._carrier.carry_out(ask.kind(id=self._next_id, **ask.fields))

    def _go_on(self) -> None:
        """The next action of a line that stood for several, now that its turn has come."""
        decision = self._typist.decision()
        if decision is not None and (action := self._memory.take_waiting()) is not None:
            self._ask(decision.act(action))

    # -- messages ------------------------------------------------------------------------------------------------------

    def render(self, messages: Iterable[m.Message]) -> str:
        """What a person reads of these messages; lines end with a newline."""
        with speaking(self._carrier.language):
            return self._rendered(messages)

    def _rendered(self, messages: Iterable[m.Message]) -> str:
        text = ""
        for message in messages:
            if type(message) is m.Happened:  # most of what is told
                text += self._event(message)
                continue
            if isinstance(message, m.Error) and message.code == "talk_too_fast":
                self._unsaid += 1
                if self._unsaid > 1:
                    continue
            else:
                text += self._end_of_unsaid()
            lines = self._lines(message)
            whole = isinstance(message, m.ReplayLines)  # of a file, which would be another one
            text += "".join(f"{line}\n" for line in lines) if whole else self._in_rows(lines)
            self._memory.hear(message)
            if self._memory.waiting and isinstance(message, m.Turn):
                self._carrier.later(self._go_on)
        return text

    def _end_of_unsaid(self) -> str:
        """The line that says how many lines of talk were dropped as too fast."""
        more, self._unsaid = self._unsaid - 1, 0
        if more < 1:
            return ""
        unsaid = ngettext("! {n} more line was not sent.", "! {n} more lines were not sent.", more)
        return self._in_rows((unsaid,))

    def _event(self, message: m.Happened) -> str:
        table = self._typist.table(message.table)
        line = table.tell(message.event) if table is not None else ""
        return self._in_rows((f"* {line}",)) if line else ""

    def _lines(self, message: m.Message) -> list[str]:
        typist = self._typist
        table, here = typist.table(getattr(message, "table", "")), typist.here
        match message:
            case m.Turn() if table is not None:
                return self._turn(table, message)
            case m.Over() if table is not None:
                self._person.guided.end(table.id)
                lines = render_reply(msgspec.structs.replace(message, text=table.ending(message)), table)
                return [*lines, another_match()]
            case m.Accepted():
                return _plain(self._person.guided.after())
            case m.Welcome():
                return self._welcome(message)
            case m.TableReply() | m.Seated():
                typist.turn_to(message.info.table)
                return [
                    table_line(message.info),
                    *([_("You have seat {seat}.", seat=message.seat)] if message.seat else []),
                ]
            case m.Watching():
                typist.turn_to(message.table)
                board = table.board(message.view, self.width) if table is not None else []
                return [*render_reply(message, table), *board]
            case m.Paired(shown=True):
                typist.turn_to(message.table)
                return render_reply(message, table)
            case m.TableChanged() if self._carrier.answering and typist.sits_at(message.info.table):
                return []  # the answer itself shows the table
            case m.CupChanged() if self._carrier.answering:
                return []  # the same
            case m.TableChanged(info=info):
                lines = owner_lines(info, self._memory.owners.get(info.table, ""), typist.name)
                return [*kicked_lines(message), *lines, table_line(info)]
            case m.Left() | m.SentAway():
                lines = render_reply(message, table)
                if here is None or here.id == message.table:
                    typist.turn_to(other := typist.elsewhere(message.table))
                    lines += [_("You are at {table} now.", table=other)] if other else []
                return lines
            case m.Resumed():
                typist.turn_to(message.table)
                return [
                    _(
                        "You are back at {table}, seat {seat}. This is what you missed:",
                        table=message.table,
                        seat=message.seat,
                    )
                ]
            case m.Page():
                return list(rejoined(render_reply(message, table), self.width))
            case m.CupStandings():
                return standings_lines(message, self.width)
            case m.Said(heard=heard) if heard and self._spoken:  # at a table the talk itself comes back
                return talk_lines(m.Chat(sender=typist.name, text=said(self._spoken)), self.width)
            case m.Chat() if typist.ignores(message.sender):
                return []
            case m.Chat():
                return talk_lines(message, self.width)
            case m.Happened():
                return self._event(message).splitlines()
            case m.TurnReply() if here is not None:
                return [legal_head(), *legal_rows(typist.turn(message.turn))]
            case m.Position() if table is not None:
                typist.turn_to(table.id)
                if self._part:
                    return table.hand(message.view, self.width)
                return table.board(message.view, self.width)
            case m.OpenHands(views=views) if views and table is not None:
                return table.open_board(message, self.width)
            case m.Story():
                return [*(line for told in message.messages for line in self._story_line(told)), *more_line(message)]
            case m.Error(code="already_seated") if self._typist.missed(self._wants) is not None:
                self._carrier.later(partial(self._resume, self._wants))
                return []
            case m.Error(code="name_taken") if self._typist.is_player(self._called):
                text = _("{error} If {name} is yours, type: hello {name} CODE", error=message.text, name=self._called)
                return [f"! {text}"]
            case m.Error(turn=turn) if turn is not None and here is not None:
                return [f"! {message.text}", here.ask(turn), *_plain(self._person.guided.again(here.id))]
            case m.Error() if here is not None:
                return [*render_reply(message, table), *_plain(self._person.guided.again(here.id))]
            case _:
                return render_reply(message, table)

    def _story_line(self, told: m.Message) -> list[str]:
        number = getattr(told, "n", 0)
        if isinstance(told, m.Turn):
            return [_("{number:>4}  your turn {turn}", number=number, turn=told.turn)]
        head = f"{number:>4}  "
        if isinstance(told, m.Chat) and not self._typist.ignores(told.sender):
            return [f"{head}{line}" for line in talk_lines(told, self.width - len(head))]
        return [f"{head}{line}" for line in self._lines(told)]

    def _welcome(self, message: m.Welcome) -> list[str]:
        waiting = []
        for info in message.seats:
            if info.state != "open":
                self._carrier.later(partial(self._resume, info.table))
            else:
                self._typist.turn_to(info.table)
                waiting.append(table_line(info))
        return [
            _("Welcome, {name}. Type help to see what you can say.", name=message.name),
            _("After a lost connection come back with: hello {name} {code}", name=message.name, code=message.code),
            *waiting,
        ]

    def _resume(self, table_id: str) -> None:
        after = self._typist.missed(table_id)
        if after is not None:
            self._ask(Ask(m.Resume, {"table": table_id, "after": after}))

    def _turn(self, table: TableInWords, message: m.Turn) -> list[str]:
        here = self._typist.here
        if here is None:
            self._typist.turn_to(table.id)
        where = "" if here is None or here.id == table.id else f"[{table.id}] "
        board = [] if self._memory.brief or self._memory.waiting else table.board(message.view, self.width)
        return [
            *board,
            *_plain(self._person.guided.before(table.id, self._typist.turn(message))),
            f"{where}> {table.ask(message)}{left_text(message.left)}",
        ]


def up_to_now(missed: Iterable[m.Message], turn: m.Turn | None) -> list[m.Message]:
    """What a person missed: of all that was to be decided meanwhile only what still is, `turn`."""
    return [*(message for message in missed if not isinstance(message, m.Turn)), *([turn] if turn is not None else [])]


def _plain(lines: Iterable[list[tuple[str, str]]]) -> list[str]:
    return [plain_text(line) for line in lines]
