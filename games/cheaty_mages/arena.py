"""The whole truth of one match, as plain lists, and the small things that are done to them.

Spell cards are numbers 0..71 in the order of the card list; a set of kinds or seats is an int with a bit for each.
Lists by seat have an unused first entry, so that seat 1 is [1]; rows and fighters are [0] for fighter 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Literal, TypeAlias

import msgspec

from games.api import Options, Told, tell, tell_all, tell_others
from games.chance import Chance
from games.cheaty_mages import events
from games.cheaty_mages.cards import Edition, Spell, edition
from games.cheaty_mages.moves import Cast, at_fighters
from games.cheaty_mages.views import FighterView, JudgeView, Phase, PlayerView, Table, You, judge_view

ROUNDS = 3
FOUL_ROUND = 3
FOUL_PRICE = 2
IN_THE_ARENA = 5
JUDGE = 0  # where an Enduring spell lies that does not lie before a seat


FoulPlay: TypeAlias = Annotated[bool, msgspec.Meta(description="refused spells can be bought in round 3, for 2 gold")]
IllegalPlays: TypeAlias = Annotated[
    Literal["reject", "discard"],
    msgspec.Meta(
        description="what becomes of a refused spell: the server says no, or it may be slipped in and is struck"
    ),
]


class ArenaOptions(Options, frozen=True, forbid_unknown_fields=True):
    """What a table may choose."""

    foul_play: FoulPlay = False
    illegal_plays: IllegalPlays = "reject"


class Deck:
    """The cards of an edition in the form in which rules ask for them, built once."""

    def __init__(self, found: Edition) -> None:
        self.edition = found
        self.spells = found.spells
        self.fighters, self.judges, self.hands = found.fighters, found.judges, found.hands
        self.kind_of = tuple(kind for kind, spell in enumerate(found.spells) for _ in range(spell.count))
        self.spell_of: tuple[Spell, ...] = tuple(found.spells[kind] for kind in self.kind_of)
        self.name_of = tuple(spell.name for spell in self.spell_of)
        self.mana_of = tuple(spell.mana for spell in self.spell_of)
        self.power_of = tuple(spell.power for spell in self.spell_of)
        self.number = {spell.name: kind for kind, spell in enumerate(found.spells)}
        self.hiding = _mask(spell.lies_hidden for spell in found.spells)
        self.directs = _mask(spell.kind == "direct" for spell in found.spells)
        self.refuses = tuple(
            _mask(
                spell.kind in judge.refuses or (spell.forbidden and "forbidden" in judge.refuses)
                for spell in found.spells
            )
            for judge in found.judges
        )
        # Of each kind that lies on fighters, its plain casts by the set of fighters that may be targets; else ().
        self.casts: tuple[tuple[tuple[Cast, ...], ...], ...] = tuple(
            tuple(at_fighters(spell.name, mask, False, False) for mask in range(64)) if spell.kind != "support" else ()
            for spell in found.spells
        )
        self.judge_views: tuple[JudgeView, ...] = tuple(judge_view(judge) for judge in found.judges)


def _mask(bits: Iterable[bool]) -> int:
    return sum(1 << place for place, bit in enumerate(bits) if bit)


@cache
def deck(edition_id: str) -> Deck:
    """The one deck of that edition."""
    return Deck(edition(edition_id))


class Lying(msgspec.Struct, frozen=True, gc=False):
    """A spell card in play on a fighter."""

    card: int
    seat: int
    face_up: bool
    marked: bool
    knowers: int  # seats that know it while it lies face down
    possible: int  # kinds that it might have been for all that the table could tell when it was laid
    lawful: int  # those of them that were lawful then; the others are struck when they are turned up
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

    deck: Deck
    options: ArenaOptions
    seats: int
    chance: Chance
    hands: list[list[int]]  # ascending, so that the order tells nothing
    drawn: list[int]  # per card: how often the pile had been renewed when it was drawn
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
    counts: bool  # whether the round just judged had a winner
    phase: Phase
    starter: int
    turn: int  # whose turn it is
    forgetting: int  # who discards for Amnesia while the turn waits; 0 = nobody
    fighter_views: list[FighterView | None] = field(compare=False, repr=False)
    player_views: list[PlayerView | None] = field(compare=False, repr=False)
    table_view: Table | None = field(compare=False, repr=False)
    you_views: list[You | None] = field(compare=False, repr=False)
    discard_view: tuple[str, ...] | None = field(compare=False, repr=False)

    # Small things that happen. Each forgets the remembered views that it makes wrong.

    def touch_player(self, seat: int) -> None:
        """Something public or private of the seat changed."""
        self.player_views[seat] = None
        self.you_views[seat] = None

    def touch_row(self, fighter: int) -> None:
        """Something about fighter 1..5 changed."""
        self.fighter_views[fighter - 1] = None
        self.you_views = [None] * (self.seats + 1)

    def throw(self, card: int) -> None:
        """A card goes to the discard pile."""
        self.discard.append(card)
        self.discard_view = None

    def take(self, seat: int, kind: int) -> int:
        """The seat's first card of that kind leaves its hand."""
        hand = self.hands[seat]
        kind_of = self.deck.kind_of
        for place, card in enumerate(hand):
            if kind_of[card] == kind:
                del hand[place]
                self.player_views[seat] = None
                self.you_views[seat] = None
                return card
        raise LookupError(f"seat {seat} holds no {self.deck.spells[kind].name}")

    def holds(self, seat: int, kind: int) -> bool:
        """Whether the seat has a card of that kind in hand."""
        kind_of = self.deck.kind_of
        return kind in [kind_of[card] for card in self.hands[seat]]

    def top_spell(self, told: list[Told]) -> int | None:
        """Takes the top card of the spell pile, renewed from the discards if need be (rule 8.4); None if
        there is no card left."""
        if not self.pile:
            if not self.discard:
                return None
            self.renewals += 1
            self.pile = self.chance.shuffle("spells", self.discard)
            self.discard = []
            self.discard_view = None
            told.append(tell_all(events.Reshuffled(len(self.pile))))
        return self.pile.pop()

    def draw(self, seat: int, count: int, told: list[Told]) -> None:
        """The seat draws up to that many cards."""
        cards: list[int] = []
        for _ in range(count):
            card = self.top_spell(told)
            if card is None:
                break
            self.drawn[card] = self.renewals
            cards.append(card)
        if cards:
            self.hands[seat] = sorted(self.hands[seat] + cards)
            self.touch_player(seat)
            told.append(tell_others(seat, events.Drew(seat, len(cards))))
            told.append(tell(seat, events.YouDrew(tuple(self.deck.name_of[card] for card in sorted(cards)))))

    def drop_lying(self, fighter: int, lying: Lying, told: list[Told]) -> None:
        """A spell leaves its row for the discard pile, which the caller tells, and what doubles it goes with it."""
        row = self.rows[fighter - 1]
        row.remove(lying)
        self.throw(lying.card)
        for other in [other for other in row if other.doubles == lying.card]:
            row.remove(other)
            self.throw(other.card)
            told.append(tell_all(events.EnduringEnded(self.deck.name_of[other.card])))
        self.row_changed(fighter)

    def row_changed(self, fighter: int) -> None:
        """Works out anew whether the fighter may be a target."""
        spell_of = self.deck.spell_of
        shut = any(lying.face_up and spell_of[lying.card].name == "reflection" for lying in self.rows[fighter - 1])
        self.open_fighters = self.open_fighters & ~(1 << fighter) | (0 if shut else 1 << fighter)
        self.touch_row(fighter)

    def end_enduring(self, ended: Enduring) -> None:
        """An Enduring spell of the judge or a player leaves for the discard pile, and its effect ends."""
        self.enduring.remove(ended)
        self.throw(ended.card)
        match self.deck.name_of[ended.card]:
            case "confusion":
                self.no_judgement = False
            case "invisibility":
                self.unrefusable &= ~(1 << ended.seat)
            case "prismatic_ray":
                self.hides_directs &= ~(1 << ended.seat)
        if ended.seat != JUDGE:
            self.touch_player(ended.seat)

    def refused(self, seat: int) -> int:
        """The kinds that the judge refuses of this seat now."""
        return 0 if self.unrefusable >> seat & 1 else self.deck.refuses[self.judge]

    def foul_play(self) -> bool:
        """Whether refused spells are for sale in this round."""
        return self.options.foul_play and self.round == FOUL_ROUND
