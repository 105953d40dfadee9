"""Holds back the server's messages about a table until the client has the cards that are used at that table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeAlias

from games.api import CardsRefused, Game
from matches.language import _
from protocol import messages as m


@dataclass(frozen=True, slots=True)
class TableLeft:
    """The player no longer sits at this table or watches it."""

    table: str


@dataclass(frozen=True, slots=True)
class MatchRewound:
    """The server lost the latest messages of a match, as after a restore from a backup.

    Earlier messages of this table are void. All messages of the match follow again, from the first one on.
    """

    table: str


Match: TypeAlias = m.MatchStarted | m.TableInfo  # both have the fields `game` and `cards`
AtTable: TypeAlias = m.Message | TableLeft | MatchRewound


class UnplayableMatch(Exception):
    """The client cannot take part in a match, because it lacks the server's game, rules version or cards. The text is a
    sentence that says what is missing."""


class RequestPoster(Protocol):
    """The only method of `Link`, a connection to the server, that this module calls."""

    def post(self, request: m.Request, take: Callable[[m.Reply], None]) -> None:
        """Like `Link.post`."""
        ...


class KnownGames:
    """The games installed here, and variants of them with cards that a server sent."""

    def __init__(self, installed: Mapping[str, Game]) -> None:
        self._installed = installed
        self._shown: dict[tuple[str, str], Game] = {}  # by game id and digest of the cards

    def get(self, match: Match) -> Game | None:
        """Returns the game with the cards of the match; None if the client must first request these cards from the
        server. Raises Unplayable if the game or its rules version is not installed."""
        game = self._installed.get(match.game)
        if game is None:
            has = ", ".join(self._installed) or "none"
            raise UnplayableMatch(
                _("This program does not know the game {game}; it has: {has}.", game=match.game, has=has)
            )
        if isinstance(match, m.MatchStarted) and match.rules_version != game.rules_version:
            versions = _(
                "version {there} there, {here} here",
                there=match.rules_version,
                here=game.rules_version,
            )
            raise UnplayableMatch(
                _(
                    "The server plays {game} by other rules than this program ({versions}).",
                    game=match.game,
                    versions=versions,
                )
            )
        return game if match.cards == game.cards_digest else self._shown.get((match.game, match.cards))

    def game_of(self, match: Match) -> Game:
        """Returns the game, with its cards, of a match that `Admission` has already passed on. It checks nothing."""
        return self._shown.get((match.game, match.cards), self._installed[match.game])

    def add_cards(self, match: Match, reply: m.Reply) -> None:
        """Adds the cards in the server's answer to a `cards` request. Raises Unplayable if the answer is an error, or
        if its cards cannot be read or are not those of the match."""
        if not isinstance(reply, m.CardList):
            why = getattr(reply, "text", "")
            raise UnplayableMatch(_("The server does not show the cards that it plays with. {why}", why=why).rstrip())
        try:
            game = self._installed[match.game].with_cards(reply.source)
        except CardsRefused as error:
            raise UnplayableMatch(
                _("The server plays with cards that cannot be read here: {error}", error=error)
            ) from None
        if game.cards_digest != match.cards:
            raise UnplayableMatch(_("The server's cards are not those of the match."))
        self._shown[match.game, match.cards] = game


class Admission:
    """Passes on the messages about playable tables in their order, and drops those about refused tables.

    It calls `admit` with each message of a playable match, and `refuse` with a match that is not playable. Further
    messages about a refused table are dropped until it is joined again.
    """

    def __init__(
        self, games: KnownGames, admit: Callable[[AtTable], None], refuse: Callable[[Match, UnplayableMatch], None]
    ) -> None:
        self._games, self._admit, self._refuse = games, admit, refuse
        self._waiting: dict[str, list[AtTable]] = {}  # messages held back, by table, while its cards are requested
        self._refused: set[str] = set()

    def process_message(self, link: RequestPoster, message: AtTable) -> None:
        """Passes on, holds back or drops a message of the server, or an answer that contains a TableInfo."""
        info = getattr(message, "info", None)
        match: Match | None = (
            message if isinstance(message, m.MatchStarted) else info if isinstance(info, m.TableInfo) else None
        )
        table = getattr(message, "table", "") or getattr(match, "table", "")
        if table in self._waiting:
            self._waiting[table].append(message)
        elif match is not None and not isinstance(message, m.TableChanged):
            self._take_match(link, match, message)
        elif table not in self._refused:
            self._admit(message)

    def _take_match(self, link: RequestPoster, match: Match, message: AtTable) -> None:
        try:
            game = self._games.get(match)
        except UnplayableMatch as why:
            self._turn_away(match, why)
            return
        self._refused.discard(match.table)
        if game is not None:
            self._admit(message)
        else:
            self._waiting[match.table] = [message]
            link.post(m.Cards(id=1, game=match.game), partial(self._take_cards, link, match))

    def _take_cards(self, link: RequestPoster, match: Match, reply: m.Reply) -> None:
        waiting = self._waiting.pop(match.table)
        try:
            self._games.add_cards(match, reply)
        except UnplayableMatch as why:
            self._turn_away(match, why)
            return
        for message in waiting:
            self.process_message(link, message)

    def _turn_away(self, match: Match, why: UnplayableMatch) -> None:
        self._refused.add(match.table)
        self._refuse(match, why)
