"""Draws the table as lines of text: round, judge, fighters with their spells, players, and the seat's own cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from games.api import StyledLine
from games.cheaty_mages.cards import Spell, gold_text, judge_text, typed_spell_name
from games.cheaty_mages.compact_board import decided_limit_text, known_power_and_mana, known_prize, spell_names_on
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.language import N_, _, ngettext
from games.cheaty_mages.views import (
    Doubling,
    FighterView,
    HiddenSpell,
    Known,
    Lain,
    PlayerView,
    RoundResult,
    SeatView,
    SpectatorView,
    TableView,
)
from games.columns import clip_names, wrap_text
from languages import current_language

PHASES = {
    "bet": N_("betting"),
    "cast": N_("casting spells"),
    "forget": N_("a forced discard"),
    "vote": N_("a vote on refused spells"),
    "redraw": N_("discarding and drawing"),
    "over": N_("the end"),
}
_FATES = {"none": ("key", ""), "dispel": ("bad", N_(", dispelled")), "eject": ("bad", N_(", ejected"))}


def draw_board(deck: Deck, view: SeatView | SpectatorView, names: Sequence[str], width: int) -> list[StyledLine]:
    """Returns the table as lines of at most `width` columns."""
    return list(_lines(deck, view, tuple(clip_names(names, 16)), width))


def _lines(deck: Deck, view: SeatView | SpectatorView, names: tuple[str, ...], width: int) -> Iterator[StyledLine]:
    table = view.table
    known = view.you.knows if isinstance(view, SeatView) else ()
    head = _("Round {round} of {rounds}, {phase}", round=table.round, rounds=deck.rounds, phase=_(PHASES[table.phase]))
    yield from _text("title", head, width)
    yield from judge_lines(deck, table, names, width)
    for number, fighter in enumerate(table.fighters, 1):
        on_it = tuple(one for one in known if one.fighter == number)
        yield from map(list, _arena(deck, number, fighter, table.result, on_it, names, width, current_language()))
    yield from _players(deck, view, names, width)
    yield from _text(
        "dim",
        _("Spell pile {spell_pile}, judge pile {judge_pile}", spell_pile=table.spell_pile, judge_pile=table.judge_pile),
        width,
    )
    if table.discard:
        yield from map(list, discard_lines(deck, table.discard, width, current_language()))
    if isinstance(view, SeatView):
        yield from own_cards_lines(deck, view, width)


@lru_cache(4_096)
def _arena(
    deck: Deck,
    number: int,
    fighter: FighterView,
    result: tuple[RoundResult, ...],
    knows: tuple[Known, ...],
    names: tuple[str, ...],
    width: int,
    _language: str,
) -> tuple[StyledLine, ...]:
    """Returns the lines of a fighter and its spells. The result is cached, because most fighters are the same on the
    next board."""
    known = {(one.fighter, one.place): one.card for one in knows}
    head = _text(*_fighter(deck, number, fighter, result, known), width)
    return (*head, *_spells(deck, number, fighter, known, names, width))


@lru_cache(4_096)
def discard_lines(deck: Deck, discard: tuple[str, ...], width: int, _language: str) -> tuple[StyledLine, ...]:
    """Returns the lines of the discard pile. The result is cached like that of `_arena`."""
    thrown = ", ".join(
        _times(typed_spell_name(deck.spells[deck.number[name]]), count)
        for name, count in sorted(Counter(discard).items())
    )
    return (*_text("dim", _("Discarded: {thrown}", thrown=thrown), width),)


def judge_lines(deck: Deck, table: TableView, names: Sequence[str], width: int) -> Iterator[StyledLine]:
    """Yields the lines of the judge: its title first, then what it does and what lies on it."""
    judge = next(one for one in deck.judges if one.name == table.judge.name)
    yield from _text("key", _("Judge: {title}", title=_(judge.title)), width)
    yield from _text("", judge_text(judge), width, indent="  ")
    for spell in table.judge_enduring:
        title = _(deck.spells[deck.number[spell.card]].title) + _(", paid for") * spell.marked
        yield from _text(
            "", _("{title} lies on the judge ({name})", title=title, name=names[spell.by - 1]), width, indent="  "
        )
    if table.no_judgement:
        text = _("No judgement while it lies there") if table.judge_enduring else _("No judgement this round")
        yield from _text("good", text, width, indent="  ")
    if table.result:
        yield from _outcome(table, table.result[0], width)
    elif table.foul_play:
        yield from _text("", _("Foul play: a refused spell costs 2 gold"), width, indent="  ")


def _outcome(table: TableView, result: RoundResult, width: int) -> Iterator[StyledLine]:
    if text := decided_limit_text(table):
        yield from _text("key", text, width, indent="  ")
    if not result.winner:
        yield from _text("bad", _("Every fighter is ejected: nobody wins"), width, indent="  ")


def _fighter(
    deck: Deck,
    number: int,
    fighter: FighterView,
    results: tuple[RoundResult, ...],
    known: dict[tuple[int, int], str],
) -> tuple[str, str]:
    """Returns the style and text of a fighter, such as `2 Orc wins: power 2 -> 9, mana 8, ...`.

    Before the judgement, power and mana include only the spells that the seat knows, and a `?` stands for hidden ones.
    """
    title = next(_(one.title) for one in deck.fighters if one.name == fighter.name)
    undead = _(", undead") if fighter.undead else ""
    if not results:
        return "key", _(
            "{number} {title}: {sums}prize {prize}{undead}",
            number=number,
            title=title,
            sums=_sums(deck, number, fighter, known),
            prize=known_prize(deck, fighter, spell_names_on(number, fighter, known)),
            undead=undead,
        )
    (result,) = results
    own = result.fighters[number - 1]
    power = f" -> {own.power}" if own.power != fighter.power else ""
    text = _(
        "power {power}{change}, mana {mana}{undead}", power=fighter.power, change=power, mana=own.mana, undead=undead
    )
    if number == result.winner:
        dispelled = _(", dispelled") if own.verdict == "dispel" else ""
        return "good", _(
            "{number} {title} wins: {text}{dispelled}, prize {prize}",
            number=number,
            title=title,
            text=text,
            dispelled=dispelled,
            prize=result.prize,
        )
    style, fate = _FATES[own.verdict]
    return style, _("{number} {title}{fate}: {text}", number=number, title=title, fate=_(fate), text=text)


def _sums(deck: Deck, number: int, fighter: FighterView, known: dict[tuple[int, int], str]) -> str:
    if not fighter.spells:
        return _("power {power}, ", power=fighter.power)
    cards = spell_names_on(number, fighter, known)
    power, mana = known_power_and_mana(deck, fighter, cards)
    more = "?" if "" in cards else ""
    change = f" -> {power}" if power != fighter.power else ""
    return _(
        "power {power}{change}{more}, mana {mana}{more}, ", power=fighter.power, change=change, more=more, mana=mana
    )


def _spells(
    deck: Deck, number: int, fighter: FighterView, known: dict[tuple[int, int], str], names: Sequence[str], width: int
) -> Iterator[StyledLine]:
    for place, lain in enumerate(fighter.spells, 1):
        style, what = _lain(deck, number, lain, known.get((number, place)), names[lain.by - 1])
        yield from _text(style, f"{number}.{place} {what}", width, indent="  ")


def _lain(deck: Deck, number: int, lain: Lain, known: str | None, by: str) -> tuple[str, str]:
    marked = _(", paid for") if lain.marked else ""
    if isinstance(lain, Doubling):
        return "", _(
            "{title} on {number}.{on} ({by}{marked})",
            title=_(deck.spells[deck.number[lain.card]].title),
            number=number,
            on=lain.on,
            by=by,
            marked=marked,
        )
    if not isinstance(lain, HiddenSpell):
        return "", f"{_with_numbers(deck.spells[deck.number[lain.card]])} ({by}{marked})"
    if known is None:
        return "hidden", _("face down ({by}{marked})", by=by, marked=marked)
    return "you", _(
        "{with_numbers} (face down, {by}{marked})",
        with_numbers=_with_numbers(deck.spells[deck.number[known]]),
        by=by,
        marked=marked,
    )


def _with_numbers(spell: Spell) -> str:
    numbers = _("mana {mana}", mana=spell.mana) + (f", {spell.power:+d}" if spell.power else "")
    return f"{_(spell.title)} [{numbers}]" if spell.kind != "support" else _(spell.title)


def _players(deck: Deck, view: SeatView | SpectatorView, names: Sequence[str], width: int) -> Iterator[StyledLine]:
    table = view.table
    own = view.you.seat if isinstance(view, SeatView) else 0
    for player in table.players:
        mark = ">" if player.seat in table.to_move else " "
        name = names[player.seat - 1] + (_(" (you)") if player.seat == own else "")
        parts = player_text(deck, player, table.result, player.seat == table.starter, current_language())
        text = _("{mark}{seat} {name}: {parts}", mark=mark, seat=player.seat, name=name, parts=parts)
        yield from _text("you" if player.seat == own else "", text, width, after="   ")


@lru_cache(4_096)
def player_text(deck: Deck, player: PlayerView, results: tuple[RoundResult, ...], starts: bool, _language: str) -> str:
    """Returns a player's money, cards, bets and conditions as text. The result is cached like that of `_arena`."""
    shown = results[0].bets[player.seat - 1] if results and results[0].bets else None
    paid = f" (+{shown.paid})" if shown and shown.paid else ""
    parts = [
        gold_text(player.money) + paid,
        ngettext("{n} card", "{n} cards", player.hand_size),
    ]
    if shown:
        parts.append(_("bet {listed}", listed=" ".join(map(str, shown.on))))
    elif player.bets:
        parts.append(ngettext("{n} bet", "{n} bets", player.bets))
    if player.passed and not results:
        parts.append(_("passed"))
    for card, there in (("invisibility", player.unrefusable), ("prismatic_ray", player.hides_directs)):
        if there:
            parts.append(_(deck.spells[deck.number[card]].title) + _paid(player, card))
    if starts:
        parts.append(_("began"))
    return ", ".join(parts)


