"""Who follows a cup in the client goes on hearing of it after a lost connection."""

from __future__ import annotations

import pytest
import trio

from bots.sdk.link import Identity, open_link
from client.session import ClientSession
from protocol import messages as m
from server import broadcast
from tests.helpers.hall import Hall
from tests.helpers.paper import PaperScreen, new_person
from tests.helpers.scissors import Scissors, dial_to
from tests.server.desk.test_cup_requests import finish, opened, play


async def test_a_cup_is_followed_again_after_a_lost_connection_until_one_has_enough(hall: Hall) -> None:
    ann, (bob,) = await opened(hall, "bob", seats=2, rounds=2)
    hall.nursery.start_soon(play, bob)
    scissors = Scissors()

    async def cut() -> None:
        scissors.sends = 1
        link.post(m.Ping(id=1), lambda _reply: None)
        await trio.sleep(5)

    screen = PaperScreen(["follow friday"], open_end=True)
    visit = ClientSession(new_person("eve"), screen)
    async with (
        open_link(dial_to(hall, scissors), Identity("eve"), hearer=visit) as link,
        trio.open_nursery() as nursery,
    ):
        visit.attach_link(link)
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


async def test_who_follows_hears_how_a_match_ended_before_its_result_whoever_else_watches(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcast, "AT_ONCE", 1)
    ann, peers = await opened(hall, "bob", "carl", "dora", "ed", seats=2, rounds=1)
    followers = [await hall.player(f"guest{number}") for number in range(6)]
    for guest in followers:
        await guest.ask("follow", cup="friday")
    await ann.ask("cup_start", cup="friday")
    shown = {(await guest.next("paired"))["table"] for guest in followers}
    others = sorted({"t1", "t2"} - shown)
    for guest in followers:
        for table in others:  # which is played at the same time
            assert (await guest.ask("watch", table=table))["type"] == "watching"
    await finish(hall, peers)
    for guest in followers:
        kinds = [(message["type"], message["table"]) for message in await guest.heard() if "table" in message]
        for table in (*shown, *others):
            assert kinds.index(("over", table)) < kinds.index(("result", table))
