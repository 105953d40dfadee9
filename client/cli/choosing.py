"""The questions of `magehall play` without arguments: which server in this network, which address, or a match on this
machine."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

import trio

from client.connecting import has_visited, is_played_elsewhere
from client.language import N_, _
from client.left_seats import LeftSeat, load_left_seats
from client.nearby import NearbyServer, SearchFailed, find_servers, responding_servers, translate_line
from client.screen.width import output_columns
from people.render import plain_text, wrap_rows
from protocol import PORT

HERE = N_("Enter: a match against house bots, here")
AGAIN, LEAVE = "r", "q"
TYPED_SECONDS = 4.0  # time limit for a typed address, whose host name may have to be looked up
_PLACE = re.compile(r"(?P<host>[^:\s]+|\[[^]\s]+\]):(?P<port>[0-9]{1,5})|(?P<bare>[^\s\[\]/]+)", re.ASCII)
_READ_OUT = re.compile(
    r"(magehall play --host |telnet://|telnet )?(?P<host>\S+?)/?(?:(?: --port | )(?P<port>[0-9]{1,5}))?(?P<tls> --tls)?"
)
Ask = Callable[[str], str]
Say = Callable[[str], None]


def choose_server(ask: Ask, say: Say) -> NearbyServer | None:
    """Returns the server that the person picks or types; None for a match on this machine. The search takes two seconds
    at most.

    Raises EOFError, from `ask`, at the end of the input, because then no person is at the terminal.
    """
    while True:
        say(_("Looking for servers in this network ..."))
        found: list[NearbyServer] = []
        try:
            found = trio.run(_servers)
        except SearchFailed as why:
            say(_("Cannot look for servers: {why}.", why=why))
        else:
            if not found:
                say(_("No server answers in this network."))
        lines = [
            *render_server_list(found),
            _(HERE),
            _("r: look again; q: leave; or type an address, such as 192.168.0.7"),
        ]
        for row in wrap_rows(([("", line)] for line in lines), output_columns()):
            say(plain_text(row))
        try:
            return _picked(found, ask, say)
        except _SearchAgain:
            pass


class _SearchAgain(Exception):
    """Raised when the person asks to search for servers again."""


def _picked(found: Sequence[NearbyServer], ask: Ask, say: Say) -> NearbyServer | None:
    """Asks which of the found servers to use. Returns it, or None for a match on this machine. Raises _LooksAgain;
    EOFError if the person quits."""
    numbers = [str(number) for number in range(1, len(found) + 1)]
    while True:
        word = ask(_prompt(len(found))).strip()
        if not word:
            return None
        if word in numbers:
            return found[numbers.index(word)]
        if word.lower() == AGAIN:
            raise _SearchAgain
        if word.lower() == LEAVE:
            raise EOFError
        if word.isdigit():
            say(_("Type the number of a server or an address, or just press Enter."))
        elif (typed := _typed(word)) is None:
            say(_("{word} is not an address. Type one like 192.168.0.7 or 192.168.0.7:7110.", word=word[:60]))
        elif answering := trio.run(
            partial(responding_servers, [typed, replace(typed, tls=True)], seconds=TYPED_SECONDS)
        ):
            return answering[0]
        else:
            say(_("No magehall server answers at {host}, port {port}.", host=typed.host[:60], port=typed.port))


def _prompt(count: int) -> str:
    if not count:
        return _("Enter, r, q or an address: ")
    return (
        _("1, Enter, r, q or an address: ")
        if count == 1
        else _("1 to {found}, Enter, r, q or an address: ", found=count)
    )


def _typed(line: str) -> NearbyServer | None:
    """Parses a typed address, with or without a port. Also accepts the whole command that the host's screen shows."""
    read_out = _READ_OUT.fullmatch(" ".join(line.split()))
    found = _PLACE.fullmatch(read_out["host"]) if read_out is not None else None
    if read_out is None or found is None:
        return None
    host = (found["host"] or found["bare"]).strip("[]")
    port = int(found["port"] or read_out["port"] or PORT)
    return NearbyServer(host, host, port, (), tls=bool(read_out["tls"])) if 0 < port < 65_536 else None


async def _servers() -> list[NearbyServer]:
    return await find_servers(known=has_visited)


def ask_to_rejoin(ask: Ask, say: Say) -> tuple[NearbyServer, LeftSeat] | None:
    """Returns the server and the seat that the person left there, if the server answers and the person wants to return.
    The server may have another address by now. Raises EOFError like `choose`."""
    near: list[NearbyServer] | None = None
    for seat in resumable_seats():
        where = {"table": seat.table, "name": seat.name, "host": seat.host, "port": seat.port}
        found = trio.run(responding_servers, [NearbyServer("", seat.host, seat.port, (), tls=seat.tls)])
        if found:
            say(_("You have a seat at {table} as {name}, at {host}, port {port}.", **where))
        else:
            if near is None:
                say(_("Looking for servers in this network ..."))
                near = _announced()
            found = [one for one in near if _may_be_of(one, seat)]
            if not found:
                continue
            say(_("You have a seat at {table} as {name}, at {host}, which does not answer.", **where))
            say(_("A server at {host} may be the same one.", host=found[0].host))
        if not ask(_("Go back to it? Enter for yes, n for no: ")).strip():
            return found[0], seat
    return None


def _may_be_of(server: NearbyServer, seat: LeftSeat) -> bool:
    """Returns whether a server announces a running match at the seat's table, and has the same port as the seat's
    server."""
    there = any(line.startswith(f"{seat.table} ") and line.endswith(" play") for line in server.waiting)
    return there and (server.port, server.tls) == (seat.port, seat.tls)


def _announced() -> list[NearbyServer]:
    with suppress(SearchFailed):
        return trio.run(_servers)
    return []


def resumable_seats() -> list[LeftSeat]:
    """Returns the stored seats of running matches that no other process of this user is playing, latest first."""
    return [seat for seat in load_left_seats() if not is_played_elsewhere(seat)]


def render_server_list(found: Sequence[NearbyServer]) -> list[str]:
    """Returns numbered lines of text: each server, and the players who wait there."""
    lines = []
    for number, server in enumerate(found, 1):
        lines.append(
            _(
                "{number} {name} at {host}, port {port}",
                number=number,
                name=server.name,
                host=server.host,
                port=server.port,
            )
        )
        lines += [f"    {translate_line(line)}" for line in server.waiting] or [_("    no one is waiting there")]
    return lines
