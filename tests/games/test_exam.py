"""Every game found takes the exam; a game without golden matches fails."""

from pathlib import Path

import pytest

from games.api import Game, Options, options_from
from games.exam import examine_match, examine_redeals
from games.registry import all_games
from games.transcript import transcript

GOLDEN = Path(__file__).parent / "golden"
GAMES = list(all_games().values())


def variants(game: Game) -> list[Options]:
    """The default options, and each value of `exam_options`, one at a time."""
    found = [options_from(game, {})]
    for name, values in game.exam_options.items():
        found += [options_from(game, {name: value}) for value in values]
    return found


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
@pytest.mark.parametrize("number", range(3))
def test_a_random_match_keeps_the_contract(game: Game, number: int) -> None:
    for seats in range(game.min_seats, game.max_seats + 1):
        for options in variants(game):
            assert examine_match(game, seats, options, number) > 0


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_redealing_what_a_seat_cannot_know_changes_nothing_it_sees_or_hears(game: Game) -> None:
    compared = 0
    for seats in range(game.min_seats, game.max_seats + 1):
        for options in variants(game):
            compared += sum(examine_redeals(game, seats, options, number) for number in range(3))
    assert compared > 300


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_golden_matches_are_as_they_were(game: Game) -> None:
    texts = sorted(GOLDEN.glob(f"{game.id}-*.txt"))
    assert len(texts) >= 2, f"write golden matches: python -m tests.games.golden {game.id}"
    for path in texts:
        seats, number = (int(part) for part in path.stem.removeprefix(f"{game.id}-").split("-"))
        lines = "\n".join(transcript(game, seats, options_from(game, {}), number)) + "\n"
        assert lines == path.read_text(encoding="utf-8"), f"{path.name} differs: a change of rules needs a new version"


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_two_thousand_matches_and_ten_thousand_redeals(game: Game) -> None:
    matches = compared = 0
    number = 1_000
    span = range(game.min_seats, game.max_seats + 1)
    options = variants(game)
    while matches < 2_000:
        seats = span[matches % len(span)]
        chosen = options[(matches // len(span)) % len(options)]
        examine_match(game, seats, chosen, number)
        compared += examine_redeals(game, seats, chosen, number)
        matches += 1
        number += 1
    print(f"\n{game.id}: {matches} random matches, {compared} redeal comparisons, no fault")
    assert compared >= 10_000
