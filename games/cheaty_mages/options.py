"""The options of a table: foul play, and what happens to a spell that the judge refuses."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from games.api import Options, Printed

FoulPlay: TypeAlias = Annotated[
    bool | Literal["one", "each"],
    msgspec.Meta(
        description="refused spells can be bought for 2 gold in the last round: one per player, or any number"
    ),
]
IllegalPlays: TypeAlias = Annotated[
    Literal["reject", "discard", "vote"],
    msgspec.Meta(
        description="what becomes of a refused spell: the server says no, or it may be slipped in and is struck, "
        "or the players vote on it"
    ),
]


class ArenaOptions(Options, frozen=True, forbid_unknown_fields=True):
    """The options of a table."""

    foul_play: FoulPlay = False
    illegal_plays: IllegalPlays = "reject"
    printed: Printed = False

    @property
    def allows_cheating(self) -> bool:
        """Returns whether refused spells may be placed face down."""
        return self.illegal_plays != "reject"

    @property
    def has_votes(self) -> bool:
        """Returns whether the players vote on refused spells."""
        return self.illegal_plays == "vote"


class FoulPlayOptions(ArenaOptions, frozen=True, forbid_unknown_fields=True):
    """The same options, with foul play as the default."""

    foul_play: FoulPlay = True
