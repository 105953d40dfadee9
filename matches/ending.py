"""How a match ended whose winner did not play to its end, in words."""

from __future__ import annotations

from collections.abc import Sequence

from matches.language import _, ngettext
from protocol import messages as m


def forfeits_text(results: Sequence[m.SeatResult]) -> str:
    """How a match ended whose first place by the rules went to a seat that a house bot had taken over."""
    winners = [one.name for one in results if one.how == "played" and one.place == 1]
    gone = _(" and ").join(one.name for one in results if one.how != "played")
    if not winners:
        return _("There is no winner: a house bot had taken over every seat.")
    return ngettext(
        "{who} wins, as {gone} did not play to the end.",
        "{who} share the win, as {gone} did not play to the end.",
        len(winners),
        who=_(" and ").join(winners),
        gone=gone,
    )
