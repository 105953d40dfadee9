"""110 Mètres Mages as an instance of `Game`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from games.api import Action, AddressedEvent, Card, Game, Knowledge, Options, State, View
from games.chance import Chance
from games.layout import Layout, write_parts
from games.mages_110m import card_texts, encoding, events, moves, views
from games.mages_110m.cards import OWN_FILE, Deck
from games.mages_110m.determinize import determinize
from games.mages_110m.language import N_, _
from games.mages_110m.options import RaceOptions
from games.mages_110m.position import build_position
from games.mages_110m.preview import does_spell_concern_seat
from games.mages_110m.rules import RaceState
from games.mages_110m.saving import unpack_state
from games.mages_110m.words import RaceWords


class Mages110m(Game):
    """The game with one card file."""

    id = "mages-110m"
    title = "110 Mètres Mages"
    rules_version = "5"
    min_seats, max_seats = 2, 4
    action_type = moves.RaceAction
    event_type = events.RaceEvent
    view_type = views.Race | views.SeatRace
    knowledge_type = views.RaceKnowledge
    unsaid = encoding.UNSAID
    options_type = RaceOptions
    rules = Path(__file__).with_name("README.md")
    house_bot = "hurdler"
    exam_options = {"surge": ("stays",), "late_reserve": (1,), "printed": (True,)}
    printed = {"surge": "stays"}
    reasons = {"line": N_("a mage crossed the line"), "called_off": N_("the race was called off")}

    def __init__(self, deck: Deck | None = None, *, owned: bool = False) -> None:
        self._deck = deck or Deck(OWN_FILE.read_text(encoding="utf-8"))
        self._owned = owned
        self.cards_digest = self._deck.digest if owned else ""
        self.words = RaceWords(self._deck)
        self._tables: dict[int, moves.ActionTable] = {}

    @property
    def description(self) -> str:
        return _("A foot race of mages who cannot run: spells, dice, hurdles, lost limbs, and a king who is bored.")

    @property
    def objective(self) -> str:
        return _(
            "Get past your hurdles with spells that need dice, limbs or endurance, or hold\n"
            "the others up; two cards buy a simple deed. The first across the line wins."
        )

    @property
    def no_resigning_reason(self) -> str:
        return _("Conceding is against the rules of 110 Metres Mages: run on, or be carried over the line.")

    @property
    def concern_phrase(self) -> str:
        return _("a spell that touches you, or may take a mage over the line")

    def unconcerned_action(self, view: View, legal: Sequence[Action]) -> Action | None:
        race = cast(views.SeatRace, view)
        return moves.LET if moves.LET in legal and not does_spell_concern_seat(self._deck, race) else None

    @property
    def deck(self) -> Deck:
        """Returns the cards, the track and the figures, for bots of this game."""
        return self._deck

    def start(self, seats: int, options: Options, chance: Chance) -> tuple[State, list[AddressedEvent]]:
        self.check_seats(seats)
        assert isinstance(options, RaceOptions)
        return RaceState.deal_race(self, self._deck, self._table(seats), options, seats, chance)

    def build_position(self, given: str | Mapping[str, Any], chance: Chance) -> State:
        race = build_position(self, self._deck, given, chance)
        return RaceState.resume(race, self._table(race.seats))

    def all_actions(self, seats: int, options: Options) -> Sequence[Action]:
        """Returns every action in the order of `moves.py`, and within a kind by card and seat."""
        return self._table(seats).every

    def layout(self, seats: int, options: Options) -> Layout:
        """Returns the layout of the vector that `encode` writes, from `encoding.layout`."""
        assert isinstance(options, RaceOptions)
        return encoding.view_layout(self._deck, seats, options)

    def encode(self, view: View, out: Any) -> None:
        race = cast(views.Race, view)
        write_parts((encoding.get_encoder(self._deck, len(race.mages)).encode_view(race),), out)

    def make_encoder(self, seats: int, options: Options) -> Callable[[View], bytearray]:
        return cast(Callable[[View], bytearray], encoding.Encoder(self._deck, seats).encode_view)

    def max_game_length(self, seats: int, options: Options) -> int:
        """Returns the upper bound that `encoding.longest` explains."""
        return encoding.max_game_length(self._deck, seats)

    def determinize(self, knowledge: Knowledge, seats: int, options: Options, chance: Chance) -> State:
        assert isinstance(knowledge, views.RaceKnowledge)
        assert isinstance(options, RaceOptions)
        return RaceState(determinize(self, self._deck, knowledge, options, chance), self._table(seats))

    def load(self, saved: bytes, options: Options) -> State:
        assert isinstance(options, RaceOptions)
        race = unpack_state(self, self._deck, options, saved)
        return RaceState(race, self._table(race.seats))

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.card_file_text(),)

    def _table(self, seats: int) -> moves.ActionTable:
        """Returns all actions for a number of mages. They are built once for each number."""
        if seats not in self._tables:
            self._tables[seats] = moves.ActionTable(self._deck, seats)
        return self._tables[seats]

    def cards(self) -> list[Card]:
        return card_texts.card_list(self._deck)

    def with_cards(self, text: str) -> Mages110m:
        return Mages110m(Deck(text), owned=True)

    def card_file_text(self) -> str:
        return self._deck.text if self._owned else ""


@lru_cache(maxsize=8)  # cached, so that all copies of a state share one game
def _again(cards: str) -> Mages110m:
    return Mages110m(Deck(cards) if cards else None, owned=bool(cards))
