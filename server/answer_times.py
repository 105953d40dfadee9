"""Times from a decision's request to its answer: counts by duration, over the last five minutes."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

SLOT_SECONDS = 10
SLOTS = 30
RATE_SLOTS = 6
FINE = 3
"""Buckets are `2**FINE` to each power of two, so a percentile is at most an eighth too high."""


@dataclass(slots=True)
class _Slot:
    number: int
    count: int = 0
    buckets: dict[int, int] = field(default_factory=dict)


class AnswerTimes:
    """Times of decisions that were answered and are on disk. `now` is in seconds, on a monotonic clock.

    A server that keeps data answers a decision once its batch is on disk. `asked` adds a decision that waits, and
    `kept` counts all decisions up to a batch. It is a waiter of the journal.
    """

    def __init__(self, now: float) -> None:
        self._began = now
        self._slots: deque[_Slot] = deque(maxlen=SLOTS)
        self._unkept: list[tuple[int, float]] = []  # the journal's batch, and when its request came

    @property
    def waits(self) -> bool:
        """Whether a decision waits for its batch."""
        return bool(self._unkept)

    def asked(self, came: float, position: int) -> None:
        """Adds a decision whose request came at that time. Its answer waits for that batch of the journal."""
        self._unkept.append((position, came))

    def up_to(self, durable: int, now: float) -> None:
        """Counts the decisions of all batches up to that one as answered now."""
        done = 0
        for position, came in self._unkept:
            if position > durable:
                break
            self.count(now - came, now)
            done += 1
        del self._unkept[:done]

    def forget(self) -> None:
        """Drops the decisions that wait."""
        self._unkept.clear()

    def count(self, seconds: float, now: float) -> None:
        """Counts an answer that is sent now and took that time."""
        number = int(now) // SLOT_SECONDS
        if not self._slots or self._slots[-1].number != number:
            self._slots.append(_Slot(number))
        slot = self._slots[-1]
        slot.count += 1
        bucket = _bucket(int(seconds * 1e6))
        slot.buckets[bucket] = slot.buckets.get(bucket, 0) + 1

    def a_second(self, now: float) -> float:
        """Decisions a second, over the last minute or since the server began."""
        current = int(now) // SLOT_SECONDS
        first = current - RATE_SLOTS + 1
        since = max(self._began, first * SLOT_SECONDS)
        count = sum(slot.count for slot in self._slots if slot.number >= first)
        return count / max(1.0, now - since)

    def percentiles(self, now: float, *parts: float) -> list[float | None]:
        """The times within which these shares of the answers of the last five minutes were given, in seconds. None
        without answers."""
        oldest = int(now) // SLOT_SECONDS - SLOTS
        buckets: dict[int, int] = {}
        for slot in self._slots:
            if slot.number > oldest:
                for bucket, count in slot.buckets.items():
                    buckets[bucket] = buckets.get(bucket, 0) + count
        return [_percentile(buckets, part) for part in parts]


def _bucket(micros: int) -> int:
    """The number of the bucket for that many microseconds: exact below `2**FINE`, then by the highest bits."""
    if micros < 1 << FINE:
        return max(0, micros)
    shift = micros.bit_length() - FINE - 1
    return (shift << FINE) + (micros >> shift)


def _upper_end(bucket: int) -> float:
    """The first duration above that bucket, in seconds."""
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
