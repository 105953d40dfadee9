"""Magecraft: gems in bags, three spellbooks read from left to right, an Academy, two ways to win."""

from games.magecraft.game import Magecraft

GAMES = [Magecraft()]
