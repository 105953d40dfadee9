"""Bots' seeds: the same from the same number, another for each bot, and never other ones in a later version."""

from __future__ import annotations

from bots.sdk.seeds import bot_seed, lab_seed


def test_each_bot_of_a_number_has_a_seed_of_its_own() -> None:
    paths = [("entrant", 0, 0), ("entrant", 0, 1), ("entrant", 1, 0), ("t1", 1), ("t1", 2), ("t2", 1), ()]
    assert len({bot_seed(number, *path) for number in (0, 1, 7) for path in paths}) == 3 * len(paths)


def test_the_seeds_stay_what_they_were_so_that_old_tournaments_and_tables_repeat() -> None:
    assert bot_seed(7, "entrant", 0, 1) == 33_679_368_071_835
    assert bot_seed(7, "t1", 2) == 58_681_496_046_164
    assert lab_seed(1, 10, 4, 3) == 1_000_046
