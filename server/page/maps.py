"""The generated parts of the pages about games: the list of games, and their options, actions, events and views."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from games.api import Card, Game
from protocol.page.fields import own_fields_table
from protocol.page.markdown import default_text, docstring_line, markdown_table, type_text
from server.page.comments import field_comments


def render_game_blocks(games: Mapping[str, Game]) -> dict[str, str]:
    """Returns the text of each generated part about games, by the name in its markers."""
    rows = [
        (f"`{game.id}`", game.title, f"{game.min_seats} to {game.max_seats}", game.description)
        for game in games.values()
    ]
    return {
        "games": markdown_table(("id", "title", "players", "about"), rows),
        "game-maps": "".join(_game_maps(group) for group in _groups(games)),
        "card": own_fields_table(Card, field_comments(Card)),
    }


def _groups(games: Mapping[str, Game]) -> Iterator[list[Game]]:
    """Yields groups of games that use the same types of actions, events and views."""
    by_types: dict[Any, list[Game]] = {}
    for game in games.values():
        by_types.setdefault((game.action_type, game.event_type, game.view_type, game.knowledge_type), []).append(game)
    yield from by_types.values()


def _game_maps(games: list[Game]) -> str:
    game = games[0]
    views = union_members(game.view_type)
    options = {one.id: one.options_type for one in games}
    knowledge = [kind for kind in union_members(game.knowledge_type) if kind not in views]
    parts = nested_structs([*views, *knowledge, *union_members(game.action_type), *union_members(game.event_type)])
    return "".join(
        (
            f"### {' and '.join(f'`{one.id}`' for one in games)}\n\n",
            *(
                f"Options of `{name}`:\n\n{_options(kind)}\n"
                for name, kind in options.items()
                if kind.__struct_fields__
            ),
            f"Actions:\n\n{_tagged(union_members(game.action_type))}\n",
            f"Events:\n\n{_tagged(union_members(game.event_type))}\n",
            "Views, and knowledge where that is more than the view; and what they are made of:\n\n",
            *(_fields(kind) for kind in (*views, *knowledge, *parts)),
        )
    )


def union_members(union: Any) -> list[type[msgspec.Struct]]:
    if typing.get_origin(union) in (typing.Union, types.UnionType):
        return [member for part in typing.get_args(union) for member in union_members(part)]
    return [union] if isinstance(union, type) and issubclass(union, msgspec.Struct) else []


def nested_structs(kinds: list[type[msgspec.Struct]]) -> Iterator[type[msgspec.Struct]]:
    """Yields the structs that occur in the fields of these structs, directly or indirectly, each once, in order of
    appearance."""
    seen = set(kinds)
    waiting = list(kinds)
    while waiting:
        kind = waiting.pop(0)
        for hint in typing.get_type_hints(kind).values():
            for inner in _structs(hint):
                if inner not in seen:
                    seen.add(inner)
                    waiting.append(inner)
                    yield inner


def _structs(hint: Any) -> Iterator[type[msgspec.Struct]]:
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        yield hint
    for part in typing.get_args(hint):
        yield from _structs(part)


def _options(kind: type[msgspec.Struct]) -> str:
    hints = typing.get_type_hints(kind, include_extras=True)
    rows = []
    for field in msgspec.structs.fields(kind):
        extra = [part for part in typing.get_args(hints[field.name]) if isinstance(part, msgspec.Meta)]
        about = next((meta.description for meta in extra if meta.description), "")
        rows.append((f"`{field.name}`", type_text(hints[field.name]), default_text(field), about))
    return markdown_table(("option", "values", "default", "meaning"), rows)


def _tagged(kinds: list[type[msgspec.Struct]]) -> str:
    rows = []
    for kind in kinds:
        config = kind.__struct_config__
        fields = ", ".join(_field(kind, field) for field in msgspec.structs.fields(kind))
        rows.append((f'`"{config.tag_field}": "{config.tag}"`', fields, docstring_line(kind)))
    return markdown_table(("map", "other fields", "meaning"), rows)


def _fields(kind: type[msgspec.Struct]) -> str:
    config = kind.__struct_config__
    tag = f' (`"{config.tag_field}": "{config.tag}"`)' if config.tag else ""
    words = field_comments(kind)
    rows = [
        f"- {_field(kind, field)}{f': {words[field.name]}' if field.name in words else ''}\n"
        for field in msgspec.structs.fields(kind)
    ]
    return f"**{kind.__name__}**{tag}: {docstring_line(kind)}\n\n{''.join(rows)}\n"


def _field(kind: type[msgspec.Struct], field: msgspec.structs.FieldInfo) -> str:
    hint = typing.get_type_hints(kind, include_extras=True)[field.name]
    default = default_text(field)
    return f"`{field.name}` {type_text(hint)}{f', {default} if left out' if default else ''}"
