"""Detects the last page of a list that the server sends in pages."""

from __future__ import annotations

from collections.abc import Sized

from bots.language import _
from bots.sdk.connection import LinkFailed

MOST = 100_000  # more items than any list of a server has


def is_last(part: Sized, more: bool, got: int) -> bool:
    """Returns whether this page is the last one; `got` is the number of items so far. Raises LinkFailed if a server
    never stops sending pages."""
    if more and got > MOST:
        raise LinkFailed(_("the server broke the protocol: {text}", text=f"more than {MOST} are told part by part"))
    return not (more and len(part))
