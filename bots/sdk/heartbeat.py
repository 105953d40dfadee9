"""Sends signs of life to the server from a thread while a bot thinks, so that the server does not disconnect the bot.

A bot's methods run in the task that reads the connection. That task cannot answer the server's `are_you_there` while a
method runs, and the server disconnects a silent program after some minutes. The thread of a `Heartbeat` answers
instead. It stops answering when the method exceeds its time limit, so that a bot that hangs is disconnected in the end.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

LOOK_SECONDS = 0.2  # the interval at which the thread checks the running call of the bot
SIGN_SECONDS = 30.0  # the interval of signs of life that the server has not requested, in case a request was missed
IDLE_SECONDS = 5.0  # the thread ends after this time without a call of the bot
MARGIN_SECONDS = 10.0  # signs continue this long after a call's time limit, as the server's default action comes later
CALL_SECONDS = 600.0  # the time limit for calls of the bot that no clock limits


class SignSender(Protocol):
    """The part of a link that the thread of a Heartbeat uses."""

    @property
    def can_send_signs(self) -> bool:
        """Whether another thread can use the connection."""
        ...

    def send_sign_of_life(self, asked_before: int, *, anyhow: bool) -> int:
        """Sends a sign of life if the server has requested more than `asked_before` of them since the call of the bot
        began, or if `anyhow`. Returns how many the server has requested."""
        ...


class _Call:
    """The call of a bot's method that is running: when it began, its time limit, and the signs of life sent for it."""

    __slots__ = ("asked", "begun", "late", "link", "signed", "until")

    def __init__(self, link: SignSender, seconds: float, late: Callable[[], None] | None) -> None:
        self.link, self.late = link, late
        self.begun = self.signed = time.monotonic()
        self.until = self.begun + seconds
        self.asked = 0


class Heartbeat:
    """Sends the signs of life for one runner. The runner calls `begin` before each call of a bot's method and `end`
    after it; these calls do not overlap."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._call: _Call | None = None
        self._thread: threading.Thread | None = None

    def begin_call(
        self, link: SignSender, seconds: float = CALL_SECONDS, late: Callable[[], None] | None = None
    ) -> None:
        """Starts to send signs of life during a call of the bot that may take `seconds`. The thread calls `late` once
        if the call takes longer."""
        if not link.can_send_signs:
            return
        with self._lock:
            self._call = _Call(link, seconds, late)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)
                self._thread.start()

    def end_call(self) -> None:
        """Stops sending signs of life. After it, only the connection's own task uses the connection."""
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
        """Sends a sign of life if one is due. Returns the function to call because the bot exceeds its time limit, or
        None. The caller holds the lock, so that the connection's task does not use the connection meanwhile."""
        if now - call.begun >= LOOK_SECONDS and now < call.until + MARGIN_SECONDS:
            anyhow = now - call.signed >= SIGN_SECONDS
            asked = call.link.send_sign_of_life(call.asked, anyhow=anyhow)
            if anyhow or asked > call.asked:
                call.asked, call.signed = asked, now
        late = None
        if now >= call.until:
            late, call.late = call.late, None
        return late
