"""Connections cut anywhere, and players who come back: E01-E03, E07 of the abuse list."""

import json
from collections.abc import Callable
from typing import Any

import pytest
import trio
import trio.testing

from games.registry import all_games
from matches.seats import LEAST_ABSENCE
from tests.helpers.chance import known_secrets
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer
from tests.helpers.toy import ToyState

FAR = 10**9


class Seat:
    """A client that plays a legal action at `pick` eighths of the list, and comes back wherever its connection is cut.

    `cut_in` says after how many received bytes, `cut_out` after how many sent bytes the connection is lost, once.
    """

    def __init__(self, hall: Hall, name: str, *, cut_in: int = FAR, cut_out: int = FAR, pick: int = 0) -> None:
        self._hall, self.name, self._pick = hall, name, pick
        self._cut_in, self._cut_out = cut_in, cut_out
        self._peer: Peer
        self.received = self.sent = 0
        self.told: list[dict[str, Any]] = []  # of the match, in order
        self.answers: list[dict[str, Any]] = []
        self.cuts = 0
        self.boundaries: list[int] = []  # bytes received at the end of each message
        self._id = 0
        self._pending: dict[str, Any] | None = None
        self._buffer = b""
        self.table = ""

    async def arrive(self) -> Peer:
        """Says hello; what is asked before the match goes through the peer itself."""
        self._peer = await self._hall.player(self.name, session="s")
        return self._peer

    def begin(self) -> None:
        """From here on bytes are counted."""
        self._id = self._peer.last_id
        self._buffer, self._peer.buffer = self._peer.buffer[: self._cut_in], b""
        self.received = len(self._buffer)
        for message in self._peer.told:
            self._take(message)

    async def play(self, ready: Callable[["Seat"], bool]) -> None:
        """Until the match is over; acts on a turn when `ready`."""
        while not (self.told and self.told[-1]["type"] == "over"):
            if self._wants_to_act() and ready(self):
                await self._act()
            while b"\n" not in self._buffer:
                if self.received == self._cut_in:
                    await self._lose()
                    continue
                with trio.fail_after(10_000):
                    data = await self._peer.stream.receive_some(65_536)
                assert data, "the server closed the connection"
                data = data[: self._cut_in - self.received]
                self.received += len(data)
                self._buffer += data
            line, _, self._buffer = self._buffer.partition(b"\n")
            self.boundaries.append(self.received - len(self._buffer))
            self._take(json.loads(line))

    def _take(self, message: dict[str, Any]) -> None:
        if "re" in message:
            self.answers.append(message)
            if self._pending and message["re"] == self._pending["id"]:
                self._pending = None
        elif "n" in message:
            self.told.append(message)

    def turns(self) -> list[dict[str, Any]]:
        return [message for message in self.told if message["type"] == "turn"]

    def chosen_by(self, seat: int) -> int:
        return sum(message.get("event") == {"what": "chose", "seat": seat} for message in self.told)

    def _wants_to_act(self) -> bool:
        done = sum(answer["type"] == "accepted" for answer in self.answers)
        return self._pending is None and len(self.turns()) > done

    async def _act(self) -> None:
        turn = self.turns()[-1]
        self._id += 1
        self._pending = {
            "type": "act",
            "id": self._id,
            "table": turn["table"],
            "turn": turn["turn"],
            "action": turn["legal"][len(turn["legal"]) * self._pick // 8],
        }
        await self._send()

    async def _send(self) -> None:
        data = json.dumps(self._pending).encode() + b"\n"
        part = data[: self._cut_out - self.sent]
        self.sent += len(part)
        await self._peer.stream.send_all(part)
        if self.sent == self._cut_out:
            await trio.testing.wait_all_tasks_blocked()
            await self._lose()

    async def _lose(self) -> None:
        """The connection is gone: comes back, asks for what was missed, and repeats what was not answered."""
        self._cut_in = self._cut_out = FAR
        self.cuts += 1
        self._buffer = b""
        token = self._peer.token
        await self._peer.cut()
        self._peer = await self._hall.again(self.name, token, session="s", id=self._id + 1)
        after = self.told[-1]["n"] if self.told else 0
        self._peer.last_id = self._id + 1
        resumed = await self._peer.ask("resume", table=self.table, after=after)
        assert resumed["type"] == "resumed"
        assert resumed["n"] >= after
        self._buffer, self._peer.buffer = self._peer.buffer, b""
        self._id += 2
        if self._pending is not None:
            await self._send()


def story(told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What was told, without presence, which cuts do change, and without what names the table or counts."""
    kept = [message for message in told if message["type"] != "presence"]
    return [{key: value for key, value in message.items() if key not in ("n", "table")} for message in kept]


async def played(hall: Hall, number: int, rounds: int, **cuts: int) -> Seat:
    """Seat 1 of a match in which seat 2 always chooses second, played to its end."""
    ann, bob = Seat(hall, f"ann{number}x", **cuts), Seat(hall, f"bob{number}x")
    first, second = await ann.arrive(), await bob.arrive()
    opened = await first.ask("open", game="toy", seats=2, options={"rounds": rounds})
    ann.table = bob.table = opened["info"]["table"]
    await second.ask("join", table=ann.table)
    await first.ask("start", table=ann.table)
    ann.begin()
    bob.begin()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ann.play, lambda seat: True)
        nursery.start_soon(bob.play, lambda seat: seat.chosen_by(1) == len(seat.turns()))
    assert [message["n"] for message in ann.told] == list(range(1, len(ann.told) + 1))
    assert [message["n"] for message in bob.told] == list(range(1, len(bob.told) + 1))
    for seat in (ann, bob):
        assert [answer["type"] for answer in seat.answers if answer["re"] > 9] in ([], ["accepted"])
        await seat._peer.cut()
    assert [(entry.seat, entry.why) for entry in hall.done(ann.table)] == [(1, ""), (2, "")] * rounds
    hall.lobby.tables.remove(ann.table)
    return ann


@pytest.fixture(autouse=True)
def same_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    known_secrets(monkeypatch, 1)


async def test_e01_a_match_cut_at_every_message_boundary_is_told_as_one_that_was_not(hall: Hall) -> None:
    whole = await played(hall, 1000, 3)
    expected = json.dumps(story(whole.told)).replace("1000x", "")
    assert len(whole.boundaries) >= 16
    for number, bytes_read in enumerate(whole.boundaries[:-1], 1):
        cut = await played(hall, 1000 + number, 3, cut_in=bytes_read)
        told = json.dumps(story(cut.told)).replace(f"{1000 + number}x", "")
        assert cut.cuts == 1
        assert told == expected


async def against_the_house(hall: Hall, game: str, number: int, **cuts: int) -> Seat:
    """Seat 1 of a match in which the house plays the others."""
    ann = Seat(hall, f"ann{number}x", pick=5, **cuts)
    peer = await ann.arrive()
    opened = await peer.ask("open", game=game)
    ann.table = opened["info"]["table"]
    for _ in opened["info"]["seats"][1:]:
        await peer.ask("add", table=ann.table, bot="first")
    await peer.ask("start", table=ann.table)
    ann.begin()
    await ann.play(lambda seat: True)
    assert [message["n"] for message in ann.told] == list(range(1, len(ann.told) + 1))
    await ann._peer.cut()
    hall.lobby.tables.remove(ann.table)
    return ann


async def compare_cuts(hall: Hall, game: str, every: int) -> int:
    """Cuts after every so many messages, four times at least; returns how many cuts that were."""
    hall.lobby.games = {game: all_games()[game]}
    whole = await against_the_house(hall, game, 1000)
    expected = json.dumps(story(whole.told)).replace("1000x", "")
    cuts = 0
    every = min(every, len(whole.boundaries) // 4)
    for number, bytes_read in enumerate(whole.boundaries[:-1:every], 1001):
        cut = await against_the_house(hall, game, number, cut_in=bytes_read)
        assert cut.cuts == 1
        assert json.dumps(story(cut.told)).replace(f"{number}x", "") == expected
        cuts += 1
    return cuts


@pytest.mark.parametrize("game", sorted(all_games()))
async def test_e01_a_real_match_that_is_cut_is_told_as_one_that_was_not(hall: Hall, game: str) -> None:
    assert await compare_cuts(hall, game, 10 if game == "ikasamage" else 70) > 2


@pytest.mark.soak
@pytest.mark.parametrize("game", sorted(all_games()))
async def test_e01_a_real_match_cut_at_every_message_boundary_is_told_as_one_that_was_not(
    hall: Hall, game: str
) -> None:
    print(f"\n{game}: {await compare_cuts(hall, game, 1)} cuts, each match told as the one without")


@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.soak), 29])
async def test_e01_a_match_cut_at_every_byte_received_is_told_as_one_that_was_not(hall: Hall, every: int) -> None:
    """Or at the bytes around each message boundary, and some within each message."""
    whole = await played(hall, 1000, 1)
    expected = json.dumps(story(whole.told)).replace("1000x", "")
    around = {boundary + by for boundary in whole.boundaries for by in (-1, 0, 1)}
    for number in sorted({*range(1, whole.received, every), *around} & {*range(1, whole.received)}):
        cut = await played(hall, 1000 + number, 1, cut_in=number)
        assert cut.cuts == 1
        assert json.dumps(story(cut.told)).replace(f"{1000 + number}x", "") == expected


@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.soak), 3])
async def test_e01_a_match_cut_at_every_byte_sent_is_told_as_one_that_was_not(hall: Hall, every: int) -> None:
    """Or at every third, the first and the last byte, which is the end of the line."""
    whole = await played(hall, 1000, 1)
    expected = json.dumps(story(whole.told)).replace("1000x", "")
    assert whole.sent > 60
    for number in sorted({*range(1, whole.sent + 1, every), whole.sent}):
        cut = await played(hall, 1000 + number, 1, cut_out=number)
        assert cut.cuts == 1
        assert json.dumps(story(cut.told)).replace(f"{1000 + number}x", "") == expected


async def test_e02_an_act_cut_from_its_answer_and_repeated_has_one_effect_and_the_same_answer(hall: Hall) -> None:
    ann = await hall.player("ann", session="one")
    bob = await hall.player("bob")
    await ann.ask("open", game="toy", seats=2)
    await bob.ask("join", table="t1")
    await ann.ask("start", table="t1")
    turn = await ann.next("turn")
    act = {"type": "act", "id": 40, "table": "t1", "turn": 1, "action": turn["legal"][0]}
    await ann.send(act)
    await ann.cut()
    back = await hall.again("ann", ann.token, session="one")
    await back.send(act)
    answer = await back.message()
    assert answer == {"type": "accepted", "re": 40, "table": "t1", "turn": 1}
    await back.send(act)
    assert await back.message() == answer
    assert sum(message.get("event", {}).get("what") == "chose" for message in await bob.heard()) == 1
    assert len(hall.done()) == 1
    await back.send({**act, "action": turn["legal"][1]})
    assert (await back.message())["code"] == "id_reused"


async def test_a_question_repeated_under_its_id_is_answered_anew_and_its_answer_is_not_kept(hall: Hall) -> None:
    ann = await hall.player("ann")
    assert "tables" in await ann.ask("tables", id=40)
    assert (await ann.ask("rules", id=41, game="toy"))["type"] == "page"
    await ann.ask("open", id=42, game="toy")
    assert [info["table"] for info in (await ann.ask("tables", id=40))["tables"]] == ["t1"]
    assert (await ann.ask("open", id=42, game="toy"))["info"]["table"] == "t1"
    assert (await ann.ask("who", id=41))["code"] == "id_reused"
    player = hall.lobby.people.find_player("ann")
    assert player is not None
    kept = [type(answer).__name__ for _request, answer in player._answers.values() if answer is not None]
    assert kept == ["Welcome", "TableReply"]


async def test_e02_ids_of_another_session_mean_nothing(hall: Hall) -> None:
    ann = await hall.player("ann", session="one")
    assert (await ann.ask("ping", id=40))["type"] == "pong"
    for session in ("two", ""):
        back = await hall.again("ann", ann.token, session=session)
        assert (await back.ask("who", id=40))["type"] == "players"


async def test_e02_a_resume_whose_story_was_cut_can_be_asked_again_under_its_id(hall: Hall) -> None:
    ann = await hall.player("ann", session="one")
    await ann.ask("open", game="toy", seats=2)
    await ann.ask("add", table="t1", bot="first")
    await ann.ask("start", table="t1")
    await ann.cut()
    back = await hall.again("ann", ann.token, session="one")
    first = await back.ask("resume", id=60, table="t1", after=0)
    await back.cut()
    again = await hall.again("ann", ann.token, session="one")
    second = await again.ask("resume", id=60, table="t1", after=0)
    told = await again.heard()
    assert [message["n"] for message in told[: second["n"]]] == list(range(1, second["n"] + 1))
    assert second["n"] >= first["n"]
    turn = next(message for message in told if message["type"] == "turn")
    assert (await again.ask("act", id=70, table="t1", turn=1, action=turn["legal"][0]))["type"] == "accepted"
    assert (await again.next("turn"))["turn"] == 2


async def test_e02_watch_and_follow_repeated_on_a_new_connection_hold_there(hall: Hall) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    await ann.ask("cup_open", cup="friday", game="toy")
    eve = await hall.player("eve", session="one")
    await eve.ask("watch", id=60, table="t1")
    await eve.ask("follow", id=61, cup="friday")
    await eve.cut()
    back = await hall.again("eve", eve.token, session="one")
    assert (await back.ask("watch", id=60, table="t1"))["type"] == "watching"
    assert (await back.ask("follow", id=61, cup="friday"))["type"] == "cup_info"
    await ann.ask("say", table="t1", text="hello")
    await ann.ask("cup_stop", cup="friday")
    assert [message["type"] for message in await back.heard()] == ["chat", "cup_changed"]


async def test_e03_who_comes_back_after_the_grace_time_gets_the_result(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob", clock={"main": 3_600, "increment": 60})
    turn = await bob.next("turn")
    await bob.ask("act", table="t1", turn=1, action=turn["legal"][0])
    begun = trio.current_time()
    await ann.cut()
    assert (await bob.next("presence"))["how"] == "away"
    lost = await bob.next("presence")
    assert (lost["how"], lost["by"], trio.current_time() - begun) == ("left", "first", 120)
    for _ in range(2):
        turn = await bob.next("turn")
        await bob.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0])
    over = await bob.next("over")
    assert [result["how"] for result in over["results"]] == ["left", "played"]
    back = await hall.again("ann", ann.token)
    await back.ask("resume", table="t1", after=0)
    told = await back.heard()
    assert {**told[-1], "n": 0} == {**over, "n": 0}
    assert (await back.ask("look", table="t1"))["view"]["seat"] == 1


async def test_who_is_out_by_the_rules_may_leave_and_keeps_the_place(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ToyState, "eliminated_seats", lambda state: frozenset({1}))
    ann, bob = await hall.table_of("ann", "bob", clock={"main": 3_600, "increment": 60})
    await ann.cut()
    for _ in range(3):
        turn = await bob.next("turn")
        await bob.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0])
    told = await bob.until(lambda message: message["type"] == "over")
    results = told["results"]
    assert [result["how"] for result in results] == ["played", "played"]
    better = [1 + (other["score"] > mine["score"]) for mine, other in zip(results, results[::-1], strict=True)]
    assert [result["place"] for result in results] == better


async def test_e05_all_absences_of_a_match_share_one_grace_time(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob", clock={"main": 3_600, "increment": 60})
    for _ in range(3):
        await ann.cut()
        await trio.sleep(30)
        ann = await hall.again("ann", ann.token)
        assert (await ann.ask("resume", table="t1"))["type"] == "resumed"
    await ann.cut()
    begun = trio.current_time()
    told = await bob.until(lambda message: message.get("how") == "left")
    assert told["seat"] == 1
    assert trio.current_time() - begun == pytest.approx(30)


async def test_e05_who_goes_and_comes_without_end_uses_the_grace_time_up(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob", clock={"main": 3_600, "increment": 60})
    hall.lobby.tables["t1"].seating.seat_states[0].grace = 3 * LEAST_ABSENCE
    for _ in range(3):
        await ann.cut()
        ann = await hall.again("ann", ann.token)
        assert (await ann.ask("resume", table="t1"))["type"] == "resumed"
    begun = trio.current_time()
    await ann.cut()
    await bob.until(lambda message: message.get("how") == "left")
    assert trio.current_time() - begun < LEAST_ABSENCE


async def test_e07_a_wall_clock_that_jumps_changes_nothing(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: 0.0)
    ann, _bob = await hall.table_of("ann", "bob", clock={"main": 0, "increment": 5})
    begun = trio.current_time()
    monkeypatch.setattr("time.time", lambda: 1e12)
    assert (await ann.next("late"))["count"] == 1
    assert trio.current_time() - begun == 5
