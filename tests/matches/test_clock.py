"""The clocks of a match: what a decision may take, and what it costs."""

import random

import pytest

from matches.clock import Clocks
from protocol.messages import ClockRule, SeatClock


def test_only_what_goes_beyond_the_increment_is_taken_from_the_main_time() -> None:
    clocks = Clocks([ClockRule(main=60, increment=5)] * 2)
    clocks.ask(1, 100.0)
    assert clocks.deadline(1) == 165.0
    clocks.answer(1, 105.0)
    assert clocks.main(1) == 60.0
    clocks.ask(1, 200.0)
    clocks.refund({1: 2.0, 2: 50.0})
    assert clocks.report(210.0) == (SeatClock(1, 60.0, running=True, left=57.0), SeatClock(2, 60.0))
    clocks.answer(1, 210.0)
    assert (clocks.main(1), clocks.whole(1), clocks.main(2), clocks.whole(2)) == (57.0, 62.0, 60.0, 65.0)


def test_each_seat_has_a_rule_of_its_own() -> None:
    clocks = Clocks([ClockRule(main=60, increment=5), ClockRule(main=2, increment=1)])
    for seat in (1, 2):
        clocks.ask(seat, 100.0)
    assert (clocks.deadline(1), clocks.deadline(2)) == (165.0, 103.0)
    clocks.answer(1, 106.0)
    clocks.answer(2, 102.0)
    assert (clocks.main(1), clocks.main(2)) == (59.0, 1.0)


def test_what_is_taken_of_the_main_time_is_rounded_to_the_millisecond() -> None:
    clocks = Clocks([ClockRule(main=60, increment=5)])
    clocks.ask(1, 0.0)
    clocks.answer(1, 6.23456)
    assert (clocks.main(1), clocks.whole(1)) == (58.765, 63.765)


def test_what_is_left_is_kept_and_told_to_the_millisecond_and_never_below_nothing() -> None:
    chance = random.Random(1)
    clocks = Clocks([ClockRule(main=20.00049, increment=1.00049)])
    assert (clocks.main(1), clocks.whole(1)) == (20.0, 21.001)
    assert Clocks([ClockRule(main=20, increment=1.0003)]).whole(1) == 21.0
    now = 0.0
    for _ in range(20):
        clocks.ask(1, now)
        now += chance.uniform(0.0, 5.0)
        (told,) = clocks.report(now)
        before = clocks.whole(1)
        assert told.left == pytest.approx(clocks.deadline(1) - now, abs=0.0006) or told.left == 0.0
        clocks.answer(1, now)
        assert clocks.whole(1) == pytest.approx(clocks.main(1) + 1.00049, abs=0.0006)
        assert clocks.whole(1) <= before
        assert all(seconds == round(seconds, 3) >= 0.0 for seconds in (told.main, told.left, clocks.whole(1)))
    assert clocks.main(1) == 0.0
    assert clocks.deadline(1) == float("inf")
