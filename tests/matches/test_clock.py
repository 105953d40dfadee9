"""The clocks of a match: what a decision may take, and what it costs."""

from matches.clock import MatchClocks
from protocol.messages import ClockRule, SeatClock


def test_only_what_goes_beyond_the_increment_is_taken_from_the_main_time() -> None:
    clocks = MatchClocks([ClockRule(main=60, increment=5)] * 2)
    clocks.start_clock(1, 100.0)
    assert clocks.deadline(1) == 165.0
    clocks.stop_clock(1, 105.0)
    assert clocks.main_time_left(1) == 60.0
    clocks.start_clock(1, 200.0)
    clocks.extend_deadlines({1: 2.0, 2: 50.0})
    assert clocks.seat_clocks(210.0) == (SeatClock(1, 60.0, running=True, left=57.0), SeatClock(2, 60.0))
    clocks.stop_clock(1, 210.0)
    assert (
        clocks.main_time_left(1),
        clocks.max_decision_time(1),
        clocks.main_time_left(2),
        clocks.max_decision_time(2),
    ) == (57.0, 62.0, 60.0, 65.0)


def test_each_seat_has_a_rule_of_its_own() -> None:
    clocks = MatchClocks([ClockRule(main=60, increment=5), ClockRule(main=2, increment=1)])
    for seat in (1, 2):
        clocks.start_clock(seat, 100.0)
    assert (clocks.deadline(1), clocks.deadline(2)) == (165.0, 103.0)
    clocks.stop_clock(1, 106.0)
    clocks.stop_clock(2, 102.0)
    assert (clocks.main_time_left(1), clocks.main_time_left(2)) == (59.0, 1.0)
