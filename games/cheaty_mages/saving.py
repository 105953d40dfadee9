"""Saves a match as bytes, with every fact in a fixed order, and loads it."""

from __future__ import annotations

from typing import Any

import msgspec

from games.chance import Chance
from games.cheaty_mages.truth import Arena, Enduring, SpellOnFighter, empty_view_caches
from games.cheaty_mages.views import RoundResult

_FACTS = (
    *("seats", "hands", "drawn", "renewals", "pile", "discard", "money", "bets", "passed"),
    *("judge", "judge_pile", "judges_gone", "fighters", "fighter_pile", "open_fighters"),
    *(
        "unrefusable",
        "hides_directs",
        "no_judgement",
        "round",
        "phase",
        "starter",
        "turn",
        "forgetting",
        "fouls",
        "disputed",
    ),
)


def pack_state(arena: Arena) -> bytes:
    """Returns the full state as bytes, including future random draws, but without the card file and the options."""
    rows = [[msgspec.structs.astuple(lying) for lying in row] for row in arena.rows]
    enduring = [msgspec.structs.astuple(one) for one in arena.enduring]
    facts = [getattr(arena, name) for name in _FACTS]
    return msgspec.msgpack.encode((facts, arena.chance.save(), rows, enduring, arena.result))


def unpack_fields(saved: bytes) -> dict[str, Any]:
    """Returns the fields of a match, from the bytes that `packed` returned."""
    facts, chance, rows, enduring, result = msgspec.msgpack.decode(saved)
    found = dict(zip(_FACTS, facts, strict=True))
    return {
        **found,
        "bets": [tuple(bet) for bet in found["bets"]],
        "chance": Chance.load(*chance),
        "rows": [[SpellOnFighter(*lying) for lying in row] for row in rows],
        "enduring": [Enduring(*one) for one in enduring],
        "result": msgspec.convert(result, RoundResult | None),
        **empty_view_caches(found["seats"], len(rows)),
    }
