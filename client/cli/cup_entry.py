"""Enters a bot in a cup: waits for the server and for the cup."""

from __future__ import annotations

import socket
from contextlib import suppress

import trio

from bots.sdk.connection import system_error_text
from bots.sdk.link import Dial, Link, Refused
from bots.sdk.stderr import print_line_to_stderr
from client.language import _
from people.text.sentences import translate_word
from protocol import messages as m

LOOK_SECONDS = 2.0  # pause between two attempts to connect
DIAL_SECONDS = 10.0  # time limit for one attempt to connect


async def wait_for_server(dial: Dial, server: str) -> None:
    """Returns once a server accepts a connection at that address. Raises OSError if the host name is unknown.

    Args:
        dial: Opens a connection to the server. The function closes it again at once.
        server: The address as HOST:PORT, for the message that the command is waiting.
    """
    told = False
    while True:
        why = ""
        try:
            with trio.fail_after(DIAL_SECONDS):
                await trio.aclose_forcefully(await dial())
                return
        except socket.gaierror:
            raise
        except OSError as error:
            why = system_error_text(error)
        except trio.TooSlowError:
            why = _("no answer")
        if not told:
            text = _("No server at {server} yet ({why}); waiting for it. Ctrl-C ends.", server=server, why=why)
            print_line_to_stderr(text)
            told = True
        await trio.sleep(LOOK_SECONDS)


async def enter_cup(link: Link, request: m.CupEnter) -> m.CupInfo:
    """Enters a cup as soon as its owner has opened it, and prints a message when the entry succeeds.

    Args:
        link: A link that has said hello.
        request: The cup, and how the bot enters it.

    Returns:
        The cup, with its name in the server's spelling.

    Raises:
        Refused: The cup takes no more entrants, or refuses this one.
        LinkFailed: The connection is lost for good.
    """
    name, told = link.identity.name, False
    while True:
        try:
            info = (await link.ask(request, m.CupReply)).info
            break
        except Refused as error:
            if error.error.code != "no_such_cup":
                raise
        if not told:
            print_line_to_stderr(await _not_open(link, request.cup))
            told = True
        await trio.sleep(LOOK_SECONDS)
    played = {"name": name, "cup": info.cup, "state": translate_word(info.state), "played": info.played}
    print_line_to_stderr(_("{name} has entered {cup}: {state}, {played} matches played.", **played))
    going_on = [one.table for one in link.welcome.seats if one.table in info.playing]
    if going_on:
        print_line_to_stderr(_("{name} continues at {tables}.", name=name, tables=", ".join(going_on)))
    return info


async def _not_open(link: Link, cup: str) -> str:
    others = ""
    with suppress(Refused):
        others = ", ".join(one.cup for one in (await link.ask(m.Cups(id=1), m.CupList)).cups)
    return _(
        "There is no cup {cup} yet (cups there: {others}); {name} enters it once it is open. Ctrl-C ends.",
        cup=cup,
        others=others or _("none"),
        name=link.identity.name,
    )
