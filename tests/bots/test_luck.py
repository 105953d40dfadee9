"""The lab's figures of luck: what the deal decides, and how many matches tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.sdk.lab import plan_of
from bots.sdk.lab.blame import BotFailed
from bots.sdk.lab.luck import Luck, luck, luck_page, results
from games.registry import get_game
from matches.lead import lead

RACE = get_game("mages-110m")


@pytest.fixture(scope="module")
def found() -> Luck:
    return luck(RACE, deals=12)


def test_a_lead_is_what_a_seat_has_more_than_the_others_on_average() -> None:
    assert [lead((10, 4, 0), seat) for seat in (1, 2, 3)] == [8, -1, -7]


def test_a_deal_is_played_from_every_seat_among_equals_and_among_weaker_ones() -> None:
    equals, weaker = results(plan_of(RACE, ["hurdler"], 3), 0)
    assert len(equals) == len(weaker) == 3
    assert all(0 <= share <= 1 for share, _lead in (*equals, *weaker))


def test_the_deal_decides_at_most_everything_and_figures_lie_in_their_intervals(found: Luck) -> None:
    for told in found.by.values():
        assert told.decided.value <= 1
        assert told.single.value > 0
        for figure in (told.better, told.decided, told.single):
            assert figure.low <= figure.value <= figure.high
    assert found.by["share"].better.value == pytest.approx(0.05)


def test_the_page_says_what_was_played(found: Luck) -> None:
    text = luck_page(RACE, found)
    assert text.startswith("110 Mètres Mages with 2 seats, each of them hurdler that slips in 10 %")
    assert "| a tenth better " in text
    assert "5.0 % |" in text


def test_one_bot_is_enough() -> None:
    with pytest.raises(ValueError, match="with one bot in every seat"):
        luck(RACE, ["hurdler", "random"])


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
        luck(RACE, [name], deals=1)
    assert str(failed.value).startswith(name)
