"""What a bot is built from: a class with one method, and what connects it to a table."""

from bots.sdk.bot import Bot, Turn, best_of

__all__ = ["Bot", "Turn", "best_of"]
