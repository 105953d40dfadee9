"""What is heard at the table; each event is made once for the same fields and kept."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from games.api import Event, Seat
from games.cheaty_mages.cards import Verdict


class RoundBegan(Event, frozen=True, tag="round_began"):
    """A round begins; the same number again after a round without a winner."""

    round: int


class Starts(Event, frozen=True, tag="starts"):
    """Who begins this round; `by_lot` if chance chose among several."""

    reveals = frozenset({"seat"})
    seat: int
    by_lot: bool


class FightersDrawn(Event, frozen=True, tag="fighters_drawn"):
    """The fighters 1 to 5 of this round."""

    reveals = frozenset({"fighters"})
    fighters: tuple[str, ...]


class JudgeDrawn(Event, frozen=True, tag="judge_drawn"):
    """The judge from now on."""

    reveals = frozenset({"judge"})
    judge: str


class JudgeLeft(Event, frozen=True, tag="judge_left"):
    """The judge left the game."""

    judge: str


class BetPlaced(Event, frozen=True, tag="bet_placed"):
    """Somebody else placed so many betting cards."""

    seat: int
    count: int


class YouBet(Event, frozen=True, tag="you_bet"):
    """Your betting cards."""

    on: tuple[int, ...]


class BetChanged(Event, frozen=True, tag="bet_changed"):
    """Somebody else swapped one betting card."""

    seat: int


class SpellPlaced(Event, frozen=True, tag="spell_placed"):
    """A spell now lies face up on a fighter."""

    seat: int
    card: str
    fighter: int
    paid: bool


class SpellHidden(Event, frozen=True, tag="spell_hidden"):
    """Somebody else laid a spell face down on a fighter."""

    seat: int
    fighter: int
    paid: bool


class YouHid(Event, frozen=True, tag="you_hid"):
    """You laid a spell face down on a fighter."""

    card: str
    fighter: int
    paid: bool


class SupportCast(Event, frozen=True, tag="support_cast"):
    """A Support spell; what it does is told by the events that follow."""

    seat: int
    card: str
    paid: bool


class Looked(Event, frozen=True, tag="looked"):
    """Somebody looked at what lies face down on a fighter."""

    seat: int
    fighter: int


class Seen(msgspec.Struct, frozen=True, gc=False):
    """A spell that lay face down."""

    place: int
    card: str


class YouSaw(Event, frozen=True, tag="you_saw"):
    """What you saw face down on a fighter."""

    reveals = frozenset({"spells"})
    fighter: int
    spells: tuple[Seen, ...]


class Dispelled(Event, frozen=True, tag="dispelled"):
    """A spell left its fighter for the discard pile, shown to all."""

    reveals = frozenset({"card"})
    fighter: int
    place: int
    card: str


class Cleared(Event, frozen=True, tag="cleared"):
    """Every spell left a fighter for the discard pile, shown to all."""

    reveals = frozenset({"cards"})
    fighter: int
    cards: tuple[str, ...]


class EnduringEnded(Event, frozen=True, tag="enduring_ended"):
    """An Enduring spell left the judge, the player or the spell on which it lay."""

    card: str


class Doubled(Event, frozen=True, tag="doubled"):
    """The power of the spell in that place counts twice from now on."""

    fighter: int
    place: int


class MustForget(Event, frozen=True, tag="must_forget"):
    """A player has to discard a card."""

    seat: int


class Discarded(Event, frozen=True, tag="discarded"):
    """A card from a hand, shown to all."""

    seat: int
    card: str


class Replaced(Event, frozen=True, tag="replaced"):
    """Another fighter stands in that place."""

    reveals = frozenset({"fighter"})
    number: int
    fighter: str


class SpellMoved(Event, frozen=True, tag="spell_moved"):
    """A spell went from its place on one fighter to behind all that lies on another, its Duplicates after it."""

    fighter: int
    place: int
    to: int


class Passed(Event, frozen=True, tag="passed"):
    """No more spells from that player this round; `empty_handed` if for want of cards."""

    seat: int
    empty_handed: bool


class Drew(Event, frozen=True, tag="drew"):
    """Somebody else drew so many cards."""

    seat: int
    count: int


class YouDrew(Event, frozen=True, tag="you_drew"):
    """The cards you drew."""

    reveals = frozenset({"cards"})
    cards: tuple[str, ...]


class Reshuffled(Event, frozen=True, tag="reshuffled"):
    """The discard pile became the new spell pile."""

    count: int


class TurnedUp(Event, frozen=True, tag="turned_up"):
    """The spells that lay face down on a fighter, in their order."""

    reveals = frozenset({"cards"})
    fighter: int
    cards: tuple[str, ...]


class Disputed(Event, frozen=True, tag="disputed"):
    """A spell on a fighter was refused, and the players vote on it."""

    fighter: int
    card: str


class Voted(Event, frozen=True, tag="voted"):
    """A player voted on it: whether it stays."""

    seat: Seat
    keeps: bool


class Kept(Event, frozen=True, tag="kept"):
    """All agree: a spell that was refused stays."""

    fighter: int
    card: str


class Struck(Event, frozen=True, tag="struck"):
    """A spell that was not lawful when it was played goes to the discard pile."""

    fighter: int
    card: str


class LimitRevealed(Event, frozen=True, tag="limit_revealed"):
    """The judge's limit follows from a spell that was revealed and discarded."""

    reveals = frozenset({"card", "limit", "verdict"})
    card: str
    limit: int
    verdict: Verdict


class Judged(Event, frozen=True, tag="judged"):
    """The judge's verdict on a fighter with that much mana."""

    fighter: int
    mana: int
    verdict: Verdict


class Won(Event, frozen=True, tag="won"):
    """The fighter that won the round."""

    fighter: int
    name: str
    power: int
    prize: int


class NobodyWon(Event, frozen=True, tag="nobody_won"):
    """Every fighter was ejected: the round does not count."""


class BetShown(Event, frozen=True, tag="bet_shown"):
    """A player's betting cards, turned up, and what they pay."""

    reveals = frozenset({"on", "paid"})
    seat: int
    on: tuple[int, ...]
    paid: int


Happened: TypeAlias = (
    RoundBegan
    | Starts
    | FightersDrawn
    | JudgeDrawn
    | JudgeLeft
    | BetPlaced
    | YouBet
    | BetChanged
    | SpellPlaced
    | SpellHidden
    | YouHid
    | SupportCast
    | Looked
    | YouSaw
    | Dispelled
    | Cleared
    | EnduringEnded
    | Doubled
    | MustForget
    | Discarded
    | Replaced
    | SpellMoved
    | Passed
    | Drew
    | YouDrew
    | Reshuffled
    | TurnedUp
    | Struck
    | Disputed
    | Voted
    | Kept
    | LimitRevealed
    | Judged
    | Won
    | NobodyWon
    | BetShown
)
