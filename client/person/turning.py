"""A spectator turns from one running match to the next. Pure."""

from __future__ import annotations

from client.person.human import Human
from protocol import messages as m
from protocol.errors import Refusal
from protocol.text.where import Ask

WORD = "next"
HELP = "watch the next match that is running; F3 does the same"


def turn_on(human: Human) -> list[Ask]:
    """What to ask for the next running match; `human.known_tables` are those of now, in their order. A table that was
    only watched is left. Raises Refusal."""
    here = human.here
    running = [info.table for info in human.known_tables if info.state == "playing"]
    at = running.index(here.id) if here is not None and here.id in running else -1
    following = [*running[at + 1 :], *running[: max(at, 0)]]
    if not following:
        raise Refusal("no_such_table", "No other match is running.")
    asks = [Ask(m.Watch, {"table": following[0]})]
    if here is not None and not here.seat:
        asks.append(Ask(m.Leave, {"table": here.id}))
    return asks
