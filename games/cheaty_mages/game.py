"""The two editions as instances of `Game`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from games.api import (
    Action,
    AddressedEvent,
    Card,
    CardsRefused,
    Game,
    Knowledge,
    Options,
    PositionRefused,
    State,
    View,
    options_from,
)
from games.chance import Chance
from games.cheaty_mages import encoding, moves
from games.cheaty_mages.action_space import all_actions
from games.cheaty_mages.cards import RuleFigures, edition_cards
from games.cheaty_mages.deck import Deck, get_deck
from games.cheaty_mages.described import parse_description, seat_count
from games.cheaty_mages.determinize import determinize
from games.cheaty_mages.events import ArenaEvent
from games.cheaty_mages.language import N_, _
from games.cheaty_mages.options import ArenaOptions, FoulPlayOptions
from games.cheaty_mages.position import build_position
from games.cheaty_mages.rules import ArenaState, start_match
from games.cheaty_mages.saving import unpack_fields
from games.cheaty_mages.views import ArenaKnowledge, ArenaView
from games.cheaty_mages.words import ArenaWords
from games.layout import Layout, write_parts

_FOLDER = Path(__file__).parent
_NO_FILE = "line 1, the whole file: it is empty."
_PAGE = "README.md"  # the rules of the original edition, on which other pages build


class ArenaGame(Game):
    """One edition of the game."""

    action_type, event_type, view_type = moves.ArenaAction, ArenaEvent, ArenaView
    knowledge_type = ArenaKnowledge
    unsaid = encoding.UNSAID
    options_type: type[ArenaOptions]
    reasons = {
        "money": N_("one player had the most gold"),
        "cards": N_("several players had the most gold, and one of them had the most cards in hand"),
        "shared": N_("the win was shared"),
    }

    def __init__(
        self,
        edition_id: str,
        title: str,
        about: str,
        options_type: type[ArenaOptions],
        page: str,
        rules_version: str,
        source: str = "",
    ) -> None:
        self.id, self.title, self._about, self.rules_version = edition_id, title, about, rules_version
        self.options_type = options_type
        self._page, self._source = page, source
        self.rules = _FOLDER / page
        self.base_rules = None if page == _PAGE else _FOLDER / _PAGE
        self._deck = get_deck(edition_id, source)
        self.cards_digest = sha256(source.encode()).hexdigest()[:16] if source else ""
        self.min_seats, self.max_seats = min(self._deck.hands.dealt), max(self._deck.hands.dealt)
        self.words = ArenaWords(self._deck)
        standard = options_type().foul_play
        self.exam_options = {
            "foul_play": (not standard, "one"),
            "illegal_plays": ("discard", "vote"),
            "printed": (True,),
        }
        self.printed = {"illegal_plays": "discard"} | ({"foul_play": "one"} if standard else {})

    @property
    def description(self) -> str:
        return _(self._about)

    @property
    def objective(self) -> str:
        if self._deck.rounds != RuleFigures().rounds:
            return _(
                "Bet in secret on fighters, then make them stronger or weaker with spells.\n"
                "Mind the judge's mana limit. At the end, the richest player wins."
            )
        return _(
            "Bet in secret on fighters, then make them stronger or weaker with spells.\n"
            "Mind the judge's mana limit. After three rounds, the richest player wins."
        )

    @property
    def deck(self) -> Deck:
        """Returns the cards and figures, for bots of this game."""
        return self._deck

    def start(self, seats: int, options: Options, chance: Chance) -> tuple[State, list[AddressedEvent]]:
        self.check_seats(seats)
        assert isinstance(options, ArenaOptions)
        return start_match(self, self._deck, seats, options, chance)

    def build_position(self, given: str | Mapping[str, Any], chance: Chance) -> State:
        said = parse_description(given, self._deck.rounds)
        seats = seat_count(said, self.min_seats)
        if not self.min_seats <= seats <= self.max_seats:
            raise PositionRefused(f"seats: {self.title} is for {self.min_seats} to {self.max_seats} players.")
        try:
            options = options_from(self, said.options)
        except ValueError as error:
            raise PositionRefused(f"options: {error}") from None
        assert isinstance(options, ArenaOptions)
        return build_position(self, self._deck, options, seats, said, chance)

    def all_actions(self, seats: int, options: Options) -> Sequence[Action]:
        """Returns every action; `all_actions` explains the order."""
        assert isinstance(options, ArenaOptions)
        return all_actions(self._deck, seats, options)

    def layout(self, seats: int, options: Options) -> Layout:
        """Returns the layout of the vector that `encode` writes, from `encoding.layout`."""
        assert isinstance(options, ArenaOptions)
        return encoding.view_layout(self._deck, seats, may_cheat=options.allows_cheating, votes=options.has_votes)

    def encode(self, view: View, out: Any) -> None:
        seen = cast(ArenaView, view)
        write_parts(
            (
                encoding.get_encoder(
                    self._deck, len(seen.table.players), seen.table.may_cheat, seen.table.votes
                ).encode_view(seen),
            ),
            out,
        )

    def make_encoder(self, seats: int, options: Options) -> Callable[[View], bytearray]:
        assert isinstance(options, ArenaOptions)
        own = encoding.Encoder(self._deck, seats, options.allows_cheating, options.has_votes)
        return cast(Callable[[View], bytearray], own.encode_view)

    def max_game_length(self, seats: int, options: Options) -> int:
        """Returns the upper bound that `encoding.longest` explains."""
        assert isinstance(options, ArenaOptions)
        return encoding.max_game_length(self._deck, seats, votes=options.has_votes)

    def determinize(self, knowledge: Knowledge, seats: int, options: Options, chance: Chance) -> State:
        assert isinstance(knowledge, ArenaKnowledge)
        assert isinstance(options, ArenaOptions)
        return determinize(self, self._deck, knowledge, options, chance)

    def load(self, saved: bytes, options: Options) -> State:
        assert isinstance(options, ArenaOptions)
        return ArenaState(game=self, deck=self._deck, options=options, **unpack_fields(saved))

    def __reduce__(self) -> str | tuple[Any, ...]:
        if self._source:
            return _again, (self.id, self._source)
        return self.id.upper().replace("-", "_")  # the name of the module constant for this edition

    def cards(self) -> list[Card]:
        return edition_cards(self._deck.edition)

    def with_cards(self, text: str) -> ArenaGame:
        if not text:
            raise CardsRefused(_NO_FILE)
        return ArenaGame(
            self.id, self.title, self._about, self.options_type, self._page, self.rules_version, source=text
        )

    def card_file_text(self) -> str:
        return self._source


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
    N_("The later edition: enduring spells, any card may be discarded for a look, and foul play in the last round."),
    FoulPlayOptions,
    "cheaty_mages.md",
    "4",
)


@lru_cache(maxsize=8)  # cached, so that all copies of a state share one game
def _again(edition_id: str, source: str) -> ArenaGame:
    return next(game for game in (IKASAMAGE, CHEATY_MAGES) if game.id == edition_id).with_cards(source)
