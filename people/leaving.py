"""What is said to a person who leaves, before or after. Pure."""

from __future__ import annotations

from people.hosting import warn_guests
from people.human import Human
from people.language import _


def plays(human: Human) -> bool:
    """Whether the person has a seat in a running match."""
    return any(table.seat and table.state == "playing" for table in human.tables.values())


def holds_seat(human: Human) -> bool:
    """Whether the person has a seat in a match that others play on."""
    return not human.quiet and plays(human)


def goodbye(human: Human) -> str:
    """What the person reads when they leave."""
    if human.saves and plays(human):
        return _("Goodbye. The match is kept; magehall alone goes on with it.")
    if not holds_seat(human):
        return _("Goodbye.{later}", later="")
    if human.host is None:
        later = _(" Your seat is held for a while; the same command brings you back.")
    else:
        later = _(" The match is kept; the same command goes on with it.") if human.host.keeps else ""
    return _("Goodbye.{later}", later=later)


def warn_before(human: Human, key: str) -> str:
    """What a key that leaves does, to be said before it does so; "" where nothing is left."""
    guests = warn_guests(human.host)
    if human.input_ended or not (plays(human) or guests):
        return ""
    if guests and key != "Ctrl-D":
        return _("{guests} Press {key} again to leave.", guests=guests, key=key)
    if key == "Ctrl-D":
        return _("Ctrl-D ends your typing: a house bot plays on for you. Press it again to do so.")
    if human.saves:
        what = _("magehall goes on with it")
    elif holds_seat(human) and human.host is None:
        what = _("your seat is held for a while")
    else:
        kept = human.host is not None and human.host.keeps
        what = _("it goes on when you host again") if kept else _("it ends here")
    return _("{key} leaves the match; {what}. Press it again to leave.", key=key, what=what)


def warn_quit(human: Human) -> str:
    """What is said before a typed word that leaves does so; "" where it may do so at once."""
    if guests := warn_guests(human.host):
        return _("{warning} Type q again to leave.", warning=guests)
    if human.saves and plays(human) and not human.input_ended:
        return _("The match is kept, and magehall alone goes on with it. Type q again to leave.")
    return ""


def warned(human: Human, key: str) -> str:
    """What `warn_before` says, which then has as much room as an answer."""
    if text := warn_before(human, key):
        human.answer = [[("bad", text)]]
    return text
