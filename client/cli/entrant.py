"""The process of a tournament entrant. A bot plays over connections that are passed to this process, until stdin ends.

This module has few imports, because a sandbox starts a fresh interpreter for each process.
"""

from __future__ import annotations

import os
from functools import partial

import trio

from bots.sdk.bot import Bot
from bots.sdk.leash import TOKEN, ConnectionBroker, EntrantAssignment
from bots.sdk.link import Dial, Identity, LinkFailed, Refused, open_link
from bots.sdk.nursery import nursery_for_block
from bots.sdk.registry import bot_plays, parse_bot_options
from bots.sdk.runner import Runner
from bots.sdk.tls import KnownServers, Tls, connect_tls
from bots.sdk.tokens import Tokens
from client.cli.own_bot import check_can_create, games_for_bot, require_bot_class, reserve_stdout
from client.exit_codes import INTERRUPTED, exit_with_error
from games.registry import load_game
from protocol.messages.parts import LIVE, TURNS


def play_entrant(entering: EntrantAssignment) -> int:
    """Plays, and returns the exit code. Ends the process with a sentence if the bot cannot be created or the server
    refuses it."""
    reserve_stdout()
    kind = require_bot_class(entering.bot, parse_bot_options(entering.options))
    if not bot_plays(kind, entering.game):
        games_for_bot(kind, [entering.game])  # ends the process with a sentence if the bot does not play this game
    check_can_create(kind, entering.seed)
    try:
        trio.run(_play, kind, entering)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Refused as error:
        exit_with_error(error.error.text)
    except LinkFailed as error:
        exit_with_error(str(error))
    return 0


async def _play(kind: type[Bot], entering: EntrantAssignment) -> None:
    leash, tokens = ConnectionBroker(), Tokens(assigned=True)
    tokens.put(entering.server, entering.name, os.environ.pop(TOKEN, ""))
    me = Identity(
        entering.name,
        entering.server,
        bot=True,
        games=kind.games,
        client="magehall bot",
        wants=kind.wants,
        hears=LIVE if kind.listens() else TURNS,
    )
    runner = Runner(kind, {entering.game: load_game(entering.game)}, entering.seed)
    async with nursery_for_block() as nursery:
        nursery.start_soon(_until_the_end, leash, nursery.cancel_scope)
        async with open_link(_dial(leash, entering), me, tokens, hearer=runner) as link:
            await link.closed.wait()
            link.raise_if_failed()


def _dial(leash: ConnectionBroker, entering: EntrantAssignment) -> Dial:
    """Returns the function that gets the next connection over the leash, and begins TLS if the server uses it."""
    if not entering.fingerprint:
        return leash.dial
    host, _colon, port = entering.server.rpartition(":")
    tls = Tls(fingerprint=entering.fingerprint, known=KnownServers())
    return partial(connect_tls, leash.dial, host, int(port), tls)


async def _until_the_end(leash: ConnectionBroker, scope: trio.CancelScope) -> None:
    await leash.receive_answers()
    scope.cancel()
