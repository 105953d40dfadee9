"""What is kept of a cup: its settings in row 0 of its subject, and the entries of its log, one a row, from 1 on."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from games.api import Game
from protocol.names import fold
from tournaments.cup import NO_LIMITS, Cup, Entry, Settings

CUP = "cup:"
SETTINGS, FIRST_ENTRY = 0, 1  # parts

encode = msgspec.msgpack.Encoder().encode


def subject_of(name: str) -> str:
    """What the store calls the cup of that name, and all that look like it."""
    return CUP + fold(name)


def read_settings(rows: Mapping[int, bytes]) -> Settings:
    """Raises msgspec.DecodeError for what is none, KeyError where there is none."""
    return msgspec.msgpack.decode(rows[SETTINGS], type=Settings)


def fits(cup: Settings, game: Game) -> bool:
    """Whether its rules and cards are those under which the cup was opened."""
    return (cup.rules, cup.cards) == (game.rules_version, game.cards_digest)


def read_cup(rows: Mapping[int, bytes], known: Cup | None = None) -> Cup:
    """The cup as it was kept; or a `known` one, which takes all that came since. Raises as read_settings, and CannotBe
    for entries that are of no cup."""
    cup = known or Cup(read_settings(rows))
    allowed, cup.allowed = cup.allowed, NO_LIMITS
    decode = msgspec.msgpack.Decoder(Entry).decode
    for part in range(FIRST_ENTRY + len(cup.entries), max(rows, default=0) + 1):
        cup.apply(decode(rows[part]))
    cup.allowed = allowed
    return cup
