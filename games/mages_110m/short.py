"""The race in few lines: each mage with its figures, the spell in the air, and one's own hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.api import Line, Span
from games.columns import clip, clip_marked, clip_name, columns_of, joined, pad, wrapped
from games.mages_110m import views
from games.mages_110m.board import answered, called, cast, head, kings, lane, notes
from games.mages_110m.card_texts import rule_text, title
from games.mages_110m.cards import Deck
from games.mages_110m.language import _
from languages import ENGLISH, language

LANE_WIDTH = 70  # columns from which the lane stands before the figures
LABEL = 10  # columns of a seat and the beginning of its name, at least


def draw_short(race: views.Race, names: Sequence[str], width: int, deck: Deck, detail: int) -> list[Line]:
    """Lines of at most `width` columns. `detail`: with 4 the cards in hand say all that they do, with 3 what fits into
    two rows, with 2 and 1 into one, with 0 nothing; below 2 what lies in front of the mages stands at the end."""
    return list(_lines(race, names, width, deck, detail))


def _lines(race: views.Race, names: Sequence[str], width: int, deck: Deck, detail: int) -> Iterator[Line]:
    titles = {kind.name: title(kind) for kind in deck.kinds}
    yield [("title", clip(head(race, names), width))]
    for spell in race.spell:
        said = cast(spell, names, titles) + _(": {text}", text=rule_text(deck.kinds[deck.index[spell.card]]))
        yield from ([("key", row)] for row in wrapped(said, width, "", "  ")[: 3 if detail else 2])
    yield from kings(race, names, width)
    for mage, row in _mages(race, names, width):
        yield row
        if detail > 1:
            told = [("dim", note) for note in notes(mage, titles)]
            yield from ([("dim", "  "), *note] for note in joined(told, width - 2, indent=""))
    if isinstance(race, views.SeatRace):
        yield from _hand(race, width, deck, titles, detail)
    if detail < 2:
        told = [
            ("dim", f"{mage.seat}" + _(": {text}", text=note)) for mage in race.mages for note in notes(mage, titles)
        ]
        yield from joined(told, width, _("; "))


def _mages(race: views.Race, names: Sequence[str], width: int) -> Iterator[tuple[views.Mage, Line]]:
    """Each with its name, its lane or place, and its figures, in signs where words do not fit. Names take what is
    left."""
    me = race.seat if isinstance(race, views.SeatRace) else 0
    over = any(mage.square > race.squares for mage in race.mages)  # such a one stands behind the line
    road = 2 * race.squares + 1 + over if width >= LANE_WIDTH else 0  # columns
    figures = [_in_words(mage) for mage in race.mages]
    if not road or LABEL + road + 1 + _widest(figures) > width:
        figures = [_in_signs(mage) for mage in race.mages]
    if not road:
        figures = [f"{_place(race, mage)} {own}" for mage, own in zip(race.mages, figures, strict=True)]
    label = max(LABEL, min(_widest(names) + 4, width - road - 1 - _widest(figures)))
    for mage, own in zip(race.mages, figures, strict=True):
        style = "you" if mage.seat == me else ""
        mark = ">" if mage.seat in race.to_move else " "
        line: Line = [(style, pad(f"{mark}{mage.seat} {clip_name(names[mage.seat - 1], label - 4)}", label))]
        if road:
            line += lane(race.squares, mage, 2, style)
            own = " " * (1 + over - (mage.square > race.squares)) + own
        room = width - sum(columns_of(text) for _style, text in line)
        yield mage, [*line, ("" if road else style, clip(own, room))]


def _widest(texts: Sequence[str]) -> int:
    return max(map(columns_of, texts))


def _in_words(mage: views.Mage) -> str:
    return _("arms {arms} legs {legs} end {endurance} pow {power} res {reserve} hand {hand} CV {cvs}", **_figures(mage))


def _in_signs(mage: views.Mage) -> str:
    return _("a{arms}l{legs} e{endurance} p{power} r{reserve} c{hand} v{cvs}", **_figures(mage))


def _figures(mage: views.Mage) -> dict[str, int]:
    return {
        "arms": mage.arms,
        "legs": mage.legs,
        "endurance": mage.endurance,
        "power": mage.power,
        "reserve": mage.reserve,
        "hand": mage.hand_size,
        "cvs": len(mage.cvs),
    }


def _place(race: views.Race, mage: views.Mage) -> str:
    """Where it is, and its nearest hurdle."""
    return f"{mage.square}/{race.squares}" + (f" #{min(mage.hurdles)}" if mage.hurdles else "")


def _hand(race: views.SeatRace, width: int, deck: Deck, titles: dict[str, str], detail: int) -> Iterator[Line]:
    yield from answered(race, titles, width)
    if not detail:
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
        first, *more = wrapped(head + text, width, "", "    ")
        if detail == 3 and more:
            more = ["    " + clip_marked(" ".join(row.strip(" ") for row in more), width - 4)]
        if detail < 3 or not first.startswith(head):
            more, first = [], clip_marked(head + text, width)
        yield [("you", first[: len(head)]), ("", first[len(head) :])]
        yield from ([("", row)] for row in more)
