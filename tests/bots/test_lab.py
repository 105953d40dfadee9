"""The balance lab, on a game of one decision a match that the tests bring along."""

from __future__ import annotations

import pytest

from bots.sdk import lab
from tests.bots.coin import COIN, Either, Heads, Tails


@pytest.fixture(autouse=True)
def coin_and_its_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab, "get_game", {"coin": COIN}.__getitem__)
    monkeypatch.setattr(lab, "get_bot", {"heads": Heads, "tails": Tails, "either": Either}.__getitem__)


def test_the_same_seed_prints_the_same_page() -> None:
    first = lab.run("coin", ["either", "either"], matches=40, seed=3)
    assert first == lab.run("coin", ["either", "either"], matches=40, seed=3)
    other = lab.run("coin", ["either", "either"], matches=40, seed=4)
    assert first.splitlines()[1:] != other.splitlines()[1:]


def test_bots_rotate_over_the_seats_so_that_a_seat_that_always_wins_favours_nobody() -> None:
    page = lab.run("coin", ["heads", "heads"], matches=10)
    assert "| wins of seat 1 | 100.0 % |" in page
    mixed = lab.run("coin", ["heads", "tails"], matches=10)
    assert "| wins of heads, of the seats it had | 100.0 % |" in mixed
    assert "| wins of tails, of the seats it had | 0.0 % |" in mixed
    assert "| wins of seat 1 | 50.0 % |" in mixed


def test_endings_and_turns_are_counted() -> None:
    page = lab.run("coin", ["tails", "tails"], matches=10)
    assert "| ended by nobody | 100.0 % |" in page
    assert "| shared wins | 100.0 % |" in page
    assert "| 1 / 1 / 1 / 1 / 1 |" in page


def test_a_number_of_seats_that_the_game_does_not_take_is_refused() -> None:
    with pytest.raises(ValueError, match="2 to 2 seats"):
        lab.run("coin", ["heads"], seats=3)
    with pytest.raises(ValueError, match="at least one"):
        lab.run("coin", ["heads"], matches=0)
