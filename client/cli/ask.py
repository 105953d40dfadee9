"""The output of `magehall bot ask`: the bot's choice at each decision of a match, beside the choice that was made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bots.sdk.replays import BotAnswer
from client.language import _
from games.api import Game, to_map
from protocol.printable import escape_text


def bot_answer_to_map(asked: BotAnswer) -> dict[str, Any]:
    """Returns the bot's choice at one decision as plain data, for JSON."""
    return {
        "turn": asked.number,
        "seat": asked.seat,
        "says": to_map(asked.says),
        "done": to_map(asked.done),
        "same": asked.says == asked.done,
        "refusal": asked.refusal,
    }


def render_bot_answers(answers: Iterable[BotAnswer], game: Game, people: Sequence[str]) -> list[str]:
    """Returns one line of text per decision, in the order of the match, and a last line with the number of equal
    choices."""
    ordered = sorted(answers, key=lambda asked: asked.number)
    lines = [_line(asked, game, people[asked.seat - 1]) for asked in ordered]
    same = sum(asked.says == asked.done for asked in ordered)
    if len(ordered) == 1:
        return lines
    return [*lines, _("{same} of {answers} answers are the same as in the match.", same=same, answers=len(ordered))]


def _line(asked: BotAnswer, game: Game, name: str) -> str:
    says, done = game.words.format_action(asked.says), game.words.format_action(asked.done)
    illegal = _(", which is not legal: {refusal}", refusal=asked.refusal) if asked.refusal else ""
    beside = _("the same as in the match") if asked.says == asked.done else _("in the match: {done}", done=done)
    return f"{asked.number:>4}  {escape_text(name)}: {says}{illegal} ({beside})"
