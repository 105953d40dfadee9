"""Describes what an action would do, from the view alone: the power and mana of fighters, gold and cards."""

from __future__ import annotations

from msgspec.structs import replace

from games.api import Action
from games.cheaty_mages import moves
from games.cheaty_mages.cards import Spell
from games.cheaty_mages.compact_board import known_power_and_mana, known_prize, spell_names_on
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.judging import bet_payment
from games.cheaty_mages.language import _, ngettext
from games.cheaty_mages.truth import FOUL_PRICE
from games.cheaty_mages.views import Doubling, FighterView, Lain, LimitKnown, OpenSpell, SeatView

Row = list[tuple[str, Lain]]  # the spells on a fighter, place 1 first; the name is "" if unknown


def preview_action(deck: Deck, view: SeatView, action: Action) -> str:
    """Returns one or two sentences about the effect of a legal action."""
    match action:
        case moves.Bet(on=on):
            return _("If it wins, you get: {paid}.", paid=_paid(deck, view, on))
        case moves.Look(fighter=fighter):
            return _(
                "Only you would see the face-down spells on {named}; the card is discarded.",
                named=_named(deck, view, fighter),
            )
        case moves.Discard() if view.table.phase == "redraw":
            return _("{draw} Everybody sees what you discard.", draw=_draw(view, len(view.you.hand) - 1))
        case moves.Done():
            return _draw(view, len(view.you.hand))
        case moves.Pass():
            return _("You would cast no more spells in this round.")
        case moves.Discard():
            return _("Everybody sees what you discard.")
        case moves.Keep():
            return _("It stays if everybody keeps it.")
        case moves.Strike():
            spot = view.table.disputed[0]
            rows = {number: _row(view, number) for number in deck.places}
            _take(rows[spot.fighter], spot.place)
            return f"{_sums(deck, view, spot.fighter, rows)}."
    assert isinstance(action, moves.CastAction)
    return _cast(deck, view, action)


def _cast(deck: Deck, view: SeatView, action: moves.CastAction) -> str:
    spell = deck.spells[deck.number[action.card]]
    paid = _(" It costs {price} gold.", price=FOUL_PRICE) if action.paying else ""
    if struck := _why_struck(view, spell, action):
        return struck
    rows, unknown = {number: _row(view, number) for number in deck.places}, ""
    match action:
        case moves.Cast(fighter=fighter) if spell.kind != "support":
            rows[fighter].append((spell.name, OpenSpell(spell.name, view.you.seat, action.paying)))
            return _("{title} on {sums}.{paid}", title=_(spell.title), sums=_sums(deck, view, fighter, rows), paid=paid)
        case moves.Cast(card="anti_magic_field", fighter=fighter):
            rows[fighter] = []
        case moves.CastAtSpell(card="dispel_magic", fighter=fighter, place=place):
            if not rows[fighter][place - 1][0]:
                unknown = _("You do not know what {fighter}.{place} is. ", fighter=fighter, place=place)
            _take(rows[fighter], place)
        case moves.CastAtSpell(card="duplicate", fighter=fighter, place=place):
            rows[fighter].append((spell.name, Doubling(spell.name, view.you.seat, action.paying, place)))
        case moves.CastMoving(fighter=fighter, place=place, to=to):
            moved = _take(rows[fighter], place)
            first = len(rows[to]) + 1
            rows[to] += [
                (name, replace(lain, on=first) if isinstance(lain, Doubling) else lain) for name, lain in moved
            ]
            return _("; ").join((_sums(deck, view, fighter, rows), _sums(deck, view, to, rows))) + f".{paid}"
        case moves.CastSwapping(placed=placed, aside=aside):
            on = tuple(sorted({*view.you.bet, aside} - {placed}))
            return _(
                "Your bet would be on {listed}: {paid}.{paid2}",
                listed=" ".join(map(str, on)),
                paid=_paid(deck, view, on),
                paid2=paid,
            )
        case _:
            return _("{title}: {text}{paid}", title=_(spell.title), text=_(spell.text), paid=paid)
    return f"{unknown}{_sums(deck, view, action.fighter, rows)}.{paid}"


