"""The lab's figures of luck: what the deal decides, and how many matches tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.sdk.lab import plan_of
from bots.sdk.lab.blame import BotFailed
from bots.sdk.lab.luck import (
    RESAMPLED,
    Deal,
    Figure,
    Luck,
    Result,
    figure,
    luck,
    luck_page,
    results,
    tellings,
)
from games.registry import get_game
from matches.lead import lead

RACE = get_game("mages-110m")


@pytest.fixture(scope="module")
def found() -> Luck:
    told: list[tuple[int, int]] = []
    measured = luck(RACE, deals=12, seed=2, jobs=1, on_deal=lambda done, planned: told.append((done, planned)))
    assert told == [(number, 12) for number in range(1, 13)]
    return measured


def test_a_lead_is_what_a_seat_has_more_than_the_others_on_average() -> None:
    assert [lead((10, 4, 0), seat) for seat in (1, 2, 3)] == [8, -1, -7]


def test_a_deal_is_played_from_every_seat_among_equals_and_among_weaker_ones() -> None:
    equals, weaker = results(plan_of(RACE, ["hurdler"], 3), 0)
    assert len(equals) == len(weaker) == 3
    assert all(0 <= share <= 1 for share, _lead in (*equals, *weaker))


def test_the_deal_decides_at_most_everything_and_figures_lie_in_their_intervals(found: Luck) -> None:
    for told in found.by.values():
        for one in (told.better, told.decided, told.single):
            assert (one.low or 0) <= (one.value or 0) <= (one.high or 0)
        for share in (told.decided.value, told.decided.low, told.decided.high):
            assert share is not None
            assert 0 <= share <= 1, "it is a share"
        assert told.single.value
    assert found.by["share"].better.value == pytest.approx(0.05)
    assert (found.game, found.bot, found.seats, found.seed, found.deals) == ("mages-110m", "hurdler", 2, 2, 12)
    assert (found.fair, found.confidence) == (0.5, 0.95)


def test_the_page_says_what_was_played(found: Luck, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.sdk.lab.luck.SLIPS", 0.6)
    text = luck_page(RACE, found)
    assert text.replace("\n", " ").startswith(
        "110 Mètres Mages with 2 seats, each of them hurdler that slips in 60 % of its decisions: 12 deals, seed 2;"
        " in brackets 95 % intervals over deals. A tenth better is a share of 55.0 % where 50.0 % is fair."
    )
    assert "| a tenth better " in text
    assert "5.0 % |" in text


def test_a_game_whose_house_bot_is_not_there_is_measured_with_random_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(RACE), "house_bot", "greedy")
    assert luck(RACE, deals=2, seed=1, jobs=1).bot == "random"


def test_one_bot_is_enough() -> None:
    with pytest.raises(ValueError, match="with one bot in every seat"):
        luck(RACE, ["hurdler", "random"], deals=2, seed=1, jobs=1)


WON, LOST, AHEAD = (1.0, 6.0), (0.0, -6.0), (0.75, 2.0)  # a share of the win and a lead


def deals_of(*equals: tuple[Result, Result], weaker: Result = AHEAD) -> list[Deal]:
    return [(list(one), [weaker, weaker]) for one in equals]


def test_where_the_seat_decides_everything_a_bot_is_told_by_one_deal_in_every_rotation() -> None:
    share, ahead = tellings(deals_of((WON, LOST), (WON, LOST)), 0.5)
    # s^2 is 4 * 0.25 / 3, d is 0.05: (2.8016 / 0.05)^2 / 3 matches
    assert share == pytest.approx((0.05, 1.0, 1046.5, 0.0), rel=1e-4)
    # a lead of 2 for 0.25 of the win comes to 0.4 for 0.05; s^2 is 48
    assert ahead == pytest.approx((0.4, 1.0, 2354.7, 0.0), rel=1e-4)
    _share, ahead = tellings(deals_of((WON, LOST), (WON, LOST), weaker=(0.75, 0.5)), 0.5)
    assert ahead == pytest.approx((0.1, 1.0, 37675, 0.0), rel=1e-4), "however small the lead is"


@pytest.mark.parametrize("weaker", [(0.5, 2.0), (0.4, -1.0), (0.75, 0.0)])
def test_who_is_not_ahead_of_weaker_ones_tells_nothing_of_a_lead(weaker: Result) -> None:
    share, ahead = tellings(deals_of((WON, LOST), (WON, LOST), weaker=weaker), 0.5)
    assert share[2] == pytest.approx(1046.5, rel=1e-4)
    assert ahead == (None, 1.0, None, None)


def test_an_interval_holds_95_of_100_samples_and_is_wide_enough_for_those_that_tell_nothing() -> None:
    samples = [float(number) for number in range(RESAMPLED)]
    assert figure([200.0, *samples], 12) == Figure(200.0, 10.0, 389.0)
    assert figure([200.0, *[None] * 4, *samples[4:]], 12) == Figure(200.0, 10.0, 393.0)
    assert figure([200.0, *[None] * 10, *samples[10:]], 12) == Figure(200.0, 10.0, 399.0)
    assert figure([200.0, *[None] * 11, *samples[11:]], 12) == Figure(200.0, None, None)
    assert figure([200.0, *samples], 10) == Figure(200.0, 10.0, 389.0)
    assert figure([200.0, *samples], 9) == Figure(200.0, None, None)
    assert figure([None, *samples], 12) == Figure(None, None, None)


WRONG = """
from magehall import Bot

class Wrong(Bot):
    def choose(self, turn):
        return DOES
"""


@pytest.mark.parametrize(
    ("does", "says"),
    [("1 / 0", "ZeroDivisionError"), ("__import__('games.mages_110m.moves').mages_110m.moves.Aim(9)", "illegal")],
)
def test_a_wrong_bot_is_named(tmp_path: Path, does: str, says: str) -> None:
    (tmp_path / "wrong.py").write_text(WRONG.replace("DOES", does))
    name = f"{tmp_path}/wrong.py:Wrong"
    with pytest.raises(BotFailed, match=says) as failed:
        luck(RACE, [name], deals=2, seed=1, jobs=1)
    assert str(failed.value).startswith(name)
