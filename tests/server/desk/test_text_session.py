"""What the server gives a person who types, beside messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

from people.table import PersonTable
from server.desk.context import Requester
from server.desk.text_session import HINT_WORK, TextSession
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


def hint(hall: Hall, name: str, table: str = "") -> tuple[str, list[float]]:
    """The hint that somebody of that name, or a stranger, gets at that table, and what it costs."""
    peer, game = Typing(hall.lobby.people.find_player(name)), hall.lobby.games["toy"]
    given = TextSession(hall.lobby, cast(Requester, peer)).hint_text(PersonTable(table, game, 0, 2, {}, []))
    return given.partition(":")[0], peer.charged


async def three_tables(hall: Hall) -> None:
    """Ann and bob play at t1, where ann is to decide; ann waits at t2; what bob and eve played at t3 is over."""
    ann, bob = await hall.table_of("ann", "bob")
    await ann.ask("open", game="toy", seats=3)
    eve = await hall.player("eve")
    await bob.ask("open", game="toy", seats=2)
    await eve.ask("join", table="t3")
    await bob.ask("start", table="t3")
    hall.lobby.tables.close_table(hall.lobby.tables["t3"], "somebody")
    await hall.player("zoe")


async def test_a_hint_costs_work_only_where_there_is_one(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    await three_tables(hall)
    hints = {who: hint(hall, *who) for who in (("ann", "t1"), ("ann", "t2"), ("zoe", "t1"), ("", "t1"), ("ann", ""))}
    assert hints.pop(("ann", "t1")) == ("first would do this", [HINT_WORK])
    assert all(told == ("", []) for told in hints.values()), hints
    monkeypatch.setattr(hall.lobby, "house", FirstHouse())
    assert hint(hall, "ann", "t1") == ("", []), "nobody is there to ask"
    monkeypatch.setattr(hall.lobby, "house", Silent("slow"))
    assert hint(hall, "ann", "t1")[0] == "", "a bot that thinks for long says nothing"
    monkeypatch.setattr(hall.lobby, "house", Silent("slow", answers=True))
    assert hint(hall, "ann", "t1")[0] == "", "nor does one that cannot say any more"


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
