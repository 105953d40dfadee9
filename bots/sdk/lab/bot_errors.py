"""Turns an exception during a deal into an error that names the bot at fault, with the traceback of the bot's own
code."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from traceback import format_exception
from types import TracebackType
from typing import NoReturn

from bots.language import _
from bots.sdk.bot import Bot
from bots.sdk.local import NoAction
from games.api import Action, IllegalAction, to_map


class BotFailed(Exception):
    """Raised if a bot raised an exception or chose an illegal action. The exception's text names the bot and the deal.
    If the bot raised, it ends with the traceback of the bot's own code."""


@contextmanager
def catch_os_exit() -> Iterator[None]:
    """A context manager in whose block `os._exit` raises SystemExit in this process. Otherwise a bot that calls
    `os._exit` would end the lab without a message."""
    end, here = os._exit, os.getpid()

    def tell(status: int) -> NoReturn:
        if os.getpid() != here:  # a child process that the bot has forked really ends
            end(status)
        raise SystemExit(_("os._exit({code}), which ends the process with that exit code", code=status))

    os._exit = tell
    try:
        yield
    finally:
        os._exit = end


def bot_failed_error(name: str, deal: int, error: BaseException, trace: TracebackType | None) -> BotFailed:
    """Returns the BotFailed for an exception that the code of the bot `name` raised. `trace` is the first entry of the
    traceback that belongs to the bot."""
    text = "".join(format_exception(type(error), error, trace)).rstrip()
    return BotFailed(_("{name} raised in deal {deal}.\n{text}", name=name, deal=deal + 1, text=text))


def attribute_failure(
    error: Exception | SystemExit, deal: int, kinds: Mapping[str, type[Bot]], last: tuple[str, Action] | None
) -> BaseException:
    """Returns the BotFailed for an exception during a deal, or the exception itself if no bot caused it. `last` has the
    name of the bot that acted last, and its action."""
    names: dict[type, str] = {kind: name for name, kind in kinds.items()}
    trace = error.__traceback__
    while trace is not None:
        name = names.get(type(trace.tb_frame.f_locals.get("self")))
        if name is not None:
            return bot_failed_error(name, deal, error, trace)
        trace = trace.tb_next
    if isinstance(error, NoAction):
        name = names.get(type(error.bot), type(error.bot).__name__)
        return BotFailed(_("{name} erred in deal {deal}: {why}", name=name, deal=deal + 1, why=error.text))
    if isinstance(error, IllegalAction) and last is not None:
        name, action = last
        return BotFailed(
            _(
                "{name} did in deal {deal} what is illegal: {action}: {why}",
                name=name,
                deal=deal + 1,
                action=to_map(action),
                why=error.args[-1],
            )
        )
    return error
