"""Requests that are well formed, and too many."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from tests.attacks.peer import Peer, line
from tests.attacks.scene import Scene, attack

ALLOWANCE = 100  # requests that a session may ask at once
CHEAP = ("games", "who", "bots", "tables")


def _asking(kinds: tuple[str, ...], name: str) -> Iterator[bytes]:
    """A hello, then those requests in turn for ever."""
    yield line("hello", 1, name=name)
    for start in count(2, 200):
        yield b"".join(line(kinds[number % len(kinds)], number) for number in range(start, start + 200))


@attack(ceiling=96)
def pings(scene: Scene) -> None:
    """Pings on 200 connections, as fast as they are read."""
    scene.ready()
    scene.flood(200, lambda number: _asking(("ping",), f"ping{number}"), {"answers": b'"pong"'})


@attack()
def requests(scene: Scene) -> None:
    """Twelve sessions that ask who and what is here, as fast as they are read."""
    scene.ready()
    scene.flood(12, lambda number: _asking(CHEAP, f"asker{number}"), {"answers": b'"re":'})


@attack()
def long_pages(scene: Scene) -> None:
    """Twelve sessions that ask for rules and cards, as fast as they are read."""

    def script(number: int) -> Iterator[bytes]:
        yield line("hello", 1, name=f"reader{number}")
        for start in count(2, 100):
            pages = ((("rules", "cards")[number % 2], number) for number in range(start, start + 100))
            yield b"".join(line(kind, number, game="magecraft") for kind, number in pages)

    scene.ready()
    scene.flood(12, script, {"answers": b'"re":'})


@attack(processes=2, ceiling=96)
def reconnecting(scene: Scene) -> None:
    """Sixteen peers that come again under a new name as soon as their allowance of requests is used up."""

    def script(number: int) -> Iterator[bytes]:
        name = f"again{scene.part}x{number}"
        yield line("hello", 1, name=name) + b"".join(line("games", 2 + each) for each in range(ALLOWANCE - 1))

    scene.ready()
    scene.flood(8, script, {"answers": b'"re":'})


@attack(ceiling=96, keeps=8)  # the tables stay open, some 6 KiB each
def asking_for_tables(scene: Scene) -> None:
    """Twelve sessions that ask for the list of tables in a loop, with 1,920 open tables, or as many as could be."""
    owners = scene.crowd(32, "owner")
    scene.held["tables"] = sum(open_tables(owner, 60) for owner in owners)
    scene.ready()
    scene.flood(12, lambda number: _asking(("tables",), f"asker{number}"), {"answers": b'"re":'})


def open_tables(owner: Peer, most: int) -> int:
    """How many open tables this player gets."""
    for opened in range(most):
        if owner.ask("open", game="ikasamage", seats=3)["type"] != "table":
            return opened
    return most
