"""What a connection is charged, and how often it may err, guess or ask nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from protocol import limits
from protocol.errors import Refusal
from server.meter import Meter
from server.net.account import Account


def account(own: float = 20, address: float = 20) -> tuple[Account, Meter, Meter]:
    """A stranger's, whose meters fill with ten a second."""
    mine, shared = Meter(10, own, 0.0), Meter(10, address, 0.0)
    return Account(mine, (shared,), 0.0), mine, shared


def test_b19_a_name_with_a_seat_neither_charges_nor_waits_for_others_of_its_address() -> None:
    mine, _own, strangers = account()
    named, guests, seats = Meter(10, 20, 0.0), Meter(10, 20, 0.0), {"t1": None}
    mine.belongs_to(named, (guests,), seats)
    guests.charge(1_000)
    strangers.charge(1_000)
    mine.charge(1)
    assert (mine.is_overdrawn, mine.wait(0.0), guests.left, named.left) == (False, 0.0, -980, 19)
    mine.charge(20)
    assert (mine.is_overdrawn, mine.wait(0.0)) == (True, 0.1), "its own debt"
    seats.clear()
    assert mine.wait(0.0) == pytest.approx(98.0)


def times(do: Callable[[], object], most: int) -> int:
    """How often that may be done before it is too much."""
    for done in range(most):
        try:
            if do():
                return done
        except Refusal:
            return done
    return most


def test_each_thing_may_happen_so_many_times_and_no_more() -> None:
    mine, *_ = account()
    assert times(mine.ask_nothing, 1_000) == limits.NOTHING_ASKED
    assert times(mine.err, 100) == limits.PROTOCOL_ERRORS - 1
    assert times(mine.guess, 100) == limits.BAD_PROOFS - 1
    assert times(lambda: mine.ask_without_a_name(7), 100) == limits.REQUESTS_BEFORE_HELLO
    with pytest.raises(Refusal) as refused:
        mine.ask_without_a_name(7)
    assert (refused.value.code.name, refused.value.re) == ("too_many_errors", 7)
