"""The views: a public table for everyone, and what one seat alone knows."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from games.api import Knowledge, View
from games.cheaty_mages.cards import Verdict

Phase: TypeAlias = Literal["bet", "cast", "forget", "vote", "redraw", "over"]


class OpenSpell(msgspec.Struct, frozen=True, cache_hash=True, gc=False, tag_field="lies", tag="face_up"):
    """A face-up spell."""

    card: str  # a name of the card list
    by: int  # the seat that cast it
    marked: bool  # foul play was paid for it


class HiddenSpell(msgspec.Struct, frozen=True, cache_hash=True, gc=False, tag_field="lies", tag="face_down"):
    """A face-down spell. A seat that knows it has it in `You.knows`."""

    by: int  # the seat that cast it
    marked: bool  # foul play was paid for it


class Doubling(msgspec.Struct, frozen=True, gc=False, tag_field="lies", tag="doubling"):
    """A spell that lies on another spell of the same fighter and doubles its power."""

    card: str  # a name of the card list
    by: int  # the seat that cast it
    marked: bool  # foul play was paid for it
    on: int  # the place of the doubled spell


Lain: TypeAlias = OpenSpell | HiddenSpell | Doubling


class FighterView(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A fighter and the spells on it."""

    name: str  # its name in the card list
    power: int  # printed on its card
    prize: int  # printed on its card
    undead: bool  # spells that add power take it away, and the other way round
    spells: tuple[Lain, ...]  # place 1 first


class NoLimit(msgspec.Struct, frozen=True, gc=False, tag_field="limit_is", tag="none"):
    """The judge has no limit."""


class LimitKnown(msgspec.Struct, frozen=True, gc=False, tag_field="limit_is", tag="known"):
    """The judge gives the verdict to each fighter with more mana than the limit."""

    limit: int  # the largest amount of mana without a verdict
    verdict: Verdict  # the verdict on a fighter with more mana


class LimitToCome(msgspec.Struct, frozen=True, gc=False, tag_field="limit_is", tag="to_come"):
    """A spell revealed at the judgement decides the limit."""


class JudgeView(msgspec.Struct, frozen=True, gc=False):
    """A judge card."""

    name: str  # its name in the card list
    limit: NoLimit | LimitKnown | LimitToCome  # the limit for the mana on a fighter
    refuses: tuple[str, ...]  # the kinds of spells that may not be cast
    dispels_up_to: tuple[int, ...]  # dispels at this total mana or less; empty for judges that ignore low totals


class PlayerView(msgspec.Struct, frozen=True, gc=False):
    """The public facts about a player."""

    seat: int  # counted from 1
    money: int  # gold
    hand_size: int  # the number of spells in the hand
    bets: int  # the number of betting cards placed
    passed: bool  # the player casts no more spells in this round
    unrefusable: bool  # may cast spells that the judge refuses
    hides_directs: bool  # may cast Direct spells face down
    enduring: tuple[OpenSpell, ...]  # the Enduring spells before this player
    fouled: bool  # has bought a refused spell in this round and may not buy another


class FighterResult(msgspec.Struct, frozen=True, gc=False):
    """The result of the judgement for a fighter."""

    mana: int  # the mana that the judge counted
    verdict: Literal["none", "dispel", "eject"]  # the verdict of the judge
    power: int  # its power with the spells that were left on it


class BetResult(msgspec.Struct, frozen=True, gc=False):
    """A player's betting cards, face up, and their payment."""

    on: tuple[int, ...]  # the fighters bet on
    paid: int  # the payment in gold


class RoundResult(msgspec.Struct, frozen=True, gc=False):
    """The result of a round, from its judgement until the next round begins.

    If no fighter won, `winner` is 0 and `bets` is empty, because bets stay secret.
    """

    limit: NoLimit | LimitKnown  # the limit that the judge applied
    fighters: tuple[FighterResult, ...]  # fighter 1 first
    winner: int  # the winning fighter; 0 for none
    prize: int  # the payment of a double bet; a single bet gets twice, a triple bet half of it
    bets: tuple[BetResult, ...]  # seat 1 first


