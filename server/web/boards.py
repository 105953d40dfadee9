"""Draws the board of a table from the template in the folder of its game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

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


def render_board(table: PersonTable, choices: Iterable[Choice]) -> str | None:
    """Returns the board as HTML. All its texts come from the view of the person's seat and are escaped.

    Args:
        table: The table, which has a view.
        choices: The person's choices. The template marks what they are about.

    Returns:
        The HTML; None if the game has no template.
    """
    path, view = table.game.page_template, table.view
    if path is None or view is None:
        return None
    words = table.game.words
    values = words.page_values(view, table.people)
    before = words.page_values(table.before, table.people) if table.before is not None else dict.fromkeys(values)
    can = partial(_has, frozenset(frozenset(facts(choice.action)) for choice in choices if choice.action))
    return _template(path).render(values, was=before, can=can)


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
