"""Seats that the user has left while the match was running: one file per server in the user's state folder."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import msgspec

from bots.sdk.tokens import state_folder

# the longest time for which a seat is stored, because an older match is almost certainly over
LONGEST_SECONDS = 86_400.0


class LeftSeat(msgspec.Struct, frozen=True):
    """A seat in a running match: the server's address, the table there, and the player's name."""

    host: str
    port: int
    table: str
    name: str
    tls: bool = False


def store_left_seat(seat: LeftSeat) -> None:
    """Stores the seat, so that `left_seats` returns it. Ignores errors of the disk."""
    with suppress(OSError):
        file = _file(seat.host, seat.port)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.write_bytes(msgspec.json.encode(seat))


def remove_left_seat(host: str, port: int) -> None:
    """Removes the stored seat at the server with that address."""
    with suppress(OSError):
        _file(host, port).unlink(missing_ok=True)


def load_left_seats() -> list[LeftSeat]:
    """Returns the seats that were stored in the last 24 hours, latest first."""
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
