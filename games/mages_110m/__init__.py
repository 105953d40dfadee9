"""110 Mètres Mages: a hurdle race of mages with spells, dice, lost limbs and a bored king."""

from games.mages_110m.game import Mages110m

GAMES = [Mages110m()]
