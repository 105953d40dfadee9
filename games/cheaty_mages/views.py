"""What can be seen: the table, the same for everybody, and beside it what one seat alone knows."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from games.api import Knowledge, View
from games.cheaty_mages.cards import Verdict

Phase: TypeAlias = Literal["bet", "cast", "forget", "vote", "redraw", "over"]


class OpenSpell(msgspec.Struct, frozen=True, cache_hash=True, gc=False, tag_field="lies", tag="face_up"):
    """A spell that everybody can read. `marked`: foul play was paid for it."""

    card: str  # a name of the card list
    by: int  # the seat that cast it
    marked: bool  # foul play was paid for it


class HiddenSpell(msgspec.Struct, frozen=True, cache_hash=True, gc=False, tag_field="lies", tag="face_down"):
    """A spell that lies face down; whoever knows it finds it in `You.knows`."""

    by: int  # the seat that cast it
    marked: bool  # foul play was paid for it


class Doubling(msgspec.Struct, frozen=True, gc=False, tag_field="lies", tag="doubling"):
    """A spell that lies on the spell in the place `on` of the same fighter and doubles its power."""

    card: str  # a name of the card list
    by: int  # the seat that cast it
    marked: bool  # foul play was paid for it
    on: int  # the place of the doubled spell


Lain: TypeAlias = OpenSpell | HiddenSpell | Doubling


class FighterView(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A fighter as its card says, and what lies on it, place 1 first."""

    name: str  # of its card
    power: int  # printed on its card
    prize: int  # printed on its card
    undead: bool  # what its card says
    spells: tuple[Lain, ...]  # place 1 first


class NoLimit(msgspec.Struct, frozen=True, gc=False, tag_field="limit_is", tag="none"):
    """The judge minds no mana."""


class LimitKnown(msgspec.Struct, frozen=True, gc=False, tag_field="limit_is", tag="known"):
    """Above the limit the verdict falls."""

    limit: int  # the most mana that goes unpunished
    verdict: Verdict  # what befalls a fighter above it


class LimitToCome(msgspec.Struct, frozen=True, gc=False, tag_field="limit_is", tag="to_come"):
    """A spell revealed at the judgement will decide; nobody knows it yet."""


class JudgeView(msgspec.Struct, frozen=True, gc=False):
    """A judge as the card says. `dispels_up_to` is there for a judge who minds low totals too."""

    name: str  # of the card
    limit: NoLimit | LimitKnown | LimitToCome  # of the mana on a fighter
    refuses: tuple[str, ...]  # kinds of spells that may not be cast
    dispels_up_to: tuple[int, ...]  # empty or one number


class PlayerView(msgspec.Struct, frozen=True, gc=False):
    """What everybody knows of a player."""

    seat: int  # from 1 on
    money: int  # gold
    hand_size: int  # spells in the hand
    bets: int  # betting cards placed
    passed: bool  # casts no more in this round
    unrefusable: bool  # may cast what the judge refuses
    hides_directs: bool  # may cast Direct spells face down
    enduring: tuple[OpenSpell, ...]  # the Enduring spells before this player
    fouled: bool  # has bought a refused spell in this round and may buy no other


class FighterResult(msgspec.Struct, frozen=True, gc=False):
    """How a fighter came out of the judgement."""

    mana: int  # as the judge counted it
    verdict: Literal["none", "dispel", "eject"]  # of the judge
    power: int  # with the spells that were left on it


class BetResult(msgspec.Struct, frozen=True, gc=False):
    """A player's betting cards, turned up, and what they paid."""

    on: tuple[int, ...]  # fighters, a betting card each
    paid: int  # gold


class RoundResult(msgspec.Struct, frozen=True, gc=False):
    """How the round ended, from its judgement until the next round begins, and after the last round.

    Where nobody won, `winner` is 0 and `bets` is empty: they stay secret.
    """

    limit: NoLimit | LimitKnown  # by which the judge went
    fighters: tuple[FighterResult, ...]  # fighter 1 first
    winner: int  # the fighter; 0: nobody
    prize: int  # what two betting cards on the winner got; one got twice, three got half of it
    bets: tuple[BetResult, ...]  # seat 1 first


