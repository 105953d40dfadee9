"""A person's session at a server: shows the messages that arrive over the link, and carries out the lines that the
person types."""

from __future__ import annotations

import math
import signal
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import trio

from bots.sdk.link import Heard, Link, LinkLost, LinkRestored, MatchRewound, TableLeft
from bots.sdk.pagination import is_last_page
from client.exit_codes import FAILED, INTERRUPTED, disk_error_text, print_error
from client.language import _
from client.safe_output import has_reader
from client.screen.screen import InputLine, Interrupted, Screen
from matches.admission import Admission, AtTable, Match, UnplayableMatch
from people.context import is_plain_command, is_ready_for
from people.effects import Effects
from people.leaving import goodbye_text, holds_seat, leave_warning
from people.person import Person
from people.text.listings import cup_line
from people.text.sentences import another_match_text
from people.text.typing_context import RequestDraft
from protocol import messages as m
from protocol.messages.exchanges import EXCHANGES
from protocol.replay import BadReplay

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")  # signals that end a session, on systems that have them
GLANCE_SECONDS = 0.25  # the longest time until a pinned board shows a change
QUIT_SECONDS = 2.0  # how long to wait for the server's goodbye after the person quits


class ClientSession:
    """Receives a link's messages and the screen's input. `run` returns the exit code of the command."""

    def __init__(self, person: Person, screen: Screen) -> None:
        self.ends_with_match = False
        # whether the session ends when standard output is closed; otherwise it continues without output
        self.ends_without_reader = False
        self.person, self._screen = person, screen
        self._link: Link | None = None
        self._admission = Admission(person.known_games, self._admitted, self._refused)
        self._changed = trio.Event()
        self._finished = trio.Event()
        self._code = 0
        self._leaving = False
        self._put_off = 0  # number of pasted lines that wait until the lines before them are answered
        self._unanswered = 0  # number of requests without an answer so far
        # a function that stores a replay and returns its name; None: replays are not stored
        self.keep: Callable[[bytes], str] | None = None
        self.on_match: Callable[[], object] = lambda: None  # called when a match begins or ends
        self._followed: dict[str, None] = {}  # names of cups to which the session subscribes again after a reconnection
        self._keeping: set[str] = set()  # ids of the tables whose replay is being requested

    # -- messages of the link ------------------------------------------------------------------------------------------

    def on_message(self, link: Link, message: Heard) -> None:
        """Handles a message that is not an answer to a request."""
        self._link = link
        match message:
            case LinkLost(reason=reason):
                if not self.person.lost:  # shows one line, for any number of attempts to reconnect
                    self.show_text(
                        _(
                            "The connection is lost ({reason}). Reconnecting as soon as the server answers.",
                            reason=reason.rstrip("."),
                        ),
                        "bad",
                    )
                self.person.note_connection(lost=True)
                self._keep_no_more()
            case LinkRestored():
                self.person.note_connection(lost=False)
                self.show_text(_("Connected again; what you missed follows."), "good")
                for cup in self._followed:
                    ask = RequestDraft(m.Follow, {"cup": cup})
                    self._post(ask, partial(self._followed_again, ask))
            case _:
                self._admission.process_message(link, message)

    def on_caught_up(self, link: Link) -> None:
        """Updates the screen after a group of messages has been handled."""
        self._link = link
        self._follow(self.person.ask_for_decisions())

    def _admitted(self, message: AtTable) -> None:
        if isinstance(message, TableLeft):
            self.person.remove_table(message.table, gone=True)
            self.show_text(_("The server no longer has table {table}.", table=message.table), "bad")
            if self._is_for_one_match():
                self._finish(1)
            return
        if isinstance(message, MatchRewound):
            self.person.remove_table(message.table)
            text = _(
                "The server lost the latest moves at {table}, as after a restore from a backup. The match "
                "continues from an earlier position; the events before it follow.",
                table=message.table,
            )
            self.show_text(text, "bad")
            return
        self._follow(self.person.on_message(message))
        if isinstance(message, m.MatchStarted | m.Over):
            self.on_match()
        if isinstance(message, m.Over):
            if self.keep is not None:
                self._fetch(message.table)
            if not self._is_for_one_match():
                self.show_text(another_match_text(), "dim")
            elif not self._keeping:
                self._finish(0)
        elif isinstance(message, m.SentAway) and message.table and self._is_for_one_match():
            self._finish(1)

    def _refused(self, match: Match, why: UnplayableMatch) -> None:
        """Leaves a table whose match this client cannot show. Ends the session if it was only for that table."""
        self.person.remove_table(match.table)
        self.show_text(_("Table {table}: {why}", table=match.table, why=why), "bad")
        if self._is_for_one_match() or not self.person.seats.tables:
            self._finish(1)
        else:
            self._follow(Effects(asks=[RequestDraft(m.Leave, {"table": match.table})]))

    def _followed_again(self, ask: RequestDraft, reply: m.Reply) -> None:
        """Shows the present state of a cup in one line after a reconnection, in place of the missed messages."""
        if isinstance(reply, m.CupReply):
            self.show_text(cup_line(reply.info))
        else:
            del self._followed[ask.fields["cup"]]
            self._answered(ask, reply)

    # -- storing the replays of finished matches -----------------------------------------------------------------------

    def _fetch(self, table: str, *before: str) -> None:
        """Requests a replay from the line after `before` on, and stores it once it is complete."""
        self._keeping.add(table)
        self.person.review.note_replay_expected(comes=True)
        ask = RequestDraft(m.Replay, {"table": table, "after": len(before)})

        def take(reply: m.Reply) -> None:
            if isinstance(reply, m.ReplayLines):
                lines = (*before, *reply.lines)
                if not is_last_page(reply.lines, reply.more, len(lines)):
                    self._fetch(table, *lines)
                    return
                self._kept(table, "".join(f"{line}\n" for line in lines).encode())
            else:
                self._answered(ask, reply)
            self._keeping.discard(table)
            self.person.review.note_replay_expected(comes=bool(self._keeping))
            if not self._keeping and self.person.seats.last_over is not None and self._is_for_one_match():
                self._finish(0)

        self._post(ask, take)

    def _kept(self, table: str, data: bytes) -> None:
        is_last = (
            self.person.seats.last_over is None or self.person.seats.last_over.table == table
        )  # not of an earlier match whose replay is still arriving
        if is_last:
            self._follow(self.person.on_replay(data))
        try:
            name = self.keep(data) if self.keep is not None else ""
        except (OSError, BadReplay) as error:
            self.show_text(_("The match cannot be saved: {error}", error=error), "bad")
        else:
            step = _("; F2 or review steps through it here") if self._screen.interactive and is_last else ""
            self.show_text(_("The match is kept; magehall replay {name} shows it{step}.", name=name, step=step), "dim")

    def _keep_no_more(self) -> None:
        """Stops waiting for the replays that were requested, because they may take long."""
        if self._keeping and self._is_for_one_match():
            self._finish(0)
        self._keeping.clear()

    def _is_for_one_match(self) -> bool:
        return self.ends_with_match or self.person.prompt.has_ended

    # -- output and effects --------------------------------------------------------------------------------------------

    def show_text(self, text: str, style: str = "") -> None:
        """Shows a line of the client itself, rather than of the server."""
        self._show(Effects([[(style, text)]]))

    def _show(self, effects: Effects) -> None:
        try:
            self._screen.show_lines(effects.lines)
        except (OSError, ValueError) as error:  # usually the output's reader is gone
            text = disk_error_text(error)
            if text and not self._finished.is_set():
                print_error(text)
            self._finish(FAILED if text else 0)
        if self.ends_without_reader and not has_reader(sys.stdout):
            self._finish(0)

    def _follow(self, effects: Effects, *, was_typed: bool = False) -> None:
        self._show(effects)
        for ask in effects.asks:
            if ask.kind is m.Replay and self.keep is not None:
                self._fetch(ask.fields["table"])
            else:
                self._post(ask, partial(self._answered, ask, was_typed=was_typed))
        if effects.again:
            self._follow_typed(self.person.on_typed_line(effects.again))
        self._wake()

    def _follow_typed(self, effects: Effects) -> None:
        if not any(ask.kind is m.Act for ask in effects.asks):
            self.person.page.set_answer(effects.lines)
        self._follow(effects, was_typed=True)

    def _wake(self) -> None:
        """Makes all tasks that wait for a condition check it again."""
        self._changed.set()
        self._changed = trio.Event()

    def _post(self, ask: RequestDraft, take: Callable[[m.Reply], None]) -> None:
        assert self._link is not None
        link = self._link
        self._unanswered += 1

        def answered(reply: m.Reply) -> None:
            if link is self._link:
                self._unanswered -= 1
            take(reply)
            self._wake()

        link.post(ask.kind(id=1, **ask.fields), answered)

    def _answered(self, ask: RequestDraft, reply: m.Reply, *, was_typed: bool = False) -> None:
        if self._link is not None and self._link.closed.is_set():
            return
        if self._link is not None and isinstance(reply, m.TableReply | m.Watching):
            self._admission.process_message(self._link, reply)
        else:
            if ask.kind is m.Follow and isinstance(reply, m.CupReply):
                self._followed.pop(reply.info.cup, None)
                if not ask.fields.get("off"):
                    self._followed[reply.info.cup] = None
            effects = self.person.on_answer(ask, reply)
            if was_typed and EXCHANGES[ask.kind].question:
                self.person.page.set_answer(effects.lines)
            self._follow(effects)

    async def request(
        self, kind: type[m.Request], fields: Mapping[str, Any] | None = None, *, says_errors: bool = True
    ) -> m.Reply:
        """Sends a request, waits for the answer and shows it. Shows an Error only with `says_errors`, and never an
        empty list of tables."""
        came = trio.Event()
        replies: list[m.Reply] = []
        ask = RequestDraft(kind, fields or {})

        def take(reply: m.Reply) -> None:
            replies.append(reply)
            unsaid = (
                not says_errors if isinstance(reply, m.Error) else isinstance(reply, m.TableList) and not reply.tables
            )
            if not unsaid:
                self._answered(ask, reply)
            came.set()

        self._post(ask, take)
        await came.wait()
        assert self._link is not None
        self._link.raise_if_failed()
        return replies[0]

    # -- the course of the session -------------------------------------------------------------------------------------

    def attach_link(self, link: Link) -> None:
        """Sends all requests over that link from now on."""
        self._link = link
        self._unanswered = 0
        self.person.rename(link.welcome.name)
        self.person.set_ignored_names(link.welcome.ignored)

    async def run(self) -> int:
        """Runs until the session ends, and returns the exit code. Raises the error that ended the link."""
        assert self._link is not None
        link = self._link
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._watch_link, link)
                nursery.start_soon(self._watch_signals)
                nursery.start_soon(self._watch_clock)
                nursery.start_soon(self._obey)
                await self._finished.wait()
                nursery.cancel_scope.cancel()
        except* Interrupted:
            self._code, self._leaving = INTERRUPTED, True
        if self._code == INTERRUPTED and self.person.settings.saves:
            self.show_text(goodbye_text(self.person))
        elif self._code == INTERRUPTED and holds_seat(self.person):
            self.show_text(goodbye_text(self.person))
            if (
                self._leaving and not self.person.lost and self.person.settings.host is None
            ):  # quits properly, so that other players do not read that the connection was lost
                self._post(RequestDraft(m.Quit), lambda _reply: None)
                with trio.move_on_after(QUIT_SECONDS):
                    await link.closed.wait()
        if link.failure is not None and not self._leaving:
            raise link.failure
        return self._code

    def _finish(self, code: int) -> None:
        if not self._finished.is_set():
            self._code = code
            self._finished.set()
            self._wake()

    async def _watch_link(self, link: Link) -> None:
        await link.closed.wait()
        self._finish(0 if self._leaving else 1)

    async def _watch_signals(self) -> None:
        known = [number for name in SIGNALS if (number := getattr(signal, name, None)) is not None]
        with trio.open_signal_receiver(*known) as signals:
            warned = False
            async for number in signals:
                warning = leave_warning(self.person, "Ctrl-C") if number == signal.SIGINT and not warned else ""
                # the pinned screen handles Ctrl-C as a key, with its own warning
                if not (warning and self._screen.interactive) or self._screen.pinned:
                    self._leaving = number == signal.SIGINT
                    self._finish(INTERRUPTED)
                self.show_text(warning, "bad")
                warned = True

    async def _watch_clock(self) -> None:
        while True:
            await trio.sleep(GLANCE_SECONDS)
            for effects in (self.person.time_warning(), self.person.poll_effects()):
                if effects.lines or effects.asks:
                    self._follow(effects)
            self._screen.redraw_clocks()

    async def _obey(self) -> None:
        """Carries out the lines that the person types. After the end of the input a house bot plays on for them."""
        send, receive = trio.open_memory_channel[InputLine](0)
        put_off, due = trio.open_memory_channel[InputLine](math.inf)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._read, send)
            nursery.start_soon(self._obey_in_turn, due)
            async with put_off:
                async for line in receive:
                    if line.patient and not self._is_at_once(line.text):
                        self._put_off += 1
                        await put_off.send(line)
                    else:  # a line typed in reaction to the screen is carried out before pasted lines that wait
                        await self._carry_out(line)
        await self._until(lambda: is_ready_for(self.person, ""))
        if self._finished.is_set():  # the person has quit, so no house bot plays on
            return
        self._follow(self.person.end_input())
        if all(table.state == "over" for table in self.person.seats.tables.values()) and not self._keeping:
            self._finish(0)

    async def _obey_in_turn(self, lines: trio.MemoryReceiveChannel[InputLine]) -> None:
        async for line in lines:
            await self._until(partial(self._may_follow, line.text))
            await self._carry_out(line)
            self._put_off -= 1

    def _may_follow(self, line: str) -> bool:
        """Returns whether a waiting pasted line may be carried out now: all lines before it must be answered, because
        it may depend on the state that they lead to."""
        return (not self._unanswered or self._finished.is_set()) and is_ready_for(self.person, line)

    def _is_at_once(self, line: str) -> bool:
        """Returns whether a pasted line may be carried out at once. This needs a command that decides nothing, and no
        earlier line that waits."""
        return self._screen.interactive and not self._put_off and is_plain_command(self.person, line)

    async def _until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            await self._changed.wait()

    async def wait_until_seated(self) -> None:
        """Waits until the link has resumed a table of an earlier session, or until this session ends."""
        await self._until(lambda: bool(self.person.seats.tables) or self._finished.is_set())

    async def _read(self, send: trio.MemorySendChannel[InputLine]) -> None:
        async with send:
            await self._screen.read_lines(send)

    def _answers_another(self, line: InputLine) -> bool:
        """Returns whether the line is a decision that was typed before the present question appeared on the screen."""
        return line.calls not in (None, self.person.prompt.calls) and not is_plain_command(self.person, line.text)

    async def _carry_out(self, line: InputLine) -> None:
        if self._answers_another(line):
            self.show_text(_("`{line}` was typed before this question appeared. Type it again.", line=line.text), "bad")
            return
        effects = self.person.on_typed_line(line.text)
        if any(ask.kind is m.Quit for ask in effects.asks):
            self._leaving = True
            self.show_text(goodbye_text(self.person))
            if (
                self.person.settings.host is not None or self.person.settings.saves
            ):  # the server ends together with the client, and stores the seats as they are
                self._finish(0)
                return
            self._follow(effects)
            with trio.move_on_after(QUIT_SECONDS):
                await self._finished.wait()
            self._finish(0)
            return
        self._follow_typed(effects)
