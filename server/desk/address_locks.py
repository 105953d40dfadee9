"""A fair lock per address. The holder of an address's lock then waits for the global lock, so that addresses take
turns, whatever the number of requests that each one has."""

from __future__ import annotations

from collections.abc import Hashable
from weakref import WeakValueDictionary

import trio


class AddressLocks:
    """One lock per address. A lock that no task holds or waits for is forgotten."""

    def __init__(self) -> None:
        self._known: WeakValueDictionary[Hashable, trio.Lock] = WeakValueDictionary()

    def lock_for(self, address: Hashable) -> trio.Lock:
        """Returns the lock of that address. For None, an unknown address, returns a new lock."""
        if address is None:
            return trio.Lock()
        line = self._known.get(address)
        if line is None:
            line = self._known[address] = trio.Lock()
        return line
