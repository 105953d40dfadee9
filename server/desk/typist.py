"""What the text face needs to know of the person who types: the current table, and the decision awaited there."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from games.api import Action, View
from games.spelling import shown
from languages import language
from matches.house import Question
from matches.record import Record
from matches.referee import house_seed
from matches.turn import Turn
from people.lessons import Tutor, tutor_of
from people.state import TypingState
from people.table import PersonTable
from people.text.lookup import NOT_BY_TELNET
from people.text.sentences import hint_text
from people.text.where import Decision, Where, idle
from protocol import messages as m
from protocol.errors import Refusal
from protocol.messages.asking import EXCHANGES
from protocol.messages.parts import Map
from server.desk.at_lobby import tables
from server.desk.context import Context, Peer
from server.desk.lobby import Lobby
from server.language import _
from server.table.in_words import TableInWords
from server.table.table import Table

HINT_WORK = 20.0  # plain requests
SPELLING_WORK = 20.0  # the same, to find out what a mistyped decision may mean
MISSED_LINES = 10  # of a match that are repeated to a person who comes back


class Typist:
    """One peer who types. `here` is the current table."""

    def __init__(self, lobby: Lobby, peer: Peer) -> None:
        self._lobby, self._peer = lobby, peer
        self._table: Table | None = None
        self._reviewed: Table | None = None  # whose finished match was asked for last
        self._where = self._look_around()

    def where(self) -> Where:
        """What the meaning of a typed line depends on."""
        if self._spoken != language():
            self._where = self._look_around()
        return self._where

    def _look_around(self) -> Where:
        self._spoken = language()
        table = self._table
        game = table.game if table is not None else None
        return Where(
            games=self._lobby.games,
            tables=self._tables,
            table=table.id if table is not None else "",
            game=game.id if game is not None else "",
            forms=game.words.help if game is not None else "",
            aim=game.aim if game is not None else "",
            may_resign=game is None or not game.no_resigning,
            is_stranger=lambda: self._peer.player is None,
            hint=self._hint,
            decision=self.decision,
            idle=self._idle,
            played_by=self._played_by,
            left=self._left,
            delay=self._delay,
            without=NOT_BY_TELNET,
        )

    def _tables(self, state: str) -> list[str]:
        found = [table for table in self._lobby.tables.values() if table.state == state]
        free = [table for table in found if any(not chair.name for chair in table.seating.chairs)]
        return [table.id for table in (free or found if state == "open" else found)]

    def _left(self) -> list[str]:
        player, tables = self._peer.player, self._lobby.tables.values()
        there = [table for table in tables if table.state == "playing" and table is not self._table]
        return [table.id for table in there if player is not None and table.seating.chair_of(player)]

    def _idle(self) -> str:
        table, player = self._table, self._peer.player
        if table is None:
            return ""
        return idle(table.state, sits=player is not None and table.seating.chair_of(player) is not None)

    def _played_by(self) -> str:
        table, player = self._table, self._peer.player
        chair = table.seating.chair_of(player) if table is not None and player is not None else None
        return chair.house_name if chair is not None and table is not None and table.state == "playing" else ""

    def _delay(self, table_id: str) -> int:
        """The delay to which the typist has not agreed yet by having a seat there."""
        table, player = self._lobby.tables.get(table_id), self._peer.player
        if table is None or (player is not None and table.seating.chair_of(player)):
            return 0
        return table.delay

    def decision(self) -> Decision | None:
        """The decision that the typist has to make at the current table."""
        if self._table is not None:  # it is another one where the last changes could not be kept
            self._table = self._lobby.tables.get(self._table.id, self._table)
        table, player = self._table, self._peer.player
        seat = table.awaited(player) if table is not None and player is not None else 0
        if table is None or not seat:
            return None
        decision = self._asked(table, seat).decision()
        assert decision is not None
        return replace(decision, read=partial(self._read, decision))

    def _read(self, decision: Decision, line: str) -> list[Map]:
        """The actions that a line stands for; to find out what a mistyped one may mean costs something."""
        try:
            return decision.read(line)
        except Refusal:
            self._peer.charge(SPELLING_WORK)
            raise

    def _asked(self, table: Table, seat: int) -> PersonTable:
        """The table as the player of that seat, who has to decide, knows it."""
        match, names = table.running(), table.seating.names()
        made = PersonTable(table.id, table.game, seat, len(names), table.options, names, table.state)
        view, legal = match.state.view(seat), match.state.legal_actions(seat)
        made.take_turn(Turn(table.game, seat, view, legal, match.turns[seat]), 0.0, 0.0)
        return made

    def turn(self, told: m.Turn) -> Turn:
        """A decision that the typist was told of, with its game."""
        table, player = self._lobby.tables[told.table], self._peer.player
        chair = table.seating.chair_of(player) if player is not None else None
        return Turn(table.game, chair.number if chair is not None else 0, told.view, told.legal, told.turn)

    def tutor(self, game: str) -> Tutor:
        """Tells the lessons of that game. Raises Refusal where it has none."""
        return tutor_of(self._lobby.game(game), self._advise)

    def _advise(self, turn: Turn) -> Action:
        """What the game's house bot would do at the current table, else the first thing that may be done."""
        choice = self._choice()
        return choice[2] if choice is not None and choice[2] in turn.legal else turn.legal[0]

    def _hint(self) -> str:
        choice = self._choice()
        return _said(self._table, *choice) if choice is not None and self._table is not None else ""

    def _choice(self) -> tuple[str, View, Action] | None:
        """The game's house bot, what is seen, and what that bot would do; it costs as much as it may think."""
        table, player = self._table, self._peer.player
        seat = table.awaited(player) if table is not None and player is not None else 0
        names = self._lobby.house.names(table.game) if table is not None else ()
        if table is None or not seat or not names:
            return None
        self._peer.charge(HINT_WORK)
        match = table.running()
        state = match.state
        bot = table.game.house_bot if table.game.house_bot in names else names[0]
        turn, said = match.turns[seat], list[Action | None]()
        legal, view = state.legal_actions(seat), state.view(seat)
        asked = Question(seat, view, legal, turn, lambda: state.knowledge(seat))
        hints = table.chance.clone().fork("hint")  # secret: else others know when one who asks is told to bluff
        seed = house_seed(hints, seat)
        self._lobby.house.make(table.game, match.seats, table.options, bot, seed).ask(asked, said.append)
        return (bot, view, said[0]) if said and said[0] else None

    # -- tables --------------------------------------------------------------------------------------------------------

    def show(self, person: TypingState, *, lists: bool) -> None:
        """Puts the current table as it is now into a person's state, and if it `lists` the tables of the server."""
        person.rename(self.name)
        person.seats.show(self._person_table())
        if lists:
            self._peer.charge(EXCHANGES[m.Tables].weight)
            listed = tables(Context(self._lobby, self._peer, ""), m.Tables(id=1))
            person.seats.note_list(listed.tables)

    def _person_table(self) -> PersonTable | None:
        """The current table as the typist knows it."""
        table, player = self._table, self._peer.player
        if table is None:
            return None
        asked = table.awaited(player) if player is not None else 0
        if asked:
            return self._asked(table, asked)
        chair = table.seating.chair_of(player) if player is not None else None
        seat, names = chair.number if chair is not None else 0, table.seating.names()
        made = PersonTable(table.id, table.game, seat, len(names), table.options, names, table.state)
        if table.match is not None:
            made.begin(table.match.started(seat))
        return made

    def finished(self) -> Record | None:
        """The match at the current table, once it is over and everybody may see all of it. Raises Refusal where a cup
        still hides it."""
        table = self._table
        if table is None or table.match is None or table.match.over is None or self._lobby.config.only_play:
            return None
        if self._lobby.cups.hides(table.id, table.word):
            raise Refusal("not_over", _("Its cup is not over, where the same deal is played again; ask afterwards."))
        self._reviewed = table
        return Record(table.match.game, table.match.header, tuple(table.entries))

    def check_is_over(self) -> None:
        """Has what is told of the finished match wait until its end is kept. Raises `storage` where it is not, and the
        match goes on from an earlier position."""
        if self._reviewed is not None:
            Context(self._lobby, self._peer, "").check_goes_on(self._reviewed)

    @property
    def here(self) -> TableInWords | None:
        """The current table."""
        return self._table.in_words if self._table is not None else None

    def turn_to(self, table_id: str) -> None:
        """Makes that the current table; "" for none."""
        table = self._lobby.tables.get(table_id)
        if table is not self._table:
            self._table = table
            self._where = self._look_around()

    def elsewhere(self, table_id: str) -> str:
        """Another table where the typist is, whose match is not over; "" for none."""
        there = (one for one in self._lobby.tables.values() if one.id != table_id and one.state != "over")
        return next((one.id for one in there if self._peer in one.seating.listeners()), "")

    def table(self, table_id: str) -> TableInWords | None:
        """That table, if there is one."""
        table = self._lobby.tables.get(table_id)
        return table.in_words if table is not None else None

    @property
    def name(self) -> str:
        """The typist's name; "" before hello."""
        return self._peer.player.name if self._peer.player is not None else ""

    def is_player(self, name: str) -> bool:
        """Whether a player has that name, here or not."""
        return bool(name) and self._lobby.people.find(name) is not None

    def ignores(self, name: str) -> bool:
        """Whether the typist ignores that player."""
        player = self._peer.player
        return player is not None and player.ignores(name)

    def sits_at(self, table_id: str) -> bool:
        """Whether the typist has a seat there."""
        table, player = self._lobby.tables.get(table_id), self._peer.player
        return table is not None and player is not None and table.seating.chair_of(player) is not None

    def missed(self, table_id: str) -> int | None:
        """The message after which a running match is repeated to the typist; None if they have no seat in one."""
        table, player = self._lobby.tables.get(table_id), self._peer.player
        chair = table.seating.chair_of(player) if table is not None and player is not None else None
        if table is None or chair is None or table.match is None:
            return None
        return max(0, table.match.counts[chair.number] - MISSED_LINES)


def _said(table: Table, bot: str, view: View, action: Action) -> str:
    words, foreseen = table.game.words, table.in_words.foresee(view, action)
    return hint_text(bot, shown(words, action), words.write(action), foreseen, table.game.cards())
