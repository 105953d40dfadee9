"""The rules of Magecraft from the deal to the end, numbered as on the rules page."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeAlias

from msgspec.structs import replace

from games.api import Action, AddressedEvent, Game, Outcome, Seat, State, to_all
from games.chance import Chance
from games.magecraft import casting, dealing, ending, events, icons, legal, revision, saving
from games.magecraft import moves as do
from games.magecraft.academy import AcademyState, stacks_for
from games.magecraft.cards import CardSet
from games.magecraft.mage import NO_BOARD, Mage, spread
from games.magecraft.moves import GEM_AT
from games.magecraft.options import MagecraftOptions
from games.magecraft.truth import MagecraftTruth
from games.magecraft.turn import BOARDS, ICON, OVER, SPELLS, TurnProgress
from games.magecraft.views_of import view_of

_NOBODY: frozenset[Seat] = frozenset()
_ALONE = tuple(frozenset({seat}) for seat in do.BY_SEAT)


# 1 Setup


def start(
    game: Game, cards: CardSet, options: MagecraftOptions, seats: int, chance: Chance
) -> tuple[MagecraftState, list[AddressedEvent]]:
    """Sets up the Academy, the bags and the boards. The starting hands are drawn at once, or after the last board is
    chosen (rules 1)."""
    first = chance.below("first player", seats) + 1
    dealt = options.boards == "dealt"
    characters = chance.shuffle("characters", range(len(cards.characters))) if dealt else [NO_BOARD] * seats
    extra = chance.shuffle("academy", cards.of_kind("academy"))[: cards.mages.offered]
    state = MagecraftState(
        game=game,
        cards=cards,
        options=options,
        seats=seats,
        chance=chance,
        first=first,
        mages=[Mage(seat, characters[seat - 1], cards.mages) for seat in range(1, seats + 1)],
        academy=AcademyState.laid_out(stacks_for(cards, extra), cards.tables[seats], darkness=options.darkness),
        turn=TurnProgress(first),
    )
    people = tuple(cards.characters[mage.character].name for mage in state.mages if dealt)
    told = [to_all(events.Started(first, people, tuple(spell.name for spell in state.academy.spells)))]
    dealing.fill_bags(state)
    if dealt:
        dealing.draw_hands(state, told)
    else:
        state.turn.phase = BOARDS
    return state, told


@dataclass(slots=True)
class MagecraftState(MagecraftTruth, State):
    """The state of one match."""

    # 2 Turns and legal actions

    def to_move(self) -> frozenset[Seat]:
        return _NOBODY if self.turn.phase == OVER else _ALONE[self.turn.seat]

    legal_actions = legal.legal_actions
    refusal = legal.why_not

    # 3 Actions

    def apply(self, seat: Seat, action: Action) -> list[AddressedEvent]:
        why = legal.why_not(self, seat, action)
        if why is not None:
            raise why
        self.touch()
        turn, mage = self.turn, self.mages[seat - 1]
        told: list[AddressedEvent] = []
        _DOING[type(action)](self, action, mage, told)
        while turn.phase == ICON:  # icons with only one legal use are used automatically (rule 4.1)
            found = icons.choices(self, mage)
            if len(found) > 1:
                self.choices = tuple(found)
                break
            if found:
                _DOING[type(found[0])](self, found[0], mage, told)
            else:
                turn.icons = [0] * len(turn.icons)
                turn.phase = SPELLS
        return told

    def _unshield(self, action: do.Unshield, mage: Mage, told: list[AddressedEvent]) -> None:
        gem = GEM_AT[action.gem]
        mage.shield[gem] -= 1
        mage.discard[gem] += 1
        mage.touch()
        told.append(to_all(events.Unshielded(mage.seat, action.gem)))

    def _learn(self, action: do.Learn, mage: Mage, told: list[AddressedEvent]) -> None:
        """Moves a spell from the Academy to the left end of a book and ends the turn (rules 5)."""
        spell = self.cards.by_name[action.spell]
        self.academy.take_copy(spell)
        mage.books[action.book - 1].insert(0, spell.index * 2)
        told.append(to_all(events.Learnt(mage.seat, spell.name, action.book)))
        ending.end_turn(self, mage, told)

    def _end(self, action: do.End | do.Done, mage: Mage, told: list[AddressedEvent]) -> None:
        ending.end_turn(self, mage, told)

    # 4 The end (rules 7)

    def outcome(self) -> Outcome | None:
        return ending.outcome_of(self) if self.turn.phase == OVER else None

    def out(self) -> frozenset[Seat]:
        return frozenset(self.fallen)

    def default_action(self, seat: Seat, chance: Chance) -> Action:
        """Returns the action that ends the turn if it is legal, else the first legal action. If that action uses a gem
        of the hand, the gem is random (rule 8.5)."""
        choices = self.legal_actions(seat)
        first, last = choices[0], choices[-1]
        if last in (do.END, do.DONE):
            return last
        if isinstance(first, do.Discard | do.Pay) or (isinstance(first, do.Vanish) and first.source == "hand"):
            return replace(first, gem=chance.choice("late", spread(*self.mages[seat - 1].hand)))
        return first

    # 5 Views (rules 8)

    view = view_of

    def looks(self, seat: Seat, action: Action, observer: Seat | None) -> Hashable:
        return action  # all actions are public

    def clone(self) -> MagecraftState:
        copy = MagecraftState.__new__(MagecraftState)
        copy.game, copy.cards, copy.options = self.game, self.cards, self.options
        copy.seats, copy.first = self.seats, self.first
        copy.chance, copy.academy, copy.turn = self.chance.clone(), self.academy.clone(), self.turn.clone()
        copy.mages = [mage.clone() for mage in self.mages]
        copy.round, copy.fallen, copy.reason, copy.choices = self.round, self.fallen[:], self.reason, self.choices
        return copy

    save = saving.packed


# The function that carries out each kind of legal action.
_Does: TypeAlias = Callable[[MagecraftState, Any, Mage, list[AddressedEvent]], None]
_DOING: dict[type[Action], _Does] = {
    do.Take: dealing.take,
    do.Discard: dealing.discard,
    do.Cast: casting.cast,
    do.Innate: casting.cast_innate,
    do.Pay: casting.pay,
    do.Unshield: MagecraftState._unshield,
    do.Learn: MagecraftState._learn,
    do.End: MagecraftState._end,
    do.Revise: revision.begin,
    do.Lift: revision.lift,
    do.Put: revision.put,
    do.Master: revision.master,
    do.Done: MagecraftState._end,
    do.Draw: icons.draw,
    do.Attack: icons.attack,
    do.Heal: icons.heal,
    do.Shield: icons.shield,
    do.Vanish: icons.vanish,
    do.Darken: icons.darken,
}
