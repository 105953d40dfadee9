"""Saves a match as bytes, with every fact in a fixed order, and loads it."""

from __future__ import annotations

from typing import Any

import msgspec

from games.chance import Chance
from games.magecraft.academy import AcademyState
from games.magecraft.cards import CardSet
from games.magecraft.mage import Mage
from games.magecraft.truth import MagecraftTruth
from games.magecraft.turn import TurnProgress

_MAGE = (
    *("seat", "character", "alive", "bag", "hand", "known"),
    *("life", "discard", "shield", "score", "books"),
)


def pack_state(truth: MagecraftTruth) -> bytes:
    """Returns the full state as bytes, including future random draws, but without the card file and the options."""
    academy, turn = truth.academy, truth.turn
    facts = (
        truth.seats,
        truth.chance.save(),
        truth.first,
        [[getattr(mage, name) for name in _MAGE] for mage in truth.mages],
        ([spell.index for spell in academy.spells], academy.left, academy.gems),
        [getattr(turn, name) for name in TurnProgress.__slots__],
        truth.round,
        truth.fallen,
        truth.reason,
    )
    return msgspec.msgpack.encode(facts)


def unpack_fields(saved: bytes, cards: CardSet) -> dict[str, Any]:
    """Returns the fields of a state, from the bytes that `packed` returned."""
    seats, chance, first, mages, academy, turn, number, fallen, reason = msgspec.msgpack.decode(saved)
    return {
        "seats": seats,
        "chance": Chance.load(*chance),
        "first": first,
        "mages": [_mage(facts) for facts in mages],
        "academy": _academy(cards, *academy),
        "turn": _turn(turn),
        "round": number,
        "fallen": fallen,
        "reason": reason,
    }


def _mage(facts: list[Any]) -> Mage:
    mage = Mage.create_empty()
    for name, value in zip(_MAGE, facts, strict=True):
        setattr(mage, name, value)
    return mage


def _academy(cards: CardSet, spells: list[int], left: list[int], gems: list[int]) -> AcademyState:
    return AcademyState([cards.spells[index] for index in spells], left, gems)


def _turn(facts: list[Any]) -> TurnProgress:
    turn = TurnProgress.__new__(TurnProgress)
    for name, value in zip(TurnProgress.__slots__, facts, strict=True):
        setattr(turn, name, value)
    return turn
