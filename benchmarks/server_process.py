"""The server side of the benchmarks, in a process of its own: `python -m benchmarks.server_process KIND`."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile

import trio

from benchmarks.least import serve_least
from client.house import BotHouse
from games.registry import all_games
from server.app import App, serve
from server.config import Config
from server.process import prepare_process
from server.store.rows import Store, Write
from server.store.sqlite import open_store

KEPT = [0, 0]  # commits to the disk, and bytes of rows in them


async def echo() -> None:
    """The bare limit: a trio server that sends back what it receives."""

    async def handle(stream: trio.SocketStream) -> None:
        try:
            async for data in stream:
                await stream.send_all(data)
        except trio.BrokenResourceError:
            pass

    listeners = await trio.open_tcp_listeners(0, host="127.0.0.1", backlog=4096)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(report)
        print(listeners[0].socket.getsockname()[1], flush=True)
        await trio.serve_listeners(handle, listeners)


async def kept_echo() -> None:
    """The same, and what comes is on the disk before it is sent back: whatever waits shares one fsync, in a thread."""
    waiting: list[tuple[trio.SocketStream, bytes | bytearray]] = []
    more = trio.Event()

    async def handle(stream: trio.SocketStream) -> None:
        try:
            async for data in stream:
                waiting.append((stream, data))
                more.set()
        except trio.BrokenResourceError:
            pass

    def keep(file: int, data: bytes) -> None:
        os.write(file, data)
        os.fdatasync(file)

    async def answer(file: int) -> None:
        nonlocal more, waiting
        while True:
            await more.wait()
            more, batch, waiting = trio.Event(), waiting, []
            await trio.to_thread.run_sync(keep, file, b"".join([data for _stream, data in batch]))
            for stream, data in batch:
                with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                    await stream.send_all(data)

    with TemporaryFile(dir=sys.argv[2]) as file:
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1", backlog=4096)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(report)
            nursery.start_soon(answer, file.fileno())
            print(listeners[0].socket.getsockname()[1], flush=True)
            await trio.serve_listeners(handle, listeners)


async def hall(store: Store | None = None, keep_seconds: float = 0.5, web_port: int | None = None) -> None:
    """The real server, as `magehall serve` runs it, without limits on how fast one peer may ask."""
    config = Config(
        port=0,
        sessions=20_000,
        sessions_an_address=20_000,  # all players of a benchmark come from one address
        names_an_address=20_000,
        names_a_day=20_000,
        tables_an_address=20_000,
        requests_a_second=1e9,
        requests_at_once=10**9,
        keep_seconds=keep_seconds,
        house_seconds=0.0,
        web_port=web_port,
    )
    async with trio.open_nursery() as nursery:
        app: App = await nursery.start(partial(serve, config, all_games(), BotHouse(), store=store))
        nursery.start_soon(report)
        prepare_process()
        print(app.port, app.web_port or 0, flush=True)


async def least() -> None:
    """As little as a server of these rules can do."""
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1", backlog=4096)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve_least, listener)
        nursery.start_soon(report)
        prepare_process()
        print(listener.socket.getsockname()[1], flush=True)


async def keeping() -> None:
    """The same, and a finished match can be asked for as long as anybody likes."""
    await hall(keep_seconds=3_600.0)


async def pages() -> None:
    """The real server with its pages for browsers."""
    await hall(web_port=0)


async def disk() -> None:
    """The same with its log on disk."""
    store = open_store(Path(sys.argv[2]))
    commit = store.commit_now

    def counted(writes: Sequence[Write]) -> None:
        commit(writes)
        KEPT[0] += 1
        KEPT[1] += sum(len(data or b"") for _subject, _part, data in writes)

    store.commit_now = counted  # type: ignore[method-assign]
    await hall(store)


async def report() -> None:
    """Answers each line on standard input with what was used so far, as benchmarks.child.Usage has it."""
    stdin = trio.wrap_file(sys.stdin)
    async for _line in stdin:
        usage = resource.getrusage(resource.RUSAGE_SELF)
        print(usage.ru_utime + usage.ru_stime, _resident(), *KEPT, flush=True)


def _resident() -> int:
    """KiB of memory now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() // 1024


if __name__ == "__main__":
    kinds = {
        "echo": echo,
        "kept-echo": kept_echo,
        "least": least,
        "hall": hall,
        "keeping": keeping,
        "disk": disk,
        "pages": pages,
    }
    trio.run(kinds[sys.argv[1]])
