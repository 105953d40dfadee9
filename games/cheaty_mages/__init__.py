"""Two editions of a game in which mages bet on fighters and cheat with spells: Ikasamage! and Cheaty Mages! (2013)."""

from games.cheaty_mages.game import CHEATY_MAGES, IKASAMAGE

GAMES = [IKASAMAGE, CHEATY_MAGES]
