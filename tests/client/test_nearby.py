"""Servers in the network: announced, found, listed with who waits there, and done without where there is no network."""

from __future__ import annotations

import ipaddress
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

import msgspec
import pytest
import segno
import trio
from zeroconf import Zeroconf, const
from zeroconf._dns import DNSPointer
from zeroconf._protocol.outgoing import DNSOutgoing

from client import nearby
from client.addresses import Address, reachable_addresses
from client.cli import choosing
from client.cli.choosing import HERE, ask_to_rejoin, choose_server
from client.left_seats import LeftSeat
from client.nearby import (
    KIND,
    MOST_ADDRESSES,
    MOST_LETTERS,
    MOST_LINES,
    NearbyServer,
    SearchFailed,
    _lines_of,
    announce_server,
    find_servers,
    responding_servers,
    waiting_lines,
)
from languages import speaking
from people.frame import build_frame
from people.hosting import Host, connect_lines, qr_rows
from people.leaving import goodbye_text, leave_warning
from people.person import Person
from people.render import plain_text
from people.typed import handle_line
from protocol import PORT
from protocol import messages as m
from tests.helpers.paper import new_person
from tests.people.at_a_table import open_table, said, seated

DEN = NearbyServer("den", "192.0.2.7", 7110, ("t1 toy: ann; 1 seat free",))
ATTIC = NearbyServer("attic", "192.0.2.8", 7111, ())


def asked(
    monkeypatch: pytest.MonkeyPatch, found: list[NearbyServer] | SearchFailed, *typed_: str
) -> tuple[NearbyServer | None, list[str]]:
    """What is chosen among those servers by who types that, and what was said."""

    async def known(known: object = None) -> list[NearbyServer]:
        if isinstance(found, SearchFailed):
            raise found
        return found

    monkeypatch.setattr(choosing, "find_servers", known)
    shown: list[str] = []
    return choose_server(reading(typed_), shown.append), shown


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
        "    no one is waiting there",
        HERE,
        "r: look again; q: leave; or type an address, such as 192.168.0.7",
        *["Type the number of a server or an address, or just press Enter."] * 2,
    ]


def test_who_waits_there_is_said_in_the_readers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    attic = replace(
        ATTIC,
        waiting=(
            "t1 toy: ann, bob; 2 seats free",
            "t2 toy: nobody; 1 seat free",
            "t3 toy: bob, cid play",
            "what we like",
        ),
    )
    with speaking("fr"):
        _chosen, shown = asked(monkeypatch, [attic], "1")
    assert shown[2:6] == [
        "    t1 toy: ann, bob; 2 sièges libres",
        "    t2 toy: personne; 1 siège libre",
        "    t3 toy: bob, cid jouent",
        "    what we like",
    ]


def test_enter_alone_is_a_match_here(monkeypatch: pytest.MonkeyPatch) -> None:
    assert asked(monkeypatch, [DEN], "")[0] is None


@pytest.mark.parametrize("found", [[], [DEN]])
@pytest.mark.parametrize("lines", [[], ["q"]], ids=["end of input", "q"])
def test_who_leaves_the_question_gets_no_match(
    monkeypatch: pytest.MonkeyPatch, found: list[NearbyServer], lines: list[str]
) -> None:
    with pytest.raises(EOFError):
        asked(monkeypatch, found, *lines)


@pytest.mark.parametrize(
    ("lines", "answers", "goes"),
    [([""], True, True), (["n"], True, False), ([""], False, False)],
    ids=["Enter", "n", "no server"],
)
def test_who_has_left_a_seat_is_asked_whether_they_go_back_to_it(
    monkeypatch: pytest.MonkeyPatch, lines: list[str], answers: bool, goes: bool
) -> None:
    async def greeted(announced: Sequence[NearbyServer]) -> list[NearbyServer]:
        return list(announced) if answers else []

    monkeypatch.setattr(choosing, "responding_servers", greeted)
    left = [LeftSeat("192.0.2.7", 7110, "t2", "ann"), LeftSeat("192.0.2.7", 7110, "t3", "bob")]
    monkeypatch.setattr(choosing, "load_left_seats", lambda: left)
    monkeypatch.setattr(choosing, "is_played_elsewhere", lambda seat: seat.name == "ann")
    shown: list[str] = []
    monkeypatch.setattr(choosing, "_announced", list)
    found = ask_to_rejoin(reading(lines), shown.append)
    assert ([found[0].host, found[1]] if found is not None else []) == (["192.0.2.7", left[1]] if goes else [])
    looks = "Looking for servers in this network ..."
    assert shown == (["You have a seat at t3 as bob, at 192.0.2.7, port 7110."] if answers else [looks])


