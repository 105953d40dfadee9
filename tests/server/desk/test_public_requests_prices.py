"""What one answer holds, when it is given, and what it costs who asked: a table of requests each."""

from __future__ import annotations

from typing import Any, cast

import pytest
import trio
import trio.testing

from server.cups.standings_worker import LOOK_SECONDS, StandingsWorker
from server.desk import lobby_requests, match_requests
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.peer import Message
from tests.helpers.restarts import running
from tests.tournaments.cups_played import settings
from tournaments.cup import Cup
from tournaments.schedule import Pairing
from tournaments.standings import CountedMatch

SLOW = 0.2  # seconds that a commit takes


@pytest.mark.parametrize(
    ("kind", "rows", "place", "size"),
    [
        ("log", "messages", match_requests, "STORY_MESSAGES"),
        ("replay", "lines", match_requests, "REPLAY_LINES"),
        ("who", "players", lobby_requests, "ROWS"),
        ("tables", "tables", lobby_requests, "ROWS"),
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
        await hall.lobby.journal.wait_until_written()
        disk.delay = SLOW
        await ann.send({"id": 99, **change})
        await trio.testing.wait_all_tasks_blocked()
        before = trio.current_time()
        assert (await eve.ask(**question))["type"] != "error"
        assert trio.current_time() - before == pytest.approx(SLOW, abs=0.01)


class Tasks:
    """A nursery in which nothing is done."""

    def __init__(self) -> None:
        self.begun = 0

    def start_soon(self, *_what: object) -> None:
        self.begun += 1


def test_however_often_standings_are_asked_for_they_are_worked_out_once() -> None:
    cup, tasks = Cup(settings()), Tasks()
    tally = StandingsWorker(cast(trio.Nursery, tasks), trio.Lock())
    assert list(tally.update_rows(cup)) == []
    cup.results[1] = CountedMatch(Pairing(1, 1, (0, 1, 2)), "t1", ())
    for _ in range(2):
        steps = tally.update_rows(cup)
        assert [next(steps), next(steps)] == [LOOK_SECONDS] * 2
    assert tasks.begun == 1