def _why_struck(view: SeatView, spell: Spell, action: moves.CastAction) -> str | None:
    """Returns the reason why the spell would be discarded when it is turned face up (rule 10.2); None if it would
    not."""
    if action.paying or not view.table.may_cheat:
        return None
    own, refuses = view.table.players[view.you.seat - 1], view.table.judge.refuses
    if not own.unrefusable and (spell.kind in refuses or (spell.forbidden and "forbidden" in refuses)):
        return _("The judge refuses it, so it is discarded when it is turned face up.")
    if isinstance(action, moves.Cast) and action.face_down and not own.hides_directs:
        return _("Without Prismatic Ray it may not lie face down, so it is discarded when it is turned face up.")
    return None


def _row(view: SeatView, number: int) -> Row:
    fighter = view.table.fighters[number - 1]
    known = {(one.fighter, one.place): one.card for one in view.you.knows}
    return list(zip(spell_names_on(number, fighter, known), fighter.spells, strict=True))


def _take(row: Row, place: int) -> Row:
    """Removes a spell and its Duplicates from the row and returns them. Later spells move up."""
    gone = [
        place,
        *(number for number, (_, lain) in enumerate(row, 1) if isinstance(lain, Doubling) and lain.on == place),
    ]
    taken = [row[number - 1] for number in gone]
    kept = [number for number, _ in enumerate(row, 1) if number not in gone]
    row[:] = [row[number - 1] for number in kept]
    for at, (name, lain) in enumerate(row):
        if isinstance(lain, Doubling):
            row[at] = name, replace(lain, on=kept.index(lain.on) + 1)
    return taken


def _sums(deck: Deck, view: SeatView, number: int, rows: dict[int, Row]) -> str:
    """Returns the power and mana of a fighter before and after, such as `3 Goblin: power 9 to 5, mana 3 of 10`. Only
    known spells count; `?` stands for hidden ones."""
    table = view.table
    fighter, before, after = table.fighters[number - 1], _row(view, number), rows[number]
    (old, _mana), (power, mana) = _known(deck, fighter, before), _known(deck, fighter, after)
    was, now = ("?" if any(not name for name, _ in row) else "" for row in (before, after))
    limit = table.judge.limit
    text = _(
        "{named}: power {old}{was} to {power}{now}, mana {mana}{now}",
        named=_named(deck, view, number),
        old=old,
        was=was,
        power=power,
        now=now,
        mana=mana,
    )
    if isinstance(limit, LimitKnown) and not table.no_judgement:
        text += _(" of {limit}", limit=limit.limit) + (
            _(", too much: {verdict}", verdict=_(limit.verdict)) if mana > limit.limit and not now else ""
        )
    had, has = (known_prize(deck, fighter, [name for name, _ in row]) for row in (before, after))
    if had != has:
        text += _(", prize {before} to {after}", before=had, after=has)
    return text


def _known(deck: Deck, fighter: FighterView, row: Row) -> tuple[int, int]:
    return known_power_and_mana(
        deck, replace(fighter, spells=tuple(lain for _, lain in row)), [name for name, _ in row]
    )


def _named(deck: Deck, view: SeatView, number: int) -> str:
    name = view.table.fighters[number - 1].name
    return f"{number} {next(_(one.title) for one in deck.fighters if one.name == name)}"


def _paid(deck: Deck, view: SeatView, on: tuple[int, ...]) -> str:
    """Returns what a bet would pay now if one of its fighters won, such as `1 Succubus 5 gold, 5 Lizardman 6 gold`."""
    found = []
    for number in on:
        prize = known_prize(deck, view.table.fighters[number - 1], [name for name, _ in _row(view, number)])
        found.append(_("{named} {share} gold", named=_named(deck, view, number), share=bet_payment(prize, on, number)))
    return ", ".join(found)


def _draw(view: SeatView, held: int) -> str:
    """Returns a sentence about the number of cards that a player with `held` cards draws."""
    count = max(0, min(view.table.draws, view.table.hand_limit - held))
    return ngettext(
        "You would draw {n} card and have {held} in hand.",
        "You would draw {n} cards and have {held} in hand.",
        count,
        held=held + count,
    )
