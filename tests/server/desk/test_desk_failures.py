"""Our own faults: a game, a table, a session or a house bot that fails takes nothing else with it."""

import logging
import re
from typing import ClassVar

import pytest
import trio

from games.api import Action, AddressedEvent, Options, Seat, State
from games.chance import Chance
from matches.house import ImmediateHouseBot
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer
from tests.helpers.told import told_again
from tests.helpers.toy import ToyGame, ToyState
from tests.helpers.wire import CLOSED


class Fault(Exception):
    pass


class LateFault(ToyState):
    """Fails after an action was done, when asked who moves after the second choice."""

    def to_move(self) -> frozenset[Seat]:
        if self.points != [0] * self.seats or self.rounds < 3:
            raise Fault("planted")
        return super().to_move()


class Broken(ToyGame):
    """Fails where `where` says."""

    id = "broken"
    where: ClassVar[str] = ""

    def start(self, seats: int, options: Options, chance: Chance) -> tuple[State, list[AddressedEvent]]:
        if self.where == "start":
            raise Fault("planted")
        state, told = super().start(seats, options, chance)
        if self.where == "to_move":
            state.__class__ = LateFault
        return state, told


async def broken_table(hall: Hall, where: str) -> tuple[Peer, Peer]:
    Broken.where = where
    hall.lobby.games = {"broken": Broken()}
    ann, bob = await hall.player("ann"), await hall.player("bob")
    await ann.ask("open", game="broken", seats=2)
    await bob.ask("join", table="t1")
    return ann, bob


async def test_g20_a_table_that_fails_aborts_its_match_and_tells_everybody_no_more_than_an_incident(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    eve = await hall.player("eve")
    await eve.ask("watch", table="t1")
    await eve.ask("open", game="toy", seats=2)
    await eve.ask("add", table="t2", bot="first")
    await eve.ask("start", table="t2")
    hall.toy().hands[0][0] = 13
    answer = await ann.ask("act", table="t1", turn=1, action={"do": "play", "card": 13})
    assert answer["code"] == "internal"
    overs = [await peer.next("over") for peer in (ann, bob, eve)]
    for over in overs:
        assert (over["aborted"], over["reason"], over["results"]) == (True, "aborted", [])
        assert over["text"].startswith("The server erred (incident ")
        assert "planted" not in over["text"]
    incident = overs[0]["text"].partition("incident ")[2].partition(")")[0]
    records = [record for record in caplog.records if incident in record.getMessage()]
    assert [record.levelno for record in records] == [logging.ERROR]
    assert records[0].exc_info is not None
    turn = await eve.next("turn")
    assert (await eve.ask("act", table="t2", turn=1, action=turn["legal"][0]))["type"] == "accepted"
    assert (await ann.ask("tables"))["tables"][0]["state"] == "over"
    assert (await ann.ask("act", table="t1", turn=1, action={"do": "play", "card": 1}))["code"] == "game_over"


async def test_one_fault_is_one_incident(hall: Hall, caplog: pytest.LogCaptureFixture) -> None:
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=2)
    await ann.ask("add", table="t1", bot="first")
    await ann.ask("start", table="t1")
    hall.toy().hands[1][0] = 13
    assert (await ann.next("over"))["aborted"]
    await trio.sleep(1)
    assert len([record for record in caplog.records if "incident" in record.getMessage()]) == 1


async def test_after_a_fault_in_the_middle_of_an_action_nothing_of_it_was_told_and_no_number_is_missing(
    hall: Hall,
) -> None:
    ann, bob = await broken_table(hall, "to_move")
    await ann.ask("start", table="t1")
    await ann.ask("act", table="t1", turn=1, action=(await ann.next("turn"))["legal"][0])
    answer = await bob.ask("act", table="t1", turn=1, action=(await bob.next("turn"))["legal"][0])
    assert answer["code"] == "internal"
    for seat, peer in ((1, ann), (2, bob)):
        told = [message for message in await peer.heard() if "n" in message]
        assert told[-1]["type"] == "over"
        table = hall.lobby.tables["t1"]
        assert told[-1]["n"] == len(told_again(table.game, table.require_match().header, table.entries, seat))
        assert (await peer.ask("resume", table="t1"))["n"] == told[-1]["n"]


