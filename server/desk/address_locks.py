"""A fair lock for each address. Its holder then competes for the global lock, so each address has its turn, however
many requests one address has."""

from __future__ import annotations

from collections.abc import Hashable
from weakref import WeakValueDictionary

import trio


class AddressLocks:
    """One lock per address. A lock that is not in use is forgotten."""

    def __init__(self) -> None:
        self._known: WeakValueDictionary[Hashable, trio.Lock] = WeakValueDictionary()

    def of(self, address: Hashable) -> trio.Lock:
        """Returns the lock of that address; for None (unknown) a new one."""
        if address is None:
            return trio.Lock()
        line = self._known.get(address)
        if line is None:
            line = self._known[address] = trio.Lock()
        return line
