"""One match of 110 Metres Mages: whose turn it is, doing an action, and the end."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import assert_never, cast

from games.api import Action, Game, IllegalAction, Outcome, Seat, State, Told
from games.chance import Chance
from games.mages_110m import casting, events, legal, moves, saving, turns, views
from games.mages_110m.cards import Deck
from games.mages_110m.options import RaceOptions
from games.mages_110m.seeing import knowledge_of, to_move, view_of
from games.mages_110m.sentences import ending
from games.mages_110m.truth import ANSWER, LET_BE, LIMIT, OVER, RaceTruth

METRES = 10  # of a square
NOBODY: frozenset[Seat] = frozenset()
ALONE = [frozenset((seat,)) for seat in range(10)]


class RaceState(State):
    """One race behind the methods that all games have; its truth is `race`."""

    __slots__ = ("game", "options", "race", "seats", "table")

    def __init__(self, race: RaceTruth, table: moves.Table) -> None:
        self.race, self.table = race, table
        self.game, self.options, self.seats = race.game, race.options, race.seats

    # --- 1 setup -------------------------------------------------------------------------------------------------

    @classmethod
    def deal(
        cls, game: Game, deck: Deck, table: moves.Table, options: RaceOptions, seats: int, chance: Chance
    ) -> tuple[RaceState, list[Told]]:
        """Rules 1.1 to 1.6; goes on to the first decision."""
        race = RaceTruth(game, deck, options, seats, chance)
        race.pile = chance.shuffle("pile", deck.all_cards)
        race.turn_of = chance.below("first", seats) + 1
        for mage in race.opponents(race.turn_of):
            mage.reserve = options.late_reserve
        race.tell_all(events.Started(race.turn_of))
        turns.proceed(race)
        told, race.told = race.told, []
        return cls(race, table), told

    @classmethod
    def going_on(cls, race: RaceTruth, table: moves.Table) -> RaceState:
        """A race in the middle; goes on to the next decision."""
        turns.proceed(race)
        race.told = []
        return cls(race, table)

    # --- 2 whose turn, and what they may do ----------------------------------------------------------------------

    def to_move(self) -> frozenset[Seat]:
        race = self.race
        if race.phase == OVER:
            return NOBODY
        if race.phase == ANSWER:
            return frozenset(to_move(race))
        return ALONE[race.actor]

    def legal_actions(self, seat: Seat) -> Sequence[Action]:
        return legal.legal_actions(self.race, self.table, seat)

    def refusal(self, seat: Seat, action: Action) -> IllegalAction | None:
        return legal.why_not(self.race, seat, cast(moves.Move, action))

    def default_action(self, seat: Seat, chance: Chance) -> Action:
        """Rule 10.3: at random, answers too: everybody hears who is late, and with that would hear the answer."""
        return chance.choice("late", legal.legal_actions(self.race, self.table, seat))

    # --- 3 doing it ----------------------------------------------------------------------------------------------

    def apply(self, seat: Seat, action: Action) -> list[Told]:
        move = cast(moves.Move, action)
        race = self.race
        why = legal.why_not(race, seat, move)
        if why is not None:
            raise why
        mage = race.mages[seat - 1]
        match move:
            case moves.Cast():
                card = race.deck.index[move.card]
                race.leave_hand(mage, card)
                casting.cast(race, mage, card, move.at)
            case moves.LetBe():
                casting.answer(race, mage, LET_BE)
            case moves.Drop():
                turns.drop(race, mage, race.deck.index[move.card])
            case moves.Trade():
                turns.trade(race, mage, move.deed)
            case moves.Counter():
                casting.answer(race, mage, race.deck.index[move.card])
            case moves.Pass():
                race.tell_all(events.Passed(seat))
                race.phase = LIMIT
            case moves.Gamble():
                casting.gamble(race, mage)
            case moves.Pay():
                casting.pay(race, mage)
            case moves.Fizzle():
                casting.fizzle(race, mage)
            case moves.Aim():
                casting.cast(race, mage, race.spell, move.at)
            case _:
                assert_never(move)
        turns.proceed(race)
        told, race.told = race.told, []
        return told

    # --- 4 the end -----------------------------------------------------------------------------------------------

    def outcome(self) -> Outcome | None:
        """Rules 10.4 and 10.5: scores are metres."""
        race = self.race
        if race.phase != OVER:
            return None
        squares = [mage.square for mage in race.mages]
        places = tuple(1 + sum(other > square for other in squares) for square in squares)
        scores = tuple((square - 1) * METRES for square in squares)
        reason = "line" if race.crossed else "called_off"
        winners = [seat for seat, place in enumerate(places, 1) if place == 1]
        return Outcome(scores, places, reason, ending(reason, winners))

    # --- 5 who sees what -----------------------------------------------------------------------------------------

    def view(self, seat: Seat | None) -> views.Race | views.SeatRace:
        return view_of(self.race, seat)

    def knowledge(self, seat: Seat | None) -> views.RaceKnowledge:
        return knowledge_of(self.race, seat)

    def looks(self, seat: Seat, action: Action, observer: Seat | None) -> Hashable:
        """Rule 8.2: an answer is secret, everything else is open."""
        if self.race.phase == ANSWER and observer != seat:
            return "answer"
        return action

    def clone(self) -> RaceState:
        return RaceState(self.race.clone(), self.table)

    def save(self) -> bytes:
        return saving.packed(self.race)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RaceState) and self.race.facts() == other.race.facts()