class DisputedSpell(msgspec.Struct, frozen=True, gc=False):
    """A refused spell that the players vote on."""

    fighter: int  # the fighter on which it lies
    place: int  # its place on that fighter, counted from 1


class TableView(msgspec.Struct, frozen=True, gc=False):
    """Everything that is public."""

    round: int  # counted from 1
    phase: Phase  # the kind of decision
    to_move: tuple[int, ...]  # the seat that has to decide, or none
    starter: int  # the seat that casts first in this round
    judge: JudgeView  # the judge of this round
    judge_enduring: tuple[OpenSpell, ...]  # the Enduring spells on the judge
    no_judgement: bool  # a spell cancels the judgement
    fighters: tuple[FighterView, ...]  # fighter 1 first
    players: tuple[PlayerView, ...]  # seat 1 first
    result: tuple[RoundResult, ...]  # one result from the judgement until the next round; empty before
    discard: tuple[str, ...]  # the oldest first
    spell_pile: int  # the number of cards left
    fighter_pile: int  # the number of cards left
    judge_pile: int  # the number of cards left
    judges_gone: tuple[str, ...]  # the judges that left the game, the latest last
    draws: int  # the number of spells that each player draws after a round
    hand_limit: int  # the largest hand after drawing
    foul_play: bool  # refused spells can be bought in this round
    may_cheat: bool  # refused spells may be placed face down, and are struck later
    votes: bool  # the players vote on refused spells
    disputed: tuple[DisputedSpell, ...]  # the refused spells to vote on, the current one first


class Known(msgspec.Struct, frozen=True, gc=False):
    """A face-down spell that the seat knows."""

    fighter: int  # the fighter on which it lies
    place: int  # its place on that fighter, counted from 1
    card: str  # its name in the card list


class You(msgspec.Struct, frozen=True, gc=False):
    """The facts that only this seat knows."""

    seat: int  # your own seat
    hand: tuple[str, ...]  # the names of your spells
    bet: tuple[int, ...]  # the fighters you bet on
    knows: tuple[Known, ...]  # the face-down spells that you laid or looked at


class SeatView(View, frozen=True, tag_field="view", tag="seat"):
    """The view of a player."""

    table: TableView  # the public part
    you: You  # the part that only you see


class SpectatorView(View, frozen=True, tag_field="view", tag="spectator"):
    """The view of a spectator."""

    table: TableView  # the public part


ArenaView: TypeAlias = SeatView | SpectatorView


class Hidden(msgspec.Struct, frozen=True, gc=False):
    """A face-down spell. In `possible` and `lawful`, bit n stands for spell n of the card list, counted from 0."""

    fighter: int  # the fighter on which it lies
    place: int  # its place on that fighter, counted from 1
    pile: int  # the number of the spell pile that the card is from, as in `ArenaKnowledge.unseen`
    possible: int  # the kinds that others had to consider possible when the card was laid
    lawful: int  # the kinds of `possible` that were lawful then; others are struck when turned up
    knowers: tuple[int, ...]  # the seats that know the card


class ArenaKnowledge(Knowledge, frozen=True, gc=False):
    """Everything that a player or a spectator knows: the view, earlier events that still matter, and card counts.

    `unseen` counts the cards that this seat cannot see, by pile and then by kind in card order. The last pile is the
    current spell pile. Cards of older piles are in hands and face down only. Two piles count as one if their cards
    cannot be told apart.
    """

    view: SeatView | SpectatorView  # the view that comes with each turn
    turn: int  # the seat whose turn continues after another seat's discard
    fighter_pile: tuple[str, ...]  # the fighters in the pile, in card order
    enduring: tuple[int, ...]  # the seat before which each Enduring spell lies, in the order of casting; 0 is the judge
    hidden: tuple[Hidden, ...]  # all face-down spells
    unseen: tuple[tuple[int, ...], ...]  # the number of unseen cards by pile and kind
    hands: tuple[tuple[int, ...], ...]  # the piles that the cards of each hand are from, seat 1 first
