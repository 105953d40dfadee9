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
from games.magecraft.academy import AcademyState, academy_spells
from games.magecraft.cards import CardSet
from games.magecraft.mage import NO_BOARD, Mage, names_of_counts
from games.magecraft.moves import GEM_AT
from games.magecraft.options import MagecraftOptions
from games.magecraft.truth import MagecraftTruth
from games.magecraft.turn import BOARDS, ICON, OVER, SPELLS, TurnProgress
from games.magecraft.views_of import view_of

_NOBODY: frozenset[Seat] = frozenset()
_ALONE = tuple(frozenset({seat}) for seat in do.BY_SEAT)


# 1 Setup


def start_match(
    game: Game, cards: CardSet, options: MagecraftOptions, seats: int, chance: Chance
) -> tuple[MagecraftState, list[AddressedEvent]]:
    """Sets up the Academy, the bags and the boards. The starting hands are drawn at once, or after the last board is
    chosen (rules 1)."""
    first = chance.below("first player", seats) + 1
    dealt = options.boards == "dealt"
    characters = chance.shuffle("characters", range(len(cards.characters))) if dealt else [NO_BOARD] * seats
    extra = chance.shuffle("academy", cards.spells_of_kind("academy"))[: cards.mages.offered]
    state = MagecraftState(
        game=game,
        cards=cards,
        options=options,
        seats=seats,
        chance=chance,
        first=first,
        mages=[Mage(seat, characters[seat - 1], cards.mages) for seat in range(1, seats + 1)],
        academy=AcademyState.set_up(academy_spells(cards, extra), cards.tables[seats], darkness=options.darkness),
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
    refusal_reason = legal.illegal_reason

    # 3 Actions

    def apply(self, seat: Seat, action: Action) -> list[AddressedEvent]:
        why = legal.illegal_reason(self, seat, action)
        if why is not None:
            raise why
        self.invalidate_legal_actions()
        turn, mage = self.turn, self.mages[seat - 1]
        told: list[AddressedEvent] = []
        _DOING[type(action)](self, action, mage, told)
        while turn.phase == ICON:  # icons with only one legal use are used automatically (rule 4.1)
            found = icons.legal_icon_uses(self, mage)
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
        mage.invalidate_views()
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
        return ending.match_outcome(self) if self.turn.phase == OVER else None

    def eliminated_seats(self) -> frozenset[Seat]:
        return frozenset(self.fallen)

    def default_action(self, seat: Seat, chance: Chance) -> Action:
        """Returns the action that ends the turn if it is legal, else the first legal action. If that action uses a gem
        of the hand, the gem is random (rule 8.5)."""
        choices = self.legal_actions(seat)
        first, last = choices[0], choices[-1]
        if last in (do.END, do.DONE):
            return last
        if isinstance(first, do.Discard | do.Pay) or (isinstance(first, do.Vanish) and first.source == "hand"):
            return replace(first, gem=chance.choice("late", names_of_counts(*self.mages[seat - 1].hand)))
        return first

    # 5 Views (rules 8)

    view = view_of

    def observed_action(self, seat: Seat, action: Action, observer: Seat | None) -> Hashable:
        return action  # all actions are public

    def clone(self) -> MagecraftState:
        copy = MagecraftState.__new__(MagecraftState)
        copy.game, copy.cards, copy.options = self.game, self.cards, self.options
        copy.seats, copy.first = self.seats, self.first
        copy.chance, copy.academy, copy.turn = self.chance.clone(), self.academy.clone(), self.turn.clone()
        copy.mages = [mage.clone() for mage in self.mages]
        copy.round, copy.fallen, copy.reason, copy.choices = self.round, self.fallen[:], self.reason, self.choices
        return copy

    save = saving.pack_state


# The function that carries out each kind of legal action.
_Does: TypeAlias = Callable[[MagecraftState, Any, Mage, list[AddressedEvent]], None]
_DOING: dict[type[Action], _Does] = {
    do.Take: dealing.take_board,
    do.Discard: dealing.discard_gem,
    do.Cast: casting.cast_spell,
    do.Innate: casting.cast_innate,
    do.Pay: casting.pay_wild_symbol,
    do.Unshield: MagecraftState._unshield,
    do.Learn: MagecraftState._learn,
    do.End: MagecraftState._end,
    do.Revise: revision.begin_revision,
    do.Lift: revision.lift_spell,
    do.Put: revision.put_spell,
    do.Master: revision.master_spell,
    do.Done: MagecraftState._end,
    do.Draw: icons.draw,
    do.Attack: icons.attack,
    do.Heal: icons.heal,
    do.Shield: icons.shield,
    do.Vanish: icons.vanish,
    do.Darken: icons.use_darken,
}
