"""What a server tells part by part is asked for until there is no more, and not for ever."""

from __future__ import annotations

from collections.abc import Sized

from bots.language import _
from bots.sdk.connection import LinkFailed

MOST = 100_000  # tables of a server, or lines of a replay: more than any has


def is_last(part: Sized, more: bool, got: int) -> bool:
    """Whether nothing is asked for after that part, with which `got` came in all.

    Raises LinkFailed where a server says each time that it has more.
    """
    if more and got > MOST:
        raise LinkFailed(_("the server broke the protocol: {text}", text=f"more than {MOST} are told part by part"))
    return not (more and len(part))
