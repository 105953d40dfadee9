"""The table in few lines: what a decision needs, each fighter's sums as far as they are known, and one's hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from games.api import Line, Span
from games.cheaty_mages.cards import judge_text
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.views import (
    Doubling,
    FighterView,
    HiddenSpell,
    LimitKnown,
    PlayerView,
    SeatView,
    SpectatorView,
    Table,
)
from games.columns import clip, columns_of, joined, wrapped

NARROW = 60  # columns; with fewer, words become letters
_FATES = {"dispel": " dispelled", "eject": " ejected", "none": ""}
PHASES = {"bet": "betting", "cast": "casting", "forget": "discarding", "redraw": "drawing", "over": "the end"}


def draw_short(deck: Deck, view: SeatView | SpectatorView, names: Sequence[str], width: int, detail: int) -> list[Line]:
    """Lines of at most `width` columns. `detail`: 2 says who cast what, 1 what lies where, 0 only how many spells, -1
    leaves out the figures of one's cards, too."""
    return list(_lines(deck, view, names, width, detail))


def _lines(deck: Deck, view: SeatView | SpectatorView, names: Sequence[str], width: int, detail: int) -> Iterator[Line]:
    table = view.table
    known = {(one.fighter, one.place): one.card for one in view.you.knows} if isinstance(view, SeatView) else {}
    judge = next(one for one in deck.judges if one.name == table.judge.name)
    judged_by = judge.title.partition(",")[0]
    head = f"Round {table.round} of 3, {PHASES[table.phase]}. Judge: {judged_by}."
    says = "No judgement this round." if table.no_judgement else judge_text(judge)
    if detail < 2:
        head = f"R{table.round}/3 {PHASES[table.phase]}. {judged_by}:"
        says = (
            says.replace(" spells.", ".").replace(" mana:", ":").replace("A spell revealed at the judgement", "Reveal")
        )
    for number, row in enumerate(wrapped(f"{head} {says}", width, "", "  ")):
        yield [("" if number else "title", row)]
    for spell in table.judge_enduring:
        yield [("", clip(f"  on the judge: {_title(deck, spell.card)} ({names[spell.by - 1]})", width))]
    for number, fighter in enumerate(table.fighters, 1):
        yield from _fighter(deck, number, fighter, table, known, names, width, detail)
    yield from _players(view, names, width, 10 if detail >= 0 else 4)
    if isinstance(view, SeatView):
        yield from _own(deck, view, width, detail)


def _fighter(
    deck: Deck,
    number: int,
    fighter: FighterView,
    table: Table,
    known: dict[tuple[int, int], str],
    names: Sequence[str],
    width: int,
    detail: int,
) -> Iterator[Line]:
    """`3 Goblin: power 1 -> 6, mana 4 of 10, prize 10`; a `?` stands behind sums to which hidden spells will add."""
    title = next(one.title for one in deck.fighters if one.name == fighter.name)
    cards = cards_on(number, fighter, known)
    if table.result:
        own = table.result[0].fighters[number - 1]
        power, mana, open_ = own.power, own.mana, ""
        won = number == table.result[0].winner
        style, fate = (
            ("good", " wins") if won else ("bad", _FATES[own.verdict]) if own.verdict != "none" else ("key", "")
        )
    else:
        power, mana = known_sums(deck, fighter, cards)
        open_ = "?" if "" in cards else ""
        style, fate = "key", ""
    limit = table.judge.limit
    against = f" of {limit.limit}" if isinstance(limit, LimitKnown) and not table.no_judgement else ""
    changed = f" -> {power}" if power != fighter.power else ""
    if not table.result and against and mana > limit.limit:  # type: ignore[union-attr]
        style = "bad"
    undead = ", undead" if fighter.undead else ""
    text = f"{number} {title}{fate}: power {fighter.power}{changed}{open_}, mana {mana}{open_}{against}"
    count = f", {len(cards)} spell{'s' * (len(cards) > 1)}" if cards and detail < 1 else ""
    text += f", prize {fighter.prize}{undead}{count}"
    if columns_of(text) > width or (width < NARROW and detail < 1):
        change = f"{fighter.power}{changed.replace(' ', '')}{open_}"
        numbers = f"{change} m{mana}{open_}{against.replace(' of ', '/')} ${fighter.prize}"
        numbers += " undead" if fighter.undead else ""
        numbers += f" {len(cards)}sp" if count else ""
        text = f"{number} {clip(title, width - columns_of(numbers) - len(fate) - 3)}{fate} {numbers}"
    yield [(style, clip(text, width))]
    if detail < 1:
        return
    parts: list[Span] = []
    for place, (card, lain) in enumerate(zip(cards, fighter.spells, strict=True), 1):
        what = _title(deck, card) if card else "face down"
        doubles = f" on {lain.on}" if isinstance(lain, Doubling) else ""
        by = "" if detail < 2 else f" ({names[lain.by - 1]})"
        hidden = isinstance(lain, HiddenSpell)
        parts.append(
            ("you" if hidden and card else "hidden" if hidden else "", f"{number}.{place} {what}{doubles}{by}")
        )
    yield from ([("", "  "), *row] for row in joined(parts, width - 2, indent=""))


