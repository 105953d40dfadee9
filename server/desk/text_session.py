"""The services of the server for a text session, besides messages: hints, house bots, information about tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.api import Action, Game, View
from games.spelling import typed_action_text
from matches.admission import Match
from matches.house import HouseQuestion
from matches.record import Record
from matches.referee import house_bot_seed
from matches.turn import Turn
from people.table import PersonTable
from people.text.sentences import hint_text
from protocol import messages as m
from protocol.errors import Refusal
from protocol.messages.exchanges import EXCHANGES
from server.desk.context import Context, Requester
from server.desk.lobby import Lobby
from server.language import _
from server.table.table import Table

HINT_WORK = 20.0  # work that a hint is charged as, in plain requests
SPELLING_WORK = 20.0  # work, in plain requests, for finding out what a mistyped decision means
MISSED_LINES = 10  # messages of a match that are repeated for a person who returns


class TextSession:
    """The server's side of a peer who types lines.

    Implements people.services.ServerServices and people.stand_ins.StandIns.
    """

    def __init__(self, lobby: Lobby, peer: Requester) -> None:
        self._lobby, self._peer = lobby, peer
        self.games = lobby.games
        self._reviewed: Table | None = None  # the table whose finished match was reviewed last

    # -- information about tables and players --------------------------------------------------------------------------

    def game_of_match(self, match: Match) -> Game:
        """See people.services.ServerServices."""
        table = self._lobby.tables.get(match.table)
        return table.game if table is not None else self._lobby.get_game(match.game)

    def event_text(self, table: PersonTable, event: Any) -> str:
        """See people.services.ServerServices."""
        there = self._lobby.tables.get(table.id)
        return there.sentences.sentence_for(event) if there is not None else ""

    def resumable_table(self, table: str) -> tuple[m.TableInfo, int] | None:
        """See people.services.ServerServices."""
        there, player = self._lobby.tables.get(table), self._peer.player
        seat_state = there.seating.seat_state_of(player) if there is not None and player is not None else None
        if there is None or seat_state is None or there.match is None:
            return None
        return there.table_info(), max(0, there.match.counts[seat_state.number] - MISSED_LINES)

    def finished_record(self, table: str) -> Record | None:
        """See people.services.ServerServices."""
        there = self._lobby.tables.get(table)
        if there is None or there.match is None or there.match.over is None or self._lobby.config.only_play:
            return None
        if self._lobby.cups.hides_replay(there.id, there.word):
            raise Refusal(
                "not_over", _("The same deal will be played again in its cup. Ask again when the cup is over.")
            )
        self._reviewed = there
        return Record(there.match.game, there.match.header, tuple(there.entries))

    def check_is_over(self) -> None:
        """Delays the answer until the end of the reviewed match is on disk. Raises `storage` if the end was undone, so
        that the match continues."""
        if self._reviewed is not None:
            Context(self._lobby, self._peer, "").check_table_unchanged(self._reviewed)

    def current_view(self, table: str) -> tuple[View, tuple[m.SeatClock, ...], bool] | None:
        """See people.services.ServerServices."""
        there, player = self._lobby.tables.get(table), self._peer.player
        if there is None or player is None or there.match is None:
            return None
        try:
            hearer = there.receiver_number(self._peer, player)
        except Refusal:
            return None
        self._peer.charge(EXCHANGES[m.LookRequest].weight)
        match = there.match
        return match.state.view(hearer or None), there.seat_clocks(), match.pauses.is_on

    def is_player(self, name: str) -> bool:
        """See people.services.ServerServices."""
        return bool(name) and self._lobby.people.find_player(name) is not None

    def open_turn(self, table: str) -> m.TurnUpdate | None:
        """Returns the open decision of this session's player at that table; None if there is none."""
        there, player = self._lobby.tables.get(table), self._peer.player
        seat = there.deciding_seat(player) if there is not None and player is not None else 0
        return there.open_turn(seat) if there is not None and seat else None

    def charge_for_preview(self) -> None:
        """See people.services.ServerServices."""
        self._peer.charge(EXCHANGES[m.Why].weight)

    def charge_for_spelling(self) -> None:
        """See people.services.ServerServices."""
        self._peer.charge(SPELLING_WORK)

    # -- house bots ----------------------------------------------------------------------------------------------------

    def has_played_at(self, _table: PersonTable) -> bool:
        """See people.stand_ins.StandIns."""
        return False

    def choose_action(self, table: PersonTable) -> Action:
        """See people.stand_ins.StandIns."""
        assert table.turn is not None
        return self.suggest_action(table.turn)

    def bot_names(self, games: Iterable[Game]) -> list[str]:
        """See people.stand_ins.StandIns."""
        return list(dict.fromkeys(name for game in games for name in self._lobby.house.names(game)))

    def suggest_action(self, turn: Turn) -> Action:
        """See people.stand_ins.StandIns. Returns the first legal action if no house bot can give advice."""
        player = self._peer.player
        for table in self._lobby.tables.tables_of_player(player) if player is not None else ():
            choice = self._choice(table) if table.game is turn.game else None
            if choice is not None and choice[2] in turn.legal:
                return choice[2]
        return turn.legal[0]

    def hint_text(self, table: PersonTable) -> str:
        """See people.stand_ins.StandIns."""
        there = self._lobby.tables.get(table.id)
        choice = self._choice(there) if there is not None else None
        if there is None or choice is None:
            return ""
        bot, view, action = choice
        words = there.game.words
        foreseen = words.preview_action(view, action, there.seating.names())
        return hint_text(
            bot, typed_action_text(words, action), words.format_action(action), foreseen, there.game.cards()
        )

    def _choice(self, table: Table) -> tuple[str, View, Action] | None:
        """Returns the game's house bot, its view and the action that it would choose; None if the player has no
        decision to make. Charges the session for a hint."""
        player = self._peer.player
        seat, names = table.deciding_seat(player) if player is not None else 0, self._lobby.house.names(table.game)
        if not seat or not names:
            return None
        self._peer.charge(HINT_WORK)
        match = table.require_match()
        state = match.state
        bot = table.game.house_bot if table.game.house_bot in names else names[0]
        turn, said = match.turns[seat], list[Action | None]()
        legal, view = state.legal_actions(seat), state.view(seat)
        asked = HouseQuestion(seat, view, legal, turn, lambda: state.knowledge(seat))
        # the random numbers for hints are secret: others could otherwise notice when a player asks for one and is
        # advised to bluff
        hints = table.chance.clone().fork("hint")
        seed = house_bot_seed(hints, seat)
        self._lobby.house.make(table.game, match.seats, table.options, bot, seed).ask(asked, said.append)
        return (bot, view, said[0]) if said and said[0] else None
