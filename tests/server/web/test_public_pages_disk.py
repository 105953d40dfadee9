"""Pages that are asked for while what they would show is on its way to the disk."""

from __future__ import annotations

import pytest
import trio

from tests.helpers.asgi import WebClient
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer


@pytest.fixture
def disk() -> Disk:
    return Disk()


@pytest.fixture
def browser(hall: Hall) -> WebClient:
    return WebClient(hall.app)


async def open_without_waiting(peer: Peer) -> None:
    """Opens a cup; nobody waits until it is on the disk."""
    peer.last_id += 1
    await peer.send({"type": "cup_open", "id": peer.last_id, "cup": "friday", "game": "toy", "seats": 2})


async def test_f14_a_page_shows_nothing_that_is_not_on_disk(hall: Hall, disk: Disk, browser: WebClient) -> None:
    ann = await hall.player("ann")
    disk.delay = 5.0
    await open_without_waiting(ann)
    await trio.sleep(1)
    began = trio.current_time()
    page = await browser.get("/cups/friday")
    assert page.status == 200
    assert trio.current_time() - began > 3


async def test_f14_a_page_whose_facts_are_lost_is_refused(hall: Hall, disk: Disk, browser: WebClient) -> None:
    ann = await hall.player("ann")
    disk.delay, disk.full = 5.0, True
    await open_without_waiting(ann)
    await trio.sleep(1)
    assert (await browser.get("/cups/friday")).status == 503
    disk.delay, disk.full = 0.0, False
    await trio.sleep(5)
    assert (await browser.get("/cups/friday")).status == 404
