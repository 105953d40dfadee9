"""What is said to a person who leaves, before or after. Pure."""

from __future__ import annotations

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
    if not holds_seat(human):
        return "Goodbye."
    if human.host is None:
        return "Goodbye. Your seat is held for a while; the same command brings you back."
    return "Goodbye. The match is kept; the same command goes on with it." if human.host.keeps else "Goodbye."


def warn_before(human: Human, key: str) -> str:
    """What a key that leaves does, to be said before it does so; "" where nothing is left."""
    guests = warn_guests(human.host)
    if human.input_ended or not (plays(human) or guests):
        return ""
    if guests and key != "Ctrl-D":
        return f"{guests} Press {key} again to leave."
    if key == "Ctrl-D":
        return "Ctrl-D ends your typing: a house bot plays on for you. Press it again to do so."
    if holds_seat(human) and human.host is None:
        what = "your seat is held for a while"
    else:
        what = "it goes on when you host again" if human.host is not None and human.host.keeps else "it ends here"
    return f"{key} leaves the match; {what}. Press it again to leave."
