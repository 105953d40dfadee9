"""Connections through a proxy that the settings name: its header says from where they come."""

from __future__ import annotations

import logging
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
import trio

from server.app import App
from server.config import Config
from server.net import proxy_header
from tests.e2e.test_operation import free_port
from tests.helpers.hall import open_hall
from tests.helpers.proxy import v1, v2
from tests.helpers.wire import CLOSED, Wire

HERE, THERE, WORD = "192.0.2.1", "192.0.2.2", "xyzzy-plugh"
LOOPBACK = (ip_network("127.0.0.1"),)


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy_header, "HEADER_SECONDS", 0.5)


class Front:
    """A server on a real port, and connections to it from a proxy on this machine."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.streams: list[trio.SocketStream] = []

    async def dial(self) -> trio.SocketStream:
        self.streams.append(await trio.open_tcp_stream("127.0.0.1", self.app.port))
        return self.streams[-1]

    async def comes(self, *parts: bytes) -> Wire:
        """A connection that begins with those bytes and has read the greeting."""
        stream = await self.dial()
        for part in parts:
            await stream.send_all(part)
            await trio.sleep(0.05 if len(parts) > 1 else 0)
        wire = Wire(stream, "text")
        assert (await wire.line()).startswith("magehall ")
        return wire

    @property
    def addresses(self) -> set[object]:
        return {session.address for session in self.app.sessions}


@asynccontextmanager
async def served(**settings: Any) -> AsyncIterator[Front]:
    config = Config(port=0, operator_word=WORD, **({"proxy_from": LOOPBACK} | settings))
    async with trio.open_nursery() as nursery:
        front = Front(await open_hall(nursery, config))
        yield front
        for stream in front.streams:
            await trio.aclose_forcefully(stream)
        nursery.cancel_scope.cancel()


async def talk(wire: Wire, line: str) -> list[str]:
    """All that comes until the server closes."""
    await wire.send(line)
    lines: list[str] = []
    while (got := await wire.line()) != CLOSED:
        lines.append(got)
    return lines


async def says(wire: Wire, line: str) -> str:
    """All that is printed for that line."""
    await wire.send(line)
    return "\n".join(await wire.flush(1))


@pytest.mark.parametrize(
    ("header", "address"),
    [
        (v1(HERE), HERE),
        (v2(HERE), HERE),
        (v1("2001:db8::7", "TCP6"), "2001:db8::/64"),
        (v2("2001:db8::7"), "2001:db8::/64"),
        (v2("::ffff:192.0.2.1"), HERE),
        (v2(HERE, command=0x20), "127.0.0.1"),
        (b"PROXY UNKNOWN\r\n", "127.0.0.1"),
    ],
)
async def test_a_proxied_connection_has_the_address_of_its_header(header: bytes, address: str) -> None:
    async with served() as front:
        ann = await front.comes(header)
        assert "ann" in await says(ann, "hello ann")
        assert front.addresses == {address}
        await front.comes(header[:9], header[9:-1], header[-1:])
        await front.comes(header + b"hello bob\r\n")
        assert front.addresses == {address}


@pytest.mark.parametrize("sent", [b"hello ann\r\n", b"PROXY TCP4 junk\r\nhello ann\r\n", b"", b"PROXY TCP4 192"])
async def test_a_proxy_without_a_good_header_is_a_stranger_at_its_own_address(
    sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        async with served() as front:
            wire = await front.comes(sent)
            await says(wire, "")
            assert front.addresses == {"127.0.0.1"}
    assert "no PROXY header from 127.0.0.1" in caplog.text


@pytest.mark.parametrize("header", [v1(HERE), v2(HERE)])
async def test_a_header_from_an_address_that_is_not_named_changes_nothing(header: bytes) -> None:
    async with served(proxy_from=(ip_network("192.0.2.0/24"), ip_network("::/0"))) as front:
        await front.comes(header)
        with trio.fail_after(0.4):
            await says(await front.comes(), "hello ann")  # is greeted without a wait for a header
        assert front.addresses == {"127.0.0.1"}


async def test_each_client_behind_a_proxy_has_its_own_allowance_and_bans() -> None:
    async with served(names_an_address=1, names_a_day=1) as front:
        assert "ann" in await says(await front.comes(v1(HERE)), "hello ann")
        assert "names" in "\n".join(await talk(await front.comes(v2(HERE)), "hello bob"))
        assert "cleo" in await says(await front.comes(v2(THERE)), "hello cleo")
        front.app.lobby.bans.add_ban(HERE, HERE, 0)
        assert "banned from this server" in "\n".join(await talk(await front.comes(v1(HERE)), "hello ann"))
        assert "dora" in await says(await front.comes(v1("192.0.2.3")), "hello dora")


@pytest.mark.parametrize(
    "header", [v1(HERE), v1("127.0.0.1"), v2(HERE, command=0x20), b"PROXY UNKNOWN\r\n", b"junk\r\n"]
)
async def test_c19_a_proxy_on_this_machine_does_not_make_its_clients_local(header: bytes) -> None:
    async with served() as front:
        ann = await front.comes(header)
        await says(ann, "hello ann")
        assert "need a code" in await says(ann, f"operator {WORD}")
        assert front.app.lobby.operator_access.word_was_overheard


async def test_a_silent_connection_of_a_proxy_delays_no_other() -> None:
    async with served() as front:
        for _ in range(50):
            await front.dial()
        with trio.fail_after(0.4):
            await front.comes(v1(HERE))


@contextmanager
def haproxy(folder: Path, port: int, how: str) -> Iterator[int]:
    """A haproxy in front of the server; gives its port."""
    if shutil.which("haproxy") is None:
        pytest.skip("haproxy is not installed")
    front = free_port()
    settings = folder / "haproxy.cfg"
    settings.write_text(
        "defaults\n mode tcp\n timeout connect 5s\n timeout client 1m\n timeout server 1m\n"
        f"listen magehall\n bind :{front}\n server one 127.0.0.1:{port} {how}\n"
    )
    process = subprocess.Popen(["haproxy", "-db", "-f", settings], stderr=subprocess.DEVNULL)
    try:
        yield front
    finally:
        process.terminate()
        process.wait(10)


@pytest.mark.parametrize("how", ["send-proxy", "send-proxy-v2", "check check-send-proxy send-proxy-v2"])
async def test_clients_behind_a_real_haproxy_are_told_apart(tmp_path: Path, how: str) -> None:
    async with served() as front:
        with haproxy(tmp_path, front.app.port, how) as port:
            for source in ("127.0.0.8", "127.0.0.9"):
                stream = await dial_from(source, port)
                front.streams.append(stream)
                await says(Wire(stream, "text"), "hello ann" + source[-1])
            assert front.addresses >= {"127.0.0.8", "127.0.0.9"}


async def dial_from(source: str, port: int) -> trio.SocketStream:
    """A connection to this machine from one of its own addresses, once something listens there."""
    with trio.fail_after(10):
        while True:
            try:
                return await trio.open_tcp_stream("127.0.0.1", port, local_address=source)
            except OSError:
                await trio.sleep(0.05)
