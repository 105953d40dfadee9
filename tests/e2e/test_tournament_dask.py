"""A tournament on the workers of a Dask cluster; skipped where Dask is not installed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from client.tournament.run import run_tournament
from client.tournament.workers import CannotContinue
from tests.e2e.test_tournament_local import PLAN, told


@pytest.fixture
def cluster() -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of a scheduler with two workers, and one of these."""
    pytest.importorskip("distributed", reason="Dask is not installed: pip install 'magehall[dask]'")
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": str(Path(__file__).parents[2])}
    scheduler = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "distributed.cli.dask_scheduler",
            "--port",
            "0",
            "--no-dashboard",
            "--host",
            "127.0.0.1",
        ],
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert scheduler.stderr is not None
    address = next(line for line in scheduler.stderr if "Scheduler at:" in line).split()[-1]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard"]
    workers = [
        subprocess.Popen([*worker, "--no-nanny"], stderr=subprocess.DEVNULL, text=True, env=environment)
        for _ in range(2)
    ]
    yield address.removeprefix("tcp://"), workers[0]
    processes: list[subprocess.Popen[str]] = [*workers, scheduler]
    for process in processes:
        process.kill()
        process.communicate()


@pytest.mark.filterwarnings("default")
async def test_on_a_cluster_the_same_table_comes_out_though_a_worker_is_killed(
    cluster: tuple[str, subprocess.Popen[str]],
) -> None:
    address, worker = cluster
    plan = replace(PLAN, local=True, rounds=4)
    seen: list[int] = []

    def on_match(done: int, _planned: int) -> None:
        seen.append(done)
        if done == 5:
            worker.kill()

    assert told(plan, await run_tournament(replace(plan, workers=address), on_match)) == told(
        plan, await run_tournament(plan)
    )
    assert seen == list(range(21))


@pytest.mark.filterwarnings("default")
async def test_without_dask_or_a_scheduler_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.tournament.dask_workers.CONNECT_SECONDS", 0.2)
    with pytest.raises(CannotContinue, match="Dask"):
        await run_tournament(replace(PLAN, local=True, workers="127.0.0.1:1"))