def cards_on(number: int, fighter: FighterView, known: dict[tuple[int, int], str]) -> list[str]:
    """The names of the spells on a fighter, "" for a hidden one."""
    return [known.get((number, place), getattr(lain, "card", "")) for place, lain in enumerate(fighter.spells, 1)]


def known_sums(deck: Deck, fighter: FighterView, cards: Sequence[str]) -> tuple[int, int]:
    """Power and mana of a fighter with the spells that are known; `cards` are their names, "" for a hidden one."""
    doubled = Counter(lain.on for lain in fighter.spells if isinstance(lain, Doubling))
    change = mana = 0
    for place, card in enumerate(cards, 1):
        if card:
            spell = deck.spells[deck.number[card]]
            change += spell.power << doubled[place]
            mana += spell.mana
    return fighter.power - change if fighter.undead else fighter.power + change, mana


def _players(view: SeatView | SpectatorView, names: Sequence[str], width: int, letters: int) -> Iterator[Line]:
    """Each with as much of the name as that."""
    own = view.you.seat if isinstance(view, SeatView) else 0
    table = view.table
    parts = []
    for player in table.players:
        mark = ">" if player.seat in table.to_move else " "
        style = "you" if player.seat == own else ""
        parts.append(
            (style, f"{mark}{player.seat} {clip(names[player.seat - 1], letters)} {_figures(player, table, letters)}")
        )
    yield from joined(parts, width, "  " if letters > 4 else " ", "")


def _figures(player: PlayerView, table: Table, letters: int) -> str:
    parts = [f"{player.money}g {player.hand_size}c"]
    if table.result and table.result[0].bets:
        bet = table.result[0].bets[player.seat - 1]
        parts.append(f"bet {' '.join(map(str, bet.on))}" + (f" +{bet.paid}" if bet.paid else ""))
    elif player.bets:
        parts.append(f"{player.bets}b")
    if player.passed and not table.result:
        parts.append("passed"[: 1 if letters < 10 else None])
    parts += [_word(spell.card) for spell in player.enduring]
    return " ".join(parts)


def _own(deck: Deck, view: SeatView, width: int, detail: int) -> Iterator[Line]:
    bet = f"Your bet: {' '.join(map(str, view.you.bet))}. " if view.you.bet else ""
    parts: list[Span] = []
    for name, count in Counter(view.you.hand).items():
        spell = deck.spells[deck.number[name]]
        times = f" x{count}" if count > 1 else ""
        if detail < 1:
            mana = f" m{spell.mana}" if spell.kind != "support" else ""
            figures = mana + (f"{spell.power:+d}" if spell.power else "")
            parts.append(("", f"{name}{times}" + figures * (detail == 0)))
            continue
        numbers = [f"m{spell.mana}"] if spell.kind != "support" else []
        numbers += [f"{spell.power:+d}"] if spell.power else []
        numbers += ["Forbidden"] if spell.forbidden else []
        parts.append(("", f"{name}{times}" + (f" [{spell.kind[0].upper()} {' '.join(numbers)}]" if numbers else "")))
    (style, first), *others = parts or [("", "empty")]
    if columns_of(f"{bet}Hand: {first}") < width:
        parts = [(style or "you", f"{bet}Hand: {first}"), *others]
    else:  # no card's name is cut: it has to be typed
        yield [("you", f"{bet}Hand:")]
    yield from joined(parts, width, "  " if detail > 0 else ", ", " ")


def _title(deck: Deck, card: str) -> str:
    return deck.spells[deck.number[card]].title


def _word(card: str) -> str:
    return card.replace("_", " ").capitalize()
