"""Codes that prove a name without a token. A used code stays valid until the owner has surely received the next one."""

from __future__ import annotations

import hmac
import secrets

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_LENGTH = 10


class ReconnectCodes:
    """The codes that prove one name.

    A connection may be lost before the answer to a hello arrives. So the code in that hello proves the name until the
    next code is used, or until the server knows that the next code has arrived. A client that comes back with the old
    code gets the same next code again. At most two codes are valid at a time.
    """

    __slots__ = ("current", "is_unseen", "previous")

    def __init__(self, current: str = "", previous: str = "") -> None:
        self.current = current  # the latest code; "" if none was issued
        # the code before the latest, which is valid until the latest has arrived; "" if there is none
        self.previous = previous
        self.is_unseen = bool(previous)  # whether the latest welcome may not have arrived

    def is_valid(self, given: str) -> bool:
        """Returns whether the code `given` proves the name now."""
        return bool(given) and any([_equal(given, self.current), _equal(given, self.previous)])

    def mark_used(self, given: str) -> None:
        """Marks a valid code as used, so that `issue_code` creates the next one."""
        if _equal(given, self.current):
            self.current, self.previous, self.is_unseen = "", given, True

    def issue_code(self) -> str:
        """Returns the code for a welcome: the latest one if it is unused, otherwise a new one."""
        if not self.current:
            self.current, self.is_unseen = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH)), True
        return self.current

    def confirm_received(self) -> None:
        """Records that the owner has received the latest code, or has a token. The code before it becomes invalid."""
        self.previous, self.is_unseen = "", False

    def replace_all(self) -> str:
        """Invalidates all codes and returns a new one."""
        self.clear()
        return self.issue_code()

    def clear(self) -> None:
        """Invalidates all codes."""
        self.current, self.previous, self.is_unseen = "", "", False


def _equal(given: str, code: str) -> bool:
    return bool(code) and hmac.compare_digest(given.encode(), code.encode())
