"""Logs how often limits caused refusals: one line per refusal code and minute."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Hashable

import trio

from server.log_fields import extra_fields

log = logging.getLogger("magehall.limits")

SECONDS = 60.0
CODES = frozenset(
    {
        "banned",
        "server_full",
        "slow_down",
        "talk_too_fast",
        "too_many_cups",
        "too_many_errors",
        "too_many_spectators",
        "too_many_tables",
        "too_much_chat",
    }
)
ADDRESSES = 1_000  # most addresses that are distinguished per minute; all others are counted together
SHOWN = 3  # most addresses that a log line names, beginning with the one that has most refusals


class RefusalLog:
    """Counts refusals by code and address. `run` is the task that logs them."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[Hashable]] = {}
        self._known = 0

    def count_refusal(self, code: str, address: Hashable) -> None:
        """Counts a refusal with that code. Codes that are not about a limit are ignored."""
        if code not in CODES:
            return
        counts = self._counts.setdefault(code, Counter())
        if address not in counts:
            if self._known >= ADDRESSES:
                address = "others"
            self._known += 1
        counts[address] += 1

    async def run(self) -> None:
        """Logs one line per minute for each code with refusals in that minute. Runs until cancelled."""
        while True:
            await trio.sleep(SECONDS)
            self.log_counts()

    def log_counts(self) -> None:
        """Logs a line for each code that has been counted, and sets the counts to zero."""
        counts, self._counts, self._known = self._counts, {}, 0
        for code, by_address in sorted(counts.items()):
            count = by_address.total()
            most = {str(address or "here"): times for address, times in by_address.most_common(SHOWN)}
            listed = ", ".join(f"{address} {times}" for address, times in most.items())
            more = ", ..." if len(by_address) > SHOWN else ""
            told = extra_fields("refused", code=code, count=count, seconds=SECONDS, addresses=most)
            log.warning("refused %d times in a minute: %s (%s%s)", count, code, listed, more, extra=told)
