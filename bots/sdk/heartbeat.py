"""Signs of life while a bot thinks, from a thread: the server does not take a bot for dead that uses its own clock.

A bot's methods run in the task that reads its connection. Meanwhile nobody answers `are_you_there`, and a server lets a
silent program go after some minutes. The thread of a `Heartbeat` looks at the connection while a call lasts, and
answers. It does so for as long as the call may take, so a bot that hangs is let go in the end.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

LOOK_SECONDS = 0.2  # between two looks at a call that lasts
SIGN_SECONDS = 30.0  # between two signs that nobody asked for, in case that a question was not seen
IDLE_SECONDS = 5.0  # after the last call that was looked at, the thread ends
MARGIN_SECONDS = 10.0  # beyond the time that a decision has: its default action is on the way
CALL_SECONDS = 600.0  # for calls that no clock limits


class Living(Protocol):
    """The connection, seen from the thread."""

    @property
    def can_give_signs(self) -> bool:
        """Whether another thread can look at it."""
        ...

    def give_sign(self, asked_before: int, *, anyhow: bool) -> int:
        """Answers the server where it has asked more often than that, or anyhow; returns how often it has asked."""
        ...


class _Call:
    """A call of the bot that has not returned."""

    __slots__ = ("asked", "begun", "late", "link", "signed", "until")

    def __init__(self, link: Living, seconds: float, late: Callable[[], None] | None) -> None:
        self.link, self.late = link, late
        self.begun = self.signed = time.monotonic()
        self.until = self.begun + seconds
        self.asked = 0


class Heartbeat:
    """One a runner. The calls of its bots come one after the other: `begin` before each of them, `end` after it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._call: _Call | None = None
        self._thread: threading.Thread | None = None

    def begin(self, link: Living, seconds: float = CALL_SECONDS, late: Callable[[], None] | None = None) -> None:
        """A call begins that may take so many seconds; `late` is called from the thread when it has taken longer."""
        if not link.can_give_signs:
            return
        with self._lock:
            self._call = _Call(link, seconds, late)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)
                self._thread.start()

    def end(self) -> None:
        """The call has returned; the connection belongs to its own task again."""
        if self._call is not None:
            with self._lock:
                self._call = None

    def _run(self) -> None:
        looked = time.monotonic()
        while True:
            time.sleep(LOOK_SECONDS)
            now, late = time.monotonic(), None
            with self._lock:
                call = self._call
                if call is not None:
                    looked, late = now, self._look(call, now)
                elif now - looked > IDLE_SECONDS:
                    self._thread = None
                    return
            if late is not None:
                late()

    def _look(self, call: _Call, now: float) -> Callable[[], None] | None:
        """Gives a sign, if one is due. With the lock, so the connection's task stands still meanwhile. Returns what is
        to be called since the call takes too long."""
        if now - call.begun >= LOOK_SECONDS and now < call.until + MARGIN_SECONDS:
            anyhow = now - call.signed >= SIGN_SECONDS
            asked = call.link.give_sign(call.asked, anyhow=anyhow)
            if anyhow or asked > call.asked:
                call.asked, call.signed = asked, now
        late = None
        if now >= call.until:
            late, call.late = call.late, None
        return late
