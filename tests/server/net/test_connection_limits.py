"""What a connection is charged, and how often it may err, guess or ask nothing."""

from __future__ import annotations

import pytest

from server.net.connection_limits import ConnectionLimits
from server.token_bucket import TokenBucket


def account(own: float = 20, address: float = 20) -> tuple[ConnectionLimits, TokenBucket, TokenBucket]:
    """A stranger's, whose meters fill with ten a second."""
    mine, shared = TokenBucket(10, own, 0.0), TokenBucket(10, address, 0.0)
    return ConnectionLimits(mine, (shared,), 0.0), mine, shared


def test_b19_a_name_with_a_seat_neither_charges_nor_waits_for_others_of_its_address() -> None:
    mine, _own, strangers = account()
    named, guests, seats = TokenBucket(10, 20, 0.0), TokenBucket(10, 20, 0.0), {"t1": None}
    mine.assign_to_name(named, (guests,), seats)
    guests.charge(1_000)
    strangers.charge(1_000)
    mine.charge(1)
    assert (mine.is_overdrawn, mine.seconds_to_wait(0.0), guests.left, named.left) == (False, 0.0, -980, 19)
    mine.charge(20)
    assert (mine.is_overdrawn, mine.seconds_to_wait(0.0)) == (True, 0.1), "its own debt"
    seats.clear()
    assert mine.seconds_to_wait(0.0) == pytest.approx(98.0)
