"""Makes the values of `page.html`, which shows the table in a browser as cards: judge, fighters with their spells,
players, and the seat's own hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from games.api import plain_lines
from games.cheaty_mages.board import PHASES, discard_lines, judge_lines, player_text
from games.cheaty_mages.cards import Spell
from games.cheaty_mages.compact_board import is_refused, known_power_and_mana, known_prize, spell_names_on
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.language import N_, _
from games.cheaty_mages.views import (
    Doubling,
    FighterView,
    HiddenSpell,
    Lain,
    LimitKnown,
    SeatView,
    SpectatorView,
    TableView,
)
from games.page_facts import Fact
from languages import current_language

UNWRAPPED = 10_000  # columns: more than any line has
_FATES = {"none": ("", ""), "dispel": ("bad", N_("dispelled")), "eject": ("bad", N_("ejected"))}


class SpellInPlay(msgspec.Struct, frozen=True):
    """A spell on a fighter."""

    number: str  # as people type it, such as `3.2`
    title: str
    style: str  # `hidden` if the seat does not know it, `you` if it lies face down and the seat knows it
    signs: str  # its mana and power
    notes: str  # who cast it, and how it lies
    text: str  # what it does


class FighterCard(msgspec.Struct, frozen=True):
    """A fighter with the spells on it."""

    number: int
    title: str
    style: str
    fate: str  # what the judgement brought it; "" before
    facts: tuple[Fact, ...]
    undead: bool
    spells: tuple[SpellInPlay, ...]


class PlayerCard(msgspec.Struct, frozen=True):
    """A player with the public facts."""

    seat: int
    name: str
    is_you: bool
    moves: bool  # whether the player has to decide
    text: str


class SpellInHand(msgspec.Struct, frozen=True):
    """One kind of card in the seat's hand."""

    name: str  # as actions name it
    title: str
    count: int
    kind: str
    facts: tuple[Fact, ...]
    text: str
    is_refused: bool  # whether the judge refuses it from this seat


def page_values(deck: Deck, view: SeatView | SpectatorView, names: Sequence[str]) -> dict[str, Any]:
    """Returns the values of the template by name."""
    table = view.table
    own = view.you if isinstance(view, SeatView) else None
    known = {(one.fighter, one.place): one.card for one in own.knows} if own is not None else {}
    title, *says = plain_lines(judge_lines(deck, table, names, UNWRAPPED))
    return {
        "head": _(
            "Round {round} of {rounds}, {phase}", round=table.round, rounds=deck.rounds, phase=_(PHASES[table.phase])
        ),
        "judge": title,
        "judge_says": [text.strip() for text in says],
        "fighters_label": _("Fighters"),
        "fighters": [
            _fighter(deck, number, fighter, table, known, names) for number, fighter in enumerate(table.fighters, 1)
        ],
        "undead": _("undead"),
        "players_label": _("Players"),
        "players": [
            PlayerCard(
                player.seat,
                names[player.seat - 1] + (_(" (you)") if own is not None and player.seat == own.seat else ""),
                own is not None and player.seat == own.seat,
                player.seat in table.to_move,
                player_text(deck, player, table.result, player.seat == table.starter, current_language()),
            )
            for player in table.players
        ],
        "piles": _(
            "Spell pile {spell_pile}, judge pile {judge_pile}",
            spell_pile=table.spell_pile,
            judge_pile=table.judge_pile,
        ),
        "discarded": "".join(plain_lines(discard_lines(deck, table.discard, UNWRAPPED, current_language())))
        if table.discard
        else "",
        "has_hand": own is not None,
        "bet": _bet(view) if isinstance(view, SeatView) else "",
        "hand_label": _("Hand:") if own is not None and own.hand else _("Hand: empty"),
        "hand": [_in_hand(deck, view, name, count) for name, count in Counter(view.you.hand).items()]
        if isinstance(view, SeatView)
        else [],
        "refused": _("refused"),
    }


def _bet(view: SeatView) -> str:
    is_open = view.table.result and view.table.result[0].bets
    return _("Bet: {listed}", listed=" ".join(map(str, view.you.bet))) if view.you.bet and not is_open else ""


def _fighter(
    deck: Deck,
    number: int,
    fighter: FighterView,
    table: TableView,
    known: dict[tuple[int, int], str],
    names: Sequence[str],
) -> FighterCard:
    cards = spell_names_on(number, fighter, known)
    power, mana = known_power_and_mana(deck, fighter, cards)
    prize, style, fate = known_prize(deck, fighter, cards), "", ""
    limit = table.result[0].limit if table.result else table.judge.limit
    more = "?" if "" in cards and not table.result else ""
    if table.result:
        (result,) = table.result
        own = result.fighters[number - 1]
        power, mana = own.power, own.mana
        style, fate = _FATES[own.verdict]
        fate = _(fate) if fate else ""
        if number == result.winner:
            style, prize = "good", result.prize
            fate = ", ".join(filter(None, (_("wins"), fate)))
    change = f" → {power}" if power != fighter.power else ""
    most = f"/{limit.limit}" if isinstance(limit, LimitKnown) and not table.no_judgement else ""
    is_over = isinstance(limit, LimitKnown) and bool(most) and mana > limit.limit
    facts = (
        Fact(_("power"), f"{fighter.power}{change}{more}"),
        Fact(_("mana"), f"{mana}{more}{most}" + "!" * is_over, "bad" if is_over else ""),
        Fact(_("prize"), str(prize)),
    )
    title = next(_(one.title) for one in deck.fighters if one.name == fighter.name)
    spells = tuple(
        _spell(deck, f"{number}.{place}", lain, known.get((number, place)), names)
        for place, lain in enumerate(fighter.spells, 1)
    )
    return FighterCard(number, title, style, fate, facts, fighter.undead, spells)


def _spell(deck: Deck, number: str, lain: Lain, known: str | None, names: Sequence[str]) -> SpellInPlay:
    is_hidden = isinstance(lain, HiddenSpell)
    card = known if isinstance(lain, HiddenSpell) else lain.card
    notes = [_("face down")] if is_hidden and card else []
    notes += [_("on {number}", number=f"{number.partition('.')[0]}.{lain.on}")] if isinstance(lain, Doubling) else []
    notes += [names[lain.by - 1], *([_("paid")] if lain.marked else [])]
    if card is None:
        return SpellInPlay(number, _("face down"), "hidden", "", ", ".join(notes), "")
    spell = deck.spells[deck.number[card]]
    signs = ", ".join(f"{fact.name} {fact.value}" for fact in _facts(spell))
    return SpellInPlay(number, _(spell.title), "you" if is_hidden else "", signs, ", ".join(notes), _(spell.text))


def _facts(spell: Spell) -> tuple[Fact, ...]:
    facts = [Fact(_("mana"), str(spell.mana))] if spell.kind != "support" else []
    return (*facts, Fact(_("power"), f"{spell.power:+d}")) if spell.power else tuple(facts)


def _in_hand(deck: Deck, view: SeatView, name: str, count: int) -> SpellInHand:
    spell = deck.spells[deck.number[name]]
    kind = _(spell.kind.capitalize()) + (f", {_('Forbidden')}" if spell.forbidden else "")
    return SpellInHand(name, _(spell.title), count, kind, _facts(spell), _(spell.text), is_refused(spell, view))
