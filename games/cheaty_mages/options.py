"""What a table may choose: foul play, and what becomes of a spell that the judge refuses."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from games.api import Options

FoulPlay: TypeAlias = Annotated[
    bool, msgspec.Meta(description="refused spells can be bought in the last round, for 2 gold")
]
IllegalPlays: TypeAlias = Annotated[
    Literal["reject", "discard"],
    msgspec.Meta(
        description="what becomes of a refused spell: the server says no, or it may be slipped in and is struck"
    ),
]


class ArenaOptions(Options, frozen=True, forbid_unknown_fields=True):
    """What a table may choose."""

    foul_play: FoulPlay = False
    illegal_plays: IllegalPlays = "reject"


class FoulPlayOptions(ArenaOptions, frozen=True, forbid_unknown_fields=True):
    """The same choices where foul play is a standard rule."""

    foul_play: FoulPlay = True
