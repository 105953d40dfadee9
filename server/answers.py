"""Answers that more than one place gives: errors and goodbyes."""

from __future__ import annotations

from math import ceil

from languages import speaking
from people.text.sentences import with_reason
from protocol.errors import GOODBYES, Refusal
from protocol.language import _
from protocol.messages import Bye, Error


def error_message(error: Refusal, re: int = 0, *, clock_runs: bool = False, closes: bool = False) -> Error:
    """The message for an error; `clock_runs` says that the receiver still has to decide, `closes` that the connection
    ends, which some codes say always."""
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
    """The last message of a connection, in that language. `why` is the operator's explanation."""
    with speaking(name):
        return Bye(reason=reason, text=with_reason(_(GOODBYES[reason]), why), re=re)
