"""Where games are found."""

import pytest

from games import registry
from games.registry import all_games, get_game


def test_two_games_of_one_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    magecraft = get_game("magecraft")
    monkeypatch.setattr(registry, "_plugged", lambda: [magecraft])
    with pytest.raises(ValueError, match="two games are called magecraft"):
        all_games.__wrapped__()


def test_games_are_listed_in_alphabetical_order() -> None:
    assert list(all_games()) == sorted(all_games())
