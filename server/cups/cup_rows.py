"""The stored rows of a cup: row 0 of its subject has its settings, and each row from 1 on has one entry of its log."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from games.api import Game
from protocol.names import lookalike_key
from tournaments.cup import NO_LIMITS, Cup, CupSettings, Entry

CUP = "cup:"
SETTINGS, FIRST_ENTRY = 0, 1  # part numbers of the row with the settings, and of the row with the first entry

encode = msgspec.msgpack.Encoder().encode


def cup_subject(name: str) -> str:
    """Returns the subject in the store for the cup of that name, which is the same for names that look alike."""
    return CUP + lookalike_key(name)


def read_settings(rows: Mapping[int, bytes]) -> CupSettings:
    """Returns the settings in the rows of a cup. Raises msgspec.DecodeError if they are malformed, KeyError if they are
    missing."""
    return msgspec.msgpack.decode(rows[SETTINGS], type=CupSettings)


def is_same_game(cup: CupSettings, game: Game) -> bool:
    """Returns whether the game has the same rules and cards as when the cup was opened."""
    return (cup.rules, cup.cards) == (game.rules_version, game.cards_digest)


def read_cup(rows: Mapping[int, bytes], known: Cup | None = None) -> Cup:
    """Returns the cup in these rows. If `known` is the same cup as it was earlier, the entries that it lacks are added
    to it, and it is returned.

    Raises like `read_settings`, and CannotBe for entries that contradict each other.
    """
    cup = known or Cup(read_settings(rows))
    allowed, cup.allowed = cup.allowed, NO_LIMITS
    decode = msgspec.msgpack.Decoder(Entry).decode
    for part in range(FIRST_ENTRY + len(cup.entries), max(rows, default=0) + 1):
        cup.apply(decode(rows[part]))
    cup.allowed = allowed
    return cup
