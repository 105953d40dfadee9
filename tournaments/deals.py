"""An index of the matches with the same deal, and of the players who have seen each deal."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from tournaments.schedule import Pairing


class DealIndex:
    """The index of one cup. Lookups are frequent, and there may be thousands of matches.

    If the cup's deals are fresh, the index stays empty, because each deal is played in one match only.
    """

    def __init__(self, kind: str) -> None:
        self._again = kind != "fresh"
        self._known = 0  # number of pairings already read
        self._matches: dict[int, list[int]] = {}
        self._players: dict[int, set[str]] = {}

    def matches_with_deal(self, deal: int, pairings: Sequence[Pairing]) -> Collection[int]:
        """Returns the numbers of the known matches with that deal."""
        if self._again:
            for pairing in pairings[self._known :]:
                self._matches.setdefault(pairing.deal, []).append(pairing.number)
            self._known = len(pairings)
        return self._matches.get(deal, ())

    def clear_matches(self) -> None:
        """Clears the index of matches, because matches that had not begun were paired again."""
        self._known = 0
        self._matches.clear()

    def record_players(self, deal: int, players: Iterable[str]) -> None:
        """Records that a match with this deal begins with these players."""
        if self._again:
            self._players.setdefault(deal, set()).update(players)

    def has_played(self, player: str, deal: int) -> bool:
        """Returns whether that player has played this deal, for any entrant."""
        return player in self._players.get(deal, ())
