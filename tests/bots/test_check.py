"""The compliance check: each fault is found, named, and comes with advice; a sound bot passes."""

from __future__ import annotations

import itertools
import os
import random
import time
from typing import ClassVar

import pytest

from bots.random import RandomBot
from bots.sdk import Bot, Turn
from bots.sdk.check import (
    GROWTH_A_MATCH,
    GROWTH_BYTES,
    _FaultNotes,
    _ms,
    _weigh,
    check,
    first_choices,
)
from games.api import Action, Event, Outcome
from games.registry import get_game
from tests.helpers.toy import TOY, Play

GAMES = {TOY.id: TOY}
COUNT = itertools.count()
HELD: list[bytearray] = []


class Sound(Bot):
    def choose(self, turn: Turn) -> Action:
        return self.rng.choice(turn.legal)


class Raises(Sound):
    def choose(self, turn: Turn) -> Action:
        return self.plan()

    def plan(self) -> Action:
        raise KeyError("no plan")


class RaisesWhenMade(Sound):
    def __init__(self, seed: int) -> None:
        raise RuntimeError("not today")


class RaisesAtTheEnd(Sound):
    def end(self, outcome: Outcome) -> None:
        raise RuntimeError("sore loser")


class RaisesWhenItHears(Sound):
    def hear(self, event: Event) -> None:
        raise RuntimeError("deaf")


class Illegal(Sound):
    def choose(self, turn: Turn) -> Action:
        return Play(99)


class WrongType(Sound):
    def choose(self, turn: Turn) -> Action:
        return 0  # type: ignore[return-value]  # on purpose: the check must find it


class Slow(Sound):
    def choose(self, turn: Turn) -> Action:
        if turn.number == 2:
            time.sleep(0.012)
        return turn.legal[0]


class Stuck(Sound):
    def choose(self, turn: Turn) -> Action:
        while True:
            try:
                time.sleep(1)
            except Exception:  # not even this keeps it going
                continue


class GlobalRandom(Sound):
    def choose(self, turn: Turn) -> Action:
        return random.choice(turn.legal)


class Urandom(Sound):
    def choose(self, turn: Turn) -> Action:
        return turn.legal[os.urandom(1)[0] % len(turn.legal)]


class Grows(Sound):
    def choose(self, turn: Turn) -> Action:
        HELD.append(bytearray(b"x" * (1 << 20)))
        return turn.legal[0]


class Remembers(Sound):
    def choose(self, turn: Turn) -> Action:
        return turn.legal[next(COUNT) // 2 % len(turn.legal)]


class Pops(Sound):
    def choose(self, turn: Turn) -> Action:
        assert isinstance(turn.legal, list)
        choice: Action = turn.legal.pop()
        return choice


class Prints(Sound):
    def choose(self, turn: Turn) -> Action:
        print("thinking")
        return turn.legal[0]


@pytest.mark.parametrize("kind", [Sound, RandomBot])
def test_a_sound_bot_passes(kind: type[Bot]) -> None:
    report = check("sound", kind, GAMES, seed=1, matches=6)
    assert report.ok
    assert [(facts.game, facts.matches, facts.decisions) for facts in report.facts] == [("toy", 6, 18)]


@pytest.mark.parametrize(
    ("kind", "code", "text"),
    [
        (Raises, "raised", "match 1, turn 1: choose: KeyError: 'no plan' (plan, line "),
        (RaisesWhenMade, "raised", "match 1: creating the bot: RuntimeError: not today"),
        (RaisesAtTheEnd, "raised", "match 1: end: RuntimeError: sore loser"),
        (RaisesWhenItHears, "raised", "match 1: hear: RuntimeError: deaf"),
        (Illegal, "illegal", "match 1, turn 1: {'do': 'play', 'card': 99}"),
        (WrongType, "wrong_type", "match 1, turn 1: 0"),
        (Slow, "slow", "match 1, turn 2: "),
        (Stuck, "stuck", "match 1, turn 1: choose took more than"),
        (GlobalRandom, "global_chance", "match 1, turn 1: choose"),
        (Urandom, "not_repeatable", "match "),
        (Grows, "growing", "6 matches more took "),
        (Remembers, "not_repeatable", "match "),
        (Pops, "changed_legal", "match 1, turn 1"),
        (Prints, "printed", "match 1, turn 1: 'thinking'"),
    ],
)
def test_each_fault_is_found_and_no_other(kind: type[Bot], code: str, text: str) -> None:
    random.seed(1)
    limit = 0.01 if kind is Slow else 0.002 if kind is Stuck else 5.0
    findings = [
        finding
        for finding in check("bad", kind, GAMES, seed=1, matches=2 if kind is Stuck else 6, limit=limit).findings
        if (kind, finding.code) not in ((Stuck, "slow"), (Slow, "stuck"))  # on a busy machine
    ]
    assert [finding.code for finding in findings] == [code]
    assert findings[0].text.startswith(text)
    assert findings[0].advice
    assert findings[0].count == 1 or kind is not Stuck, "once is enough: each time costs the whole limit"
    assert kind is not Slow or findings[0].text.endswith(" ms, the limit is 10 ms")


@pytest.mark.parametrize(
    ("matches", "growth", "text"),
    [
        (6, GROWTH_BYTES, ""),
        (6, GROWTH_BYTES + 1, "6 matches more took 4 MiB more"),
        (100, 100 * GROWTH_A_MATCH, ""),
        (100, 100 * GROWTH_A_MATCH + 1, "100 matches more took 19 MiB more"),
    ],
)
def test_memory_grows_where_it_does_so_by_much_and_with_every_match(matches: int, growth: int, text: str) -> None:
    notes = _FaultNotes("toy", 1.0)
    _weigh(notes, growth, matches)
    assert [one.text for one in notes.findings()] == [text] * bool(text)


class Sits(Sound):
    """Notes where it sat."""

    sat: ClassVar[list[tuple[int, int]]] = []

    def choose(self, turn: Turn) -> Action:
        if (turn.seats, turn.seat) not in self.sat:
            self.sat.append((turn.seats, turn.seat))
        return super().choose(turn)


def test_a_bot_is_checked_with_every_number_of_seats_and_goes_round_the_table() -> None:
    check("sits", Sits, {"ikasamage": get_game("ikasamage")}, seed=1, matches=5)
    assert Sits.sat == [(3, 1), (4, 2), (5, 3), (6, 4), (3, 2)]
    Sits.sat.clear()
    check("sits", Sits, {"toy": TOY}, seed=1, matches=12)
    assert sorted(Sits.sat) == [(seats, seat) for seats in (2, 3, 4) for seat in range(1, seats + 1)]


@pytest.mark.parametrize(
    ("share", "milliseconds"), [(0.5, 50.0), (0.51, 60.0), (0.99, 100.0), (1.0, 100.0), (0.0, 10.0)]
)
def test_a_share_of_the_decisions_took_no_longer_than_what_is_told(share: float, milliseconds: float) -> None:
    assert _ms([number / 100 for number in range(1, 11)], share) == milliseconds


class Measures(Sound):
    def choose(self, turn: Turn) -> Action:
        return turn.legal[-turn.seats]


def test_the_first_choices_are_those_of_the_first_match_which_has_the_fewest_seats() -> None:
    chosen = first_choices(Measures, TOY, 1)
    assert chosen == first_choices(Measures, TOY, 1)
    assert chosen != first_choices(Measures, TOY, 2)
    Sits.sat.clear()
    assert len(first_choices(Sits, TOY, 1)) == 3
    assert Sits.sat == [(2, 1)]
