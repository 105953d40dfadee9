"""Builds messages that several modules send: errors and goodbyes."""

from __future__ import annotations

from math import ceil

from languages import speaking
from people.text.sentences import with_reason
from protocol.errors import GOODBYES, Refusal
from protocol.language import _
from protocol.messages import Bye, Error


def error_message(error: Refusal, re: int = 0, *, clock_runs: bool = False, closes: bool = False) -> Error:
    """Returns the message for an error.

    Args:
        error: The error.
        re: The id of the request, unless the error has one.
        clock_runs: Whether the receiver still has to decide.
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


def goodbye(reason: str, re: int, name: str, why: str = "") -> Bye:
    """Returns the last message of a connection, in the language `name`. `why` is the operator's explanation."""
    with speaking(name):
        return Bye(reason=reason, text=with_reason(_(GOODBYES[reason]), why), re=re)
