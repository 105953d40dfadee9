"""What `magehall play` alone asks: which of the servers in this network, or a match here."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import trio

from client.away import LeftSeat, left_seats
from client.connecting import plays_elsewhere
from client.language import N_, _
from client.nearby import Nearby, NotFound, greeting, said, servers
from client.person.render import plain_text, rows
from client.screen.width import columns

HERE = N_("Enter: a match against house bots, here")


def choose(ask: Callable[[str], str], say: Callable[[str], None]) -> Nearby | None:
    """The server that the person picks; None for a match here, which it is where nobody answers. Takes two seconds at
    most before it asks. `ask` raises EOFError at the end of the input."""
    say(_("Looking for servers in this network ..."))
    try:
        found = trio.run(servers)
    except NotFound as why:
        say(_("Servers cannot be looked for: {why}. An address still works: magehall play --host ADDRESS.", why=why))
        return None
    if not found:
        say(
            _("No server answers, so this is a match against house bots. magehall play --host ADDRESS plays elsewhere.")
        )
        return None
    for row in rows(([("", line)] for line in listed(found)), columns()):
        say(plain_text(row))
    while True:
        try:
            word = ask(
                _("1 to {found}, or Enter: ", found=len(found)) if len(found) > 1 else _("1, or Enter: ")
            ).strip()
        except EOFError:
            return None
        if not word:
            return None
        if word in (numbers := [str(number) for number in range(1, len(found) + 1)]):
            return found[numbers.index(word)]
        say(_("Type the number of a server, or Enter alone."))


def back(ask: Callable[[str], str], say: Callable[[str], None]) -> Nearby | None:
    """The server where the person has left a seat behind, if it answers and they want to go back there."""
    for seat in seats_left():
        if found := trio.run(greeting, [Nearby("", seat.host, seat.port, ())]):
            where = {"table": seat.table, "name": seat.name, "host": seat.host, "port": seat.port}
            say(_("You have a seat at {table} as {name}, at {host}, port {port}.", **where))
            try:
                word = ask(_("Back to it? Enter, or n: "))
            except EOFError:
                return None
            if not word.strip():
                return found[0]
    return None


def seats_left() -> list[LeftSeat]:
    """Those where the person does not play in another terminal, the latest first."""
    return [seat for seat in left_seats() if not plays_elsewhere(seat)]


def listed(found: Sequence[Nearby]) -> list[str]:
    """The servers, numbered, each with who waits for whom."""
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
        lines += [f"    {said(line)}" for line in server.waiting] or [_("    nobody waits there")]
    return [*lines, _(HERE)]
