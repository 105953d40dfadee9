"""A sentence for everything that is heard at the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from games.api import Event
from games.cheaty_mages import events
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.truth import FOUL_PRICE


def sentence(deck: Deck, event: Event, names: Sequence[str]) -> str:
    """One line for the event; names[0] is seat 1."""

    def title(card: str) -> str:
        return deck.spells[deck.number[card]].title

    def titles(cards: Iterable[str]) -> str:
        return ", ".join(map(title, cards))

    def judge(name: str) -> str:
        return next(one.title for one in deck.judges if one.name == name)

    def fighter(name: str) -> str:
        return next(one.title for one in deck.fighters if one.name == name)

    def who(seat: int) -> str:
        return names[seat - 1]

    paid = f" for {FOUL_PRICE} gold, by foul play"
    happened = cast(events.Happened, event)
    match happened:
        case events.RoundBegan(round=number):
            return f"Round {number} begins."
        case events.Starts(seat=seat, by_lot=by_lot):
            return f"{who(seat)} begins{', by lot' if by_lot else ', the richest'}."
        case events.FightersDrawn(fighters=drawn):
            return "The fighters: " + ", ".join(f"{n} {fighter(name)}" for n, name in enumerate(drawn, 1)) + "."
        case events.JudgeDrawn(judge=name):
            return f"The judge is {judge(name)}."
        case events.JudgeLeft(judge=name):
            return f"{judge(name)}, leaves the game."
        case events.BetPlaced(seat=seat, count=count):
            return f"{who(seat)} places {_count(count, 'betting card')}."
        case events.YouBet(on=on):
            return f"Your bet is on {' '.join(map(str, on))}."
        case events.BetChanged(seat=seat):
            return f"{who(seat)} swaps a betting card."
        case events.SpellPlaced(seat=seat, card=card, fighter=number, paid=foul):
            return f"{who(seat)} casts {title(card)} at fighter {number}{paid * foul}."
        case events.SpellHidden(seat=seat, fighter=number, paid=foul):
            return f"{who(seat)} lays a spell face down on fighter {number}{paid * foul}."
        case events.YouHid(card=card, fighter=number, paid=foul):
            return f"You lay {title(card)} face down on fighter {number}{paid * foul}."
        case events.SupportCast(seat=seat, card=card, paid=foul):
            return f"{who(seat)} casts {title(card)}{paid * foul}."
        case events.Looked(seat=seat, fighter=number):
            return f"{who(seat)} looks at what lies face down on fighter {number}."
        case events.YouSaw(fighter=number, spells=spells):
            seen = ", ".join(f"{number}.{spell.place} {title(spell.card)}" for spell in spells) or "nothing"
            return f"Face down on fighter {number} you see {seen}."
        case events.Dispelled(fighter=number, place=place, card=card):
            return f"{number}.{place}, {title(card)}, is discarded."
        case events.Cleared(fighter=number, cards=cards):
            return f"Everything on fighter {number} is discarded: {titles(cards) or 'nothing'}."
        case events.EnduringEnded(card=card):
            return f"{title(card)} leaves play."
        case events.Doubled(fighter=number, place=place):
            return f"The power of {number}.{place} is doubled."
        case events.MustForget(seat=seat):
            return f"{who(seat)} has to discard a card."
        case events.Discarded(seat=seat, card=card):
            return f"{who(seat)} discards {title(card)}."
        case events.Replaced(number=number, fighter=name):
            return f"Fighter {number} turns into {fighter(name)}."
        case events.SpellMoved(fighter=number, place=place, to=to):
            return f"{number}.{place} moves to fighter {to}."
        case events.Passed(seat=seat, empty_handed=empty_handed):
            return f"{who(seat)} passes{', without cards' if empty_handed else ''}."
        case events.Drew(seat=seat, count=count):
            return f"{who(seat)} draws {_count(count, 'card')}."
        case events.YouDrew(cards=cards):
            return f"You draw {titles(cards)}."
        case events.Reshuffled(count=count):
            return f"The {_count(count, 'discarded card')} are shuffled into a new spell pile."
        case events.TurnedUp(fighter=number, cards=cards):
            return f"Turned up on fighter {number}: {titles(cards)}."
        case events.Struck(fighter=number, card=card):
            return f"{title(card)} on fighter {number} was not lawful and is discarded."
        case events.LimitRevealed(card=card, limit=limit, verdict=verdict):
            return f"{title(card)} is revealed: the limit is {limit}, the verdict {verdict}."
        case events.Judged(fighter=number, mana=mana, verdict=verdict):
            fate = "is ejected" if verdict == "eject" else "has its spells dispelled"
            return f"With {mana} mana fighter {number} {fate}."
        case events.Won(fighter=number, name=name, power=power, prize=prize):
            return f"Fighter {number}, {fighter(name)}, wins with power {power}; the prize is {prize}."
        case events.NobodyWon():
            return "Every fighter is ejected: nobody wins, and the round is played again."
        case events.BetShown(seat=seat, on=on, paid=amount):
            return f"{who(seat)} had bet on {' '.join(map(str, on))} and gets {amount} gold."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + "s" * (number != 1)
