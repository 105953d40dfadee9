"""The full state of a match, as plain lists, with the basic operations on it.

Spell cards are numbers from 0 in card order. A set of kinds or seats is an integer with one bit for each kind or seat.
Lists by seat have an unused first entry, so that seat 1 has index 1. In the lists of rows and fighters, fighter 1 has
index 0.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Any

import msgspec

from games.api import AddressedEvent, Game, to_all, to_others, to_seat
from games.chance import Chance
from games.cheaty_mages import events
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.options import ArenaOptions
from games.cheaty_mages.views import FighterView, Known, Phase, PlayerView, RoundResult, TableView, You

FOUL_PRICE = 2
JUDGE = 0  # the `seat` of an Enduring spell on the judge


class SpellOnFighter(msgspec.Struct, frozen=True, gc=False):
    """A spell card on a fighter."""

    card: int
    seat: int
    face_up: bool
    marked: bool
    knowers: int = 0  # the set of seats that know the card while it lies face down
    possible: int = 0  # the set of kinds that others had to consider possible when the card was laid face down
    lawful: int = 0  # the kinds of `possible` that were lawful then; a card of another kind is struck when turned up
    doubles: int = -1  # for a Duplicate, the card whose power it doubles; else -1


class Enduring(msgspec.Struct, frozen=True, gc=False):
    """An Enduring spell card that lies on the judge or before a seat."""

    card: int
    seat: int  # the seat before which it lies, or JUDGE
    by: int
    marked: bool


@dataclass(slots=True)
class Arena:
    """The full state of a match. Fields with `compare=False` are caches."""

    game: Game = field(compare=False, repr=False)
    deck: Deck
    options: ArenaOptions
    seats: int
    chance: Chance
    hands: list[list[int]]  # each hand in ascending order, so that the order reveals nothing
    drawn: list[int]  # for each card: the number of its spell pile, from 0; piles that `_blend` merged share one
    renewals: int  # how many times the discard pile became the spell pile
    pile: list[int]  # the last card is on top
    discard: list[int]
    money: list[int]
    bets: list[tuple[int, ...]]
    passed: list[bool]
    judge: int
    judge_pile: list[int]
    judges_gone: list[int]
    fighters: list[int]
    fighter_pile: list[int]
    rows: list[list[SpellOnFighter]]
    open_fighters: int  # the set of fighters that may be targets; bit n for fighter n
    enduring: list[Enduring]
    unrefusable: int
    hides_directs: int
    no_judgement: bool
    round: int
    result: RoundResult | None  # the result of the round, from its judgement until the next round
    phase: Phase
    starter: int
    turn: int  # the seat whose turn it is
    forgetting: int  # the seat that discards for Amnesia out of turn; 0 for none
    fouls: int  # the seats that bought a refused spell in this round; bit n for seat n
    disputed: list[int]  # refused cards on which the players vote, the current one first
    fighter_views: list[FighterView | None] = field(compare=False, repr=False)
    player_views: list[PlayerView | None] = field(compare=False, repr=False)
    table_view: TableView | None = field(compare=False, repr=False)
    you_views: list[You | None] = field(compare=False, repr=False)
    known_views: list[tuple[Known, ...] | None] = field(compare=False, repr=False)
    discard_view: tuple[str, ...] = field(compare=False, repr=False)  # the oldest discards; newer ones may be missing

    # The `invalidate` methods mark cached views as out of date. The operations below call them.

    def invalidate_table(self) -> None:
        """Marks the cached view of the table as out of date. Every action calls this."""
        self.table_view = None

    def invalidate_seat(self, seat: int) -> None:
        """Marks the cached views of one player as out of date: the public facts, and what only this seat knows."""
        self.player_views[seat] = self.you_views[seat] = None

    def invalidate_fighter(self, fighter: int) -> None:
        """Marks the cached view of one fighter and its spells as out of date."""
        self.fighter_views[fighter - 1] = None

    def invalidate_hidden(self) -> None:
        """Marks what each seat knows of face-down spells as out of date."""
        self.you_views, self.known_views = [None] * (self.seats + 1), [None] * (self.seats + 1)

    def invalidate_known(self, seat: int) -> None:
        """Marks what one seat knows of face-down spells as out of date, because the seat learned more."""
        self.you_views[seat] = self.known_views[seat] = None

    def invalidate_all(self) -> None:
        """Marks all cached views of players and fighters as out of date, but not that of the discard pile, which only
        grew."""
        self.invalidate_hidden()
        self.fighter_views = [None] * len(self.rows)
        self.player_views = [None] * (self.seats + 1)

    # Basic operations. Each marks the cached views of what it changes as out of date.

    def take_from_hand(self, seat: int, kind: int, possible: int = 0) -> int:
        """Takes the seat's first card of a kind out of its hand and returns the card.

        The hand must contain one. The caller puts the card somewhere and calls `invalidate_seat`. `possible` is the set
        of kinds that others must consider possible for this card; 0 if they see the card.
        """
        if self.renewals:  # otherwise all cards are from one pile
            self._blend(seat, possible or 1 << kind)
        hand = self.hands[seat]
        return hand.pop(bisect_left(hand, self.deck.first_of[kind]))

    def _blend(self, seat: int, possible: int) -> None:
        """Merges spell piles that others can no longer tell apart after a card of these kinds left the hand.

        Otherwise `drawn` would say more about the cards in hands than others can infer.
        """
        drawn, kind_of = self.drawn, self.deck.kind_of
        piles = {drawn[card] for card in self.hands[seat]}
        if len(piles) == 1:
            return
        hidden = [lying.card for row in self.rows for lying in row if not lying.face_up]
        unseen = (card for cards in (*self.hands, hidden, self.pile) for card in cards)
        piles &= {drawn[card] for card in unseen if possible >> kind_of[card] & 1}
        self.drawn = [max(piles) if pile in piles else pile for pile in drawn]

    def discard_from_hand(self, seat: int, kind: int) -> None:
        """Discards the seat's first card of a kind."""
        self.discard.append(self.take_from_hand(seat, kind))
        self.invalidate_seat(seat)

    def has_card(self, seat: int, kind: int) -> bool:
        """Returns whether the seat has a card of this kind in its hand."""
        hand = self.hands[seat]
        place = bisect_left(hand, self.deck.first_of[kind])
        return place < len(hand) and self.deck.kind_of[hand[place]] == kind

    def draw_top_spell(self, told: list[AddressedEvent]) -> int | None:
        """Takes the top card of the spell pile and returns it. An empty pile is first made from the shuffled discard
        pile (rule 8.4). Returns None if there is no card left."""
        if not self.pile:
            if not self.discard:
                return None
            self.renewals += 1
            self.pile = self.chance.shuffle("spells", self.discard)
            for card in self.pile:
                self.drawn[card] = self.renewals
            self.discard, self.discard_view = [], ()
            told.append(to_all(events.Reshuffled(len(self.pile))))
        return self.pile.pop()

    def draw_cards(self, seat: int, count: int, told: list[AddressedEvent]) -> None:
        """Draws up to `count` cards for a seat, as far as there are cards."""
        first = len(self.pile) - min(count, len(self.pile))
        cards = self.pile[first:]
        del self.pile[first:]
        while len(cards) < count and (card := self.draw_top_spell(told)) is not None:
            cards.append(card)
        if cards:
            cards.sort()
            self.hands[seat] = sorted(self.hands[seat] + cards)
            self.invalidate_seat(seat)
            name_of = self.deck.name_of
            told.append(to_others(seat, events.Drew(seat, len(cards))))
            told.append(to_seat(seat, events.YouDrew(tuple([name_of[card] for card in cards]))))

    def discard_spell(self, fighter: int, lying: SpellOnFighter, told: list[AddressedEvent]) -> None:
        """Discards a spell on a fighter together with the Duplicates on it. The caller adds the event for the spell
        itself."""
        row = self.rows[fighter - 1]
        row.remove(lying)
        self.discard.append(lying.card)
        for other in [other for other in row if other.doubles == lying.card]:
            row.remove(other)
            self.discard.append(other.card)
            told.append(to_all(events.EnduringEnded(self.deck.name_of[other.card])))
        self.update_targetable(fighter)

    def update_targetable(self, fighter: int) -> None:
        """Recomputes, after the spells on a fighter changed, whether the fighter may be a target."""
        spell_of = self.deck.spell_of
        shut = any(lying.face_up and spell_of[lying.card].name == "reflection" for lying in self.rows[fighter - 1])
        if shut:
            self.open_fighters &= ~(1 << fighter)
        else:
            self.open_fighters |= 1 << fighter
        self.invalidate_fighter(fighter)
        self.invalidate_hidden()

    def end_enduring(self, ended: Enduring) -> None:
        """Discards an Enduring spell that lies on the judge or before a player, and ends its effect."""
        self.enduring.remove(ended)
        self.discard.append(ended.card)
        match self.deck.name_of[ended.card]:
            case "confusion":
                self.no_judgement = False
            case "invisibility":
                self.unrefusable &= ~(1 << ended.seat)
            case "prismatic_ray":
                self.hides_directs &= ~(1 << ended.seat)
        if ended.seat != JUDGE:
            self.invalidate_seat(ended.seat)

    def refused_kinds(self, seat: int) -> int:
        """Returns the set of kinds of spells that the judge refuses from a seat now."""
        return 0 if self.unrefusable >> seat & 1 else self.deck.refuses[self.judge]

    def are_bets_shown(self) -> bool:
        """Returns whether the bets of all players are face up, because the round has a winner."""
        return self.result is not None and self.result.winner > 0

    def has_foul_play(self) -> bool:
        """Returns whether refused spells can be bought in this round."""
        return bool(self.options.foul_play) and self.round == self.deck.rounds

    def can_foul(self, seat: int) -> bool:
        """Returns whether a seat may still buy a refused spell in this round, whatever its money."""
        return self.has_foul_play() and not (self.options.foul_play == "one" and self.fouls >> seat & 1)


def spells_in_play(arena: Arena) -> list[tuple[tuple[int, int], SpellOnFighter]]:
    """Returns every spell that lies on a fighter, each with (fighter, place)."""
    return [
        ((fighter, place), lying) for fighter, row in enumerate(arena.rows, 1) for place, lying in enumerate(row, 1)
    ]


def empty_view_caches(seats: int, fighters: int) -> dict[str, Any]:
    """Returns the fields of a new state that cache views, all empty."""
    return {
        "fighter_views": [None] * fighters,
        "player_views": [None] * (seats + 1),
        "table_view": None,
        "you_views": [None] * (seats + 1),
        "known_views": [None] * (seats + 1),
        "discard_view": (),
    }
