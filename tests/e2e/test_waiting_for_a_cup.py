"""`magehall bot run --cup`: started before the server and the cup, and started again in the middle."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from bots.sdk.link import Identity, Link, open_link, tcp
from client.house import BotHouse
from games.registry import all_games
from protocol import messages as m
from server.app import App, serve
from server.config import Config

COMMAND = [sys.executable, "-m", "magehall", "bot", "run", "random", "--name", "early", "--cup", "friday"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Bot:
    """The command while it runs: what it said so far."""

    def __init__(self, process: trio.Process) -> None:
        self.process, self.said = process, ""

    async def says(self, text: str) -> None:
        """Waits until the command has said that."""
        assert self.process.stderr is not None
        with trio.fail_after(20):
            while text not in self.said:
                data = await self.process.stderr.receive_some()
                assert data, self.said
                self.said += bytes(data).decode()


@asynccontextmanager
async def bot_run(port: int, state: Path) -> AsyncIterator[Bot]:
    env = {**os.environ, "XDG_STATE_HOME": str(state)}
    command = [*COMMAND, "--port", str(port)]
    process = await trio.lowlevel.open_process(command, stderr=-1, env=env)
    try:
        yield Bot(process)
    finally:
        process.kill()
        await process.wait()


@asynccontextmanager
async def owner_at(port: int) -> AsyncIterator[tuple[App, Link]]:
    async with trio.open_nursery() as nursery:
        app: App = await nursery.start(serve, Config(port=port, grace=30.0), all_games(), BotHouse())
        async with open_link(tcp("127.0.0.1", port), Identity("owner", bot=True)) as owner:
            yield app, owner
        nursery.cancel_scope.cancel()


async def test_a_bot_waits_for_the_server_and_for_its_cup_and_says_so(tmp_path: Path) -> None:
    port = free_port()
    async with bot_run(port, tmp_path) as bot:
        await bot.says(f"No server at 127.0.0.1:{port} yet (Connection refused); waiting for it. Ctrl-C ends.\n")
        async with owner_at(port) as (_app, owner):
            await owner.ask(m.CupOpen(id=1, cup="thursday", game="mages-110m"), m.CupReply)
            await bot.says("There is no cup friday yet (cups there: ")
            await owner.ask(m.CupOpen(id=1, cup="Friday", game="mages-110m", seats=2, rounds=1), m.CupReply)
            await bot.says("early has entered Friday: open, 0 matches played.\n")


async def test_a_bot_that_is_started_again_says_at_which_tables_of_its_cup_it_plays_on(tmp_path: Path) -> None:
    port = free_port()
    async with owner_at(port) as (app, owner):
        cup = m.CupOpen(id=1, cup="friday", game="mages-110m", seats=2, rounds=1)
        await owner.ask(cup, m.CupReply)
        await owner.ask(m.CupEnter(id=1, cup="friday"), m.CupReply)  # it never decides, so the match goes on
        async with bot_run(port, tmp_path) as bot:
            await bot.says("early has entered friday")
            await owner.ask(m.CupStart(id=1, cup="friday"), m.CupReply)
            await bot.says("seated at mages-110m")
            bot.process.send_signal(signal.SIGKILL)
        while (early := app.lobby.people.find_player("early")) is not None and early.listener is not None:  # noqa: ASYNC110
            await trio.sleep(0.02)
        async with bot_run(port, tmp_path) as bot:
            await bot.says("early has entered friday: running, 0 matches played.\nearly continues at t1.\n")
