"""House bots by their strength."""

from __future__ import annotations

import pytest

from client.cli.arguments import parse_house_bots
from client.cli.play import resolve_house_bots
from client.house import BotHouse
from games.api import Game
from games.registry import all_games
from languages import speaking
from matches.house import house_bot_of_strength


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
def test_every_game_has_three_different_bots_by_strength(game: Game) -> None:
    names = BotHouse().names(game)
    easy, normal, hard = (house_bot_of_strength(game, names, word) for word in ("easy", "Normal", "HARD"))
    assert len({easy, normal, hard} & set(names)) == 3
    assert easy == f"{game.house_bot}:easy"
    assert normal == game.house_bot
    assert house_bot_of_strength(game, names, "random") == "random"
    assert house_bot_of_strength(game, names, "nobody") == "nobody"
    with speaking("fr"):
        assert house_bot_of_strength(game, names, "facile") == easy


def test_without_such_a_bot_the_usual_one_has_every_strength() -> None:
    game = all_games()["magecraft"]
    assert (
        house_bot_of_strength(game, ["evoker", "random"], "hard")
        == house_bot_of_strength(game, ["evoker"], "easy")
        == "evoker"
    )


def test_a_number_of_bots_are_usual_ones_in_every_game() -> None:
    assert parse_house_bots("2") == ("normal", "normal")
    assert parse_house_bots("easy, 1,greedy") == ("easy", "normal", "greedy")
    assert parse_house_bots("") == ()
    for game in all_games().values():
        assert resolve_house_bots(game, parse_house_bots("1")) == (game.house_bot,)
