"""The whole truth of one match, as plain lists, and the small things that are done to them.

Spell cards are numbers from 0 on in the order of the card list; a set of kinds or seats is an int with a bit for each.
Lists by seat have an unused first entry, so that seat 1 is [1]; rows and fighters are [0] for fighter 1.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Any

import msgspec

from games.api import Game, Told, tell, tell_all, tell_others
from games.chance import Chance
from games.cheaty_mages import events
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.options import ArenaOptions
from games.cheaty_mages.views import FighterView, Known, Phase, PlayerView, RoundResult, Table, You

FOUL_PRICE = 2
JUDGE = 0  # where an Enduring spell lies that does not lie before a seat


class Lying(msgspec.Struct, frozen=True, gc=False):
    """A spell card in play on a fighter."""

    card: int
    seat: int
    face_up: bool
    marked: bool
    knowers: int = 0  # seats that know it while it lies face down
    possible: int = 0  # kinds that the others had to think possible when it was laid
    lawful: int = 0  # those of them that were lawful then; the others are struck when they are turned up
    doubles: int = -1  # the card that it lies on, for a spell that lies on a spell


class Enduring(msgspec.Struct, frozen=True, gc=False):
    """A spell card in play on the judge or before a seat."""

    card: int
    seat: int  # before whom it lies, or JUDGE
    by: int
    marked: bool


@dataclass(slots=True)
class Arena:
    """One match. What is marked `compare=False` is only remembered from the rest to answer faster."""

    game: Game = field(compare=False, repr=False)
    deck: Deck
    options: ArenaOptions
    seats: int
    chance: Chance
    hands: list[list[int]]  # ascending, so that the order tells nothing
    drawn: list[
        int
    ]  # per card: of which pile it is, the first one being 0; of piles that cannot be told apart the last
    renewals: int
    pile: list[int]  # the last one is on top
    discard: list[int]
    money: list[int]
    bets: list[tuple[int, ...]]
    passed: list[bool]
    judge: int
    judge_pile: list[int]
    judges_gone: list[int]
    fighters: list[int]
    fighter_pile: list[int]
    rows: list[list[Lying]]
    open_fighters: int  # those that may be targets; bit n for fighter n
    enduring: list[Enduring]
    unrefusable: int
    hides_directs: int
    no_judgement: bool
    round: int
    result: RoundResult | None  # of the round, from its judgement until the next one begins
    phase: Phase
    starter: int
    turn: int  # whose turn it is
    forgetting: int  # who discards for Amnesia while the turn waits; 0 = nobody
    fouls: int  # seats that have bought a refused spell in this round; bit n for seat n
    disputed: list[int]  # cards that were refused, which the players vote on, the present one first
    fighter_views: list[FighterView | None] = field(compare=False, repr=False)
    player_views: list[PlayerView | None] = field(compare=False, repr=False)
    table_view: Table | None = field(compare=False, repr=False)
    you_views: list[You | None] = field(compare=False, repr=False)
    known_views: list[tuple[Known, ...] | None] = field(compare=False, repr=False)
    discard_view: tuple[str, ...] = field(compare=False, repr=False)  # of the oldest cards there, perhaps not of all

    # What is done to the match says which views are out of date.

    def touch(self) -> None:
        """Something happened, as in every action: the view of the table is out of date."""
        self.table_view = None

    def touch_seat(self, seat: int) -> None:
        """Something of that seat changed, public or private."""
        self.player_views[seat] = self.you_views[seat] = None

    def touch_fighter(self, fighter: int) -> None:
        """What lies on it changed, or the fighter itself."""
        self.fighter_views[fighter - 1] = None

    def touch_hidden(self) -> None:
        """Face-down spells lie elsewhere than before, or face up."""
        self.you_views, self.known_views = [None] * (self.seats + 1), [None] * (self.seats + 1)

    def touch_known(self, seat: int) -> None:
        """That seat alone knows more of the face-down spells, and they lie where they did."""
        self.you_views[seat] = self.known_views[seat] = None

    def touch_everything(self) -> None:
        """Everything may have changed, but for the discard pile, which only grew."""
        self.touch_hidden()
        self.fighter_views = [None] * len(self.rows)
        self.player_views = [None] * (self.seats + 1)

    # Small things that happen. Each touches what it changes.

    def take(self, seat: int, kind: int, possible: int = 0) -> int:
        """The seat's first card of that kind leaves its hand, which has one; the caller says where it goes, and touches
        the seat. `possible`: the kinds that it may be for all that the others know, unless they see it."""
        if self.renewals:  # else all cards are of one pile
            self._blend(seat, possible or 1 << kind)
        hand = self.hands[seat]
        return hand.pop(bisect_left(hand, self.deck.first_of[kind]))

    def _blend(self, seat: int, possible: int) -> None:
        """A card of these kinds leaves the hand. Where the others cannot tell of which pile it was, these piles are one
        from now on: what is known of hands must not say more than they can work out."""
        drawn, kind_of = self.drawn, self.deck.kind_of
        piles = {drawn[card] for card in self.hands[seat]}
        if len(piles) == 1:
            return
        hidden = [lying.card for row in self.rows for lying in row if not lying.face_up]
        unseen = (card for cards in (*self.hands, hidden, self.pile) for card in cards)
        piles &= {drawn[card] for card in unseen if possible >> kind_of[card] & 1}
        self.drawn = [max(piles) if pile in piles else pile for pile in drawn]

    def discard_from_hand(self, seat: int, kind: int) -> None:
        """The seat's first card of that kind goes to the discard pile."""
        self.discard.append(self.take(seat, kind))
        self.touch_seat(seat)

    def holds(self, seat: int, kind: int) -> bool:
        """Whether the seat has a card of that kind in hand."""
        hand = self.hands[seat]
        place = bisect_left(hand, self.deck.first_of[kind])
        return place < len(hand) and self.deck.kind_of[hand[place]] == kind

    def top_spell(self, told: list[Told]) -> int | None:
        """Takes the top card of the spell pile, renewed from the discards if need be (rule 8.4); None if
        there is no card left."""
        if not self.pile:
            if not self.discard:
                return None
            self.renewals += 1
            self.pile = self.chance.shuffle("spells", self.discard)
            for card in self.pile:
                self.drawn[card] = self.renewals
            self.discard, self.discard_view = [], ()
            told.append(tell_all(events.Reshuffled(len(self.pile))))
        return self.pile.pop()

    def draw(self, seat: int, count: int, told: list[Told]) -> None:
        """The seat draws up to that many cards."""
        first = len(self.pile) - min(count, len(self.pile))
        cards = self.pile[first:]
        del self.pile[first:]
        while len(cards) < count and (card := self.top_spell(told)) is not None:
            cards.append(card)
        if cards:
            cards.sort()
            self.hands[seat] = sorted(self.hands[seat] + cards)
            self.touch_seat(seat)
            name_of = self.deck.name_of
            told.append(tell_others(seat, events.Drew(seat, len(cards))))
            told.append(tell(seat, events.YouDrew(tuple([name_of[card] for card in cards]))))

    def drop_lying(self, fighter: int, lying: Lying, told: list[Told]) -> None:
        """A spell leaves its row for the discard pile, which the caller tells, and what doubles it goes with it."""
        row = self.rows[fighter - 1]
        row.remove(lying)
        self.discard.append(lying.card)
        for other in [other for other in row if other.doubles == lying.card]:
            row.remove(other)
            self.discard.append(other.card)
            told.append(tell_all(events.EnduringEnded(self.deck.name_of[other.card])))
        self.row_changed(fighter)

    def row_changed(self, fighter: int) -> None:
        """Works out anew whether the fighter may be a target."""
        spell_of = self.deck.spell_of
        shut = any(lying.face_up and spell_of[lying.card].name == "reflection" for lying in self.rows[fighter - 1])
        if shut:
            self.open_fighters &= ~(1 << fighter)
        else:
            self.open_fighters |= 1 << fighter
        self.touch_fighter(fighter)
        self.touch_hidden()

    def end_enduring(self, ended: Enduring) -> None:
        """An Enduring spell of the judge or a player leaves for the discard pile, and its effect ends."""
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
            self.touch_seat(ended.seat)

    def refused(self, seat: int) -> int:
        """The kinds that the judge refuses of this seat now."""
        return 0 if self.unrefusable >> seat & 1 else self.deck.refuses[self.judge]

    def bets_shown(self) -> bool:
        """Whether all bets have been turned up."""
        return self.result is not None and self.result.winner > 0

    def foul_play(self) -> bool:
        """Whether refused spells are for sale in this round."""
        return bool(self.options.foul_play) and self.round == self.deck.rounds

    def may_foul(self, seat: int) -> bool:
        """Whether the seat may still buy a refused spell in this round."""
        return self.foul_play() and not (self.options.foul_play == "one" and self.fouls >> seat & 1)


def spells_in_play(arena: Arena) -> list[tuple[tuple[int, int], Lying]]:
    """Every spell on a fighter, with its fighter and its place."""
    return [
        ((fighter, place), lying) for fighter, row in enumerate(arena.rows, 1) for place, lying in enumerate(row, 1)
    ]


def nothing_seen(seats: int, fighters: int) -> dict[str, Any]:
    """What is only remembered, as long as nobody has looked."""
    return {
        "fighter_views": [None] * fighters,
        "player_views": [None] * (seats + 1),
        "table_view": None,
        "you_views": [None] * (seats + 1),
        "known_views": [None] * (seats + 1),
        "discard_view": (),
    }
