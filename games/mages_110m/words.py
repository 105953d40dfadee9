"""Reads and writes actions as people type them, and writes the question for each decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, assert_never, cast

from games.api import Action, Event, StyledLine, Unreadable, View, Words
from games.mages_110m import events, moves, views
from games.mages_110m.board import draw_board, hand_lines
from games.mages_110m.card_texts import card_joke, card_title
from games.mages_110m.cards import Deck
from games.mages_110m.compact_board import DETAILS, WHOLE, draw_compact, legend_text
from games.mages_110m.language import N_, _, ngettext
from games.mages_110m.page import page_values
from games.mages_110m.preview import preview_action
from games.mages_110m.sentences import ending_sentence, event_sentence
from games.spelling import typed_action_text
from languages import current_language

HELP = N_(
    """\
cast CARD [SEAT]    cast a spell, aimed at a seat where it needs one
trade DEED A B      discard cards A and B for a deed: arm, leg, step, clear, rest, reserve
gamble              discard your whole hand and cast the top spell of the pile
pass                take no action
drop CARD           discard a card
aim SEAT            aim a gambled spell
pay | fizzle        pay the rest from your reserve, or let the spell fail
let                 let an opponent's spell be
counter CARD        answer it with a counter-spell"""
)

ALONE: dict[str, moves.RaceAction] = {
    "gamble": moves.Gamble(),
    "pass": moves.Pass(),
    "pay": moves.Pay(),
    "fizzle": moves.Fizzle(),
    "let": moves.LetBe(),
}
WORDS = (
    N_("cast"),
    N_("trade"),
    N_("gamble"),
    N_("pass"),
    N_("drop"),
    N_("aim"),
    N_("pay"),
    N_("fizzle"),
    N_("let"),
    N_("counter"),
)
_MAY = (  # the kinds of actions of a turn, as the question names them
    (moves.Cast, N_("cast a spell")),
    (moves.Trade, N_("trade two cards for a deed")),
    (moves.Gamble, N_("gamble")),
    (moves.Pass, N_("pass")),
)
DEED_WORDS = (N_("arm"), N_("leg"), N_("step"), N_("clear"), N_("rest"), N_("reserve"))


SYNONYMS = {"fr": {"haie": "clear"}}  # by language: other words that people type


class RaceWords(Words):
    """The text interface for one card file."""

    whole = 1 + WHOLE

    def __init__(self, deck: Deck) -> None:
        self._deck = deck
        self._titles_in: dict[str, dict[str, str]] = {}  # by language: the title of each card by its name

    @property
    def legend(self) -> str:
        return legend_text()

    @property
    def help_text(self) -> str:
        return _(HELP)

    @property
    def card_titles(self) -> Mapping[str, str]:
        spoken = current_language()
        if spoken not in self._titles_in:
            self._titles_in[spoken] = {kind.name: card_title(kind) for kind in self._deck.kinds}
        return self._titles_in[spoken]

    @property
    def synonyms(self) -> Mapping[str, str]:
        return SYNONYMS.get(current_language(), {})

    @property
    def vocabulary(self) -> Mapping[str, str]:
        return {word: _(word) for word in (*WORDS, *DEED_WORDS)}

    def format_action(self, action: Action) -> str:
        move = cast(moves.RaceAction, action)
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

    def parse_actions(self, line: str, view: View, legal: Sequence[Action]) -> list[Action]:
        parts = line.lower().split()
        if not parts:
            raise Unreadable(_("Type one of: ") + ", ".join(map(_, WORDS)) + ".")
        word = _expand(parts[0], WORDS, N_("action"))
        rest = parts[1:]
        hand = view.hand if isinstance(view, views.SeatRace) else ()
        if word in ALONE:
            _only(rest, 0, word)
            return [ALONE[word]]
        if not rest:
            raise Unreadable(_("{word} needs a word after it; see: help.", word=_(word)))
        if word == "aim":
            _only(rest, 1, _("aim SEAT"))
            return [moves.Aim(_seat(rest[0]))]
        if word == "trade":
            deed = cast(moves.Deed, _expand(rest[0], moves.DEEDS, N_("deed")))
            _only(rest, 3, _("trade DEED A B"))
            return [moves.Trade(deed), *(moves.Drop(self._card(name, hand)) for name in rest[1:])]
        if word == "drop":
            return [moves.Drop(self._card(name, hand)) for name in rest]
        card = self._card(rest[0], hand)
        if word == "counter":
            _only(rest, 1, _("counter CARD"))
            return [moves.Counter(card)]
        _only(rest, 2, _("cast CARD SEAT"))
        if len(rest) == 2:
            return [moves.Cast(card, _seat(rest[1]))]
        return [_only_target(card, legal)]

    def decision_prompt(self, view: View, legal: Sequence[Action]) -> str:
        race = cast(views.SeatRace, view)
        example = typed_action_text(self, legal[0])
        match race.phase:
            case "action":
                may = [_(said) for kind, said in _MAY if any(isinstance(action, kind) for action in legal)]
                listed = _("{several} or {last}", several=", ".join(may[:-1]), last=may[-1]) if may[1:] else may[0]
                return _("Your action: {listed} (`{example}`).", listed=listed, example=example)
            case "price":
                return _("Discard a card for your deed, {deed} (`{example}`).", deed=_(race.deed[0]), example=example)
            case "aim":
                return _(
                    "Who is the target of {card} (`{example}`)?",
                    card=self.card_titles[race.spell[0].card],
                    example=example,
                )
            case "reserve":
                spell = race.spell[0]
                lacking = _(
                    "The roll for {card} is {missing} too low", missing=spell.missing, card=self.card_titles[spell.card]
                )
                return _("{lacking}: `pay` from your reserve or `fizzle`?", lacking=lacking)
            case "answer":
                card = self.card_titles[race.spell[0].card]
                if len(legal) > 1:
                    return _("{card} is about to take effect: `let` it be or `counter CARD`?", card=card)
                return _("{card} is about to take effect: `let` it be.", card=card)
            case "limit":
                return _("Too many cards: discard one (`{example}`).", example=example)
            case "king":
                return _("The king watches: play your whole hand (`{example}`).", example=example)
            case "over":
                return _("The race is over.")
            case _:
                assert_never(race.phase)

    def ending_sentence(self, reason: str, winners: Sequence[str], best: int) -> str:
        return ending_sentence(reason, winners, best)

    def format_score(self, score: int) -> str:
        return ngettext("{n} metre", "{n} metres", score)

    def preview_action(self, view: View, action: Action, names: Sequence[str]) -> str:
        race, move = cast(views.SeatRace, view), cast(moves.RaceAction, action)
        return preview_action(self._deck, race, move, names, self.card_titles)

    def event_sentence(self, event: Event, names: Sequence[str]) -> str:
        front = event.front if isinstance(event, events.Drew) else ()
        texts = {card: card_joke(self._deck.kinds[self._deck.index[card]]).rstrip(".") for card in front}
        return event_sentence(cast(events.RaceEvent, event), names, self.card_titles, texts, self._deck.track.squares)

    def page_values(self, view: View, names: Sequence[str]) -> dict[str, Any]:
        assert isinstance(view, views.Race)
        return page_values(view, names, self._deck)

    def render_hand(self, view: View, names: Sequence[str], width: int) -> list[StyledLine]:
        return hand_lines(view, width, self._deck) if isinstance(view, views.SeatRace) else []

    def render_boards(self, view: View, names: Sequence[str], width: int) -> Iterator[list[StyledLine]]:
        race = cast(views.Race, view)
        yield draw_board(race, names, width, self._deck)
        for detail in DETAILS:
            yield draw_compact(race, names, width, self._deck, detail)

    def _card(self, text: str, hand: Sequence[str]) -> str:
        """Returns the name of a card. The text is a full name, a place in the hand counted from 1, or the beginning of
        only one name."""
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
            raise Unreadable(_("{text!r} may be {listed}.", text=text, listed=", ".join(fitting)))
        raise Unreadable(_("There is no card {text!r}.", text=text))


def _only_target(card: str, legal: Sequence[Action]) -> moves.Cast:
    """Returns the cast of a card for which no seat was typed. Raises Unreadable if the spell has several targets."""
    fitting = [action for action in legal if isinstance(action, moves.Cast) and action.card == card]
    if len(fitting) > 1:
        seats = _(" or ").join(str(action.at) for action in fitting)
        raise Unreadable(_("{card} is aimed at a seat: {seats}.", card=card, seats=seats))
    return fitting[0] if fitting else moves.Cast(card)


def _expand(text: str, known: Sequence[str], what: str) -> str:
    fitting = [word for word in known if word.startswith(text)]
    if text in known:
        return text
    if len(fitting) == 1:
        return fitting[0]
    listed = ", ".join(map(_, fitting or known))
    if fitting:
        raise Unreadable(_("{text!r} may be {listed}.", text=text, listed=listed))
    raise Unreadable(
        _("There is no {what} {text!r}; there are: {listed}.", what=_(what), text=text[:20], listed=listed)
    )


def _seat(text: str) -> int:
    if not text.isdecimal() or not text.isascii() or len(text) > 2:
        raise Unreadable(_("{text!r} is not a seat number.", text=text))
    return int(text)


def _only(rest: Sequence[str], most: int, form: str) -> None:
    if len(rest) > most:
        raise Unreadable(_("Too many words; the form is: {form}.", form=form))
