"""Draws the table as lines of text."""

from __future__ import annotations

from collections.abc import Sequence

from games.api import Span, StyledLine
from games.columns import clip_text, pack_spans, pad_text, text_columns
from games.magecraft.cards import ICONS, CardSet, Spell
from games.magecraft.language import N_, _
from games.magecraft.moves import GEMS
from games.magecraft.views import Board, Copy, Gems, MagecraftView, OwnBoard, SeatView
from languages import ENGLISH, current_language

LETTERS = N_("FWELD")  # the gems' initials, in the order of GEMS
COST_LETTERS = N_("FWEL+")
GONE = N_("gone")
WIDE = 64  # the number of columns from which a spell takes one line instead of two
PHASES = {
    "boards": N_("taking boards"),
    "setup": N_("starting hands"),
    "spells": N_("spells and learning"),
    "pay": N_("paying"),
    "icons": N_("using icons"),
    "revise": N_("revising"),
    "over": N_("over"),
}


def board_lines(view: MagecraftView, names: Sequence[str], width: int, cards: CardSet) -> list[StyledLine]:
    """Returns the lines of the Academy and then of the mages, with the view's own mage last. Long lists are wrapped
    between their items."""
    lines = pack_spans(progress_spans(view, names, cards), width, indent="")
    gems = view.academy.gems
    lines.append(
        [
            ("key", _("Academy")),
            ("", clip_text(f" {gems_text(gems) or _('no gems')}", width - text_columns(_("Academy")))),
        ]
    )
    lines += _table(
        [(stack.spell, _("x{left}", left=stack.left) if stack.left else _(GONE)) for stack in view.academy.stacks],
        width,
        cards,
    )
    boards: list[Board | OwnBoard] = [*view.others, view.you] if isinstance(view, SeatView) else list(view.boards)
    for board in boards:
        lines.append([])
        lines += mage_lines(board, names, width, cards)
    if isinstance(view, SeatView):
        known = {copy.spell for book in view.you.books for copy in book} - {
            stack.spell for stack in view.academy.stacks
        }
        lines += _table([(spell.name, _("yours")) for spell in cards.spells if spell.name in known], width, cards)
    return lines


def progress_spans(view: MagecraftView, names: Sequence[str], cards: CardSet) -> list[Span]:
    """Returns the round, the seat to move, its phase, and what is left to pay and to use of the current spell."""
    progress = view.progress
    when = _("Round {round}", round=progress.round) if progress.round else _("Setup")
    found: list[Span] = [
        (
            "title",
            _("{when}, {name}: {phase}", when=when, name=names[progress.active - 1], phase=_(PHASES[progress.phase])),
        )
    ]
    if progress.phase == "over":  # nothing is left to do
        return found
    if progress.book:
        found.append(("", _("book {book}, {place} cast", book=progress.book, place=progress.place)))
    if progress.gold:
        found.append(("good", _("golden gem {gem}", gem=_(progress.gold))))
    if progress.to_pay:
        found.append(("", _("{to_pay} wild to pay", to_pay=progress.to_pay)))
    if icons := [f"{getattr(progress.icons, name)} {_(name)}" for name in ICONS if getattr(progress.icons, name)]:
        found.append(("", _("icons left: {listed}", listed=" ".join(icons))))
    if progress.lifted:
        name = progress.lifted[0].spell
        lifted = name if current_language() == ENGLISH else _(cards.by_name[name].title)
        found.append(("", _("lifted: {spell}", spell=lifted)))
    return found


