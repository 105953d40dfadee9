"""Draws the board of a table from the template in the folder of its game."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from languages import current_language
from people.choices import Choice
from people.table import PersonTable
from protocol.messages.parts import Map

HERE = Path(__file__).parent
_ENVIRONMENT = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


CACHED = 64  # most cached boards and values of boards
_cache: OrderedDict[tuple[object, ...], tuple[object, ...]] = OrderedDict()  # each entry also holds its views


def render_board(table: PersonTable, choices: Iterable[Choice]) -> str | None:
    """Returns the board as HTML. All its texts come from the view of the person's seat and are escaped.

    The latest boards are cached, because all spectators of a table have the same view, as the same object.

    Args:
        table: The table, which has a view.
        choices: The person's choices. The template marks what they are about.

    Returns:
        The HTML; None if the game has no template.
    """
    path, view, before = table.game.page_template, table.view, table.before
    if path is None or view is None:
        return None
    actions = frozenset(frozenset(facts(choice.action)) for choice in choices if choice.action)
    people = tuple(table.people)
    values = _cached("values", view, None, people, (), lambda: table.game.words.page_values(view, people))
    was = dict.fromkeys(values)
    if before is not None:
        was = _cached("values", before, None, people, (), lambda: table.game.words.page_values(before, people))
    can = partial(_has, actions)
    html: str = _cached("html", view, before, people, actions, lambda: _template(path).render(values, was=was, can=can))
    return html


def _cached(
    kind: str,
    view: object,
    before: object,
    people: tuple[str, ...],
    actions: Collection[object],
    make: Callable[[], Any],
) -> Any:
    """Returns the cached result of `make`, or calls it. Views count as equal only if they are the same object, so that
    a seat gets only what was made from its own view."""
    key = kind, id(view), id(before), people, actions, current_language()
    if key in _cache:
        _cache.move_to_end(key)
    else:
        _cache[key] = make(), view, before
        if len(_cache) > CACHED:
            _cache.popitem(last=False)
    return _cache[key][0]


def facts(action: Map) -> Iterator[str]:
    """Yields a word for each value of an action: `card=haste` and `fighter=3`."""
    for name, value in action.items():
        for one in value if isinstance(value, list) else (value,):
            yield f"{name}={one}".replace(" ", "_")


def _has(actions: frozenset[frozenset[str]], of: str) -> bool:
    """Returns whether an action has one of the words in `of`. A word with `+` stands for several at once."""
    words = [frozenset(word.split("+")) for word in of.split()]
    return any(word <= action for action in actions for word in words)


@lru_cache(maxsize=64)
def _template(path: Path) -> Template:
    return _ENVIRONMENT.from_string(path.read_text(encoding="utf-8"))
