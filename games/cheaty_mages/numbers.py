"""A view of the arena as numbers, and how many decisions a match can have.

Seats and fighters stand in their own order, whoever looks; `seat` says who does. Kinds of spells are numbered as in the
card list, from 0 on.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import Any, get_args

from games.cheaty_mages.deck import Deck
from games.cheaty_mages.editions import most_money
from games.cheaty_mages.every import most_places
from games.cheaty_mages.options import ArenaOptions
from games.cheaty_mages.views import (
    Doubling,
    FighterView,
    HiddenSpell,
    OpenSpell,
    Phase,
    RoundResult,
    SeatView,
    SpectatorView,
    You,
)
from games.layout import KEPT, WIDTH, Field, Layout, one_of, part, row, write, zeros

PHASES = get_args(Phase)
UNKNOWN, FIRST_KIND = 1, 2  # what lies in a place: 0 is nothing

_NOBODY = You(0, (), (), ())
_NOWHERE = OpenSpell("", 0, False)
_table = attrgetter(*("round", "no_judgement", "foul_play", "may_cheat", "spell_pile", "fighter_pile", "judge_pile"))
_player = attrgetter("money", "hand_size", "bets", "passed", "unrefusable", "hides_directs")

UNSAID = frozenset(
    {"power", "prize", "undead", "limit", "refuses", "dispels_up_to", "draws", "hand_limit"}  # printed on the cards
    | {"mana", "verdict", "paid"}  # of a round that is over
)


def layout(deck: Deck, seats: int, options: ArenaOptions) -> Layout:
    """What stands where."""
    kinds, judges, cards = len(deck.spells), len(deck.judges), len(deck.kind_of)
    fighters, places = deck.in_the_arena, most_places(deck, cheats=options.illegal_plays == "discard")
    found = [
        Field("seat", (seats,)),
        Field("phase", (len(PHASES),)),
        Field("to_move", (seats,)),
        Field("starter", (seats,)),
        Field("judge", (judges,)),
        Field("judges_gone", (judges,)),
        Field("round", (1,), 1, deck.rounds),
        Field("no_judgement", (1,)),
        Field("foul_play", (1,)),
        Field("may_cheat", (1,)),
        Field("spell_pile", (1,), 0, cards),
        Field("fighter_pile", (1,), 0, len(deck.fighters)),
        Field("judge_pile", (1,), 0, judges),
        Field("discard", (kinds,), 0, max(spell.count for spell in deck.spells)),
        Field("hand", (kinds,), 0, max(spell.count for spell in deck.spells)),
        Field("bet", (fighters,)),
        Field("judged", (1,)),
        Field("winner", (1,), 0, fighters),
        Field("bets_shown", (seats, fighters)),
    ]
    for seat in range(1, seats + 1):
        found += [
            Field(f"player {seat} money", (1,), 0, most_money(deck.edition)),
            Field(f"player {seat} hand_size", (1,), 0, cards),
            Field(f"player {seat} bets", (1,), 0, deck.edition.house.bets),
            Field(f"player {seat} passed", (1,)),
            Field(f"player {seat} unrefusable", (1,)),
            Field(f"player {seat} hides_directs", (1,)),
        ]
    for fighter in deck.places:
        found += [
            Field(f"fighter {fighter} name", (len(deck.fighters),)),
            Field(f"fighter {fighter} spells", (places,), 0, FIRST_KIND + kinds),
            Field(f"fighter {fighter} by", (places,), 0, seats),
            Field(f"fighter {fighter} face_down", (places,)),
            Field(f"fighter {fighter} marked", (places,)),
            Field(f"fighter {fighter} doubles", (places,), 0, places),
        ]
    for kind in _enduring_kinds(deck):
        name = deck.spells[kind].name
        found += [Field(f"{name} lies", (seats + 1,)), Field(f"{name} by", (seats,)), Field(f"{name} marked", (1,))]
    return Layout(found)


@lru_cache(maxsize=8)
def _enduring_kinds(deck: Deck) -> tuple[int, ...]:
    return tuple(kind for kind, spell in enumerate(deck.spells) if spell.enduring in ("judge", "player"))


def encode(deck: Deck, view: SeatView | SpectatorView, out: Any) -> None:
    """Writes the numbers of the view."""
    table = view.table
    players = table.players
    seats, may_cheat = len(players), table.may_cheat
    you = view.you if isinstance(view, SeatView) else _NOBODY
    fighters = [_fighter(deck, fighter, may_cheat) for fighter in table.fighters]
    for known in you.knows:  # the fighters as everybody sees them are kept for all
        numbers = bytearray(fighters[known.fighter - 1])
        at = WIDTH * (len(deck.fighters) + known.place - 1)
        numbers[at : at + WIDTH] = part(FIRST_KIND + deck.number[known.card])
        fighters[known.fighter - 1] = bytes(numbers)
    write(
        (
            _where(you.seat, table.phase, table.to_move, table.starter, seats),
            _judges(deck, table.judge.name, table.judges_gone),
            part(*_table(table)),
            _counts(deck, table.discard),
            _counts(deck, you.hand),
            _bet(deck, you.bet),
            _shown(deck, table.result[0], seats) if table.result else zeros(2 + seats * deck.in_the_arena),
            part(*chain.from_iterable(map(_player, players))),
            *fighters,
            _lasting(deck, (table.judge_enduring, *[player.enduring for player in players])),
        ),
        out,
    )


@lru_cache(maxsize=KEPT)
def _where(seat: int, phase: str, to_move: tuple[int, ...], starter: int, seats: int) -> bytes:
    hot = one_of(PHASES.index(phase), len(PHASES))
    mover = to_move[0] if to_move else 0
    return one_of(seat - 1, seats) + hot + one_of(mover - 1, seats) + one_of(starter - 1, seats)


@lru_cache(maxsize=KEPT)
def _judges(deck: Deck, judge: str, gone: tuple[str, ...]) -> bytes:
    count = len(deck.judges)
    return one_of(deck.judge_at[judge], count) + part(*[one.name in gone for one in deck.judges])


@lru_cache(maxsize=KEPT)
def _counts(deck: Deck, cards: tuple[str, ...]) -> bytes:
    counts = [0] * len(deck.spells)
    number = deck.number
    for card in cards:
        counts[number[card]] += 1
    return part(*counts)


@lru_cache(maxsize=KEPT)
def _bet(deck: Deck, on: tuple[int, ...]) -> bytes:
    return part(*[fighter in on for fighter in deck.places])


def _shown(deck: Deck, result: RoundResult, seats: int) -> bytes:
    bets = [bet.on for bet in result.bets] or [()] * seats
    return b"".join((part(True, result.winner), *[_bet(deck, bet) for bet in bets]))


@lru_cache(maxsize=KEPT)
def _fighter(deck: Deck, fighter: FighterView, may_cheat: bool) -> bytes:
    number = deck.number
    kinds, down, doubles = [], [], []
    for lain in fighter.spells:
        kinds.append(UNKNOWN if isinstance(lain, HiddenSpell) else FIRST_KIND + number[lain.card])
        down.append(isinstance(lain, HiddenSpell))
        doubles.append(lain.on if isinstance(lain, Doubling) else 0)
    by, marked = [lain.by for lain in fighter.spells], [lain.marked for lain in fighter.spells]
    places = most_places(deck, cheats=may_cheat)
    name = one_of(deck.fighter_at[fighter.name], len(deck.fighters))
    return b"".join((name, *[row(numbers, places) for numbers in (kinds, by, down, marked, doubles)]))


@lru_cache(maxsize=KEPT)
def _lasting(deck: Deck, hosts: tuple[tuple[OpenSpell, ...], ...]) -> bytes:
    """Where each of the enduring spells lies, who cast it, and whether it was paid for."""
    lying = {one.card: (host, one) for host, spells in enumerate(hosts) for one in spells}
    seats = len(hosts) - 1
    parts = []
    for kind in _enduring_kinds(deck):
        host, one = lying.get(deck.spells[kind].name, (-1, _NOWHERE))
        parts += [one_of(host, seats + 1), one_of(one.by - 1, seats), part(one.marked)]
    return b"".join(parts)


def longest(deck: Deck, seats: int) -> int:
    """More decisions than these a match of the original edition cannot have: in a round everybody bets and passes, each
    card leaves a hand once, and a Recall that is drawn anew after the pile ran out may be cast again: each time that it
    ran out a Recall less is in hands. Then each card may be discarded, and everybody says done. A round that nobody
    wins takes a card for each fighter out of hands.

    The 2013 edition, where players draw after such rounds too, could go on longer by its rules; it has the same
    number, and no match comes near it.
    """
    cards, hands = len(deck.kind_of), deck.hands
    recalls = sum(spell.count for spell in deck.spells if spell.name == "recall")
    void = deck.rounds * (seats * max(hands.dealt[seats], hands.limit[seats]) // deck.in_the_arena)
    return (deck.rounds + void) * (3 * seats + 2 * (cards + recalls * max(1, recalls - 1)))
