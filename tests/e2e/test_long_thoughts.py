"""A bot that thinks for longer than a server waits for a sign of life, within its clock: D24 of the abuse list."""

from __future__ import annotations

import os
import shlex
import sys
import threading
import time
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from bots.random import RandomBot
from bots.sdk import heartbeat
from bots.sdk.bot import Turn
from bots.sdk.link import Identity, open_link, tcp
from bots.sdk.runner import FinishedMatch, Runner
from bots.sdk.seat import take_seat
from bots.sdk.tokens import Tokens
from client.house import BotHouse
from games.api import Action
from games.registry import all_games
from protocol import messages as m
from server import app as server_app
from server.app import App, serve
from server.config import Config

SLOW = Path(__file__).with_name("slow.py")
SECONDS = 4.0
BOTS = {
    "python": [f"{SLOW}:Slow", "--option", f"seconds={SECONDS}"],
    "program": [f"cmd:{shlex.quote(sys.executable)} {SLOW} {SECONDS}"],
}
PATIENT = m.ClockRule(900.0, 60.0)


@pytest.mark.parametrize(("bot", "face"), [("python", "msgpack"), ("program", "json")])
async def test_d24_a_bot_that_thinks_longer_than_the_silence_limit_stays(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch, bot: str, face: str, tmp_path: Path
) -> None:
    monkeypatch.setattr(server_app, "SILENCE_LOOK_SECONDS", 0.05)
    config = Config(port=0, clock=PATIENT, house_seconds=0.0, silent_seconds=0.4, sign_seconds=1.5)
    app: App = await nursery.start(serve, config, all_games(), BotHouse())
    command = [sys.executable, "-m", "magehall", "bot", "run", *BOTS[bot], "--port", str(app.port), "--face", face]
    command += ["--open", "mages-110m", "--add", "hurdler"]
    env = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    with trio.fail_after(60):
        done = await trio.run_process(command, capture_stdout=True, capture_stderr=True, env=env, check=False)
    assert b"(played)" in done.stdout, done.stderr
    assert b"onnect" not in done.stderr, "its connection was never lost"
    nursery.cancel_scope.cancel()


class Thinker(RandomBot):
    """Its first decision lasts until it is released."""

    thinks, released = threading.Event(), threading.Event()

    def choose(self, turn: Turn) -> Action:
        if turn.number == 1:
            self.thinks.set()
            assert self.released.wait(200)
        return super().choose(turn)


async def play(port: int, folder: Path, finished: list[FinishedMatch]) -> None:
    runner = Runner(Thinker, all_games(), 1, on_finish=finished.append)
    me = Identity("ponderer", f"127.0.0.1:{port}", bot=True)
    async with open_link(tcp("127.0.0.1", port), me, Tokens(folder), hearer=runner) as link:
        await take_seat(link, "mages-110m", seats=2, bots=["hurdler"], clock=PATIENT)
        await runner.wait_until_finished(1)


async def until_heard(app: App, clock: MockClock) -> None:
    """Virtual time goes on until the server asks for a sign, and real time until it has heard one."""
    (session,) = app.sessions
    while not session._sign._asked:
        clock.jump(5)
        await trio.lowlevel.checkpoint()
        await trio.to_thread.run_sync(time.sleep, 0.001)
    deadline = time.monotonic() + 30
    while session._sign._asked:
        assert time.monotonic() < deadline
        await trio.to_thread.run_sync(time.sleep, 0.01)


async def a_moment(clock: MockClock) -> None:
    """Lets a hundredth of a second pass, both real and virtual: the server may wait for either."""
    await trio.to_thread.run_sync(time.sleep, 0.01)
    clock.jump(0.01)


@pytest.mark.timeout(300)  # virtual time passes in small steps of real time
def test_d24_a_decision_of_345_virtual_seconds_within_its_clock_is_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(heartbeat, "LOOK_SECONDS", 0.02)
    finished: list[FinishedMatch] = []
    clock = MockClock()

    async def server() -> float:
        async with trio.open_nursery() as nursery:
            app: App = await nursery.start(serve, Config(port=0, house_seconds=0.0), all_games(), BotHouse())
            nursery.start_soon(trio.to_thread.run_sync, trio.run, play, app.port, tmp_path, finished)
            while not Thinker.thinks.is_set():
                await a_moment(clock)
            begun = trio.current_time()
            await until_heard(app, clock)
            clock.jump(345 - (trio.current_time() - begun))
            took = trio.current_time() - begun
            assert len(app.sessions) == 1
            Thinker.released.set()
            while not finished:
                await a_moment(clock)
            nursery.cancel_scope.cancel()
        return took

    assert trio.run(server, clock=clock) >= 344.99
    assert [one.how for one in finished] == ["played"]
