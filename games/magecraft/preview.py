"""Describes what an action would do, from the view alone: gems, life, shields and scores."""

from __future__ import annotations

from collections.abc import Sequence

from games.api import Action
from games.magecraft import moves as do
from games.magecraft.board import cost_text, effect_text, gems_text, total_gems
from games.magecraft.cards import CardSet, Spell
from games.magecraft.language import _, ngettext
from games.magecraft.payment import can_gold_pay
from games.magecraft.sentences import A_GEM
from games.magecraft.views import Board, SeatView


def _next_turn(cards: CardSet, view: SeatView) -> str:
    you = view.you
    gems = total_gems(you.hand) + total_gems(you.bag) + total_gems(you.discard) + bool(view.progress.gold)
    count = min(cards.mages.hand, gems)
    return ngettext(
        "Your hand is discarded, and you draw {n} gem.", "Your hand is discarded, and you draw {n} gems.", count
    )


def preview_action(cards: CardSet, view: SeatView, action: Action, names: Sequence[str]) -> str:
    """Returns one or two sentences about the effect of a legal action."""
    return f"{_foreseen(cards, view, action, names)} {danger_warning(cards, view, action)}".strip()


def danger_warning(cards: CardSet, view: SeatView, action: Action) -> str:
    """Returns a warning about an action that would cost the mage its last life; "" for all other actions."""
    you = view.you
    match action:
        case do.Cast(book=book):
            place = view.progress.place if book == view.progress.book else 0
            spell, gold = cards.by_name[you.books[book - 1][place].spell], view.progress.gold
            is_fatal = _is_fatal(cards, view, spell, helped=bool(gold) and can_gold_pay(do.GEM_AT[gold], spell))
        case do.Innate():
            is_fatal = _is_fatal(cards, view, next(one for one in cards.characters if one.name == you.character).innate)
        case do.Vanish(source="life"):
            is_fatal = total_gems(you.life) == 1 and total_gems(you.score) + 1 < cards.mages.score
        case _:
            is_fatal = False
    return _("That would take your last life, and you would be out.") if is_fatal else ""


def _is_fatal(cards: CardSet, view: SeatView, spell: Spell, *, helped: bool = False) -> bool:
    """Returns whether the spell's icons take the mage's last life in any order of use, because the mage has nothing
    else to vanish (rules 4.1, 4.6)."""
    you = view.you
    draws, attacks, heals, _shields, vanishes, _darkness = spell.icons
    rest = total_gems(you.hand) - len(spell.cost) + helped
    drawn = min(draws, total_gems(you.bag) + total_gems(you.discard) + len(spell.cost))
    life, score = total_gems(you.life), total_gems(you.score)
    healed = min(heals, total_gems(view.academy.gems) - view.academy.gems.darkness)
    lost = vanishes - rest - drawn
    return lost >= life + healed and score + attacks + vanishes < cards.mages.score


def _foreseen(cards: CardSet, view: SeatView, action: Action, names: Sequence[str]) -> str:
    you, left = view.you, view.progress
    score = total_gems(you.score)
    match action:
        case do.Take(character=name):
            person = next(one for one in cards.characters if one.name == name)
            return _("Your own spell would be {spell}.", spell=_spell(person.innate))
        case do.Discard(gem=gem):
            return ngettext(
                "{gem} goes to your discard; {n} stays in hand.",
                "{gem} goes to your discard; {n} stay in hand.",
                total_gems(you.hand) - 1,
                gem=_gem(gem),
            )
        case do.Unshield():
            return _("Your shield: {change}. The gem goes to your discard.", change=_change(total_gems(you.shield), -1))
        case do.Cast(book=book):
            place = left.place if book == left.book else 0
            spell = cards.by_name[you.books[book - 1][place].spell]
            helped = bool(left.gold) and can_gold_pay(do.GEM_AT[left.gold], spell)
            return _(
                "{spell}. Your hand: {change}.",
                spell=_spell(spell),
                change=_change(total_gems(you.hand), helped - len(spell.cost)),
            )
        case do.Innate():
            spell = next(one for one in cards.characters if one.name == you.character).innate
            return _(
                "{spell}. Your hand: {change}.",
                spell=_spell(spell),
                change=_change(total_gems(you.hand), -len(spell.cost)),
            )
        case do.Pay(gem=gem):
            gold = _(" It becomes the golden gem.") if left.keeps else ""
            return _(
                "{gem} pays; wild symbols to pay: {change}.{gold}",
                gem=_gem(gem),
                change=_change(left.to_pay, -1),
                gold=gold,
            )
        case do.Draw():
            if not total_gems(you.bag):
                return _("Your bag is empty: your discard goes into it first, then you draw one gem.")
            return _("You would draw one gem from your bag, which holds {gems}.", gems=gems_text(you.bag))
        case do.Attack(seat=seat, gem=gem):
            other = _opponent(view, seat)
            if total_gems(other.shield):
                return _(
                    "{name}'s shield: {change}, and no life is lost.",
                    name=names[seat - 1],
                    change=_change(total_gems(other.shield), -1),
                )
            return _(
                "{name}'s life: {change}. {score}",
                name=names[seat - 1],
                change=_change(total_gems(other.life), -1),
                score=_score(score, cards),
            )
        case do.Heal():
            life = total_gems(you.life)
            return (
                _("Your life: {change}.", change=_change(life, 1))
                if life < cards.mages.full_life
                else _("Your life is full. {score}", score=_score(score, cards))
            )
        case do.Shield():
            return _("Your shield: {change}.", change=_change(total_gems(you.shield), 1))
        case do.Vanish(source=source):
            if source == "hand":
                return f"{_('Your hand: {change}.', change=_change(total_gems(you.hand), -1))} {_score(score, cards)}"
            return f"{_('Your life: {change}.', change=_change(total_gems(you.life), -1))} {_score(score, cards)}"
        case do.Darken(seat=seat):
            return _("A darkness gem goes to {name}'s discard.", name=names[seat - 1])
        case do.Learn(spell=name, book=book):
            row = " > ".join(
                _(cards.by_name[one].title) for one in (name, *(copy.spell for copy in you.books[book - 1]))
            )
            return _(
                "Book {book} would read {row}. The turn ends. {next_turn}",
                book=book,
                row=row,
                next_turn=_next_turn(cards, view),
            )
        case do.Revise():
            return _(
                "Your hand: {change}. You rearrange your books, and the turn ends.",
                change=_change(total_gems(you.hand), -total_gems(you.hand)),
            )
        case do.Master(book=book, place=place):
            title = _(cards.by_name[you.books[book - 1][place - 1].spell].title)
            return _(
                "{title} keeps the gem of its first symbol from now on, for the next spell of its book.", title=title
            )
        case do.Done() | do.End():
            return _("The turn ends. {next_turn}", next_turn=_next_turn(cards, view))
    return ""


def _gem(gem: str) -> str:
    text = _(A_GEM[gem])
    return text[0].upper() + text[1:]


def _spell(spell: Spell) -> str:
    """Returns a spell such as `Absorb (EW+): draw attack heal`."""
    return _("{title} ({cost}): {effect}", title=_(spell.title), cost=cost_text(spell), effect=effect_text(spell))


def _change(before: int, by: int) -> str:
    return _("{before} to {before2}", before=before, before2=before + by)


def _score(score: int, cards: CardSet) -> str:
    return _("Your score: {change} of {most}.", change=_change(score, 1), most=cards.mages.score)


def _opponent(view: SeatView, seat: int) -> Board:
    return next(board for board in view.others if board.seat == seat)
