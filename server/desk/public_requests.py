"""Handlers of hello, of passwords, and of requests that need no name."""

from __future__ import annotations

import trio

from games.api import to_map
from games.pages import rules_page, topic_of
from languages import NAMES, language_code, speaking
from people.text.cards import find_cards
from people.text.help import help_page
from people.text.lookup import NOT_BY_TELNET
from people.text.rules import about
from protocol import VERSION
from protocol import messages as m
from protocol.errors import Refusal
from server.desk.context import Answer, Context, Steps, answers
from server.desk.lobby import Lobby
from server.desk.passwords import HASH_WORK, check_password
from server.language import _
from server.player import Player

LONG_PAGE = 2_000  # characters of a help page above which it is long, such as the list of all commands
LONG_PAGE_WORK = 4.0  # work that a long page is charged as, in plain requests, in addition to the request itself


@answers(m.Hello)
def hello(here: Context, request: m.Hello) -> Answer:
    here.lobby.presence.check_enters(request.name, here.peer.address)
    player = here.lobby.people.is_to_hash(request, here.peer.address, trio.current_time())
    if player is not None:
        return _with_password(here, request, player)
    _let_in(here, request, _admit(here, request))
    return None


def _let_in(here: Context, request: m.Hello, player: Player) -> None:
    """Sends the welcome to the player. If the server is about to end, a `service` message follows."""
    here.peer.give(_welcome(here, request, player))
    if here.lobby.service.told.state != "open":
        here.peer.push((here.lobby.service.told,))


def _with_password(here: Context, request: m.Hello, player: Player) -> Steps:
    """Checks a password that may prove the name, and then sends the welcome."""
    kept = player.password
    here.peer.charge(HASH_WORK)
    fits = yield from here.lobby.passwords.fits(request.code, kept, here.peer.address)
    # bans and limits may have changed while the hash was computed
    here.lobby.presence.check_enters(request.name, here.peer.address)
    fits = fits and player.password == kept and here.lobby.people.find(request.name) is player
    if here.lobby.journal.failing:
        raise Refusal("storage")
    player = here.lobby.people.admit_by_password(request, here.peer.address, trio.current_time(), fits=fits)
    _let_in(here, request, player)


def _admit(here: Context, request: m.Hello) -> Player:
    return here.lobby.people.admit(request, here.peer.challenge, here.peer.address, trio.current_time())


def _welcome(here: Context, request: m.Hello, player: Player) -> m.Welcome:
    player.bot, player.games, player.agreed = request.bot, request.games, request.tables
    player.says_what_it_hears(request.hear, request.wants)
    player.begin(request.session, request.id)
    code = "" if request.key or request.proof else player.codes.issue()
    if here.peer.said_language:
        player.language = here.peer.language
    elif request.client == "text":  # only telnet users need this, because programs and our client send their language
        here.peer.language = player.language  # the language that the player chose in an earlier session
    player.keep()
    here.peer.logged_in(player)
    here.lobby.presence.arrive(player, here.peer)
    # two broadcasts, because the player left in the old session and came back in this one
    here.charge_for_onlookers(*here.lobby.tables.of(player), times=2)
    return m.Welcome(
        re=request.id,
        name=player.name,
        version=VERSION,
        server=here.server,
        limits=here.lobby.config.at(player.address).limits(),
        code=code,
        seats=seats_of(here.lobby, player),
        ignored=tuple(player.ignored.values()),
    )


def seats_of(lobby: Lobby, player: Player) -> tuple[m.TableInfo, ...]:
    """Returns the tables where the player has a seat. Of matches that are over or given up only the latest are
    included, so that a welcome is never longer than a connection accepts."""
    tables = lobby.tables.of(player)
    others = [table for table in tables if not table.keeps(player)]
    old = set(others[: -lobby.config.tables_a_player])
    return tuple(table.info() for table in tables if table not in old)


@answers(m.Password)
def password(here: Context, request: m.Password) -> Steps:
    player = here.player
    if request.off:
        player.password = b""
        player.keep()
        here.peer.give(m.DoneReply(re=request.id, text=_("Your password was removed.")))
        return
    check_password(request.word, player.name, here.lobby.config.password_characters_least)
    here.peer.charge(HASH_WORK)
    kept = yield from here.lobby.passwords.kept(request.word, here.peer.address)
    if here.lobby.journal.failing:
        raise Refusal("storage")
    player.password = kept
    player.keep()
    text = _(
        "Come back at any time with: hello {name} and your password. This connection is not encrypted, so "
        "others in the network may read the password: use it nowhere else. password off removes it.",
        name=player.name,
    )
    if here.peer.origin.is_encrypted:
        text = _(
            "Come back at any time with: hello {name} and your password. password off removes it.", name=player.name
        )
    here.peer.give(m.DoneReply(re=request.id, text=text))


@answers(m.Help)
def help_(here: Context, request: m.Help) -> m.Message:
    words = {game.id: game.words.help for game in here.lobby.games.values()}
    text = help_page(request.topic, words, NOT_BY_TELNET)
    if (game := here.lobby.games.get(request.topic.lower())) is not None and game.words.legend:
        text += f"\n{game.words.legend}"
    if len(text) > LONG_PAGE:
        here.peer.charge(LONG_PAGE_WORK)
    return m.Page(re=request.id, title=_("Help"), text=text)


@answers(m.Lang)
def lang(here: Context, request: m.Lang) -> m.Message:
    spoken = language_code(request.lang)
    if not spoken:
        raise Refusal(
            "bad_field", _("Choose one of these languages: {languages}.", languages=", ".join(NAMES)), "$.lang"
        )
    here.peer.language, here.peer.said_language = spoken, True
    player = here.peer.player
    if player is not None and player.language != spoken and not here.lobby.journal.failing:
        player.language = spoken
        player.keep()
    with speaking(spoken):
        return m.DoneReply(re=request.id, text=_("You read English now."))


@answers(m.Ping)
def ping(_here: Context, request: m.Ping) -> m.Message:
    return m.Pong(re=request.id)


@answers(m.Quit)
def quit_(here: Context, request: m.Quit) -> None:
    here.peer.end("quit", re=request.id)


@answers(m.Games)
def games(here: Context, request: m.Games) -> m.Message:
    return m.GameList(re=request.id, games=here.lobby.game_infos())


@answers(m.Rules)
def rules(here: Context, request: m.Rules) -> m.Message:
    game = here.lobby.game(request.game)
    return m.Page(re=request.id, title=game.title, text=about(rules_page(game), topic_of(game, request.about)))


@answers(m.Cards)
def cards(here: Context, request: m.Cards) -> m.Message:
    game = here.lobby.game(request.game)
    found = find_cards(game.cards(), request.name)
    if not found:
        raise Refusal("no_such_card")
    return m.CardList(
        re=request.id, game=game.id, cards=tuple(to_map(card) for card in found), source=game.cards_source()
    )
