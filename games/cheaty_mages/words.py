"""Reads and writes actions as people type them, and writes the question for each decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.api import Action, Event, StyledLine, Unreadable, View, Words
from games.cheaty_mages import moves
from games.cheaty_mages.account import explain_round
from games.cheaty_mages.board import draw_board, own_cards_lines
from games.cheaty_mages.cards import Spell, gold_text
from games.cheaty_mages.compact_board import DETAILS, WHOLE, draw_compact, legend_text
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.language import N_, _
from games.cheaty_mages.page import page_values
from games.cheaty_mages.preview import preview_action
from games.cheaty_mages.sentences import ending_sentence, event_sentence
from games.cheaty_mages.truth import FOUL_PRICE
from games.cheaty_mages.views import HiddenSpell, SeatView, SpectatorView
from games.spelling import typed_action_text

_HELP = N_(
    """
cast fireball 3            a spell at fighter 3; fir 3 is enough
cast fireball 3 down       face down, where you may
cast fireball 3 pay        foul play: 2 gold for a refused spell
cast recall                a spell without a target
cast amnesia 2             at the player in seat 2
cast dispel_magic 3.2      at the second spell on fighter 3
cast alteration 3.2 5      moves it to fighter 5
cast imitation 2 4         takes back 2 and places 4
pass                       no more spells this round
discard might              between rounds, or when you must
done                       draw, after discarding between rounds"""
)
_HELP_LOOK = N_(
    """
