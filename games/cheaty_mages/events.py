"""The events of the game."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from games.api import Event, Seat
from games.cheaty_mages.cards import Verdict


class RoundBegan(Event, frozen=True, tag="round_began"):
    """A round begins. A round without a winner is repeated with the same number."""

    round: int


class Starts(Event, frozen=True, tag="starts"):
    """The starting player of the round. `by_lot` means a random choice among equals."""

    reveals = frozenset({"seat"})
    seat: int
    by_lot: bool


class FightersDrawn(Event, frozen=True, tag="fighters_drawn"):
    """The fighters of the round, fighter 1 first."""

    reveals = frozenset({"fighters"})
    fighters: tuple[str, ...]


class JudgeDrawn(Event, frozen=True, tag="judge_drawn"):
    """A new judge."""

    reveals = frozenset({"judge"})
    judge: str


class JudgeLeft(Event, frozen=True, tag="judge_left"):
    """The judge left the game."""

    judge: str


class BetPlaced(Event, frozen=True, tag="bet_placed"):
    """Another player placed a number of betting cards."""

    seat: int
    count: int


class YouBet(Event, frozen=True, tag="you_bet"):
    """You placed these betting cards."""

    on: tuple[int, ...]


class BetChanged(Event, frozen=True, tag="bet_changed"):
    """Another player took back one betting card and placed another one."""

    seat: int


class SpellPlaced(Event, frozen=True, tag="spell_placed"):
    """A spell was placed face up on a fighter."""

    seat: int
    card: str
    fighter: int
    paid: bool


class SpellHidden(Event, frozen=True, tag="spell_hidden"):
    """Another player placed a spell face down on a fighter."""

    seat: int
    fighter: int
    paid: bool


class YouHid(Event, frozen=True, tag="you_hid"):
    """You placed a spell face down on a fighter."""

    card: str
    fighter: int
    paid: bool


class SupportCast(Event, frozen=True, tag="support_cast"):
    """A Support spell was cast. The events that follow are its effect."""

    seat: int
    card: str
    paid: bool


class Looked(Event, frozen=True, tag="looked"):
    """Another player looked at the face-down spells on a fighter."""

    seat: int
    fighter: int


class SeenSpell(msgspec.Struct, frozen=True, gc=False):
    """A face-down spell that a seat has seen."""

    place: int
    card: str


class YouSaw(Event, frozen=True, tag="you_saw"):
    """You saw these face-down spells on a fighter."""

    reveals = frozenset({"spells"})
    fighter: int
    spells: tuple[SeenSpell, ...]


class Dispelled(Event, frozen=True, tag="dispelled"):
    """A spell on a fighter was discarded face up."""

    reveals = frozenset({"card"})
    fighter: int
    place: int
    card: str


class Cleared(Event, frozen=True, tag="cleared"):
    """All spells on a fighter were discarded face up."""

    reveals = frozenset({"cards"})
    fighter: int
    cards: tuple[str, ...]


class EnduringEnded(Event, frozen=True, tag="enduring_ended"):
    """An Enduring spell was discarded from the judge, the player or the spell on which it lay."""

    card: str


class Doubled(Event, frozen=True, tag="doubled"):
    """From now on, the power of the spell at this place on the fighter counts twice."""

    fighter: int
    place: int


class MustForget(Event, frozen=True, tag="must_forget"):
    """A player has to discard a card."""

    seat: int


class Discarded(Event, frozen=True, tag="discarded"):
    """A player discarded a card face up."""

    seat: int
    card: str


class Replaced(Event, frozen=True, tag="replaced"):
    """Another fighter took the place `number` in the arena."""

    reveals = frozenset({"fighter"})
    number: int
    fighter: str


class SpellMoved(Event, frozen=True, tag="spell_moved"):
    """A spell moved to the last place on another fighter. Its Duplicates moved with it."""

    fighter: int
    place: int
    to: int


class Passed(Event, frozen=True, tag="passed"):
    """A player casts no more spells in this round. `empty_handed` means that the player had no cards."""

    seat: int
    empty_handed: bool


class Drew(Event, frozen=True, tag="drew"):
    """Another player drew a number of cards."""

    seat: int
    count: int


class YouDrew(Event, frozen=True, tag="you_drew"):
    """You drew these cards."""

    reveals = frozenset({"cards"})
    cards: tuple[str, ...]


class Reshuffled(Event, frozen=True, tag="reshuffled"):
    """The discard pile became the new spell pile."""

    count: int


class TurnedUp(Event, frozen=True, tag="turned_up"):
    """The face-down spells on a fighter were turned face up, in their order."""

    reveals = frozenset({"cards"})
    fighter: int
    cards: tuple[str, ...]


class Disputed(Event, frozen=True, tag="disputed"):
    """The players vote on a refused spell."""

    fighter: int
    card: str


class Voted(Event, frozen=True, tag="voted"):
    """A player voted on the refused spell. `keeps` means that the spell should stay."""

    seat: Seat
    keeps: bool


class Kept(Event, frozen=True, tag="kept"):
    """All players agreed that the refused spell stays."""

    fighter: int
    card: str


class Struck(Event, frozen=True, tag="struck"):
    """A spell that was not lawful was discarded."""

    fighter: int
    card: str


class LimitRevealed(Event, frozen=True, tag="limit_revealed"):
    """A revealed and discarded spell decided the judge's limit."""

    reveals = frozenset({"card", "limit", "verdict"})
    card: str
    limit: int
    verdict: Verdict


class Judged(Event, frozen=True, tag="judged"):
    """The judge's verdict on a fighter."""

    fighter: int
    mana: int
    verdict: Verdict


class Won(Event, frozen=True, tag="won"):
    """A fighter won the round."""

    fighter: int
    name: str
    power: int
    prize: int


class NobodyWon(Event, frozen=True, tag="nobody_won"):
    """All fighters were ejected, so the round does not count."""


class BetShown(Event, frozen=True, tag="bet_shown"):
    """A player's betting cards were turned up. `paid` is the payment in gold."""

    reveals = frozenset({"on", "paid"})
    seat: int
    on: tuple[int, ...]
    paid: int


ArenaEvent: TypeAlias = (
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
