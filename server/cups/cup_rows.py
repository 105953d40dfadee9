"""The stored rows of a cup: its settings in row 0 of its subject, then one row per log entry, from 1 on."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from games.api import Game
from protocol.names import fold
from tournaments.cup import NO_LIMITS, Cup, CupSettings, Entry

CUP = "cup:"
SETTINGS, FIRST_ENTRY = 0, 1  # part numbers of the rows

encode = msgspec.msgpack.Encoder().encode


def subject_of(name: str) -> str:
    """Returns the store's subject of the cup with that name, or with a name that looks like it."""
    return CUP + fold(name)


def read_settings(rows: Mapping[int, bytes]) -> CupSettings:
    """Returns the settings of a cup. Raises msgspec.DecodeError if malformed, KeyError if missing."""
    return msgspec.msgpack.decode(rows[SETTINGS], type=CupSettings)


def fits(cup: CupSettings, game: Game) -> bool:
    """Returns whether the game's rules and cards are those under which the cup was opened."""
    return (cup.rules, cup.cards) == (game.rules_version, game.cards_digest)


def read_cup(rows: Mapping[int, bytes], known: Cup | None = None) -> Cup:
    """Returns the stored cup. A `known` cup takes only the entries after its own, and is returned.

    Raises like `read_settings`, and CannotBe for entries that do not fit together.
    """
    cup = known or Cup(read_settings(rows))
    allowed, cup.allowed = cup.allowed, NO_LIMITS
    decode = msgspec.msgpack.Decoder(Entry).decode
    for part in range(FIRST_ENTRY + len(cup.entries), max(rows, default=0) + 1):
        cup.apply(decode(rows[part]))
    cup.allowed = allowed
    return cup
