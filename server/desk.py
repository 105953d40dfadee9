"""The desk: one method for each request. It says what is done and answered; it never touches a stream."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar
from unicodedata import combining

from games.api import to_map
from protocol import VERSION, limits
from protocol import messages as m
from protocol.errors import RemoteProtocolError
from server.help import help_page
from server.match import SPECTATORS
from server.people import Player
from server.table import Table

if TYPE_CHECKING:
    from server.lobby import Lobby
    from server.session import Session

ACCENTS = 3  # on one letter; more make a pile that spills over other lines
STORY_MESSAGES = 100  # in one answer to `log`
LIMITS = {
    name.lower(): value for name, value in vars(limits).items() if name.isupper() and isinstance(value, int | float)
}


class Desk:
    """Answers a session's requests. Raises RemoteProtocolError for whatever is refused."""

    def __init__(self, lobby: Lobby, session: Session, server: str) -> None:
        self._lobby, self._session, self._server = lobby, session, server

    @property
    def _limits(self) -> dict[str, Any]:
        """The limits as this server has set them."""
        config = self._lobby.config
        return {name: getattr(config, name, value) for name, value in LIMITS.items()}

    def answer(self, request: m.Request) -> m.Message | None:
        """The answer; None where it was given already, ahead of what followed from the request."""
        player = self._session.player
        kind = type(request)
        if player is None:
            if kind not in m.BEFORE_HELLO:
                raise RemoteProtocolError("login_first")
        elif kind is m.Hello:
            raise RemoteProtocolError("already_logged_in")
        return self._METHODS[kind](self, request)

    # -- anybody -------------------------------------------------------------------------------------------------------

    def _hello(self, request: m.Hello) -> m.Message:
        player, token = self._lobby.people.admit(request, self._session.challenge)
        player.bot, player.games = request.bot, request.games
        player.begin(request.session, request.id)
        self._session.logged_in(player)
        self._lobby.arrive(player, self._session)
        return m.Welcome(
            re=request.id,
            name=player.name,
            version=VERSION,
            server=self._server,
            code=player.new_code(),
            limits=self._limits,
            token=token,
            seats=tuple(table.info() for table in player.tables.values()),
        )

    def _help(self, request: m.Help) -> m.Message:
        words = {game.id: game.words.help for game in self._lobby.games.values()}
        return m.Page(re=request.id, title="Help", text=help_page(request.topic, words))

    def _ping(self, request: m.Ping) -> m.Message:
        return m.Pong(re=request.id)

    def _quit(self, request: m.Quit) -> None:
        self._session.end("quit", re=request.id)

    def _games(self, request: m.Games) -> m.Message:
        return m.GameList(re=request.id, games=self._lobby.game_infos())

    def _rules(self, request: m.Rules) -> m.Message:
        game = self._lobby.game(request.game)
        return m.Page(re=request.id, title=game.title, text=game.rules.read_text(encoding="utf-8"))

    def _cards(self, request: m.Cards) -> m.Message:
        game = self._lobby.game(request.game)
        cards = [card for card in game.cards() if not request.name or _called(card, request.name)]
        if request.name and not cards:
            raise RemoteProtocolError("no_such_card")
        return m.CardList(
            re=request.id, game=game.id, cards=tuple(to_map(card) for card in cards), source=game.cards_source()
        )

    # -- the lobby -----------------------------------------------------------------------------------------------------

    def _who(self, request: m.Who) -> m.Message:
        return m.Players(re=request.id, players=tuple(player.info() for player in self._lobby.people.here()))

    def _bots(self, request: m.Bots) -> m.Message:
        game = self._lobby.game(request.game) if request.game else None
        return m.BotList(re=request.id, bots=self._lobby.bots(game))

    def _tables(self, request: m.Tables) -> m.Message:
        self._lobby.sweep()
        return m.TableList(re=request.id, tables=tuple(table.info() for table in self._lobby.tables.values()))

    def _open(self, request: m.Open) -> m.Message:
        player = self._player()
        table = self._lobby.open(
            request.game, request.seats, player.name, request.options, request.clock or self._lobby.config.clock
        )
        chair = self._lobby.sit(table, player, 1)
        return m.TableReply(re=request.id, info=table.info(), seat=chair.number)

    def _join(self, request: m.Join) -> m.Message:
        _check_nonce(request.nonce)
        table = self._lobby.table(request.table)
        chair = self._lobby.sit(table, self._player(), request.seat, request.nonce)
        return m.TableReply(re=request.id, info=table.info(), seat=chair.number)

    def _add(self, request: m.Add) -> m.Message:
        table = self._own(request.table)
        self._lobby.add_bot(table, request.bot)
        return m.TableReply(re=request.id, info=table.info(), seat=self._seat(table))

    def _start(self, request: m.Start) -> None:
        _check_nonce(request.nonce)
        table = self._own(request.table)
        chair = table.company.chair_of(self._player())
        if chair is not None and table.match is None:
            chair.nonce = request.nonce
        give, seat = self._session.give, self._seat(table)
        self._lobby.start(table, lambda: give(m.TableReply(re=request.id, info=table.info(), seat=seat)))

    def _watch(self, request: m.Watch) -> m.Message:
        table = self._lobby.table(request.table)
        if table.company.chair_of(self._player()):
            raise RemoteProtocolError("already_seated")
        table.company.watch(self._session)
        match = table.match
        return m.Watching(
            re=request.id,
            table=table.id,
            n=match.counts[SPECTATORS] if match else 0,
            info=table.info(),
            view=match.state.view(None) if match else None,
        )

    def _leave(self, request: m.Leave) -> m.Message:
        table = self._lobby.table(request.table)
        if self._session in table.company.watchers:
            del table.company.watchers[self._session]
            return m.Left(re=request.id, table=table.id)
        return m.Left(re=request.id, table=table.id, held=round(table.stand_up(self._player()), 3))

    # -- the match -----------------------------------------------------------------------------------------------------

    def _act(self, request: m.Act) -> None:
        self._lobby.table(request.table).act(self._player(), request, self._session.give)

    def _look(self, request: m.Look) -> m.Message:
        table, hearer = self._hearing(request.table)
        match = table.running()
        view = match.state.view(hearer or None)
        return m.Position(re=request.id, table=table.id, n=match.counts[hearer], view=view)

    def _legal(self, request: m.Legal) -> m.Message:
        table, seat = self._seated(request.table)
        turn = table.turn(seat)
        if turn is None or table.company.chairs[seat - 1].house is not None:
            raise RemoteProtocolError("not_your_turn")
        return m.TurnReply(re=request.id, turn=turn)

    def _why(self, request: m.Why) -> m.Message:
        table, seat = self._seated(request.table)
        match = table.running()
        if match.over is not None:
            raise RemoteProtocolError("game_over")
        why = match.state.refusal(seat, table.read_action(request.action))
        if why is None:
            return m.Reason(re=request.id, table=table.id, legal=True)
        return m.Reason(re=request.id, table=table.id, legal=False, rule=why.code, text=why.text)

    def _clock(self, request: m.Clock) -> m.Message:
        table = self._lobby.table(request.table)
        return m.Clocks(re=request.id, table=table.id, clocks=table.clock_report())

    def _log(self, request: m.Log) -> m.Message:
        table, hearer = self._hearing(request.table)
        told = table.story(hearer, request.after)
        return m.Story(
            re=request.id, table=table.id, messages=tuple(told[:STORY_MESSAGES]), more=len(told) > STORY_MESSAGES
        )

    def _resume(self, request: m.Resume) -> None:
        table, seat = self._seated(request.table)
        missed = table.story(seat, request.after)
        resumed = m.Resumed(
            re=request.id,
            table=table.id,
            after=request.after,
            n=request.after + len(missed),
            seat=seat,
            clocks=table.clock_report(),
        )
        self._session.give(resumed)
        self._session.catch_up(table.id, missed)
        table.back(self._player(), self._session)

    def _resign(self, request: m.Resign) -> None:
        table = self._lobby.table(request.table)
        table.check_resign(self._player())
        self._session.give(m.Resigned(re=request.id, table=table.id))
        table.resign(self._player())

    # -- talk ----------------------------------------------------------------------------------------------------------

    def _say(self, request: m.Say) -> m.Message:
        _check_chat(request.text)
        player = self._player()
        if request.table:
            table, hearer = self._hearing(request.table)
            return m.Said(re=request.id, heard=max(0, table.say(hearer, player.name, request.text) - 1))
        others = [other for other in self._lobby.people.here() if other is not player]
        for other in others:
            assert other.ear is not None
            other.ear.push((m.Chat(sender=player.name, text=request.text),))
        return m.Said(re=request.id, heard=len(others))

    def _tell(self, request: m.Tell) -> m.Message:
        _check_chat(request.text)
        other = self._lobby.people.find(request.to)
        if other is None or other.ear is None:
            raise RemoteProtocolError("no_such_player")
        other.ear.push((m.Chat(sender=self._player().name, text=request.text, private=True),))
        return m.Said(re=request.id, heard=1)

    # -- within --------------------------------------------------------------------------------------------------------

    def _player(self) -> Player:
        player = self._session.player
        assert player is not None
        return player

    def _seat(self, table: Table) -> int:
        chair = table.company.chair_of(self._player())
        return chair.number if chair else 0

    def _own(self, table_id: str) -> Table:
        table = self._lobby.table(table_id)
        if table.owner != self._player().name:
            raise RemoteProtocolError("not_owner")
        return table

    def _seated(self, table_id: str) -> tuple[Table, int]:
        table = self._lobby.table(table_id)
        chair = table.company.chair_of(self._player())
        if chair is None:
            raise RemoteProtocolError("not_seated")
        table.running()
        return table, chair.number

    def _hearing(self, table_id: str) -> tuple[Table, int]:
        table = self._lobby.table(table_id)
        return table, table.hearer(self._session, self._player())

    _METHODS: ClassVar[dict[type[m.Request], Callable[[Desk, Any], m.Message | None]]] = {
        m.Hello: _hello,
        m.Help: _help,
        m.Ping: _ping,
        m.Quit: _quit,
        m.Who: _who,
        m.Games: _games,
        m.Bots: _bots,
        m.Rules: _rules,
        m.Cards: _cards,
        m.Tables: _tables,
        m.Open: _open,
        m.Join: _join,
        m.Add: _add,
        m.Start: _start,
        m.Watch: _watch,
        m.Leave: _leave,
        m.Act: _act,
        m.Look: _look,
        m.Legal: _legal,
        m.Why: _why,
        m.Clock: _clock,
        m.Log: _log,
        m.Resume: _resume,
        m.Resign: _resign,
        m.Say: _say,
        m.Tell: _tell,
    }


def _called(card: Any, name: str) -> bool:
    wanted = name.lower().replace("_", " ").replace("-", " ")
    return wanted in (card.name.replace("_", " "), card.title.lower())


def _check_nonce(nonce: str) -> None:
    if not nonce.isascii() or not all("!" <= letter <= "~" for letter in nonce):
        raise RemoteProtocolError("bad_field", "A nonce is printable ASCII without spaces.", "$.nonce")


def _check_chat(text: str) -> None:
    """Refuses what a terminal could mistake for a command, and letters that pile up or change direction."""
    if not text.isprintable() or not text.strip():
        raise RemoteProtocolError("bad_chat")
    piled = 0
    for letter in text:
        piled = piled + 1 if combining(letter) else 0
        if piled > ACCENTS:
            raise RemoteProtocolError("bad_chat", f"At most {ACCENTS} accents stand on one letter.")
