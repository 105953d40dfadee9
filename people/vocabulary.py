"""Completion of the last word of a line that is being typed. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from languages import strip_accents
from people.choices import current_choices
from people.context import build_context
from people.state import PersonState
from people.text.lookup import available_commands, commands_by_translation, expand_word, translated_word
from people.text.typing_context import game_words


def split_lines(text: str) -> list[str]:
    """Returns the lines of a typed or pasted text, without empty ones."""
    return [line for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n") if line.strip()]


def completions(person: PersonState, text: str) -> list[str]:
    """Returns the words that can complete the last word of `text` for this person now."""
    table = person.seats.here  # read once, because this is called from the terminal's thread
    turn = table.turn if table else None
    phrases = [choice.line for choice in current_choices(person)]
    if turn is not None:
        phrases += game_words(turn.game.words.help_text)
    if " " in text:
        phrases += _arguments(person)
    return next_words(text, phrases, build_context(person).without)


def _arguments(person: PersonState) -> Iterator[str]:
    """Yields a phrase for each command and each known argument of it: a name, a table, a game, a bot or a card."""
    table = person.seats.here
    cards = [card.name for card in table.game.cards()] if table is not None else []
    people = [name for name in (table.people if table is not None else ()) if name and name != person.name]
    tables = dict.fromkeys([*person.seats.tables, *(info.table for info in person.seats.listed)])
    games = [table.game] if table is not None else list(person.games.values())
    bots = person.settings.stand_ins.bot_names(games)
    known: dict[str, Iterable[str]] = {
        "GAME": person.games, "NAME": people, "TABLE": tables, "BOT": bots,
        "COMMAND": available_commands(), "on": ("on", "off")
    }  # fmt: skip
    for word, row in available_commands(build_context(person).without).items():
        for argument in re.findall(r"[A-Za-z]+", row.arguments.split(" ")[0]):
            yield from (f"{word} {one}" for one in known.get(argument, ()))
    yield from (f"cards {card}" for card in cards)


def next_words(text: str, phrases: Sequence[str], without: Collection[str] = ()) -> list[str]:
    """Returns the words that can complete the last word of `text`.

    The words come from `phrases`, which are whole lines, such as the legal actions. The first word of a line can also
    be a command that is not in `without`.
    """
    words = text.split(" ")
    before, last = [word.lower() for word in words[:-1] if word], strip_accents(words[-1])
    first = commands_by_translation().get(strip_accents(before[0]), expand_word(before[0])) if before else ""
    readings = [before[1:]] if first == "why" else [before, [first, *before[1:]]] if first else [before]
    found: dict[str, None] = {}
    for phrase in phrases:
        parts = phrase.split(" ")
        if len(parts) > len(readings[0]) and any(_agree(parts, one) for one in readings):
            word = parts[len(readings[0])]
            if strip_accents(word).startswith(last):
                found[word] = None
    if len(words) == 1:
        names = list(available_commands(without))
        said = [word for word in map(translated_word, names) if strip_accents(word).startswith(last)]
        found |= dict.fromkeys(said or [name for name in names if name.startswith(last)])
    return list(found)


def _agree(parts: Sequence[str], before: Sequence[str]) -> bool:
    return all(part.lower().startswith(word) for part, word in zip(parts, before, strict=False))
