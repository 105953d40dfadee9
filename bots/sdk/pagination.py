"""Detects the last page of a list that a server sends in several answers, its pages."""

from __future__ import annotations

from collections.abc import Sized

from bots.language import _
from bots.sdk.connection import LinkFailed

MOST = 100_000  # items; no list of a server is longer


def is_last_page(part: Sized, more: bool, got: int) -> bool:
    """Returns whether the page `part` is the last one. `more` is what the server said about further pages, and `got` is
    the number of items in all pages so far. Raises LinkFailed if the server never stops sending pages."""
    if more and got > MOST:
        raise LinkFailed(_("the server broke the protocol: {text}", text=f"more than {MOST} are told part by part"))
    return not (more and len(part))
