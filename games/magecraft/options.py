"""The options of a table: boards, optional rules, starting hands, and the end at the first elimination."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from games.api import Options, Printed


class MagecraftOptions(Options, frozen=True, forbid_unknown_fields=True):
    """The options of a table."""

    mastery: Annotated[bool, msgspec.Meta(description="a revision may master one spell")] = True
    darkness: Annotated[bool, msgspec.Meta(description="darkness gems lie beside the Academy")] = True
    boards: Annotated[
        Literal["dealt", "chosen"], msgspec.Meta(description="character boards are dealt, or taken in turn order")
    ] = "dealt"
    first_fall: Annotated[
        bool | Literal["from_three"],
        msgspec.Meta(
            description="the match ends when the first mage is eliminated, with any number of mages or only with 3 or 4"
        ),
    ] = False
    hands: Annotated[
        Literal["house", "printed"],
        msgspec.Meta(description="starting hands that balance the turn order, or those of the rulebook"),
    ] = "printed"
    printed: Printed = False

    def ends_at_first_elimination(self, seats: int) -> bool:
        """Returns whether the first elimination ends a match with this number of mages."""
        return seats > 2 if self.first_fall == "from_three" else self.first_fall