@pytest.mark.parametrize(
    ("waiting", "port", "tls", "offered"),
    [
        (("t7 toy: eve; 1 seat free", "t3 toy: ann, bob play"), 7110, False, True),
        (("t30 toy: ann, bob play",), 7110, False, False),
        (("t3 toy: eve; 1 seat free",), 7110, False, False),
        (("t3 toy: ann, bob play",), 7111, False, False),
        (("t3 toy: ann, bob play",), 7110, True, False),
    ],
    ids=["moved", "another table", "not begun", "another port", "a server with TLS"],
)
def test_a_seat_at_a_server_that_has_another_address_now_is_found_again(
    monkeypatch: pytest.MonkeyPatch, waiting: tuple[str, ...], port: int, tls: bool, offered: bool
) -> None:
    async def greeted(announced: Sequence[NearbyServer]) -> list[NearbyServer]:
        return []

    async def announced(known: object = None) -> list[NearbyServer]:
        return [NearbyServer("hall", "192.0.2.99", port, waiting, tls=tls)]

    monkeypatch.setattr(choosing, "responding_servers", greeted)
    monkeypatch.setattr(choosing, "find_servers", announced)
    monkeypatch.setattr(choosing, "resumable_seats", lambda: [LeftSeat("192.0.2.7", 7110, "t3", "bob")])
    shown: list[str] = []
    found = ask_to_rejoin(reading([""]), shown.append)
    assert (found is not None and found[0].host == "192.0.2.99") == offered
    assert shown[0] == "Looking for servers in this network ..."
    assert (
        shown[1:]
        == [
            "You have a seat at t3 as bob, at 192.0.2.7, which does not answer.",
            "A server at 192.0.2.99 may be the same one.",
        ]
        * offered
    )


def test_where_no_server_answers_one_is_asked_and_may_look_again(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[list[NearbyServer]] = [[ATTIC], []]

    async def known(known: object = None) -> list[NearbyServer]:
        return looked.pop()

    monkeypatch.setattr(choosing, "find_servers", known)
    shown: list[str] = []
    assert choose_server(reading(["9", "r", "1"]), shown.append) == ATTIC
    assert shown[1] == "No server answers in this network."
    assert shown[2] == HERE
    assert not looked


def test_an_address_may_be_typed_and_only_one_that_answers_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    there = {("192.168.0.9", 7111), ("fd00::2", PORT)}

    async def greeted(announced: Sequence[NearbyServer], **_more: object) -> list[NearbyServer]:
        return [one for one in announced if (one.host, one.port) in there]

    monkeypatch.setattr(choosing, "responding_servers", greeted)
    for line, place in {
        "192.168.0.9:7111": ("192.168.0.9", 7111),
        " magehall play --host 192.168.0.9 --port 7111": ("192.168.0.9", 7111),
        "telnet 192.168.0.9 7111": ("192.168.0.9", 7111),
        "fd00::2": ("fd00::2", PORT),
        "[fd00::2]:7110": ("fd00::2", PORT),
    }.items():
        chosen, shown = asked(monkeypatch, [], "192.168.0.8", "two words", "1.2.3.4:99999", line)
        assert chosen is not None
        assert (chosen.host, chosen.port) == place, line
        assert shown[-3:] == [
            "No magehall server answers at 192.168.0.8, port 7110.",
            "two words is not an address. Type one like 192.168.0.7 or 192.168.0.7:7110.",
            "1.2.3.4:99999 is not an address. Type one like 192.168.0.7 or 192.168.0.7:7110.",
        ]


def test_without_zeroconf_one_is_asked_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    shown: list[str] = []
    assert choose_server(reading([""]), shown.append) is None
    assert shown[1] == "Cannot look for servers: zeroconf is not installed here."
    assert shown[2] == HERE


async def test_a_network_that_fails_is_told_in_a_sentence_and_a_server_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_: object) -> None:
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr("zeroconf.Zeroconf", broken)
    with pytest.raises(SearchFailed, match=r"there is no network \(Network is unreachable\)"):
        await find_servers()
    monkeypatch.setattr(nearby, "LOOK_AGAIN_SECONDS", 0.01)
    with trio.move_on_after(0.1) as scope:
        await announce_server(7110, lambda: ["192.0.2.7"], tuple)
    assert scope.cancelled_caught, "the network may come later"


