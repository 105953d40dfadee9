"""Sends signs of life from a thread while a bot thinks, so that the server does not drop the connection.

A bot's methods run in the task that reads the connection. That task cannot answer `are_you_there` during a call, and a
server disconnects a silent program after some minutes. The thread of a `Heartbeat` answers instead. It stops when the
call exceeds its time, so a bot that hangs is disconnected in the end.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

LOOK_SECONDS = 0.2  # the interval at which the thread checks a running call
SIGN_SECONDS = 30.0  # the interval of unrequested signs, in case a request was missed
IDLE_SECONDS = 5.0  # the idle time after which the thread ends
MARGIN_SECONDS = 10.0  # signs continue for this time after a decision's limit, until its default action arrives
CALL_SECONDS = 600.0  # the limit for calls without a clock


class Living(Protocol):
    """The methods of a connection that the thread uses."""

    @property
    def can_give_signs(self) -> bool:
        """Returns whether another thread can use the connection."""
        ...

    def give_sign(self, asked_before: int, *, anyhow: bool) -> int:
        """Sends a sign of life if the server has asked more than `asked_before` times, or if `anyhow`. Returns how
        often it has asked."""
        ...


class _Call:
    """A call of the bot that is running."""

    __slots__ = ("asked", "begun", "late", "link", "signed", "until")

    def __init__(self, link: Living, seconds: float, late: Callable[[], None] | None) -> None:
        self.link, self.late = link, late
        self.begun = self.signed = time.monotonic()
        self.until = self.begun + seconds
        self.asked = 0


class Heartbeat:
    """The signs of life of one runner. Its bots' calls do not overlap: `begin` runs before each call and `end` after
    it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._call: _Call | None = None
        self._thread: threading.Thread | None = None

    def begin(self, link: Living, seconds: float = CALL_SECONDS, late: Callable[[], None] | None = None) -> None:
        """Starts to watch a call that may take `seconds`. The thread calls `late` once if the call takes longer."""
        if not link.can_give_signs:
            return
        with self._lock:
            self._call = _Call(link, seconds, late)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)
                self._thread.start()

    def end(self) -> None:
        """Stops watching the call, so that only the connection's own task uses the connection."""
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
        """Sends a sign of life if one is due. The caller holds the lock, so the connection's task is blocked. Returns
        the function to call because the bot's call is late, or None."""
        if now - call.begun >= LOOK_SECONDS and now < call.until + MARGIN_SECONDS:
            anyhow = now - call.signed >= SIGN_SECONDS
            asked = call.link.give_sign(call.asked, anyhow=anyhow)
            if anyhow or asked > call.asked:
                call.asked, call.signed = asked, now
        late = None
        if now >= call.until:
            late, call.late = call.late, None
        return late
