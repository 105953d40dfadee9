"""What a table may choose: foul play, and what becomes of a spell that the judge refuses."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from games.api import Options, Printed

FoulPlay: TypeAlias = Annotated[
    bool | Literal["one", "each"],
    msgspec.Meta(description="refused spells can be bought in the last round, for 2 gold: one a player, or each"),
]
IllegalPlays: TypeAlias = Annotated[
    Literal["reject", "discard", "vote"],
    msgspec.Meta(
        description="what becomes of a refused spell: the server says no, or it may be slipped in and is struck, "
        "or the players vote on it"
    ),
]


class ArenaOptions(Options, frozen=True, forbid_unknown_fields=True):
    """What a table may choose."""

    foul_play: FoulPlay = False
    illegal_plays: IllegalPlays = "reject"
    printed: Printed = False

    @property
    def cheats(self) -> bool:
        """Whether refused spells may be slipped in face down."""
        return self.illegal_plays != "reject"

    @property
    def votes(self) -> bool:
        """Whether the players say what becomes of them."""
        return self.illegal_plays == "vote"


class FoulPlayOptions(ArenaOptions, frozen=True, forbid_unknown_fields=True):
    """The same choices where foul play is a standard rule."""

    foul_play: FoulPlay = True
