"""random: a bot that plays random legal actions, as the baseline with which other bots are compared."""

from bots.sdk import Bot, Turn
from games.api import Action


class RandomBot(Bot):
    """Chooses among the legal actions, all equally likely."""

    def choose(self, turn: Turn) -> Action:
        return self.rng.choice(turn.legal)


BOTS = {"random": RandomBot}
