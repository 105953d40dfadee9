"""Decisions that are not sent before the person confirms them, and that the person can drop until then. Pure."""

from __future__ import annotations

from games.api import action_from
from games.spelling import typed_action_text
from people.effects import Effects
from people.language import N_, _
from people.state import PersonState
from people.text.lookup import translated_word
from people.text.typing_context import RequestDraft
from protocol import messages as m
from protocol.errors import Refusal

SHORT = {"y": "yes", "n": "no"}  # typed letters that count as these commands while a decision is held back
NOTHING_WAITS = N_("No decision waits for your answer. Type confirm on, and each one waits until you type yes.")


def hold_decision(person: PersonState, ask: RequestDraft, effects: Effects) -> None:
    """Holds back a decision, the request `ask`, until the person confirms it, and shows a preview of its action."""
    table = person.seats.here
    assert table is not None
    assert table.turn is not None
    person.prompt.hold_decision(ask)
    if person.settings.server is not None:
        person.settings.server.charge_for_preview()
    action = action_from(table.game, ask.fields["action"])
    words, legal = table.game.words, action in table.turn.legal
    foreseen = (
        words.preview_action(table.turn.view, action, table.people) if legal and table.turn.view is not None else ""
    )
    rest = "".join(
        _(", then {action}", action=typed_action_text(words, action_from(table.game, one)))
        for one in person.prompt.memory.waiting
    )
    effects.lines.append(
        [
            ("key", f"{typed_action_text(words, action)}{rest}"),
            ("", _(" is not sent yet. {foreseen}", foreseen=foreseen).rstrip()),
        ]
    )
    effects.lines.append(
        [
            ("you", translated_word("yes")),
            ("", _(" sends it, ")),
            ("you", translated_word("undo")),
            ("", _(" takes it back.")),
        ]
    )


def is_dangerous(person: PersonState, ask: RequestDraft) -> bool:
    """Returns whether the game warns of the action of this request, because it would put its own player out."""
    table = person.seats.here
    if table is None or table.turn is None or table.turn.view is None:
        return False
    action = action_from(table.game, ask.fields["action"])
    return action in table.turn.legal and bool(table.game.words.danger_warning(table.turn.view, action))


def expand_answer(person: PersonState, line: str) -> str:
    """Returns `yes` for `y` and `no` for `n` while a decision is held back; otherwise the line unchanged."""
    return SHORT.get(line, line) if person.prompt.held is not None else line


def answer_confirmation(person: PersonState, word: str, effects: Effects) -> None:
    """Sends the held decision for `yes`, and drops it for `no` or `undo`. If no decision is held back, requests to take
    the latest decision back, or answers another player's request to do so.

    Raises Refusal if there is neither a held decision nor a request to answer.
    """
    waits, table = is_decision_held(person), person.seats.here
    held = person.prompt.release_decision()
    if table is not None and table.seat and not waits and (word == "undo" or table.takes_back):
        effects.asks.append(RequestDraft(m.Undo, {"table": table.id, "on": word != "no"}))
        return
    if not waits or held is None or table is None:
        raise Refusal("stale_turn", _(NOTHING_WAITS))
    if word != "yes":
        person.prompt.memory.clear_queued_actions()
        effects.add_line(_("Taken back; it was not sent."), "good")
        return
    table.mark_decided()
    effects.asks.append(held)


def is_decision_held(person: PersonState) -> bool:
    """Returns whether the open decision at the current table is held back until the person confirms it."""
    held, turn = person.prompt.held, person.seats.here.turn if person.seats.here is not None else None
    if held is None or person.seats.here is None or turn is None:
        return False
    return (held.fields["table"], held.fields["turn"]) == (person.seats.here.id, turn.number)
