"""What the lab counts of each match, and what the chance of each match is made of."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar, Self

import pytest

from bots.random import RandomBot
from bots.sdk import Bot
from bots.sdk.lab import deals, luck, plan_of
from bots.sdk.lab.blame import exits_told, failure
from bots.sdk.lab.deals import (
    AHEAD,
    Counted,
    Plan,
    Watcher,
    _count,
    _deaf_to_interrupts,
    _only_play,
    play_deal,
    played,
    words_of,
)
from games.api import Action, IllegalAction, Outcome, Seat, State
from games.lab import Found
from games.registry import get_game
from languages import speaking
from tests.bots.coin import COIN, CoinState, Say

OUTCOME = Outcome((5, 1, 1), (1, 2, 2), "by far", "Seat 1 wins by far.")
SHARED = Outcome((5, 5, 1), (1, 1, 3), "together", "Seats 1 and 2 win.")


class Counts:
    """A game's own figures: seats 1 and 3 have cast a spell, seat 2 none."""

    def watch(self, state: State, seat: Seat, action: Action) -> None:
        pass

    def end(self, state: State, outcome: Outcome) -> Found:
        groups = {"cast": {"fire": {1, 3}, "none": {2}}}
        return Found(7, groups, {"held": {"rope": (1, 3)}}, {"spells": 2.0})


class Forced(CoinState):
    def legal_actions(self, seat: Seat) -> Sequence[Action]:
        return [Say(True)]


def watched() -> Watcher:
    """After three decisions, of which the last was none."""
    watcher = Watcher(Counts())
    for seat, state in ((1, CoinState()), (2, CoinState()), (1, Forced())):
        watcher.watch(state, seat, Say(True))
    return watcher


def test_of_a_match_the_lab_counts_who_won_where_and_how_and_what_the_game_adds() -> None:
    counted = Counted()
    _count(counted, ["ann", "bob", "ann"], OUTCOME, watched())
    assert counted.wins == {
        ("seat", "1"): [1.0, 1.0], ("seat", "2"): [0.0, 1.0], ("seat", "3"): [0.0, 1.0],
        ("bot", "ann"): [1.0, 2.0], ("bot", "bob"): [0.0, 1.0],
        ("cast", "fire"): [1.0, 2.0], ("cast", "none"): [0.0, 1.0],
    }  # fmt: skip
    assert counted.shares == {
        ("wins", "shared"): [0.0, 1.0], ("turns", "without a choice"): [1.0, 3.0], ("held", "rope"): [1.0, 3.0],
    }  # fmt: skip
    _count(counted, ["bob", "ann", "ann"], SHARED, watched())
    assert counted.wins["bot", "ann"] == [1.5, 4.0]
    assert counted.wins["cast", "none"] == [0.5, 2.0], "seat 2 shared the win"
    assert counted.shares["wins", "shared"] == [1.0, 2.0]
    assert (counted.matches, counted.endings) == (2, {"by far": 1, "together": 1})
    assert counted.means == {"decisions": [3.0, 3.0], "rounds": [7.0, 7.0], "spells": [2.0, 2.0]}


Seated = list[tuple[int, int, list[str]]]


@pytest.fixture
def seated(monkeypatch: pytest.MonkeyPatch) -> Seated:
    """For each match that the lab plays: the deal, the number that its bots' chance is made of, and who sits where."""
    found: Seated = []

    def play(
        _plan: Plan, deal: int, number: int, order: Sequence[str], _kinds: Mapping[str, type[Bot]], _watch: Watcher
    ) -> Outcome:
        found.append((deal, number, [*order]))
        return OUTCOME

    for module in (deals, luck):
        monkeypatch.setattr(module, "play_seated", play)
    monkeypatch.setattr(deals, "lab_of", lambda _game: None)
    return found


def test_every_match_of_the_lab_has_a_number_of_its_own_for_the_chance_of_its_bots(seated: Seated) -> None:
    plan = plan_of(get_game("ikasamage"), ["greedy", "random", "random"])
    for deal in (0, 1):
        play_deal(plan, deal)
    first, second, third = (
        ["greedy", "random", "random"],
        ["random", "random", "greedy"],
        ["random", "greedy", "random"],
    )
    assert seated == [(0, 0, first), (0, 1, second), (0, 2, third), (1, 3, first), (1, 4, second), (1, 5, third)]


def test_luck_follows_one_bot_from_seat_to_seat_among_equals_and_then_among_weaker_ones(seated: Seated) -> None:
    equals, weaker = luck.results(plan_of(get_game("ikasamage"), ["random"], 3), 1)
    alike, low = "random", "random, weaker"
    assert seated == [
        *((1, number, [alike] * 3) for number in (6, 7, 8)),
        *((1, 9 + at, [alike if seat == at else low for seat in range(3)]) for at in range(3)),
    ]
    assert equals == weaker == [(1.0, 4.0), (0.0, -2.0), (0.0, -2.0)], "its share of the win, and its lead"


