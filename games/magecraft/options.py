"""What a table may choose: the two parts of the game that can be left out."""

from __future__ import annotations

from typing import Annotated

import msgspec

from games.api import Options


class MagecraftOptions(Options, frozen=True, forbid_unknown_fields=True):
    """What a table may choose."""

    mastery: Annotated[bool, msgspec.Meta(description="a revision may master one spell")] = True
    darkness: Annotated[bool, msgspec.Meta(description="darkness gems lie beside the Academy")] = True
