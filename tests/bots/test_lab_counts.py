"""What the lab counts of each match, and what the chance of each match is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from bots.random import RandomBot
from bots.sdk import Bot
from bots.sdk.lab import deals, luck, make_plan
from bots.sdk.lab.bot_errors import attribute_failure
from bots.sdk.lab.deals import (
    DealTally,
    LabPlan,
    ProgressReport,
    _count,
    play_deals,
)
from games.api import Action, IllegalAction, Outcome, Seat, State
from games.lab import MatchFigures
from games.registry import get_game
from tests.bots.coin import CoinState, Say

OUTCOME = Outcome((5, 1, 1), (1, 2, 2), "by far", "Seat 1 wins by far.")
SHARED = Outcome((5, 5, 1), (1, 1, 3), "together", "Seats 1 and 2 win.")


class Counts:
    """A game's own figures: seats 1 and 3 have cast a spell, seat 2 none."""

    def record_action(self, state: State, seat: Seat, action: Action) -> None:
        pass

    def match_figures(self, state: State, outcome: Outcome) -> MatchFigures:
        groups = {"cast": {"fire": {1, 3}, "none": {2}}}
        return MatchFigures(7, groups, {"held": {"rope": (1, 3)}}, {"spells": 2.0})


class Forced(CoinState):
    def legal_actions(self, seat: Seat) -> Sequence[Action]:
        return [Say(True)]


def watched() -> ProgressReport:
    """After three decisions, of which the last was none."""
    watcher = ProgressReport(Counts())
    for seat, state in ((1, CoinState()), (2, CoinState()), (1, Forced())):
        watcher.watch(state, seat, Say(True))
    return watcher


def test_of_a_match_the_lab_counts_who_won_where_and_how_and_what_the_game_adds() -> None:
    counted = DealTally()
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
        _plan: LabPlan,
        deal: int,
        number: int,
        order: Sequence[str],
        _kinds: Mapping[str, type[Bot]],
        _watch: ProgressReport,
    ) -> Outcome:
        found.append((deal, number, [*order]))
        return OUTCOME

    for module in (deals, luck):
        monkeypatch.setattr(module, "play_seated", play)
    monkeypatch.setattr(deals, "create_game_lab", lambda _game: None)
    return found


def test_luck_follows_one_bot_from_seat_to_seat_among_equals_and_then_among_weaker_ones(seated: Seated) -> None:
    equals, weaker = luck.play_luck_deal(make_plan(get_game("ikasamage"), ["random"], 3), 1)
    alike, low = "random", "random, weaker"
    assert seated == [
        *((1, number, [alike] * 3) for number in (6, 7, 8)),
        *((1, 9 + at, [alike if seat == at else low for seat in range(3)]) for at in range(3)),
    ]
    assert equals == weaker == [(1.0, 4.0), (0.0, -2.0), (0.0, -2.0)], "its share of the win, and its lead"


def test_a_bot_s_file_is_read_anew_for_each_measurement(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    plan = LabPlan("magecraft", (f"{file}:Mine", "random"), 1)

    def number_of(plan: LabPlan, _deal: int) -> object:
        return vars(deals.load_bot_classes(plan.bots)[f"{file}:Mine"])["NUMBER"]

    for number in (1, 20):  # so that the size differs, whatever the clock of the files says
        file.write_text(f"from bots.random import RandomBot\n\nclass Mine(RandomBot):\n    NUMBER = {number}\n")
        assert list(play_deals(plan, 1, number_of)) == [number]


@pytest.mark.parametrize("last", [None, ("ann", Say(True))])
def test_an_error_in_which_no_bot_had_a_part_is_the_game_s_own(last: tuple[str, Action] | None) -> None:
    error = ValueError("a fault of the rules")
    assert attribute_failure(error, 0, {"ann": RandomBot}, last) is error
    illegal = IllegalAction("not_now", "Not now.")
    assert (attribute_failure(illegal, 0, {"ann": RandomBot}, last) is illegal) == (last is None)


def test_an_illegal_action_is_told_with_who_did_it_in_which_deal_and_why() -> None:
    said = attribute_failure(IllegalAction("not_now", "Not now."), 4, {}, ("ann", Say(True)))
    assert str(said) == "ann did in deal 5 what is illegal: {'do': 'say', 'heads': True}: Not now."


# -- processes ---------------------------------------------------------------------------------------------------------
