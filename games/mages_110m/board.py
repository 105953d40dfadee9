"""The race drawn in plain characters: one lane a mage, its hurdles, and the hand below."""

from __future__ import annotations

from collections.abc import Sequence

from games.api import Line
from games.columns import clip, pad, wrapped
from games.mages_110m import views
from games.mages_110m.card_texts import rule_text, title
from games.mages_110m.cards import Deck

PIECE, FLAT, HURDLE, LINE = "@", ".", "#", "|"


def draw(race: views.Race, names: Sequence[str], width: int, deck: Deck, lang: str) -> list[Line]:
    """Lanes of all mages from the start to the line, what they have left, the spell in the air, and one's own hand."""
    me = race.seat if isinstance(race, views.SeatRace) else 0
    titles = {kind.name: title(kind, lang) for kind in deck.kinds}
    lines: list[Line] = [[("title", clip(head(race, names), width))]]
    for mage in race.mages:
        lines += _mage(race, mage, names[mage.seat - 1], width, mage.seat == me, titles)
    for spell in race.spell:
        at = f" at {names[spell.at - 1]}" if spell.at else ""
        lines.append([("key", clip(f"{names[spell.seat - 1]} casts {titles[spell.card]}{at}", width))])
        text = rule_text(deck.kinds[deck.index[spell.card]], lang)
        lines += [[("", part)] for part in wrapped(text, width, "    ", "    ")]
    if race.king:
        playing = ", then ".join(names[seat - 1] for seat in race.king)
        lines.append([("key", clip(f"Before the king: {playing}", width))])
    if isinstance(race, views.SeatRace):
        lines += _hand(race, width, deck, lang)
    return lines


def head(race: views.Race, names: Sequence[str]) -> str:
    """Where the race stands."""
    if race.phase == "over":
        return f"The race is over after {race.turn} turns"
    return f"Turn {race.turn} | pile {race.pile}, discard {len(race.discard)} | {names[race.turn_of - 1]}"


def _mage(race: views.Race, mage: views.Mage, name: str, width: int, is_me: bool, titles: dict[str, str]) -> list[Line]:
    label_width = 8 if width < 60 else 14
    mark = ">" if mage.seat in race.to_move else " "  # who has to decide now
    label = pad(clip(f"{mark}{mage.seat} {name}", label_width - 1), label_width)
    room = (width - label_width - 2) // race.squares  # what a square with its hurdle may take
    style = "you" if is_me else ""
    row: Line = [(style, label), *lane(race.squares, mage, max(1, min(room, 6)), style)]
    figures = f"arms {mage.arms} legs {mage.legs} end {mage.endurance} pow {mage.power} res {mage.reserve}"
    more = f"cards {mage.hand_size} CVs {len(mage.cvs)}"
    notes = ["no discard action"] if mage.traded else []
    notes += ["dazed"] if mage.dazed else []
    for spell in mage.lasting:
        notes.append(f"{titles[spell.card]} {spell.counters}" + (" (asleep)" if spell.asleep else ""))
    text = ", ".join([figures, more, *notes])
    return [row, *([("dim", part)] for part in wrapped(text, width, "  ", "  "))]


def lane(squares: int, mage: views.Mage, room: int, style: str) -> Line:
    """`..@..#` a square with its hurdle, as wide as `room`; the last square ends at the line."""
    line: Line = []
    for square in range(1, squares + 1):
        here = PIECE if square == mage.square else FLAT
        before = max(0, room - 1) // 2
        text = FLAT * before + here + FLAT * max(0, room - 2 - before)
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


def _hand(race: views.SeatRace, width: int, deck: Deck, lang: str) -> list[Line]:
    lines: list[Line] = [[("title", "Your hand" if race.hand else "Your hand is empty")]]
    for place, name in enumerate(race.hand, 1):
        kind = deck.kinds[deck.index[name]]
        shown = title(kind, lang)
        head = f"{place} {name}"
        if shown.lower().replace(" ", "_") != name:
            head += f" - {shown}"
        lines.append([("you", clip(head, width))])
        lines += [[("", part)] for part in wrapped(rule_text(kind, lang), width, "    ", "    ")]
    if race.answer:
        lines.append([("key", clip(f"Your answer: {race.answer[0]}", width))])
    return lines
