"""What has cause often is said seldom, and nothing is lost count of."""

from server.rarely import MOST, Rarely


def test_b16_each_cause_is_said_once_a_minute_with_the_times_between() -> None:
    rarely = Rarely(60)
    assert [rarely.times("here", now) for now in (0, 1, 59, 60, 61, 200)] == [1, 0, 0, 3, 0, 2]
    assert rarely.times("there", 1) == 1


def test_b16_causes_without_end_count_as_one() -> None:
    rarely = Rarely(60)
    said = [rarely.times(number, 0) for number in range(3 * MOST)]
    assert sum(said) == MOST + 1


def test_causes_that_are_long_past_make_room_and_the_others_are_remembered() -> None:
    rarely = Rarely(60)
    for number in range(MOST - 1):
        rarely.times(number, 1_000)
    rarely.times("lately", 1_050)
    assert [rarely.times(cause, 1_060) for cause in ("new", "newer", "lately", 0)] == [1, 1, 0, 1]


def test_where_none_is_long_past_a_new_cause_counts_with_the_other_new_ones() -> None:
    rarely = Rarely(60)
    for number in range(MOST):
        rarely.times(number, 1_000)
    assert [rarely.times(cause, 1_059) for cause in (5, "new", "newer")] == [0, 1, 0]
    assert rarely.times("newest", 1_120) == 1, "there is room again"
