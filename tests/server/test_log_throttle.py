"""What has cause often is said seldom, and nothing is lost count of."""

from server.log_throttle import MOST, LogThrottle


def test_b16_each_cause_is_said_once_a_minute_with_the_times_between() -> None:
    rarely = LogThrottle(60)
    assert [rarely.count_if_due("here", now) for now in (0, 1, 59, 60, 61, 200)] == [1, 0, 0, 3, 0, 2]
    assert rarely.count_if_due("there", 1) == 1


def test_b16_causes_without_end_count_as_one() -> None:
    rarely = LogThrottle(60)
    said = [rarely.count_if_due(number, 0) for number in range(3 * MOST)]
    assert sum(said) == MOST + 1
