"""A view of the arena as numbers, and how many decisions a match can have.

Seats and fighters stand in their own order, whoever looks; `seat` says who does. Kinds of spells are numbered as in the
card list, from 0 on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import prod
from typing import Any, get_args

from games.cheaty_mages.deck import Deck
from games.cheaty_mages.every import most_places
from games.cheaty_mages.moves import FIGHTERS
from games.cheaty_mages.options import ArenaOptions
from games.cheaty_mages.truth import IN_THE_ARENA, ROUNDS
from games.cheaty_mages.views import (
    Doubling,
    FighterView,
    HiddenSpell,
    OpenSpell,
    Phase,
    PlayerView,
    RoundResult,
    SeatView,
    SpectatorView,
    Table,
)
from games.layout import Field, Layout, one_of, part, row, write, zeros

PHASES = get_args(Phase)
UNKNOWN, FIRST_KIND = 1, 2  # what lies in a place: 0 is nothing

UNSAID = frozenset(
    {"power", "prize", "undead", "limit", "refuses", "dispels_up_to", "draws", "hand_limit"}  # printed on the cards
    | {"mana", "verdict", "paid"}  # of a round that is over
)


def layout(deck: Deck, seats: int, options: ArenaOptions) -> Layout:
    """What stands where."""
    kinds, judges, cards = len(deck.spells), len(deck.judges), len(deck.kind_of)
    places = most_places(deck, cheats=options.illegal_plays == "discard")
    found = [
        Field("seat", (seats,)),
        Field("phase", (len(PHASES),)),
        Field("to_move", (seats,)),
        Field("starter", (seats,)),
        Field("judge", (judges,)),
        Field("judges_gone", (judges,)),
        Field("round", (1,), 1, ROUNDS),
        Field("no_judgement", (1,)),
        Field("foul_play", (1,)),
        Field("may_cheat", (1,)),
        Field("spell_pile", (1,), 0, cards),
        Field("fighter_pile", (1,), 0, len(deck.fighters)),
        Field("judge_pile", (1,), 0, judges),
        Field("discard", (kinds,), 0, max(spell.count for spell in deck.spells)),
        Field("hand", (kinds,), 0, max(spell.count for spell in deck.spells)),
        Field("bet", (IN_THE_ARENA,)),
        Field("judged", (1,)),
        Field("winner", (1,), 0, IN_THE_ARENA),
        Field("bets_shown", (seats, IN_THE_ARENA)),
    ]
    for seat in range(1, seats + 1):
        found += [
            Field(f"player {seat} money", (1,), 0, _most_money(deck)),
            Field(f"player {seat} hand_size", (1,), 0, cards),
            Field(f"player {seat} bets", (1,), 0, 3),
            Field(f"player {seat} passed", (1,)),
            Field(f"player {seat} unrefusable", (1,)),
            Field(f"player {seat} hides_directs", (1,)),
        ]
    for fighter in FIGHTERS:
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


def _most_money(deck: Deck) -> int:
    """A single bet pays twice the prize; spells on the fighter make it so many times as much."""
    times: int = prod(spell.prize_times**spell.count for spell in deck.spells)
    return deck.edition.starting_money + ROUNDS * 2 * times * max(fighter.prize for fighter in deck.fighters)


@lru_cache(maxsize=8)
def _enduring_kinds(deck: Deck) -> tuple[int, ...]:
    return tuple(kind for kind, spell in enumerate(deck.spells) if spell.enduring in ("judge", "player"))


def encode(deck: Deck, view: SeatView | SpectatorView, out: Any) -> None:
    """Writes the numbers of the view."""
    write(_parts(deck, view), out)


def _parts(deck: Deck, view: SeatView | SpectatorView) -> Iterator[bytes]:
    table = view.table
    seats = len(table.players)
    you = view.you if isinstance(view, SeatView) else None
    yield one_of(you.seat - 1 if you else -1, seats)
    yield one_of(PHASES.index(table.phase), len(PHASES))
    yield one_of(table.to_move[0] - 1 if table.to_move else -1, seats)
    yield one_of(table.starter - 1, seats)
    yield _judges(deck, table.judge.name, table.judges_gone)
    yield part(
        *(table.round, table.no_judgement, table.foul_play, table.may_cheat),
        *(table.spell_pile, table.fighter_pile, table.judge_pile),
    )
    yield _counts(deck, table.discard)
    yield _counts(deck, you.hand if you else ())
    yield _bet(you.bet if you else ())
    yield _shown(table.result[0], seats) if table.result else zeros(2 + seats * IN_THE_ARENA)
    for player in table.players:
        yield _player(player)
    knows: dict[int, list[tuple[int, str]]] = {}
    for known in you.knows if you else ():
        knows.setdefault(known.fighter, []).append((known.place, known.card))
    for number, fighter in enumerate(table.fighters, 1):
        yield _fighter(deck, fighter, tuple(knows.get(number, ())), table.may_cheat)
    for kind in _enduring_kinds(deck):
        yield _enduring(deck.spells[kind].name, table, seats)


@lru_cache(maxsize=10_000)
def _judges(deck: Deck, judge: str, gone: tuple[str, ...]) -> bytes:
    count = len(deck.judges)
    return one_of(deck.judge_at[judge], count) + part(*[one.name in gone for one in deck.judges])


@lru_cache(maxsize=10_000)
def _counts(deck: Deck, cards: tuple[str, ...]) -> bytes:
    counts = [0] * len(deck.spells)
    number = deck.number
    for card in cards:
        counts[number[card]] += 1
    return part(*counts)


@lru_cache(maxsize=100)
def _bet(on: tuple[int, ...]) -> bytes:
    return part(*[fighter in on for fighter in FIGHTERS])


def _shown(result: RoundResult, seats: int) -> bytes:
    bets = [bet.on for bet in result.bets] or [()] * seats
    return b"".join((part(True, result.winner), *map(_bet, bets)))


@lru_cache(maxsize=10_000)
def _player(player: PlayerView) -> bytes:
    return part(
        *(player.money, player.hand_size, player.bets),
        *(player.passed, player.unrefusable, player.hides_directs),
    )


@lru_cache(maxsize=10_000)
def _fighter(deck: Deck, fighter: FighterView, knows: Sequence[tuple[int, str]], may_cheat: bool) -> bytes:
    number, known = deck.number, dict(knows)
    kinds, down, doubles = [], [], []
    for place, lain in enumerate(fighter.spells, 1):
        hidden = isinstance(lain, HiddenSpell)
        card = known.get(place) if isinstance(lain, HiddenSpell) else lain.card
        kinds.append(UNKNOWN if card is None else FIRST_KIND + number[card])
        down.append(hidden)
        doubles.append(lain.on if isinstance(lain, Doubling) else 0)
    by, marked = [lain.by for lain in fighter.spells], [lain.marked for lain in fighter.spells]
    places = most_places(deck, cheats=may_cheat)
    name = one_of(deck.fighter_at[fighter.name], len(deck.fighters))
    return b"".join((name, *[row(numbers, places) for numbers in (kinds, by, down, marked, doubles)]))


def _enduring(name: str, table: Table, seats: int) -> bytes:
    hosts: list[tuple[OpenSpell, ...]] = [table.judge_enduring, *[player.enduring for player in table.players]]
    for host, spells in enumerate(hosts):
        for one in spells:
            if one.card == name:
                return one_of(host, seats + 1) + one_of(one.by - 1, seats) + part(one.marked)
    return zeros(seats + 1 + seats + 1)


def longest(deck: Deck, seats: int) -> int:
    """More decisions than these a match of the original edition cannot have: in a round everybody bets and passes, each
    card leaves a hand once, and a Recall that is drawn anew after the pile ran out may be cast again. Then each card
    may be discarded, and everybody says done. A round that nobody wins takes a card for each fighter out of hands.

    The 2013 edition, where players draw after such rounds too, could go on longer by its rules; it has the same
    number, and no match comes near it.
    """
    cards, hands = len(deck.kind_of), deck.hands
    recalls = sum(spell.count for spell in deck.spells if spell.name == "recall")
    void = ROUNDS * (seats * max(hands.dealt[seats], hands.limit[seats]) // IN_THE_ARENA)
    return (ROUNDS + void) * (3 * seats + 2 * (cards + recalls))
