"""Which matches have the same deal, and who sat down with it: for what is to be told of them, or to whom."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from tournaments.schedule import Pairing


class Deals:
    """Of one cup; it is asked often, and there may be thousands of matches. Of fresh deals nothing is kept: each is
    played once."""

    def __init__(self, kind: str) -> None:
        self._again = kind != "fresh"
        self._known = 0  # pairings, from the first on
        self._matches: dict[int, list[int]] = {}
        self._players: dict[int, set[str]] = {}

    def matches(self, deal: int, pairings: Sequence[Pairing]) -> Collection[int]:
        """The numbers of those that have it, as far as they are known."""
        if self._again:
            for pairing in pairings[self._known :]:
                self._matches.setdefault(pairing.deal, []).append(pairing.number)
            self._known = len(pairings)
        return self._matches.get(deal, ())

    def draw_again(self) -> None:
        """Forgets the deals of matches, because some that had not begun were paired again."""
        self._known = 0
        self._matches.clear()

    def sit_down(self, deal: int, players: Iterable[str]) -> None:
        """A match with it begins."""
        if self._again:
            self._players.setdefault(deal, set()).update(players)

    def knows(self, player: str, deal: int) -> bool:
        """Whether that player has sat down with it, for whomever."""
        return player in self._players.get(deal, ())
