"""Bans of names and addresses, temporary or permanent. They survive a restart.

A ban's end is a wall-clock time, so the ban also expires while the server does not run.
"""

from __future__ import annotations

import time
from collections.abc import Hashable

import msgspec

from people.text.sentences import with_reason
from protocol.errors import CODES, Refusal
from server.common import BANS, LOBBY
from server.config import DEFAULTS, Config
from server.language import _
from server.store.journal import Journal


class BanRecord(msgspec.Struct, frozen=True):
    """A ban of an address, or of a name as the operator wrote it. `until` is in seconds since 1970; 0 means that the
    ban is permanent."""

    who: str
    until: float = 0.0
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.who}, {self.reason_text()}"

    def reason_text(self) -> str:
        """Returns when the ban ends and the operator's reason, as a sentence."""
        return f"{self.end_text()}: {self.reason}" if self.reason else self.end_text()

    def end_text(self) -> str:
        """Returns the time when the ban ends, as text."""
        return time.strftime(_("until %Y-%m-%d %H:%M UTC"), time.gmtime(self.until)) if self.until else _("for good")


class Bans:
    """All bans of one server, by folded name or grouped address. The two cannot be confused, because a name begins with
    a letter and has neither dots nor colons."""

    def __init__(self, journal: Journal, config: Config = DEFAULTS) -> None:
        self._journal, self._config = journal, config
        self._bans: dict[Hashable, BanRecord] = {}

    def ban_refusal(self, who: Hashable) -> Refusal | None:
        """Returns the refusal that a banned name or address gets; None if it is not banned."""
        ban = self._bans.get(who)
        if ban is None or _is_over(ban):
            return Refusal("banned") if self._config.matching_ban(who) else None
        text = _("You are banned from this server, {end}.", end=ban.end_text()) if ban.until else ""
        return Refusal("banned", with_reason(text or CODES["banned"].translated_text, ban.reason))

    def list_bans(self) -> list[BanRecord]:
        """Returns all bans that are in force. Those of the settings file come last."""
        own = [ban for ban in self._bans.values() if not _is_over(ban)]
        return [*own, *(BanRecord(who, reason=_("in the settings file")) for who in self._config.bans)]

    def add_ban(self, who: str, written: str, seconds: float, reason: str = "") -> BanRecord:
        """Bans `who` for that number of seconds, or permanently for 0. Replaces an earlier ban. `written` is the name
        as the operator typed it."""
        ban = self._bans[who] = BanRecord(written, time.time() + seconds if seconds else 0.0, reason)
        self._keep()
        return ban

    def lift_ban(self, who: str) -> bool:
        """Lifts a ban. Returns False if there is none."""
        known = self._bans.pop(who, None) is not None
        if known:
            self._keep()
        return known

    def restore(self, row: bytes) -> None:
        """Restores the bans from the stored row. Raises msgspec.DecodeError if it is malformed."""
        self._bans = dict(msgspec.msgpack.decode(row, type=dict[str, BanRecord])) if row else {}

    def _keep(self) -> None:
        self._bans = {who: ban for who, ban in self._bans.items() if not _is_over(ban)}
        if self._journal.keeps:
            self._journal.put_row(LOBBY, BANS, msgspec.msgpack.encode(self._bans))


def _is_over(ban: BanRecord) -> bool:
    return 0 < ban.until <= time.time()
