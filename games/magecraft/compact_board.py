"""Draws the table in few lines: the turn, the seat's own mage and books, the other mages, and the Academy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from games.api import Span, StyledLine
from games.columns import clip_names, clip_text, pack_spans, pad_text, text_columns, wrap_text
from games.magecraft.board import cost_text, effect_text, gems_text, progress_spans, total_gems
from games.magecraft.cards import CardSet, Spell, is_affordable, pack_hand
from games.magecraft.language import N_, _
from games.magecraft.views import Board, Copy, MagecraftView, OwnBoard, SeatView

NARROW = 60  # the number of columns below which a board is narrow
DETAILS = range(4, -1, -1)  # the levels of detail, the longest drawing first
WHOLE = 4  # how many levels of DETAILS, from the first on, show everything that a decision needs
LEARNING = ("boards", "setup", "spells")  # the phases in which a player may want to compare spells to learn
LEGEND = N_(
    """\
3F 2W: three fire, two water gems; E earth, L light, D darkness; + in a cost is any gem
Absorb (EW+ draw attack): costs earth, water and any gem, and what it does
1 Ember > Meditation: book 1, cast from the left; * mastered; x4 copies left"""
)


def legend_text() -> str:
    return _(LEGEND)


def compact_lines(
    view: MagecraftView, names: Sequence[str], width: int, cards: CardSet, detail: int
) -> list[StyledLine]:
    """Returns the table as lines of at most `width` columns. A smaller `detail` needs fewer lines.

    Level 4 explains the signs. Level 3 shows the Academy as a table, level 2 as a list. Level 1 leaves out the books of
    other mages, and in phases without learning also the effects of the Academy's spells. Level 0 leaves out all
    effects, and the known gems in the hands of others.
    """
    lines = pack_spans(progress_spans(view, names, cards), width)
    boards: list[Board | OwnBoard] = [view.you, *view.others] if isinstance(view, SeatView) else list(view.boards)
    shown = clip_names(names, 10 if width < NARROW else 14)
    for board in boards:
        books = detail > 1 or isinstance(board, OwnBoard)
        lines += _mage(board, shown[board.seat - 1], width, cards, books=books, effects=detail > 0)
    lines += _academy(view, width, cards, detail)
    if detail > 3:
        lines += [[("dim", row)] for line in legend_text().split("\n") for row in wrap_text(line, width, "", "  ")]
    return lines


def _mage(
    board: Board | OwnBoard, name: str, width: int, cards: CardSet, *, books: bool, effects: bool
) -> Iterator[StyledLine]:
    narrow = width < NARROW
    name = f"{board.seat} {name}"
    if not board.alive:
        yield [
            ("bad", clip_text(_("{name}: eliminated, score {total}", name=name, total=total_gems(board.score)), width))
        ]
        return
    life = _("life {total}", total=total_gems(board.life)) + (f" ({gems_text(board.life)})" if not narrow else "")
    parts: list[Span] = [("good", life), ("good", _("score {total}", total=total_gems(board.score)))]
    if total_gems(board.shield):
        parts.append(("", _("shield {gems_text}", gems_text=gems_text(board.shield))))
    if isinstance(board, OwnBoard):
        parts += [
            ("you", _("hand {gems_text}", gems_text=gems_text(board.hand) or "0")),
            ("", _("bag {gems_text}", gems_text=gems_text(board.bag) or "0")),
        ]
    else:
        hand = _known(board) if effects else board.hand_size
        parts.append(("", _("hand {hand_size} bag {bag_size}", hand_size=hand, bag_size=board.bag_size)))
    style = "you" if isinstance(board, OwnBoard) else "key"
    person = next((one for one in cards.characters if one.name == board.character), None)
    if person is not None and isinstance(board, OwnBoard):
        parts.append(("", _("innate ({spell})", spell=_says(person.innate))))
    yield from pack_spans([(style, name), *parts], width, " " if narrow else "  ")
    if not books:
        return
    if isinstance(board, OwnBoard) and effects:
        yield from _own_books(board, width - 2, cards)
        return
    costs = isinstance(board, OwnBoard)
    rows_of: list[Span] = [
        ("", f"{number} {_book(book, cards, costs=costs)}") for number, book in enumerate(board.books, 1)
    ]
    yield from ([("", "  "), *row] for row in pack_spans(_fitting(rows_of, width - 2), width - 2, " | ", ""))


def _fitting(parts: Iterable[Span], width: int) -> Iterator[Span]:
    """Yields the parts. Parts wider than `width` are broken at spaces."""
    for style, text in parts:
        yield from (
            (style, row) for row in ([text] if text_columns(text) <= width else wrap_text(text, width, "", "  "))
        )


def _own_books(board: OwnBoard, width: int, cards: CardSet) -> Iterator[StyledLine]:
    """Yields the own mage's books, with the cost and effect of each spell: all in one row if they fit, else each in its
    own rows."""
    books: list[list[Span]] = []
    for number, book in enumerate(board.books, 1):
        copies = [f"{_title(copy, cards)} ({_says(cards.by_name[copy.spell])})" for copy in book] or [_("empty")]
        books.append([("", f"{number} {copies[0]}"), *(("", f"> {copy}") for copy in copies[1:])])
    whole: list[Span] = [("", " ".join(text for _style, text in book)) for book in books]
    if all(text_columns(text) <= width for _style, text in whole):
        rows = pack_spans(whole, width, " | ", "")
    else:
        rows = [row for book in books for row in pack_spans(_fitting(book, width - 2), width, " ")]
    yield from ([("", "  "), *row] for row in rows)


def _says(spell: Spell) -> str:
    """Returns the cost and effect of a spell, such as `EW+ draw attack`."""
    return f"{cost_text(spell)} {effect_text(spell)}"


def _known(board: Board) -> str:
    """Returns the size of a hand with its known gems, or only these gems if all gems of the hand are known."""
    known = gems_text(board.known)
    if known and total_gems(board.known) == board.hand_size:
        return known
    return f"{board.hand_size}" + (_(" with {gems_text}", gems_text=known) if known else "")


def can_pay(view: MagecraftView, spell: Spell) -> bool:
    """Returns whether the gems in the hand of the view's seat can pay for a spell; True for a spectator."""
    if not isinstance(view, SeatView):
        return True
    hand = view.you.hand
    return is_affordable(pack_hand(hand.fire, hand.water, hand.earth, hand.light, total_gems(hand)), spell.key)


