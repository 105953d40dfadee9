"""Writes each event as a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from games.mages_110m import events
from games.mages_110m.language import N_, _, ngettext

DEEDS = {
    "arm": N_("grow an arm"),
    "leg": N_("grow a leg"),
    "step": N_("take a step"),
    "clear": N_("clear a hurdle"),
    "rest": N_("get all endurance back"),
    "reserve": N_("fill the reserve"),
}

# the figures of a mage, as events name them
FIGURES = (N_("endurance"), N_("power"), N_("reserve"), N_("arms"), N_("legs"))


def event_sentence(
    event: events.RaceEvent, names: Sequence[str], titles: Mapping[str, str], texts: Mapping[str, str], squares: int
) -> str:
    """Returns an event as a sentence.

    `titles` has the titles, and `texts` the jokes, of cards by name. `names` are the players' names in seat order.
    `squares` is the number of squares before the finish line.
    """

    def name(seat: int) -> str:
        return names[seat - 1]

    def cards(some: Sequence[str]) -> str:
        return _("; ").join(titles[card] for card in some)  # titles may contain commas

    match event:
        case events.Started(first):
            return _("The starter's hat falls. {name} goes first.", name=name(first))
        case events.Began(seat, number):
            return _("Turn {number}: {name}.", number=number, name=name(seat))
        case events.Drew():
            return _drew(event, names, titles, texts)
        case events.YouDrew(some):
            return _("You draw {cards}.", cards=cards(some))
        case events.Counted(cvs, ahead):
            count = ", ".join(f"{name(seat)} {many}" for seat, many in enumerate(cvs, 1))
            gain = _(" and ").join(name(seat) for seat in ahead) or _("Nobody")
            return _("The pile is empty. CVs: {count}. {gain} may run ahead two squares.", count=count, gain=gain)
        case events.Shuffled(some):
            return _("The discard pile is shuffled: {some} cards.", some=some)
        case events.KingCame(first):
            return _("The king is bored! Everybody plays the whole hand, {name} first.", name=name(first))
        case events.Bared(seat, dropped):
            lost = _(" and discards {cards}", cards=cards(dropped)) if dropped else ""
            return _("{name} steps before the king{lost}.", name=name(seat), lost=lost)
        case events.KingLeft():
            return _("The king leaves, a little less bored.")
        case events.Ticked(seat, card, counters):
            return _(
                "{name}'s {card} goes on ({counters} left).", name=name(seat), card=titles[card], counters=counters
            )
        case events.Ended(seat, card):
            return _("{name}'s {card} ends.", name=name(seat), card=titles[card])
        case events.WasCast(seat, card, at):
            return _("{name} casts {card}", name=name(seat), card=titles[card]) + (
                _(" at {name}.", name=name(at)) if at else "."
            )
        case events.Gambled(seat, dropped):
            return _("{name} throws away {cards} and trusts the pile.", name=name(seat), cards=cards(dropped))
        case events.TurnedUp(_, aside, spell):
            back = _(" {cards} will go back.", cards=cards(aside)) if aside else ""
            return (_("The pile gives {cards}.", cards=cards(spell)) if spell else _("The pile gives no spell.")) + back
        case events.Rolled(seat, die, bonus, need):
            extra = f" {bonus:+d}" if bonus else ""
            return _("{name} rolls {die}{extra}, needs {need}.", name=name(seat), die=die, extra=extra, need=need)
        case events.Paid(seat, reserve):
            return _("{name} pays the rest from the reserve, {reserve} left.", name=name(seat), reserve=reserve)
        case events.Failed(seat, card):
            return _("{name}'s {card} fails.", name=name(seat), card=titles[card])
        case events.Answers(_, card, counters):
            if not counters:
                return _("Nobody stops {card}.", card=titles[card])
            seat, counter = counters[0]
            return _(
                "{name} answers {card} with {counter}!", name=name(seat), card=titles[card], counter=titles[counter]
            )
        case events.Lies(seat, card, counters):
            return ngettext(
                "{card} lies in front of {name} ({counters} counter).",
                "{card} lies in front of {name} ({counters} counters).",
                counters,
                card=titles[card],
                name=name(seat),
                counters=counters,
            )
        case events.Bounced(seat, card):
            return _("{card} bounces off {name}.", card=titles[card], name=name(seat))
        case events.Changed(seat, figure, now):
            return _("{name}: {figure} {now}.", name=name(seat), figure=_(figure), now=now)
        case events.LimbLot(seat, limb):
            if limb == "arm":
                return _("{name} loses an arm, chosen at random.", name=name(seat))
            return _("{name} loses a leg, chosen at random.", name=name(seat))
        case events.Moved(seat, square, cleared):
            through = ngettext(" through {n} hurdle", " through {n} hurdles", len(cleared)) if cleared else ""
            where = _("moves to square {square}", square=square) if square <= squares else _("leaves the last square")
            return _("{name} {where}{through}.", name=name(seat), where=where, through=through)
        case events.Cleared(seat, hurdles):
            return ngettext(
                "{name}'s hurdle behind {squares} is broken.",
                "{name}'s hurdles behind {squares} are broken.",
                len(hurdles),
                name=name(seat),
                squares=_numbers(hurdles),
            )
        case events.Raised(seat, hurdles):
            return _("{name} has hurdles again behind {squares}.", name=name(seat), squares=_numbers(hurdles))
        case events.Surged(seat):
            return _("{name} glows with power and bursts ahead!", name=name(seat))
        case events.Mislaid(seat, some):
            return _("{name} mislays {cards}.", name=name(seat), cards=cards(some))
        case events.Dazed(seat):
            return _("{name} is dazed and will have no action next turn.", name=name(seat))
        case events.Traded(seat, deed):
            return _("{name} discards two cards to {deed}.", name=name(seat), deed=_(DEEDS[deed]))
        case events.Dropped(seat, card):
            return _("{name} discards {card}.", name=name(seat), card=titles[card])
        case events.Passed(seat):
            return _("{name} takes no action.", name=name(seat))
        case events.Finished(leaders, crossed):
            front = _(" and ").join(name(seat) for seat in leaders)
            return (
                _("{front} crosses the line!", front=front)
                if crossed
                else _("The race is called off; in front: {front}.", front=front)
            )
        case _:
            assert_never(event)


def _drew(event: events.Drew, names: Sequence[str], titles: Mapping[str, str], texts: Mapping[str, str]) -> str:
    """Returns the sentence for drawn cards. It contains the joke on each CV that stays in front of the mage (rule
    3.2)."""
    said = [ngettext("{n} card", "{n} cards", event.hand)] if event.hand else []
    for card in event.front:
        title, text = titles[card], texts[card]
        said.append(
            _('{card} (in front): "{text}"', card=title, text=text) if text else _("{card} (in front)", card=title)
        )
    said += [_("{card} (goes back)", card=titles[card]) for card in event.aside]
    said += [_("the bored king")] if event.king else []
    said += [_("{card} (discarded)", card=titles[card]) for card in event.dropped]
    return _("{name} draws {listed}.", name=names[event.seat - 1], listed=_("; ").join(said))


def _numbers(squares: Sequence[int]) -> str:
    listed = ", ".join(map(str, squares))
    return ngettext("square {squares}", "squares {squares}", len(squares), squares=listed)


def ending_sentence(reason: str, winners: Sequence[str], metres: int) -> str:
    """Returns a sentence that says how a race ended."""
    who = _(" and ").join(winners)
    if reason == "line":
        return _("{who} crossed the line.", who=who)
    return ngettext(
        "The race was called off; the win goes to {who}, in front with {n} metre.",
        "The race was called off; the win goes to {who}, in front with {n} metres.",
        metres,
        who=who,
    )
