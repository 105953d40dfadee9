"""What the text face knows of a person who types: where they are, what they may decide, and what is told them again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

from server.desk.context import Peer
from server.desk.typist import HINT_WORK, Typist
from server.player import Player
from tests.helpers.hall import Hall
from tests.helpers.house import FirstHouse


class Typing:
    """A peer that only types."""

    def __init__(self, player: Player | None) -> None:
        self.player = player
        self.charged: list[float] = []

    def charge(self, work: float) -> None:
        self.charged.append(work)


def typing(hall: Hall, name: str, table: str = "") -> tuple[Typist, Typing]:
    """Somebody of that name, or a stranger, who types at that table."""
    peer = Typing(hall.lobby.people.find(name))
    typist = Typist(hall.lobby, cast(Peer, peer))
    typist.turn_to(table)
    return typist, peer


async def three_tables(hall: Hall) -> None:
    """Ann and bob play at t1, where ann is to decide; ann waits at t2; what bob and eve played at t3 is over."""
    ann, bob = await hall.table_of("ann", "bob")
    await ann.ask("open", game="toy", seats=3)
    eve = await hall.player("eve")
    await bob.ask("open", game="toy", seats=2)
    await eve.ask("join", table="t3")
    await bob.ask("start", table="t3")
    hall.lobby.tables.close(hall.lobby.tables["t3"], "somebody")
    await hall.player("zoe")


async def test_where_the_house_plays_on_the_typist_is_told_by_whom(hall: Hall) -> None:
    await three_tables(hall)
    typist, _peer = typing(hall, "bob", "t1")
    assert typist.where().played_by() == ""
    hall.lobby.tables["t1"].resign(hall.lobby.people.find("bob"))  # type: ignore[arg-type]
    assert (typist.where().played_by(), typist.decision()) == ("first", None)
    hall.lobby.tables.close(hall.lobby.tables["t1"], "somebody")
    assert typist.where().played_by() == ""


async def test_a_hint_costs_work_only_where_there_is_one(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    await three_tables(hall)
    hints = {}
    for name, table in (("ann", "t1"), ("ann", "t2"), ("zoe", "t1"), ("", "t1"), ("ann", "")):
        typist, peer = typing(hall, name, table)
        hints[name, table] = typist.where().hint().partition(":")[0], peer.charged
    assert hints.pop(("ann", "t1")) == ("first would do this", [HINT_WORK])
    assert all(told == ("", []) for told in hints.values()), hints
    typist, peer = typing(hall, "ann", "t1")
    monkeypatch.setattr(hall.lobby, "house", FirstHouse())
    assert (typist.where().hint(), peer.charged) == ("", []), "nobody is there to ask"
    monkeypatch.setattr(hall.lobby, "house", Silent("slow"))
    assert typist.where().hint() == "", "a bot that thinks for long says nothing"
    monkeypatch.setattr(hall.lobby, "house", Silent("slow", answers=True))
    assert typist.where().hint() == "", "nor does one that cannot say any more"


class Silent(FirstHouse):
    """Its bots answer nothing, or that they cannot."""

    seconds = 1.0

    def __init__(self, *names: str, answers: bool = False) -> None:
        super().__init__(*names)
        self._answers = answers

    def make(self, *_what: Any) -> Any:
        return self

    def ask(self, _asked: object, answer: Callable[[None], None]) -> None:
        if self._answers:
            answer(None)