look might 3               discards might to look at fighter 3
cast dispel_magic confusion  at an Enduring spell, by its name"""
)

_HELP_BET = {  # by the largest number of betting cards
    1: N_("bet 2                      place a betting card"),
    2: N_("bet 1 2                    place one or two betting cards"),
    3: N_("bet 2 5                    place one, two or three betting cards"),
}
_ASK_BET = {
    1: N_("Place your bet on a fighter, for example: bet 2"),
    2: N_("Place your bet on one or two fighters, for example: bet 1 2"),
    3: N_("Place your bet on one, two or three fighters, for example: bet 2 5"),
}
_ASK_BET_FEW = N_("Place your bet on one, two or three fighters, for example: bet 1 3")

_VERBS = (
    N_("bet"),
    N_("cast"),
    N_("discard"),
    N_("done"),
    N_("draw"),
    N_("look"),
    N_("pass"),
    N_("keep"),
    N_("strike"),
)
_BARE: Mapping[str, Action] = {
    "pass": moves.PASS,
    "done": moves.DONE,
    "draw": moves.DONE,
    "keep": moves.VOTES[0],
    "strike": moves.VOTES[1],
}
_MODES = (N_("down"), N_("pay"))


class ArenaWords(Words):
    """The text interface of one edition."""

    whole = 1 + WHOLE

    def __init__(self, deck: Deck) -> None:
        self._deck = deck

    @property
    def help_text(self) -> str:
        return (
            _(_HELP_BET[self._deck.edition.house.bets])
            + _(_HELP)
            + (_(_HELP_LOOK) if self._deck.edition.looks_by_discarding else "")
        )

    @property
    def legend(self) -> str:
        return legend_text()

    @property
    def own_row_mark(self) -> str:
        return _(" (you)")

    @property
    def vocabulary(self) -> Mapping[str, str]:
        return {word: _(word) for word in (*_VERBS, *_MODES)}

    @property
    def card_titles(self) -> Mapping[str, str]:
        return {spell.name: _(spell.title) for spell in self._deck.spells}

    def _typed(self, card: str) -> str:
        """Returns a card's name as people type it in the current language."""
        return typed_action_text(self, moves.Discard(card)).partition(" ")[2]

    def format_action(self, action: Action) -> str:
        match action:
            case moves.Bet(on=on):
                return " ".join(("bet", *map(str, on)))
            case moves.Look(card=card, fighter=fighter):
                return f"look {card} {fighter}"
            case moves.Discard(card=card):
                return f"discard {card}"
            case moves.Pass():
                return "pass"
            case moves.Done():
                return "done"
            case moves.Keep() | moves.Strike():
                return str(action.__struct_config__.tag)
            case moves.Cast(card=card, fighter=fighter, face_down=face_down, paying=paying):
                return f"cast {card} {fighter}" + " down" * face_down + " pay" * paying
            case moves.CastAlone(card=card, paying=paying):
                return f"cast {card}" + " pay" * paying
            case moves.CastAtSpell(card=card, fighter=fighter, place=place, paying=paying):
                return f"cast {card} {fighter}.{place}" + " pay" * paying
            case moves.CastAtEnduring(card=card, spell=spell, paying=paying):
                return f"cast {card} {spell}" + " pay" * paying
            case moves.CastAtPlayer(card=card, seat=seat, paying=paying):
                return f"cast {card} {seat}" + " pay" * paying
            case moves.CastMoving(card=card, fighter=fighter, place=place, to=to, paying=paying):
                return f"cast {card} {fighter}.{place} {to}" + " pay" * paying
            case moves.CastSwapping(card=card, placed=placed, aside=aside, paying=paying):
                return f"cast {card} {placed} {aside}" + " pay" * paying
        raise TypeError(f"{action} is no action of this game")

    def parse_actions(self, line: str, view: View, legal: Sequence[Action]) -> list[Action]:
        words = line.lower().replace("-", "_").replace(",", " ").split()
        if not words:
            raise Unreadable(_("Type an action, for example: pass"))
        hand = view.you.hand if isinstance(view, SeatView) else ()
        verbs = [verb for verb in _VERBS if verb.startswith(words[0])]
        if words[0] in _VERBS:
            verbs = [words[0]]
        if not verbs and any(name.startswith(words[0]) for name in self._deck.number):
            verbs, words = ["cast"], ["cast", *words]
        if not verbs:
            raise Unreadable(
                _(
                    "There is no action {quoted}; there are: {listed}.",
                    quoted=_quoted(words[0]),
                    listed=", ".join(map(_, _VERBS)),
                )
            )
        if len(verbs) != 1:
            raise Unreadable(
                _("{quoted} could be {listed}.", quoted=_quoted(words[0]), listed=_(" or ").join(map(_, verbs)))
            )
        rest = words[1:]
        match verbs[0]:
            case "bet":
                return [moves.Bet(tuple(sorted(_number(word, _("a fighter")) for word in rest)))]
            case "cast":
                return [self._read_cast(rest, hand)]
            case "discard":
                if not rest:
                    raise Unreadable(_("Name the card, for example: discard might"))
                return [moves.Discard(self._card(word, hand)) for word in rest]
            case "look":
                _demand_count(rest, 2, _("a card and a fighter, for example: look might 3"))
                return [moves.Look(self._card(rest[0], hand), _number(rest[1], _("a fighter")))]
        _demand_count(rest, 0, _("nothing after {verb}", verb=_(verbs[0])))
        return [_BARE[verbs[0]]]

    def _read_cast(self, words: list[str], hand: Sequence[str]) -> moves.CastAction:
        flags = {word for word in words if word in ("down", "pay")}
        words = [word for word in words if word not in flags]
        if not words:
            raise Unreadable(_("Name the spell, for example: cast fireball 3"))
        spell = self._deck.spells[self._deck.number[self._card(words[0], hand)]]
        name, rest, paying = spell.name, words[1:], "pay" in flags
        if "down" in flags or spell.kind != "support" or spell.target == "fighter":
            _demand_count(rest, 1, _("a fighter, for example: cast {name} 3", name=name))
            down = "down" in flags and not spell.is_face_down
            return moves.Cast(name, _number(rest[0], _("a fighter")), down, paying)
        match spell.target:
            case "none":
                _demand_count(rest, 0, _("no target: cast {name}", name=name))
                return moves.CastAlone(name, paying)
            case "player":
                _demand_count(rest, 1, _("a seat, for example: cast {name} 2", name=name))
                return moves.CastAtPlayer(name, _number(rest[0].removeprefix("p"), _("a seat")), paying)
            case "bet":
                _demand_count(rest, 2, _("a placed card and one set aside, for example: cast {name} 2 4", name=name))
                return moves.CastSwapping(name, _number(rest[0], _("a bet")), _number(rest[1], _("a bet")), paying)
            case "move":
                _demand_count(rest, 2, _("a spell and a fighter, for example: cast {name} 3.2 5", name=name))
                fighter, place = _spot(rest[0])
                return moves.CastMoving(name, fighter, place, _number(rest[1], _("a fighter")), paying)
        _demand_count(rest, 1, _("a spell in play, for example: cast {name} 3.2", name=name))
        return self._read_at_spell(spell, rest[0], paying=paying)

    def _read_at_spell(self, spell: Spell, word: str, *, paying: bool) -> moves.CastAction:
        lying = [other.name for other in self._deck.spells if other.enduring in ("judge", "player")]
        named = [other for other in lying if other.startswith(word)]
        if len(named) == 1:
            return moves.CastAtEnduring(spell.name, named[0], paying)
        fighter, place = _spot(word)
        return moves.CastAtSpell(spell.name, fighter, place, paying)

    def _card(self, word: str, hand: Sequence[str]) -> str:
        if word in self._deck.number:
            return word
        found = [name for name in dict.fromkeys(hand) if name.startswith(word)]
        found = found or [name for name in self._deck.number if name.startswith(word)]
        if len(found) == 1:
            return found[0]
        if found:
            raise Unreadable(_("{quoted} could be {listed}.", quoted=_quoted(word), listed=_(" or ").join(found[:4])))
        raise Unreadable(_("There is no card {quoted}.", quoted=_quoted(word)))

    def numbers_by_name(self, view: View, names: Sequence[str]) -> dict[str, str]:
        assert isinstance(view, SeatView | SpectatorView)
        titles = {one.name: _(one.title) for one in self._deck.fighters}
        fighters = {titles[one.name]: str(number) for number, one in enumerate(view.table.fighters, 1)}
        return super().numbers_by_name(view, names) | fighters

    def decision_prompt(self, view: View, legal: Sequence[Action]) -> str:
        assert isinstance(view, SeatView)
        hand = view.you.hand
        match view.table.phase:
            case "bet":
                bets = self._deck.edition.house.bets
                return _(_ASK_BET_FEW if bets > 2 and self._deck.in_the_arena < 5 else _ASK_BET[bets])
            case "forget":
                return _("You must discard a card, for example: discard {card}", card=self._typed(hand[0]))
            case "vote":
                spot = view.table.disputed[0]
                lain = view.table.fighters[spot.fighter - 1].spells[spot.place - 1]
                assert not isinstance(lain, HiddenSpell)
                return _(
                    "{title} on fighter {number} was refused. Keep it, or strike it?",
                    title=self.card_titles[lain.card],
                    number=spot.fighter,
                )
            case "redraw":
                if not hand:
                    return _("Say done to draw.")
                return _("Discard what you do not want (discard {card}), then draw: done", card=self._typed(hand[0]))
        example = next((action for action in legal if not isinstance(action, moves.Pass)), None)
        if example is None:
            return _("You have nothing to cast now: pass")
        may_buy = view.table.foul_play and not view.table.players[view.you.seat - 1].fouled
        sale = _(" Refused spells cost {price} gold (pay).", price=FOUL_PRICE) if may_buy else ""
        return _(
            "Cast a spell or pass, for example: {example}.{sale}", example=typed_action_text(self, example), sale=sale
        )

    def ending_sentence(self, reason: str, winners: Sequence[str], best: int) -> str:
        return ending_sentence(reason, winners, best)

    def format_score(self, score: int) -> str:
        return gold_text(score)

    def preview_action(self, view: View, action: Action, names: Sequence[str]) -> str:
        assert isinstance(view, SeatView)
        return preview_action(self._deck, view, action)

    def explain_scoring(self, view: View, names: Sequence[str]) -> list[str]:
        assert isinstance(view, SeatView | SpectatorView)
        return explain_round(self._deck, view.table, names)

    def event_sentence(self, event: Event, names: Sequence[str]) -> str:
        return event_sentence(self._deck, event, names)

    def page_values(self, view: View, names: Sequence[str]) -> dict[str, Any]:
        assert isinstance(view, SeatView | SpectatorView)
        return page_values(self._deck, view, names)

    def render_hand(self, view: View, names: Sequence[str], width: int) -> list[StyledLine]:
        return list(own_cards_lines(self._deck, view, width)) if isinstance(view, SeatView) else []

    def render_boards(self, view: View, names: Sequence[str], width: int) -> Iterator[list[StyledLine]]:
        assert isinstance(view, SeatView | SpectatorView)
        yield draw_board(self._deck, view, names, width)
        for detail in DETAILS:
            yield draw_compact(self._deck, view, names, width, detail)


def _quoted(word: str) -> str:
    return _("{word!r}", word=word[:24])


def _number(word: str, what: str) -> int:
    if word.isascii() and word.isdigit() and len(word) < 3:
        return int(word)
    raise Unreadable(_("{quoted} is not a number for {what}.", quoted=_quoted(word), what=what))


def _spot(word: str) -> tuple[int, int]:
    fighter, dot, place = word.partition(".")
    if not dot:
        raise Unreadable(
            _("{quoted} is not a spell in play; 3.2 is the second spell on fighter 3.", quoted=_quoted(word))
        )
    return _number(fighter, _("a fighter")), _number(place, _("a place"))


def _demand_count(words: Sequence[str], count: int, what: str) -> None:
    if len(words) != count:
        raise Unreadable(_("Type {what}.", what=what))