def _paid(player: PlayerView, card: str) -> str:
    return _(" (paid for)") if any(spell.card == card and spell.marked for spell in player.enduring) else ""


def own_cards_lines(deck: Deck, view: SeatView, width: int) -> Iterator[StyledLine]:
    """Yields the lines with the bets and the hand of the view's seat."""
    if view.you.bet and not (view.table.result and view.table.result[0].bets):
        yield from _text("you", _("Bet: {listed}", listed=" ".join(map(str, view.you.bet))), width)
    yield from map(list, _hand(deck, view.you.hand, width, current_language()))


@lru_cache(4_096)
def _hand(deck: Deck, hand: tuple[str, ...], width: int, _language: str) -> tuple[StyledLine, ...]:
    """Returns the lines of a hand. The result is cached like that of `_arena`."""
    lines = [*_text("title", _("Hand:") if hand else _("Hand: empty"), width)]
    for name, count in Counter(hand).items():
        spell = deck.spells[deck.number[name]]
        forbidden = _(" Forbidden") if spell.forbidden else ""
        mana = _(", mana {mana}", mana=spell.mana) if spell.kind != "support" else ""
        text = _(
            "{card}: {kind}{forbidden}{mana}. {text}",
            card=_times(typed_spell_name(spell), count),
            kind=_(spell.kind.capitalize()),
            forbidden=forbidden,
            mana=mana,
            text=_(spell.text),
        )
        lines += _text("", text, width, indent="  ", after="    ")
    return tuple(lines)


def _times(name: str, count: int) -> str:
    return _("{name} x{count}", name=name, count=count) if count > 1 else name


def _text(style: str, text: str, width: int, *, indent: str = "", after: str = "") -> Iterator[StyledLine]:
    """Yields the text as lines of at most `width` columns. All lines but the first are indented further."""
    later = after or indent + "  "
    for line in wrap_text(text, width, indent, later):
        yield [(style, line)]
