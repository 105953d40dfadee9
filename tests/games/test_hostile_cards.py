"""A card file may come from a stranger's server, with a replay, or with a slip of the pen: a sentence refuses it."""

from __future__ import annotations

import tomllib

import pytest

from games.api import CardsRefused, Game
from games.card_files import MOST_BYTES
from games.registry import all_games

GAMES = [game for game in all_games().values() if type(game).with_cards is not Game.with_cards]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"a{'.a' * 20_000} = 1", r"line 1, .*: there are more than 200 dots"),
        (f"a = 1{'0' * 900}\n" + "b = [\n" * 9_000, "line "),
        ("a = [\n" * 5_000, "nest too deep|not TOML"),
        ("a = 1\n" * MOST_BYTES, "longer than"),
        ("a = '\udc80'", "it contains half a character"),
    ],
    ids=["parts", "digits", "deep", "long", "surrogate"],
)
def test_a_card_file_that_is_made_to_harm_is_refused_at_once(game: Game, text: str, reason: str) -> None:
    with pytest.raises(CardsRefused, match=reason):
        game.with_cards(text)


@pytest.mark.parametrize("name", ["[1]", "{ a = 1 }"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_card_whose_name_is_no_text_is_refused(game: Game, name: str) -> None:
    own = tomllib.loads(game.rules.with_name("cards.toml").read_text(encoding="utf-8"))
    section = next(key for key, entries in own.items() if isinstance(entries, list) and "name" in entries[0])
    with pytest.raises(CardsRefused, match=r"^line \d"):
        game.with_cards(f"[[{section}]]\nname = {name}\n[edition.ikasamage.spells.might]\nmana = 1\n")
