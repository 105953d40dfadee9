"""The table in few lines: what a decision needs, each fighter's sums as far as they are known, and one's hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import prod

from games.api import Line, Span
from games.cheaty_mages.cards import called, judge_text
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.language import N_, _, ngettext
from games.cheaty_mages.truth import FOUL_PRICE
from games.cheaty_mages.views import (
    Doubling,
    FighterView,
    HiddenSpell,
    LimitKnown,
    LimitToCome,
    PlayerView,
    SeatView,
    SpectatorView,
    Table,
)
from games.columns import clip, clip_marked, clip_name, columns_of, joined, wrapped
from languages import ENGLISH, language

NARROW = 60  # columns; with fewer, words become letters
_FATES = {"dispel": N_(" dispelled"), "eject": N_(" ejected"), "none": ""}
_LETTERS = {"direct": N_("D"), "enchant": N_("E"), "support": N_("S")}
_FEW = {"invisibility": N_("Inv"), "prismatic_ray": N_("Ray")}
PHASES = {
    "bet": N_("betting"),
    "cast": N_("casting"),
    "forget": N_("discarding"),
    "vote": N_("voting"),
    "redraw": N_("drawing"),
    "over": N_("the end"),
}


def draw_short(deck: Deck, view: SeatView | SpectatorView, names: Sequence[str], width: int, detail: int) -> list[Line]:
    """Lines of at most `width` columns. `detail`: 3 says what the cards without power do, 2 who cast what, 1 what
    lies where, 0 only how many spells, -1 leaves out the figures of one's cards, too."""
    return list(_lines(deck, view, names, width, detail))


def _lines(deck: Deck, view: SeatView | SpectatorView, names: Sequence[str], width: int, detail: int) -> Iterator[Line]:
    table = view.table
    known = {(one.fighter, one.place): one.card for one in view.you.knows} if isinstance(view, SeatView) else {}
    judge = next(one for one in deck.judges if one.name == table.judge.name)
    judged_by = _(judge.title).partition(",")[0]
    head = _(
        "Round {round} of {rounds}, {phase}. Judge: {judged_by}.",
        round=table.round,
        rounds=deck.rounds,
        phase=_(PHASES[table.phase]),
        judged_by=judged_by,
    )
    says = _no_judgement(deck, table, names) if table.no_judgement else judge_text(judge, short=detail < 2)
    says = decided(table) or says
    if detail < 2:
        head = _(
            "R{round}/{rounds} {phase}. {judged_by}:",
            round=table.round,
            rounds=deck.rounds,
            phase=_(PHASES[table.phase]),
            judged_by=judged_by,
        )
    rows = wrapped(f"{head} {says}", width, "", "  ")
    sale = _(" Foul play: {price}g.", price=FOUL_PRICE) if table.foul_play and not table.result else ""
    if columns_of(rows[-1] + sale) <= width:
        rows[-1] += sale
    for number, row in enumerate(rows):
        yield [("" if number else "title", row)]
    for number, fighter in enumerate(table.fighters, 1):
        yield from _fighter(deck, number, fighter, table, known, names, width, detail)
    letters = 4 if detail < 0 else 10 if width < NARROW else 14  # `greedy:hard-2` is a name
    yield from _players(deck, view, names, width, letters)
    if isinstance(view, SeatView):
        yield from _own(deck, view, width, detail)


def decided(table: Table) -> str:
    """The limit that a revealed spell gave; "" where none did."""
    limits = [result.limit for result in table.result if isinstance(table.judge.limit, LimitToCome)]
    return "".join(
        _("Decided: above {limit} mana: {verdict}", limit=limit.limit, verdict=_(limit.verdict))
        for limit in limits
        if isinstance(limit, LimitKnown)
    )


def _no_judgement(deck: Deck, table: Table, names: Sequence[str]) -> str:
    if not table.judge_enduring:
        return _("No judgement this round.")
    (spell,) = table.judge_enduring
    by = clip_name(names[spell.by - 1], 10) + _(", paid") * spell.marked
    return _("No judgement while {title} ({by}) lies on the judge.", title=_title(deck, spell.card), by=by)


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
    title = next(_(one.title) for one in deck.fighters if one.name == fighter.name)
    cards = cards_on(number, fighter, known)
    if table.result:
        own = table.result[0].fighters[number - 1]
        power, mana, open_ = own.power, own.mana, ""
        won = number == table.result[0].winner
        style, fate = (
            ("good", _(" wins")) if won else ("bad", _(_FATES[own.verdict])) if own.verdict != "none" else ("key", "")
        )
    else:
        power, mana = known_sums(deck, fighter, cards)
        open_ = "?" if "" in cards else ""
        style, fate = "key", ""
    limit = table.result[0].limit if table.result else table.judge.limit
    most = limit.limit if isinstance(limit, LimitKnown) and not table.no_judgement else None
    against = _(" of {limit}", limit=most) if most is not None else ""
    changed = f" -> {power}" if power != fighter.power else ""
    if not table.result and most is not None and mana > most:
        style = "bad"
    undead = _(", undead") if fighter.undead else ""
    text = _(
        "{number} {title}{fate}: power {power}{changed}{open}, mana {mana}{open}{against}",
        number=number,
        title=title,
        fate=fate,
        power=fighter.power,
        changed=changed,
        open=open_,
        mana=mana,
        against=against,
    )
    paid = sum(lain.marked for lain in fighter.spells) if detail < 1 else 0
    count = ngettext(", {n} spell", ", {n} spells", len(cards)) if cards and detail < 1 else ""
    count += _(", {paid} paid", paid=paid) if paid else ""
    prize = known_prize(deck, fighter, cards)
    text += _(", prize {prize}{undead}{count}", prize=prize, undead=undead, count=count)
    if columns_of(text) > width or (width < NARROW and detail < 1):
        change = f"{fighter.power}{changed.replace(' ', '')}{open_}"
        numbers = f"{change} m{mana}{open_}{f'/{most}' if most is not None else ''} ${prize}"
        numbers += _(" undead") if fighter.undead else ""
        numbers += _(" {cards}sp", cards=len(cards)) if count else ""
        numbers += _(" {paid}pd", paid=paid) if paid else ""
        text = f"{number} {clip(title, width - columns_of(numbers) - len(fate) - 3)}{fate} {numbers}"
    yield [(style, clip(text, width))]
    if detail < 1:
        return
    parts: list[Span] = []
    for place, (card, lain) in enumerate(zip(cards, fighter.spells, strict=True), 1):
        what = _title(deck, card) if card else _("face down")
        what += _(" on {on}", on=lain.on) if isinstance(lain, Doubling) else ""
        by = names[lain.by - 1] + _(", paid") * lain.marked if detail > 1 else _("paid") * lain.marked
        style = ("you" if card else "hidden") if isinstance(lain, HiddenSpell) else ""
        parts.append((style, f"{number}.{place} {what}" + (f" ({by})" if by else "")))
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


