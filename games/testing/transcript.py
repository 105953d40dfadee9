"""A match as readable text that shows who heard what: `2 < action`, `* > event`, `1 > event`, `-1 > event`.

`*` is everybody, `1` seat 1 alone, `-1` everybody but seat 1. Golden matches in the tests are such texts.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from games.api import Game, Options, Told, changed_options, to_map
from games.testing.exam import random_match


def transcript(game: Game, seats: int, options: Options, number: int) -> Iterator[str]:
    """The lines of the random match with that deal number; ends with the outcome."""
    yield f"# {game.id}, {seats} seats, deal {number}{changed(game, options)}"
    state = None
    for moment in random_match(game, seats, options, number):
        state = moment.state
        if moment.action is not None:
            yield f"{moment.seat} < {game.words.write(moment.action)}"
        for told in moment.told:
            yield f"{_audience(told)} > {_json(told.event)}"
    assert state is not None
    outcome = state.outcome()
    assert outcome is not None
    yield f"= {_json(outcome)}"


def changed(game: Game, options: Options) -> str:
    """The options that differ from the game's defaults, for a heading: a new option changes no text of a match without
    it. "" for none."""
    listed = changed_options(game, to_map(options))
    return "".join(f", {name} {msgspec.json.encode(value).decode()}" for name, value in listed.items())


def _audience(told: Told) -> str:
    if told.only is not None:
        return str(told.only)
    return "*" if told.but is None else f"-{told.but}"


def _json(value: msgspec.Struct) -> str:
    return msgspec.json.encode(value).decode()