def mage_lines(board: Board | OwnBoard, names: Sequence[str], width: int, cards: CardSet) -> list[StyledLine]:
    """Returns the lines of one mage: its gems and its books."""
    own = isinstance(board, OwnBoard)
    person = next((person for person in cards.characters if person.name == board.character), None)
    innate = (
        _(
            "{title}, innate {cost_text} {effect_text}",
            title=_(person.title),
            cost_text=cost_text(person.innate),
            effect_text=effect_text(person.innate),
        )
        if person
        else _("no board yet")
    )
    name: Span = ("you" if own else "key", f"{board.seat} {names[board.seat - 1]}")
    lines = _wrapped([name, ("", innate), *([] if board.alive else [("bad", _("eliminated"))])], width, ", ", "  ")
    zones: list[Span] = [
        ("good", _("life {counted}", counted=_counted(board.life))),
        ("good", _("score {total}", total=total_gems(board.score))),
        ("", _("shield {counted}", counted=_counted(board.shield))),
    ]
    lines += _wrapped(zones, width, "  ", "  ", first="  ")
    if isinstance(board, OwnBoard):
        kept: list[Span] = [
            ("you", _("hand {counted}", counted=_counted(board.hand))),
            ("", _("bag {counted}", counted=_counted(board.bag))),
        ]
    else:
        known = _(" with {gems_text}", gems_text=gems_text(board.known)) if total_gems(board.known) else ""
        kept = [
            ("", _("hand {hand_size}{known}", hand_size=board.hand_size, known=known)),
            ("", _("bag {bag_size}", bag_size=board.bag_size)),
        ]
        if total_gems(board.hidden):
            kept.append(("hidden", _("in both {counted}", counted=_counted(board.hidden))))
    lines += _wrapped(
        [*kept, ("dim", _("discard {counted}", counted=_counted(board.discard)))], width, "  ", "  ", first="  "
    )
    for number, book in enumerate(board.books, 1):
        copies: list[Span] = [("", _title(copy, cards)) for copy in book] or [("dim", _("empty"))]
        lines += _wrapped(copies, width, " > ", "    ", first=f"  {number} ")
    return lines


def _table(rows: Sequence[tuple[str, str]], width: int, cards: CardSet) -> list[StyledLine]:
    """Returns a line with the cost and effect of each spell, or two lines for each if the width is below WIDE."""
    lines: list[StyledLine] = []
    for name, note in rows:
        spell = cards.by_name[name]
        style = "dim" if note == _(GONE) else ""
        if width >= WIDE:
            whole = f"  {pad_text(_(spell.title), 20)} {cost_text(spell):<8} {note:<5} {effect_text(spell)}"
            lines.append([(style, clip_text(whole, width))])
        else:
            lines.append([(style, clip_text(f"  {pad_text(_(spell.title), 20)} {cost_text(spell):<8} {note}", width))])
            lines.append([(style, clip_text(f"      {effect_text(spell)}", width))])
    return lines


def _wrapped(spans: Sequence[Span], width: int, between: str, indent: str, *, first: str = "") -> list[StyledLine]:
    """Returns the spans joined and wrapped to `width` columns. A span that is wider than a line is cut."""
    lines: list[StyledLine] = [[("", first)]] if first else [[]]
    used = len(first)
    fresh = True
    for style, whole in spans:
        text = clip_text(whole, width - max(len(indent), len(first)))
        gap = "" if fresh else between
        if used + len(gap) + text_columns(text) > width:
            lines.append([("", indent)])
            used, gap = len(indent), ""
        if gap:
            lines[-1].append(("", gap))
        lines[-1].append((style, text))
        used += len(gap) + text_columns(text)
        fresh = False
    return lines


def _title(copy: Copy, cards: CardSet) -> str:
    return _(cards.by_name[copy.spell].title) + ("*" if copy.mastered else "")


def cost_text(spell: Spell) -> str:
    """Returns the cost of a spell as letters, such as `EW+`."""
    letters = _(COST_LETTERS)
    return "".join(letters[symbol] for symbol in spell.cost)


def effect_text(spell: Spell) -> str:
    """Returns the effect of a spell as words, such as `draw 2 attack`."""
    return " ".join(
        f"{times} {_(icon)}" if times > 1 else _(icon) for icon, times in zip(ICONS, spell.icons, strict=True) if times
    )


def total_gems(gems: Gems) -> int:
    """Returns the number of gems of all kinds together."""
    return gems.fire + gems.water + gems.earth + gems.light + gems.darkness


def gems_text(gems: Gems) -> str:
    """Returns gems as numbers and letters, such as `3F 2W`."""
    counts = ((letter, getattr(gems, gem)) for letter, gem in zip(_(LETTERS), GEMS, strict=True))
    return " ".join(f"{count}{letter}" for letter, count in counts if count)


def _counted(gems: Gems) -> str:
    text = gems_text(gems)
    return f"{total_gems(gems)} ({text})" if text else "0"
