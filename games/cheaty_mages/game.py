"""The two editions as the registry finds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from games.api import Action, Card, Game, Knowledge, Options, PositionRefused, State, Told, View, options_from
from games.chance import Chance
from games.cheaty_mages import moves, numbers
from games.cheaty_mages.cards import cards_of
from games.cheaty_mages.deck import deck
from games.cheaty_mages.described import read, seats_of
from games.cheaty_mages.events import Happened
from games.cheaty_mages.every import every_action
from games.cheaty_mages.imagining import imagine
from games.cheaty_mages.language import N_, _
from games.cheaty_mages.options import ArenaOptions, FoulPlayOptions
from games.cheaty_mages.position import build
from games.cheaty_mages.rules import Match, start
from games.cheaty_mages.saving import unpacked
from games.cheaty_mages.views import ArenaKnowledge, Seen
from games.cheaty_mages.words import ArenaWords
from games.layout import Layout

_FOLDER = Path(__file__).parent
_PAGE = "README.md"  # of the original edition; other pages say what differs from it


class ArenaGame(Game):
    """One edition."""

    min_seats, max_seats = 3, 6
    action_type, event_type, view_type = moves.Act, Happened, Seen
    knowledge_type = ArenaKnowledge
    unsaid = numbers.UNSAID

    def __init__(
        self, edition_id: str, title: str, about: str, options_type: type[ArenaOptions], page: str, rules_version: str
    ) -> None:
        self.id, self.title, self._about, self.rules_version = edition_id, title, about, rules_version
        self.options_type = options_type
        self.rules = _FOLDER / page
        self.base_rules = None if page == _PAGE else _FOLDER / _PAGE
        self._deck = deck(edition_id)
        self.words = ArenaWords(self._deck)
        standard = options_type().foul_play
        self.exam_options = {"foul_play": (not standard,), "illegal_plays": ("discard",)}

    @property
    def about(self) -> str:
        return _(self._about)

    @property
    def aim(self) -> str:
        return _(
            "Bet in secret on fighters, then make them stronger or weaker by spells.\n"
            "Mind the judge's limit of mana. After three rounds the most gold wins."
        )

    def start(self, seats: int, options: Options, chance: Chance) -> tuple[State, list[Told]]:
        self.check_seats(seats)
        assert isinstance(options, ArenaOptions)
        return start(self, self._deck, seats, options, chance)

    def position(self, given: str | Mapping[str, Any], chance: Chance) -> State:
        said = read(given)
        seats = seats_of(said, self.min_seats)
        if not self.min_seats <= seats <= self.max_seats:
            raise PositionRefused(f"seats: {self.title} is for {self.min_seats} to {self.max_seats} players.")
        try:
            options = options_from(self, said.options)
        except ValueError as error:
            raise PositionRefused(f"options: {error}") from None
        assert isinstance(options, ArenaOptions)
        return build(self, self._deck, options, seats, said, chance)

    def actions(self, seats: int, options: Options) -> Sequence[Action]:
        """See every.py for the order."""
        assert isinstance(options, ArenaOptions)
        return every_action(self._deck, seats, options)

    def layout(self, seats: int, options: Options) -> Layout:
        """See numbers.py."""
        assert isinstance(options, ArenaOptions)
        return numbers.layout(self._deck, seats, options)

    def encode(self, view: View, out: Any) -> None:
        numbers.encode(self._deck, cast(Seen, view), out)

    def longest(self, seats: int, options: Options) -> int:
        """See numbers.py for how it is reckoned, and for what it leaves open."""
        return numbers.longest(self._deck, seats)

    def imagine(self, knowledge: Knowledge, seats: int, options: Options, chance: Chance) -> State:
        assert isinstance(knowledge, ArenaKnowledge)
        assert isinstance(options, ArenaOptions)
        return imagine(self, self._deck, knowledge, options, chance)

    def load(self, saved: bytes, options: Options) -> State:
        assert isinstance(options, ArenaOptions)
        return Match(game=self, deck=self._deck, options=options, **unpacked(saved))

    def __reduce__(self) -> str:
        return self.id.upper().replace("-", "_")  # it is the one of that name below

    def cards(self) -> list[Card]:
        return cards_of(self._deck.edition)


IKASAMAGE = ArenaGame(
    "ikasamage",
    "Ikasamage!",
    N_("Mages bet on monsters in the arena and cheat for them with spells, under a judge's eyes."),
    ArenaOptions,
    _PAGE,
    "3",
)
CHEATY_MAGES = ArenaGame(
    "cheaty-mages",
    "Cheaty Mages! (2013)",
    N_("The later edition: spells that endure, a look for any card, and foul play in the last round."),
    FoulPlayOptions,
    "cheaty_mages.md",
    "4",
)