async def test_without_zeroconf_nothing_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    await announce_server(7110, lambda: ["192.0.2.7"], tuple)  # returns at once


async def test_a_server_is_announced_again_when_its_addresses_change(monkeypatch: pytest.MonkeyPatch) -> None:
    announced: list[list[str]] = []
    closed = 0

    class Announced:
        def __init__(self, _port: int, addresses: list[str], *_more: object) -> None:
            announced.append(addresses)

        def update_lines(self, _lines: tuple[str, ...]) -> None: ...

        def close(self) -> None:
            nonlocal closed
            closed += 1

    monkeypatch.setattr(nearby, "_Announcement", Announced)
    monkeypatch.setattr(nearby, "LOOK_AGAIN_SECONDS", 0.001)
    now = iter([["192.0.2.7"]] * 3 + [["192.0.2.7", "fd00::7"]] * 4)
    with trio.move_on_after(0.5):
        await announce_server(7110, lambda: next(now, []), tuple)
    assert announced == [["192.0.2.7"], ["192.0.2.7", "fd00::7"], []]
    assert closed == 3


def own(*addresses: str, interface: str = "lan") -> list[Address]:
    return [Address(str(ip.ip), ip.network, interface) for ip in map(ipaddress.ip_interface, addresses)]


def test_c18_of_200_announced_addresses_a_dozen_of_the_own_networks_are_tried() -> None:
    foreign = [f"203.0.113.{number}" for number in range(1, 101)] + ["127.0.0.1", "::1", "8.8.8.8", "fe80::1", "x"]
    near = [f"192.168.7.{number}" for number in range(1, 101)]
    mine = own("192.168.7.200/24", "10.9.0.1/16")
    assert reachable_addresses(foreign, mine, MOST_ADDRESSES) == []
    tried = reachable_addresses([*foreign, *near], mine, MOST_ADDRESSES)
    assert len(tried) == MOST_ADDRESSES == 12
    assert set(tried) <= set(near)
    assert tried == reachable_addresses([*near[::-1], *foreign], mine, MOST_ADDRESSES), "the same each time"


def test_addresses_that_every_machine_has_lead_to_no_other_machine() -> None:
    mine = [*own("192.168.7.2/24"), *own("172.17.0.1/16", interface="docker0")]
    assert reachable_addresses(["172.17.0.1", "192.168.7.1"], mine, 12) == ["192.168.7.1"]
    assert reachable_addresses(["172.17.0.1", "192.168.7.2"], mine, 12) == ["192.168.7.2", "172.17.0.1"], (
        "a server here"
    )
    assert reachable_addresses(["127.0.0.1", "192.168.7.1"], [], 12) == ["127.0.0.1"], (
        "without a network only this machine is"
    )


def test_a_link_local_address_is_tried_through_each_interface_that_has_one() -> None:
    mine = [*own("fe80::2/64", interface="lan"), *own("fe80::3/64", interface="wlan")]
    assert reachable_addresses(["fe80::1%9"], mine, 12) == ["fe80::1%lan", "fe80::1%wlan"]


