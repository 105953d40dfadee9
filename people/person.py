"""A person at the tables: turns messages into lines to show, and typed lines into requests. Uses no terminal and no
connection.

A person's client uses the same link to a server as a bot; `typed` has the role that a bot's `choose` has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Union

from games.api import Action, Game, StyledLine
from games.spelling import typed_action_text
from games.unions import convert_union
from matches.seat import start_request_if_full
from people.action_queue import next_queued_action
from people.choices import legal_rows
from people.effects import Effects
from people.frame import Frame, build_frame
from people.language import _
from people.render import highlight_name, plain_lines
from people.screen import ScreenContent, build_screen
from people.settings import PersonSettings
from people.state import PersonState
from people.table import PersonTable
from people.text.commands import render_reply
from people.text.folding import join_wrapped_rows
from people.text.listings import cup_line, table_line
from people.text.sentences import (
    error_text,
    hand_lines,
    kicked_lines,
    legal_heading,
    next_page_lines,
    open_hands_text,
    owner_lines,
    standings_lines,
    talk_rows,
    time_left_text,
)
from people.text.typing_context import RequestDraft
from people.typed import handle_line
from protocol import messages as m
from protocol.errors import TOO_LATE
from protocol.messages.exchanges import EXCHANGES
from protocol.names import lookalike_key

_TOLD: Any = Union[m.TOLD]  # noqa: UP007 (made from a tuple); the types of messages in the answer to `log`


class Person(PersonState):
    """One person at the tables: turns messages into lines to show, and typed lines into requests.

    The caller passes a table's messages through an Admission over `known_games` before `on_message`.
    """

    def __init__(self, name: str, games: Mapping[str, Game], settings: PersonSettings) -> None:
        super().__init__(name, games, settings)
        self._ignored: set[str] = set()  # names, folded by `fold`, of players whose chat messages are hidden
        self._said_of_table = ""
        self._said_of_cup = ""  # the latest line shown on the state of a cup

    def on_replay(self, data: bytes) -> Effects:
        """Returns the effects of the arrived replay of the last match, which the review then steps through."""
        settings = self.settings
        return self.show_page(self.review.reveal_match(data, self.games, settings.width(), short=settings.pinned))

    def on_typed_line(self, line: str) -> Effects:
        """Carries out a typed line. Returns its effects: requests to send, lines to show."""
        effects = handle_line(self, line)
        if any(table.turn is not None and table.fresh for table in self.seats.tables.values()):  # to be asked again
            more = self.ask_for_decisions()
            effects.lines, effects.asks = [*effects.lines, *more.lines], [*effects.asks, *more.asks]
        return effects

    def screen_content(self) -> ScreenContent:
        """Returns the contents of the current screen without the log, including the lines that the person may type."""
        return build_screen(self)

    def build_frame(self, columns: int, rows: int) -> Frame:
        """Returns the frame for a terminal of that many columns and rows, without the log and the input."""
        return build_frame(self, columns, rows)

    # -- handling messages ---------------------------------------------------------------------------------------------

    def on_message(self, message: m.Message) -> Effects:
        """Returns the effects of a message from the server: lines to show, and requests to send."""
        if type(message) is m.Happened:  # the most frequent message
            return self._hear_event(message)
        heard = Effects()
        info = getattr(message, "info", None)
        owner = self.prompt.memory.owners.get(info.table, "") if isinstance(info, m.TableInfo) else ""
        self.prompt.memory.on_message(message)
        self.glances.mark_for_refresh(message)
        table = self.seats.tables.get(getattr(message, "table", ""))
        match message:
            case m.Welcome():
                self._welcome(message, heard)
            case m.Resumed():
                if message.table in self.seats.tables:
                    self.seats.switch_to(message.table)
                came = {"table": message.table, "seat": message.seat}
                heard.add_line(_("You are back at {table}, seat {seat}. This is what you missed:", **came), "good")
            case m.Ignoring():
                self.set_ignored_names(message.players)
                heard.lines = plain_lines(message, None)
            case m.CupChanged():
                self._said_of_cup = cup_line(message.info)
                heard.lines = plain_lines(message, None)
            case m.TableReply() | m.Seated():
                had = table.seat if (table := self.seats.tables.get(message.info.table)) is not None else 0
                table = self.seats.add_table(message.info, message.seat, self.game_at(message.info))
                if isinstance(message, m.Seated):
                    self._said_of_table = ""  # so that the line is shown again, now that the person has a seat
                self._table_line(message.info, heard)
                if table.seat != had and not self.settings.quiet:
                    heard.add_line(_("You have seat {seat}.", seat=table.seat))
                if message.info.owner == self.name:
                    heard.asks += self.rematch.on_table_opened(table.id)
                    if begins := self.guided.on_table_opened(table.id):
                        heard.asks += begins
                        return self.show_page(heard)
                self._start_if_full(table, message.info, heard)
            case m.TableChanged():
                lines = owner_lines(message.info, owner, self.name)
                for text in (*kicked_lines(message), *lines):
                    heard.add_line(text)
                self._table_line(message.info, heard)
                if table := self.seats.tables.get(message.info.table):
                    table.update_names(message.info)
                    self._start_if_full(table, message.info, heard)
            case m.TableList():
                self.seats.store_list(message.tables)
                heard.lines = plain_lines(message, None)
            case m.Watching():
                table = self.seats.add_table(message.info, 0, self.game_at(message.info))
                heard.lines, heard.asks = plain_lines(message, table), self.turning.leave_previous(message.table)
                if message.view is not None:
                    seen = self._see(table, message.view)
                    heard.lines += [] if self.settings.pinned else seen
            case m.Left() | m.SentAway():
                before = self.seats.here
                self.remove_table(message.table, gone=isinstance(message, m.SentAway) and message.why == "closed")
                heard.lines = plain_lines(message, None)
                if self.seats.here is not None and self.seats.here is not before:
                    heard.add_line(_("You are at {table} now.", table=self.seats.here.id))
                return heard
            case m.Chat() if lookalike_key(message.sender) in self._ignored:
                pass
            case m.Chat():
                heard.lines = self._talk(message, len(self._mark(message.table)))
            case m.PastMessages():
                heard.lines = [line for told in message.messages for line in self._story(told)]
                heard.lines += [[("dim", line)] for line in next_page_lines(message)]
            case m.Position() if table is not None:
                heard.lines = self._see(table, message.view)
            case m.TurnReply() if self.seats.here is not None:
                rows = legal_rows(self.seats.here.parse_turn(message.turn))
                heard.lines = [[("title", legal_heading())], *([("", row)] for row in rows)]
            case m.Page():
                texts = join_wrapped_rows(render_reply(message, None), self.settings.width())
                heard.lines = [[("", text)] for text in texts]
            case m.CupStandings():
                heard.lines = [[("", text)] for text in standings_lines(message, self.settings.width())]
            case m.OpenHands(views=views) if views and table is not None:
                heard.page = self.opening.build_page(table, message)
            case m.Error():
                self._error(message, heard)
            case m.MatchStarted():
                self._started(message, heard)
            case m.TurnUpdate() if table is not None:
                self._take_turn(table, message)
            case m.Late() | m.Presence() if table is not None:
                heard.lines = plain_lines(message, table)
                if table.is_decided_by(message, heard):
                    self.prompt.memory.clear_queued_actions()
            case m.Paused() if table is not None:
                table.set_paused(on=message.on, now=self.settings.now())
                heard.lines = plain_lines(message, table)
            case m.Undone() if table is not None:
                self._undone(table, message, heard)
            case m.Over() if table is not None:
                self._over(table, message, heard)
            case _:
                heard.lines = plain_lines(message, table)
        return self.show_page(self._marked(heard, getattr(message, "table", "")))

    def _undone(self, table: PersonTable, message: m.Undone, heard: Effects) -> None:
        heard.lines = self._undone_lines(table, message)
        table.note_undo_request(asked=bool(message.wanting))
        if message.done:
            table.undo_decision()
            self.prompt.release_decision()
            self.prompt.memory.clear_queued_actions()

    def _undone_lines(self, table: PersonTable, message: m.Undone) -> list[StyledLine]:
        """Returns the lines on a request to take a decision back, or on its result. The events of that decision follow
        when the request is made, and when the decision is taken back."""
        lines = plain_lines(message, table)
        if message.done or message.wanting == (message.seat,):
            for event in message.events:
                told = self._happened(table, m.Happened(table=table.id, n=message.n, event=event))
                lines += [[("dim", "  "), *line] for line in told]
        return lines

    def _hear_event(self, message: m.Happened) -> Effects:
        if self.settings.pinned:
            self.glances.mark_for_refresh(message)
        table = self.seats.tables.get(message.table)
        if table is not None:
            table.note_undo_request(asked=False)
        return self._marked(Effects(self._happened(table, message) if table is not None else []), message.table)

    def set_ignored_names(self, names: Iterable[str]) -> None:
        """Sets the names of the players whose chat messages the person does not see."""
        self._ignored = {lookalike_key(name) for name in names}

    def _marked(self, heard: Effects, table: str) -> Effects:
        """Puts the table's id before each line if the lines come from another table than the current one."""
        if mark := self._mark(table):
            heard.lines = [[("dim", mark), *line] for line in heard.lines]
        return heard

    def _mark(self, table: str) -> str:
        """Returns the prefix of lines from that table: its id in brackets; "" for the current table."""
        return f"[{table}] " if table and self.seats.here is not None and table != self.seats.here.id else ""

    def _talk(self, message: m.Chat, taken: int) -> list[StyledLine]:
        """Returns the lines of a chat message. The caller puts `taken` columns before each of them, so they are that
        much shorter."""
        rows = talk_rows(message, self.settings.width() - taken)
        return [highlight_name([("key", who), ("", part)], self.name) for who, part in rows]

    def _table_line(self, info: m.TableInfo, heard: Effects) -> None:
        """Shows one line on the table's players and state, unless it is the same as the last such line."""
        text = table_line(info)
        if text != self._said_of_table and not self.settings.quiet:
            heard.add_line(text)
        self._said_of_table = text

    def _happened(self, table: PersonTable, message: m.Happened) -> list[StyledLine]:
        if self.settings.server is not None:
            told = self.settings.server.event_text(table, message.event)
        else:
            told = table.game.words.event_sentence(table.parse_event(message), table.people)
        return [highlight_name([("", f"* {told}")], self.name)] if told else []

    def _started(self, message: m.MatchStarted, heard: Effects) -> None:
        self.seats.begin_match(message, self.game_at(message))
        seated = ", ".join(f"{seat.seat} {seat.name}" for seat in message.seats)
        heard.add_line(_("The match begins: {listed}.", listed=seated), "title")
        heard.add_line(_("Commitment to the deal: {commitment}", commitment=message.commitment), "dim")
        if message.delay:
            heard.add_line(open_hands_text(message.table, message.delay), "dim")

    def ask_for_decisions(self) -> Effects:
        """Asks the person for each new decision, or makes it for them. The caller calls it after all messages that have
        arrived were handled."""
        heard = Effects(asks=self._board_requests())
        for table in list(self.seats.tables.values()):
            was_undone = table.pop_undone()
            if table.turn is None or not table.fresh:
                if was_undone and not self.settings.pinned and not self.prompt.memory.brief:
                    heard.asks.append(RequestDraft(m.LookRequest, {"table": table.id}))
                continue
            table.mark_asked()
            self.seats.switch_unless_asked(table)
            if (action := next_queued_action(self.prompt.memory, table, heard)) is not None:
                heard.asks.append(self.action_request(table, action))
                continue
            if self.prompt.has_ended:
                heard.lines += self.guided.lines_before(table.id, table.turn)
                self._play_stand_in(table, heard)
            elif (action := self._made_alone(table)) is not None:
                table.schedule_action(action, self.settings.now() + self.settings.pause())
            else:
                self._ask(table, heard)
        self._decide_alone(heard)
        return heard

    def _made_alone(self, table: PersonTable) -> Action | None:
        """Returns the action that the client does for the person: with `auto` on the one that lets things be, or the
        only legal one; None if the person has to decide."""
        assert table.turn is not None
        if table.auto and (action := table.unconcerned_action()) is not None:
            return action
        return table.turn.legal[0] if self.settings.decides_alone and len(table.turn.legal) == 1 else None

    def _decide_alone(self, heard: Effects) -> None:
        """Sends the scheduled actions whose time has come, and shows a line on each."""
        for table in self.seats.tables.values():
            if (action := table.due_action(self.settings.now())) is not None:
                why = _("auto: ") if table.auto else _("Nothing else may be done: ")
                heard.lines.append(
                    [("dim", self._mark(table.id) + why), ("", typed_action_text(table.game.words, action))]
                )
                heard.asks.append(self.action_request(table, action))

    def next_action_time(self) -> float | None:
        """Returns the time, on the clock of the settings, at which the next scheduled action is due; None without one.
        Paused matches do not count."""
        times = [table.alone[1] for table in self.seats.tables.values() if table.alone and table.paused_at is None]
        return min(times, default=None)

    def poll_effects(self) -> Effects:
        """Returns the background requests and the scheduled actions that are due now. The program calls it at short
        intervals."""
        heard = Effects(asks=self._board_requests())
        heard.asks += self.opening.due_requests(self.page.shown, self.settings.now())
        heard.asks += self.following.due_requests(self.seats.here, self.settings.now())
        self._decide_alone(heard)
        return heard

    def _board_requests(self) -> list[RequestDraft]:
        """Returns the requests that refresh a pinned board. Inside a server, `look` refreshes it without requests."""
        if not self.settings.pinned or self.settings.server is not None:
            return []
        return self.glances.due_requests(self.seats.here, self.settings.now())

    def refresh_board(self) -> Effects:
        """Refreshes the board and the clocks of the current table, for a person inside a server. Returns the totals of
        a round that has ended."""
        table, server = self.seats.here, self.settings.server
        seen = server.current_view(table.id) if table is not None and server is not None else None
        if table is None or seen is None:
            return Effects()
        view, clocks, paused = seen
        table.update_view(view, clocks, self.settings.now(), paused=paused)
        return Effects(table.round_sum_lines())

    def _take_turn(self, table: PersonTable, message: m.TurnUpdate) -> None:
        table.open_turn(table.parse_turn(message), message.left, self.settings.now())

    def _ask(self, table: PersonTable, heard: Effects) -> None:
        assert table.turn is not None
        self.prompt.count_question()
        self.page.clear_page()
        heard.lines += table.intro_lines()
        lesson = self.guided.lines_before(table.id, table.turn)
        if self.settings.pinned:
            return
        if not self.prompt.memory.brief:
            heard.lines += table.game.words.render_board(table.turn.view, table.people, self.settings.width())
        heard.lines += lesson
        question = table.game.words.decision_prompt(table.turn.view, table.turn.legal) + time_left_text(
            table.turn.clock
        )
        mark = self.settings.question or _("Your turn: ")
        heard.lines.append([("dim", self._mark(table.id)), ("you", mark), ("", question)])

    def _over(self, table: PersonTable, message: m.Over, heard: Effects) -> None:
        self.seats.end_match(table, message)
        self.guided.end_match(table.id)
        self.review.forget_match()
        self.following.search_after_match(table, self.settings.now())
        heard.lines = plain_lines(message, table)
        for line in heard.lines[:1]:
            line[0] = ("title", line[0][1])
        heard.lines = [highlight_name(line, self.name) for line in heard.lines]
        evening = self.seats.evening.totals_text(table.game.id, table.game.words, message.results)
        if evening and not self.settings.pinned:
            heard.add_line(evening, "key")
        if table.seat or self.settings.server is None:
            heard.asks += self.glances.final_board_requests(table)

    def _error(self, message: m.Error, heard: Effects) -> None:
        heard.add_line(f"! {error_text(message)}", "bad")
        turn = convert_union(message.turn, m.TurnUpdate) if message.turn is not None else None
        if turn is not None and (table := self.seats.tables.get(turn.table)):
            self._take_turn(table, turn)

    def _welcome(self, message: m.Welcome, heard: Effects) -> None:
        """Takes over the person's name as the server spells it, and returns to the tables in the welcome at which the
        person has a seat."""
        self.rename(message.name)
        self.set_ignored_names(message.ignored)
        heard.add_line(_("Welcome, {name}. Type help to see what you can say.", name=message.name))
        if message.code:
            came = {"name": message.name, "code": message.code}
            heard.add_line(_("After a lost connection come back with: hello {name} {code}", **came))
        for info in message.seats:
            if info.state == "open":
                self.seats.add_table(info, _seat_of(info, self.name), self.game_at(info))
                heard.add_line(table_line(info))
            elif resumes := self._resumes(info.table):
                heard.asks.append(resumes)

    def _resumes(self, table_id: str) -> RequestDraft | None:
        """Returns the request that sends the messages of a running match again, in which the person has a seat. Inside
        a server, only its last messages are sent again; None if the match does not run any more."""
        if self.settings.server is None:
            return RequestDraft(m.Resume, {"table": table_id, "after": 0})
        back = self.settings.server.resumable_table(table_id)
        if back is None:
            return None
        info, after = back
        self.seats.add_table(info, _seat_of(info, self.name), self.game_at(info))
        return RequestDraft(m.Resume, {"table": table_id, "after": after})

    def on_answer(self, ask: RequestDraft, reply: m.Reply) -> Effects:
        """Returns the effects of the server's answer `reply` to the request `ask`."""
        table = self.seats.tables.get(ask.fields.get("table", ""))
        if self.glances.apply_answer(ask, reply, table, self.settings.now()):
            return Effects(table.round_sum_lines() if table is not None else [])
        followed = self.following.apply_answer(
            ask, reply, self.seats.here, busy=self.page.shown is not None, name=self.name
        )
        if followed is not None:
            return followed
        if self.opening.is_refresh(ask):
            if self.page.shown is not self.opening.page:
                return Effects()  # the person has left the page of open hands meanwhile
            if isinstance(reply, m.Error):
                self.page.hide_page()  # so that the page is not requested again
        if ask.kind is m.Open and isinstance(reply, m.Error):
            self.rematch.cancel()
            self.guided.cancel()
        if ask.kind in (m.Join, m.Watch) and isinstance(reply, m.Error) and reply.code == "already_seated":
            return self._back_to(ask.fields["table"])
        if ask.kind is m.Join and isinstance(reply, m.Error) and reply.code == "not_agreed":
            return self._look_at(ask.fields["table"], ask.fields["seat"])
        if ask.kind is m.Tables and isinstance(reply, m.Error):
            self.prompt.take_postponed()
        if ask.kind is m.Hello and isinstance(reply, m.Error) and reply.code == "name_taken":
            return self._name_taken(ask.fields["name"], reply)
        if isinstance(reply, m.TableList) and self.prompt.postponed:
            self.seats.store_list(reply.tables, fresh=True)
            return Effects(again=self.prompt.take_postponed())
        if ask.kind is m.Say and not ask.fields["table"] and isinstance(reply, m.Said) and reply.heard:
            return self.on_message(m.Chat(sender=self.name, text=" ".join(ask.fields["text"].split())))
        if isinstance(reply, m.CupReply) and not EXCHANGES[ask.kind].question:
            heard = self.on_message(reply)
            if cup_line(reply.info) == self._said_of_cup:  # an entrant has already received this line
                heard.lines = []
            return heard
        if ask.kind is m.Act and table is not None:
            return self._acted(table, ask, reply)
        if ask.kind is m.Lang and isinstance(reply, m.DoneReply):
            heard = self.on_message(reply)
            heard.add_line(_("help shows the commands."), "dim")
            return heard
        if ask.part == "hand" and isinstance(reply, m.Position) and table is not None:
            return Effects(
                hand_lines(table.game.words, table.store_view(reply.view), table.people, self.settings.width())
            )
        return self.on_message(reply)

    def _acted(self, table: PersonTable, ask: RequestDraft, reply: m.Reply) -> Effects:
        """Applies the server's answer to a decision that the person sent."""
        heard = self.on_message(reply)
        refused = isinstance(reply, m.Error) and reply.code not in TOO_LATE
        sent = table.sent
        table.on_decision_answered(refused=refused)
        if refused:
            heard.lines += self.guided.repeat_lines(table.id)
        elif sent is not None:
            self.guided.note_sent(ask)
            heard.lines += self.guided.lines_after()
        return heard

    def _look_at(self, table_id: str, seat: int) -> Effects:
        """Requests the table's current delay of open hands, to which the person must agree, and postpones the typed
        `join` until the answer arrives."""
        self.prompt.postpone_line(f"join {table_id} {seat}")
        return Effects(asks=[RequestDraft(m.Tables, {"after": f"t{int(table_id[1:]) - 1}"})])

    def _name_taken(self, name: str, error: m.Error) -> Effects:
        """Shows that the name is taken and, if a player of this server has it, how that player logs in."""
        heard = self.on_message(error)
        if self.settings.server is not None and self.settings.server.is_player(name):
            text = _("{error} If {name} is yours, type: hello {name} CODE", error=error.text, name=name)
            heard.lines = [[("bad", f"! {text}")]]
        return heard

    def _back_to(self, table_id: str) -> Effects:
        """Returns the person to a table at which they still have a seat, after they asked to join or watch it."""
        heard = Effects()
        if table_id in self.seats.tables:
            self.seats.switch_to(table_id)
            heard.add_line(_("You have a seat at {table_id}; look shows it.", table_id=table_id))
        elif resumes := self._resumes(table_id):
            heard.asks.append(resumes)
        return heard

    def _story(self, told: Any) -> list[StyledLine]:
        """Returns the lines of one message in the answer to `log`, with its number. Unlike a new message, it changes
        nothing at the table."""
        message = convert_union(told, _TOLD)
        table = self.seats.tables.get(getattr(message, "table", ""))
        number = f"{getattr(message, 'n', 0):>4}  "
        if isinstance(message, m.TurnUpdate):
            return [[("dim", _("{number}your turn {turn}", number=number, turn=message.turn))]]
        if isinstance(message, m.Happened) and table is not None:
            return [[("dim", number), *line] for line in self._happened(table, message)]
        if isinstance(message, m.Chat) and lookalike_key(message.sender) in self._ignored:
            return []
        if isinstance(message, m.Chat):
            return [[("dim", number), *line] for line in self._talk(message, len(self._mark(message.table) + number))]
        if isinstance(message, m.Undone) and table is not None:
            return [[("dim", number), *line] for line in self._undone_lines(table, message)]
        return [[("dim", number), *line] for line in plain_lines(message, table)]

    def _see(self, table: PersonTable, view: Any) -> list[StyledLine]:
        return table.game.words.render_board(table.store_view(view), table.people, self.settings.width())

    # -- the person's tables -------------------------------------------------------------------------------------------

    def _start_if_full(self, table: PersonTable, info: m.TableInfo, heard: Effects) -> None:
        if info.state != "open":
            return
        missing, own = sum(seat.kind == "empty" for seat in info.seats), info.owner == self.name
        start = start_request_if_full(info, self.name, self.settings.nonce) if self.settings.starts_when_full else None
        if start is not None and not table.starting:
            heard.asks.append(RequestDraft.from_request(start))
        elif missing and table.seat and heard.lines:
            or_add = _(", or add BOT") if own else ""
            heard.add_line(_("Waiting for {missing} more{own}.", missing=missing, own=or_add), "dim")
        elif own and heard.lines and not self.settings.starts_when_full:
            heard.add_line(_("Every seat is taken: start begins the match."), "dim")
        table.note_start_request(asked=start is not None)

    def remove_table(self, table_id: str, *, gone: bool = False) -> None:
        """Removes a table that the person has left, or that was closed (`gone`)."""
        table = self.seats.remove_table(table_id)
        if gone:
            self.following.search_after_closing(table, self.settings.now())

    # -- sending decisions ---------------------------------------------------------------------------------------------

    def action_request(self, table: PersonTable, action: Action) -> RequestDraft:
        """Returns the request that sends this action as the open decision at the table, and notes that it was sent."""
        assert table.turn is not None
        act = table.act_request(table.turn.number, action)
        table.mark_decided()
        return RequestDraft.from_request(act)

    def end_input(self) -> Effects:
        """Handles the end of the person's input: from now on a house bot makes the decisions at every table of
        theirs."""
        heard = Effects()
        if not self.prompt.end_input():
            return heard
        for table in self.seats.tables.values():
            if table.turn is not None:
                self._play_stand_in(table, heard)
        return heard

    def _play_stand_in(self, table: PersonTable, heard: Effects) -> None:
        tutor = self.guided.tutor_at(table.id)
        action = tutor.proposed if tutor is not None else None
        if action is None and not self.settings.stand_ins.has_played_at(table):
            heard.add_line(_("There is no more input; a house bot plays on for you."), "dim")
        action = action or self.settings.stand_ins.choose_action(table)
        heard.lines.append([("you", _("Played for you: ")), ("", typed_action_text(table.game.words, action))])
        heard.asks.append(self.action_request(table, action))

    def time_warning(self) -> Effects:
        """Returns a line with the seconds left for the open decision, once for each number of seconds in WARNINGS."""
        heard = Effects()
        if self.seats.here is not None and (seconds := self.seats.here.due_warning(self.settings.now())) is not None:
            heard.add_line(_("{seconds:.0f} seconds left to decide.", seconds=seconds), "bad")
        return heard


def _seat_of(info: m.TableInfo, name: str) -> int:
    """Returns the seat number of the player of that name; 0 if they have no seat at the table."""
    return next((seat.seat for seat in info.seats if seat.name == name and seat.kind != "house"), 0)
