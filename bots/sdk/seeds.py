"""Where a bot's seed comes from, so that what is played from one number can be played again."""

from __future__ import annotations

from games.chance import numbered_seed

SEED_BYTES = 6  # 48 bits


def bot_seed(number: int, *path: int | str) -> int:
    """The seed of one bot, from a number that a person can type and a path that names the bot among all others of that
    number: entrant and copy in a tournament, nonce and seat at a table, match and seat in a check."""
    return int.from_bytes(numbered_seed(number, *path)[:SEED_BYTES], "big")


def lab_seed(number: int, match: int, seats: int, seat: int) -> int:
    """The seed of the bot in that seat (from 0) of the lab's match. It is older than `bot_seed` and kept, since the
    balance tables on the rules pages were measured with it."""
    return number * 1_000_003 + match * seats + seat
