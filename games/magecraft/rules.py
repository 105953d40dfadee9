"""Magecraft as it is played; the numbers are those of README.md."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Annotated, assert_never, get_args

import msgspec

from games.api import Action, IllegalAction, Options, Outcome, Seat, State, Told, View, tell_all
from games.chance import Chance
from games.magecraft import casting, revision, spell_phase
from games.magecraft import icons as icon_rules
from games.magecraft import moves as do
from games.magecraft.academy import Academy, stacks_for
from games.magecraft.cards import ON_OFFER, CardSet
from games.magecraft.ending import WINNING_SCORE, outcome_of
from games.magecraft.icons import IconAction
from games.magecraft.mage import KINDS, Mage
from games.magecraft.moves import GEM_AT
from games.magecraft.payment import forced_gems
from games.magecraft.revision import RevisionAction
from games.magecraft.spell_phase import SpellPhaseAction
from games.magecraft.turn import ICON, NO_GOLD, OVER, PAY, REVISE, SETUP, SPELLS, Turn
from games.magecraft.views import SeatView, WatchView

HAND = 4
STARTING_HANDS = ((4, 2), (4, 1), (4, 0), (5, 1))  # drawn and discarded, in turn order


class MagecraftOptions(Options, frozen=True, forbid_unknown_fields=True):
    """What a table may choose."""

    mastery: Annotated[bool, msgspec.Meta(description="a revision may master one spell")] = True
    darkness: Annotated[bool, msgspec.Meta(description="darkness gems lie beside the Academy")] = True


class MagecraftState(State):
    """One match. Mages stand in seat order; `fallen` are eliminated seats, the first to fall first."""

    __slots__ = (
        "_legal", "academy", "cards", "chance", "fallen", "first", "mages", "options", "reason", "round", "seats",
        "turn",
    )  # fmt: skip

    # 1 Setup

    def __init__(self, cards: CardSet, options: MagecraftOptions, seats: int, chance: Chance) -> None:
        self.cards, self.options, self.chance, self.seats = cards, options, chance, seats
        table = cards.tables[seats]
        self.first = chance.below("first player", seats) + 1
        characters = chance.shuffle("characters", range(len(cards.characters)))
        extra = chance.shuffle("academy", cards.of_kind("academy"))[:ON_OFFER]
        self.mages = [Mage(seat, characters[seat - 1], cards) for seat in range(1, seats + 1)]
        darkness = table.darkness if options.darkness else 0
        self.academy = Academy(stacks_for(cards, extra), table.copies, table.gems, darkness)
        self.turn = Turn(self.first)
        self.round = 0
        self.fallen: list[Seat] = []
        self.reason = ""
        self._legal: tuple[Action, ...] | None = None

    def deal(self) -> list[Told]:
        """Fills the bags and draws the starting hands (rules 1.3 and 1.8); called once."""
        characters = tuple(self.cards.characters[mage.character].name for mage in self.mages)
        academy = tuple(spell.name for spell in self.academy.spells)
        told = [tell_all(do.Started(self.first, characters, academy))]
        for at in range(self.seats):
            mage = self.mages[(self.first - 1 + at) % self.seats]
            mage.refill(self.chance, [])  # a start that everybody knows; no event
            mage.draw(STARTING_HANDS[at][0], self.chance, told)
        self.turn.to_discard = STARTING_HANDS[0][1]
        return told

    # 2 Whose turn it is, and what may be done

    def to_move(self) -> frozenset[Seat]:
        return _NOBODY if self.turn.phase == OVER else _ALONE[self.turn.seat]

    def legal_actions(self, seat: Seat) -> Sequence[Action]:
        turn = self.turn
        if seat != turn.seat or turn.phase == OVER:
            return ()
        if self._legal is None:
            self._legal = tuple(self._choices(turn, self.mages[seat - 1]))
        return self._legal

    def _choices(self, turn: Turn, mage: Mage) -> Sequence[Action]:
        phase = turn.phase
        if phase == SPELLS:
            return spell_phase.choices(self, turn, mage)
        if phase == ICON:
            return icon_rules.choices(turn.icons, mage, self.mages, self.academy)
        if phase == REVISE:
            return revision.choices(turn, mage)
        hand = mage.hand
        ways = do.PAYS if phase == PAY else do.DISCARDS
        return [ways[gem] for gem in range(KINDS) if hand[gem]]

    def refusal(self, seat: Seat, action: Action) -> IllegalAction | None:
        turn = self.turn
        if turn.phase == OVER:
            return IllegalAction("over", "The match is over.")
        if seat != turn.seat:
            return IllegalAction("not_your_turn", f"It is the turn of seat {turn.seat}.")
        phase = _PHASE_OF.get(type(action))
        if phase is None:
            return IllegalAction("unknown", "That is no action of Magecraft.")
        if phase != turn.phase:
            return IllegalAction("not_now", _ASKED[turn.phase])
        mage = self.mages[seat - 1]
        if phase == ICON:
            return icon_rules.why_not(action, turn.icons, mage, self.mages, self.academy)  # type: ignore[arg-type]
        if phase == REVISE:
            return revision.why_not(action, turn, mage)  # type: ignore[arg-type]
        if phase == SPELLS:
            return spell_phase.why_not(self, action, turn, mage)  # type: ignore[arg-type]
        return _not_in_hand(action.gem, mage)  # type: ignore[attr-defined]

    # 3 Doing it

    def apply(self, seat: Seat, action: Action) -> list[Told]:
        why = self.refusal(seat, action)
        if why is not None:
            raise why
        self._legal = None
        turn, mage, told = self.turn, self.mages[seat - 1], list[Told]()
        if turn.phase == ICON:
            icon_rules.use(self, action, mage, told)  # type: ignore[arg-type]
        elif turn.phase == REVISE:
            self._go_on_revising(action, turn, mage, told)  # type: ignore[arg-type]
        elif turn.phase == SPELLS:
            self._take_turn(action, turn, mage, told)  # type: ignore[arg-type]
        elif turn.phase == PAY:
            casting.pay(turn, mage, GEM_AT[action.gem], told)  # type: ignore[attr-defined]
        else:
            self._discard(action, turn, mage, told)  # type: ignore[arg-type]
        while turn.phase == ICON:  # what leaves no choice is done at once (rule 4.1)
            found = icon_rules.choices(turn.icons, mage, self.mages, self.academy)
            if len(found) > 1:
                self._legal = tuple(found)
                break
            if found:
                icon_rules.use(self, found[0], mage, told)  # type: ignore[arg-type]
            else:
                turn.icons = [0] * len(turn.icons)
                turn.phase = SPELLS
        return told

    def _take_turn(self, action: SpellPhaseAction, turn: Turn, mage: Mage, told: list[Told]) -> None:
        match action:
            case do.Cast():
                casting.cast(self, mage, action.book, told)
            case do.Learn():
                self._learn(action, turn, mage, told)
            case do.End():
                self._end_turn(turn, mage, told)
            case do.Innate():
                casting.cast_innate(self, mage, told)
            case do.Revise():
                revision.begin(turn, mage, mastery=self.options.mastery, told=told)
            case do.Unshield():
                self._unshield(action, mage, told)
            case _:
                assert_never(action)

    def _go_on_revising(self, action: RevisionAction, turn: Turn, mage: Mage, told: list[Told]) -> None:
        if isinstance(action, do.Done):
            self._end_turn(turn, mage, told)
        else:
            revision.rearrange(action, turn, mage, self.cards, told)

    def _discard(self, action: do.Discard, turn: Turn, mage: Mage, told: list[Told]) -> None:
        gem = GEM_AT[action.gem]
        mage.lose(gem)
        mage.discard[gem] += 1
        told.append(tell_all(do.Discarded(mage.seat, action.gem)))
        turn.to_discard -= 1
        while not turn.to_discard:
            turn.seat = turn.seat % self.seats + 1
            if turn.seat == self.first:
                self.round = 1
                self._begin_turn(self.first, turn, told)
                return
            turn.to_discard = STARTING_HANDS[(turn.seat - self.first) % self.seats][1]

    def _unshield(self, action: do.Unshield, mage: Mage, told: list[Told]) -> None:
        gem = GEM_AT[action.gem]
        mage.shield[gem] -= 1
        mage.discard[gem] += 1
        mage.touch()
        told.append(tell_all(do.Unshielded(mage.seat, action.gem)))

    # Learning and revising (rules 5)

    def _learn(self, action: do.Learn, turn: Turn, mage: Mage, told: list[Told]) -> None:
        spell = self.cards.by_name[action.spell]
        self.academy.take_copy(spell)
        mage.books[action.book - 1].insert(0, spell.index * 2)
        told.append(tell_all(do.Learnt(mage.seat, spell.name, action.book)))
        self._end_turn(turn, mage, told)

    # The end of a turn (rules 6)

    def _end_turn(self, turn: Turn, mage: Mage, told: list[Told]) -> None:
        if turn.gold != NO_GOLD:
            casting.lose_gold(turn, mage, told)
        told.append(tell_all(do.HandDiscarded(mage.seat, mage.drop_hand())))
        mage.draw(HAND, self.chance, told)
        self._next_turn(turn, told)

    def _next_turn(self, turn: Turn, told: list[Told]) -> None:
        seat, new_round = turn.seat, False
        while True:
            seat = seat % self.seats + 1
            new_round |= seat == self.first  # also when the first player is out
            if self.mages[seat - 1].alive:
                break
        if new_round and self.round >= self.cards.rounds:
            self._finish("rounds", turn)
            return
        self.round += new_round
        self._begin_turn(seat, turn, told)

    def _begin_turn(self, seat: Seat, turn: Turn, told: list[Told]) -> None:
        turn.begin(seat)
        turn.phase = SPELLS
        told.append(tell_all(do.TurnBegan(seat, self.round)))

    # 4 The end (rules 7)

    def look_at_the_end(self, scorer: Mage, loser: Mage, told: list[Told]) -> None:
        """After every gem that moved: a score of twenty is looked at before an empty life."""
        turn = self.turn
        full = sum(scorer.score) >= WINNING_SCORE
        empty = not any(loser.life)
        if empty:
            loser.alive = False
            loser.touch()
            self.fallen.append(loser.seat)
            told.append(tell_all(do.Eliminated(loser.seat)))
        if full:
            self._finish("score", turn)
        elif len(self.fallen) == self.seats - 1:
            self._finish("life", turn)
        elif empty and loser is scorer:  # whoever vanished the last own life leaves in mid-turn, hand and all
            if turn.gold != NO_GOLD:
                casting.lose_gold(turn, loser, told)
            self._next_turn(turn, told)

    def _finish(self, reason: str, turn: Turn) -> None:
        self.reason = reason
        turn.phase = OVER

    def outcome(self) -> Outcome | None:
        return outcome_of(self.mages, self.fallen, self.reason) if self.turn.phase == OVER else None

    # 5 Who sees what (rules 8)

    def view(self, seat: Seat | None) -> View:
        progress = self.turn.view(self.round, self.first, self.cards)
        academy = self.academy.view()
        mages = self.mages
        if seat is None:
            return WatchView(progress, tuple([mage.others_see() for mage in mages]), academy)
        others = tuple([mage.others_see() for mage in mages[seat:] + mages[: seat - 1]])
        return SeatView(progress, mages[seat - 1].owner_sees(), others, academy)

    def looks(self, seat: Seat, action: Action, observer: Seat | None) -> Hashable:
        return action  # whatever is done is done for all to see

    def redeal(self, seat: Seat | None, chance: Chance) -> State:
        other = self.clone()
        other.chance = chance.fork("draws to come")
        for mage in other.mages:
            if mage.seat == seat:
                mage.redeal_own_bag(chance)
            else:
                mage.redeal_hidden(chance)
                # Everybody knows that a mage who is asked for a gem has a choice (rule 8.4).
                while other.turn.phase == PAY and mage.seat == other.turn.seat and forced_gems(other.turn, mage):
                    mage.redeal_hidden(chance)
        if self.turn.seat != seat:
            other._legal = None
        return other

    def default_action(self, seat: Seat, chance: Chance) -> Action:
        """Ends the turn where that can be done, else the first thing that is legal."""
        legal = self.legal_actions(seat)
        return legal[-1] if legal[-1] in (do.END, do.DONE) else legal[0]

    def clone(self) -> MagecraftState:
        copy = MagecraftState.__new__(MagecraftState)
        copy.cards, copy.options, copy.seats, copy.first = self.cards, self.options, self.seats, self.first
        copy.chance, copy.academy, copy.turn = self.chance.clone(), self.academy.clone(), self.turn.clone()
        copy.mages = [mage.clone() for mage in self.mages]
        copy.round, copy.fallen, copy.reason, copy._legal = self.round, self.fallen[:], self.reason, self._legal
        return copy

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MagecraftState) and self._whole() == other._whole()

    __hash__ = None  # type: ignore[assignment]

    def _whole(self) -> tuple[object, ...]:
        dealt = (self.cards, self.options, self.seats, self.first, self.chance)
        return (*dealt, self.mages, self.academy, self.turn, self.round, self.fallen, self.reason)


_NOBODY: frozenset[Seat] = frozenset()
_ALONE = tuple(frozenset({seat}) for seat in range(do.TOP_SEAT + 1))
_PHASE_OF: dict[type[Action], int] = {
    do.Discard: SETUP,
    do.Pay: PAY,
    **dict.fromkeys(get_args(SpellPhaseAction), SPELLS),
    **dict.fromkeys(get_args(IconAction), ICON),
    **dict.fromkeys(get_args(RevisionAction), REVISE),
}
_ASKED = {
    SETUP: "Discard gems of your starting hand first.",
    SPELLS: "There is nothing of that kind to decide now.",
    PAY: "Pay the wild symbols first.",
    ICON: "Use the icons of the spell first.",
    REVISE: "Finish the revision first.",
}


def _not_in_hand(gem: str, mage: Mage) -> IllegalAction | None:
    return None if mage.hand[GEM_AT[gem]] else IllegalAction("no_gem", f"There is no {gem} gem in your hand.")
