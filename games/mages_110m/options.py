"""The options of a table: power after a surge, and reserve tokens for those who start later."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from games.api import Options, Printed

Surge: TypeAlias = Literal["spent", "stays"]


class RaceOptions(Options, frozen=True, forbid_unknown_fields=True):
    """The options of a table."""

    surge: Annotated[Surge, msgspec.Meta(description="what happens to the power that carried a mage past a hurdle")] = (
        "spent"
    )
    late_reserve: Annotated[
        int, msgspec.Meta(ge=0, le=3, description="reserve tokens at the start for all mages but the first")
    ] = 0
    printed: Printed = False
