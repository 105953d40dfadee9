"""The leak gate over restarts: servers of two worlds are killed, and whoever comes back is sent the same bytes.

The soak compares a hundred thousand times a game, half of the matches with a restart, which takes some twenty minutes
a game; the environment's COMPARISONS says another number.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count, islice
from typing import Any

import pytest

from games.api import Game
from games.registry import all_games
from server.table.table import Table
from tests.helpers.toy import TOY
from tests.helpers.wire import FACES
from tests.server.leaks.plants import pass_gate, retell, truth, wrap
from tests.server.leaks.two_worlds import Case, Leak

COMPARISONS = int(os.environ.get("COMPARISONS", "100000"))
EVERY_GAME = pytest.mark.parametrize("game_id", sorted(all_games()))


def toy_cases(every: int = 1) -> Iterator[Case]:
    """Every observer and every face; or every other observer, the others at the next moment."""
    for at in range(5):
        for observer in (None, 1, 2, 3)[at % every :: every]:
            face = FACES[at % len(FACES)]
            yield Case(TOY, 3, observer, at, face=face, retell=retell, number=at, restart=True)


@pytest.mark.parametrize("every", [2, pytest.param(1, marks=pytest.mark.soak)])
async def test_in_two_worlds_of_the_toy_game_that_are_restarted_no_observer_is_sent_a_different_byte(
    every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await pass_gate(toy_cases(every), monkeypatch) > 100 / every


@EVERY_GAME
async def test_in_two_worlds_of_a_real_game_that_are_restarted_no_observer_is_sent_a_different_byte(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some observers early, some late; all of them at all moments are in the soak."""
    game = all_games()[game_id]
    observers = (None, 1, min(3, game.max_seats))
    cases = (
        Case(game, min(3, game.max_seats), observer, at, number=at, face=FACES[place], steps=6, restart=True)
        for at, (place, observer) in zip((3, 18, 3), enumerate(observers), strict=True)
    )
    assert await pass_gate(cases, monkeypatch) > 5


async def test_g09_the_gate_catches_a_leak_that_only_a_restart_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    def take_up(original: Any, table: Table, *kept: Any) -> None:
        original(table, *kept)
        table.options["luck"] = str(truth(table).hands)

    wrap(monkeypatch, Table, "resume_match", take_up)
    with pytest.raises(Leak):  # not before the tenth case
        await pass_gate(islice(toy_cases(), 9, None), monkeypatch)


def many_cases(game: Game) -> Iterator[Case]:
    """Without end: seats, observers, faces, moments and deals in turn."""
    for number in count():
        for seats in range(game.min_seats, game.max_seats + 1):
            for observer in (None, *range(1, seats + 1)):
                at = (number, 3 * number + 5, 9 * number + 20)[number % 3] % 90
                face = FACES[number % len(FACES)]
                yield Case(game, seats, observer, at, number=number, face=face, steps=8, restart=number % 2 == 1)


@pytest.mark.soak
@pytest.mark.timeout(7_200)
@EVERY_GAME
async def test_in_thousands_of_worlds_of_a_real_game_no_observer_is_sent_a_different_byte(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = matches = restarted = 0
    for case in many_cases(all_games()[game_id]):
        compared += await pass_gate([case], monkeypatch)
        matches += 1
        restarted += case.restart
        if compared >= COMPARISONS:
            break
    print(f"\n{game_id}: {compared} comparisons, {matches} matches, {restarted} restarted, 0 different bytes")
