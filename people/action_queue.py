"""A typed line that stands for several decisions: each of its actions is sent when its turn comes. Pure."""

from __future__ import annotations

from games.api import Action, action_from
from games.spelling import typed_action_text
from people.effects import Effects
from people.language import _
from people.table import PersonTable
from people.text.typing_context import TypedMemory


def next_queued_action(memory: TypedMemory, table: PersonTable, heard: Effects) -> Action | None:
    """Returns the next action of an earlier typed line, or None. If that action is not legal now, drops all remaining
    actions of the line and adds a line that says so to `heard`."""
    if table.turn is None or (waiting := memory.pop_queued_action()) is None:
        return None
    try:
        action = action_from(table.game, waiting)
        if action in table.turn.legal:
            return action
        what = typed_action_text(table.game.words, action)
    except ValueError as error:
        what = str(error)
    heard.add_line(_("! Not done, as it is not legal now: {what}", what=what), "bad")
    memory.clear_queued_actions()
    return None
