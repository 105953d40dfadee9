"""One sentence for each thing heard in a race."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from games.mages_110m import events

DEEDS = {
    "arm": "grow an arm",
    "leg": "grow a leg",
    "step": "take a step",
    "clear": "clear a hurdle",
    "rest": "get all endurance back",
    "reserve": "fill the reserve",
}


def sentence(event: events.Heard, names: Sequence[str], titles: Mapping[str, str], squares: int) -> str:
    """`titles` are the cards' titles by name; names[0] is seat 1; the line lies behind that many squares."""

    def name(seat: int) -> str:
        return names[seat - 1]

    def cards(some: Sequence[str]) -> str:
        return "; ".join(titles[card] for card in some)  # a title may hold a comma

    match event:
        case events.Started(first):
            return f"The starter's hat falls. {name(first)} goes first."
        case events.Began(seat, number):
            return f"Turn {number}: {name(seat)}."
        case events.Drew():
            return _drew(event, names, titles)
        case events.YouDrew(some):
            return f"You draw {cards(some)}."
        case events.Counted(cvs, ahead):
            count = ", ".join(f"{name(seat)} {many}" for seat, many in enumerate(cvs, 1))
            gain = " and ".join(name(seat) for seat in ahead) or "Nobody"
            return f"The pile is empty. CVs: {count}. {gain} may run ahead two squares."
        case events.Shuffled(some):
            return f"The discard pile is shuffled: {some} cards."
        case events.KingCame(first):
            return f"The king is bored! Everybody plays the whole hand, {name(first)} first."
        case events.Bared(seat, dropped):
            lost = f" and discards {cards(dropped)}" if dropped else ""
            return f"{name(seat)} steps before the king{lost}."
        case events.KingLeft():
            return "The king leaves, a little less bored."
        case events.Ticked(seat, card, counters):
            return f"{name(seat)}'s {titles[card]} goes on ({counters} left)."
        case events.Ended(seat, card):
            return f"{name(seat)}'s {titles[card]} ends."
        case events.WasCast(seat, card, at):
            return f"{name(seat)} casts {titles[card]}" + (f" at {name(at)}." if at else ".")
        case events.Gambled(seat, dropped):
            return f"{name(seat)} throws away {cards(dropped)} and trusts the pile."
        case events.TurnedUp(_, aside, spell):
            back = f" {cards(aside)} will go back." if aside else ""
            return (f"The pile gives {cards(spell)}." if spell else "The pile gives no spell.") + back
        case events.Rolled(seat, die, bonus, need):
            extra = f" {bonus:+d}" if bonus else ""
            return f"{name(seat)} rolls {die}{extra}, needs {need}."
        case events.Paid(seat, reserve):
            return f"{name(seat)} pays the rest from the reserve, {reserve} left."
        case events.Failed(seat, card):
            return f"{name(seat)}'s {titles[card]} fails."
        case events.Answers(_, card, counters):
            if not counters:
                return f"Nobody stops {titles[card]}."
            seat, counter = counters[0]
            return f"{name(seat)} answers {titles[card]} with {titles[counter]}!"
        case events.Lies(seat, card, counters):
            return f"{titles[card]} lies in front of {name(seat)} ({counters} counters)."
        case events.Bounced(seat, card):
            return f"{titles[card]} bounces off {name(seat)}."
        case events.Changed(seat, figure, now):
            return f"{name(seat)}: {figure} {now}."
        case events.LimbLot(seat, limb):
            return (
                f"The lot says: {name(seat)} loses an {limb}."
                if limb == "arm"
                else (f"The lot says: {name(seat)} loses a {limb}.")
            )
        case events.Moved(seat, square, cleared):
            through = f" through {len(cleared)} hurdle{'s' * (len(cleared) > 1)}" if cleared else ""
            where = f"moves to square {square}" if square <= squares else "leaves the last square"
            return f"{name(seat)} {where}{through}."
        case events.Cleared(seat, hurdles):
            return f"{name(seat)}'s hurdle{'s' * (len(hurdles) > 1)} behind {_numbers(hurdles)} broken."
        case events.Raised(seat, hurdles):
            return f"{name(seat)} has hurdles again behind {_numbers(hurdles)}."
        case events.Surged(seat):
            return f"{name(seat)} glows with power and bursts ahead!"
        case events.Mislaid(seat, some):
            return f"{name(seat)} mislays {cards(some)}."
        case events.Dazed(seat):
            return f"{name(seat)} is dazed and will have no action next turn."
        case events.Traded(seat, deed):
            return f"{name(seat)} discards two cards to {DEEDS[deed]}."
        case events.Dropped(seat, card):
            return f"{name(seat)} discards {titles[card]}."
        case events.Passed(seat):
            return f"{name(seat)} takes no action."
        case events.Finished(leaders, crossed):
            front = " and ".join(name(seat) for seat in leaders)
            return f"{front} crosses the line!" if crossed else f"The race is called off; in front: {front}."
        case _:
            assert_never(event)


def _drew(event: events.Drew, names: Sequence[str], titles: Mapping[str, str]) -> str:
    said = [f"{event.hand} card{'s' * (event.hand != 1)}"] if event.hand else []
    said += [f"{titles[card]} (in front)" for card in event.front]
    said += [f"{titles[card]} (goes back)" for card in event.aside]
    said += ["the bored king"] if event.king else []
    said += [f"{titles[card]} (discarded)" for card in event.dropped]
    return f"{names[event.seat - 1]} draws {'; '.join(said)}."


def _numbers(squares: Sequence[int]) -> str:
    return "squares " + ", ".join(map(str, squares)) if len(squares) > 1 else f"square {squares[0]}"
