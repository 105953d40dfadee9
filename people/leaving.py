"""Warnings for a person who is about to leave the program, and the goodbye for one who has left. Pure."""

from __future__ import annotations

from people.hosting import guests_warning
from people.language import _
from people.state import PersonState


def is_playing(person: PersonState) -> bool:
    """Returns whether the person has a seat in a running match."""
    return any(table.seat and table.state == "playing" for table in person.seats.tables.values())


def holds_seat(person: PersonState) -> bool:
    """Returns whether the person has a seat in a running match on a server, which goes on without them."""
    return not person.settings.quiet and is_playing(person)


def goodbye_text(person: PersonState) -> str:
    """Returns the goodbye, which says what happens to the person's seat and how to come back to it."""
    if person.settings.saves and is_playing(person):
        return _("Goodbye. The match is kept; magehall alone goes on with it.")
    if not holds_seat(person):
        return _("Goodbye.{later}", later="")
    if person.settings.host is None:
        later = _(" Your seat is held for a while; the same command brings you back.")
    else:
        later = _(" The match is kept; the same command goes on with it.") if person.settings.host.keeps else ""
    return _("Goodbye.{later}", later=later)


def leave_warning(person: PersonState, key: str) -> str:
    """Returns the warning to show before a key that leaves the program, such as Ctrl-C, takes effect; "" if the person
    leaves neither a running match nor guests."""
    guests = guests_warning(person.settings.host, person.name)
    if person.prompt.has_ended or not (is_playing(person) or guests):
        return ""
    if guests and key != "Ctrl-D":
        return _("{guests} Press {key} again to leave.", guests=guests, key=key)
    if key == "Ctrl-D":
        return _("Ctrl-D ends your typing: a house bot plays on for you. Press it again to do so.")
    if person.settings.saves:
        what = _("magehall goes on with it")
    elif holds_seat(person) and person.settings.host is None:
        what = _("your seat is held for a while")
    else:
        kept = person.settings.host is not None and person.settings.host.keeps
        what = _("it goes on when you host again") if kept else _("it ends here")
    return _("{key} leaves the match; {what}. Press it again to leave.", key=key, what=what)


def quit_warning(person: PersonState) -> str:
    """Returns the warning to show before a typed `quit` takes effect; "" if no warning is necessary."""
    if guests := guests_warning(person.settings.host, person.name):
        return _("{warning} Type q again to leave.", warning=guests)
    if person.settings.saves and is_playing(person) and not person.prompt.has_ended:
        return _("The match is kept, and magehall alone goes on with it. Type q again to leave.")
    return ""


def prepare_leave_warning(person: PersonState, key: str) -> str:
    """Returns the text of `warn_before`, and makes room for it on the screen like for the answer to a typed line."""
    if text := leave_warning(person, key):
        person.page.set_answer([[("bad", text)]])
    return text
