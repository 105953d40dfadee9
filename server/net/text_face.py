"""The face for people: typed lines become requests, messages become lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Protocol

import msgspec

from languages import speaking
from people.text.folding import COLUMNS, clamped, folded, rejoined
from people.text.listed import table_line
from people.text.reading import read
from people.text.sentences import (
    kicked_lines,
    left_text,
    legal_head,
    more_line,
    numbered,
    owner_lines,
    render_reply,
    standings_lines,
    talk_lines,
)
from people.text.where import Ask, Memory, Own
from protocol import messages as m
from server.desk.checks import said
from server.desk.typist import Typist
from server.language import _, ngettext
from server.table.in_words import TableInWords


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

    def later(self, do: Callable[[], None]) -> None:
        """Does something as soon as what is being told now is told."""
        ...


class TextFace:
    """Belongs to one session. `typed` hands requests on; `render` gives the text for messages, "" for silence."""

    def __init__(self, typist: Typist, carrier: Carrier) -> None:
        self._typist, self._carrier = typist, carrier
        self._memory = Memory()
        self._next_id = self._columns = 0  # what the terminal told last of its width
        self._spoken = ""  # what was said last, if it was said to everybody
        self._unsaid = 0  # lines of talk in a row that came too fast
        self._wants = ""  # the table where a place was asked for last

    # -- typed lines ---------------------------------------------------------------------------------------------------

    def typed(self, line: str) -> str:
        """Carries out a line of a person; returns what answers it without a request. Raises Refusal."""
        self._look_at_terminal()  # a width that is typed now is later than what it told before
        meant = read(line, self._typist.where(), self._memory)
        assert not isinstance(meant, Own)
        if isinstance(meant, Ask):
            self._ask(meant)
            return ""
        return self._in_rows(meant.split("\n")) if meant else ""

    @property
    def width(self) -> int:
        """The terminal's columns: the latest width that was typed or sent by telnet."""
        self._look_at_terminal()
        return self._memory.width or COLUMNS

    def _look_at_terminal(self) -> None:
        columns = self._carrier.columns
        if columns != self._columns:
            self._columns = columns
            self._memory.set_width(clamped(columns) if columns else 0)

    def _in_rows(self, lines: Iterable[str]) -> str:
        return "".join(f"{row}\n" for row in folded(lines, self.width))

    def _ask(self, ask: Ask) -> None:
        self._next_id += 1
        self._spoken = ask.fields["text"] if ask.kind is m.Say and not ask.fields["table"] else ""
        self._wants = ask.fields["table"] if ask.kind in (m.Join, m.Watch) else ""
        self._carrier.carry_out(ask.kind(id=self._next_id, **ask.fields))

    def _go_on(self) -> None:
        """The next action of a line that stood for several, now that its turn has come."""
        decision = self._typist.decision()
        if decision is not None and self._memory.waiting:
            self._ask(decision.act(self._memory.waiting.pop(0)))

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
                return render_reply(msgspec.structs.replace(message, text=table.ending(message)), table)
            case m.Accepted():
                return []
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
                return [legal_head(), *numbered(here.legal(message.turn))]
            case m.Position() if table is not None:
                typist.turn_to(table.id)
                return table.board(message.view, self.width)
            case m.OpenHands(views=views) if views and table is not None:
                return table.open_board(message, self.width)
            case m.Story():
                return [*(line for told in message.messages for line in self._story_line(told)), *more_line(message)]
            case m.Error(code="already_seated") if self._typist.missed(self._wants) is not None:
                self._carrier.later(partial(self._resume, self._wants))
                return []
            case m.Error(turn=turn) if turn is not None and here is not None:
                return [f"! {message.text}", here.ask(turn)]
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
        return [*board, f"{where}> {table.ask(message)}{left_text(message.left)}"]


def up_to_now(missed: Iterable[m.Message], turn: m.Turn | None) -> list[m.Message]:
    """What a person missed: of all that was to be decided meanwhile only what still is, `turn`."""
    return [*(message for message in missed if not isinstance(message, m.Turn)), *([turn] if turn is not None else [])]