def test_a_bot_s_file_is_read_anew_for_each_measurement(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    plan = Plan("magecraft", (f"{file}:Mine", "random"), 1)

    def number_of(plan: Plan, _deal: int) -> object:
        return vars(deals.kinds_of(plan.bots)[f"{file}:Mine"])["NUMBER"]

    for number in (1, 20):  # so that the size differs, whatever the clock of the files says
        file.write_text(f"from bots.random import RandomBot\n\nclass Mine(RandomBot):\n    NUMBER = {number}\n")
        assert list(played(plan, 1, number_of)) == [number]


class Pool:
    """In the place of processes: a deal is played when its result is asked for."""

    waiting = most = workers = 0
    ended = list[bool]()
    _processes: ClassVar[dict[int, object]] = {}

    def __init__(self, workers: int, **_how: object) -> None:
        Pool.workers, Pool.waiting, Pool.most, Pool.ended = workers, 0, 0, []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        pass

    def submit(self, play: Callable[[Plan, int], int], plan: Plan, deal: int) -> Pool:
        Pool.waiting += 1
        Pool.most = max(Pool.most, Pool.waiting)
        later = copy(self)
        later.result = partial(play, plan, deal)  # type: ignore[attr-defined]
        return later

    def shutdown(self, *, wait: bool, cancel_futures: bool) -> None:
        assert not wait
        self.ended.append(cancel_futures)


def test_each_of_several_processes_has_a_few_deals_before_it_and_the_rest_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(deals, "ProcessPoolExecutor", Pool)

    def play(_plan: Plan, deal: int) -> int:
        Pool.waiting -= 1
        return deal

    plan = Plan("magecraft", ("random", "random"), 20)
    assert list(played(plan, 2, play)) == [*range(20)]
    assert (Pool.workers, Pool.most, Pool.ended) == (2, 2 * AHEAD, [])
    assert list(played(plan, 50, play)) == [*range(20)]
    assert Pool.workers == 20, "no process has nothing to do"
    some = played(plan, 2, play)
    assert isinstance(some, Generator)
    assert next(some) == 0
    some.close()
    assert Pool.ended == [True], "what was not begun is not played any more"


def test_words_of_the_lab_and_of_the_game_are_said_in_the_language_of_whoever_reads() -> None:
    game = get_game("magecraft")
    with speaking("fr"):
        assert [words_of(game)(word) for word in ("seat", "turn order", "fireball")] == [
            "siège", "ordre de jeu", "fireball",
        ]  # fmt: skip
    assert words_of(COIN)("seat") == "seat"


@pytest.mark.parametrize("last", [None, ("ann", Say(True))])
def test_an_error_in_which_no_bot_had_a_part_is_the_game_s_own(last: tuple[str, Action] | None) -> None:
    error = ValueError("a fault of the rules")
    assert failure(error, 0, {"ann": RandomBot}, last) is error
    illegal = IllegalAction("not_now", "Not now.")
    assert (failure(illegal, 0, {"ann": RandomBot}, last) is illegal) == (last is None)


def test_an_illegal_action_is_told_with_who_did_it_in_which_deal_and_why() -> None:
    said = failure(IllegalAction("not_now", "Not now."), 4, {}, ("ann", Say(True)))
    assert str(said) == "ann did in deal 5 what is illegal: {'do': 'say', 'heads': True}: Not now."


# -- processes ---------------------------------------------------------------------------------------------------------


def test_while_a_bot_plays_os_exit_raises_and_afterwards_it_is_the_real_one_again() -> None:
    real = os._exit
    with pytest.raises(SystemExit, match=r"^os\._exit\(3\), which ends the process with that exit code$"), exits_told():
        os._exit(3)
    assert os._exit is real


def test_a_process_that_a_bot_forked_really_exits(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    monkeypatch.setattr(os, "_exit", ended.append)
    with pytest.raises(SystemExit), exits_told():
        os._exit(3)
    assert ended == []
    with suppress(SystemExit), exits_told():
        monkeypatch.setattr(os, "getpid", lambda: -1)  # as there
        os._exit(3)
    assert ended == [3]


def test_interrupts_are_not_heard_while_workers_begin() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with _deaf_to_interrupts():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_in_a_thread_where_that_cannot_be_said_interrupts_stay_as_they_are() -> None:
    found: list[object] = []

    def work() -> None:
        with _deaf_to_interrupts():
            found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [signal.getsignal(signal.SIGINT)]


def test_a_worker_prints_to_stderr_hears_no_interrupt_and_ends_with_who_asked_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    did: list[object] = []
    parent = SimpleNamespace(join=lambda: did.append("the parent has ended"))
    monkeypatch.setattr(os, "dup2", lambda source, target: did.append((source, target)))
    monkeypatch.setattr(signal, "signal", lambda number, handler: did.append((number, handler)))
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: parent)
    monkeypatch.setattr(deals, "_exit", lambda _code: did.append("exit"))
    before = {*threading.enumerate()}
    _only_play()
    for thread in {*threading.enumerate()} - before:
        assert thread.daemon
        thread.join()
    assert did[:2] == [(2, 1), (signal.SIGINT, signal.SIG_IGN)]
    assert did[2:] == ["the parent has ended", "exit"]
