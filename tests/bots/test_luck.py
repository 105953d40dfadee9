"""The lab's figures of luck: what the deal decides, and how many matches tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.sdk.lab.bot_errors import BotFailed
from bots.sdk.lab.luck import (
    LuckReport,
    measure_luck,
    render_luck,
)
from games.registry import get_game

RACE = get_game("mages-110m")


@pytest.fixture(scope="module")
def found() -> LuckReport:
    told: list[tuple[int, int]] = []
    measured = measure_luck(RACE, deals=12, seed=2, jobs=1, on_deal=lambda done, planned: told.append((done, planned)))
    assert told == [(number, 12) for number in range(1, 13)]
    return measured


def test_the_deal_decides_at_most_everything_and_figures_lie_in_their_intervals(found: LuckReport) -> None:
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


def test_the_page_says_what_was_played(found: LuckReport, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.sdk.lab.luck.SLIPS", 0.6)
    text = render_luck(RACE, found)
    assert text.replace("\n", " ").startswith(
        "110 Mètres Mages with 2 seats, each of them hurdler that slips in 60 % of its decisions: 12 deals, seed 2;"
        " in brackets 95 % intervals over deals. A tenth better is a share of 55.0 % where 50.0 % is fair."
    )
    assert "| a tenth better " in text
    assert "5.0 % |" in text


WON, LOST, AHEAD = (1.0, 6.0), (0.0, -6.0), (0.75, 2.0)  # a share of the win and a lead


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
        measure_luck(RACE, [name], deals=2, seed=1, jobs=1)
    assert str(failed.value).startswith(name)
