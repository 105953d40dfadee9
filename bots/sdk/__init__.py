"""The bot SDK: the base class of bots, and the modules that connect a bot to a table of a server."""

from bots.sdk.bot import Bot, Turn, best_of

__all__ = ["Bot", "Turn", "best_of"]
