"""The face for people: typed lines become requests, messages become lines. Context is one current table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from games.api import Action, Unreadable, plain, to_map
from protocol import messages as m
from protocol.errors import Refusal
from protocol.text.help import COMMANDS, is_too_long
from protocol.text.sentences import render_reply, table_line
from server.table.table import Table

if TYPE_CHECKING:
    from server.desk.lobby import Lobby
    from server.net.session import Session

WIDTH = 78
NUMBER = re.compile(r"[0-9]{1,9}")
ALIASES = {"?": "help", "exit": "quit", "bye": "quit", "l": "look", "'": "say"}


class TextFace:
    """Belongs to one session. `typed` hands requests on; `render` gives the text for messages, "" for silence."""

    def __init__(self, lobby: Lobby, session: Session) -> None:
        self._lobby, self._session = lobby, session
        self._next_id = 0
        self._table: Table | None = None
        self._brief = False
        self._waiting: list[Action] = []  # the rest of a typed line that stands for several actions
        self._do: Callable[[m.Request], None] | None = None

    # -- typed lines ---------------------------------------------------------------------------------------------------

    def typed(self, line: str, do: Callable[[m.Request], None]) -> None:
        """One line of a person. Raises Refusal where it cannot be understood."""
        self._do = do
        words = [word for word in line.split(" ") if word]
        if not words:
            return
        first = words[0].lower()
        first = ALIASES.get(first, first)
        if first in COMMANDS and not (is_too_long(first, len(words) - 1) and self._is_shared(first)):
            self._command(first, words[1:], line)
        elif not self._action(line.strip(" "), words):
            fitting = [name for name in COMMANDS if name.startswith(first)]
            if len(fitting) != 1:
                text = f"Do you mean {' or '.join(fitting)}?" if fitting else "That is no command here; try help."
                raise Refusal("unknown_word", text)
            self._command(fitting[0], words[1:], line)

    def _action(self, line: str, words: Sequence[str]) -> bool:
        """The line as an action at the current table; False if a command may be meant instead."""
        if not line.isascii():  # Python takes many other digits and spaces for those that are meant
            return False
        turn = self._my_turn()
        first = words[0].lower()
        if turn is None or self._table is None:
            if self._table is not None and (_is_game_word(self._table, first) or NUMBER.fullmatch(line)):
                raise Refusal("not_your_turn")
            return False
        if NUMBER.fullmatch(line):
            if not 1 <= int(line) <= len(turn.legal):
                raise Refusal("unreadable", f"Type a number from 1 to {len(turn.legal)}, or an action.")
            actions = [turn.legal[int(line) - 1]]
        else:
            try:
                actions = self._table.game.words.read(line, turn.view, turn.legal)
            except Unreadable as error:
                if any(name.startswith(first) for name in COMMANDS) and not _is_game_word(self._table, first):
                    return False
                raise Refusal("unreadable", str(error)) from None
        self._waiting = actions[1:]
        self._act(turn, actions[0])
        return True

    def _is_shared(self, first: str) -> bool:
        """Whether the game at the table has that word as well."""
        return self._table is not None and _is_game_word(self._table, first)

    def _act(self, turn: m.Turn, action: Action) -> None:
        assert self._do is not None
        self._do(m.Act(id=self._id(), table=turn.table, turn=turn.turn, action=to_map(action)))

    def _my_turn(self) -> m.Turn | None:
        table, player = self._table, self._session.player
        if table is None or player is None or not table.awaits(player):
            return None
        chair = table.seating.chair_of(player)
        return table.turn(chair.number) if chair else None

    def _id(self) -> int:
        self._next_id += 1
        return self._next_id

    # -- commands ------------------------------------------------------------------------------------------------------

    def _command(self, name: str, words: list[str], line: str) -> None:
        assert self._do is not None
        rest = line.strip(" ").split(" ", 1)[1].strip(" ") if " " in line.strip(" ") else ""
        one, two = (words[0] if words else ""), (words[1] if len(words) > 1 else "")
        request: m.Request
        match name:
            case "hello":
                request = m.Hello(id=self._id(), name=_need(one, "a name"), code=two, client="text")
            case "help":
                request = m.Help(id=self._id(), topic=one)
            case "rules":
                request = m.Rules(id=self._id(), game=one or self._game_here())
            case "cards":
                game, card = (one, rest[len(one) :].strip()) if one in self._lobby.games else (self._game_here(), rest)
                request = m.Cards(id=self._id(), game=game, name=card)
            case "bots":
                request = m.Bots(id=self._id(), game=one)
            case "open":
                request = self._open(words)
            case "join" | "watch":
                table = one or self._some_table(name)
                if name == "watch":
                    request = m.Watch(id=self._id(), table=table)
                else:
                    request = m.Join(id=self._id(), table=table, seat=_number(two or "0", "a seat"))
            case "add":
                request = m.Add(id=self._id(), table=self._here(), bot=_need(one, "a bot; try bots"))
            case "why":
                request = m.Why(id=self._id(), table=self._here(), action=to_map(self._read_why(rest)))
            case "log":
                request = m.Log(id=self._id(), table=self._here(), after=_number(one or "0", "a message number"))
            case "say":
                request = m.Say(id=self._id(), text=_need(rest, "something to say"), table=self._here_or_nowhere())
            case "tell":
                request = m.Tell(id=self._id(), to=_need(one, "a name"), text=_need(rest[len(one) :].strip(), "a text"))
            case "brief":
                self._brief = one != "off"
                return
            case "look" if one:
                request = m.Look(id=self._id(), table=one)
            case "start" | "look" | "legal" | "clock" | "resign" | "leave":
                kinds = {
                    "start": m.Start,
                    "look": m.Look,
                    "legal": m.Legal,
                    "clock": m.Clock,
                    "resign": m.Resign,
                    "leave": m.Leave,
                }
                request = kinds[name](id=self._id(), table=self._here())
            case _:
                plain_kinds = {"games": m.Games, "who": m.Who, "tables": m.Tables, "ping": m.Ping, "quit": m.Quit}
                request = plain_kinds[name](id=self._id())
        self._do(_checked(request))

    def _open(self, words: list[str]) -> m.Request:
        game = _need(words[0] if words else "", "a game; try games")
        seats, options = 0, {}
        for word in words[1:]:
            if "=" in word:
                key, _, value = word.partition("=")
                options[key] = option_value(value)
            else:
                seats = _number(word, "a number of seats")
        return m.Open(id=self._id(), game=game, seats=seats, options=options, clock=self._lobby.config.clock)

    def _here(self) -> str:
        if self._table is None:
            raise Refusal("not_seated", "You are at no table; open, join or watch one.")
        return self._table.id

    def _here_or_nowhere(self) -> str:
        return self._table.id if self._table else ""

    def _game_here(self) -> str:
        if self._table is not None:
            return self._table.game.id
        known = list(self._lobby.games)
        if len(known) == 1:
            return known[0]
        raise Refusal("missing_field", f"Say which game: {', '.join(known)}.")

    def _some_table(self, name: str) -> str:
        """The table that is meant when none is named: the only one that fits."""
        state = "open" if name == "join" else "playing"
        fitting = [table.id for table in self._lobby.tables.values() if table.state == state]
        if len(fitting) != 1:
            raise Refusal("missing_field", "Say which table; tables lists them.")
        return fitting[0]

    def _read_why(self, text: str) -> Action:
        turn = self._my_turn()
        if turn is None or self._table is None:
            raise Refusal("not_your_turn")
        try:
            return self._table.game.words.read(_need(text, "an action"), turn.view, turn.legal)[0]
        except Unreadable as error:
            raise Refusal("unreadable", str(error)) from None

    # -- messages ------------------------------------------------------------------------------------------------------

    def render(self, messages: Iterable[m.Message]) -> str:
        """What a person reads of these messages; lines end with a newline."""
        text = "".join(f"{line}\n" for message in messages for line in self._lines(message))
        if self._waiting:
            self._go_on(messages)
        return text

    def _go_on(self, messages: Iterable[m.Message]) -> None:
        """The next action of a line that stood for several, once its turn comes; an error drops the rest."""
        for message in messages:
            if isinstance(message, m.Error | m.Over):
                self._waiting = []
            elif isinstance(message, m.Turn) and self._waiting:
                self._session.later(self._continue)

    def _continue(self) -> None:
        turn = self._my_turn()
        if turn is not None and self._waiting:
            self._act(turn, self._waiting.pop(0))

    def _lines(self, message: m.Message) -> list[str]:
        table = self._table_of(message)
        match message:
            case m.Welcome():
                return self._welcome(message)
            case m.TableReply() | m.Seated():
                self._table = self._lobby.tables.get(message.info.table)
                return [table_line(message.info), *([f"You have seat {message.seat}."] if message.seat else [])]
            case m.Watching():
                self._table = self._lobby.tables.get(message.table)
                return [f"You watch {message.table}.", *self._board(self._table, message.view)]
            case m.TableChanged() if self._session.answering:
                return []  # the answer itself shows the table
            case m.Left():
                self._table = None
                held = f" Your seat is held for {message.held:.0f} seconds." if message.held else ""
                return [f"You left {message.table}.{held}"]
            case m.Resumed():
                self._table = self._lobby.tables.get(message.table)
                return [f"You are back at {message.table}, seat {message.seat}. This is what you missed:"]
            case m.Happened() if table is not None:
                line = table.game.words.tell(message.event, table.names())
                return [f"* {line}"] if line else []
            case m.Turn() if table is not None:
                return self._turn(table, message)
            case m.TurnReply() if self._table is not None:
                write = self._table.game.words.write
                rows = [f"  {number:>3}  {write(action)}" for number, action in enumerate(message.turn.legal, 1)]
                return ["You may do (type the action or its number):", *rows]
            case m.Position():
                self._table = table or self._table
                return self._board(self._table, message.view)
            case m.Story():
                lines = [line for told in message.messages for line in self._story_line(told)]
                return [*lines, *(["(more: log N)"] if message.more else [])]
            case m.Error(turn=turn) if turn is not None and self._table is not None:
                return [f"! {message.text}", self._table.game.words.ask(turn.view, turn.legal)]
            case _:
                return render_reply(message, table)

    def _table_of(self, message: m.Message) -> Table | None:
        table_id = getattr(message, "table", "")
        return self._lobby.tables.get(table_id) if table_id else None

    def _story_line(self, told: m.Message) -> list[str]:
        number = getattr(told, "n", 0)
        if isinstance(told, m.Turn):
            return [f"{number:>4}  your turn {told.turn}"]
        return [f"{number:>4}  {line}" for line in self._lines(told)]

    def _welcome(self, message: m.Welcome) -> list[str]:
        lines = [f"Welcome, {message.name}. Type help to see what you can say."]
        lines.append(f"After a lost connection come back with: hello {message.name} {message.code}")
        for info in message.seats:
            if info.state != "open":
                self._session.later(partial(self._resume, info.table))
        return lines

    def _resume(self, table_id: str) -> None:
        table, player = self._lobby.tables.get(table_id), self._session.player
        chair = table.seating.chair_of(player) if table is not None and player is not None else None
        if table is None or chair is None or table.match is None or self._do is None:
            return
        recent = max(0, table.match.counts[chair.number] - 10)
        self._do(m.Resume(id=self._id(), table=table_id, after=recent))

    def _turn(self, table: Table, message: m.Turn) -> list[str]:
        self._table = self._table or table
        words = table.game.words
        where = "" if table is self._table else f"[{table.id}] "
        board = [] if self._brief or self._waiting else self._board(table, message.view)
        left = f" ({message.left:.0f} s)" if message.left < 100_000 else ""
        return [*board, f"{where}> {words.ask(message.view, message.legal)}{left}"]

    def _board(self, table: Table | None, view: Any) -> list[str]:
        if table is None or view is None:
            return []
        return plain(table.game.words.board(view, table.names(), WIDTH))


def _checked(request: m.Request) -> m.Request:
    """The request held against its own limits, as one that came over another face. Raises Refusal."""
    try:
        return msgspec.convert(msgspec.to_builtins(request), type(request))
    except msgspec.ValidationError as error:
        raise Refusal("bad_field", str(error)[:200]) from None


def _is_game_word(table: Table, first: str) -> bool:
    """Whether the word begins one of the game's action forms, as its help lists them."""
    return any(row.split(" ")[0] == first for row in table.game.words.help.lower().split("\n") if row)


def _need(word: str, what: str) -> str:
    if not word:
        raise Refusal("missing_field", f"Add {what}.")
    return word


def _number(word: str, what: str) -> int:
    if not NUMBER.fullmatch(word):
        raise Refusal("bad_number", f"Expected {what}, a whole number.")
    return int(word)


def option_value(word: str) -> Any:
    """A typed option's value: a truth, a whole number or a word."""
    if word in ("true", "on", "yes"):
        return True
    if word in ("false", "off", "no"):
        return False
    return int(word) if NUMBER.fullmatch(word) else word
