"""Those who play whole matches, when they fail: without processes, and without Dask."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio

from client.processes.forks import open_fork_server
from client.tournament import workers
from client.tournament.dask_workers import DaskWorkers, RulesMismatch, play_encoded, scheduler_error
from client.tournament.local_match import BotSetup, MatchJob, PlayedMatch
from client.tournament.workers import CannotContinue, LocalWorkers, run_concurrently
from games.registry import get_game
from matches.fold import MatchHeader
from protocol.messages import ClockRule

ENDS = "import os, sys\nprint('goodbye', file=sys.stderr, flush=True)\nos._exit(3)\n"


async def test_a_file_that_ends_its_process_or_is_not_loaded_in_time_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ends.py").write_text(ENDS)
    bots = [BotSetup("random", (), 1, "ikasamage"), BotSetup(f"{tmp_path}/ends.py:X", (), 1, "ikasamage")]
    async with open_fork_server() as forks:
        local = LocalWorkers(forks, 1)
        assert await local.load(bots) == {1: "Its file ends the process that loads it.\ngoodbye\n"}
        monkeypatch.setattr(workers, "LOAD_SECONDS", 0.0)
        assert await local.load(bots[:1]) == {0: "It did not load in time."}


async def test_the_first_that_cannot_go_on_ends_the_others() -> None:
    begun = list[int]()

    async def play() -> None:
        begun.append(len(begun))
        if len(begun) == 3:
            raise CannotContinue("enough")
        await trio.sleep_forever()

    with pytest.raises(CannotContinue, match="enough"):
        await run_concurrently(3, play)
    assert len(begun) == 3


class Failing:
    """A cluster whose every answer is an error."""

    def __init__(self, _address: str, timeout: float) -> None:
        self.closed = False

    def nthreads(self) -> dict[str, int]:
        return {"one": 2}

    def submit(self, _what: Callable[[bytes], bytes], _data: bytes, **_how: Any) -> Failing:
        return self

    def result(self) -> bytes:
        raise RuntimeError("KilledWorker")

    def close(self) -> None:
        self.closed = True


class OneMatch:
    """Work: one match, of which nothing has to be true."""

    def __init__(self) -> None:
        header = MatchHeader("t1", "toy", {}, (), ClockRule(), bytes(32), bytes(16), (), 0.0)
        self.jobs = [MatchJob(1, header, (), "", "")]

    def next_job(self) -> MatchJob | None:
        return self.jobs.pop() if self.jobs else None

    async def wait_for_job(self) -> bool:
        await trio.sleep_forever()
        raise AssertionError

    def record_match(self, played: PlayedMatch) -> None:
        raise AssertionError(played)


async def test_a_cluster_that_fails_ends_the_tournament_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    class Distributed:
        Client = Failing

    monkeypatch.setattr("importlib.import_module", lambda _name: Distributed)
    cluster = DaskWorkers("here:1")
    with pytest.raises(CannotContinue, match=r"The Dask cluster failed: RuntimeError: KilledWorker"):
        await cluster.run(OneMatch())
    with pytest.raises(CannotContinue, match="KilledWorker"):
        await cluster.load([BotSetup("random", (), 1, "ikasamage")])
    cluster.close()


def test_a_worker_with_other_rules_or_cards_of_the_game_plays_nothing() -> None:
    game = get_game("ikasamage")
    header = MatchHeader("t1", game.id, {}, (), ClockRule(), bytes(32), bytes(16), (), 0.0)
    for rules, cards in (("other", game.cards_digest), (game.rules_version, "other")):
        job = msgspec.msgpack.encode(MatchJob(1, header, (), rules, cards))
        with pytest.raises(RulesMismatch, match="other rules or cards of ikasamage"):
            play_encoded(job)


@pytest.mark.parametrize(
    ("greeting", "why"),
    [
        (b"magehall 1 in, text or json\r\n", "another program answers there"),
        (b"HTTP", "another program answers there"),
        (b"", "another program answers there"),
        (None, "nothing answers there"),
        (b"\x20\0\0\0\0\0\0\0 and so on", ""),
    ],
)
async def test_what_is_no_dask_scheduler_is_told_in_a_sentence_without_asking_for_memory(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch, greeting: bytes | None, why: str
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: object())
    monkeypatch.setattr("client.tournament.dask_workers.CONNECT_SECONDS", 0.3 if greeting is None else 30.0)

    async def answer(stream: trio.SocketStream) -> None:
        if greeting is None:
            await trio.sleep_forever()
        else:
            await stream.send_all(greeting)

    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    nursery.start_soon(trio.serve_listeners, answer, [listener])
    address = f"127.0.0.1:{listener.socket.getsockname()[1]}"
    told = await scheduler_error(address)
    assert told == (f"There is no Dask scheduler at {address}: {why}." if why else "")
    nursery.cancel_scope.cancel()
