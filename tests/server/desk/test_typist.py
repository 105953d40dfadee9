"""What the text face knows of a person who types: where they are, what they may decide, and what is told them again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

from languages import speaking
from people.text.where import Decision
from protocol.errors import Refusal
from server.desk.context import Peer
from server.desk.typist import HINT_WORK, MISSED_LINES, SPELLING_WORK, Typist
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
    hall.lobby.close(hall.lobby.tables["t3"], "somebody")
    await hall.player("zoe")


async def test_what_a_line_means_depends_on_who_types_it_and_where(hall: Hall) -> None:
    await three_tables(hall)
    seen = {}
    for name, table in (
        ("ann", "t1"),
        ("ann", "t2"),
        ("bob", "t3"),
        ("ann", "t3"),
        ("zoe", "t1"),
        ("", "t1"),
        ("ann", ""),
    ):
        typist, _peer = typing(hall, name, table)
        where = typist.where()
        assert (where.table, where.game, where.is_stranger()) == (table, "toy" if table else "", not name)
        assert (bool(where.forms), where.may_resign) == (bool(table), True)
        seen[name, table] = where.idle(), where.left(), where.played_by(), where.decision() is not None
    assert seen == {
        ("ann", "t1"): ("", [], "", True),
        ("ann", "t2"): ("not_started", ["t1"], "", False),
        ("bob", "t3"): ("game_over", ["t1"], "", False),
        ("ann", "t3"): ("not_seated", ["t1"], "", False),
        ("zoe", "t1"): ("not_seated", [], "", False),
        ("", "t1"): ("not_seated", [], "", False),
        ("ann", ""): ("", ["t1"], "", False),
    }
    typist, _peer = typing(hall, "ann")
    assert [typist.where().tables(state) for state in ("open", "playing", "over")] == [["t2"], ["t1"], ["t3"]]


async def test_where_the_house_plays_on_the_typist_is_told_by_whom(hall: Hall) -> None:
    await three_tables(hall)
    typist, _peer = typing(hall, "bob", "t1")
    assert typist.where().played_by() == ""
    hall.lobby.tables["t1"].resign(hall.lobby.people.find("bob"))  # type: ignore[arg-type]
    assert (typist.where().played_by(), typist.decision()) == ("first", None)
    hall.lobby.close(hall.lobby.tables["t1"], "somebody")
    assert typist.where().played_by() == ""


async def test_of_open_hands_a_person_is_told_who_has_no_seat_there_yet(hall: Hall) -> None:
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", delay=90)
    await hall.player("bob")
    delays = {name: typing(hall, name)[0].where().delay("t1") for name in ("ann", "bob", "")}
    assert delays == {"ann": 0, "bob": 90, "": 90}
    assert typing(hall, "bob")[0].where().delay("t9") == 0


async def test_a_decision_is_listed_read_and_made_at_the_turn_that_is_awaited(hall: Hall) -> None:
    await three_tables(hall)
    typist, peer = typing(hall, "ann", "t1")
    decision = typist.decision()
    assert isinstance(decision, Decision)
    hand = hall.toy().hands[0]
    assert (decision.table, decision.turn, decision.choices) == ("t1", 1, len(hand))
    assert [decision.numbered(str(number))["card"] for number in range(1, 1 + len(hand))] == hand
    assert [one["card"] for one in decision.read(f"play {hand[0]}")] == [hand[0]]
    assert peer.charged == []
    with pytest.raises(Refusal):
        decision.read("paly 3")
    assert peer.charged == [SPELLING_WORK]


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


async def test_where_somebody_is_besides_and_what_they_missed(hall: Hall) -> None:
    await three_tables(hall)
    ann = typing(hall, "ann")[0]
    assert [ann.sits_at(table) for table in ("t1", "t2", "t3", "t9")] == [True, True, False, False]
    assert [typing(hall, name)[0].sits_at("t1") for name in ("bob", "zoe", "")] == [True, False, False]
    assert [ann.table(table) is not None for table in ("t1", "t9")] == [True, False]
    assert (ann.here, typing(hall, "ann", "t1")[0].here) == (None, hall.lobby.tables["t1"].in_words)
    assert [ann.missed(table) for table in ("t1", "t2", "t3", "t9")] == [0, None, None, None]
    assert [typing(hall, name)[0].missed("t1") for name in ("zoe", "")] == [None, None]
    match = hall.lobby.tables["t1"].running()
    match.counts[1] = MISSED_LINES + 5
    assert ann.missed("t1") == 5
    listening, peer = typing(hall, "ann")
    assert listening.elsewhere("") == ""
    listening._peer = hall.lobby.people.find("ann").listener  # type: ignore[assignment, union-attr]
    assert [listening.elsewhere(table) for table in ("", "t1", "t2")] == ["t1", "t2", "t1"]
    listening._peer = hall.lobby.people.find("eve").listener  # type: ignore[assignment, union-attr]
    assert listening.elsewhere("t1") == "", "what eve played is over"
    assert peer.charged == []


async def test_what_a_line_means_is_said_in_the_language_of_now(hall: Hall) -> None:
    await three_tables(hall)
    typist, _peer = typing(hall, "ann", "t1")
    english = typist.where()
    assert typist.where() is english, "made once"
    with speaking("fr"):
        french = typist.where()
        assert french is not english
        assert typist.where() is french
    typist.turn_to("t1")
    assert typist.where() is not french
    again = typist.where()
    typist.turn_to("t1")
    assert typist.where() is again
    typist.turn_to("t2")
    assert typist.where().table == "t2"


async def test_a_table_that_was_made_again_is_the_current_one(hall: Hall) -> None:
    await three_tables(hall)
    typist, _peer = typing(hall, "zoe", "t1")
    another = hall.lobby.tables["t2"]
    hall.lobby.tables["t1"] = another
    assert typist.decision() is None
    assert typist.here is another.in_words
