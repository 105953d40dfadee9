"""The times from a decision's request to its answer: a histogram of the last five minutes."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

SLOT_SECONDS = 10
SLOTS = 30
RATE_SLOTS = 6
FINE = 3
"""Each power of two microseconds has `2**FINE` buckets, so a percentile is at most an eighth too high."""


@dataclass(slots=True)
class _Slot:
    number: int
    count: int = 0
    buckets: dict[int, int] = field(default_factory=dict)


class AnswerTimes:
    """Response times of decisions that are answered and on disk. `now` is in seconds on a monotonic clock.

    A server with a store answers a decision once its journal batch is on disk. `asked` adds such a pending decision,
    and `up_to` counts those of all batches that are on disk.
    """

    def __init__(self, now: float) -> None:
        self._began = now
        self._slots: deque[_Slot] = deque(maxlen=SLOTS)
        # for each pending decision: its journal batch, and when its request arrived
        self._unkept: list[tuple[int, float]] = []

    @property
    def has_pending(self) -> bool:
        """Whether a decision's answer is still pending."""
        return bool(self._unkept)

    def add_pending(self, came: float, position: int) -> None:
        """Adds a pending decision: `came` is when its request arrived, `position` the journal batch that its answer
        waits for."""
        self._unkept.append((position, came))

    def count_committed(self, durable: int, now: float) -> None:
        """Counts the pending decisions of all journal batches up to `durable` as answered now."""
        done = 0
        for position, came in self._unkept:
            if position > durable:
                break
            self.count_answer(now - came, now)
            done += 1
        del self._unkept[:done]

    def drop_pending(self) -> None:
        """Drops all pending decisions without counting them."""
        self._unkept.clear()

    def count_answer(self, seconds: float, now: float) -> None:
        """Counts an answer that is sent now, with its response time in seconds."""
        number = int(now) // SLOT_SECONDS
        if not self._slots or self._slots[-1].number != number:
            self._slots.append(_Slot(number))
        slot = self._slots[-1]
        slot.count += 1
        bucket = _bucket(int(seconds * 1e6))
        slot.buckets[bucket] = slot.buckets.get(bucket, 0) + 1

    def decisions_per_second(self, now: float) -> float:
        """Returns the number of decisions per second, over the last minute or since the server began if that is
        later."""
        current = int(now) // SLOT_SECONDS
        first = current - RATE_SLOTS + 1
        since = max(self._began, first * SLOT_SECONDS)
        count = sum(slot.count for slot in self._slots if slot.number >= first)
        return count / max(1.0, now - since)

    def percentiles(self, now: float, *parts: float) -> list[float | None]:
        """Returns percentiles of the response times of the last five minutes, in seconds. None if there were no
        answers.

        Each of `parts` is a share from 0 to 1, such as 0.99.
        """
        oldest = int(now) // SLOT_SECONDS - SLOTS
        buckets: dict[int, int] = {}
        for slot in self._slots:
            if slot.number > oldest:
                for bucket, count in slot.buckets.items():
                    buckets[bucket] = buckets.get(bucket, 0) + count
        return [_percentile(buckets, part) for part in parts]


def _bucket(micros: int) -> int:
    """Returns the number of the bucket for a duration in microseconds. Below `2**FINE` it is exact; above, the highest
    bits decide."""
    if micros < 1 << FINE:
        return max(0, micros)
    shift = micros.bit_length() - FINE - 1
    return (shift << FINE) + (micros >> shift)


def _upper_end(bucket: int) -> float:
    """Returns the shortest duration that is too long for that bucket, in seconds."""
    if bucket < 1 << FINE:
        return (bucket + 1) / 1e6
    shift = (bucket >> FINE) - 1
    high = (bucket & ((1 << FINE) - 1)) + (1 << FINE)
    return ((high + 1) << shift) / 1e6


def _percentile(buckets: dict[int, int], part: float) -> float | None:
    left = part * sum(buckets.values())
    for bucket in sorted(buckets):
        left -= buckets[bucket]
        if left <= 0:
            return _upper_end(bucket)
    return None
