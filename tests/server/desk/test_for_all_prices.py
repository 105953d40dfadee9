"""What one answer holds, when it is given, and what it costs who asked: a table of requests each."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
import trio.testing

from protocol import limits
from server.desk import at_lobby, at_match
from server.desk.context import Context
from server.desk.tally import LOOK_SECONDS, Tally
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.peer import Message, Peer
from tests.helpers.restarts import running
from tests.tournaments.cups_played import settings
from tournaments.cup import Cup
from tournaments.schedule import Pairing
from tournaments.standings import Played

SLOW = 0.2  # seconds that a commit takes


@pytest.mark.parametrize(
    ("kind", "rows", "place", "size"),
    [
        ("log", "messages", at_match, "STORY_MESSAGES"),
        ("replay", "lines", at_match, "REPLAY_LINES"),
        ("who", "players", at_lobby, "ROWS"),
        ("tables", "tables", at_lobby, "ROWS"),
    ],
)
async def test_an_answer_holds_so_many_rows_and_says_whether_there_are_more(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, kind: str, rows: str, place: Any, size: str
) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    for peer in (ann, bob):
        await peer.ask("open", game="toy")
    await bob.ask("resign", table="t1")
    await ann.play_on()
    about = {"table": "t1"} if kind in ("log", "replay") else {}

    async def asked(**after: Any) -> Message:
        return await ann.ask(kind, **about, **after)

    whole = (await asked())[rows]
    assert len(whole) > 1
    for most, more in ((len(whole), False), (len(whole) - 1, True), (1, True)):
        monkeypatch.setattr(place, size, most)
        answer = await asked()
        assert (answer[rows], answer.get("more", False)) == (whole[:most], more)
    last = whole[0].get("name") or whole[0].get("table") if kind in ("who", "tables") else 1
    assert (await asked(after=last))[rows] == whole[1:2]


OPENS = {"type": "open", "game": "toy"}
ENTERS = {"type": "cup_enter", "cup": "friday"}


@pytest.mark.parametrize(
    ("change", "question"),
    [
        (OPENS, {"kind": "who"}),
        (OPENS, {"kind": "stats"}),
        (OPENS, {"kind": "tables"}),
        (OPENS, {"kind": "watch", "table": "t1"}),
        ({"type": "cup_open", "cup": "monday", "game": "toy"}, {"kind": "cups"}),
        (ENTERS, {"kind": "cups"}),
        (ENTERS, {"kind": "cup", "cup": "friday"}),
        (ENTERS, {"kind": "follow", "cup": "friday"}),
        (ENTERS, {"kind": "standings", "cup": "friday"}),
    ],
)
async def test_no_answer_tells_of_what_is_not_on_disk_yet(change: Message, question: Message) -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann, eve = await hall.player("ann"), await hall.player("eve")
        await ann.ask("open", game="toy")
        await ann.ask("cup_open", cup="friday", game="toy")
        await hall.lobby.journal.settle()
        disk.delay = SLOW
        await ann.send({"id": 99, **change})
        await trio.testing.wait_all_tasks_blocked()
        before = trio.current_time()
        assert (await eve.ask(**question))["type"] != "error"
        assert trio.current_time() - before == pytest.approx(SLOW, abs=0.01)


async def test_what_all_who_watch_hear_is_charged_to_who_caused_it(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    people = {name: await hall.player(name) for name in ("ann", "bob", "eve", "fay")}
    await people["ann"].ask("open", game="toy", seats=3)
    for name in ("eve", "fay"):
        await people[name].ask("watch", table="t1")
    charged: list[float] = []
    monkeypatch.setattr(Context, "charge_for_hearers", lambda _here, count: charged.append(count))

    async def costs(peer: Peer, kind: str, **fields: Any) -> list[float]:
        charged.clear()
        answer = await peer.ask(kind, table="t1", **fields)
        assert answer["type"] != "error", answer
        return [*charged]

    ann, bob = people["ann"], people["bob"]
    assert await costs(bob, "join") == [2]
    assert await costs(ann, "add", bot="first") == [2]
    assert await costs(ann, "kick", player="first") == [2]
    assert await costs(bob, "leave") == [2]
    assert await costs(people["fay"], "leave") == []
    assert await costs(ann, "say", text="hello") == [1]
    charged.clear()
    await hall.again("ann", ann.token)
    assert charged == [2], "that the connection went, and that it came"


async def test_what_many_hear_costs_a_request_for_so_many_of_them(hall: Hall) -> None:
    charged: list[float] = []
    here = Context(hall.lobby, cast(Any, SimpleNamespace(charge=charged.append)), "")
    here.charge_for_hearers(3 * limits.HEARERS_A_REQUEST)
    assert charged == [3]


class Tasks:
    """A nursery in which nothing is done."""

    def __init__(self) -> None:
        self.begun = 0

    def start_soon(self, *_what: object) -> None:
        self.begun += 1


def test_however_often_standings_are_asked_for_they_are_worked_out_once() -> None:
    cup, tasks = Cup(settings()), Tasks()
    tally = Tally(cast(trio.Nursery, tasks), trio.Lock())
    assert list(tally.work(cup)) == []
    cup.results[1] = Played(Pairing(1, 1, (0, 1, 2)), "t1", ())
    for _ in range(2):
        steps = tally.work(cup)
        assert [next(steps), next(steps)] == [LOOK_SECONDS] * 2
    assert tasks.begun == 1


async def test_who_is_sent_away_or_silenced_has_to_be_known(hall: Hall) -> None:
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=3)
    for kind in ("kick", "mute"):
        assert (await ann.ask(kind, table="t1", player="zoe"))["code"] == "no_such_player"
    bob, _carl = await hall.player("bob"), await hall.player("carl")
    assert (await ann.ask("mute", player="bob"))["code"] == "not_operator"
    assert (await ann.ask("kick", table="t1", player="carl"))["text"] == "Nobody of that name is at the table."
    for off, said in (
        (False, "bob is muted at t1, and may still talk elsewhere."),
        (True, "bob may talk at t1 again."),
    ):
        assert (await ann.ask("mute", table="t1", player="bob", off=off))["text"] == said
        await bob.ask("join", table="t1")
        assert (await bob.ask("say", table="t1", text="hello")).get("code") == (None if off else "muted")
