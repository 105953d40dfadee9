"""What a connection is charged, and how often it may err, guess or ask nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from protocol import limits
from protocol.errors import Refusal
from server.meter import Meter, Meters
from server.net.account import QUIET_SECONDS, Account


def account(own: float = 20, address: float = 20) -> tuple[Account, Meter, Meter]:
    """A stranger's, whose meters fill with ten a second."""
    mine, shared = Meter(10, own, 0.0), Meter(10, address, 0.0)
    return Account(mine, (shared,), 0.0), mine, shared


def test_a_stranger_is_charged_with_all_strangers_of_its_address() -> None:
    mine, own, address = account()
    mine.charge(3)
    mine.ask_nothing()
    assert (own.left, address.left) == (16, 16)


@pytest.mark.parametrize(("own", "address", "waits"), [(20, 20, 0.0), (15, 20, 0.5), (20, 15, 0.5), (15, 10, 1.0)])
def test_a_stranger_waits_where_it_or_its_address_has_nothing_left(own: float, address: float, waits: float) -> None:
    mine, *_ = account(own, address)
    mine.charge(20)
    assert mine.is_overdrawn == (waits > 0)
    assert mine.wait(0.0) == waits


def test_who_takes_a_name_is_charged_what_the_name_is_from_then_on() -> None:
    mine, own, strangers = account()
    named, guests, seats = Meter(10, 20, 0.0), Meter(10, 20, 0.0), dict[str, None]()
    assert mine.belongs_to(None, (guests,), seats) is own
    assert mine.belongs_to(named, (guests,), seats) is named
    mine.charge(1)
    assert (own.left, strangers.left, named.left, guests.left) == (20, 20, 19, 19)


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


def test_the_bytes_of_a_short_request_are_part_of_its_price_and_all_others_are_charged_once() -> None:
    mine, own, _address = account()
    a_request = limits.BYTES_A_REQUEST
    mine.read(a_request, 0.0)
    mine.ask()
    mine.pay_for_bytes()
    assert own.left == 20
    mine.read(3 * a_request, 0.0)
    mine.ask()
    mine.pay_for_bytes()
    mine.pay_for_bytes()
    assert own.left == 18
    mine.ask()
    mine.pay_for_bytes()
    mine.read(a_request, 0.0)
    mine.pay_for_bytes()
    assert own.left == 17, "a request without bytes is nothing to save up"
    mine.read(1, 0.0)
    mine.pay_for_bytes()
    assert own.left == 17 - 1 / a_request


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


@pytest.mark.parametrize(("pause", "counted_anew"), [(QUIET_SECONDS, False), (QUIET_SECONDS + 0.1, True)])
def test_what_asks_nothing_is_counted_anew_after_a_quiet_second(pause: float, counted_anew: bool) -> None:
    mine, *_ = account()
    mine.read(1, 5.0)
    for _ in range(limits.NOTHING_ASKED):
        mine.ask_nothing()
    mine.read(1, 5.0 + pause)
    assert times(mine.ask_nothing, 1) == counted_anew
    mine.ask()
    assert times(mine.ask_nothing, 1_000) == limits.NOTHING_ASKED, "a request counts as one"


def test_a_meter_never_holds_more_than_its_most_and_is_full_only_then() -> None:
    meter = Meter(rate=8, most=20, now=0.0)
    assert meter.is_full(0.0)
    assert meter.wait(100.0) == 0.0
    assert meter.left == 20
    meter.charge(0.5)
    assert not meter.is_full(100.0)
    assert meter.is_full(100.0625)
    meter.charge(20)
    assert (meter.left, meter.wait(100.0625)) == (0, 0.0)


def test_many_are_gone_through_when_they_are_twice_as_many_as_were_busy_the_last_time() -> None:
    meters = Meters(lambda _key: (1, 10))
    sizes: list[int] = []
    for key in range(257):
        meters.of(key, 0.0)
        sizes.append(len(meters))
    assert sizes[-2:] == [256, 1], "none of them was busy"
    for key in range(1_000, 1_199):
        meters.of(key, 0.0).charge(1)
    for key in range(2_000, 2_057):
        meters.of(key, 0.0)
        sizes.append(len(meters))
    assert sizes[-2:] == [256, 200], "199 were busy"
    for key in range(3_000, 3_199):
        meters.of(key, 0.0)
        sizes.append(len(meters))
    assert sizes[-2:] == [398, 200]
