"""What `magehall play` alone asks: which of the servers in this network, or a match here."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import trio

from client.nearby import Nearby, NotFound, servers

HERE = "Enter: a match against house bots, here"


def choose(ask: Callable[[str], str], say: Callable[[str], None]) -> Nearby | None:
    """The server that the person picks; None for a match here, which it is where nobody answers. Takes two seconds at
    most before it asks. `ask` raises EOFError at the end of the input."""
    say("Looking for servers in this network ...")
    try:
        found = trio.run(servers)
    except NotFound as why:
        say(f"Servers cannot be looked for: {why}. An address still works: magehall play --host ADDRESS.")
        return None
    if not found:
        say("No server answers, so this is a match against house bots. magehall play --host ADDRESS plays elsewhere.")
        return None
    for line in listed(found):
        say(line)
    while True:
        try:
            word = ask(f"1 to {len(found)}, or Enter: ").strip()
        except EOFError:
            return None
        if not word:
            return None
        if word.isascii() and word.isdigit() and 1 <= int(word) <= len(found):
            return found[int(word) - 1]
        say("Type the number of a server, or Enter alone.")


def listed(found: Sequence[Nearby]) -> list[str]:
    """The servers, numbered, each with who waits for whom."""
    lines = []
    for number, server in enumerate(found, 1):
        lines.append(f"{number} {server.name} at {server.host}, port {server.port}")
        lines += [f"    {line}" for line in server.waiting] or ["    nobody waits there"]
    return [*lines, HERE]
