"""Draws the race in few lines: each mage with its figures, the current spell, and the hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.api import Span, StyledLine
from games.columns import clip_names, clip_text, pack_spans, pad_text, text_columns, wrap_text
from games.mages_110m import views
from games.mages_110m.board import (
    answer_lines,
    condition_texts,
    current_spell_text,
    king_lines,
    lane_line,
    title_line,
    typed_card_name,
)
from games.mages_110m.card_texts import card_title, rule_text
from games.mages_110m.cards import ARM, LEG, CardKind, Deck
from games.mages_110m.language import N_, _
from languages import ENGLISH, current_language

LANE_WIDTH = 70  # the number of columns from which lanes are drawn
LABEL = 9  # the smallest number of columns for a seat and its name
DETAILS = range(6, -1, -1)  # the levels of detail, the longest drawing first
WHOLE = 6  # how many levels of DETAILS, from the first on, show everything that a decision needs
WORDS = (N_("arms"), N_("legs"), N_("endurance"), N_("power"), N_("reserve"), N_("cards"), N_("CVs"))
SHORT = (N_("arms"), N_("legs"), N_("end"), N_("pow"), N_("res"), N_("cards"), N_("CVs"))
SIGNS = (N_("ar"), N_("le"), N_("en"), N_("po"), N_("re"), N_("ca"), N_("CV"))
LEGEND = N_(
    """\