def _academy(view: MagecraftView, width: int, cards: CardSet, detail: int) -> list[StyledLine]:
    head: StyledLine = [
        ("key", _("Academy")),
        ("", clip_text(f" {gems_text(view.academy.gems) or _('no gems')}", width - text_columns(_("Academy")))),
    ]
    there = [(cards.by_name[stack.spell], stack.left) for stack in view.academy.stacks if stack.left]
    styles = ["" if can_pay(view, spell) else "dim" for spell, _left in there]
    columns = max(1, width // 40)
    each = width // columns
    notes = [f"{cost_text(spell):<3} {_('x{left}', left=left)} {effect_text(spell)}" for spell, left in there]
    titles = [_(spell.title) for spell, _left in there]
    needed = max(map(text_columns, titles), default=0)
    # The columns for titles; with this limit, long titles do not cut off effects.
    room = each - max(map(text_columns, notes), default=0) - len("    ")
    if detail < 3 or room < needed:
        effects = detail > 1 or (detail == 1 and view.progress.phase in LEARNING)
        texts = [
            f"{_(spell.title)} ({_says(spell) if effects else cost_text(spell)}) {_('x{left}', left=left)}"
            for spell, left in there
        ]
        rows = pack_spans(_fitting(zip(styles, texts, strict=True), width - 2), width - 2, ", ", "")
        return [head, *([("", "  "), *row] for row in rows)]
    height = -(-len(there) // columns)
    letters = max(14, needed)
    cells = [
        (style, pad_text(f"  {pad_text(title, letters)} {note}", each - 1) + " ")
        for style, title, note in zip(styles, titles, notes, strict=True)
    ]
    return [head, *(cells[row::height] for row in range(height))]


def _book(book: Sequence[Copy], cards: CardSet, *, costs: bool) -> str:
    """Returns the spells of a book from left to right."""
    return " > ".join(_copy(copy, cards, costs=costs) for copy in book) or _("empty")


def _copy(copy: Copy, cards: CardSet, *, costs: bool) -> str:
    spell = cards.by_name[copy.spell]
    return _title(copy, cards) + (f" {cost_text(spell)}" if costs else "")


def _title(copy: Copy, cards: CardSet) -> str:
    return _(cards.by_name[copy.spell].title) + "*" * copy.mastered
