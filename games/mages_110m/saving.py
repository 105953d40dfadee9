"""Saves a race as bytes, with every fact in a fixed order, and loads it."""

from __future__ import annotations

import msgspec

from games.api import Game
from games.chance import Chance
from games.mages_110m.cards import Deck
from games.mages_110m.options import RaceOptions
from games.mages_110m.truth import RaceTruth

_RACE = (
    *("pile", "discard", "counts", "turn", "turn_of", "actor", "phase", "may_act", "traded_now", "surging", "asleep"),
    *("spell", "spell_at", "missing", "gambled", "deed", "price", "king_card", "king_called_by", "king_reigns"),
    *("king_queue", "bared", "after_king", "crossed"),
)
_MAGE = (
    *("square", "hurdles", "arms", "legs", "endurance", "power", "reserve", "hand", "kept", "cvs", "traded", "dazed"),
    "answer",
)


def pack_state(race: RaceTruth) -> bytes:
    """Returns the full state as bytes, including future random draws, but without the card file and the options."""
    mages = [([getattr(mage, name) for name in _MAGE], mage.lasting) for mage in race.mages]
    return msgspec.msgpack.encode((race.chance.save(), mages, [getattr(race, name) for name in _RACE]))


def unpack_state(game: Game, deck: Deck, options: RaceOptions, saved: bytes) -> RaceTruth:
    """Returns the race, from the bytes that `packed` returned."""
    chance, mages, facts = msgspec.msgpack.decode(saved)
    race = RaceTruth(game, deck, options, len(mages), Chance.load(*chance))
    for name, value in zip(_RACE, facts, strict=True):
        setattr(race, name, value)
    for mage, (figures, lasting) in zip(race.mages, mages, strict=True):
        for name, value in zip(_MAGE, figures, strict=True):
            setattr(mage, name, value)
        mage.lasting = [tuple(lying) for lying in lasting]
    return race
