"""A person at the tables: what they hear becomes lines, what they type becomes requests. No terminal, no connection.

The person plays over the same link as every bot; where a bot has `choose`, the person has `typed`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union

import msgspec

from bots.sdk.admission import KnownGames
from bots.sdk.registry import bot_for
from bots.sdk.seat import start_when_full
from bots.sdk.seeds import bot_seed
from client.person.place import Effects, Place
from client.person.render import highlight
from client.person.vocabulary import next_words
from games.api import Action, Game, Line, action_from
from protocol import messages as m
from protocol.errors import Refusal
from protocol.text.reading import is_command
from protocol.text.sentences import left_text, minutes, more_line, render_reply, speaker, table_line
from protocol.text.where import Ask, Memory, Where

_TOLD: Any = Union[m.TOLD]  # noqa: UP007 (made from a tuple); what `log` gives back as plain maps


class Human:
    """One person. `now` gives seconds on a clock that only goes on, `width` the columns of the terminal.

    What they hear of a table was let in by an Admission over `known_games`.
    """

    def __init__(
        self,
        name: str,
        games: Mapping[str, Game],
        *,
        lang: str = "en",
        now: Callable[[], float],
        width: Callable[[], int],
        seed: int = 0,
    ) -> None:
        self.name = name
        self.games = dict(games)
        self.known_games = KnownGames(self.games)  # with the cards of their tables
        self.lang = lang
        self.places: dict[str, Place] = {}
        self.here: Place | None = None
        self.known_tables: tuple[m.TableInfo, ...] = ()
        self.memory = Memory()
        self.in_columns = False  # long lists stand side by side
        self.nonce = ""  # our share in the chance of a deal
        self.starts_when_full = False  # a table that is ours starts by itself once every seat is taken
        self.quiet = False  # nothing is said about who sits down
        self.over: m.Over | None = None  # how the last match ended
        self.width = width
        self._now, self._seed = now, seed
        self._said_of_table = ""
        self.input_ended = False

    # -- what is heard -------------------------------------------------------------------------------------------------

    def hear(self, message: m.Message) -> Effects:
        """What the person reads of a message, and what is done because of it."""
        heard = Effects()
        self.memory.hear(message)
        place = self.places.get(getattr(message, "table", ""))
        match message:
            case m.Welcome():
                self.name = message.name
                heard.say(f"You are {message.name}. Type h for help.")
            case m.TableReply() | m.Seated():
                place = self._take_place(message.info, message.seat)
                self._table_line(message.info, heard)
                self._start_if_full(place, message.info, heard)
            case m.TableChanged():
                self._table_line(message.info, heard)
                if place := self.places.get(message.info.table):
                    place.people = [one.name for one in message.info.seats]
                    self._start_if_full(place, message.info, heard)
            case m.TableList():
                self.known_tables = message.tables
                heard.lines = self._plain(message, None)
            case m.Watching():
                place = self._take_place(message.info, 0)
                heard.lines = self._plain(message, place)
                if message.view is not None:
                    heard.lines += self._see(place, message.view)
            case m.Left() | m.SentAway():
                self.forget(message.table)
                heard.lines = self._plain(message, None)
            case m.Chat():
                heard.lines = [highlight([("key", speaker(message)), ("", message.text)], self.name)]
            case m.Story():
                heard.lines = [line for told in message.messages for line in self._story(told)]
                heard.lines += [[("dim", line)] for line in more_line(message)]
            case m.Position() if place is not None:
                heard.lines = self._see(place, message.view)
            case m.Error():
                self._error(message, heard)
            case m.Started():
                self._started(message, heard)
            case m.Happened() if place is not None:
                heard.lines = self._happened(place, message)
            case m.Turn() if place is not None:
                self._take_turn(place, message)
            case m.Late() | m.Presence() if place is not None:
                heard.lines = self._plain(message, place)
                if message.seat == place.seat and (isinstance(message, m.Late) or message.by):
                    place.turn, self.memory.waiting = None, []
            case m.Over() if place is not None:
                self._over(place, message, heard)
            case _:
                heard.lines = self._plain(message, place)
        return self._marked(heard, getattr(message, "table", ""))

    def _plain(self, message: m.Message, place: Place | None) -> list[Line]:
        return [[("", text)] for text in render_reply(message, place)]

    def _marked(self, heard: Effects, table: str) -> Effects:
        """Lines from another table than the one in hand say so."""
        if table and self.here is not None and table != self.here.id:
            heard.lines = [[("dim", f"[{table}] "), *line] for line in heard.lines]
        return heard

    def _table_line(self, info: m.TableInfo, heard: Effects) -> None:
        """The table as it is now, unless that was said already."""
        text = table_line(info)
        if text != self._said_of_table and not self.quiet:
            heard.say(text)
        self._said_of_table = text

    def _happened(self, place: Place, message: m.Happened) -> list[Line]:
        text = place.game.words.tell(place.read_event(message), place.people)
        return [highlight([("", f"* {text}")], self.name)] if text else []

    def _started(self, message: m.Started, heard: Effects) -> None:
        names = [info.name for info in message.seats]
        place = Place(message.table, self.known_games.at(message), message.you, names, "playing")
        self.places[message.table] = place
        if self.here is None or self.here.id == place.id or self.here.turn is None:
            self.here = place
        heard.say(f"The match begins: {', '.join(f'{seat.seat} {seat.name}' for seat in message.seats)}.", "title")
        heard.say(f"Commitment to the deal: {message.commitment}", "dim")

    def settle(self) -> Effects:
        """Everything that has arrived was heard: the person is asked for what is to be decided now."""
        heard = Effects()
        for place in list(self.places.values()):
            if place.turn is None or not place.fresh:
                continue
            place.fresh = False
            if self.here is None or self.here.turn is None:
                self.here = place
            if self._go_on(place, heard):
                continue
            if self.input_ended:
                self._play_stand_in(place, heard)
            else:
                self._ask(place, heard)
        return heard

    def _take_turn(self, place: Place, message: m.Turn) -> None:
        place.turn = place.read_turn(message)
        place.view, place.fresh, place.sent = place.turn.view, True, None
        place.deadline, place.warned = self._now() + message.left, message.left

    def _ask(self, place: Place, heard: Effects) -> None:
        assert place.turn is not None
        if not self.memory.brief:
            heard.lines += place.game.words.board(place.turn.view, place.people, self.width())
        question = place.game.words.ask(place.turn.view, place.turn.legal) + left_text(place.turn.clock)
        heard.lines.append([("you", "Your turn: "), ("", question)])

    def _go_on(self, place: Place, heard: Effects) -> bool:
        """Plays the next action of a line that stood for several; drops them all when it is not legal now."""
        assert place.turn is not None
        if not self.memory.waiting:
            return False
        try:
            action = action_from(place.game, self.memory.waiting.pop(0))
            if action in place.turn.legal:
                heard.asks.append(self.act(place, action))
                return True
            what = place.game.words.write(action)
        except ValueError as error:
            what = str(error)
        heard.say(f"Not done, as it is not legal now: {what}", "bad")
        self.memory.waiting = []
        return False

    def _over(self, place: Place, message: m.Over, heard: Effects) -> None:
        place.state, place.turn = "over", None
        self.over = message
        heard.lines = self._plain(message, place)
        for line in heard.lines[:1]:
            line[0] = ("title", line[0][1])
        heard.lines = [highlight(line, self.name) for line in heard.lines]

    def _error(self, message: m.Error, heard: Effects) -> None:
        heard.say(f"! {message.text}", "bad")
        if message.turn is not None:
            turn = msgspec.convert(message.turn, m.Turn)
            if place := self.places.get(turn.table):
                self._take_turn(place, turn)

    def answered(self, ask: Ask, reply: m.Reply) -> Effects:
        """What follows from the answer to a request."""
        if ask.kind is m.Act and (place := self.places.get(ask.fields["table"])):
            if isinstance(reply, m.Error) and reply.code in ("illegal_action", "bad_action"):
                place.turn = place.turn or place.sent  # it is still to be decided
            place.sent = None
        return self.hear(reply)

    def _story(self, told: Any) -> list[Line]:
        """A message of the past, without any effect on the present."""
        message = msgspec.convert(told, _TOLD)
        place = self.places.get(getattr(message, "table", ""))
        number = f"{getattr(message, 'n', 0):>4}  "
        if isinstance(message, m.Turn):
            return [[("dim", f"{number}your turn {message.turn}")]]
        if isinstance(message, m.Happened) and place is not None:
            return [[("dim", number), *line] for line in self._happened(place, message)]
        return [[("dim", number), *line] for line in self._plain(message, place)]

    def _see(self, place: Place, view: Any) -> list[Line]:
        place.view = place.read_view(view)
        return place.game.words.board(place.view, place.people, self.width())

    # -- where they are ------------------------------------------------------------------------------------------------

    def _take_place(self, info: m.TableInfo, seat: int) -> Place:
        people = [one.name for one in info.seats]
        place = self.places.get(info.table)
        if place is None:
            game = self.known_games.at(info)
            place = self.places[info.table] = Place(info.table, game, seat, people, info.state)
        place.people, place.seat = people, seat or place.seat
        self.here = place
        return place

    def _start_if_full(self, place: Place, info: m.TableInfo, heard: Effects) -> None:
        if info.state != "open" or not self.starts_when_full:
            return
        start = start_when_full(info, self.name, self.nonce)
        missing = sum(seat.kind == "empty" for seat in info.seats)
        if start is not None and not place.starting:
            heard.asks.append(Ask.of(start))
        elif missing and heard.lines:
            own = ", or add BOT" if info.owner == self.name else ""
            heard.say(f"Waiting for {missing} more{own}.", "dim")
        place.starting = start is not None

    def turn_to(self, table: str) -> None:
        """Takes one of the person's tables in hand. Raises Refusal where it is none of theirs."""
        if table not in self.places:
            raise Refusal("no_such_table", f"You are at no table {table!r}.")
        self.here = self.places[table]

    def forget(self, table: str) -> None:
        """The person is at that table no more."""
        self.places.pop(table, None)
        if self.here is not None and self.here.id == table:
            self.here = next(iter(self.places.values()), None)

    # -- acting --------------------------------------------------------------------------------------------------------

    def act(self, place: Place, action: Action) -> Ask:
        """The request that decides the turn in hand."""
        assert place.turn is not None
        act = place.act(place.turn.number, action)
        place.decided()
        return Ask.of(act)

    def end_input(self) -> Effects:
        """Nobody types any more: a house bot plays on at every table."""
        heard = Effects()
        if self.input_ended:
            return heard
        self.input_ended = True
        for place in self.places.values():
            if place.turn is not None:
                self._play_stand_in(place, heard)
        return heard

    def _play_stand_in(self, place: Place, heard: Effects) -> None:
        assert place.turn is not None
        game = place.game
        if place.stand_in is None:
            kind = bot_for(game.id, game.house_bot)
            place.stand_in = kind(bot_seed(self._seed, place.id, place.seat))
            heard.say("There is no more input; a house bot plays on for you.", "dim")
        action = place.stand_in.choose(place.turn)
        heard.lines.append([("you", "Played for you: "), ("", game.words.write(action))])
        heard.asks.append(self.act(place, action))

    # -- what may be typed ---------------------------------------------------------------------------------------------

    def ready_for(self, line: str) -> bool:
        """Whether the line of somebody who waits for their turn may be read now: at a table that has not started only
        commands, in a match when there is something to decide."""
        seats = [place for place in self.places.values() if place.seat and place.state != "over"]
        if not seats or any(place.turn is not None and not place.fresh for place in seats):
            return True
        waiting_to_start = all(place.state == "open" for place in seats)
        return waiting_to_start and is_command(line, self.where())

    def where(self) -> Where:
        """What the meaning of a typed line depends on."""
        place = self.here
        return Where(
            games=self.games,
            tables=lambda state: [info.table for info in self.known_tables if info.state == state],
            table=place.id if place is not None else "",
            game=place.game.id if place is not None else "",
            forms=place.game.words.help if place is not None else "",
            decision=place.decision if place is not None else lambda: None,
            nonce=self.nonce,
            says_hello=False,
        )

    def forms(self) -> dict[str, str]:
        """How actions are typed, a row each: in the game in hand, or else in every game."""
        games = [self.here.game] if self.here is not None else self.games.values()
        return {game.id: game.words.help for game in games}

    def completions(self, text: str) -> Sequence[str]:
        """The words that may stand where the last word of `text` is being typed."""
        phrases: list[str] = []
        place = self.here  # the terminal's thread asks: what it reads is taken once
        turn = place.turn if place else None
        if turn is not None:
            phrases = [turn.game.words.write(action) for action in turn.legal]
        if place is not None and " " in text:
            phrases += [f"cards {card.name}" for card in place.game.cards()]
            phrases += [f"tell {name}" for name in place.people if name != self.name]
        return next_words(text, phrases)

    def goodbye(self) -> str:
        """What the person reads when they leave."""
        later = " Your seat is held for a while; the same command brings you back." if self.holds_seat() else ""
        return f"Goodbye.{later}"

    def holds_seat(self) -> bool:
        """Whether a match of others goes on where the person sits."""
        return not self.quiet and any(place.seat and place.state == "playing" for place in self.places.values())

    def prompt(self) -> str:
        """What stands before the input line."""
        return "your turn> " if self.here is not None and self.here.turn is not None else "> "

    def toolbar(self) -> str:
        """One line under the input: how long the person may think, where they are, and which keys help."""
        place = self.here
        left = place.seconds_left(self._now()) if place is not None else None
        parts = [f"{minutes(left)} left"] if left is not None else []
        if place is None:
            parts.append("no table")
        else:
            parts.append(f"{place.id} {f'seat {place.seat}' if place.seat else 'watching'}")
        parts.append("Tab, ? legal, h help, q quit" if self.width() > 60 else "? legal, h help")
        for more in (self.name, place.game.title if place is not None else ""):
            if more and len(" | ".join([more, *parts])) < self.width():
                parts.insert(0, more)
        return f" {' | '.join(parts)}"[: self.width()]

    def warning(self) -> Effects:
        """A line when time is running out, once for each of WARNINGS."""
        heard = Effects()
        seconds = self.here.warning(self._now()) if self.here is not None else None
        if seconds is not None:
            heard.say(f"{seconds:.0f} seconds left to decide.", "bad")
        return heard
