"""Draws the board of a table from the template in the folder of its game."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeAlias

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from languages import language
from people.choices import Choice
from people.table import PersonTable
from protocol.messages.parts import Map

HERE = Path(__file__).parent
Values: TypeAlias = dict[str, Any]
_ENVIRONMENT = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


class BoardRenderer:
    """Renders the boards of one page. It keeps the values of the last views, because a view is compared with the one at
    the person's last decision."""

    def __init__(self) -> None:
        self._recent: deque[tuple[object, Values]] = deque(maxlen=3)  # the source of some values, and the values

    def render(self, table: PersonTable, choices: Iterable[Choice]) -> str | None:
        """Returns the board as HTML. All its texts come from the view of the person's seat and are escaped.

        Args:
            table: The table, which has a view.
            choices: The person's choices. The template marks what they are about.

        Returns:
            The HTML; None if the game has no template.
        """
        path = table.game.page_template
        if path is None or table.view is None:
            return None
        values = self._values(table, table.view)
        before = dict.fromkeys(values) if table.before is None else self._values(table, table.before)
        can = partial(_has, frozenset(frozenset(facts(choice.action)) for choice in choices if choice.action))
        return _template(path).render(values, was=before, can=can)

    def _values(self, table: PersonTable, view: Any) -> Values:
        """Returns the values for the template, from the latest ones if they are among them."""
        source = (table.id, view, tuple(table.people), language())
        for known, values in self._recent:
            if known == source:
                return values
        values = table.game.words.page_values(view, table.people)
        self._recent.append((source, values))
        return values


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
