"""Handlers of hello, of passwords, and of requests that need no name."""

from __future__ import annotations

import trio

from games.api import to_map
from games.pages import rules_page, rules_topic
from languages import NAMES, language_code, speaking
from people.text.cards import find_cards
from people.text.help import help_page
from people.text.lookup import NOT_BY_TELNET
from people.text.rules import find_rules_section
from protocol import VERSION
from protocol import messages as m
from protocol.errors import Refusal
from server.desk.context import Answer, Context, Steps, handles
from server.desk.lobby import Lobby
from server.desk.passwords import HASH_WORK, check_password
from server.language import _
from server.player import Player

LONG_PAGE = 2_000  # characters of a help page above which it is long, such as the list of all commands
LONG_PAGE_WORK = 4.0  # work that a long page is charged as, in plain requests, in addition to the request itself


@handles(m.Hello)
def handle_hello(here: Context, request: m.Hello) -> Answer:
    here.lobby.presence.check_can_connect(request.name, here.peer.address)
    player = here.lobby.people.player_with_password(request, here.peer.address, trio.current_time())
    if player is not None:
        return _with_password(here, request, player)
    _let_in(here, request, _admit(here, request))
    return None


def _let_in(here: Context, request: m.Hello, player: Player) -> None:
    """Sends the welcome to the player. If the server is about to end, a `service` message follows."""
    here.peer.send_answer(_welcome(here, request, player))
    if here.lobby.service.told.state != "open":
        here.peer.push((here.lobby.service.told,))


def _with_password(here: Context, request: m.Hello, player: Player) -> Steps:
    """Checks a password that may prove the name, and then sends the welcome."""
    kept = player.password
    here.peer.charge(HASH_WORK)
    fits = yield from here.lobby.passwords.verify_password(request.code, kept, here.peer.address)
    # bans and limits may have changed while the hash was computed
    here.lobby.presence.check_can_connect(request.name, here.peer.address)
    fits = fits and player.password == kept and here.lobby.people.find_player(request.name) is player
    if here.lobby.journal.failing:
        raise Refusal("storage")
    player = here.lobby.people.admit_by_password(request, here.peer.address, trio.current_time(), fits=fits)
    _let_in(here, request, player)


def _admit(here: Context, request: m.Hello) -> Player:
    return here.lobby.people.admit_by_proof(request, here.peer.challenge, here.peer.address, trio.current_time())


def _welcome(here: Context, request: m.Hello, player: Player) -> m.Welcome:
    player.bot, player.games, player.agreed = request.bot, request.games, request.tables
    player.set_preferences(request.hear, request.wants)
    player.begin_connection(request.session, request.id)
    code = "" if request.key or request.proof else player.codes.issue_code()
    if here.peer.said_language:
        player.language = here.peer.language
    elif request.client == "text":  # only telnet users need this, because programs and our client send their language
        here.peer.language = player.language  # the language that the player chose in an earlier session
    player.save()
    here.peer.set_player(player)
    here.lobby.presence.connect_player(player, here.peer)
    # two broadcasts, because the player left in the old session and came back in this one
    here.charge_for_spectators(*here.lobby.tables.tables_of_player(player), times=2)
    return m.Welcome(
        re=request.id,
        name=player.name,
        version=VERSION,
        server=here.server,
        limits=here.lobby.config.for_address(player.address).limits(),
        code=code,
        seats=tables_with_seat(here.lobby, player),
        ignored=tuple(player.ignored.values()),
    )


def tables_with_seat(lobby: Lobby, player: Player) -> tuple[m.TableInfo, ...]:
    """Returns the tables where the player has a seat. Of matches that are over or given up only the latest are
    included, so that a welcome is never longer than a connection accepts."""
    tables = lobby.tables.tables_of_player(player)
    others = [table for table in tables if not table.has_active_seat(player)]
    old = set(others[: -lobby.config.tables_a_player])
    return tuple(table.table_info() for table in tables if table not in old)


@handles(m.Password)
def handle_password(here: Context, request: m.Password) -> Steps:
    player = here.player
    if request.off:
        player.password = b""
        player.save()
        here.peer.send_answer(m.DoneReply(re=request.id, text=_("Your password was removed.")))
        return
    check_password(request.word, player.name, here.lobby.config.password_characters_least)
    here.peer.charge(HASH_WORK)
    kept = yield from here.lobby.passwords.hash_password(request.word, here.peer.address)
    if here.lobby.journal.failing:
        raise Refusal("storage")
    player.password = kept
    player.save()
    text = _(
        "Come back at any time with: hello {name} and your password. This connection is not encrypted, so "
        "others in the network may read the password: use it nowhere else. password off removes it.",
        name=player.name,
    )
    if here.peer.origin.is_encrypted:
        text = _(
            "Come back at any time with: hello {name} and your password. password off removes it.", name=player.name
        )
    here.peer.send_answer(m.DoneReply(re=request.id, text=text))


@handles(m.Help)
def handle_help(here: Context, request: m.Help) -> m.Message:
    words = {game.id: game.words.help_text for game in here.lobby.games.values()}
    text = help_page(request.topic, words, NOT_BY_TELNET)
    if (game := here.lobby.games.get(request.topic.lower())) is not None and game.words.legend:
        text += f"\n{game.words.legend}"
    if len(text) > LONG_PAGE:
        here.peer.charge(LONG_PAGE_WORK)
    return m.Page(re=request.id, title=_("Help"), text=text)


@handles(m.Lang)
def handle_lang(here: Context, request: m.Lang) -> m.Message:
    spoken = language_code(request.lang)
    if not spoken:
        raise Refusal(
            "bad_field", _("Choose one of these languages: {languages}.", languages=", ".join(NAMES)), "$.lang"
        )
    here.peer.language, here.peer.said_language = spoken, True
    player = here.peer.player
    if player is not None and player.language != spoken and not here.lobby.journal.failing:
        player.language = spoken
        player.save()
    with speaking(spoken):
        return m.DoneReply(re=request.id, text=_("You read English now."))


@handles(m.Ping)
def handle_ping(_here: Context, request: m.Ping) -> m.Message:
    return m.Pong(re=request.id)


@handles(m.Quit)
def handle_quit(here: Context, request: m.Quit) -> None:
    here.peer.end("quit", re=request.id)


@handles(m.Games)
def handle_games(here: Context, request: m.Games) -> m.Message:
    return m.GameList(re=request.id, games=here.lobby.game_infos())


@handles(m.Rules)
def handle_rules(here: Context, request: m.Rules) -> m.Message:
    game = here.lobby.get_game(request.game)
    return m.Page(
        re=request.id, title=game.title, text=find_rules_section(rules_page(game), rules_topic(game, request.about))
    )


@handles(m.Cards)
def handle_cards(here: Context, request: m.Cards) -> m.Message:
    game = here.lobby.get_game(request.game)
    found = find_cards(game.cards(), request.name)
    if not found:
        raise Refusal("no_such_card")
    return m.CardList(
        re=request.id, game=game.id, cards=tuple(to_map(card) for card in found), source=game.card_file_text()
    )
