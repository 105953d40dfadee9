"""Who follows a cup in the client goes on hearing of it after a lost connection."""

from __future__ import annotations

import trio

from bots.sdk.link import Identity, open_link
from client.visit import Visit
from protocol import messages as m
from tests.helpers.hall import Hall
from tests.helpers.paper import PaperScreen, person
from tests.helpers.scissors import Scissors, dial_to
from tests.server.test_cups_on_the_wire import opened, play


async def test_a_cup_is_followed_again_after_a_lost_connection_until_one_has_enough(hall: Hall) -> None:
    ann, (bob,) = await opened(hall, "bob", seats=2, rounds=2)
    hall.nursery.start_soon(play, bob)
    scissors = Scissors()

    async def cut() -> None:
        scissors.sends = 1
        link.post(m.Ping(id=1), lambda _reply: None)
        await trio.sleep(5)

    screen = PaperScreen(["follow friday"], open_end=True)
    visit = Visit(person("eve"), screen)
    async with (
        open_link(dial_to(hall, scissors), Identity("eve"), hearer=visit) as link,
        trio.open_nursery() as nursery,
    ):
        visit.attach(link)
        nursery.start_soon(visit.run)
        await trio.sleep(1)
        await cut()
        assert screen.shown[-2].startswith("Connected again")
        assert screen.shown[-1].startswith("friday (by ann), toy, 2 seats,")
        await ann.ask("cup_enter", cup="friday")
        await ann.ask("cup_start", cup="friday")
        hall.nursery.start_soon(play, ann)
        await trio.sleep(60)
        assert screen.count("friday, match 1 at t1: 1. ") == 1
        before = screen.count("friday (by ann)")
        await visit.request(m.Follow, {"cup": "friday", "off": True})
        await cut()
        assert screen.count("friday (by ann)") == before + 1, "the answer to unfollow"
        nursery.cancel_scope.cancel()
