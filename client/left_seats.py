"""Seats that the user has left in running matches: one file each in the user's state folder."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import msgspec

from bots.sdk.tokens import state_folder

LONGEST_SECONDS = 86_400.0  # an older match is almost certainly over


class LeftSeat(msgspec.Struct, frozen=True):
    """A seat at a table of the server at that address, and the player's name there."""

    host: str
    port: int
    table: str
    name: str
    tls: bool = False


def leave_behind(seat: LeftSeat) -> None:
    """Stores the seat for `left_seats`. Ignores errors."""
    with suppress(OSError):
        file = _file(seat.host, seat.port)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.write_bytes(msgspec.json.encode(seat))


def forget(host: str, port: int) -> None:
    """Removes the stored seat at that server."""
    with suppress(OSError):
        _file(host, port).unlink(missing_ok=True)


def left_seats() -> list[LeftSeat]:
    """Returns the seats of the last day, latest first."""
    found = []
    with suppress(OSError):
        for file in _folder().iterdir():
            with suppress(OSError, msgspec.MsgspecError):
                left = file.stat().st_mtime
                if time.time() - left < LONGEST_SECONDS:
                    found.append((left, msgspec.json.decode(file.read_bytes(), type=LeftSeat)))
    return [seat for _left, seat in sorted(found, key=lambda one: one[0], reverse=True)]


def _folder() -> Path:
    return state_folder() / "seats"


def _file(host: str, port: int) -> Path:
    return _folder() / quote(f"{host}:{port}", safe="")
