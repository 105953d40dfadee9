"""A match as readable text that shows who heard what: `2 < action`, `* > event`, `1 > event`, `-1 > event`.

`*` is everybody, `1` seat 1 alone, `-1` everybody but seat 1. Golden matches in the tests are such texts.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from games.api import Game, Options, Told
from games.exam import random_match


def transcript(game: Game, seats: int, options: Options, number: int) -> Iterator[str]:
    """The lines of the random match with that deal number; ends with the outcome."""
    yield f"# {game.id}, {seats} seats, deal {number}, options {_json(options)}"
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


def _audience(told: Told) -> str:
    if told.only is not None:
        return str(told.only)
    return "*" if told.but is None else f"-{told.but}"


def _json(value: msgspec.Struct) -> str:
    return msgspec.json.encode(value).decode()
