"""What becomes of the processes that play many matches, when they end, fail, or are asked for what there is not."""

from __future__ import annotations

import multiprocessing
import os
from multiprocessing.process import BaseProcess
from pathlib import Path

import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError

from bots.sdk import Bot, Turn
from bots.sdk.adapters.vector import HallVectorEnv
from games.api import Action


class Unusual(Exception):
    """Cannot be made again from what its base class keeps."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} and {other}")


class Stubborn(Bot):
    """Fails at its first decision, in a way of its own."""

    def choose(self, turn: Turn) -> Action:
        raise Unusual(1, 2)


class Gone(Bot):
    """Takes its process along."""

    def choose(self, turn: Turn) -> Action:
        os._exit(1)


def begun(*envs: HallVectorEnv) -> list[BaseProcess]:
    """The processes of now."""
    assert all(not env.closed for env in envs)
    return multiprocessing.active_children()


def test_closing_ends_the_processes_though_others_were_started_later() -> None:
    first = HallVectorEnv("mages-110m", ["random"], 2, processes=2)
    processes = begun(first)
    daemons = [process.daemon for process in processes]
    second = HallVectorEnv("mages-110m", ["random"], 2, processes=1)
    first.close()
    assert not set(processes) & set(begun(second))
    second.reset(seed=1)
    second.close()
    assert begun() == []
    with pytest.raises(ClosedEnvironmentError):
        second.step(np.array([0, 0]))
    assert daemons == [True, True], "a program that does not close them ends all the same"


def test_what_a_bot_raises_is_told_each_time_and_no_answer_is_taken_for_another() -> None:
    envs = HallVectorEnv("mages-110m", [Stubborn], 4, processes=2, seat=2)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="Unusual: 1 and 2"):
            envs.reset(seed=1)
    assert len(begun(envs)) == 2
    envs.close()


def test_where_a_process_is_gone_all_are_closed() -> None:
    envs = HallVectorEnv("mages-110m", [Gone], 4, processes=2, seat=2)
    with pytest.raises(RuntimeError, match="is gone"):
        envs.reset(seed=1)
    assert begun() == []
    with pytest.raises(ClosedEnvironmentError):
        envs.reset(seed=1)


def test_bots_of_files_play_too_where_processes_are_not_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from magehall import Bot\n\n\nclass Mine(Bot):\n    def choose(self, turn):\n        return turn.legal[0]\n"
    )
    monkeypatch.setattr("multiprocessing.Process", multiprocessing.get_context("spawn").Process)
    envs = HallVectorEnv("mages-110m", [f"{file}:Mine"], 1)
    assert envs.reset(seed=1)[1]["action_mask"].any()
    envs.close()


@pytest.mark.parametrize("count", [1, 5])
def test_every_match_needs_its_action(count: int) -> None:
    envs = HallVectorEnv("mages-110m", ["random"], 4, processes=2)
    _, infos = envs.reset(seed=1)
    with pytest.raises(ValueError, match="4 matches take as many actions"):
        envs.step(np.zeros(count, np.int64))
    envs.step(infos["action_mask"].argmax(axis=1))
    envs.close()


@pytest.mark.parametrize(("matches", "processes", "why"), [(0, 1, "has to be a match"), (4, -1, "no -1 processes")])
def test_fewer_than_none_are_refused(matches: int, processes: int, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        HallVectorEnv("mages-110m", ["random"], matches, processes=processes)


def test_a_key_that_is_pressed_while_answers_are_awaited_closes_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def pressed(_self: object) -> None:
        raise KeyboardInterrupt

    envs = HallVectorEnv("mages-110m", ["random"], 1)
    with monkeypatch.context() as patch:
        patch.setattr("multiprocessing.connection.Connection.recv", pressed)
        with pytest.raises(KeyboardInterrupt):
            envs.reset(seed=1)
    assert envs.closed
    assert begun() == []
