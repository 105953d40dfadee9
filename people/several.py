"""A typed line that stands for several decisions. Each is made at its turn. Pure."""

from __future__ import annotations

from games.api import Action, action_from
from games.spelling import shown
from people.effects import Effects
from people.language import _
from people.table import PersonTable
from people.text.where import Memory


def next_of_several(memory: Memory, table: PersonTable, heard: Effects) -> Action | None:
    """Returns the next action of the line, or None. If it is not legal now, drops all of them and says so."""
    if table.turn is None or (waiting := memory.take_waiting()) is None:
        return None
    try:
        action = action_from(table.game, waiting)
        if action in table.turn.legal:
            return action
        what = shown(table.game.words, action)
    except ValueError as error:
        what = str(error)
    heard.say(_("! Not done, as it is not legal now: {what}", what=what), "bad")
    memory.drop_waiting()
    return None
