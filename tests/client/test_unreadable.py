"""A server that says what is none of its game's: a person is told so in a sentence, and waits for nothing."""

from __future__ import annotations

import msgspec
import pytest
import trio

from bots.sdk.link import Identity, LinkFailed, open_link
from client.session import ClientSession
from protocol import messages as m
from tests.helpers.hall import Hall
from tests.helpers.paper import PaperScreen, new_person
from tests.helpers.scissors import dial_to


async def test_an_answer_that_cannot_be_read_ends_what_asked_for_it(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_none(*_given: object) -> None:
        raise msgspec.ValidationError("it is no view")

    monkeypatch.setattr("matches.seat.convert_union", is_none)
    table = hall.lobby.open_table("toy", 2, "", {}, m.ClockRule())
    for _ in range(2):
        hall.lobby.add_bot(table, "first")
    hall.lobby.start_match(table)
    visit = ClientSession(new_person("eve"), PaperScreen())

    async def watch() -> None:
        async with open_link(dial_to(hall), Identity("eve"), face="json", hearer=visit) as link:
            visit.attach_link(link)
            await visit.request(m.Watch, {"table": table.id})

    with trio.fail_after(5), pytest.raises(LinkFailed, match="it is no view"):
        await watch()
