"""What is said to a person who leaves, before or after. Pure."""

from __future__ import annotations

from client.language import _
from client.person.hosting import warn_guests
from client.person.human import Human


def plays(human: Human) -> bool:
    """Whether the person has a seat in a running match."""
    return any(table.seat and table.state == "playing" for table in human.tables.values())


def holds_seat(human: Human) -> bool:
    """Whether the person has a seat in a match that others play on."""
    return not human.quiet and plays(human)


def goodbye(human: Human) -> str:
    """What the person reads when they leave."""
    later = _(" Your seat is held for a while; the same command brings you back.") if holds_seat(human) else ""
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
    what = _("your seat is held for a while") if holds_seat(human) else _("it ends here")
    return _("{key} leaves the match; {what}. Press it again to leave.", key=key, what=what)
