"""Generates the JSON Schema of a game's actions, events, views, knowledge, options and cards from their types."""

from __future__ import annotations

from games.api import Card, Game
from protocol.messages import Map
from protocol.page.schema import DRAFT, schema_definitions
from server.page.comments import field_comments
from server.page.maps import nested_structs, union_members


def game_schema(game: Game) -> Map:
    """Returns a JSON Schema that has `action`, `event`, `view`, `knowledge`, `options` and `card` in `$defs`, and also
    the types that occur in them."""
    roots = {
        "action": game.action_type,
        "event": game.event_type,
        "view": game.view_type,
        "knowledge": game.knowledge_type,
        "options": game.options_type,
        "card": Card,
    }
    schemas, found = schema_definitions(list(roots.values()))
    kinds = [kind for root in roots.values() for kind in union_members(root)]
    for kind in (*kinds, *nested_structs(kinds)):
        for name, words in field_comments(kind).items():
            found[kind.__name__]["properties"][name]["description"] = words
    return {
        "$schema": DRAFT,
        "title": f"{game.title}: maps within messages",
        "description": "Written by `python -m server.page`. Use it by reference, such as #/$defs/view.",
        "$defs": dict(zip(roots, schemas, strict=True)) | found,
    }
