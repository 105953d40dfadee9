"""The end of a round: spells turned up, the judgement, the winner, the prizes."""

from __future__ import annotations

from games.api import Seat, Told, tell_all
from games.cheaty_mages import events
from games.cheaty_mages.cards import Judge, Judgement
from games.cheaty_mages.truth import Arena, Lying

TIMES = {1: (2, 1), 2: (1, 1), 3: (1, 2)}  # the share of the prize by the number of betting cards


def judge_round(arena: Arena) -> tuple[list[Told], bool]:
    """From the last pass to the paid prizes; also says whether somebody won."""
    told: list[Told] = []
    _turn_up(arena, told)
    ejected: set[int] = set()
    if not arena.no_judgement:
        ejected = _judge(arena, told)
    standing = [fighter for fighter in range(1, len(arena.rows) + 1) if fighter not in ejected]
    if not standing:
        told.append(tell_all(events.NobodyWon()))
        return told, False
    winner = max(standing, key=lambda fighter: (power(arena, fighter), _card_power(arena, fighter)))
    _pay(arena, winner, told)
    return told, True


def _turn_up(arena: Arena, told: list[Told]) -> None:
    """Rules 6.1, 10.2."""
    name_of, kind_of = arena.deck.name_of, arena.deck.kind_of
    struck: list[tuple[int, Lying]] = []
    for fighter, row in enumerate(arena.rows, 1):
        hidden = [lying for lying in row if not lying.face_up]
        if hidden:
            told.append(tell_all(events.TurnedUp(fighter, tuple([name_of[lying.card] for lying in hidden]))))
            struck += [(fighter, lying) for lying in hidden if not lying.lawful >> kind_of[lying.card] & 1]
    for fighter, lying in struck:
        told.append(tell_all(events.Struck(fighter, name_of[lying.card])))
        arena.drop_lying(fighter, lying, told)


def _judge(arena: Arena, told: list[Told]) -> set[int]:
    """The verdicts; returns the ejected fighters. Rules 6.2 to 6.7."""
    judge = arena.deck.judges[arena.judge]
    judgement = _judgement(arena, judge, told)
    ejected = set()
    for fighter, row in enumerate(arena.rows, 1):
        total = mana(arena, fighter)
        low = judge.dispels_up_to is not None and total <= judge.dispels_up_to
        if judgement and total > judgement.limit:
            told.append(tell_all(events.Judged(fighter, total, judgement.verdict)))
            if judgement.verdict == "eject":
                ejected.add(fighter)
                continue
        elif not (low and row):
            continue
        else:
            told.append(tell_all(events.Judged(fighter, total, "dispel")))
        arena.throw(*[lying.card for lying in row])
        row.clear()
        arena.touch(fighter=fighter, known=True)
    return ejected


def _judgement(arena: Arena, judge: Judge, told: list[Told]) -> Judgement | None:
    """Rules 6.5, 6.6."""
    if not judge.reveals:
        return judge.judgement
    card = arena.top_spell(told)
    if card is None:
        return None
    arena.throw(card)
    spell = arena.deck.spell_of[card]
    judgement = judge.reveals[spell.kind]
    told.append(tell_all(events.LimitRevealed(spell.name, judgement.limit, judgement.verdict)))
    return judgement


def mana(arena: Arena, fighter: int) -> int:
    """The sum over all that lies on the fighter, hidden or not (rule 6.2)."""
    mana_of = arena.deck.mana_of
    return sum([mana_of[lying.card] for lying in arena.rows[fighter - 1]])


def power(arena: Arena, fighter: int) -> int:
    """The card's power with all that lies there; an undead fighter turns the sign of the spells.

    Rules 7.1, 7.3, C4.1."""
    row = arena.rows[fighter - 1]
    power_of = arena.deck.power_of
    doubled = [lying.doubles for lying in row if lying.doubles >= 0]
    change = sum([power_of[lying.card] << doubled.count(lying.card) for lying in row])
    card = arena.deck.fighters[arena.fighters[fighter - 1]]
    return card.power - change if card.undead else card.power + change


def _card_power(arena: Arena, fighter: int) -> int:
    return arena.deck.fighters[arena.fighters[fighter - 1]].power


def prize(arena: Arena, fighter: int) -> int:
    """What the fighter pays on a double bet (rule 7.4)."""
    amount = arena.deck.fighters[arena.fighters[fighter - 1]].prize
    for lying in arena.rows[fighter - 1]:
        amount *= arena.deck.spell_of[lying.card].prize_times
    return amount


def share(amount: int, bet: tuple[int, ...], winner: int) -> int:
    """What a bet gets of the winner's prize, halves rounded up (rule 7.5)."""
    if winner not in bet:
        return 0
    times, over = TIMES[len(bet)]
    return -(-amount * times // over)


def _pay(arena: Arena, winner: int, told: list[Told]) -> None:
    amount = prize(arena, winner)
    name = arena.deck.fighters[arena.fighters[winner - 1]].name
    told.append(tell_all(events.Won(winner, name, power(arena, winner), amount)))
    for seat in seats_from(arena, arena.starter):
        paid = share(amount, arena.bets[seat], winner)
        arena.money[seat] += paid
        told.append(tell_all(events.BetShown(seat, arena.bets[seat], paid)))
        arena.touch(seat=seat)


def seats_from(arena: Arena, first: Seat) -> list[Seat]:
    """All seats clockwise from the first."""
    return [(first - 1 + step) % arena.seats + 1 for step in range(arena.seats)]
