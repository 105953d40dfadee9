"""The arena where mages bet and cheat: the original edition (Ikasamage!) and that of 2013 (Cheaty Mages!)."""

from games.cheaty_mages.game import CHEATY_MAGES, IKASAMAGE

GAMES = [IKASAMAGE, CHEATY_MAGES]
