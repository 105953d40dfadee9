"""The race in few lines: each mage with its figures, the spell in the air, and one's own hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.api import Line, Span
from games.columns import clip, columns_of, joined, pad, wrapped
from games.mages_110m import views
from games.mages_110m.board import answered, called, cast, head, kings, lane, notes
from games.mages_110m.card_texts import rule_text, title
from games.mages_110m.cards import Deck
from games.mages_110m.language import _
from languages import ENGLISH, language

LANE_WIDTH = 70  # columns from which the lane stands before the figures


def draw_short(race: views.Race, names: Sequence[str], width: int, deck: Deck, *, texts: bool) -> list[Line]:
    """Lines of at most `width` columns; with `texts` the cards in hand say what they do."""
    return list(_lines(race, names, width, deck, texts=texts))


def _lines(race: views.Race, names: Sequence[str], width: int, deck: Deck, *, texts: bool) -> Iterator[Line]:
    titles = {kind.name: title(kind) for kind in deck.kinds}
    yield [("title", clip(head(race, names), width))]
    for spell in race.spell:
        said = cast(spell, names, titles) + _(": {text}", text=rule_text(deck.kinds[deck.index[spell.card]]))
        yield from ([("key", row)] for row in wrapped(said, width, "", "  ")[: 3 if texts else 2])
    yield from kings(race, names, width)
    me = race.seat if isinstance(race, views.SeatRace) else 0
    for mage in race.mages:
        yield from _mage(race, mage, names[mage.seat - 1], width, is_me=mage.seat == me)
        if texts:
            told = [("dim", note) for note in notes(mage, titles)]
            yield from ([("dim", "  "), *row] for row in joined(told, width - 2, indent=""))
    if isinstance(race, views.SeatRace):
        yield from _hand(race, width, deck, titles, texts=texts)
    if not texts:
        told = [("dim", f"{mage.seat}: {note}") for mage in race.mages for note in notes(mage, titles)]
        yield from joined(told, width, "; ")


def _mage(race: views.Race, mage: views.Mage, name: str, width: int, *, is_me: bool) -> Iterator[Line]:
    style = "you" if is_me else ""
    label = f"{'>' if mage.seat in race.to_move else ' '}{mage.seat} {clip(name, 6)}"
    own = {
        "arms": mage.arms,
        "legs": mage.legs,
        "endurance": mage.endurance,
        "power": mage.power,
        "reserve": mage.reserve,
        "hand": mage.hand_size,
        "cvs": len(mage.cvs),
    }
    if width >= LANE_WIDTH:
        figures = _(" arms {arms} legs {legs} end {endurance} pow {power} res {reserve} hand {hand} CV {cvs}", **own)
        road = lane(race.squares, mage, 2, style)
        used = 10 + sum(len(text) for _style, text in road)
        yield [(style, pad(label, 10)), *road, ("", clip(figures, width - used))]
    else:
        nearest = f" #{min(mage.hurdles)}" if mage.hurdles else ""
        brief = _("a{arms}l{legs} e{endurance} p{power} r{reserve} c{hand} v{cvs}", **own)
        figures = f" {mage.square}/{race.squares}{nearest} {brief}"
        yield [(style, clip(pad(label, 9) + figures, width))]


def _hand(race: views.SeatRace, width: int, deck: Deck, titles: dict[str, str], *, texts: bool) -> Iterator[Line]:
    yield from answered(race, titles, width)
    if not texts:
        cards: list[Span] = [
            ("you", f"{place} {titles[name] if language() != ENGLISH else name}")
            for place, name in enumerate(race.hand, 1)
        ]
        yield from joined([("title", _("Hand:") if cards else _("Your hand is empty")), *cards], width, " ")
        return
    for place, name in enumerate(race.hand, 1):
        kind = deck.kinds[deck.index[name]]
        shown = title(kind)
        head, known_as = f"{place} {called(name, shown)}".partition(" - ")[::2]
        text = f"{' - ' * bool(known_as)}{known_as}" + _(": {text}", text=rule_text(kind))
        yield [("you", clip(head, width)), ("", clip(text, max(0, width - columns_of(head))))]
