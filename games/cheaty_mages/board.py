"""The table drawn as lines of text: round, judge, fighters with what lies on them, players, and what is one's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from games.api import Line
from games.cheaty_mages.cards import Spell, judge_text
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.short import cards_on, known_sums
from games.cheaty_mages.views import (
    Doubling,
    FighterView,
    HiddenSpell,
    JudgeView,
    Lain,
    LimitKnown,
    LimitToCome,
    PlayerView,
    RoundResult,
    SeatView,
    SpectatorView,
    Table,
)
from games.columns import clip, wrapped

_PHASES = {
    "bet": "betting",
    "cast": "casting spells",
    "forget": "a forced discard",
    "redraw": "discarding and drawing",
    "over": "the end",
}
_FATES = {"none": ("key", ""), "dispel": ("bad", ", dispelled"), "eject": ("bad", ", ejected")}


def draw_board(deck: Deck, view: SeatView | SpectatorView, names: Sequence[str], width: int) -> list[Line]:
    """Lines of at most `width` columns."""
    return list(_lines(deck, view, [clip(name, 16) for name in names], width))


def _lines(deck: Deck, view: SeatView | SpectatorView, names: Sequence[str], width: int) -> Iterator[Line]:
    table = view.table
    known = {}
    if isinstance(view, SeatView):
        known = {(one.fighter, one.place): one.card for one in view.you.knows}
    yield from _text("title", f"Round {table.round} of 3, {_PHASES[table.phase]}", width)
    yield from _judge(deck, table, names, width)
    for number, fighter in enumerate(table.fighters, 1):
        yield from _text(*_fighter(deck, number, fighter, table, known), width)
        yield from _spells(deck, number, fighter, known, names, width)
    yield from _players(deck, view, names, width)
    yield from _text("dim", f"Spell pile {table.spell_pile}, judge pile {table.judge_pile}", width)
    if table.discard:
        thrown = ", ".join(_times(name, count) for name, count in sorted(Counter(table.discard).items()))
        yield from _text("dim", f"Discarded: {thrown}", width)
    if isinstance(view, SeatView):
        yield from _own(deck, view, width)


def _judge(deck: Deck, table: Table, names: Sequence[str], width: int) -> Iterator[Line]:
    judge = next(one for one in deck.judges if one.name == table.judge.name)
    yield from _text("key", f"Judge: {judge.title}", width)
    yield from _text("", judge_text(judge), width, indent="  ")
    for spell in table.judge_enduring:
        title = deck.spells[deck.number[spell.card]].title + ", paid for" * spell.marked
        yield from _text("", f"{title} lies on the judge ({names[spell.by - 1]})", width, indent="  ")
    if table.no_judgement:
        yield from _text("good", "No judgement this round", width, indent="  ")
    if table.result:
        yield from _outcome(table.judge, table.result[0], width)
    elif table.foul_play:
        yield from _text("", "Foul play: a refused spell costs 2 gold", width, indent="  ")


def _outcome(judge: JudgeView, result: RoundResult, width: int) -> Iterator[Line]:
    if isinstance(result.limit, LimitKnown) and isinstance(judge.limit, LimitToCome):
        text = f"Decided: above {result.limit.limit} mana: {result.limit.verdict}"
        yield from _text("key", text, width, indent="  ")
    if not result.winner:
        yield from _text("bad", "Every fighter is ejected: nobody wins", width, indent="  ")


def _fighter(
    deck: Deck, number: int, fighter: FighterView, table: Table, known: dict[tuple[int, int], str]
) -> tuple[str, str]:
    """Before the judgement its sums as far as they are known, a `?` where hidden spells will add to them; after it what
    became of it: `2 Orc wins: power 2 -> 9, mana 8, ...`."""
    title = next(one.title for one in deck.fighters if one.name == fighter.name)
    undead = ", undead" if fighter.undead else ""
    if not table.result:
        return "key", f"{number} {title}: {_sums(deck, number, fighter, known)}prize {fighter.prize}{undead}"
    (result,) = table.result
    own = result.fighters[number - 1]
    power = f" -> {own.power}" if own.power != fighter.power else ""
    text = f"power {fighter.power}{power}, mana {own.mana}{undead}"
    if number == result.winner:
        dispelled = ", dispelled" if own.verdict == "dispel" else ""
        return "good", f"{number} {title} wins: {text}{dispelled}, prize {result.prize}"
    style, fate = _FATES[own.verdict]
    return style, f"{number} {title}{fate}: {text}"


def _sums(deck: Deck, number: int, fighter: FighterView, known: dict[tuple[int, int], str]) -> str:
    if not fighter.spells:
        return f"power {fighter.power}, "
    cards = cards_on(number, fighter, known)
    power, mana = known_sums(deck, fighter, cards)
    more = "?" if "" in cards else ""
    change = f" -> {power}" if power != fighter.power else ""
    return f"power {fighter.power}{change}{more}, mana {mana}{more}, "


def _spells(
    deck: Deck, number: int, fighter: FighterView, known: dict[tuple[int, int], str], names: Sequence[str], width: int
) -> Iterator[Line]:
    for place, lain in enumerate(fighter.spells, 1):
        style, what = _lain(deck, number, lain, known.get((number, place)), names[lain.by - 1])
        yield from _text(style, f"{number}.{place} {what}", width, indent="  ")


def _lain(deck: Deck, number: int, lain: Lain, known: str | None, by: str) -> tuple[str, str]:
    marked = ", paid for" if lain.marked else ""
    if isinstance(lain, Doubling):
        return "", f"{deck.spells[deck.number[lain.card]].title} on {number}.{lain.on} ({by}{marked})"
    if not isinstance(lain, HiddenSpell):
        return "", f"{_with_numbers(deck.spells[deck.number[lain.card]])} ({by}{marked})"
    if known is None:
        return "hidden", f"face down ({by}{marked})"
    return "you", f"{_with_numbers(deck.spells[deck.number[known]])} (face down, {by}{marked})"


def _with_numbers(spell: Spell) -> str:
    numbers = f"mana {spell.mana}" + (f", {spell.power:+d}" if spell.power else "")
    return f"{spell.title} [{numbers}]" if spell.kind != "support" else spell.title


def _players(deck: Deck, view: SeatView | SpectatorView, names: Sequence[str], width: int) -> Iterator[Line]:
    table = view.table
    own = view.you.seat if isinstance(view, SeatView) else 0
    for player in table.players:
        shown = table.result[0].bets[player.seat - 1] if table.result and table.result[0].bets else None
        paid = f" (+{shown.paid})" if shown and shown.paid else ""
        parts = [f"{player.money} gold{paid}", _count(player.hand_size, "card")]
        if shown:
            parts.append(f"bet {' '.join(map(str, shown.on))}")
        elif player.bets:
            parts.append(_count(player.bets, "bet"))
        if player.passed and not table.result:
            parts.append("passed")
        if player.unrefusable:
            parts.append("Invisibility" + _paid(player, "invisibility"))
        if player.hides_directs:
            parts.append("Prismatic Ray" + _paid(player, "prismatic_ray"))
        if player.seat == table.starter:
            parts.append("began")
        mark = ">" if player.seat in table.to_move else " "
        name = names[player.seat - 1] + (" (you)" if player.seat == own else "")
        text = f"{mark}{player.seat} {name}: {', '.join(parts)}"
        yield from _text("you" if player.seat == own else "", text, width, after="   ")


def _paid(player: PlayerView, card: str) -> str:
    return " (paid for)" if any(spell.card == card and spell.marked for spell in player.enduring) else ""


def _own(deck: Deck, view: SeatView, width: int) -> Iterator[Line]:
    if view.you.bet and not (view.table.result and view.table.result[0].bets):
        yield from _text("you", f"Your bet: {' '.join(map(str, view.you.bet))}", width)
    yield from _text("title", "Your hand" if view.you.hand else "Your hand is empty", width)
    for name, count in Counter(view.you.hand).items():
        spell = deck.spells[deck.number[name]]
        forbidden = " Forbidden" if spell.forbidden else ""
        mana = f", mana {spell.mana}" if spell.kind != "support" else ""
        text = f"{_times(name, count)}: {spell.kind.capitalize()}{forbidden}{mana}. {spell.text}"
        yield from _text("", text, width, indent="  ", after="    ")


def _times(name: str, count: int) -> str:
    return f"{name} x{count}" if count > 1 else name


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + "s" * (number != 1)


def _text(style: str, text: str, width: int, *, indent: str = "", after: str = "") -> Iterator[Line]:
    """The text in as many lines as it needs; later lines stand further in."""
    later = after or indent + "  "
    for line in wrapped(text, width, indent, later):
        yield [(style, line)]
