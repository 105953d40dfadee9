"""Another truth that a seat cannot tell from the present one: all that it does not know is dealt anew."""

from __future__ import annotations

from itertools import combinations

from games.api import Seat
from games.chance import Chance
from games.cheaty_mages.truth import IN_THE_ARENA, Arena, Lying

_COMBINATIONS = {size: tuple(combinations(range(1, IN_THE_ARENA + 1), size)) for size in (1, 2, 3)}


def redeal(arena: Arena, observer: Seat | None, chance: Chance) -> None:
    """Changes the arena, which must be a copy."""
    _deal_spells(arena, observer, chance)
    arena.judge_pile = chance.shuffle("judges", arena.judge_pile)
    arena.fighter_pile = chance.shuffle("fighters", arena.fighter_pile)
    for seat in range(1, arena.seats + 1):
        if seat != observer and arena.bets[seat] and not arena.bets_shown():
            arena.bets[seat] = chance.choice("bet", _COMBINATIONS[len(arena.bets[seat])])
    arena.chance = chance.fork("to come")
    arena.touch(known=True)  # the public views stay as they are: nothing of what they show has changed


def _deal_spells(arena: Arena, observer: Seat | None, chance: Chance) -> None:
    """A card changes places only with cards that left the same pile: whoever counts cards knows what that pile held."""
    drawn = arena.drawn
    pools: dict[int, list[int]] = {arena.renewals: list(arena.pile)}
    unknown = [seat for seat in range(1, arena.seats + 1) if seat != observer]
    origins = {seat: [drawn[card] for card in arena.hands[seat]] for seat in unknown}
    for seat in unknown:
        for card in arena.hands[seat]:
            pools.setdefault(drawn[card], []).append(card)
    origin = drawn.copy()
    hidden = _hidden_from(arena, observer)
    for _fighter, _place, lying in hidden:
        pools.setdefault(drawn[lying.card], []).append(lying.card)
    pools = {renewal: chance.shuffle("spells", pool) for renewal, pool in sorted(pools.items())}
    for renewal, pool in pools.items():
        for card in pool:
            origin[card] = renewal
    chosen = _choose(arena, hidden, pools)
    for seat in unknown:
        arena.hands[seat] = sorted([pools[renewal].pop() for renewal in origins[seat]])
    arena.pile = pools[arena.renewals]
    arena.drawn = origin
    _lay(arena, hidden, chosen)


def _hidden_from(arena: Arena, observer: Seat | None) -> list[tuple[int, int, Lying]]:
    bit = 1 << observer if observer is not None else 0
    return [
        (row, place, lying)
        for row, spells in enumerate(arena.rows)
        for place, lying in enumerate(spells)
        if not lying.face_up and not lying.knowers & bit
    ]


def _choose(arena: Arena, hidden: list[tuple[int, int, Lying]], pools: dict[int, list[int]]) -> dict[int, int]:
    """Picks for each hidden card one that it might be, and takes it out of its pool. Cards with the fewest possible
    kinds choose first; if one of them finds nothing left, all stay what they are."""
    kind_of, drawn = arena.deck.kind_of, arena.drawn
    kept = {renewal: list(pool) for renewal, pool in pools.items()}
    chosen: dict[int, int] = {}
    for _row, _place, lying in sorted(hidden, key=lambda found: found[2].possible.bit_count()):
        pool = pools[drawn[lying.card]]
        for place in range(len(pool) - 1, -1, -1):
            if lying.possible >> kind_of[pool[place]] & 1:
                chosen[lying.card] = pool.pop(place)
                break
        else:
            truth = {lying.card: lying.card for _row, _place, lying in hidden}
            pools.update({renewal: [card for card in pool if card not in truth] for renewal, pool in kept.items()})
            return truth
    return chosen


def _lay(arena: Arena, hidden: list[tuple[int, int, Lying]], chosen: dict[int, int]) -> None:
    for row, place, lying in hidden:
        card = chosen[lying.card]
        arena.rows[row][place] = Lying(
            card, lying.seat, False, lying.marked, lying.knowers, lying.possible, lying.lawful
        )
    for spells in arena.rows:
        for place, lying in enumerate(spells):
            if lying.doubles in chosen:
                spells[place] = Lying(lying.card, lying.seat, True, lying.marked, 0, 0, 0, chosen[lying.doubles])