@ is the mage, # a hurdle, | the line; 4/11 #5: on square 4 of 11, the next hurdle is behind square 5
ar arms, le legs, en (end) endurance, po (pow) power, re (res) reserve, ca cards in hand, CV (CVs) CVs in front
Snail Post 2: a lasting spell with 2 counters"""
)


def legend_text() -> str:
    return _(LEGEND)


def draw_compact(race: views.Race, names: Sequence[str], width: int, deck: Deck, detail: int) -> list[StyledLine]:
    """Returns the race as lines of at most `width` columns. A smaller `detail` needs fewer lines.

    Level 6 explains the signs. Level 5 has the texts of all cards in the hand, level 4 only of playable ones. Both list
    the conditions and lasting spells of a mage below it; level 3 lists those of all mages at the end. Level 2 leaves
    out card titles that people do not type. Level 1 leaves out the list at the end. Level 0 has this list, but no card
    texts.
    """
    return list(_lines(race, names, width, deck, detail))


def _lines(race: views.Race, names: Sequence[str], width: int, deck: Deck, detail: int) -> Iterator[StyledLine]:
    titles = {kind.name: card_title(kind) for kind in deck.kinds}
    yield [("title", clip_text(title_line(race, names), width))]
    for spell in race.spell:
        said = current_spell_text(spell, names, titles) + _(
            ": {text}", text=rule_text(deck.kinds[deck.index[spell.card]])
        )
        yield from ([("key", row)] for row in wrap_text(said, width, "", "  ")[: None if detail else 2])
    yield from king_lines(race, names, width)
    header, *rows = _mages(race, names, width)
    yield header
    for mage, row in zip(race.mages, rows, strict=True):
        yield row
        if detail > 3:
            told = [("dim", note) for note in condition_texts(mage, titles)]
            yield from ([("dim", "  "), *note] for note in pack_spans(told, width - 2, indent=""))
    if isinstance(race, views.SeatRace):
        yield from _hand(race, width, deck, titles, detail)
    if detail in (3, 2, 0):
        told = [
            ("dim", note if place else f"{mage.seat}" + _(": {text}", text=note))
            for mage in race.mages
            for place, note in enumerate(condition_texts(mage, titles))
        ]
        yield from pack_spans(told, width, _("; "))
    if detail > 5:
        yield from ([("dim", row)] for line in legend_text().split("\n") for row in wrap_text(line, width, "", "  "))


def _mages(race: views.Race, names: Sequence[str], width: int) -> Iterator[StyledLine]:
    """Yields a heading for the figures, then a row for each mage: its name, its lane or square, and its figures. Names
    get the columns that remain."""
    me = race.seat if isinstance(race, views.SeatRace) else 0
    over = any(mage.square > race.squares for mage in race.mages)  # such a mage stands behind the finish line
    road = 2 * race.squares + 1 + over if width >= LANE_WIDTH else 0  # the columns of a lane; 0 without lanes
    places = [_place(race, mage) for mage in race.mages]
    way = road or max(map(text_columns, places))
    wanted = min(max(map(text_columns, names)), 16) + len(">1  ")
    heads = next(
        (
            tuple(map(_, words))
            for words in (WORDS, SHORT, SIGNS)
            if wanted + way + _wide(tuple(map(_, words))) <= width
        ),
        tuple(map(_, SIGNS)),
    )
    label = max(LABEL, min(wanted, width - way - _wide(heads)))
    yield [("dim", " " * (label + way) + "".join(f" {word}" for word in heads))]
    shown = clip_names(names, label - len(">1  "))
    for mage, place in zip(race.mages, places, strict=True):
        style = "you" if mage.seat == me else ""
        mark = ">" if mage.seat in race.to_move else " "
        figures = zip(heads, figures_of(mage), strict=True)
        table = "".join(f" {figure:>{text_columns(word)}}" for word, figure in figures)
        drawn: StyledLine = lane_line(race.squares, mage, 2, style) if road else [(style, pad_text(place, way))]
        drawn += [("", " ")] * (over and bool(road) and mage.square <= race.squares)
        yield [
            (style, pad_text(f"{mark}{mage.seat} {shown[mage.seat - 1]}", label)),
            *drawn,
            ("" if road else style, table),
        ]


def _wide(heads: Sequence[str]) -> int:
    return sum(map(text_columns, heads)) + len(heads)


def figures_of(mage: views.MageView) -> tuple[int, ...]:
    """Returns the figures in the order of WORDS."""
    return mage.arms, mage.legs, mage.endurance, mage.power, mage.reserve, mage.hand_size, len(mage.cvs)


def _place(race: views.Race, mage: views.MageView) -> str:
    """Returns the square of a mage and its nearest hurdle, such as `4/11 #5`."""
    return f"{mage.square}/{race.squares}" + (f" #{min(mage.hurdles)}" if mage.hurdles else "")


def is_playable(kind: CardKind, race: views.SeatRace, deck: Deck) -> bool:
    """Returns whether the view's seat can play a card of its hand now. Only the kind of card and the mage's limbs
    count."""
    mage = race.mages[race.seat - 1]
    if race.phase in ("price", "limit"):
        return True
    if kind.needs & ((0 if mage.arms else ARM) | (0 if mage.legs else LEG)):
        return False
    if race.phase != "answer":
        return kind.is_spell
    attacks = any(deck.kinds[deck.index[spell.card]].is_attack for spell in race.spell)
    return kind.is_counter and (attacks or not kind.only_attacks)


def _hand(race: views.SeatRace, width: int, deck: Deck, titles: Mapping[str, str], detail: int) -> Iterator[StyledLine]:
    yield from answer_lines(race, titles, width)
    places: dict[str, list[str]] = {}
    for place, card in enumerate(race.hand, 1):
        places.setdefault(card, []).append(str(place))
    untold: list[Span] = []
    for card, there in places.items():
        kind = deck.kinds[deck.index[card]]
        dim = "" if is_playable(kind, race, deck) else "dim"
        if not (detail > 4 or (detail > 0 and not dim)):
            name = titles[card] if current_language() != ENGLISH else card
            untold += [(dim or "you", f"{place} {name}") for place in there]
            continue
        known_as = typed_card_name(card, card_title(kind))
        name = f"{' '.join(there)} {known_as if detail > 2 else known_as.partition(' - ')[0]}"
        first, *more = wrap_text(name + _(": {text}", text=rule_text(kind)), width, "", "    ")
        at = len(name) if first.startswith(name) else len(first)
        yield [(dim or "you", first[:at]), (dim, first[at:])]
        yield from ([(dim, row)] for row in more)
    if untold or not places:
        told = len(untold) < len(race.hand)
        heading = _("Hand: empty") if not places else _("Not now:") if told else _("Hand:")
        yield from pack_spans([("title", heading), *untold], width, " ")
