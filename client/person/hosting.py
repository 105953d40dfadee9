"""What a person who hosts a server says to the others: one line to read out, and a QR code on demand. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest

from client.language import N_, _, ngettext
from games.api import Line

WORD = "invite"
HELP = N_("the line that the others type; invite qr adds a code for telephones")
_BLOCKS = {(0, 0): "\N{FULL BLOCK}", (0, 1): "\N{UPPER HALF BLOCK}", (1, 0): "\N{LOWER HALF BLOCK}", (1, 1): " "}


@dataclass(frozen=True)
class Host:
    """The server that runs in the same program. `address` is the one by which other machines reach it."""

    address: str
    port: int
    usual_port: bool
    guests: Callable[[], list[str]]  # the names of the others who are there

    @property
    def line(self) -> str:
        """What the others type."""
        return f"magehall play --host {self.address}" + ("" if self.usual_port else f" --port {self.port}")


def invitation(host: Host) -> list[Line]:
    """The line to read out."""
    return [
        [("", _("The others type: ")), ("key", host.line)],
        [("dim", _("In the same network, magehall play alone finds it too."))],
    ]


def code(host: Host, _width: int, _height: int) -> list[Line]:
    """The server's address as a QR code, light on dark; it has one size."""
    return [[("", row)] for row in qr_rows(f"telnet://{host.address}:{host.port}")]


def qr_rows(text: str) -> list[str]:
    """A QR code, two rows of squares in one row of letters."""
    import segno  # takes a moment, and few ask for it

    squares = [list(row) for row in segno.make(text, micro=False, error="l").matrix_iter(border=2)]
    rows = []
    for upper, lower in zip_longest(squares[::2], squares[1::2], fillvalue=[0] * len(squares[0])):
        rows.append("".join(_BLOCKS[bool(above), bool(below)] for above, below in zip(upper, lower, strict=True)))
    return rows


def warn_guests(host: Host | None) -> str:
    """What ends for others if the host leaves; "" where nobody else is there."""
    names = host.guests() if host is not None else []
    if not names:
        return ""
    return ngettext(
        "The server ends with you, and {names} is here.",
        "The server ends with you, and {names} are here.",
        len(names),
        names=", ".join(names[:5]),
    )
