"""What an action would do to what its player sees, in words: gems, life, shields, scores. From the view alone."""

from __future__ import annotations

from collections.abc import Sequence

from games.api import Action
from games.magecraft import moves as do
from games.magecraft.board import cost_text, effect_text, gems_text, total
from games.magecraft.cards import CardSet, Spell
from games.magecraft.ending import HAND, WINNING_SCORE
from games.magecraft.mage import FULL_LIFE
from games.magecraft.payment import gold_pays
from games.magecraft.views import Board, SeatView

NEXT_TURN = f"Your hand goes, and you draw {HAND} gems."


def foreseen(cards: CardSet, view: SeatView, action: Action, names: Sequence[str]) -> str:
    """One or two sentences about a legal action."""
    you, left = view.you, view.progress
    score = total(you.score)
    match action:
        case do.Take(character=name):
            person = next(one for one in cards.characters if one.name == name)
            return f"Your own spell would be {_spell(person.innate)}."
        case do.Discard(gem=gem):
            return f"A {gem} gem goes to your discard; {total(you.hand) - 1} stay in hand."
        case do.Unshield():
            return f"Your shield: {_change(total(you.shield), -1)}. The gem goes to your discard."
        case do.Cast(book=book):
            place = left.place if book == left.book else 0
            spell = cards.by_name[you.books[book - 1][place].spell]
            helped = bool(left.gold) and gold_pays(do.GEM_AT[left.gold], spell)
            return f"{_spell(spell)}. Your hand: {_change(total(you.hand), helped - len(spell.cost))}."
        case do.Innate():
            spell = next(one for one in cards.characters if one.name == you.character).innate
            return f"{_spell(spell)}. Your hand: {_change(total(you.hand), -len(spell.cost))}."
        case do.Pay(gem=gem):
            gold = " It turns to gold." if left.keeps else ""
            return f"A {gem} gem pays; wild symbols to pay: {_change(left.to_pay, -1)}.{gold}"
        case do.Draw():
            return f"One gem out of your bag, which holds {gems_text(you.bag) or 'none: the discard goes in first'}."
        case do.Attack(seat=seat, gem=gem):
            other = _opponent(view, seat)
            if total(other.shield):
                return f"{names[seat - 1]}'s shield: {_change(total(other.shield), -1)}, and no life is lost."
            return f"{names[seat - 1]}'s life: {_change(total(other.life), -1)}. {_score(score)}"
        case do.Heal():
            life = total(you.life)
            return f"Your life: {_change(life, 1)}." if life < FULL_LIFE else f"Your life is full. {_score(score)}"
        case do.Shield():
            return f"Your shield: {_change(total(you.shield), 1)}."
        case do.Vanish(source=source):
            zone = you.hand if source == "hand" else you.life
            return f"Your {source}: {_change(total(zone), -1)}. {_score(score)}"
        case do.Darken(seat=seat):
            return f"A darkness gem goes to {names[seat - 1]}'s discard."
        case do.Learn(spell=name, book=book):
            row = " > ".join(cards.by_name[one].title for one in (name, *(copy.spell for copy in you.books[book - 1])))
            return f"Book {book} would read {row}. The turn ends. {NEXT_TURN}"
        case do.Revise():
            return f"Your hand: {_change(total(you.hand), -HAND)}. You rearrange your books, and the turn ends."
        case do.Master(book=book, place=place):
            title = cards.by_name[you.books[book - 1][place - 1].spell].title
            return f"{title} keeps the gem of its first symbol from now on, for the next spell of its book."
        case do.Done() | do.End():
            return f"The turn ends. {NEXT_TURN}"
    return ""


def _spell(spell: Spell) -> str:
    """`Absorb (EW+): draw attack heal`."""
    return f"{spell.title} ({cost_text(spell)}): {effect_text(spell)}"


def _change(before: int, by: int) -> str:
    return f"{before} to {before + by}"


def _score(score: int) -> str:
    return f"Your score: {_change(score, 1)} of {WINNING_SCORE}."


def _opponent(view: SeatView, seat: int) -> Board:
    return next(board for board in view.others if board.seat == seat)
