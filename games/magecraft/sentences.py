"""A sentence for everything that is heard at the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from games.magecraft import events


def sentence(event: events.MagecraftEvent, names: Sequence[str], titles: Mapping[str, str]) -> str:
    """`titles` are those of spells and characters by name; names[0] is seat 1."""

    def title(name: str) -> str:
        return titles.get(name, name)

    if isinstance(event, events.YouDrew):
        return f"You draw {listed(event.gems)}."
    if isinstance(event, events.Started):
        return f"{names[event.first - 1]} goes first. On offer: {', '.join(map(title, event.academy))}."
    who = names[event.seat - 1]
    match event:
        case events.Taken():
            return f"{who} takes the board of {title(event.character)}."
        case events.Drew():
            return f"{who} draws {event.count} gem{'s' * (event.count > 1)}."
        case events.Refilled():
            return f"{who} puts the discard into the empty bag."
        case events.Discarded():
            return f"{who} discards {_a(event.gem)} gem."
        case events.TurnBegan():
            return f"Round {event.round}: {who}'s turn."
        case events.Unshielded():
            return f"{who} discards {_a(event.gem)} gem from the shield."
        case events.SpellCast():
            helped = f", helped by the golden {event.gold} gem" if event.gold else ""
            return f"{who} casts {title(event.spell)} from book {event.book}{_for(event.gems)}{helped}."
        case events.InnateCast():
            return f"{who} casts the innate {title(event.spell)}{_for(event.gems)}."
        case events.Paid():
            return f"{who} pays {listed(event.gems)}."
        case events.GoldKept():
            return f"{who} keeps the {event.gem} gem as the golden gem."
        case events.GoldLost():
            return f"{who} discards the golden {event.gem} gem."
        case events.Attacked():
            victim = names[event.victim - 1]
            if event.zone == "shield":
                return f"{who} knocks {_a(event.gem)} gem off {victim}'s shield."
            return f"{who} takes {_a(event.gem)} gem of {victim}'s life into the score."
        case events.Healed():
            return f"{who} takes {_a(event.gem)} gem from the Academy into {_zone(event.zone)}."
        case events.Shielded():
            return f"{who} shields with {_a(event.gem)} gem from the {event.source}."
        case events.Vanished():
            return f"{who} vanishes {_a(event.gem)} gem from {_zone(event.source)} into the score."
        case events.Darkened():
            return f"{who} puts a darkness gem into {names[event.victim - 1]}'s discard."
        case events.Learnt():
            return f"{who} learns {title(event.spell)} into book {event.book}."
        case events.Revising():
            return f"{who} pays {listed(event.gems)} to revise."
        case events.Lifted():
            return f"{who} lifts {title(event.spell)} out of book {event.book}."
        case events.Placed():
            return f"{who} puts {title(event.spell)} into book {event.book}, place {event.place}."
        case events.Mastered():
            return f"{who} masters {title(event.spell)}."
        case events.HandDiscarded():
            return f"{who} discards {listed(event.gems)}." if event.gems else ""
        case events.Eliminated():
            return f"{who} is eliminated."
        case _:
            assert_never(event)


def listed(gems: Sequence[str]) -> str:
    """`2 fire and 1 light`; the order of first appearance."""
    if not gems:
        return "nothing"
    parts = [f"{gems.count(gem)} {gem}" for gem in dict.fromkeys(gems)]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _zone(zone: str) -> str:
    return zone if zone == "life" else f"the {zone}"


def _a(gem: str) -> str:
    return f"an {gem}" if gem == "earth" else f"a {gem}"


def _for(gems: Sequence[str]) -> str:
    return f" for {listed(gems)}" if gems else ""
