"""110 Metres Mages: a foot race of unathletic mages over hurdles, with dice, lost limbs and a bored king."""

from games.mages_110m.game import Mages110m

GAMES = [Mages110m()]
