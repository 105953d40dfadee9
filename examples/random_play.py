"""Plays matches at random, and says what kind of game that is.

python examples/random_play.py ikasamage --seats 4 --matches 20
"""

from __future__ import annotations

import argparse
import random

from magehall import NumericEncoding, all_games, chance, get_game, options_from


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=sorted(all_games()))
    parser.add_argument("--seats", type=int, default=0, help="the fewest, unless it is said")
    parser.add_argument("--matches", type=int, default=20)
    given = parser.parse_args(arguments)
    if given.matches < 1:
        parser.error("--matches is 1 or more")
    game = get_game(given.game)
    seats, options, rng = given.seats or game.min_seats, options_from(game, {}), random.Random(1)
    try:
        game.check_seats(seats)
    except ValueError as error:
        parser.error(str(error))
    lengths, choices, shares = [], [], [0.0] * seats
    for seed in range(given.matches):
        state, _told = game.start(seats, options, chance(seed))
        length = 0
        while movers := state.to_move():
            seat = min(movers)  # where several decide at once, the order makes no difference
            legal = state.legal_actions(seat)
            choices.append(len(legal))
            state.apply(seat, rng.choice(legal))
            length += 1
        lengths.append(length)
        outcome = state.outcome()
        assert outcome is not None
        shares = [share + more for share, more in zip(shares, outcome.shares, strict=True)]
    numbers = NumericEncoding(game, seats, options)
    mean = sum(lengths) / len(lengths)
    print(f"{game.title}, {seats} seats, {given.matches} matches at random")
    print(f"decisions a match   {mean:.0f}, at most {max(lengths)}, never more than {numbers.longest:,}")
    print(f"legal actions       {sum(choices) / len(choices):.1f}, at most {max(choices)}")
    print(f"all actions         {len(numbers.actions):,}")
    print(f"numbers of a view   {numbers.layout.size:,}")
    print(f"shares of the wins  {', '.join(f'{share / given.matches:.2f}' for share in shares)}")


if __name__ == "__main__":
    main()
