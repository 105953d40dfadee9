"""Makes the values of `page.html`, which shows the table in a browser: the mages with their gems and books, and the
Academy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from games.api import Span
from games.magecraft.board import (
    GONE,
    LETTERS,
    cost_text,
    effect_text,
    gems_text,
    progress_spans,
    total_gems,
)
from games.magecraft.cards import SYMBOLS, CardSet, Spell, cost_words
from games.magecraft.compact_board import can_pay
from games.magecraft.language import _
from games.magecraft.moves import GEMS
from games.magecraft.views import Board, Gems, MagecraftView, OwnBoard, SeatView


class GemPile(msgspec.Struct, frozen=True):
    """Gems of one kind; `count` is 0 for a symbol of a cost."""

    kind: str  # as actions name it
    letter: str
    count: int = 0


class Zone(msgspec.Struct, frozen=True):
    """A place for gems of a mage."""

    name: str  # as the style sheet names it
    text: str  # its name and the number of gems
    gems: tuple[GemPile, ...] = ()


class SpellCard(msgspec.Struct, frozen=True):
    """A spell in a book or in the Academy."""

    name: str  # as actions name it
    title: str
    cost: tuple[GemPile, ...]
    cost_words: str
    effect: str
    is_mastered: bool = False
    left: str = ""  # the number of copies left in the Academy
    is_gone: bool = False
    is_affordable: bool = True


class MageBoard(msgspec.Struct, frozen=True):
    """A mage with its gems and books."""

    seat: int
    name: str
    is_you: bool
    moves: bool  # whether it is the mage's turn
    title: str  # of its character
    innate: SpellCard | None
    eliminated: str  # "" while the mage lives
    zones: tuple[Zone, ...]
    books: tuple[tuple[SpellCard, ...], ...]


def page_values(view: MagecraftView, names: Sequence[str], cards: CardSet) -> dict[str, Any]:
    """Returns the values of the template by name."""
    spans: list[Span] = progress_spans(view, names, cards)
    boards: list[Board | OwnBoard] = [view.you, *view.others] if isinstance(view, SeatView) else list(view.boards)
    academy = view.academy
    return {
        "progress": spans,
        "mages": [_mage(board, view, names, cards) for board in boards],
        "academy_label": _("Academy"),
        "academy_gems": _piles(academy.gems),
        "no_gems": "" if total_gems(academy.gems) else _("no gems"),
        "academy": [
            _spell(
                cards.by_name[stack.spell],
                left=_("x{left}", left=stack.left) if stack.left else _(GONE),
                is_gone=not stack.left,
                is_affordable=can_pay(view, cards.by_name[stack.spell]),
            )
            for stack in academy.stacks
        ],
        "book_label": _("Book"),
        "innate_label": _("innate"),
        "empty": _("empty"),
        "mastered": _("mastered"),
        "too_dear": _("not enough gems"),
    }


def _mage(board: Board | OwnBoard, view: MagecraftView, names: Sequence[str], cards: CardSet) -> MageBoard:
    person = next((person for person in cards.characters if person.name == board.character), None)
    progress = view.progress
    return MageBoard(
        board.seat,
        names[board.seat - 1],
        isinstance(board, OwnBoard),
        progress.active == board.seat and progress.phase != "over",
        _(person.title) if person else _("no board yet"),
        _spell(person.innate) if person else None,
        "" if board.alive else _("eliminated"),
        _zones(board),
        tuple(
            tuple(_spell(cards.by_name[copy.spell], mastered=copy.mastered) for copy in book) for book in board.books
        ),
    )


def _zones(board: Board | OwnBoard) -> tuple[Zone, ...]:
    zones = [
        Zone("life", _("life {counted}", counted=total_gems(board.life)), _piles(board.life)),
        Zone("score", _("score {total}", total=total_gems(board.score)), _piles(board.score)),
        Zone("shield", _("shield {counted}", counted=total_gems(board.shield)), _piles(board.shield)),
    ]
    if isinstance(board, OwnBoard):
        zones += [
            Zone("hand", _("hand {counted}", counted=total_gems(board.hand)), _piles(board.hand)),
            Zone("bag", _("bag {counted}", counted=total_gems(board.bag)), _piles(board.bag)),
        ]
    else:
        known = _(" with {gems_text}", gems_text=gems_text(board.known)) if total_gems(board.known) else ""
        zones += [
            Zone("hand", _("hand {hand_size}{known}", hand_size=board.hand_size, known=known)),
            Zone("bag", _("bag {bag_size}", bag_size=board.bag_size)),
        ]
        if total_gems(board.hidden):
            zones.append(Zone("both", _("in both {counted}", counted=total_gems(board.hidden)), _piles(board.hidden)))
    return (*zones, Zone("discard", _("discard {counted}", counted=total_gems(board.discard)), _piles(board.discard)))


def _piles(gems: Gems) -> tuple[GemPile, ...]:
    counts = ((gem, letter, getattr(gems, gem)) for gem, letter in zip(GEMS, _(LETTERS), strict=True))
    return tuple(GemPile(gem, letter, count) for gem, letter, count in counts if count)


def _spell(
    spell: Spell, *, mastered: bool = False, left: str = "", is_gone: bool = False, is_affordable: bool = True
) -> SpellCard:
    cost = tuple(GemPile(SYMBOLS[symbol], letter) for symbol, letter in zip(spell.cost, cost_text(spell), strict=True))
    return SpellCard(
        spell.name,
        _(spell.title),
        cost,
        cost_words(spell),
        effect_text(spell),
        mastered,
        left,
        is_gone,
        is_affordable,
    )
