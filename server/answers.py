"""Builds messages that several modules send: errors and goodbyes."""

from __future__ import annotations

from math import ceil

from languages import speaking
from people.text.sentences import with_reason
from protocol.errors import GOODBYES, Refusal
from protocol.language import _
from protocol.messages import Bye, Error


def error_message(error: Refusal, re: int = 0, *, clock_runs: bool = False, closes: bool = False) -> Error:
    """Returns the message that reports a refusal to its client.

    Args:
        error: The refusal.
        re: The id of the request that is refused, unless `error` has one.
        clock_runs: Whether the receiver's clock runs, because it still has to decide.
        closes: Whether the connection ends. Some error codes always end it.
    """
    return Error(
        re=error.re or re,
        code=error.code.name,
        text=error.text,
        where=error.where,
        rule=error.rule,
        again=error.code.again,
        clock_runs=clock_runs,
        closes=closes or error.code.closes,
        turn=error.turn,
        wait=ceil(error.wait),
    )


def goodbye_message(reason: str, re: int, name: str, why: str = "") -> Bye:
    """Returns the last message of a connection. `name` is the name of its language, `why` the operator's explanation,
    and `re` the id of the request that it answers."""
    with speaking(name):
        return Bye(reason=reason, text=with_reason(_(GOODBYES[reason]), why), re=re)