async def test_a_server_is_taken_at_an_address_that_answers_and_better_at_a_known_one(nursery: trio.Nursery) -> None:
    port = await listen(nursery, 0)
    await listen(nursery, port, host="127.0.0.3")
    one = NearbyServer("den", "127.0.0.2", port, (), ("127.0.0.1", "127.0.0.3"))
    (found,) = await responding_servers([one])
    assert found == replace(one, host="127.0.0.1", others=("127.0.0.3",))
    (found,) = await responding_servers([one], known=lambda host, _port: host == "127.0.0.3")
    assert found.host == "127.0.0.3"
    nursery.cancel_scope.cancel()


def test_open_tables_with_free_seats_are_announced_and_no_others() -> None:
    free = open_table("toy")
    full = m.TableInfo(
        table="t2", game="toy", state="open", owner="bob", seats=(m.SeatInfo(1, "bob", "person"),), clock=m.ClockRule(),
        options={}, commitment="c0",
    )  # fmt: skip
    with speaking("fr"):  # the server's language; whoever reads it has their own
        assert waiting_lines([free, full]) == ("t1 toy: ann; 1 seat free",)
        away = tuple(msgspec.structs.replace(seat, here=False) for seat in free.seats)
        left = msgspec.structs.replace(free, seats=away)
        assert waiting_lines([left]) == (), "nobody waits there"
        playing = msgspec.structs.replace(full, state="playing")
        assert waiting_lines([playing, free]) == ("t1 toy: ann; 1 seat free", "t2 toy: bob play")
    assert len(waiting_lines([free] * 50)) == MOST_LINES


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


async def listen(
    nursery: trio.Nursery,
    port: int,
    say: Callable[[trio.SocketStream], Awaitable[None]] = greet,
    host: str = "127.0.0.1",
) -> int:
    """Something that listens at that port; 0 for a free one, which is returned."""
    listeners = await trio.open_tcp_listeners(port, host=host)
    nursery.start_soon(trio.serve_listeners, say, listeners)
    at: int = listeners[0].socket.getsockname()[1]
    return at


async def test_of_those_that_are_announced_only_servers_are_listed_and_few_of_one_address(
    nursery: trio.Nursery,
) -> None:
    mute = await listen(nursery, 0, silent)
    there = [await listen(nursery, 0) for _ in range(4)]
    false = [NearbyServer(f"false{number}", f"192.0.2.{number}", 7110, ()) for number in range(1, 60)]
    false += [NearbyServer(f"shut{port}", "127.0.0.1", port, ()) for port in range(1, 20)] + [
        NearbyServer("mute", "127.0.0.1", mute, ())
    ]
    true = [NearbyServer(f"true{port}", "127.0.0.1", port, ()) for port in there]
    assert await responding_servers([*false, *true]) == true[:3]
    nursery.cancel_scope.cancel()


async def test_a_server_is_found_without_its_address_and_says_who_waits_now() -> None:
    lines = [("t1 toy: ann; 1 seat free",)]
    async with trio.open_nursery() as nursery:
        await listen(nursery, 17_231)
        nursery.start_soon(announce_server, 17_231, lambda: ["127.0.0.1"], lambda: lines[0], ["127.0.0.1"])
        found: list[NearbyServer] = []
        with trio.fail_after(20):
            while not found:
                found = [one for one in await find_servers(["127.0.0.1"]) if one.port == 17_231]
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
        nursery.start_soon(announce_server, 17_233, lambda: ["127.0.0.1"], tuple, ["127.0.0.1"])
        nursery.start_soon(lie)
        with trio.fail_after(20):
            while not any(one.port == 17_233 for one in await find_servers(["127.0.0.1"])):
                pass
        nursery.cancel_scope.cancel()
    await trio.to_thread.run_sync(stranger.close)


async def test_two_machines_of_one_name_are_both_found() -> None:
    async with trio.open_nursery() as nursery:
        for port in (17_234, 17_236):
            await listen(nursery, port)
            nursery.start_soon(announce_server, port, lambda: ["127.0.0.1"], tuple, ["127.0.0.1"])
        with trio.fail_after(20):
            while not {17_234, 17_236} <= {one.port for one in await find_servers(["127.0.0.1"])}:
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
        nursery.start_soon(announce_server, 17_235, lambda: ["127.0.0.1"], lambda: next(told), ["127.0.0.1"])
        with trio.fail_after(20):
            await tried.wait()
        await trio.sleep(0.05)
        assert nursery.child_tasks
        nursery.cancel_scope.cancel()


