"""How people write what they do in a race, and are asked for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never, cast

from games.api import Action, Event, Line, Unreadable, View, Words
from games.columns import fitting
from games.mages_110m import events, moves, views
from games.mages_110m.board import draw
from games.mages_110m.card_texts import title
from games.mages_110m.cards import Deck
from games.mages_110m.foreseeing import foreseen
from games.mages_110m.sentences import sentence
from games.mages_110m.short import draw_short

HELP = """\
cast CARD [SEAT]    cast a spell, aimed at a seat where it needs one
trade DEED A B      discard cards A and B for a deed: arm, leg, step, clear, rest, reserve
gamble              discard your whole hand and cast the top spell of the pile
pass                take no action
drop CARD           discard a card
aim SEAT            aim a gambled spell
pay | fizzle        pay what the die lacks from your reserve, or let the spell fail
let                 let an opponent's spell be
counter CARD        answer it with a counter-spell"""

ALONE: dict[str, moves.Move] = {
    "gamble": moves.Gamble(),
    "pass": moves.Pass(),
    "pay": moves.Pay(),
    "fizzle": moves.Fizzle(),
    "let": moves.LetBe(),
}
WORDS = ("cast", "trade", "gamble", "pass", "drop", "aim", "pay", "fizzle", "let", "counter")


class RaceWords(Words):
    """Words for one card file and one language of card titles."""

    help = HELP

    def __init__(self, deck: Deck, lang: str) -> None:
        self._deck = deck
        self._titles = {kind.name: title(kind, lang) for kind in deck.kinds}
        self._lang = lang

    def write(self, action: Action) -> str:
        move = cast(moves.Move, action)
        match move:
            case moves.Cast(card, at):
                return f"cast {card} {at}" if at else f"cast {card}"
            case moves.Trade(deed):
                return f"trade {deed}"
            case moves.Drop(card):
                return f"drop {card}"
            case moves.Aim(at):
                return f"aim {at}"
            case moves.Counter(card):
                return f"counter {card}"
            case moves.Gamble():
                return "gamble"
            case moves.Pass():
                return "pass"
            case moves.Pay():
                return "pay"
            case moves.Fizzle():
                return "fizzle"
            case moves.LetBe():
                return "let"
            case _:
                assert_never(move)

    def read(self, line: str, view: View, legal: Sequence[Action]) -> list[Action]:
        parts = line.lower().split()
        if not parts:
            raise Unreadable("Type one of: " + ", ".join(WORDS) + ".")
        word = _expand(parts[0], WORDS, "word")
        rest = parts[1:]
        hand = view.hand if isinstance(view, views.SeatRace) else ()
        if word in ALONE:
            _only(rest, 0, word)
            return [ALONE[word]]
        if not rest:
            raise Unreadable(f"{word} needs a word after it; see: help.")
        if word == "aim":
            _only(rest, 1, "aim SEAT")
            return [moves.Aim(_seat(rest[0]))]
        if word == "trade":
            deed = cast(moves.Deed, _expand(rest[0], moves.DEEDS, "deed"))
            _only(rest, 3, "trade DEED A B")
            return [moves.Trade(deed), *(moves.Drop(self._card(name, hand)) for name in rest[1:])]
        if word == "drop":
            return [moves.Drop(self._card(name, hand)) for name in rest]
        card = self._card(rest[0], hand)
        if word == "counter":
            _only(rest, 1, "counter CARD")
            return [moves.Counter(card)]
        _only(rest, 2, "cast CARD SEAT")
        if len(rest) == 2:
            return [moves.Cast(card, _seat(rest[1]))]
        return [_only_target(card, legal)]

    def ask(self, view: View, legal: Sequence[Action]) -> str:
        race = cast(views.SeatRace, view)
        example = self.write(legal[0])
        match race.phase:
            case "action":
                return f"Your action: cast a spell, trade two cards for a deed, gamble, or pass (`{example}`)."
            case "price":
                return f"Discard a card for your deed, {race.deed[0]} (`{example}`)."
            case "aim":
                return f"Whom does {self._titles[race.spell[0].card]} hit (`{example}`)?"
            case "reserve":
                spell = race.spell[0]
                lacking = f"The die lacks {spell.missing} for {self._titles[spell.card]}"
                return f"{lacking}: `pay` from your reserve or `fizzle`?"
            case "answer":
                return f"{self._titles[race.spell[0].card]} is about to take effect: `let` it be or `counter CARD`?"
            case "limit":
                return f"Too many cards: discard one (`{example}`)."
            case "king":
                return f"The king watches: play your whole hand (`{example}`)."
            case "over":
                return "The race is over."
            case _:
                assert_never(race.phase)

    def foresee(self, view: View, action: Action, names: Sequence[str]) -> str:
        race, move = cast(views.SeatRace, view), cast(moves.Move, action)
        return foreseen(self._deck, race, move, names, self._titles, self._lang)

    def tell(self, event: Event, names: Sequence[str]) -> str:
        return sentence(cast(events.Heard, event), names, self._titles, self._deck.track.squares)

    def board(self, view: View, names: Sequence[str], width: int, height: int = 0) -> list[Line]:
        return fitting(self._boards(cast(views.Race, view), names, width), height)

    def _boards(self, race: views.Race, names: Sequence[str], width: int) -> Iterator[list[Line]]:
        yield draw(race, names, width, self._deck, self._lang)
        for texts in (True, False):
            yield draw_short(race, names, width, self._deck, self._lang, texts=texts)

    def _card(self, text: str, hand: Sequence[str]) -> str:
        """By full name, by a place in the hand from 1 on, or by a prefix that fits one card of the hand."""
        if text in self._deck.index:
            return text
        if text.isascii() and text.isdigit() and 1 <= int(text) <= len(hand):
            return hand[int(text) - 1]
        fitting = sorted({name for name in hand if name.startswith(text)})
        if not fitting:
            fitting = sorted({name for name in self._deck.names if name.startswith(text)})
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise Unreadable(f"{text!r} may be {', '.join(fitting)}.")
        raise Unreadable(f"There is no card {text!r}.")


def _only_target(card: str, legal: Sequence[Action]) -> moves.Cast:
    """Without a seat: the one target there is."""
    fitting = [action for action in legal if isinstance(action, moves.Cast) and action.card == card]
    if len(fitting) > 1:
        seats = " or ".join(str(action.at) for action in fitting)
        raise Unreadable(f"{card} is aimed at a seat: {seats}.")
    return fitting[0] if fitting else moves.Cast(card)


def _expand(text: str, known: Sequence[str], what: str) -> str:
    fitting = [word for word in known if word.startswith(text)]
    if text in known:
        return text
    if len(fitting) == 1:
        return fitting[0]
    options = fitting or known
    raise Unreadable(f"There is no single {what} {text!r}; try {', '.join(options)}.")


def _seat(text: str) -> int:
    if not text.isdecimal() or not text.isascii() or len(text) > 2:
        raise Unreadable(f"{text!r} is no seat number.")
    return int(text)


def _only(rest: Sequence[str], most: int, form: str) -> None:
    if len(rest) > most:
        raise Unreadable(f"Too many words; the form is: {form}.")
