"""Limits the size of the stored data by deleting the oldest finished matches."""

from __future__ import annotations

import logging
import sqlite3

import trio

from server.log_fields import extra_fields
from server.store.journal import Journal
from server.store.rows import EVERYTHING, Store, StoreFailed

log = logging.getLogger("magehall.store")

LOOK_SECONDS = 10.0
AT_ONCE = 64  # matches deleted in one batch


async def limit_stored_bytes(store: Store, journal: Journal, most: int) -> None:
    """Deletes the oldest finished matches whenever the rows on disk take more than `most` bytes. Never returns."""
    while True:
        await trio.sleep(LOOK_SECONDS)
        try:
            gone = await _make_room(store, journal, most)
        except (sqlite3.Error, StoreFailed) as error:
            log.error(
                "the size of the data is unknown (%s)", error, extra=extra_fields("store_unreadable", error=f"{error}")
            )
            continue
        if gone:
            told = extra_fields("old_matches_removed", count=gone, bytes=most)
            log.info("%d old finished matches were deleted, because the data limit is %d bytes", gone, most, extra=told)


async def _make_room(store: Store, journal: Journal, most: int) -> int:
    """Deletes the oldest finished matches until the rows take at most `most` bytes. Returns how many it has deleted."""
    gone = 0
    while not journal.failing and await store.used_bytes() > most:
        oldest = await store.oldest_matches(AT_ONCE)
        if not oldest:
            break
        for subject in oldest:
            journal.put_row(subject, EVERYTHING, None)
        await journal.wait_until_written()
        gone += len(oldest)
    return gone