async def test_a_game_that_fails_at_the_deal_leaves_an_open_table_and_an_answer(hall: Hall) -> None:
    ann, bob = await broken_table(hall, "start")
    assert (await ann.ask("start", table="t1"))["code"] == "internal"
    assert (await ann.ask("tables"))["tables"][0]["state"] == "open"
    assert (await bob.ask("look", table="t1"))["code"] == "not_started"
    Broken.where = ""
    assert (await ann.ask("start", table="t1"))["type"] == "table"
    assert (await bob.next("started"))["you"] == 2


async def test_a_started_table_is_answered_as_playing_before_anything_that_follows(hall: Hall) -> None:
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=2)
    await ann.ask("add", table="t1", bot="first")
    await ann.heard()
    answer = await ann.ask("start", table="t1")
    assert (answer["type"], answer["info"]["state"]) == ("table", "playing")
    assert ann.told == []
    assert [message["type"] for message in await ann.heard()][:3] == ["started", "event", "turn"]


async def test_a_session_that_fails_ends_alone_with_an_incident_in_the_log(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    monkeypatch.setattr("server.desk.public_requests.help_page", None)
    assert (await ann.ask("help"))["reason"] == "internal"
    assert await ann.line() == CLOSED
    assert (await bob.next("presence"))["how"] == "away"
    assert (await bob.ask("ping"))["type"] == "pong"
    (incident,) = [record.getMessage() for record in caplog.records if "incident" in record.getMessage()]
    assert re.match("incident [0-9a-f]{8}: session ended", incident)
    monkeypatch.undo()
    back = await hall.again("ann", ann.token)
    assert (await back.ask("resume", table="t1"))["n"] == 4


async def test_a_house_bot_that_fails_or_cheats_does_the_default(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: object) -> Action:
        raise Fault("planted")

    monkeypatch.setattr(hall.lobby.house, "make", lambda *_: ImmediateHouseBot(fail))
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=2)
    await ann.ask("add", table="t1", bot="first")
    await ann.ask("start", table="t1")
    turn = await ann.next("turn")
    await ann.ask("act", table="t1", turn=1, action=turn["legal"][0])
    assert (await ann.next("turn"))["turn"] == 2
    assert "house bot first failed" in caplog.text


async def test_a_bot_of_the_house_that_cannot_be_made_is_an_error_of_ours(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> object:
        raise Fault("planted")

    ann, bob = await hall.table_of("ann", "bob", clock={"main": 0, "increment": 1}, options={"rounds": 3})
    monkeypatch.setattr(hall.lobby.house, "make", fail)
    assert (await ann.ask("resign", table="t1"))["type"] in ("resigned", "error", "bye")
    assert (await bob.next("over"))["type"] == "over"
    assert (await bob.ask("ping"))["type"] == "pong"


async def test_a_fault_in_telling_one_peer_ends_that_peer_alone(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    eve, cid = await hall.typist(), await hall.player("cid")
    await eve.types("hello eve", "watch t1")
    await cid.ask("watch", table="t1")

    def fail(*_: object) -> str:
        raise Fault("planted")

    monkeypatch.setattr(type(hall.lobby.games["toy"].words), "event_sentence", fail)
    turn = await ann.next("turn")
    assert (await ann.ask("act", table="t1", turn=1, action=turn["legal"][0]))["type"] == "accepted"
    for peer in (ann, bob, cid):
        assert [told["event"]["what"] for told in await peer.heard() if told["type"] == "event"][-1] == "chose"
    assert await eve.heard() == "Goodbye. The server made an error; it is logged.\n"
    assert hall.lobby.tables["t1"].state == "playing"
    assert len([record for record in caplog.records if "incident" in record.getMessage()]) == 1
