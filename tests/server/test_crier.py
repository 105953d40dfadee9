"""What is cried is heard by all, in order, and by a few at a time where there is somebody to go on."""

from __future__ import annotations

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from server.crier import AT_ONCE, Crier, each
from server.slices import Slice


def test_without_a_nursery_all_hear_at_once_and_what_is_cried_meanwhile_afterwards() -> None:
    crier, heard = Crier(), list[str]()

    def tell(name: str) -> None:
        heard.append(name)
        if name == "first":
            crier.cry(each(heard.append, ["meanwhile"]))

    crier.cry(each(tell, ["first", *map(str, range(3 * AT_ONCE))]))
    assert heard == ["first", *map(str, range(3 * AT_ONCE)), "meanwhile"]
    crier.cry(each(heard.append, ["later"]))
    assert heard[-1] == "later"


async def test_a_turn_has_room_for_so_many_however_many_cries_there_are(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.slices.perf_counter", lambda: 0.0)  # no turn is over
    crier, heard = Crier(nursery), list[int]()
    crier.cry(each(heard.append, range(AT_ONCE - 1)))
    crier.cry(each(heard.append, range(AT_ONCE - 1, AT_ONCE + 1)))
    assert heard == [*range(AT_ONCE)]
    crier.cry(each(heard.append, [AT_ONCE + 1]))
    assert heard == [*range(AT_ONCE)], "what was cried first is heard first"
    await wait_all_tasks_blocked()
    assert heard == [*range(AT_ONCE + 2)]


async def test_when_a_turn_is_over_the_next_cry_begins_another(nursery: trio.Nursery) -> None:
    crier, heard = Crier(nursery), list[int]()
    crier.cry(each(heard.append, range(AT_ONCE - 1)))
    crier._turn = Slice(-1.0)
    crier.cry(each(heard.append, range(AT_ONCE)))
    assert heard == [*range(AT_ONCE - 1), *range(AT_ONCE)]
