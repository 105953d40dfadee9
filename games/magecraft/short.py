"""Magecraft's table in few lines: the turn, one's own mage and books, the others, and the Academy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.api import Line, Span
from games.columns import clip, clip_name, columns_of, joined, pad
from games.magecraft.board import cost_text, effect_text, gems_text, progress_spans, total
from games.magecraft.cards import CardSet
from games.magecraft.language import _
from games.magecraft.views import Board, Copy, MagecraftView, OwnBoard, SeatView

NARROW = 60  # columns


def short_lines(view: MagecraftView, names: Sequence[str], width: int, cards: CardSet, detail: int) -> list[Line]:
    """Lines of at most `width` columns. `detail`: 2 shows what the Academy's spells do, 1 what all have in their books
    and what is known of their hands, 0 nothing of these."""
    lines = joined(progress_spans(view, names, cards), width)
    boards: list[Board | OwnBoard] = [view.you, *view.others] if isinstance(view, SeatView) else list(view.boards)
    for board in boards:
        lines += _mage(board, names, width, cards, books=bool(detail) or isinstance(board, OwnBoard))
    return [*lines, *_academy(view, width, cards, effects=detail == 2)]


def _mage(board: Board | OwnBoard, names: Sequence[str], width: int, cards: CardSet, *, books: bool) -> Iterator[Line]:
    narrow = width < NARROW
    name = f"{board.seat} {clip_name(names[board.seat - 1], 7 if narrow else 12)}"
    if not board.alive:
        yield [("bad", clip(_("{name}: eliminated, score {total}", name=name, total=total(board.score)), width))]
        return
    life = _("life {total}", total=total(board.life)) + (f" ({gems_text(board.life)})" if not narrow else "")
    parts: list[Span] = [("good", life), ("good", _("score {total}", total=total(board.score)))]
    if total(board.shield):
        parts.append(("", _("shield {gems_text}", gems_text=gems_text(board.shield))))
    if isinstance(board, OwnBoard):
        parts += [
            ("you", _("hand {gems_text}", gems_text=gems_text(board.hand) or "0")),
            ("", _("bag {gems_text}", gems_text=gems_text(board.bag) or "0")),
        ]
    else:
        hand = _known(board) if books else board.hand_size
        parts.append(("", _("hand {hand_size} bag {bag_size}", hand_size=hand, bag_size=board.bag_size)))
    style = "you" if isinstance(board, OwnBoard) else "key"
    person = next((one for one in cards.characters if one.name == board.character), None)
    if person is not None and isinstance(board, OwnBoard):
        parts.append(
            (
                "",
                _(
                    "innate {cost_text} {effect_text}",
                    cost_text=cost_text(person.innate),
                    effect_text=effect_text(person.innate),
                ),
            )
        )
    yield from joined([(style, name), *parts], width, " " if narrow else "  ")
    if books:
        own = isinstance(board, OwnBoard)
        rows: list[Span] = [
            ("", f"{number} {_book(book, cards, width - 4, costs=own)}") for number, book in enumerate(board.books, 1)
        ]
        yield from ([("", "  "), *row] for row in joined(rows, width - 2, " | ", ""))


def _known(board: Board) -> str:
    """How many gems a hand holds, with those that everybody can work out; only these where they are all."""
    known = gems_text(board.known)
    if known and total(board.known) == board.hand_size:
        return known
    return f"{board.hand_size}" + (_(" with {gems_text}", gems_text=known) if known else "")


def _academy(view: MagecraftView, width: int, cards: CardSet, *, effects: bool) -> list[Line]:
    gems: Line = [
        ("key", _("Academy")),
        ("", clip(f" {gems_text(view.academy.gems) or _('no gems')}", width - columns_of(_("Academy")))),
    ]
    there = [(cards.by_name[stack.spell], stack.left) for stack in view.academy.stacks if stack.left]
    if not there:
        return [gems]
    if not effects:
        texts = [f"{_(spell.title)} {cost_text(spell)} {left}" for spell, left in there]
        return [gems, *([("", "  "), *row] for row in joined([("", text) for text in texts], width - 2, indent=""))]
    columns = max(1, width // 40)
    each = width // columns
    height = -(-len(there) // columns)
    notes = [f"{cost_text(spell):<3} {_('x{left}', left=left)} {effect_text(spell)}" for spell, left in there]
    titles = [_(spell.title) for spell, _left in there]
    room = each - max(map(columns_of, notes)) - len("    ")  # no effect is cut off for a title
    letters = max(14, min(room, max(map(columns_of, titles))))
    cells = [pad(f"  {pad(title, letters)} {note}", each - 1) + " " for title, note in zip(titles, notes, strict=True)]
    return [gems, *([("", "".join(cells[row::height]).rstrip())] for row in range(height))]


def _book(book: Sequence[Copy], cards: CardSet, width: int, *, costs: bool) -> str:
    """The spells from left to right, their titles cut where the row is too short for them."""
    for letters in (20, 10, 6, 4):
        said = [_copy(copy, cards, letters, costs=costs) for copy in book]
        text = " > ".join(said)
        if columns_of(text) <= width:
            break
    return text or _("empty")


def _copy(copy: Copy, cards: CardSet, letters: int, *, costs: bool) -> str:
    spell = cards.by_name[copy.spell]
    return clip(_(spell.title), letters).rstrip() + "*" * copy.mastered + (f" {cost_text(spell)}" if costs else "")
