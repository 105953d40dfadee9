"""One match of 110 Mètres Mages: turns, actions and the end."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from games.api import Action, AddressedEvent, Game, IllegalAction, Outcome, Seat, State
from games.chance import Chance
from games.mages_110m import casting, events, legal, moves, saving, turns, views
from games.mages_110m.cards import Deck
from games.mages_110m.language import _
from games.mages_110m.options import RaceOptions
from games.mages_110m.sentences import ending_sentence
from games.mages_110m.truth import ANSWER, LET_BE, LIMIT, OVER, WAITING, MageState, RaceTruth
from games.mages_110m.views_of import knowledge_of, view_of

METRES = 10  # the length of one square in metres
NOBODY: frozenset[Seat] = frozenset()


class RaceState(State):
    """The state of one match. `race` has everything that changes."""

    __slots__ = ("game", "options", "race", "seats", "table")

    def __init__(self, race: RaceTruth, table: moves.ActionTable) -> None:
        self.race, self.table = race, table
        self.game, self.options, self.seats = race.game, race.options, race.seats

    # --- 1 Setup ---

    @classmethod
    def deal_race(
        cls, game: Game, deck: Deck, table: moves.ActionTable, options: RaceOptions, seats: int, chance: Chance
    ) -> tuple[RaceState, list[AddressedEvent]]:
        """Deals a race and plays on to the first decision. Returns the state and the events (rules 1.1 to 1.6)."""
        race = RaceTruth(game, deck, options, seats, chance)
        race.pile = chance.shuffle("pile", deck.cards_for(seats, options))
        race.turn_of = chance.below("first", seats) + 1
        for mage in race.opponents(race.turn_of):
            mage.reserve = options.late_reserve
        race.add_event_to_all(events.Started(race.turn_of))
        turns.play_to_decision(race)
        told, race.told = race.told, []
        return cls(race, table), told

    @classmethod
    def resume(cls, race: RaceTruth, table: moves.ActionTable) -> RaceState:
        """Returns the state for a race in progress, after playing on to the next decision."""
        turns.play_to_decision(race)
        race.told = []
        return cls(race, table)

    # --- 2 Seats to move and their legal actions ---

    def to_move(self) -> frozenset[Seat]:
        race = self.race
        if race.phase == OVER:
            return NOBODY
        if race.phase == ANSWER:
            return frozenset([mage.seat for mage in race.mages if mage.answer == WAITING])
        return self.table.alone[race.actor]

    def legal_actions(self, seat: Seat) -> Sequence[Action]:
        return legal.legal_actions(self.race, self.table, seat)

    def refusal_reason(self, seat: Seat, action: Action) -> IllegalAction | None:
        return legal.illegal_reason(self.race, seat, action)

    def default_action(self, seat: Seat, chance: Chance) -> Action:
        """Returns a random legal action (rule 10.3).

        Answers to a spell are random, too. All players see which seat was late, so a fixed answer would not be secret.
        """
        return chance.choice("late", legal.legal_actions(self.race, self.table, seat))

    # --- 3 Carrying out an action ---

    def apply(self, seat: Seat, action: Action) -> list[AddressedEvent]:
        race = self.race
        why = legal.illegal_reason(race, seat, action)
        if why is not None:
            raise why
        _DOING[type(action)](race, race.mages[seat - 1], action)
        turns.play_to_decision(race)
        told, race.told = race.told, []
        return told

    # --- 4 The end of the race ---

    def outcome(self) -> Outcome | None:
        """Returns the outcome. The scores are in metres (rules 10.4 and 10.5)."""
        race = self.race
        if race.phase != OVER:
            return None
        squares = [mage.square for mage in race.mages]
        places = tuple(1 + sum(other > square for other in squares) for square in squares)
        scores = tuple((square - 1) * METRES for square in squares)
        reason = "line" if race.crossed else "called_off"
        winners = [_("seat {seat}", seat=seat) for seat, place in enumerate(places, 1) if place == 1]
        text = ending_sentence(reason, winners, max(scores))
        return Outcome(scores, places, reason, text[0].upper() + text[1:])

    # --- 5 Views and knowledge ---

    def view(self, seat: Seat | None) -> views.Race | views.SeatRace:
        return view_of(self.race, seat)

    def knowledge(self, seat: Seat | None) -> views.RaceKnowledge:
        return knowledge_of(self.race, seat)

    def observed_action(self, seat: Seat, action: Action, observer: Seat | None) -> Hashable:
        """Returns None for an answer of another seat, which is secret. All other actions are public (rule 8.2)."""
        if self.race.phase == ANSWER and observer != seat:
            return None
        return action

    def clone(self) -> RaceState:
        return RaceState(self.race.clone(), self.table)

    def save(self) -> bytes:
        return saving.pack_state(self.race)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RaceState) and self.race.comparable_fields() == other.race.comparable_fields()


def _cast(race: RaceTruth, mage: MageState, action: moves.Cast) -> None:
    card = race.deck.index[action.card]
    race.take_from_hand(mage, card)
    casting.cast_spell(race, mage, card, action.at)


def _pass(race: RaceTruth, mage: MageState, action: moves.Pass) -> None:
    race.add_event_to_all(events.Passed(mage.seat))
    race.phase = LIMIT


# The function that carries out each kind of legal action.
_DOING: dict[type[Action], Callable[[RaceTruth, MageState, Any], None]] = {
    moves.Cast: _cast,
    moves.Pass: _pass,
    moves.LetBe: lambda race, mage, _: casting.record_answer(race, mage, LET_BE),
    moves.Counter: lambda race, mage, action: casting.record_answer(race, mage, race.deck.index[action.card]),
    moves.Drop: lambda race, mage, action: turns.drop_card(race, mage, race.deck.index[action.card]),
    moves.Trade: lambda race, mage, action: turns.begin_trade(race, mage, action.deed),
    moves.Gamble: lambda race, mage, _: casting.gamble_hand(race, mage),
    moves.Pay: lambda race, mage, _: casting.pay_roll(race, mage),
    moves.Fizzle: lambda race, mage, _: casting.discard_failed_spell(race, mage),
    moves.Aim: lambda race, mage, action: casting.cast_spell(race, mage, race.spell, action.at),
}