def host(*guests: str, person: Person | None = None, keeps: bool = True) -> Person:
    person = person or new_person()
    person.settings.host = new_host(*guests, keeps=keeps)
    return person


def new_host(*guests: str, keeps: bool = True) -> Host:
    return Host(lambda: ["192.0.2.7", "fd00::7"], 7110, True, lambda _name: list(guests), keeps)


def test_the_first_address_of_a_host_is_no_further_one_even_if_it_comes_late() -> None:
    host = new_host()
    told = [plain_text(connect_lines(host, address)[0]).partition(":")[0] for address in host.addresses()]
    assert told == ["The others type", "Or, by another address"]


def test_a_host_is_told_the_line_that_the_others_type_and_shown_a_code_in_the_boards_place() -> None:
    person = host()
    assert said(person, "invite").splitlines() == [
        "The others type: magehall play --host 192.0.2.7",
        "  with nothing installed: telnet 192.0.2.7 7110",
        "Or, by another address: magehall play --host fd00::7",
        "  with nothing installed: telnet fd00::7 7110",
        "In the same network, magehall play alone finds it too.",
    ]
    assert "\N{FULL BLOCK}" * 9 in said(person, "invite qr")
    person.settings.pinned = True
    assert "\N{FULL BLOCK}" not in said(person, "invite qr")
    shown = [plain_text(row) for row in build_frame(person, 40, 20).board]
    assert shown == qr_rows("telnet://192.0.2.7:7110")
    said(person, "invite qr 2")
    assert [plain_text(row) for row in build_frame(person, 40, 20).board] == qr_rows("telnet://[fd00::7]:7110")
    assert said(person, "invite qr 3") == "! There are 2 addresses: invite lists them."
    handle_line(person, "aim")
    assert build_frame(person, 40, 20).board == []
    person.settings.host = None
    assert said(person, "invite").startswith("! ")


def test_the_code_has_every_square_of_the_one_it_stands_for() -> None:
    black = {"\N{FULL BLOCK}": (0, 0), "\N{UPPER HALF BLOCK}": (0, 1), "\N{LOWER HALF BLOCK}": (1, 0), " ": (1, 1)}
    rows = list(chain(*(zip(*(black[letter] for letter in row), strict=True) for row in qr_rows("telnet://pi:7110"))))
    wanted = [tuple(row) for row in segno.make("telnet://pi:7110", micro=False, error="l").matrix_iter(border=2)]
    assert rows[: len(wanted)] == wanted


def test_a_host_who_leaves_is_asked_once_while_others_are_there() -> None:
    assert [ask.kind for ask in handle_line(host(), "quit").asks] == [m.Quit]
    person = host("bob", "cid")
    assert said(person, "q") == "The server ends with you, and bob, cid are here. Type q again to leave."
    assert [ask.kind for ask in handle_line(person, "q").asks] == [m.Quit]
    said(person, "q")
    said(person, "aim")
    assert "Type q again" in said(person, "q")
    assert (
        leave_warning(host("bob"), "Ctrl-C")
        == "The server ends with you, and bob is here. Press Ctrl-C again to leave."
    )
    assert leave_warning(seated(3), "Ctrl-C").startswith("Ctrl-C leaves the match")


def test_a_host_who_leaves_a_match_reads_whether_it_goes_on() -> None:
    kept, lost = host(person=seated(3)), host(person=seated(3), keeps=False)
    assert goodbye_text(kept) == "Goodbye. The match is kept; the same command goes on with it."
    assert "it goes on when you host again" in leave_warning(kept, "Ctrl-C")
    assert goodbye_text(lost) == "Goodbye."
    assert "it ends here" in leave_warning(lost, "Ctrl-C")
