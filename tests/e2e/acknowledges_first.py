"""A broken server: it tells everything before that is on its slow disk. `python -m tests.e2e.acknowledges_first`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from unittest.mock import patch

from client.cli.app import main
from server.net.outbox import Outbox
from server.store.rows import Write
from server.store.sqlite import SqliteStore

honest = SqliteStore.commit_now


def slow(store: SqliteStore, writes: Sequence[Write]) -> None:
    """A disk that takes its time."""
    time.sleep(0.05)
    honest(store, writes)


if __name__ == "__main__":
    with (
        patch.object(Outbox, "hold_until_committed", lambda _outbox, _position: None),
        patch.object(SqliteStore, "commit_now", slow),
    ):
        main()
