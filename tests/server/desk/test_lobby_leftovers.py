"""Tables that their players have left cost nobody else anything: counted in calls of functions, not in time."""

import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import FrameType

import pytest
import trio
import trio.testing

import server
from server.config import Config
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer

HERE, THERE = "192.0.2.1", "192.0.2.2"
SERVER = str(Path(server.__file__).parent)
FEW, MANY = 6, 120  # tables that are left behind
TOLERANCE = 1.05  # a set of a hundred tables may ask once or twice whether two are the same


@pytest.fixture
def config() -> Config:
    return Config(port=0, requests_a_second=1e6, requests_at_once=10**6)


async def leave_tables(hall: Hall, count: int, name: str) -> None:
    """Tables of many names at one address, a third of them open, running and over each; all names are gone."""
    for number in range(0, count, 3):
        peer = await hall.player(f"{name}{number}", HERE)
        for state in ("open", "playing", "over"):
            table = (await peer.ask("open", game="toy", seats=2))["info"]["table"]
            if state != "open":
                await peer.ask("add", table=table, bot="first")
                await peer.ask("start", table=table)
            if state == "over":
                await peer.ask("close", table=table)
        await peer.cut()
    await trio.sleep(0.1)


async def calls(work: Callable[[], Awaitable[object]]) -> int:
    """How many functions of the server are called until it has done that."""
    called = 0

    def count(frame: FrameType, event: str, _what: object) -> None:
        nonlocal called
        called += event == "call" and frame.f_code.co_filename.startswith(SERVER)

    sys.setprofile(count)
    try:
        await work()
    finally:
        sys.setprofile(None)
    return called


async def open_and_leave(hall: Hall, peer: Peer) -> None:
    table = (await peer.ask("open", game="toy", seats=2))["info"]["table"]
    assert (await peer.ask("leave", table=table))["type"] == "left"


async def come_and_go(hall: Hall, _peer: Peer) -> None:
    peer = await hall.player(f"guest{next(hall.lobby.session_numbers)}", THERE)
    await peer.ask("watch", table="t2")
    await peer.cut()
    await trio.testing.wait_all_tasks_blocked()


@pytest.mark.parametrize("work", [open_and_leave, come_and_go])
async def test_tables_that_were_left_make_a_request_of_others_no_dearer(
    hall: Hall, work: Callable[[Hall, Peer], Awaitable[None]]
) -> None:
    peer = await hall.player("ann", THERE)
    counted = []
    for count, name in ((FEW, "few"), (MANY, "many")):
        await leave_tables(hall, count, name)
        await work(hall, peer)  # once a second all tables are looked through for those to be forgotten
        counted.append(await calls(lambda: work(hall, peer)))
    assert len(hall.lobby.tables) >= FEW + MANY
    few, many = counted
    assert few > 20
    assert many <= TOLERANCE * few


async def test_who_is_here_is_told_page_by_page_whatever_many_names_have_left(hall: Hall) -> None:
    peer = await hall.player("ann", THERE)
    counted = []
    for count, name in ((FEW * 60, "left"), (MANY * 3, "more")):
        await leave_tables(hall, count, name)
        counted.append(await calls(lambda: peer.ask("who")))
    few, many = counted
    assert many <= 1.5 * few, "a page of a hundred names is made, however many there are"
