"""The judgement: turning up spells, verdicts, the winner and the payments. Spells that are not dispelled stay in the
arena until the next round."""

from __future__ import annotations

from games.api import AddressedEvent, Seat, to_all
from games.cheaty_mages import events
from games.cheaty_mages.cards import Verdict
from games.cheaty_mages.truth import Arena, SpellOnFighter, spells_in_play
from games.cheaty_mages.views import BetResult, FighterResult, LimitKnown, NoLimit, RoundResult

# the share of the prize that a bet pays (numerator, denominator), by its number of betting cards
TIMES = {1: (2, 1), 2: (1, 1), 3: (1, 2)}


def judge_round(arena: Arena, told: list[AddressedEvent]) -> None:
    """Judges the fighters, finds the winner and pays the bets. The caller has turned all spells face up."""
    limit: NoLimit | LimitKnown = NoLimit()
    verdicts: dict[int, Verdict] = {}
    places = arena.deck.places
    counted = [fighter_mana(arena, fighter) for fighter in places]
    if not arena.no_judgement:
        limit = _limit(arena, told)
        verdicts = _judge(arena, limit, counted, told)
    powers = [fighter_power(arena, fighter) for fighter in places]
    standing = [fighter for fighter in places if verdicts.get(fighter) != "eject"]
    winner = max(standing, key=lambda fighter: (powers[fighter - 1], _card_power(arena, fighter)), default=0)
    fighters = tuple(
        [FighterResult(counted[fighter - 1], verdicts.get(fighter, "none"), powers[fighter - 1]) for fighter in places]
    )
    if winner:
        amount = fighter_prize(arena, winner)
        name = arena.deck.fighters[arena.fighters[winner - 1]].name
        told.append(to_all(events.Won(winner, name, powers[winner - 1], amount)))
        arena.result = RoundResult(limit, fighters, winner, amount, _pay(arena, winner, amount, told))
    else:
        told.append(to_all(events.NobodyWon()))
        arena.result = RoundResult(limit, fighters, 0, 0, ())


def turn_up_spells(arena: Arena, told: list[AddressedEvent]) -> None:
    """Turns all spells face up (rule 6.1). Unlawful ones are discarded, or the players vote on them (rules 10.2,
    10.4)."""
    name_of, kind_of = arena.deck.name_of, arena.deck.kind_of
    struck: list[tuple[int, SpellOnFighter]] = []
    for fighter, row in enumerate(arena.rows, 1):
        hidden = [lying for lying in row if not lying.face_up]
        if hidden:
            told.append(to_all(events.TurnedUp(fighter, tuple([name_of[lying.card] for lying in hidden]))))
            struck += [(fighter, _open(lying)) for lying in hidden if not lying.lawful >> kind_of[lying.card] & 1]
            row[:] = [lying if lying.face_up else _open(lying) for lying in row]
            arena.invalidate_fighter(fighter)
    arena.invalidate_hidden()
    if arena.options.has_votes:
        arena.disputed = [lying.card for _, lying in struck]
        return
    for fighter, lying in struck:
        _strike(arena, fighter, lying, told)


def dispute_event(arena: Arena) -> AddressedEvent:
    """Returns the event that announces the next refused spell on which the players vote."""
    fighter, lying = _disputed(arena)
    return to_all(events.Disputed(fighter, arena.deck.name_of[lying.card]))


def settle_dispute(arena: Arena, keeps: bool, told: list[AddressedEvent]) -> None:
    """Keeps or discards the refused spell on which the players have voted."""
    fighter, lying = _disputed(arena)
    del arena.disputed[0]
    if keeps:
        told.append(to_all(events.Kept(fighter, arena.deck.name_of[lying.card])))
    else:
        _strike(arena, fighter, lying, told)


def _disputed(arena: Arena) -> tuple[int, SpellOnFighter]:
    return next((at[0], lying) for at, lying in spells_in_play(arena) if lying.card == arena.disputed[0])


def _strike(arena: Arena, fighter: int, lying: SpellOnFighter, told: list[AddressedEvent]) -> None:
    told.append(to_all(events.Struck(fighter, arena.deck.name_of[lying.card])))
    arena.discard_spell(fighter, lying, told)


def _open(lying: SpellOnFighter) -> SpellOnFighter:
    return SpellOnFighter(lying.card, lying.seat, True, lying.marked)


