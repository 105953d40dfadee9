"""Writes each event as a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from games.api import Event
from games.cheaty_mages import events
from games.cheaty_mages.cards import gold_text
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.language import _, ngettext
from games.cheaty_mages.truth import FOUL_PRICE


def event_sentence(deck: Deck, event: Event, names: Sequence[str]) -> str:
    """Returns an event as a sentence. `names` are the players' names in seat order."""

    def title(card: str) -> str:
        return _(deck.spells[deck.number[card]].title)

    def titles(cards: Iterable[str]) -> str:
        return ", ".join(map(title, cards))

    def judge(name: str) -> str:
        return next(_(one.title) for one in deck.judges if one.name == name)

    def fighter(name: str) -> str:
        return next(_(one.title) for one in deck.fighters if one.name == name)

    def who(seat: int) -> str:
        return names[seat - 1]

    paid = _(" for {price} gold, by foul play", price=FOUL_PRICE)
    happened = cast(events.ArenaEvent, event)
    match happened:
        case events.RoundBegan(round=number):
            return _("Round {number} begins.", number=number)
        case events.Starts(seat=seat, by_lot=by_lot):
            return (
                _("{who} begins, chosen at random.", who=who(seat))
                if by_lot
                else _("{who} begins as the richest player.", who=who(seat))
            )
        case events.FightersDrawn(fighters=drawn):
            return _("The fighters: ") + ", ".join(f"{n} {fighter(name)}" for n, name in enumerate(drawn, 1)) + "."
        case events.JudgeDrawn(judge=name):
            return _("The judge is {judge}.", judge=judge(name))
        case events.JudgeLeft(judge=name):
            return _("{judge}, leaves the game.", judge=judge(name))
        case events.BetPlaced(seat=seat, count=count):
            return ngettext("{who} places {n} betting card.", "{who} places {n} betting cards.", count, who=who(seat))
        case events.YouBet(on=on):
            return _("Your bet is on {listed}.", listed=" ".join(map(str, on)))
        case events.BetChanged(seat=seat):
            return _("{who} swaps a betting card.", who=who(seat))
        case events.SpellPlaced(seat=seat, card=card, fighter=number, paid=foul):
            return _(
                "{who} casts {title} at fighter {number}{paid}.",
                who=who(seat),
                title=title(card),
                number=number,
                paid=paid * foul,
            )
        case events.SpellHidden(seat=seat, fighter=number, paid=foul):
            return _(
                "{who} lays a spell face down on fighter {number}{paid}.",
                who=who(seat),
                number=number,
                paid=paid * foul,
            )
        case events.YouHid(card=card, fighter=number, paid=foul):
            return _(
                "You lay {title} face down on fighter {number}{paid}.",
                title=title(card),
                number=number,
                paid=paid * foul,
            )
        case events.SupportCast(seat=seat, card=card, paid=foul):
            return _("{who} casts {title}{paid}.", who=who(seat), title=title(card), paid=paid * foul)
        case events.Looked(seat=seat, fighter=number):
            return _("{who} looks at what lies face down on fighter {number}.", who=who(seat), number=number)
        case events.YouSaw(fighter=number, spells=spells):
            seen = ", ".join(f"{number}.{spell.place} {title(spell.card)}" for spell in spells) or _("nothing")
            return _("Face down on fighter {number} you see {seen}.", number=number, seen=seen)
        case events.Dispelled(fighter=number, place=place, card=card):
            return _("{number}.{place}, {title}, is discarded.", number=number, place=place, title=title(card))
        case events.Cleared(fighter=number, cards=cards):
            return _(
                "Everything on fighter {number} is discarded: {titles}.",
                number=number,
                titles=titles(cards) or _("nothing"),
            )
        case events.EnduringEnded(card=card):
            return _("{title} leaves play.", title=title(card))
        case events.Doubled(fighter=number, place=place):
            return _("The power of {number}.{place} is doubled.", number=number, place=place)
        case events.MustForget(seat=seat):
            return _("{who} has to discard a card.", who=who(seat))
        case events.Discarded(seat=seat, card=card):
            return _("{who} discards {title}.", who=who(seat), title=title(card))
        case events.Replaced(number=number, fighter=name):
            return _("Fighter {number} turns into {fighter}.", number=number, fighter=fighter(name))
        case events.SpellMoved(fighter=number, place=place, to=to):
            return _("{number}.{place} moves to fighter {to}.", number=number, place=place, to=to)
        case events.Passed(seat=seat, empty_handed=empty_handed):
            return (
                _("{who} has no cards and passes.", who=who(seat))
                if empty_handed
                else _("{who} passes.", who=who(seat))
            )
        case events.Drew(seat=seat, count=count):
            return ngettext("{who} draws {n} card.", "{who} draws {n} cards.", count, who=who(seat))
        case events.YouDrew(cards=cards):
            return _("You draw {titles}.", titles=titles(cards))
        case events.Reshuffled(count=count):
            return ngettext(
                "The {n} discarded card is shuffled into a new spell pile.",
                "The {n} discarded cards are shuffled into a new spell pile.",
                count,
            )
        case events.TurnedUp(fighter=number, cards=cards):
            return _("Turned up on fighter {number}: {titles}.", number=number, titles=titles(cards))
        case events.Struck(fighter=number, card=card):
            return _("{title} on fighter {number} was not lawful and is discarded.", title=title(card), number=number)
        case events.Disputed(fighter=number, card=card):
            return _("{title} on fighter {number} was refused. May it stay?", title=title(card), number=number)
        case events.Voted(seat=seat, keeps=keeps):
            return _("{who} would keep it.", who=who(seat)) if keeps else _("{who} strikes it.", who=who(seat))
        case events.Kept(fighter=number, card=card):
            return _("All agree: {title} stays on fighter {number}.", title=title(card), number=number)
        case events.LimitRevealed(card=card, limit=limit, verdict=verdict):
            return _(
                "{title} is revealed: the limit is {limit}, the verdict {verdict}.",
                title=title(card),
                limit=limit,
                verdict=_(verdict),
            )
        case events.Judged(fighter=number, mana=mana, verdict=verdict):
            fate = _("is ejected") if verdict == "eject" else _("has its spells dispelled")
            return _("With {mana} mana fighter {number} {fate}.", mana=mana, number=number, fate=fate)
        case events.Won(fighter=number, name=name, power=power, prize=prize):
            return _(
                "Fighter {number}, {fighter}, wins with power {power}; the prize is {prize}.",
                number=number,
                fighter=fighter(name),
                power=power,
                prize=prize,
            )
        case events.NobodyWon():
            return _("Every fighter is ejected: nobody wins, and the round is played again.")
        case events.BetShown(seat=seat, on=on, paid=amount):
            return _(
                "{who} had bet on {listed} and gets {gold}.",
                who=who(seat),
                listed=" ".join(map(str, on)),
                gold=gold_text(amount),
            )


def ending_sentence(reason: str, winners: Sequence[str], money: int) -> str:
    """Returns a sentence that says how a match ended."""
    who = _(" and ").join(winners)
    if reason == "shared":
        return _("The win is shared by {who}, with {gold}.", who=who, gold=gold_text(money))
    if reason == "cards":
        return _("{who} wins: others have {gold}, too, but fewer cards in hand.", who=who, gold=gold_text(money))
    return _("{who} wins with {gold}.", who=who, gold=gold_text(money))
