"""Explains the result of a judged round in numbers: the power and mana of each fighter from its spells, then the
payment of each bet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.cheaty_mages.cards import gold_text
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.judging import TIMES
from games.cheaty_mages.language import N_, _
from games.cheaty_mages.views import Doubling, FighterResult, FighterView, LimitKnown, RoundResult, TableView

_PAYS = dict(zip(TIMES, (N_("twice the prize"), N_("the prize"), N_("half the prize")), strict=True))


def explain_round(deck: Deck, table: TableView, names: Sequence[str]) -> list[str]:
    """Returns lines of text that explain the round that was just judged; [] while the table shows no result."""
    return list(_lines(deck, table, table.result[0], names)) if table.result else []


def _lines(deck: Deck, table: TableView, result: RoundResult, names: Sequence[str]) -> Iterator[str]:
    limit = _(", limit {limit}", limit=result.limit.limit) if isinstance(result.limit, LimitKnown) else _(", no limit")
    head = _("Round {round} adds up{limit}:", round=table.round, limit=limit)
    yield f"{head} {_winner(deck, table, result)}" if result.winner else head
    for number, (fighter, own) in enumerate(zip(table.fighters, result.fighters, strict=True), 1):
        yield f"  {number} {_fighter(deck, fighter, own)}"
    if not result.winner:
        yield _("  Every fighter is ejected: nobody is paid.")
        return
    for seat, bet in enumerate(result.bets, 1):
        share = f"{_(_PAYS[len(bet.on)])}, {bet.paid}" if result.winner in bet.on else _("nothing")
        had = table.players[seat - 1].money
        on = " ".join(map(str, bet.on))
        yield _(
            "  {name} bet on {on}: {share}; {before} + {paid} = {gold}",
            name=names[seat - 1],
            on=on,
            share=share,
            before=had - bet.paid,
            paid=bet.paid,
            gold=gold_text(had),
        )


def _winner(deck: Deck, table: TableView, result: RoundResult) -> str:
    fighter, power = table.fighters[result.winner - 1], result.fighters[result.winner - 1].power
    said = _(
        "{winner} {title} wins with power {power}; the prize is {prize}.",
        winner=result.winner,
        title=_title(deck, fighter.name),
        power=power,
        prize=f"{result.prize}{_times(deck, fighter)}",
    )
    equal = [own for own in result.fighters if own.power == power and own.verdict != "eject"]
    return (
        said + _(" Of fighters with equal power, the one with more power on its card wins.") if len(equal) > 1 else said
    )


def _times(deck: Deck, fighter: FighterView) -> str:
    """Returns a note such as ` (10 x2 Cause Unpopularity)` if spells change the fighter's prize, else ""."""
    spells = [deck.spells[deck.number[lain.card]] for lain in fighter.spells]  # type: ignore[union-attr]  # face up now
    times = [f" x{spell.prize_times} {_(spell.title)}" for spell in spells if spell.prize_times > 1]
    return f" ({fighter.prize}{''.join(times)})" if times else ""


def _fighter(deck: Deck, fighter: FighterView, own: FighterResult) -> str:
    title = _title(deck, fighter.name)
    if own.verdict == "dispel":
        return _(
            "{title}: {mana} mana, dispelled: the card's power, {power}", title=title, mana=own.mana, power=own.power
        )
    doubled = [lain.on for lain in fighter.spells if isinstance(lain, Doubling)]
    power, mana = [str(fighter.power)], []
    for place, lain in enumerate(fighter.spells, 1):
        spell = deck.spells[deck.number[lain.card]]  # type: ignore[union-attr]  # all spells are face up by now
        change = spell.power << doubled.count(place)
        if change:
            power.append(f"{-change if fighter.undead else change:+d} {_(spell.title)}")
        if spell.mana:
            mana.append(str(spell.mana))
    sums = f"{' '.join(power)} = {own.power}" if len(power) > 1 else f"{own.power}"
    fate = _(", ejected") if own.verdict == "eject" else ""
    spent = f"{' + '.join(mana)} = {own.mana}" if len(mana) > 1 else f"{own.mana}"
    return _("{title}: power {sums}; mana {spent}{fate}", title=title, sums=sums, spent=spent, fate=fate)


def _title(deck: Deck, name: str) -> str:
    return next(_(one.title) for one in deck.fighters if one.name == name)
