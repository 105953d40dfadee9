"""What a game's options take is told where one does not fit, and in the list of games."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest

from games.api import Options, options_from
from games.choices import invalid_option_text, option_choices
from games.registry import all_games


class Every(Options, frozen=True, forbid_unknown_fields=True):
    """One option of each kind."""

    hidden: bool = False
    pace: Literal["slow", "quick"] = "quick"
    laps: Annotated[int, msgspec.Meta(ge=1, le=3)] = 2
    gold: Annotated[int, msgspec.Meta(ge=0)] = 5
    most: Annotated[int, msgspec.Meta(ge=10, le=25)] = 10
    too_many: Annotated[int, msgspec.Meta(ge=10, le=26)] = 10


def test_each_option_has_its_values_the_default_first() -> None:
    assert option_choices(Every) == {
        "hidden": [False, True],
        "pace": ["quick", "slow"],
        "laps": [2, 1, 3],
        "gold": [],
        "most": [*range(10, 26)],
        "too_many": [],
    }


def test_the_sentence_on_a_misfit_quotes_a_part_of_a_long_value_and_there_is_none_where_all_fit() -> None:
    assert invalid_option_text(Every, {"pace": "x" * 50}) == f'pace takes quick, slow, not "{"x" * 31}'
    assert invalid_option_text(Every, {"pace": "slow", "gold": -1, "none_such": 1}) == ""


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
def test_every_value_that_is_listed_is_taken(game: Any) -> None:
    for name, values in option_choices(game.options_type).items():
        for value in values:
            assert getattr(options_from(game, {name: value}), name) == value


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"late_reserve": 4}, "late_reserve takes 0, 1, 2, 3, not 4; options of mages-110m: surge, late_reserve"),
        ({"late_reserve": True}, "late_reserve takes 0, 1, 2, 3, not true;"),
        ({"surge": "\x1b[2J"}, 'surge takes spent, stays, not "\\\\u001b[2J"'),
        ({"surge": {"a": b"x"}}, "surge takes spent, stays, not"),
    ],
)
def test_who_gives_another_value_is_told_what_the_option_takes(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence.replace("[", r"\[")):
        options_from(all_games()["mages-110m"], given)
