"""Servers in the network: announced, found, listed with who waits there, and done without where there is no network."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

import pytest
import segno
import trio
from zeroconf import Zeroconf, const
from zeroconf._dns import DNSPointer
from zeroconf._protocol.outgoing import DNSOutgoing

from client import nearby
from client.away import LeftSeat
from client.cli import choosing
from client.cli.choosing import HERE, back, choose
from client.nearby import (
    KIND,
    MOST_LETTERS,
    MOST_LINES,
    Nearby,
    NotFound,
    _lines_of,
    announce,
    greeting,
    servers,
    waiting,
)
from client.person.commands import typed
from client.person.frame import frame
from client.person.hosting import Host, qr_rows
from client.person.human import Human
from client.person.leaving import goodbye, warn_before
from client.person.render import plain_text
from languages import speaking
from protocol import messages as m
from tests.client.at_a_table import open_table, said, seated
from tests.helpers.paper import person

DEN = Nearby("den", "192.0.2.7", 7110, ("t1 toy: ann; 1 seat free",))
ATTIC = Nearby("attic", "192.0.2.8", 7111, ())


def asked(
    monkeypatch: pytest.MonkeyPatch, found: list[Nearby] | NotFound, *typed_: str
) -> tuple[Nearby | None, list[str]]:
    """What is chosen among those servers by who types that, and what was said."""

    async def known() -> list[Nearby]:
        if isinstance(found, NotFound):
            raise found
        return found

    monkeypatch.setattr(choosing, "servers", known)
    shown: list[str] = []
    return choose(reading(typed_), shown.append), shown


def reading(words: Sequence[str]) -> Callable[[str], str]:
    """Reads these lines one by one, whatever is asked."""
    lines: Iterator[str] = iter(words)

    def read(_prompt: str) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    return read


def test_servers_are_listed_with_who_waits_there_and_one_is_picked_by_its_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chosen, shown = asked(monkeypatch, [DEN, ATTIC], "3", "9" * 5_000, "2")
    assert chosen == ATTIC
    assert shown[1:] == [
        "1 den at 192.0.2.7, port 7110",
        "    t1 toy: ann; 1 seat free",
        "2 attic at 192.0.2.8, port 7111",
        "    nobody waits there",
        HERE,
        *["Type the number of a server, or Enter alone."] * 2,
    ]


def test_who_waits_there_is_said_in_the_readers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    attic = replace(ATTIC, waiting=("t1 toy: ann, bob; 2 seats free", "t2 toy: nobody; 1 seat free", "what we like"))
    with speaking("fr"):
        _chosen, shown = asked(monkeypatch, [attic], "1")
    assert shown[2:5] == [
        "    t1 toy: ann, bob; 2 sièges libres",
        "    t2 toy: personne; 1 siège libre",
        "    what we like",
    ]


@pytest.mark.parametrize("lines", [[""], []], ids=["Enter", "end of input"])
def test_enter_alone_is_a_match_here(monkeypatch: pytest.MonkeyPatch, lines: list[str]) -> None:
    assert asked(monkeypatch, [DEN], *lines)[0] is None


@pytest.mark.parametrize(
    ("lines", "answers", "goes"),
    [([""], True, True), (["n"], True, False), ([], True, False), ([""], False, False)],
    ids=["Enter", "n", "end of input", "no server"],
)
def test_who_has_left_a_seat_is_asked_whether_they_go_back_to_it(
    monkeypatch: pytest.MonkeyPatch, lines: list[str], answers: bool, goes: bool
) -> None:
    async def greeted(announced: Sequence[Nearby]) -> list[Nearby]:
        return list(announced) if answers else []

    monkeypatch.setattr(choosing, "greeting", greeted)
    left = [LeftSeat("192.0.2.7", 7110, "t2", "ann"), LeftSeat("192.0.2.7", 7110, "t3", "bob")]
    monkeypatch.setattr(choosing, "left_seats", lambda: left)
    monkeypatch.setattr(choosing, "plays_elsewhere", lambda seat: seat.name == "ann")
    shown: list[str] = []
    server = back(reading(lines), shown.append)
    assert (server is not None and (server.host, server.port) == ("192.0.2.7", 7110)) == goes
    assert shown == ["You have a seat at t3 as bob, at 192.0.2.7, port 7110."] * answers


def test_where_nobody_answers_it_is_a_match_here_and_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen, shown = asked(monkeypatch, [])
    assert chosen is None
    assert shown[1].startswith("No server answers, so this is a match against house bots.")


def test_without_zeroconf_or_a_network_it_is_a_match_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    shown: list[str] = []
    assert choose(input, shown.append) is None
    assert shown[1].startswith("Servers cannot be looked for: zeroconf is not installed here. An address still works")


async def test_a_network_that_fails_is_told_in_a_sentence_and_a_server_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_: object) -> None:
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr("zeroconf.Zeroconf", broken)
    with pytest.raises(NotFound, match=r"there is no network \(Network is unreachable\)"):
        await servers()
    await announce(7110, ["192.0.2.7"], tuple)  # returns at once


def test_open_tables_with_free_seats_are_announced_and_no_others() -> None:
    free = open_table("toy")
    full = m.TableInfo(
        table="t2", game="toy", state="open", owner="bob", seats=(m.SeatInfo(1, "bob", "person"),), clock=m.ClockRule(),
        options={}, commitment="c0",
    )  # fmt: skip
    with speaking("fr"):  # the server's language; whoever reads it has their own
        assert waiting([free, full]) == ("t1 toy: ann; 1 seat free",)
    assert len(waiting([free] * 50)) == MOST_LINES


def test_c15_what_a_stranger_announces_is_cut_and_cannot_reach_the_terminal() -> None:
    told = {b"w1": b"\x1b[2Jyou lost \xff" + b"x" * 300, b"evil": b"no line", b"w2": None}
    first, second = _lines_of(told)
    assert first.startswith("\\u{1b}[2Jyou lost ")
    assert len(first) <= MOST_LETTERS
    assert second == ""


async def greet(stream: trio.abc.Stream) -> None:
    await stream.send_all(b"magehall 2 0.1.0\r\n")


async def silent(stream: trio.abc.Stream) -> None:
    await stream.send_all(b"HTTP/1.0 400\r\n")


async def listen(nursery: trio.Nursery, port: int, say: Callable[[trio.SocketStream], Awaitable[None]] = greet) -> int:
    """Something that listens at that port; 0 for a free one, which is returned."""
    listeners = await trio.open_tcp_listeners(port, host="127.0.0.1")
    nursery.start_soon(trio.serve_listeners, say, listeners)
    at: int = listeners[0].socket.getsockname()[1]
    return at


async def test_of_those_that_are_announced_only_servers_are_listed_and_few_of_one_address(
    nursery: trio.Nursery,
) -> None:
    mute = await listen(nursery, 0, silent)
    there = [await listen(nursery, 0) for _ in range(4)]
    false = [Nearby(f"false{number}", f"192.0.2.{number}", 7110, ()) for number in range(1, 60)]
    false += [Nearby(f"shut{port}", "127.0.0.1", port, ()) for port in range(1, 20)] + [
        Nearby("mute", "127.0.0.1", mute, ())
    ]
    true = [Nearby(f"true{port}", "127.0.0.1", port, ()) for port in there]
    assert await greeting([*false, *true]) == true[:3]
    nursery.cancel_scope.cancel()


async def test_a_server_is_found_without_its_address_and_says_who_waits_now() -> None:
    lines = [("t1 toy: ann; 1 seat free",)]
    async with trio.open_nursery() as nursery:
        await listen(nursery, 17_231)
        nursery.start_soon(announce, 17_231, ["127.0.0.1"], lambda: lines[0], ["127.0.0.1"])
        found: list[Nearby] = []
        with trio.fail_after(20):
            while not found:
                found = [one for one in await servers(["127.0.0.1"]) if one.port == 17_231]
        nursery.cancel_scope.cancel()
    assert (found[0].host, found[0].waiting) == ("127.0.0.1", lines[0])


async def test_c16_names_without_a_server_and_names_that_are_none_hide_no_server() -> None:
    stranger = Zeroconf(interfaces=["127.0.0.1"])
    ghosts = [f"ghost{number}.{KIND}" for number in range(40)]

    async def lie() -> None:
        out = DNSOutgoing(const._FLAGS_QR_RESPONSE | const._FLAGS_AA)
        for name in (f"\x1b[2J.{KIND}", "other._http._tcp.local.", "\x1b]0;no name\x07", *ghosts):
            out.add_answer_at_time(DNSPointer(KIND, const._TYPE_PTR, const._CLASS_IN, 4_500, name), 0)
        while True:
            stranger.send(out)
            await trio.sleep(0.1)

    async with trio.open_nursery() as nursery:
        await listen(nursery, 17_233)
        nursery.start_soon(announce, 17_233, ["127.0.0.1"], tuple, ["127.0.0.1"])
        nursery.start_soon(lie)
        with trio.fail_after(20):
            while not any(one.port == 17_233 for one in await servers(["127.0.0.1"])):
                pass
        nursery.cancel_scope.cancel()
    await trio.to_thread.run_sync(stranger.close)


async def test_two_machines_of_one_name_are_both_found() -> None:
    async with trio.open_nursery() as nursery:
        for port in (17_234, 17_236):
            await listen(nursery, port)
            nursery.start_soon(announce, port, ["127.0.0.1"], tuple, ["127.0.0.1"])
        with trio.fail_after(20):
            while not {17_234, 17_236} <= {one.port for one in await servers(["127.0.0.1"])}:
                pass
        nursery.cancel_scope.cancel()


async def test_a_network_that_fails_while_a_server_is_announced_ends_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = trio.Event()
    token = trio.lowlevel.current_trio_token()

    def broken(*_: object) -> None:
        token.run_sync_soon(tried.set)
        raise RuntimeError("Event loop is closed")

    monkeypatch.setattr(Zeroconf, "update_service", broken)
    monkeypatch.setattr(nearby, "LOOK_AGAIN_SECONDS", 0.01)
    told = iter([(), *((f"t{number}",) for number in range(10_000))])
    async with trio.open_nursery() as nursery:
        nursery.start_soon(announce, 17_235, ["127.0.0.1"], lambda: next(told), ["127.0.0.1"])
        with trio.fail_after(20):
            await tried.wait()
        await trio.sleep(0.05)
        assert nursery.child_tasks
        nursery.cancel_scope.cancel()


def host(*guests: str, human: Human | None = None, keeps: bool = True) -> Human:
    human = human or person()
    human.host = Host("192.0.2.7", 7110, True, lambda: list(guests), keeps)
    return human


def test_a_host_is_told_the_line_that_the_others_type_and_shown_a_code_in_the_boards_place() -> None:
    human = host()
    assert said(human, "invite").splitlines()[0] == "The others type: magehall play --host 192.0.2.7"
    assert "\N{FULL BLOCK}" * 9 in said(human, "invite qr")
    human.pinned = True
    assert "\N{FULL BLOCK}" not in said(human, "invite qr")
    shown = [plain_text(row) for row in frame(human, 40, 20).board]
    assert shown == qr_rows("telnet://192.0.2.7:7110")
    typed(human, "aim")
    assert frame(human, 40, 20).board == []
    human.host = None
    assert said(human, "invite").startswith("! ")


def test_the_code_has_every_square_of_the_one_it_stands_for() -> None:
    black = {"\N{FULL BLOCK}": (0, 0), "\N{UPPER HALF BLOCK}": (0, 1), "\N{LOWER HALF BLOCK}": (1, 0), " ": (1, 1)}
    rows = list(chain(*(zip(*(black[letter] for letter in row), strict=True) for row in qr_rows("telnet://pi:7110"))))
    wanted = [tuple(row) for row in segno.make("telnet://pi:7110", micro=False, error="l").matrix_iter(border=2)]
    assert rows[: len(wanted)] == wanted


def test_a_host_who_leaves_is_asked_once_while_others_are_there() -> None:
    assert [ask.kind for ask in typed(host(), "quit").asks] == [m.Quit]
    human = host("bob", "cid")
    assert said(human, "q") == "The server ends with you, and bob, cid are here. Type q again to leave."
    assert [ask.kind for ask in typed(human, "q").asks] == [m.Quit]
    said(human, "q")
    said(human, "aim")
    assert "Type q again" in said(human, "q")
    assert (
        warn_before(host("bob"), "Ctrl-C") == "The server ends with you, and bob is here. Press Ctrl-C again to leave."
    )
    assert warn_before(seated(3), "Ctrl-C").startswith("Ctrl-C leaves the match")


def test_a_host_who_leaves_a_match_reads_whether_it_goes_on() -> None:
    kept, lost = host(human=seated(3)), host(human=seated(3), keeps=False)
    assert goodbye(kept) == "Goodbye. The match is kept; the same command goes on with it."
    assert "it goes on when you host again" in warn_before(kept, "Ctrl-C")
    assert goodbye(lost) == "Goodbye."
    assert "it ends here" in warn_before(lost, "Ctrl-C")
