"""Encodes a view as numbers, and computes an upper bound for the length of a match.

Seats and fighters are in their fixed order for every viewer; the field `seat` names the viewer. Kinds of spells are
numbered from 0 in card order.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter
from struct import Struct
from typing import get_args

from games.cheaty_mages.action_space import max_spell_places
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.editions import max_money
from games.cheaty_mages.views import (
    DisputedSpell,
    Doubling,
    FighterView,
    HiddenSpell,
    OpenSpell,
    Phase,
    PlayerView,
    RoundResult,
    SeatView,
    SpectatorView,
    You,
)
from games.layout import (
    KEPT,
    WIDTH,
    CardCounts,
    Layout,
    LayoutField,
    Part,
    PartCache,
    join_parts,
    number_packer,
    one_hot,
    pack_numbers,
    zero_part,
)

PHASES = get_args(Phase)
UNKNOWN, FIRST_KIND = 1, 2  # numbers for a spell at a place on a fighter; 0 if the place is empty

_NOBODY = You(0, (), (), ())
_table = attrgetter(
    *("round", "no_judgement", "foul_play", "may_cheat", "votes", "spell_pile", "fighter_pile", "judge_pile")
)
_figures = attrgetter("money", "hand_size", "bets", "passed", "unrefusable", "hides_directs", "fouled")
_pack_table, _pack_player = number_packer(8), number_packer(7)
_write_one = Struct("f").pack_into

UNSAID = frozenset(
    {"power", "prize", "undead", "limit", "refuses", "dispels_up_to", "draws", "hand_limit"}  # printed on the cards
    | {"mana", "verdict", "paid"}  # results of a finished round
)


def view_layout(deck: Deck, seats: int, *, may_cheat: bool, votes: bool = False) -> Layout:
    """Returns the layout of the vector."""
    kinds, judges, cards = len(deck.spells), len(deck.judges), len(deck.kind_of)
    fighters, places = deck.in_the_arena, max_spell_places(deck, cheats=may_cheat)
    found = [
        LayoutField("seat", (seats,)),
        LayoutField("phase", (len(PHASES),)),
        LayoutField("to_move", (seats,)),
        LayoutField("starter", (seats,)),
        LayoutField("judge", (judges,)),
        LayoutField("judges_gone", (judges,)),
        LayoutField("round", (1,), 1, deck.rounds),
        LayoutField("no_judgement", (1,)),
        LayoutField("foul_play", (1,)),
        LayoutField("may_cheat", (1,)),
        LayoutField("votes", (1,)),
        LayoutField("spell_pile", (1,), 0, cards),
        LayoutField("fighter_pile", (1,), 0, len(deck.fighters)),
        LayoutField("judge_pile", (1,), 0, judges),
        LayoutField("discard", (kinds,), 0, max(spell.count for spell in deck.spells)),
        LayoutField("hand", (kinds,), 0, max(spell.count for spell in deck.spells)),
        LayoutField("bet", (fighters,)),
        LayoutField("judged", (1,)),
        LayoutField("winner", (1,), 0, fighters),
        LayoutField("bets_shown", (seats, fighters)),
    ]
    for seat in range(1, seats + 1):
        found += [
            LayoutField(f"player {seat} money", (1,), 0, max_money(deck.edition)),
            LayoutField(f"player {seat} hand_size", (1,), 0, cards),
            LayoutField(f"player {seat} bets", (1,), 0, deck.edition.house.bets),
            LayoutField(f"player {seat} passed", (1,)),
            LayoutField(f"player {seat} unrefusable", (1,)),
            LayoutField(f"player {seat} hides_directs", (1,)),
            LayoutField(f"player {seat} fouled", (1,)),
        ]
    for fighter in deck.places:
        found += [
            LayoutField(f"fighter {fighter} name", (len(deck.fighters),)),
            LayoutField(f"fighter {fighter} spells", (places,), 0, FIRST_KIND + kinds),
            LayoutField(f"fighter {fighter} by", (places,), 0, seats),
            LayoutField(f"fighter {fighter} face_down", (places,)),
            LayoutField(f"fighter {fighter} marked", (places,)),
            LayoutField(f"fighter {fighter} doubles", (places,), 0, places),
        ]
    for kind in _enduring_kinds(deck):
        name = deck.spells[kind].name
        found += [
            LayoutField(f"{name} lies", (seats + 1,)),
            LayoutField(f"{name} by", (seats,)),
            LayoutField(f"{name} marked", (1,)),
        ]
    if votes:
        found.append(LayoutField("disputed", (fighters, places), 0, places * fighters))
    return Layout(found)


@lru_cache(maxsize=8)
def _enduring_kinds(deck: Deck) -> tuple[int, ...]:
    return tuple(kind for kind, spell in enumerate(deck.spells) if spell.enduring in ("judge", "player"))


class Encoder:
    """Encodes the views of one deck, one number of players, and one rule for refused spells."""

    def __init__(self, deck: Deck, seats: int, may_cheat: bool, votes: bool = False) -> None:
        self._deck, self._seats, self._votes = deck, seats, votes
        self._places = max_spell_places(deck, cheats=may_cheat)
        slices = view_layout(deck, seats, may_cheat=may_cheat, votes=votes).slices
        self._lain_at = {fighter: slices[f"fighter {fighter} spells"].start - 1 for fighter in deck.places}
        self._seat = [one_hot(at, seats) for at in range(-1, seats)]  # by seat; only zeros for seat 0
        self._phase = {phase: one_hot(at, len(PHASES)) for at, phase in enumerate(PHASES)}
        self._judge = {name: one_hot(at, len(deck.judges)) for name, at in deck.judge_at.items()}
        self._bare = {
            name: array("f", one_hot(at, len(deck.fighters)) + zero_part(5 * self._places))
            for name, at in deck.fighter_at.items()
        }
        self._counts = CardCounts(deck.number)
        self._no_result = zero_part(2 + seats * deck.in_the_arena)
        self._endure = bool(_enduring_kinds(deck))
        self._fighters, self._players = PartCache(self._fighter), PartCache(_player)

    def encode_view(self, view: SeatView | SpectatorView) -> bytearray:
        """Returns the numbers of a view, as 32-bit floats."""
        deck, seat, table = self._deck, self._seat, view.table
        you = view.you if isinstance(view, SeatView) else _NOBODY
        players = table.players
        numbers = join_parts(
            (
                seat[you.seat],
                self._phase[table.phase],
                seat[table.to_move[0] if table.to_move else 0],
                seat[table.starter],
                self._judge[table.judge.name],
                _gone(deck, table.judges_gone),
                _pack_table(*_table(table)),
                self._counts.count_pile(table.discard),
                self._counts.count_cards(you.hand),
                _bet(deck, you.bet),
                _shown(deck, table.result[0], self._seats) if table.result else self._no_result,
                *self._players.cached_parts(players),
                *self._fighters.cached_parts(table.fighters),
                _lasting(deck, (table.judge_enduring, *[one.enduring for one in players])) if self._endure else b"",
                self._disputed(table.disputed) if self._votes else b"",
            )
        )
        for known in you.knows:  # replaces UNKNOWN by the kind of spell that the seat knows
            at = WIDTH * (self._lain_at[known.fighter] + known.place)
            _write_one(numbers, at, FIRST_KIND + deck.number[known.card])
        return numbers

    def _disputed(self, disputed: Sequence[DisputedSpell]) -> bytes:
        """Returns, for each place on a fighter, the position of its spell in the order of votes; 0 if there is no vote
        on it."""
        numbers = array("f", zero_part(self._deck.in_the_arena * self._places))
        for number, one in enumerate(disputed, 1):
            numbers[(one.fighter - 1) * self._places + one.place - 1] = number
        return numbers.tobytes()

    def _fighter(self, fighter: FighterView, last: tuple[FighterView | None, Part]) -> array[float]:
        """Returns the numbers of a fighter: its name, and for each place the kind of the spell, its caster, whether it
        lies face down, whether it was paid for, and the place of the spell that it doubles.

        If only new spells were added since the last call, only their numbers are computed.
        """
        before, part_before = last
        if before and before.name == fighter.name and before.spells == fighter.spells[: len(before.spells)]:
            numbers, first = array("f", part_before), len(before.spells)
        else:
            numbers, first = self._bare[fighter.name][:], 0
        places = self._places
        for at, lain in enumerate(fighter.spells[first:], len(self._deck.fighters) + first):
            numbers[at + places] = lain.by
            if lain.marked:
                numbers[at + 3 * places] = 1
            if isinstance(lain, HiddenSpell):
                numbers[at] = UNKNOWN
                numbers[at + 2 * places] = 1
                continue
            numbers[at] = FIRST_KIND + self._deck.number[lain.card]
            if isinstance(lain, Doubling):
                numbers[at + 4 * places] = lain.on
        return numbers


@lru_cache(maxsize=16)
def get_encoder(deck: Deck, seats: int, may_cheat: bool, votes: bool) -> Encoder:
    """Returns a shared encoder, which keeps its cache between calls."""
    return Encoder(deck, seats, may_cheat, votes)


def _player(player: PlayerView, _last: object) -> bytes:
    return _pack_player(*_figures(player))


def _shown(deck: Deck, result: RoundResult, seats: int) -> bytes:
    bets = [bet.on for bet in result.bets] or [()] * seats
    return b"".join((pack_numbers(True, result.winner), *[_bet(deck, bet) for bet in bets]))


@lru_cache(maxsize=KEPT)
def _gone(deck: Deck, gone: tuple[str, ...]) -> bytes:
    return pack_numbers(*[judge.name in gone for judge in deck.judges])


@lru_cache(maxsize=KEPT)
def _bet(deck: Deck, on: tuple[int, ...]) -> bytes:
    return pack_numbers(*[fighter in on for fighter in deck.places])


@lru_cache(maxsize=KEPT)
def _lasting(deck: Deck, hosts: tuple[tuple[OpenSpell, ...], ...]) -> bytes:
    """Returns the numbers of the Enduring spells: where each one lies, who cast it, and whether it was paid for."""
    lying = {one.card: (host, one) for host, spells in enumerate(hosts) for one in spells}
    seats = len(hosts) - 1
    parts = []
    for kind in _enduring_kinds(deck):
        name = deck.spells[kind].name
        if name in lying:
            host, one = lying[name]
            parts += [one_hot(host, seats + 1), one_hot(one.by - 1, seats), pack_numbers(one.marked)]
        else:
            parts.append(zero_part(seats + seats + 2))
    return b"".join(parts)


def max_game_length(deck: Deck, seats: int, *, votes: bool = False) -> int:
    """Returns an upper bound for the number of decisions of a match.

    In each round each seat bets, passes and says done, and each card leaves a hand once, by a cast or a discard. After
    each new spell pile a Recall may be cast again, each time with one Recall less in the hands. With `votes` each seat
    may vote on each card. A round without a winner costs one card for each fighter.

    In the 2013 edition players draw after a round without a winner, so that the rules set no bound. The function
    returns the same number for that edition; no match comes near it.
    """
    cards, hands = len(deck.kind_of), deck.hands
    recalls = sum(spell.count for spell in deck.spells if spell.name == "recall")
    void = deck.rounds * (seats * max(hands.dealt[seats], hands.limit[seats]) // deck.in_the_arena)
    return (deck.rounds + void) * (3 * seats + (2 + seats * votes) * (cards + recalls * max(1, recalls - 1)))
