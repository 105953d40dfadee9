"""Builds views: the public table, and what one seat alone knows."""

from __future__ import annotations

from functools import cache

from games.api import Seat
from games.cheaty_mages.truth import JUDGE, Arena, SpellOnFighter, spells_in_play
from games.cheaty_mages.views import (
    ArenaKnowledge,
    DisputedSpell,
    Doubling,
    FighterView,
    Hidden,
    HiddenSpell,
    Known,
    Lain,
    OpenSpell,
    PlayerView,
    SeatView,
    SpectatorView,
    TableView,
    You,
)


def view_of(arena: Arena, seat: Seat | None) -> SeatView | SpectatorView:
    """Returns the view of a seat, or of a spectator for None."""
    table = arena.table_view
    if table is None:
        table = arena.table_view = _table(arena)
    if seat is None:
        return SpectatorView(table)
    you = arena.you_views[seat]
    if you is None:
        you = arena.you_views[seat] = _you(arena, seat)
    return SeatView(table, you)


def knowledge_of(arena: Arena, seat: Seat | None) -> ArenaKnowledge:
    """Returns the view together with everything else that follows from the events that the seat received."""
    deck, drawn = arena.deck, arena.drawn
    seats = range(1, arena.seats + 1)
    lying = [
        (fighter, place, one)
        for fighter, row in enumerate(arena.rows, 1)
        for place, one in enumerate(row, 1)
        if not one.face_up
    ]
    piles = {drawn[card] for hand in arena.hands for card in hand} | {drawn[one.card] for _, _, one in lying}
    number = {pile: at for at, pile in enumerate(sorted(piles | {arena.renewals}))}
    unseen = [[0] * len(deck.spells) for _ in number]
    others = [card for other in seats if other != seat for card in arena.hands[other]]
    others += [one.card for _, _, one in lying if seat is None or not one.knowers >> seat & 1]
    for card in others:
        unseen[number[drawn[card]]][deck.kind_of[card]] += 1
    for card in arena.pile:
        unseen[-1][deck.kind_of[card]] += 1
    return ArenaKnowledge(
        view_of(arena, seat),
        arena.turn,
        tuple([deck.fighters[fighter].name for fighter in sorted(arena.fighter_pile)]),
        tuple([one.seat for one in arena.enduring]),
        tuple(
            [
                Hidden(
                    fighter,
                    place,
                    number[drawn[one.card]],
                    one.possible,
                    one.lawful,
                    tuple([knower for knower in seats if one.knowers >> knower & 1]),
                )
                for fighter, place, one in lying
            ]
        ),
        tuple([tuple(counts) for counts in unseen]),
        tuple([_origins(arena, other, number, own=other == seat) for other in seats]),
    )


def _origins(arena: Arena, seat: Seat, number: dict[int, int], *, own: bool) -> tuple[int, ...]:
    """Returns the number of the pile that each card of a hand is from. The numbers are sorted unless the seat owns the
    hand."""
    origins = [(arena.deck.kind_of[card], number[arena.drawn[card]]) for card in arena.hands[seat]]
    return tuple([pile for _, pile in sorted(origins)] if own else sorted([pile for _, pile in origins]))


def _table(arena: Arena) -> TableView:
    deck = arena.deck
    name_of = deck.name_of
    fighters = [known or _fighter(arena, place) for place, known in enumerate(arena.fighter_views)]
    players = [known or _player(arena, seat) for seat, known in enumerate(arena.player_views[1:], 1)]
    arena.fighter_views, arena.player_views = [*fighters], [None, *players]
    discard = arena.discard_view
    if len(discard) != len(arena.discard):  # the discard pile only grows until it is shuffled
        discard = arena.discard_view = discard + tuple([name_of[card] for card in arena.discard[len(discard) :]])
    return TableView(
        arena.round,
        arena.phase,
        seats_to_move(arena),
        arena.starter,
        deck.judge_views[arena.judge],
        _enduring(arena, JUDGE) if arena.enduring else (),
        arena.no_judgement,
        tuple(fighters),
        tuple(players),
        (arena.result,) if arena.result else (),
        discard,
        len(arena.pile),
        len(arena.fighter_pile),
        len(arena.judge_pile),
        tuple([deck.judges[judge].name for judge in arena.judges_gone]) if arena.judges_gone else (),
        deck.hands.drawn[arena.seats],
        deck.hands.limit[arena.seats],
        arena.has_foul_play(),
        arena.options.allows_cheating,
        arena.options.has_votes,
        _disputed(arena) if arena.disputed else (),
    )


def _disputed(arena: Arena) -> tuple[DisputedSpell, ...]:
    spots = {lying.card: DisputedSpell(*spot) for spot, lying in spells_in_play(arena)}
    return tuple([spots[card] for card in arena.disputed])


def seats_to_move(arena: Arena) -> tuple[Seat, ...]:
    """Returns the seat that has to decide; () when the match is over."""
    if arena.phase == "over":
        return ()
    return (arena.forgetting or arena.turn,)


def _fighter(arena: Arena, place: int) -> FighterView:
    fighter = arena.deck.fighters[arena.fighters[place]]
    row = arena.rows[place]
    spells = tuple([_lain(arena, lying, row) for lying in row]) if row else ()
    return FighterView(fighter.name, fighter.power, fighter.prize, fighter.undead, spells)


def _lain(arena: Arena, lying: SpellOnFighter, row: list[SpellOnFighter]) -> Lain:
    if not lying.face_up:
        return _hidden(lying.seat, lying.marked)
    name = arena.deck.name_of[lying.card]
    if lying.doubles < 0:
        return _open(name, lying.seat, lying.marked)
    on = next(place for place, other in enumerate(row, 1) if other.card == lying.doubles)
    return Doubling(name, lying.seat, lying.marked, on)


_hidden, _open = cache(HiddenSpell), cache(OpenSpell)  # cached, because views contain few different ones


def _enduring(arena: Arena, host: int) -> tuple[OpenSpell, ...]:
    name_of = arena.deck.name_of
    return tuple([OpenSpell(name_of[one.card], one.by, one.marked) for one in arena.enduring if one.seat == host])


def _player(arena: Arena, seat: Seat) -> PlayerView:
    return PlayerView(
        seat,
        arena.money[seat],
        len(arena.hands[seat]),
        len(arena.bets[seat]),
        arena.passed[seat],
        bool(arena.unrefusable >> seat & 1),
        bool(arena.hides_directs >> seat & 1),
        _enduring(arena, seat) if arena.enduring else (),
        arena.has_foul_play() and not arena.can_foul(seat),
    )


def _you(arena: Arena, seat: Seat) -> You:
    name_of = arena.deck.name_of
    knows = arena.known_views[seat]
    if knows is None:
        knows = arena.known_views[seat] = _knows(arena, seat)
    return You(seat, tuple([name_of[card] for card in arena.hands[seat]]), arena.bets[seat], knows)


def _knows(arena: Arena, seat: Seat) -> tuple[Known, ...]:
    name_of = arena.deck.name_of
    bit = 1 << seat
    return tuple(
        [
            Known(fighter, place, name_of[lying.card])
            for fighter, row in enumerate(arena.rows, 1)
            for place, lying in enumerate(row, 1)
            if lying.knowers & bit  # a face-up spell has no knowers
        ]
    )
