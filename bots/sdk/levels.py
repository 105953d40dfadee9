"""Makes levels of a bot, its weaker or stronger variants. A level is an entry in the `BOTS` map of a bot's package
whose name ends in a colon and a word, such as `greedy:easy`."""

from __future__ import annotations

from bots.sdk.bot import Bot, Turn
from games.api import Action

EASY = 0.35  # the share of decisions in which a beginner plays a random legal action


def beginner(kind: type[Bot], slips: float = EASY) -> type[Bot]:
    """Returns a weaker version of a bot.

    Args:
        kind: The class of the bot.
        slips: The share of decisions in which the weaker version plays a random legal action, 0 to 1.

    Returns:
        A subclass of the bot.
    """

    def choose(self: Bot, turn: Turn) -> Action:
        return self.rng.choice(turn.legal) if self.rng.random() < slips else kind.choose(self, turn)

    about = f"{(kind.__doc__ or '').strip()} It slips in {100 * slips:.0f} % of its decisions.".strip()
    return type(kind.__name__, (kind,), {"choose": choose, "__doc__": about, "__module__": kind.__module__})
