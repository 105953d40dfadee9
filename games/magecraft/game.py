"""Magecraft as an instance of `Game`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from games.api import Action, AddressedEvent, Card, Game, Knowledge, Options, State, View
from games.chance import Chance
from games.layout import Layout, write_parts
from games.magecraft import encoding
from games.magecraft.action_space import all_actions
from games.magecraft.cards import OWN_FILE, read_cards
from games.magecraft.determinize import determinize
from games.magecraft.events import MagecraftEvent
from games.magecraft.figures import PRINTED
from games.magecraft.language import N_, _, ngettext
from games.magecraft.moves import MagecraftAction
from games.magecraft.options import MagecraftOptions
from games.magecraft.position import build_position
from games.magecraft.rules import MagecraftState, start_match
from games.magecraft.saving import unpack_fields
from games.magecraft.views import MagecraftView, SeatView, SpectatorView
from games.magecraft.words import MagecraftWords


class Magecraft(Game):
    """The game with its own card file or a custom one."""

    id = "magecraft"
    title = "Magecraft"
    rules_version = "5"
    action_type, event_type, view_type = MagecraftAction, MagecraftEvent, MagecraftView
    knowledge_type = view_type
    unsaid = encoding.UNSAID
    options_type = MagecraftOptions
    rules = Path(__file__).with_name("README.md")
    house_bot = "evoker"
    reasons = {
        "score": N_("a mage reached the winning score"),
        "life": N_("one mage was left"),
        "fall": N_("a mage fell; the best score won"),
        "rounds": N_("the last round was over; the best score won"),
    }
    exam_options = {
        "mastery": (False,),
        "darkness": (False,),
        "boards": ("chosen",),
        "first_fall": (True, "from_three"),
        "hands": ("house",),
        "printed": (True,),
    }
    printed = {"boards": "chosen", "first_fall": False, "hands": "printed", "darkness": False}

    def __init__(self, source: str = "") -> None:
        self._source = source
        self.card_set = read_cards(source or OWN_FILE.read_text(encoding="utf-8"))
        self.min_seats, self.max_seats = min(self.card_set.tables), max(self.card_set.tables)
        self.cards_digest = sha256(source.encode()).hexdigest() if source else ""
        self.words = MagecraftWords(self.card_set)

    @property
    def description(self) -> str:
        score = self.card_set.mages.score
        if score != PRINTED.score:
            return _(
                "Gems from a bag pay for the spells in three books: outlive the others, or score {score} gems.",
                score=score,
            )
        return _("Gems from a bag pay for the spells in three books: outlive the others, or score twenty gems.")

    @property
    def objective(self) -> str:
        score = self.card_set.mages.score
        if score != PRINTED.score:
            return ngettext(
                "Pay gems for the spells of a book, left to right: attack, heal, shield, learn.\n"
                "You win at once with {n} gem in your score, or as the last mage alive.",
                "Pay gems for the spells of a book, left to right: attack, heal, shield, learn.\n"
                "You win at once with {n} gems in your score, or as the last mage alive.",
                score,
            )
        return _(
            "Pay gems for the spells of a book, left to right: attack, heal, shield, learn.\n"
            "You win at once with twenty gems in your score, or as the last mage alive."
        )

    def start(self, seats: int, options: Options, chance: Chance) -> tuple[State, list[AddressedEvent]]:
        self.check_seats(seats)
        assert isinstance(options, MagecraftOptions)
        return start_match(self, self.card_set, options, seats, chance)

    def build_position(self, given: str | Mapping[str, Any], chance: Chance) -> State:
        return build_position(self, self.card_set, given, chance)

    def all_actions(self, seats: int, options: Options) -> Sequence[Action]:
        """Returns every action; `all_actions` explains the order."""
        assert isinstance(options, MagecraftOptions)
        return all_actions(self.card_set, seats, options)

    def layout(self, seats: int, options: Options) -> Layout:
        """Returns the layout of the vector that `encode` writes, from `encoding.layout`."""
        return encoding.view_layout(self.card_set, seats)

    def encode(self, view: View, out: Any) -> None:
        seen = cast(MagecraftView, view)
        seats = 1 + len(seen.others) if isinstance(seen, SeatView) else len(seen.boards)
        write_parts((encoding.get_encoder(self.card_set, seats).encode_view(seen),), out)

    def make_encoder(self, seats: int, options: Options) -> Callable[[View], bytearray]:
        return cast(Callable[[View], bytearray], encoding.Encoder(self.card_set, seats).encode_view)

    def max_game_length(self, seats: int, options: Options) -> int:
        """Returns the upper bound that `encoding.longest` explains."""
        return encoding.max_game_length(self.card_set, seats)

    def determinize(self, knowledge: Knowledge, seats: int, options: Options, chance: Chance) -> State:
        assert isinstance(knowledge, SeatView | SpectatorView)
        assert isinstance(options, MagecraftOptions)
        return determinize(self, self.card_set, knowledge, options, chance)

    def load(self, saved: bytes, options: Options) -> State:
        assert isinstance(options, MagecraftOptions)
        return MagecraftState(game=self, cards=self.card_set, options=options, **unpack_fields(saved, self.card_set))

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._source,)

    def cards(self) -> list[Card]:
        return self.card_set.card_list()

    def with_cards(self, text: str) -> Game:
        return Magecraft(text)

    def card_file_text(self) -> str:
        return self._source


@lru_cache(maxsize=8)  # cached, so that all copies of a state share one game
def _again(source: str) -> Magecraft:
    return Magecraft(source)
