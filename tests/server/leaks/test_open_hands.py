"""The leak gate at tables where spectators see all hands later: until the delay is over the bytes are the same.

Whoever plays looks on under other names there, too. The worlds part at one decision, and the comparison ends before
that decision is as old as the delay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest

from games.registry import all_games
from protocol import messages as m
from server.table.delayed_view import DelayedView
from server.table.live import LiveMatch
from server.table.table import Table
from tests.helpers.toy import TOY
from tests.helpers.wire import FACES
from tests.server.leaks.plants import Plant, answer_anew, pass_gate, replaced, retell, truth, wrap
from tests.server.leaks.two_worlds import DECISIONS_A_DELAY, Case, Leak

SEATS, DELAY = 3, 60
STEPS = DECISIONS_A_DELAY - 1


def toy_cases(every: int = 1) -> Iterator[Case]:
    """Every observer and face, worlds that part at every other decision, servers that are killed, too; or every other
    observer, the others at the next decision."""
    for at in range(0, 3 * SEATS - 1, 2):
        for observer in (None, *range(1, SEATS + 1))[(at // 2 + at // 4) % every :: every]:
            face, more = FACES[(at + (observer or 0)) % len(FACES)], {"steps": STEPS, "delay": DELAY}
            yield Case(TOY, SEATS, observer, at, at, face, retell, restart=at % 4 == 2, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("every", [2, pytest.param(1, marks=pytest.mark.soak)])
async def test_g22_until_the_delay_is_over_no_observer_is_sent_a_different_byte(
    every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await pass_gate(toy_cases(every), monkeypatch) > 100 / every


def real_cases(game_id: str, moments: tuple[int, ...], *, both: bool = True) -> Iterator[Case]:
    """Spectators and two seats, or one."""
    game = all_games()[game_id]
    seats = min(3, game.max_seats)
    for at in moments:
        for place, observer in enumerate((None, seats, 1)[: 2 + both]):
            yield Case(
                *(game, seats, observer, at), number=at, face=FACES[(at + place) % len(FACES)], steps=STEPS, delay=DELAY
            )


@pytest.mark.parametrize("game_id", sorted(all_games()))
async def test_g22_in_a_real_game_no_observer_is_sent_a_different_byte(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await pass_gate(real_cases(game_id, (9,), both=False), monkeypatch) > 10


@pytest.mark.soak
@pytest.mark.parametrize("game_id", sorted(all_games()))
async def test_g22_in_many_real_matches_no_observer_is_sent_a_different_byte(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await pass_gate(real_cases(game_id, tuple(range(0, 60, 4))), monkeypatch) > 200


# -- planted leaks -----------------------------------------------------------------------------------------------------

PLANTS: dict[str, Plant] = {}


def plant(function: Plant) -> Plant:
    PLANTS[function.__name__] = function
    return function


@plant
def hands_are_shown_as_they_are_now(monkeypatch: pytest.MonkeyPatch) -> None:
    wrap(monkeypatch, DelayedView, "advance", lambda original, delayed, *_: original(delayed, float("inf"), ()))


@plant
def hands_are_shown_after_half_the_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    wrap(
        monkeypatch,
        DelayedView,
        "advance",
        lambda original, delayed, until, _: original(delayed, until + DELAY / 2, ()),
    )


@plant
def hands_of_a_match_that_is_restarted_are_shown_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def take_up(original: Any, table: Table, *kept: Any) -> None:
        original(table, *kept)
        table.delay = 1
        monkeypatch.setattr(LiveMatch, "seats_in_play", lambda _live: ())

    wrap(monkeypatch, Table, "resume_match", take_up)


@plant
def the_moment_shown_depends_on_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    def hands(original: Callable[..., Any], here: Any, request: m.Hands, table: Table, hearer: int) -> Any:
        give, luck = here.peer.send_answer, sum(truth(table).hands[0])
        monkeypatch.setattr(here.peer, "send_answer", lambda answer: give(replaced(answer, at=answer.at + luck)))
        yield from original(here, request, table, hearer)
        monkeypatch.setattr(here.peer, "send_answer", give)

    answer_anew(monkeypatch, m.Hands, hands)


LATE = {  # the place of the first case in which a leak shows; those before it only take time
    "hands_are_shown_after_half_the_delay": 5,
    "hands_of_a_match_that_is_restarted_are_shown_at_once": 5,
}


@pytest.mark.parametrize("name", PLANTS)
async def test_g22_the_gate_catches_a_leak_of_open_hands(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    PLANTS[name](monkeypatch)
    cases = islice(toy_cases(), LATE.get(name, 0), None)
    with pytest.raises(Leak):
        await pass_gate(cases, monkeypatch)
