"""Talk, where many hear it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from tests.attacks.matches import victims_table
from tests.attacks.peer import Peer, line
from tests.attacks.scene import Scene, attack

HEARERS = 2_000
TEXT = "x" * 300


@attack(processes=2, ceiling=160, keeps=40)
def talk_in_the_lobby(scene: Scene) -> None:
    """One talker in the lobby whom 2,000 others hear: 300 letters at a time, as fast as they are read."""
    if scene.part:
        hearers = scene.crowd(HEARERS, "hearer")
        scene.held["hearers"] = len(hearers)
        scene.ready()
        scene.listen([hearer.sock for hearer in hearers], b'"chat"', "lines heard")
    else:
        scene.ready()
        scene.flood(1, lambda number: _talking("", f"talker{number}"), {"said": b'"said"'})


@attack()
def talk_at_the_victims_match(scene: Scene) -> None:
    """Sixty spectators of the victim's match who talk there, as fast as they are read."""
    _talk_at(scene, victims_table(Peer(scene.port, "scout")))


@attack(ceiling=96)
def talk_at_a_finished_match(scene: Scene) -> None:
    """Sixty spectators who talk, as fast as they are read, at a table where one of the victims has played before."""
    _talk_at(scene, victims_table(Peer(scene.port, "scout"), "over"))


def _talk_at(scene: Scene, table: str) -> None:
    scene.ready()
    scene.flood(60, lambda number: _talking(table, f"loud{number}"), {"said": b'"said"', "heard": b'"chat"'})


@attack(ceiling=96)
def talk_at_an_open_table(scene: Scene) -> None:
    """Sixty spectators of an open table who talk there, as fast as they are read."""
    owner = Peer(scene.port, "owner")
    _talk_at(scene, owner.must("open", game="magecraft", seats=2)["info"]["table"])


def _talking(table: str, name: str) -> Iterator[bytes]:
    yield line("hello", 1, name=name)
    if table:
        yield line("watch", 2, table=table)
    for start in count(3, 50):
        yield b"".join(line("say", number, text=TEXT, table=table) for number in range(start, start + 50))
