"""The lab's cross-table: every bot against every other."""

from __future__ import annotations

import pytest

from bots.sdk.lab.cross import measure_cross_table, render_cross_table
from games.registry import get_game


def test_a_cross_table_has_every_bot_against_every_other_the_strongest_first() -> None:
    game = get_game("magecraft")
    pair = measure_cross_table(game, ["random", "evoker"], deals=2, seed=3, jobs=1)
    assert pair.shares["evoker"]["random"].value == 1 - pair.shares["random"]["evoker"].value == 1.0
    *_, first, second = render_cross_table(game, pair).splitlines()
    assert (first.split()[1], second.split()[1]) == ("evoker", "random")
    assert " ".join(render_cross_table(game, pair).split("\n")[:3]).startswith(
        "Magecraft with 2 seats: what the bot of a row has of the win with one in the other seat, in percent, 50 being"
        " fair, and its 95 % interval. 2 deals a pair, in every rotation, seed 3."
    )
    three = measure_cross_table(get_game("ikasamage"), ["random", "greedy"], 3, seed=1, jobs=1, deals=1)
    assert three.fair == pytest.approx(1 / 3)
    page = render_cross_table(get_game("ikasamage"), three).replace("\n", " ")
    assert (
        "with 3 seats: what the bot of a row has of the win with one in each of the others, in percent, 33 being fair"
        in page
    )
    assert {one: list(row) for one, row in three.shares.items()} == {"random": ["greedy"], "greedy": ["random"]}


def test_a_cross_table_of_one_bot_is_refused() -> None:
    with pytest.raises(ValueError, match="two different bots"):
        measure_cross_table(get_game("magecraft"), ["evoker", "evoker"], seed=1, jobs=1, deals=1)
