"""A tournament of 32: good bots, bots of the zoo, players from elsewhere, while connections are killed at random."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from client.processes.sandbox import sandbox_error
from client.tournament import run
from client.tournament.plan import TournamentPlan
from client.tournament.tournament_folder import save_plan
from protocol.messages import ClockRule
from server.app import App
from tests.helpers.hall import open_hall

ANIMALS = Path(__file__).parents[1] / "zoo" / "animals.py"
ZOO = ("Asleep", "SometimesIllegal", "Raising", "Vanishing", "FloodingStdout", "HangingUp", "Resigning", "Looping")
GOOD = [f"g{number}={'greedy' if number % 2 else 'random'}" for number in range(20)]
FAR = [f"far{number}" for number in range(4)]


async def free_port() -> int:
    """A port where nobody listens."""
    async with trio.open_nursery() as nursery:
        port = (await open_hall(nursery)).port
        nursery.cancel_scope.cancel()
    return port


def magehall(*words: str) -> subprocess.Popen[bytes]:
    """The command, with what it says thrown away."""
    silent = subprocess.DEVNULL
    return subprocess.Popen([sys.executable, "-m", "magehall", *words], stdout=silent, stderr=silent)


async def kill_connections(app: App, killed: list[str]) -> None:
    """Each of them about once in a minute."""
    chance = random.Random(1)
    while True:
        await trio.sleep(0.25)
        for session in list(app.sessions):
            if chance.random() < 0.004 and session.player is not None:
                with suppress(OSError):
                    session._wire._stream.socket.shutdown(socket.SHUT_RDWR)  # type: ignore[attr-defined]
                    killed.append(session.player.name)


@pytest.mark.soak
@pytest.mark.skipif(bool(sandbox_error()), reason=sandbox_error())
async def test_d17_thirty_two_bots_under_fire_end_with_a_table_that_the_audit_confirms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed: list[str] = []
    honest = run._play

    async def play(app: App, *rest: object) -> list[str]:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(kill_connections, app, killed)
            missing = await honest(app, *rest)  # type: ignore[arg-type]
            nursery.cancel_scope.cancel()
        return missing

    monkeypatch.setattr(run, "_play", play)
    bots = (*GOOD, *(f"{kind}={ANIMALS}:{kind}" for kind in ZOO), *(f"remote:{name}" for name in FAR))
    port = await free_port()
    plan = TournamentPlan("ikasamage", bots, seats=4, rounds=6, seed=5, secret=bytes(32), clock=ClockRule(10.0, 3.0))
    plan = replace(
        plan, concurrency=8, format="swiss", port=port, folder=tmp_path / "cup", where=os.getcwd(), key=bytes(32)
    )
    save_plan(plan)
    far: list[subprocess.Popen[bytes]] = []

    async def come() -> None:
        await trio.sleep(3)
        far.extend(magehall("bot", "run", "greedy", "--port", str(port), "--name", name) for name in FAR)

    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(come)
            result = await run.run_tournament(plan)
    finally:
        for one in far:
            one.terminate()
            one.wait(timeout=20)
    ended = {row.entrant: row.ended for row in result.rows}
    print(f"\n{len(set(killed))} of 32 players lost a connection, {len(killed)} in all")
    assert len(result.matches) == result.planned == 48
    assert len(set(killed)) >= 4
    for name in (*(bot.partition("=")[0] for bot in GOOD), *FAR):
        assert ended[name] == {"played": 6}, name
    bundle = tmp_path / "cup.zip"
    for words in (("export", "cup", "--data", str(plan.folder), str(bundle)), ("audit", str(bundle))):
        command = [sys.executable, "-m", "magehall", "tournament", *words]
        done = await trio.run_process(command, capture_stdout=True, capture_stderr=True, check=False)
        assert done.returncode == 0, done.stderr.decode() + done.stdout.decode()
