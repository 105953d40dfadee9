"""Writes each event as a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from games.magecraft import events
from games.magecraft.language import N_, _, ngettext

A_GEM = {
    "fire": N_("a fire gem"),
    "water": N_("a water gem"),
    "earth": N_("an earth gem"),
    "light": N_("a light gem"),
    "darkness": N_("a darkness gem"),
}
THE_GEM = {
    "fire": N_("the fire gem"),
    "water": N_("the water gem"),
    "earth": N_("the earth gem"),
    "light": N_("the light gem"),
    "darkness": N_("the darkness gem"),
}


def event_sentence(event: events.MagecraftEvent, names: Sequence[str], titles: Mapping[str, str]) -> str:
    """Returns an event as a sentence. `titles` has the titles of spells and characters by name. `names` are the
    players' names in seat order."""

    def title(name: str) -> str:
        return titles.get(name, name)

    if isinstance(event, events.YouDrew):
        return _("You draw {listed}.", listed=gem_list_text(event.gems))
    if isinstance(event, events.Started):
        return _(
            "{name} goes first. On offer: {titles}.",
            name=names[event.first - 1],
            titles=", ".join(map(title, event.academy)),
        )
    who = names[event.seat - 1]
    match event:
        case events.Taken():
            return _("{who} takes the board of {title}.", who=who, title=title(event.character))
        case events.Drew():
            return ngettext("{who} draws {n} gem.", "{who} draws {n} gems.", event.count, who=who)
        case events.Refilled():
            return _("{who} puts the discard into the empty bag.", who=who)
        case events.Discarded():
            return _("{who} discards {gem}.", who=who, gem=_a(event.gem))
        case events.TurnBegan():
            return _("Round {round}: {who}'s turn.", round=event.round, who=who)
        case events.Unshielded():
            return _("{who} discards {gem} from the shield.", who=who, gem=_a(event.gem))
        case events.SpellCast():
            helped = _(", helped by the golden {gem} gem", gem=_(event.gold)) if event.gold else ""
            return _(
                "{who} casts {title} from book {book}{paid}{helped}.",
                who=who,
                title=title(event.spell),
                book=event.book,
                paid=_for(event.gems),
                helped=helped,
            )
        case events.InnateCast():
            return _("{who} casts the innate {title}{paid}.", who=who, title=title(event.spell), paid=_for(event.gems))
        case events.Paid():
            return _("{who} pays {listed}.", who=who, listed=gem_list_text(event.gems))
        case events.GoldKept():
            return _("{who} keeps {gem} as the golden gem.", who=who, gem=_(THE_GEM[event.gem]))
        case events.GoldLost():
            return _("{who} discards the golden {gem} gem.", who=who, gem=_(event.gem))
        case events.Attacked():
            victim = names[event.victim - 1]
            if event.zone == "shield":
                return _("{who} knocks {gem} off {victim}'s shield.", who=who, gem=_a(event.gem), victim=victim)
            return _(
                "{who} takes {gem} from {victim}'s life into the score.", who=who, gem=_a(event.gem), victim=victim
            )
        case events.Healed():
            if event.zone == "life":
                return _("{who} takes {gem} from the Academy into life.", who=who, gem=_a(event.gem))
            return _("{who} takes {gem} from the Academy into the score.", who=who, gem=_a(event.gem))
        case events.Shielded():
            if event.source == "academy":
                return _("{who} shields with {gem} from the academy.", who=who, gem=_a(event.gem))
            return _("{who} shields with {gem} from the discard.", who=who, gem=_a(event.gem))
        case events.Vanished():
            if event.source == "life":
                return _("{who} vanishes {gem} from life into the score.", who=who, gem=_a(event.gem))
            return _("{who} vanishes {gem} from the hand into the score.", who=who, gem=_a(event.gem))
        case events.Darkened():
            return _("{who} puts a darkness gem into {name}'s discard.", who=who, name=names[event.victim - 1])
        case events.Learnt():
            return _("{who} learns {title} into book {book}.", who=who, title=title(event.spell), book=event.book)
        case events.Revising():
            return _("{who} pays {listed} to revise.", who=who, listed=gem_list_text(event.gems))
        case events.Lifted():
            return _("{who} lifts {title} out of book {book}.", who=who, title=title(event.spell), book=event.book)
        case events.Placed():
            return _(
                "{who} puts {title} into book {book}, place {place}.",
                who=who,
                title=title(event.spell),
                book=event.book,
                place=event.place,
            )
        case events.Mastered():
            return _("{who} masters {title}.", who=who, title=title(event.spell))
        case events.HandDiscarded():
            return _("{who} discards {listed}.", who=who, listed=gem_list_text(event.gems)) if event.gems else ""
        case events.Eliminated():
            return _("{who} is eliminated.", who=who)
        case _:
            assert_never(event)


def gem_list_text(gems: Sequence[str]) -> str:
    """Returns gems as text, such as `2 fire and 1 light`. Each kind stands where it first appears."""
    if not gems:
        return _("nothing")
    parts = [f"{gems.count(gem)} {_(gem)}" for gem in dict.fromkeys(gems)]
    return parts[0] if len(parts) == 1 else _("{most} and {last}", most=", ".join(parts[:-1]), last=parts[-1])


def _a(gem: str) -> str:
    return _(A_GEM[gem])


def _for(gems: Sequence[str]) -> str:
    return _(" for {listed}", listed=gem_list_text(gems)) if gems else ""
