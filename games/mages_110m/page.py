"""Makes the values of `page.html`, which shows the race in a browser: a track with a lane for each mage, the current
spell, and the hand as cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from games.api import plain_lines
from games.mages_110m import views
from games.mages_110m.board import (
    answer_lines,
    condition_texts,
    current_spell_text,
    discard_text,
    king_lines,
    title_line,
    titles_by_name,
)
from games.mages_110m.card_texts import card_heading, card_joke, card_title, rule_text
from games.mages_110m.cards import Deck
from games.mages_110m.compact_board import WORDS, figures_of, is_playable
from games.mages_110m.language import _
from games.page_facts import Fact

UNWRAPPED = 10_000  # columns: more than any line has


class Square(msgspec.Struct, frozen=True):
    """A square of a lane."""

    is_here: bool  # whether the mage stands on it
    hurdle: bool  # whether a hurdle stands behind it


class LaneRow(msgspec.Struct, frozen=True):
    """A mage in its lane."""

    seat: int
    name: str
    is_you: bool
    moves: bool  # whether the mage has to decide
    squares: tuple[Square, ...]
    has_finished: bool
    place: str  # the square and the hurdles as text
    facts: tuple[Fact, ...]
    notes: tuple[str, ...]


class CardInHand(msgspec.Struct, frozen=True):
    """A card in the seat's hand."""

    place: int
    name: str  # as actions name it
    title: str
    heading: str
    text: str
    joke: str
    is_playable: bool


def page_values(race: views.Race, names: Sequence[str], deck: Deck) -> dict[str, Any]:
    """Returns the values of the template by name."""
    titles, own = titles_by_name(deck), race if isinstance(race, views.SeatRace) else None
    return {
        "head": title_line(race, names),
        "track_label": _("Track"),
        "mages": [_lane(race, mage, names, titles, own is not None and mage.seat == own.seat) for mage in race.mages],
        "spells": [
            (current_spell_text(spell, names, titles), rule_text(deck.kinds[deck.index[spell.card]]))
            for spell in race.spell
        ],
        "king": "".join(plain_lines(king_lines(race, names, UNWRAPPED))),
        "discarded": discard_text(race, titles) if race.discard else "",
        "has_hand": own is not None,
        "hand_label": _("Hand:") if own is not None and own.hand else _("Hand: empty"),
        "hand": [_in_hand(own, place, name, deck) for place, name in enumerate(own.hand, 1)] if own is not None else [],
        "answer": "".join(plain_lines(answer_lines(own, titles, UNWRAPPED))) if own is not None else "",
        "not_now": _("not now"),
    }


def _lane(
    race: views.Race, mage: views.MageView, names: Sequence[str], titles: dict[str, str], is_you: bool
) -> LaneRow:
    squares = range(1, race.squares + 1)
    place = _("square {square} of {squares}", square=mage.square, squares=race.squares)
    if mage.square > race.squares:
        place = _("across the line")
    elif mage.hurdles:
        place += _(", hurdles behind {listed}", listed=", ".join(map(str, mage.hurdles)))
    return LaneRow(
        mage.seat,
        names[mage.seat - 1],
        is_you,
        mage.seat in race.to_move,
        tuple(Square(square == mage.square, square in mage.hurdles) for square in squares),
        mage.square > race.squares,
        place,
        tuple(Fact(_(word), str(value)) for word, value in zip(WORDS, figures_of(mage), strict=True)),
        tuple(condition_texts(mage, titles)),
    )


def _in_hand(race: views.SeatRace, place: int, name: str, deck: Deck) -> CardInHand:
    kind = deck.kinds[deck.index[name]]
    return CardInHand(
        place,
        name,
        card_title(kind),
        card_heading(kind),
        rule_text(kind),
        card_joke(kind),
        is_playable(kind, race, deck),
    )