def known_prize(deck: Deck, fighter: FighterView, cards: Sequence[str]) -> int:
    """The prize of a fighter with the spells that are known; `cards` as in known_sums."""
    return fighter.prize * prod(deck.spells[deck.number[card]].prize_times for card in cards if card)


def _players(
    deck: Deck, view: SeatView | SpectatorView, names: Sequence[str], width: int, letters: int
) -> Iterator[Line]:
    """Each with as much of the name as that."""
    own = view.you.seat if isinstance(view, SeatView) else 0
    table = view.table
    parts = []
    for player in table.players:
        mark = ">" if player.seat in table.to_move else " "
        style = "you" if player.seat == own else ""
        name = clip_name(names[player.seat - 1], letters)
        parts.append((style, f"{mark}{player.seat} {name} {_figures(deck, player, table, letters)}"))
    yield from joined(parts, width, "  " if letters >= 10 else " ", "")


def _figures(deck: Deck, player: PlayerView, table: Table, letters: int) -> str:
    parts = [_("{money}g {hand_size}c", money=player.money, hand_size=player.hand_size)]
    if table.result and table.result[0].bets:
        bet = table.result[0].bets[player.seat - 1]
        parts.append(_("bet {listed}", listed=" ".join(map(str, bet.on))) + (f" +{bet.paid}" if bet.paid else ""))
    elif player.bets:
        parts.append(_("{bets}b", bets=player.bets))
    if player.passed and not table.result:
        parts.append(_("p") if letters < 10 else _("passed"))
    for card, there in (("invisibility", player.unrefusable), ("prismatic_ray", player.hides_directs)):
        if there:
            marked = any(spell.card == card and spell.marked for spell in player.enduring)
            parts.append((_(_FEW[card]) if letters < 10 else _word(deck, card)) + _(" pd") * marked)
    return " ".join(parts)


def _own(deck: Deck, view: SeatView, width: int, detail: int) -> Iterator[Line]:
    bet = _("Your bet: {listed}. ", listed=" ".join(map(str, view.you.bet))) if view.you.bet else ""
    parts: list[Span] = []
    for name, count in Counter(view.you.hand).items():
        spell = deck.spells[deck.number[name]]
        times = _(" x{count}", count=count) if count > 1 else ""
        if detail < 1:
            mana = _(" m{mana}", mana=spell.mana) if spell.kind != "support" else ""
            figures = mana + (f"{spell.power:+d}" if spell.power else "")
            parts.append(("", f"{called(spell)}{times}" + figures * (detail == 0)))
            continue
        numbers = [_("m{mana}", mana=spell.mana)] if spell.kind != "support" else []
        numbers += [f"{spell.power:+d}"] if spell.power else []
        numbers += [_("Forbidden")] if spell.forbidden else []
        parts.append(
            (
                "",
                f"{called(spell)}{times}" + (f" [{_(_LETTERS[spell.kind])} {' '.join(numbers)}]" if numbers else ""),
            )
        )
    (style, first), *others = parts or [("", _("empty"))]
    hand = _("{bet}Hand: {first}", bet=bet, first=first)
    if columns_of(hand) < width:
        parts = [(style or "you", hand), *others]
    else:  # no card's name is cut: it has to be typed
        yield [("you", _("{bet}Hand: {first}", bet=bet, first="").rstrip())]
    yield from joined(parts, width, "  " if detail > 0 else ", ", " ")
    for name in dict.fromkeys(view.you.hand) if detail > 2 else ():
        spell = deck.spells[deck.number[name]]
        if not spell.power:
            yield [("", clip_marked(f"  {called(spell)}" + _(": {text}", text=_(spell.text)), width))]


def _title(deck: Deck, card: str) -> str:
    return _(deck.spells[deck.number[card]].title)


def _word(deck: Deck, card: str) -> str:
    return card.replace("_", " ").capitalize() if language() == ENGLISH else _title(deck, card)
