"""A decision that waits until its player says yes to it, and can be taken back until then. Pure."""

from __future__ import annotations

from games.api import action_from
from games.spelling import shown
from people.human import Human
from people.language import N_, _
from people.own_words import said_own
from people.table import Effects
from people.text.where import Ask
from protocol.errors import Refusal

YES, NO, UNDO = ("yes", "y"), ("no", "n"), "undo"
HELP = N_("take a decision back that was not sent yet: with --confirm each waits until you type yes")
NOT_ANY_MORE = N_("What was sent cannot be taken back. With --confirm a decision waits until you type yes.")


def hold(human: Human, ask: Ask, effects: Effects) -> None:
    """Keeps a decision back, and says what it would do."""
    table = human.here
    assert table is not None
    assert table.turn is not None
    human.held = ask
    action = action_from(table.game, ask.fields["action"])
    words, legal = table.game.words, action in table.turn.legal
    foreseen = words.foresee(table.turn.view, action, table.people) if legal and table.turn.view is not None else ""
    rest = "".join(
        _(", then {action}", action=shown(words, action_from(table.game, one))) for one in human.memory.waiting
    )
    effects.lines.append(
        [("key", f"{shown(words, action)}{rest}"), ("", _(" is not sent yet. {foreseen}", foreseen=foreseen).rstrip())]
    )
    effects.lines.append(
        [("you", said_own(YES[0])), ("", _(" sends it, ")), ("you", said_own(UNDO)), ("", _(" takes it back."))]
    )


def answer(human: Human, word: str, effects: Effects) -> None:
    """Sends what was held, or takes it back. Raises Refusal where nothing is."""
    waits, table = is_held(human), human.here
    held, human.held = human.held, None
    if not waits or held is None or table is None:
        raise Refusal("stale_turn", _(NOT_ANY_MORE))
    if word not in YES:
        human.memory.waiting = []
        effects.say(_("Taken back; nobody has seen it."), "good")
        return
    table.decided()
    effects.asks.append(held)


def is_held(human: Human) -> bool:
    """Whether the decision that is awaited now is held back."""
    held, turn = human.held, human.here.turn if human.here is not None else None
    if held is None or human.here is None or turn is None:
        return False
    return (held.fields["table"], held.fields["turn"]) == (human.here.id, turn.number)
