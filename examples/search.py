"""A bot that searches, in forty lines: it deals worlds that it cannot tell from the real one, tries what is legal in
each of them, plays on at random, and drops the worse half of its candidates until one is left.

python examples/search.py mages-110m          plays a match against random
magehall bot run examples/search.py:Search    plays at a server
"""

from __future__ import annotations

import argparse

from magehall import Action, Bot, State, Turn, all_games, play

FIRST_WORLDS = 2  # for every candidate; twice as many whenever half of them are dropped
FAR = 60  # decisions after which a match is not played on


class Search(Bot):
    """Does what wins most in the worlds that its seat may be in."""

    wants = ("view", "legal", "knowledge")

    def choose(self, turn: Turn) -> Action:
        left, worlds = list(turn.legal), FIRST_WORLDS
        while len(left) > 1:
            won = dict.fromkeys(left, 0.0)
            for _ in range(worlds):
                world = turn.determinize(self.rng)  # the same for every candidate
                for action in left:
                    then = world.clone()
                    then.apply(turn.seat, action)
                    won[action] += self.play_out(then, turn.seat)
            left = sorted(left, key=won.__getitem__, reverse=True)[: len(left) // 2]
            worlds *= 2
        return left[0]

    def play_out(self, state: State, seat: int) -> float:
        """Of the win, at random; an equal one of a match that takes too long."""
        for _ in range(FAR):
            if not (movers := state.to_move()):
                break
            mover = min(movers)
            state.apply(mover, self.rng.choice(state.legal_actions(mover)))
        outcome = state.outcome()
        return outcome.shares[seat - 1] if outcome else 1 / state.seats


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Plays a match against random.")
    parser.add_argument("game", choices=sorted(all_games()))
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    others = all_games()[given.game].min_seats - 1
    print(play(given.game, [Search, *["random"] * others], seed=given.seed).text)


if __name__ == "__main__":
    main()
