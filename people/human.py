"""A person at the tables: what they hear becomes lines, what they type becomes requests. No terminal, no connection.

The person plays over the same link as every bot; where a bot has `choose`, the person has `typed`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Union

from games.api import Action, Game, Line, action_from
from games.spelling import shown
from games.unions import converted
from matches.admission import KnownGames
from matches.seat import start_when_full
from people.following import Following
from people.glances import Glances
from people.hosting import Host
from people.language import _
from people.lessons import Tutor
from people.opening import Opening, Page
from people.pages import Review
from people.render import highlight, plain_lines
from people.several import next_of_several
from people.stand_ins import StandIns
from people.table import Effects, PersonTable
from people.text.listed import cup_line, table_line
from people.text.sentences import kicked_lines, left_text, more_line, open_hands_text, owner_lines, talk_rows
from people.text.where import Ask, Memory
from people.turning import Turning
from protocol import messages as m
from protocol.errors import Refusal
from protocol.names import fold

_TOLD: Any = Union[m.TOLD]  # noqa: UP007 (made from a tuple); what `log` gives back as plain maps


class Human:
    """One person. `now` gives seconds on a clock that only goes on, `width` the columns of the terminal;
    `stand_ins` are the bots of its program.

    What they hear of a table has passed an Admission over `known_games`.
    """

    def __init__(
        self,
        name: str,
        games: Mapping[str, Game],
        *,
        now: Callable[[], float],
        width: Callable[[], int],
        stand_ins: StandIns,
    ) -> None:
        self.name = name
        self.games = dict(games)
        self.known_games = KnownGames(self.games)  # with the cards of their tables
        self.tables: dict[str, PersonTable] = {}
        self.here: PersonTable | None = None
        self.known_tables: tuple[m.TableInfo, ...] = ()
        self.memory = Memory()
        self._ignored: set[str] = set()  # folded names of players whose talk is not shown
        self.in_columns = False  # long lists stand side by side
        self.nonce = ""  # our share in the chance of a deal
        self.starts_when_full = False  # a table that is ours starts by itself once every seat is taken
        self.quiet = False  # nothing is said about who sits down
        self.over: m.Over | None = None  # how the last match ended
        self.width, self.now, self.stand_ins = width, now, stand_ins
        self.pinned = False  # the board stays on the screen, so that no line repeats it
        self.calls = 0  # decisions that the person was asked for
        self.glances, self.turning, self.opening = Glances(), Turning(), Opening()
        self.following = Following(self.turning)
        self.page_from = 0  # rows of the page that are above what is seen
        self.page: Page | None = None  # stands in the board's place until the next line is typed
        self.answer: list[Line] = []  # to what was typed last, as far as it is no decision
        self.confirms = False  # a decision waits until the person says yes to it
        self.held: Ask | None = None  # the one that waits
        self.review: Review | None = None  # the last match, once it is over
        self.replay_comes = self.review_waits = False  # the server was asked for it; the person, too
        self.lost = False  # the connection, at present
        self.host: Host | None = None  # where the server runs in the same program
        self.saves = False  # the match is only theirs, and is kept when they leave
        self.tutor: Tutor | None = None  # in a guided match
        self.pause: Callable[[], float] | None = None  # seconds until the only thing possible is done; None: never
        self._said_of_table, self.input_ended = "", False
        self._said_of_cup = ""  # when it changed last
        self.waits_for_tables = ""  # a line that needs to know which tables there are now
        self.to_add: list[tuple[str, int]] = []  # bots and their seats, for the next table that is the person's own
        self.rematch_of = ""  # the table whose people are told of that one
        self.tables_are_fresh = False  # nothing was asked since they were listed

    # -- what is heard -------------------------------------------------------------------------------------------------

    def hear(self, message: m.Message) -> Effects:
        """The effects of a message: lines for the person, and requests."""
        heard = Effects()
        owners = dict(self.memory.owners)
        self.memory.hear(message)
        self.glances.note(message)
        table = self.tables.get(getattr(message, "table", ""))
        match message:
            case m.Welcome():
                self.name = message.name
                heard.say(_("You are {name}. Type h for help.", name=message.name))
            case m.Ignoring():
                self.ignore(message.players)
                heard.lines = plain_lines(message, None)
            case m.CupChanged():
                self._said_of_cup = cup_line(message.info)
                heard.lines = plain_lines(message, None)
            case m.TableReply() | m.Seated():
                table = self._take_table(message.info, message.seat)
                if isinstance(message, m.Seated):
                    self._said_of_table = ""  # it may have been said before one had the seat
                self._table_line(message.info, heard)
                if message.info.owner == self.name:
                    asks = [Ask(m.Add, {"table": table.id, "bot": bot, "seat": seat}) for bot, seat in self.to_add]
                    if self.rematch_of:
                        told = {"text": f"The rematch is at {table.id}.", "table": self.rematch_of}
                        asks.append(Ask(m.Say, told))
                    heard.asks, self.to_add, self.rematch_of = [*heard.asks, *asks], [], ""
                self._start_if_full(table, message.info, heard)
            case m.TableChanged():
                lines = owner_lines(message.info, owners.get(message.info.table, ""), self.name)
                for text in (*kicked_lines(message), *lines):
                    heard.say(text)
                self._table_line(message.info, heard)
                if table := self.tables.get(message.info.table):
                    table.people = [one.name for one in message.info.seats]
                    self._start_if_full(table, message.info, heard)
            case m.TableList():
                self.known_tables = message.tables
                heard.lines = plain_lines(message, None)
            case m.Watching():
                table = self._take_table(message.info, 0)
                heard.lines, heard.asks = plain_lines(message, table), self.turning.came(message.table)
                if message.view is not None:
                    seen = self._see(table, message.view)
                    heard.lines += [] if self.pinned else seen
            case m.Left() | m.SentAway():
                self.forget(message.table, gone=isinstance(message, m.SentAway) and message.why == "closed")
                heard.lines = plain_lines(message, None)
            case m.Chat() if fold(message.sender) in self._ignored:
                pass
            case m.Chat():
                heard.lines = self._talk(message, len(self._mark(message.table)))
            case m.Story():
                heard.lines = [line for told in message.messages for line in self._story(told)]
                heard.lines += [[("dim", line)] for line in more_line(message)]
            case m.Position() if table is not None:
                heard.lines = self._see(table, message.view)
            case m.OpenHands(views=views) if views and table is not None:
                self.show(self.opening.shows(table, message), heard)
            case m.Error():
                self._error(message, heard)
            case m.Started():
                self._started(message, heard)
            case m.Happened() if table is not None:
                heard.lines = self._happened(table, message)
            case m.Turn() if table is not None:
                self._take_turn(table, message)
            case m.Late() | m.Presence() if table is not None:
                heard.lines = plain_lines(message, table)
                if table.is_decided_by(message, heard):
                    self.memory.waiting = []
            case m.Over() if table is not None:
                self._over(table, message, heard)
            case _:
                heard.lines = plain_lines(message, table)
        return self._marked(heard, getattr(message, "table", ""))

    def ignore(self, names: Iterable[str]) -> None:
        """The players whom the person ignores from now on."""
        self._ignored = {fold(name) for name in names}

    def _marked(self, heard: Effects, table: str) -> Effects:
        """Lines from another table than the current one say so."""
        if mark := self._mark(table):
            heard.lines = [[("dim", mark), *line] for line in heard.lines]
        return heard

    def _mark(self, table: str) -> str:
        """What stands before lines from that table."""
        return f"[{table}] " if table and self.here is not None and table != self.here.id else ""

    def _talk(self, message: m.Chat, taken: int) -> list[Line]:
        """What somebody says; so many columns of each row are taken already."""
        rows = talk_rows(message, self.width() - taken)
        return [highlight([("key", who), ("", part)], self.name) for who, part in rows]

    def _table_line(self, info: m.TableInfo, heard: Effects) -> None:
        """The table as it is now, unless that was said already."""
        text = table_line(info)
        if text != self._said_of_table and not self.quiet:
            heard.say(text)
        self._said_of_table = text

    def _happened(self, table: PersonTable, message: m.Happened) -> list[Line]:
        text = table.game.words.tell(table.read_event(message), table.people)
        return [highlight([("", f"* {text}")], self.name)] if text else []

    def _started(self, message: m.Started, heard: Effects) -> None:
        names = [info.name for info in message.seats]
        game = self.known_games.at(message)
        table = PersonTable(message.table, game, message.you, len(names), message.options, names, "playing")
        table.begin(message)
        self.tables[message.table] = table
        if self.here is None or self.here.id == table.id or self.here.turn is None:
            self.here = table
        seated = ", ".join(f"{seat.seat} {seat.name}" for seat in message.seats)
        heard.say(_("The match begins: {listed}.", listed=seated), "title")
        heard.say(_("Commitment to the deal: {commitment}", commitment=message.commitment), "dim")
        if message.delay:
            heard.say(open_hands_text(table.id, message.delay), "dim")

    def settle(self) -> Effects:
        """Everything that has arrived was heard; asks the person for the decisions that are due."""
        heard = Effects(asks=self.glances.due(self.here, self.now()) if self.pinned else [])
        for table in list(self.tables.values()):
            if table.turn is None or not table.fresh:
                continue
            table.fresh = False
            if self.here is None or self.here.turn is None:
                self.here = table
            if (action := next_of_several(self.memory, table, heard)) is not None:
                heard.asks.append(self.act(table, action))
                continue
            if self.input_ended:
                heard.lines += self.tutor.before(table.turn) if self.tutor is not None else []
                self._play_stand_in(table, heard)
            elif self.pause is not None and len(table.turn.legal) == 1:
                table.alone_at = self.now() + self.pause()
            else:
                self._ask(table, heard)
        self._decide_alone(heard)
        return heard

    def _decide_alone(self, heard: Effects) -> None:
        """Does what alone may be done, where that is so, and says it."""
        for table in self.tables.values():
            if table.turn is not None and table.alone_at is not None and self.now() >= table.alone_at:
                table.alone_at = None
                (action,) = table.turn.legal
                heard.lines.append([("dim", _("Nothing else may be done: ")), ("", shown(table.game.words, action))])
                heard.asks.append(self.act(table, action))

    def glance(self) -> Effects:
        """Looks at the current table again, if the board is pinned and something happened there."""
        heard = Effects(asks=self.glances.due(self.here, self.now()) if self.pinned else [])
        heard.asks += self.opening.due(self.page, self.now()) + self.following.due(self.here, self.now())
        self._decide_alone(heard)
        return heard

    def _take_turn(self, table: PersonTable, message: m.Turn) -> None:
        table.turn = table.read_turn(message)
        table.view, table.fresh, table.sent, table.alone_at = table.turn.view, True, None, None
        table.deadline, table.warned = self.now() + message.left, message.left

    def _ask(self, table: PersonTable, heard: Effects) -> None:
        assert table.turn is not None
        self.calls += 1
        self.page, self.answer = None, []
        heard.lines += table.first_lines()
        lesson = self.tutor.before(table.turn) if self.tutor is not None else []
        if self.pinned:
            return
        if not self.memory.brief:
            heard.lines += table.game.words.board(table.turn.view, table.people, self.width())
        heard.lines += lesson
        question = table.game.words.ask(table.turn.view, table.turn.legal) + left_text(table.turn.clock)
        heard.lines.append([("you", _("Your turn: ")), ("", question)])

    def _over(self, table: PersonTable, message: m.Over, heard: Effects) -> None:
        table.state, table.turn, table.results = "over", None, message.results
        self.over, self.review, self.review_waits = message, None, False
        self.following.over(table, self.now())
        heard.lines = plain_lines(message, table)
        for line in heard.lines[:1]:
            line[0] = ("title", line[0][1])
        heard.lines = [highlight(line, self.name) for line in heard.lines]
        heard.asks += self.glances.last(table)

    def _error(self, message: m.Error, heard: Effects) -> None:
        heard.say(f"! {message.text}", "bad")
        if message.turn is not None and (table := self.tables.get(message.turn["table"])):
            self._take_turn(table, converted(message.turn, m.Turn))

    def answered(self, ask: Ask, reply: m.Reply) -> Effects:
        """What follows from the answer to a request."""
        table = self.tables.get(ask.fields.get("table", ""))
        if self.glances.take(ask, reply, table, self.now()):
            return Effects(table.new_sums() if table is not None else [])
        followed = self.following.take(ask, reply, self.here, busy=self.page is not None, name=self.name)
        if followed is not None:
            return followed
        if self.opening.is_quiet(ask):
            if self.page is not self.opening.page:
                return Effects()  # the person has turned away meanwhile
            if isinstance(reply, m.Error):
                self.page = None  # and it is not asked again
        if ask.kind is m.Open and isinstance(reply, m.Error):
            self.to_add, self.rematch_of = [], ""
        if ask.kind in (m.Join, m.Watch) and isinstance(reply, m.Error) and reply.code == "already_seated":
            return self._back_to(ask.fields["table"])
        if ask.kind is m.Join and isinstance(reply, m.Error) and reply.code == "not_agreed":
            return self._look_at(ask.fields["table"], ask.fields["seat"])
        if isinstance(reply, m.TableList) and self.waits_for_tables:
            self.known_tables, line, self.waits_for_tables = reply.tables, self.waits_for_tables, ""
            self.tables_are_fresh = True
            return Effects(again=line)
        if ask.kind is m.Say and not ask.fields["table"] and isinstance(reply, m.Said) and reply.heard:
            return self.hear(m.Chat(sender=self.name, text=" ".join(ask.fields["text"].split())))
        if ask.kind in (m.CupStart, m.CupPause, m.CupStop) and isinstance(reply, m.CupReply):
            heard = self.hear(reply)
            if cup_line(reply.info) == self._said_of_cup:  # as one who takes part in it
                heard.lines = []
            return heard
        if ask.kind is m.Act and table is not None:
            return self._acted(table, ask, reply)
        return self.hear(reply)

    def _acted(self, table: PersonTable, ask: Ask, reply: m.Reply) -> Effects:
        """A decision was accepted or not."""
        heard = self.hear(reply)
        if isinstance(reply, m.Error) and reply.code in ("illegal_action", "bad_action"):
            table.turn = table.turn or table.sent  # it is still to be decided
            heard.lines += self.tutor.again(table.turn) if self.tutor and table.turn else []
        elif self.tutor is not None and table.sent is not None:
            heard.lines += self.tutor.after(table.sent, action_from(table.game, ask.fields["action"]))
        table.sent = None
        return heard

    def _look_at(self, table_id: str, seat: int) -> Effects:
        """Looks what one agrees to at that table, and then takes the line as if typed again."""
        self.waits_for_tables = f"join {table_id} {seat}"
        return Effects(asks=[Ask(m.Tables, {"after": f"t{int(table_id[1:]) - 1}"})])

    def _back_to(self, table_id: str) -> Effects:
        """The person has a seat there, and left it, or asks for it once more."""
        heard = Effects()
        if table_id in self.tables:
            self.turn_to(table_id)
            heard.say(_("You have a seat at {table_id}.", table_id=table_id))
        else:
            heard.say(_("Back to your seat at {table_id}; what you missed follows.", table_id=table_id), "good")
            heard.asks.append(Ask(m.Resume, {"table": table_id, "after": 0}))
        return heard

    def _story(self, told: Any) -> list[Line]:
        """A message of the past, without any effect on the present."""
        message = converted(told, _TOLD)
        table = self.tables.get(getattr(message, "table", ""))
        number = f"{getattr(message, 'n', 0):>4}  "
        if isinstance(message, m.Turn):
            return [[("dim", _("{number}your turn {turn}", number=number, turn=message.turn))]]
        if isinstance(message, m.Happened) and table is not None:
            return [[("dim", number), *line] for line in self._happened(table, message)]
        if isinstance(message, m.Chat) and fold(message.sender) in self._ignored:
            return []
        if isinstance(message, m.Chat):
            return [[("dim", number), *line] for line in self._talk(message, len(self._mark(message.table) + number))]
        return [[("dim", number), *line] for line in plain_lines(message, table)]

    def _see(self, table: PersonTable, view: Any) -> list[Line]:
        table.view = table.read_view(view)
        return table.game.words.board(table.view, table.people, self.width())

    def show(self, page: Page, effects: Effects) -> None:
        """Shows a page that does not belong into the log: in the board's place, or where nothing is pinned as lines."""
        if self.pinned:
            self.page = page
        else:
            effects.lines += page(self.width(), 0)

    # -- where they are ------------------------------------------------------------------------------------------------

    def _take_table(self, info: m.TableInfo, seat: int) -> PersonTable:
        people = [one.name for one in info.seats]
        table = self.tables.get(info.table)
        if table is None:
            game = self.known_games.at(info)
            table = PersonTable(info.table, game, seat, len(people), info.options, people, info.state)
            self.tables[info.table] = table
        table.take(info, seat)
        self.here = table
        return table

    def _start_if_full(self, table: PersonTable, info: m.TableInfo, heard: Effects) -> None:
        if info.state != "open" or not self.starts_when_full:
            return
        start = start_when_full(info, self.name, self.nonce)
        missing = sum(seat.kind == "empty" for seat in info.seats)
        if start is not None and not table.starting:
            heard.asks.append(Ask.of(start))
        elif missing and heard.lines:
            own = _(", or add BOT") if info.owner == self.name else ""
            heard.say(_("Waiting for {missing} more{own}.", missing=missing, own=own), "dim")
        table.starting = start is not None

    def turn_to(self, table_id: str) -> None:
        """Makes one of the person's tables the current one. Raises Refusal if it is not one of theirs."""
        if table_id not in self.tables:
            raise Refusal("no_such_table", _("You are at no table {table_id!r}.", table_id=table_id))
        self.here = self.tables[table_id]

    def forget(self, table_id: str, *, gone: bool = False) -> None:
        """The person is no longer at that table, or the table is gone."""
        table = self.tables.pop(table_id, None)
        if gone:
            self.following.gone(table, self.now())
        if self.here is not None and self.here.id == table_id:
            self.here = next(iter(self.tables.values()), None)

    # -- acting --------------------------------------------------------------------------------------------------------

    def act(self, table: PersonTable, action: Action) -> Ask:
        """The request that decides the current turn."""
        assert table.turn is not None
        act = table.act(table.turn.number, action)
        table.decided()
        return Ask.of(act)

    def end_input(self) -> Effects:
        """Nobody types any more: a house bot plays on at every table."""
        heard = Effects()
        if self.input_ended:
            return heard
        self.input_ended = True
        for table in self.tables.values():
            if table.turn is not None:
                self._play_stand_in(table, heard)
        return heard

    def _play_stand_in(self, table: PersonTable, heard: Effects) -> None:
        action = self.tutor.proposed if self.tutor is not None else None
        if action is None and not self.stand_ins.knows(table):
            heard.say(_("There is no more input; a house bot plays on for you."), "dim")
        action = action or self.stand_ins.choose(table)
        heard.lines.append([("you", _("Played for you: ")), ("", shown(table.game.words, action))])
        heard.asks.append(self.act(table, action))

    def warning(self) -> Effects:
        """A line when time is running out, once for each of WARNINGS."""
        heard = Effects()
        if self.here is not None and (seconds := self.here.warning(self.now())) is not None:
            heard.say(_("{seconds:.0f} seconds left to decide.", seconds=seconds), "bad")
        return heard