class DisputedSpell(msgspec.Struct, frozen=True, gc=False):
    """A refused spell that the players vote on."""

    fighter: int  # on which it lies
    place: int  # among the spells there, from 1 on


class Table(msgspec.Struct, frozen=True, gc=False):
    """All that is public. `result` holds one while the judged arena can be looked at; it is empty before."""

    round: int  # from 1 on
    phase: Phase  # what is to be decided
    to_move: tuple[int, ...]  # the seats that have to decide
    starter: int  # who casts first in this round
    judge: JudgeView  # of this round
    judge_enduring: tuple[OpenSpell, ...]  # the Enduring spells before the judge
    no_judgement: bool  # a spell has called the judgement off
    fighters: tuple[FighterView, ...]  # fighter 1 first
    players: tuple[PlayerView, ...]  # seat 1 first
    result: tuple[RoundResult, ...]  # empty or one
    discard: tuple[str, ...]  # the oldest first
    spell_pile: int  # cards left
    fighter_pile: int  # cards left
    judge_pile: int  # cards left
    judges_gone: tuple[str, ...]  # judges that left the game, the latest one last
    draws: int  # spells drawn by each player after a round
    hand_limit: int  # the most spells that a hand keeps
    foul_play: bool  # refused spells are for sale in this round
    may_cheat: bool  # what is refused may be laid face down, and is struck later
    votes: bool  # or the players vote on it
    disputed: tuple[DisputedSpell, ...]  # the refused spells to vote on, the present one first


class Known(msgspec.Struct, frozen=True, gc=False):
    """A spell that lies face down for others."""

    fighter: int  # on which it lies
    place: int  # among the spells there, from 1 on
    card: str  # which it is


class You(msgspec.Struct, frozen=True, gc=False):
    """What the seat alone knows: its hand, its betting cards, the face-down spells it laid or looked at."""

    seat: int  # your own
    hand: tuple[str, ...]  # spells
    bet: tuple[int, ...]  # fighters, a betting card each
    knows: tuple[Known, ...]  # the face-down spells that you laid or looked at


class SeatView(View, frozen=True, tag_field="view", tag="seat"):
    """What a player sees."""

    table: Table  # what everybody sees
    you: You  # what you alone know


class SpectatorView(View, frozen=True, tag_field="view", tag="spectator"):
    """What a spectator sees."""

    table: Table  # what everybody sees


Seen: TypeAlias = SeatView | SpectatorView


class Hidden(msgspec.Struct, frozen=True, gc=False):
    """A spell that lies face down. Sets of kinds have bit n for the spell n of the card list, from 0 on."""

    fighter: int  # on which it lies
    place: int  # among the spells there, from 1 on
    pile: int  # of which it is, as in ArenaKnowledge
    possible: int  # the kinds that the others had to think possible when it was laid
    lawful: int  # those of them that were lawful then; the others are struck when they are turned up
    knowers: tuple[int, ...]  # the seats that know it


class ArenaKnowledge(Knowledge, frozen=True, gc=False):
    """All that a player or a spectator knows: what is seen, what was told and still counts, and what counting cards
    tells. `unseen` are the cards that this seat cannot see, for each pile that they are of: so many of each kind, in
    the order of the card list. The last pile is the present one. Older ones are in hands and face down alone; where
    nobody could tell which pile a card was of, two piles are one."""

    view: SeatView | SpectatorView  # as a turn brings it
    turn: int  # whose turn goes on when another has to discard
    fighter_pile: tuple[str, ...]  # what is in it, in the order of the card list
    enduring: tuple[int, ...]  # before whom each Enduring spell lies, in the order of casting; 0 is the judge
    hidden: tuple[Hidden, ...]  # every spell that lies face down
    unseen: tuple[tuple[int, ...], ...]  # by pile, so many of each kind
    hands: tuple[tuple[int, ...], ...]  # of which pile the cards are, seat 1 first
