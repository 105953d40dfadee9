"""The race in few lines: each mage with its figures, the spell in the air, and one's own hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.api import Line, Span
from games.columns import clip, joined, pad, wrapped
from games.mages_110m import views
from games.mages_110m.board import head, lane
from games.mages_110m.card_texts import rule_text, title
from games.mages_110m.cards import Deck

LANE_WIDTH = 70  # columns from which the lane stands before the figures


def draw_short(race: views.Race, names: Sequence[str], width: int, deck: Deck, lang: str, *, texts: bool) -> list[Line]:
    """Lines of at most `width` columns; with `texts` the cards in hand say what they do."""
    return list(_lines(race, names, width, deck, lang, texts=texts))


def _lines(race: views.Race, names: Sequence[str], width: int, deck: Deck, lang: str, *, texts: bool) -> Iterator[Line]:
    titles = {kind.name: title(kind, lang) for kind in deck.kinds}
    yield [("title", clip(head(race, names), width))]
    for spell in race.spell:
        at = f" at {names[spell.at - 1]}" if spell.at else ""
        text = rule_text(deck.kinds[deck.index[spell.card]], lang)
        said = f"{names[spell.seat - 1]} casts {titles[spell.card]}{at}: {text}"
        yield from ([("key", row)] for row in wrapped(said, width, "", "  ")[: 3 if texts else 2])
    if race.king:
        yield [("key", clip(f"Before the king: {', then '.join(names[seat - 1] for seat in race.king)}", width))]
    me = race.seat if isinstance(race, views.SeatRace) else 0
    for mage in race.mages:
        yield from _mage(race, mage, names[mage.seat - 1], width, is_me=mage.seat == me)
        if texts:
            yield from ([("dim", "  "), *row] for row in joined(_notes(mage, titles), width - 2, indent=""))
    if isinstance(race, views.SeatRace):
        yield from _hand(race, width, deck, lang, texts=texts)
    if not texts:
        notes = [(style, f"{mage.seat}: {note}") for mage in race.mages for style, note in _notes(mage, titles)]
        yield from joined(notes, width, "; ")


def _mage(race: views.Race, mage: views.Mage, name: str, width: int, *, is_me: bool) -> Iterator[Line]:
    style = "you" if is_me else ""
    label = f"{'>' if mage.seat in race.to_move else ' '}{mage.seat} {clip(name, 6)}"
    if width >= LANE_WIDTH:
        figures = f" arms {mage.arms} legs {mage.legs} end {mage.endurance} pow {mage.power} res {mage.reserve}"
        figures += f" hand {mage.hand_size} CV {len(mage.cvs)}"
        road = lane(race.squares, mage, 2, style)
        used = 10 + sum(len(text) for _style, text in road)
        yield [(style, pad(label, 10)), *road, ("", clip(figures, width - used))]
    else:
        nearest = f" #{min(mage.hurdles)}" if mage.hurdles else ""
        figures = f" {mage.square}/{race.squares}{nearest} a{mage.arms}l{mage.legs} e{mage.endurance}"
        figures += f" p{mage.power} r{mage.reserve} c{mage.hand_size} v{len(mage.cvs)}"
        yield [(style, clip(pad(label, 9) + figures, width))]


def _notes(mage: views.Mage, titles: dict[str, str]) -> list[Span]:
    """What holds for a mage beside its figures."""
    notes = ["no discard action"] if mage.traded else []
    notes += ["dazed"] if mage.dazed else []
    notes += [f"{titles[one.card]} {one.counters}{' (asleep)' if one.asleep else ''}" for one in mage.lasting]
    return [("dim", note) for note in notes]


def _hand(race: views.SeatRace, width: int, deck: Deck, lang: str, *, texts: bool) -> Iterator[Line]:
    if race.answer:
        yield [("key", clip(f"Your answer: {race.answer[0]}", width))]
    if not texts:
        cards: list[Span] = [("you", f"{place} {name}") for place, name in enumerate(race.hand, 1)]
        yield from joined([("title", "Hand:" if cards else "Your hand is empty"), *cards], width, " ")
        return
    for place, name in enumerate(race.hand, 1):
        kind = deck.kinds[deck.index[name]]
        shown = title(kind, lang)
        known_as = "" if shown.lower().replace(" ", "_") == name else f" - {shown}"
        yield [("you", f"{place} {name}"), ("", clip(f"{known_as}: {rule_text(kind, lang)}", width - len(name) - 2))]
