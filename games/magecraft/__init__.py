"""Magecraft: mages pay for spells with gems from a bag and cast their three spellbooks from left to right."""

from games.magecraft.game import Magecraft

GAMES = [Magecraft()]