def _limit(arena: Arena, told: list[AddressedEvent]) -> NoLimit | LimitKnown:
    """Returns the limit on the judge card, or the limit that a revealed spell decides (rules 6.5, 6.6)."""
    judge = arena.deck.judges[arena.judge]
    judgement = judge.judgement
    if judge.reveals:
        card = arena.draw_top_spell(told)
        if card is not None:
            arena.discard.append(card)
            spell = arena.deck.spell_of[card]
            judgement = judge.reveals[spell.kind]
            told.append(to_all(events.LimitRevealed(spell.name, judgement.limit, judgement.verdict)))
    return LimitKnown(judgement.limit, judgement.verdict) if judgement else NoLimit()


def _judge(
    arena: Arena, limit: NoLimit | LimitKnown, counted: list[int], told: list[AddressedEvent]
) -> dict[int, Verdict]:
    """Finds the verdict on each fighter, whose mana is in `counted`, and discards the spells on dispelled fighters.
    Returns the verdicts by fighter (rules 6.2 to 6.4, 6.7)."""
    low = arena.deck.judges[arena.judge].dispels_up_to
    verdicts: dict[int, Verdict] = {}
    for fighter, total in enumerate(counted, 1):
        row = arena.rows[fighter - 1]
        if isinstance(limit, LimitKnown) and total > limit.limit:
            verdicts[fighter] = limit.verdict
        elif low is not None and total <= low and row:
            verdicts[fighter] = "dispel"
        else:
            continue
        told.append(to_all(events.Judged(fighter, total, verdicts[fighter])))
        if verdicts[fighter] == "dispel":
            arena.discard += [lying.card for lying in row]
            row.clear()
            arena.invalidate_fighter(fighter)
    return verdicts


def fighter_mana(arena: Arena, fighter: int) -> int:
    """Returns the total mana of the spells on a fighter, whether they lie face up or down (rule 6.2)."""
    row, mana_of = arena.rows[fighter - 1], arena.deck.mana_of
    return sum([mana_of[lying.card] for lying in row]) if row else 0


def fighter_power(arena: Arena, fighter: int) -> int:
    """Returns the power of a fighter with its spells. Spells that add power to other fighters take it from an undead
    one (rules 7.1, 7.3, C4.1)."""
    row, card = arena.rows[fighter - 1], arena.deck.fighters[arena.fighters[fighter - 1]]
    if not row:
        return card.power
    power_of = arena.deck.power_of
    doubled = [lying.doubles for lying in row if lying.doubles >= 0]
    change = sum([power_of[lying.card] << doubled.count(lying.card) for lying in row])
    return card.power - change if card.undead else card.power + change


def _card_power(arena: Arena, fighter: int) -> int:
    return arena.deck.fighters[arena.fighters[fighter - 1]].power


def fighter_prize(arena: Arena, fighter: int) -> int:
    """Returns the prize of a fighter in gold, which a bet of two cards pays (rule 7.4)."""
    amount = arena.deck.fighters[arena.fighters[fighter - 1]].prize
    for lying in arena.rows[fighter - 1]:
        amount *= arena.deck.spell_of[lying.card].prize_times
    return amount


def bet_payment(amount: int, bet: tuple[int, ...], winner: int) -> int:
    """Returns the gold that a bet pays for the prize of the winner, with halves rounded up (rule 7.5)."""
    if winner not in bet:
        return 0
    times, over = TIMES[len(bet)]
    return -(-amount * times // over)


def _pay(arena: Arena, winner: int, amount: int, told: list[AddressedEvent]) -> tuple[BetResult, ...]:
    """Pays the bets of all seats, and returns the payments in seat order (rule 7.5)."""
    results = {}
    for seat in clockwise_seats(arena, arena.starter):
        bet = arena.bets[seat]
        paid = bet_payment(amount, bet, winner)
        arena.money[seat] += paid
        results[seat] = BetResult(bet, paid)
        told.append(to_all(events.BetShown(seat, bet, paid)))
        arena.invalidate_seat(seat)
    return tuple([results[seat] for seat in sorted(results)])


def clockwise_seats(arena: Arena, first: Seat) -> list[Seat]:
    """Returns all seats clockwise, beginning with the seat `first`."""
    return [(first - 1 + step) % arena.seats + 1 for step in range(arena.seats)]
