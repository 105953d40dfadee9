"""A link that lost its connection: how long it waits, when it gives up, and what it asks for anew."""

from __future__ import annotations

from math import ceil, log2

import pytest
import trio
from trio.testing import MockClock

from bots.sdk.link import FIRST_WAIT, Identity, Link, LinkFailed, LinkLost, LinkRestored, open_link
from protocol import messages as m
from protocol.errors import Refusal
from server.net.session import Session
from tests.helpers.hall import Hall
from tests.helpers.links import next_of
from tests.helpers.scissors import Scissors, dial_to

ANN = Identity("ann", "here:1")


async def wait_of(link: Link) -> float:
    """Seconds from the loss of its connection to the attempt that brings it back."""
    lost = await next_of(link, LinkLost)
    assert isinstance(lost, LinkLost)
    await next_of(link, LinkRestored)
    return lost.seconds


def attempts(waits: list[float]) -> list[int]:
    """How often each was doubled; it is spread down to a half."""
    return [ceil(log2(wait / FIRST_WAIT)) for wait in waits]


async def test_a_link_gives_up_after_a_time_and_says_why(hall: Hall, autojump_clock: MockClock) -> None:
    up = dial_to(hall)
    calls = 0

    async def dial() -> trio.abc.Stream:
        nonlocal calls
        calls += 1
        if calls > 1:
            raise OSError("nobody there")
        return await up()

    async with open_link(dial, ANN, give_up=100) as link:
        for session in list(hall.app.sessions):
            session.end("shutdown")
        before = trio.current_time()
        with pytest.raises(LinkFailed, match="no server for 100 seconds"):
            await link.ask(m.Ping(id=1), m.Pong)
        assert 60 < trio.current_time() - before <= 100
    assert 5 < calls < 20  # the waits between attempts grow


async def test_after_a_connection_that_brought_something_the_waits_begin_anew(
    hall: Hall, autojump_clock: MockClock
) -> None:
    bob = await hall.player("bob")
    async with open_link(dial_to(hall), ANN) as link:
        waits = []
        for brings in (False, False, False, True, False):
            if brings:
                await bob.ask("tell", to="ann", text="hm")
                await next_of(link, m.Chat)
            for session in list(hall.app.sessions):
                if session.player is not None and session.player.name == "ann":
                    session.end("shutdown")
            waits.append(await wait_of(link))
    assert attempts(waits) == [0, 1, 2, 0, 1]


async def test_a_seat_is_asked_for_again_on_another_connection_where_the_server_could_not_write_to_its_disk(
    hall: Hall, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused, carry_out = 0, Session.handle_request

    def fails_at_first(session: Session, request: m.Request) -> None:
        nonlocal refused
        if isinstance(request, m.Resume) and not refused:
            refused += 1
            refusal = Refusal("storage")
            refusal.re = request.id
            raise refusal
        carry_out(session, request)

    monkeypatch.setattr(Session, "handle_request", fails_at_first)
    async with open_link(dial_to(hall), ANN) as link:
        for request in (m.Open(id=1, game="toy", seats=2), m.Add(id=1, table="t1", bot="first")):
            await link.ask(request, m.TableReply)
        await link.ask(m.Start(id=1, table="t1"), m.TableReply)
        turn = await next_of(link, m.TurnUpdate)
        assert isinstance(turn, m.TurnUpdate)
        for session in list(hall.app.sessions):
            session.end("shutdown")
        reasons = []
        while "the server cannot write to its disk" not in reasons:
            lost = await next_of(link, LinkLost)
            assert isinstance(lost, LinkLost)
            reasons.append(lost.reason)
        await link.ask(m.Act(id=1, table="t1", turn=1, action=turn.legal[0]), m.Accepted)
        assert isinstance(await next_of(link, m.Happened), m.Happened)
    assert len(reasons) == 2


@pytest.mark.parametrize(("away", "table"), [(0, "t1"), (90, "t2")])
async def test_an_open_whose_answer_is_lost_gives_one_table_that_is_really_there(
    hall: Hall, autojump_clock: MockClock, away: float, table: str
) -> None:
    """Over a short loss it is kept; after a long one it is gone, and another one is opened."""
    scissors = Scissors(lines=2)
    await trio.sleep(200)  # long after the server began, which holds seats longer

    async def dial() -> trio.abc.Stream:
        if scissors.connections and trio.current_time() < 200 + away:
            raise OSError("no way through")
        return await dial_to(hall, scissors)()

    async with open_link(dial, ANN, face="json") as link:
        answer = await link.ask(m.Open(id=1, game="toy", seats=2), m.TableReply)
        assert answer.info.table == table
        assert list(hall.lobby.tables) == [table]


async def test_a_table_that_one_leaves_is_not_taken_up_again_though_the_answer_is_lost(
    hall: Hall, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, carry_out, scissors = list[type[m.Request]](), Session.handle_request, Scissors()

    def note(session: Session, request: m.Request) -> None:
        asked.append(type(request))
        carry_out(session, request)

    monkeypatch.setattr(Session, "handle_request", note)
    async with open_link(dial_to(hall, scissors), ANN, face="json") as link:
        for request in (m.Open(id=1, game="toy", seats=2), m.Add(id=1, table="t1", bot="first")):
            await link.ask(request, m.TableReply)
        await link.ask(m.Start(id=1, table="t1"), m.TableReply)
        await next_of(link, m.TurnUpdate)
        scissors.lines = scissors.received.count(b"\n")  # nothing more comes through
        await link.ask(m.Leave(id=1, table="t1"), m.Left)
        await link.ask(m.Ping(id=1), m.Pong)
    assert asked[-4:] == [m.Leave, m.Hello, m.Leave, m.Ping]


async def test_a_table_from_which_one_was_sent_away_is_not_missed_on_the_next_connection(
    hall: Hall, autojump_clock: MockClock
) -> None:
    bob = await hall.player("bob")
    await bob.ask("open", game="toy", seats=2)
    async with open_link(dial_to(hall), ANN) as link:
        await link.ask(m.Join(id=1, table="t1"), m.TableReply)
        await bob.ask("kick", table="t1", player="ann")
        await next_of(link, m.SentAway)
        for session in list(hall.app.sessions):
            session.end("shutdown")
        await next_of(link, LinkRestored)
        await link.ask(m.Ping(id=1), m.Pong)
        cy = await hall.player("cy")
        await cy.ask("tell", to="ann", text="hm")
        assert isinstance(await anext(link), m.Chat), "and not that the table is gone"
