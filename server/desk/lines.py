"""Who comes from one address stands in one line there: of them only the first stands in the line of all, so that each
address has its turn, however many wait there."""

from __future__ import annotations

from collections.abc import Hashable
from weakref import WeakValueDictionary

import trio


class Lines:
    """One line an address, which is forgotten when nobody stands there."""

    def __init__(self) -> None:
        self._known: WeakValueDictionary[Hashable, trio.Lock] = WeakValueDictionary()

    def of(self, address: Hashable) -> trio.Lock:
        """The line of that address; for None, an unknown one, a new line."""
        if address is None:
            return trio.Lock()
        line = self._known.get(address)
        if line is None:
            line = self._known[address] = trio.Lock()
        return line
