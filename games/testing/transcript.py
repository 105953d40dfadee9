"""Writes a match as readable text. An action has the line `2 < action`, in which 2 is the seat. An event has a line
with its receivers, such as `* > event`, `1 > event` or `-1 > event`.

`*` means all seats and spectators, `1` only seat 1, `-1` all but seat 1. The golden matches of the tests are such
texts.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from games.api import AddressedEvent, Game, Options, changed_options, to_map
from games.testing.exam import random_match


def match_transcript(game: Game, seats: int, options: Options, number: int) -> Iterator[str]:
    """Yields the lines of a random match, the outcome last.

    Args:
        game: The game.
        seats: The number of players.
        options: The table's options.
        number: The number of the deal.

    Yields:
        One line of text at a time.
    """
    yield f"# {game.id}, {seats} seats, deal {number}{changed_options_text(game, options)}"
    state = None
    for moment in random_match(game, seats, options, number):
        state = moment.state
        if moment.action is not None:
            yield f"{moment.seat} < {game.words.format_action(moment.action)}"
        for told in moment.told:
            yield f"{_audience(told)} > {_json(told.event)}"
    assert state is not None
    outcome = state.outcome()
    assert outcome is not None
    yield f"= {_json(outcome)}"


def changed_options_text(game: Game, options: Options) -> str:
    """Returns the options that differ from the defaults, as part of a heading; "" for none. Defaults are left out, so
    that a new option changes no existing transcript."""
    listed = changed_options(game, to_map(options))
    return "".join(f", {name} {msgspec.json.encode(value).decode()}" for name, value in listed.items())


def _audience(told: AddressedEvent) -> str:
    if told.only is not None:
        return str(told.only)
    return "*" if told.but is None else f"-{told.but}"


def _json(value: msgspec.Struct) -> str:
    return msgspec.json.encode(value).decode()
