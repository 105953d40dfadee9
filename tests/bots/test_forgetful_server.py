"""A server that was restarted knows nobody: what waited for an answer is asked anew, not lost over old numbers."""

from __future__ import annotations

import trio

from bots.sdk.link import Identity, open_link
from protocol.messages import Open, TableList, TableReply, Tables
from server.name_registry import NameRegistry
from tests.helpers.hall import Hall


async def test_a_server_that_forgot_the_player_answers_what_waited(hall: Hall) -> None:
    streams: list[trio.abc.Stream] = []

    async def dial() -> trio.abc.Stream:
        streams.append(hall.dial())
        return streams[-1]

    async with open_link(dial, Identity("ann")) as link:
        await link.ask(Open(id=1, game="toy"), TableReply)
        hall.lobby.people = NameRegistry(hall.lobby.config, ())
        hall.lobby.tables.remove("t1")
        await streams[0].aclose()
        assert (await link.ask(Tables(id=1), TableList)).tables == ()
        assert hall.lobby.people.find_player("ann") is not None
