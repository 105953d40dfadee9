"""`magehall tournament standings|report|export --host`: a cup at a server whose folder is not on this machine."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from typer.testing import CliRunner

from client.cli.app import app as cli
from client.house import BotHouse
from games.registry import all_games
from protocol.messages import ClockRule
from server.app import App, serve
from server.config import Config
from server.cups.live_cup import LiveCup
from server.store.sqlite import open_store
from tournaments.bundle import log_lines
from tournaments.cup import FINISHED, PAUSED, RUNNING, STOPPED, CupSettings

CONFIG = Config(port=0, grace=0.01, house_seconds=0.0, goodbye_seconds=0.1)
SECRET = bytes(range(32))


@asynccontextmanager
async def server_with(folder: Path, *, rounds: int, pause_after: int = 0) -> AsyncIterator[tuple[App, LiveCup]]:
    """A server where house bots play a cup for two who are away, to its end or to a pause."""
    store = open_store(folder)
    async with trio.open_nursery() as nursery:
        server: App = await nursery.start(partial(serve, CONFIG, all_games(), BotHouse(), store=store))
        cups = server.lobby.cups
        live = cups.open_cup(
            CupSettings("friday", "ann", "mages-110m", 2, ClockRule(), "round_robin", "fresh", rounds, 1, SECRET)
        )
        for name in ("ann", "bob"):
            cups.enter_entrant(live, name, (name,), 1)
        cups.change_state(live, RUNNING)
        while len(live.cup.results) < pause_after or not (pause_after or live.cup.state == FINISHED):  # noqa: ASYNC110
            await trio.sleep(0.01)
        if pause_after:
            cups.change_state(live, PAUSED)
            while live.cup.running_pairings():  # noqa: ASYNC110
                await trio.sleep(0.01)
        yield server, live
        nursery.cancel_scope.cancel()
    store.close()


async def command(*words: str) -> tuple[int, str]:
    """Runs `magehall tournament` in a thread beside the server."""
    result = await trio.to_thread.run_sync(lambda: CliRunner().invoke(cli, ["tournament", *words]))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


async def test_a_cup_is_exported_from_another_machine_as_from_its_folder_and_holds(tmp_path: Path) -> None:
    async with server_with(tmp_path / "data", rounds=2) as (server, _live):
        there = ("--host", f"127.0.0.1:{server.port}")
        assert (await command("export", "friday", f"{tmp_path}/far.zip", *there))[0] == 0
        assert (await command("export", "friday", f"{tmp_path}/near.zip", "--data", f"{tmp_path}/data"))[0] == 0
        far, near = ((tmp_path / name).read_bytes() for name in ("far.zip", "near.zip"))
        assert far == near
        code, output = await command("audit", f"{tmp_path}/far.zip")
        assert (code, "is valid. friday, 4 matches" in output) == (0, True), output
        assert await command("standings", "friday", *there) == await command(
            "standings", "friday", "--data", f"{tmp_path}/data"
        )


async def test_a_cup_that_goes_on_is_reported_from_another_machine_without_its_secret(tmp_path: Path) -> None:
    async with server_with(tmp_path / "data", rounds=50, pause_after=3) as (server, live):
        there = ("--port", str(server.port))
        code, output = await command(
            "report", "friday", f"{tmp_path}/far.html", "--json", f"{tmp_path}/far.json", *there
        )
        assert code == 0, output
        figures = json.loads((tmp_path / "far.json").read_text())
        assert (figures["state"], figures["secret"]) == ("paused", None)
        assert figures["commitment"] == live.cup.settings.commitment
        assert figures["played"] == len(live.cup.results) >= 3
        assert figures["reasons"], "the replays of the matches were read"
        assert SECRET.hex() not in (tmp_path / "far.html").read_text() + (tmp_path / "far.json").read_text()
        code, output = await command("standings", "friday", *there)
        assert output.startswith(f"friday is paused: {figures['played']} of 100 matches of mages-110m\n")
        code, output = await command("export", "friday", f"{tmp_path}/far.zip", *there)
        told = "magehall: friday is paused. Its secret and its hands become public when it is over.\n"
        assert (code, output, (tmp_path / "far.zip").exists()) == (1, told, False)
        server.lobby.cups.change_state(live, STOPPED)
        assert (await command("export", "friday", f"{tmp_path}/far.zip", *there))[0] == 0
        assert (await command("audit", f"{tmp_path}/far.zip"))[0] == 0


async def test_what_is_wrong_with_a_cup_at_a_server_is_a_sentence(tmp_path: Path) -> None:
    async with server_with(tmp_path / "data", rounds=1) as (server, _live):
        there = ("--port", str(server.port))
        assert await command("standings", "saturday", *there) == (1, "magehall: There is no such cup; try cups.\n")
        code, output = await command("standings", "friday", "--data", "x", *there)
        assert (code, output.startswith("magehall: --data is a folder on this machine")) == (2, True)
    code, output = await command("standings", "friday", *there)
    assert (code, output.startswith(f"magehall: No server answers at 127.0.0.1:{server.port}")) == (1, True)


async def test_a_log_that_tells_of_other_pairings_than_its_settings_make_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(*asked: Any) -> Iterator[str]:
        return (line.replace('"deal":2', '"deal":1') for line in log_lines(*asked))

    monkeypatch.setattr("server.desk.cup_requests.log_lines", wrong)
    async with server_with(tmp_path / "data", rounds=2) as (server, _live):
        code, output = await command("standings", "friday", "--port", str(server.port))
    assert (code, output) == (1, "magehall: Match 2 is not paired as this version pairs it.\n")
