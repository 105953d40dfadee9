"""A judged round as sums that add up: fighter by fighter, spell by spell, then the bets and what they paid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.cheaty_mages.deck import Deck
from games.cheaty_mages.judging import TIMES
from games.cheaty_mages.views import Doubling, FighterResult, FighterView, LimitKnown, RoundResult, Table

_PAYS = dict(zip(TIMES, ("twice the prize", "the prize", "half the prize"), strict=True))


def account(deck: Deck, table: Table, names: Sequence[str]) -> list[str]:
    """Lines about the round that was judged last, as long as it can be seen; [] else."""
    return list(_lines(deck, table, table.result[0], names)) if table.result else []


def _lines(deck: Deck, table: Table, result: RoundResult, names: Sequence[str]) -> Iterator[str]:
    limit = f", limit {result.limit.limit}" if isinstance(result.limit, LimitKnown) else ", no limit"
    yield f"Round {table.round} adds up{limit}:"
    for number, (fighter, own) in enumerate(zip(table.fighters, result.fighters, strict=True), 1):
        yield f"  {number} {_fighter(deck, fighter, own)}"
    if not result.winner:
        yield "  Every fighter is ejected: nobody is paid."
        return
    title, power = _title(deck, table.fighters[result.winner - 1].name), result.fighters[result.winner - 1].power
    yield f"  {result.winner} {title} wins with power {power}; the prize is {result.prize}."
    for seat, bet in enumerate(result.bets, 1):
        share = f"{_PAYS[len(bet.on)]}, {bet.paid}" if result.winner in bet.on else "nothing"
        had = table.players[seat - 1].money
        on = " ".join(map(str, bet.on))
        yield f"  {names[seat - 1]} bet on {on}: {share}; {had - bet.paid} + {bet.paid} = {had} gold"


def _fighter(deck: Deck, fighter: FighterView, own: FighterResult) -> str:
    title = _title(deck, fighter.name)
    if own.verdict == "dispel":
        return f"{title}: {own.mana} mana, dispelled: the card's power, {own.power}"
    doubled = [lain.on for lain in fighter.spells if isinstance(lain, Doubling)]
    power, mana = [str(fighter.power)], []
    for place, lain in enumerate(fighter.spells, 1):
        spell = deck.spells[deck.number[lain.card]]  # type: ignore[union-attr]  # all are turned up by now
        change = spell.power << doubled.count(place)
        if change:
            power.append(f"{-change if fighter.undead else change:+d} {spell.title}")
        if spell.mana:
            mana.append(str(spell.mana))
    sums = f"{' '.join(power)} = {own.power}" if len(power) > 1 else f"{own.power}"
    fate = ", ejected" if own.verdict == "eject" else ""
    spent = f"{' + '.join(mana)} = {own.mana}" if len(mana) > 1 else f"{own.mana}"
    return f"{title}: power {sums}; mana {spent}{fate}"


def _title(deck: Deck, name: str) -> str:
    return next(one.title for one in deck.fighters if one.name == name)
