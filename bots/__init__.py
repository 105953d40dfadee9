"""The bot SDK, and the house bots in one package each."""
