"""The times of answers: percentiles over the last five minutes, and how many a second."""

from __future__ import annotations

import pytest

from server.answer_times import SLOT_SECONDS, SLOTS, AnswerTimes


def test_answers_of_more_than_five_minutes_ago_are_forgotten() -> None:
    times = AnswerTimes(0.0)
    times.count_answer(3.0, 5.0)
    times.count_answer(0.001, 200.0)
    now = SLOTS * SLOT_SECONDS + 5.0
    (longest,) = times.percentiles(now, 1.0)
    assert longest == pytest.approx(0.001, rel=0.125)
    assert times.percentiles(10_000.0, 0.5) == [None]


def test_an_answer_counts_once_its_batch_is_on_disk_and_not_if_that_is_lost() -> None:
    times = AnswerTimes(0.0)
    times.add_pending(1.0, 7)
    times.add_pending(1.5, 8)
    times.count_committed(6, 1.9)
    assert times.percentiles(2.0, 1.0) == [None]
    times.count_committed(7, 2.0)
    assert times.percentiles(2.0, 1.0) == pytest.approx([1.0], rel=0.125)
    times.drop_pending()
    times.count_committed(8, 9.0)
    assert times.percentiles(9.0, 1.0) == pytest.approx([1.0], rel=0.125)
