"""Draws the race as text: one lane with hurdles for each mage, and the hand below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from games.api import StyledLine
from games.columns import clip_text, pad_text, text_columns, wrap_text
from games.mages_110m import views
from games.mages_110m.card_texts import card_title, rule_text
from games.mages_110m.cards import Deck
from games.mages_110m.language import _
from languages import ENGLISH, current_language

PIECE, FLAT, HURDLE, LINE = "@", ".", "#", "|"


def draw_board(race: views.Race, names: Sequence[str], width: int, deck: Deck) -> list[StyledLine]:
    """Returns the lines of the race: the lanes of all mages with their figures, the current spell, the discard pile and
    the hand."""
    me = race.seat if isinstance(race, views.SeatRace) else 0
    titles = titles_by_name(deck)
    lines: list[StyledLine] = [[("title", clip_text(title_line(race, names), width))]]
    widest = max(map(text_columns, names))
    # The label is cut rather than the lane.
    label_width = 8 if width < 60 else min(max(14, widest + 4), width - 2 - 4 * race.squares)
    for mage in race.mages:
        lines += _mage(race, mage, names[mage.seat - 1], width, label_width, mage.seat == me, titles)
    for spell in race.spell:
        lines.append([("key", clip_text(current_spell_text(spell, names, titles), width))])
        text = rule_text(deck.kinds[deck.index[spell.card]])
        lines += [[("", part)] for part in wrap_text(text, width, "    ", "    ")]
    lines += king_lines(race, names, width)
    if race.discard:
        lines += [[("dim", part)] for part in wrap_text(discard_text(race, titles), width, "", "  ")]
    if isinstance(race, views.SeatRace):
        lines += hand_lines(race, width, deck)
    return lines


def titles_by_name(deck: Deck) -> dict[str, str]:
    """Returns the title of each card by its name."""
    return {kind.name: card_title(kind) for kind in deck.kinds}


def discard_text(race: views.Race, titles: Mapping[str, str]) -> str:
    """Returns the discard pile as text, with the cards in the order of the card file."""
    counts = Counter(race.discard)
    thrown = [
        _("{name} x{count}", name=shown, count=counts[name]) if counts[name] > 1 else shown
        for name, shown in titles.items()
        if counts[name]
    ]
    return _("Discarded: {thrown}", thrown=_("; ").join(thrown))


def title_line(race: views.Race, names: Sequence[str]) -> str:
    """Returns the title line: the turn, the piles and the mage whose turn it is."""
    if race.phase == "over":
        return _("The race is over after {turn} turns", turn=race.turn)
    return _(
        "Turn {turn} | pile {pile}, discard {discard} | {name}",
        turn=race.turn,
        pile=race.pile,
        discard=len(race.discard),
        name=names[race.turn_of - 1],
    )


def current_spell_text(spell: views.CurrentSpell, names: Sequence[str], titles: Mapping[str, str]) -> str:
    """Returns the current spell, its caster and its target as text."""
    at = _(" at {name}", name=names[spell.at - 1]) if spell.at else ""
    return _("{name} casts {card}{at}", name=names[spell.seat - 1], card=titles[spell.card], at=at)


def king_lines(race: views.Race, names: Sequence[str], width: int) -> list[StyledLine]:
    """Returns a list with one line that names the mages that play before the king; [] without a king."""
    if not race.king:
        return []
    playing = _(", then ").join(names[seat - 1] for seat in race.king)
    return [[("key", clip_text(_("In front of the king: {playing}", playing=playing), width))]]


def _mage(
    race: views.Race, mage: views.MageView, name: str, width: int, label_width: int, is_me: bool, titles: dict[str, str]
) -> list[StyledLine]:
    mark = ">" if mage.seat in race.to_move else " "  # `>` marks a seat that has to decide
    label = pad_text(clip_text(f"{mark}{mage.seat} {name}", label_width - 1), label_width)
    room = (width - label_width - 2) // race.squares  # the number of columns for one square and its hurdle
    style = "you" if is_me else ""
    row: StyledLine = [(style, label), *lane_line(race.squares, mage, max(2, min(room, 6)), style)]
    figures = _(
        "arms {arms}, legs {legs}, endurance {endurance}, power {power}, reserve {reserve}",
        arms=mage.arms,
        legs=mage.legs,
        endurance=mage.endurance,
        power=mage.power,
        reserve=mage.reserve,
    )
    more = _("cards {hand_size}, CVs {cvs}", hand_size=mage.hand_size, cvs=len(mage.cvs))
    text = ", ".join([figures, more, *condition_texts(mage, titles)])
    return [row, *([("dim", part)] for part in wrap_text(text, width, "  ", "  "))]


def condition_texts(mage: views.MageView, titles: dict[str, str]) -> list[str]:
    """Returns the conditions of a mage that are not figures, such as being dazed, and its lasting spells, as texts."""
    found = [_("no discard action")] if mage.traded else []
    found += [_("dazed")] if mage.dazed else []
    return found + [f"{titles[one.card]} {one.counters}{_(' (asleep)') if one.asleep else ''}" for one in mage.lasting]


def lane_line(squares: int, mage: views.MageView, room: int, style: str) -> StyledLine:
    """Returns a lane such as `..@..#` with `room` columns per square, at least 2. The finish line is behind the last
    square."""
    line: StyledLine = []
    for square in range(1, squares + 1):
        here = PIECE if square == mage.square else FLAT
        before = (room - 1) // 2
        text = FLAT * before + here + FLAT * (room - 2 - before)
        line.append((style if here == PIECE else "dim", text))
        if square == squares:
            line.append(("key", LINE))
        elif square in mage.hurdles:
            line.append(("bad", HURDLE))
        else:
            line.append(("dim", FLAT))
    if mage.square > squares:
        line.append(("good", PIECE))
    return line


def typed_card_name(name: str, shown: str) -> str:
    """Returns a card of the hand as people type it: in English the name that actions use, with the title if it differs;
    in other languages the title."""
    if current_language() != ENGLISH:
        return shown
    return name if shown.lower().replace(" ", "_") == name else f"{name} - {shown}"


def answer_lines(race: views.SeatRace, titles: Mapping[str, str], width: int) -> list[StyledLine]:
    """Returns a list with one line for the seat's own secret answer to the current spell; [] before the seat has
    answered."""
    return [[("key", clip_text(_("Answer: {answer}", answer=_answer(one, titles)), width))] for one in race.answer]


def _answer(answer: str, titles: Mapping[str, str]) -> str:
    return answer if current_language() == ENGLISH else titles.get(answer, _("let it be"))


def hand_lines(race: views.SeatRace, width: int, deck: Deck) -> list[StyledLine]:
    """Returns the lines of the hand of the view's seat, and of its answer."""
    titles = titles_by_name(deck)
    lines: list[StyledLine] = [[("title", _("Hand:") if race.hand else _("Hand: empty"))]]
    for place, name in enumerate(race.hand, 1):
        kind = deck.kinds[deck.index[name]]
        shown = card_title(kind)
        lines.append([("you", clip_text(f"{place} {typed_card_name(name, shown)}", width))])
        lines += [[("", part)] for part in wrap_text(rule_text(kind), width, "    ", "    ")]
    return lines + answer_lines(race, titles, width)
