"""What a store is asked to keep while its disk is recorded: `python -m tests.power.load FOLDER COMMITS HOW`."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

from server.store import checkpoints, latest
from server.store.rows import EVERYTHING, Write
from server.store.sqlite import open_store
from tests.power.disk import ACKS

HOW = ("honest", "normal", "acknowledge-first")


def batch(number: int) -> list[Write]:
    """The commit with that number. Its own number stands in the row "count"."""
    rng = random.Random(number)
    writes: list[Write] = [("count", 0, str(number).encode())]
    for _ in range(rng.choice((1, 1, 2, 5))):
        subject = f"t{rng.randint(1, 12)}"
        match rng.random():
            case low if low < 0.05:
                writes.append((subject, EVERYTHING, None))
            case low if low < 0.1:
                writes.append((subject, rng.randint(0, 40), None))
            case _:
                writes.append((subject, rng.randint(0, 40), rng.randbytes(rng.choice((10, 60, 60, 300, 6_000)))))
    return writes


def main(folder: Path, commits: int, how: str) -> None:
    """Commits, and acknowledges each."""
    latest.ENOUGH, latest.PIECE, latest.FORGOTTEN_AT_ONCE = 80, 10, 20  # so that many cuts come while rows are moved
    checkpoints.CHECKPOINT_PAGES = 100
    store = open_store(folder)
    if how == "normal":
        store._file.execute("PRAGMA synchronous = NORMAL")
    acks = os.open(folder / ACKS, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for number in range(1, commits + 1):
        if how == "acknowledge-first":
            os.write(acks, b"%d\n" % number)
        store.commit_now(batch(number))
        if how != "acknowledge-first":
            os.write(acks, b"%d\n" % number)
        store.do_maintenance()
    os._exit(0)  # without closing: the power goes while all is open


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
