"""Derives the seeds of all bots from one number, so that matches can be repeated with the same random numbers."""

from __future__ import annotations

from games.chance import numbered_seed

SEED_BYTES = 6  # a bot's seed has 48 bits


def bot_seed(number: int, *path: int | str) -> int:
    """Returns the seed of one bot.

    Args:
        number: The number from which the seeds of all bots derive.
        path: Distinguishes the bots that share a number: entrant and copy in a tournament, nonce and seat at a table,
            match and seat in a check.

    Returns:
        A number below 2^48.
    """
    return int.from_bytes(numbered_seed(number, *path)[:SEED_BYTES], "big")


def lab_seed(number: int, match: int, seats: int, seat: int) -> int:
    """Returns the seed of the bot in a seat (from 0) of a match of the lab. The lab does not use `bot_seed`, because
    the balance tables in the rules pages were measured with the seeds of this function."""
    return number * 1_000_003 + match * seats + seat
