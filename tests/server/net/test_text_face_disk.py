"""A person at a telnet line whose decision cannot be kept is asked for it again."""

from __future__ import annotations

import pytest
import trio

from server.store.journal import AGAIN_SECONDS
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall, seated


@pytest.fixture
def disk() -> Disk:
    return Disk()


async def test_a_typed_decision_that_could_not_be_kept_is_asked_for_again(hall: Hall, disk: Disk) -> None:
    ann = await seated(hall)
    disk.delay, disk.full = 0.01, True
    await ann.send("?")
    await ann.send("1")
    await trio.sleep(1)
    shown = await ann.heard()
    assert "! " in shown
    assert "ann has chosen" not in shown
    assert shown.count("> Play a card") == 1
    assert len((await ann.types("legal")).splitlines()) == 4
    disk.full = False
    await trio.sleep(AGAIN_SECONDS + 1)
    await ann.heard()
    await ann.send("?")
    await ann.send("1")
    await trio.sleep(1)
    assert "* ann has chosen." in await ann.heard()
    assert len(hall.done(seat=1)) == 1
