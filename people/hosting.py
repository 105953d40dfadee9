"""How a host invites others to the server: lines to read out, and a QR code on demand. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest

from games.api import Line
from people.language import _, ngettext
from protocol.errors import Refusal

_BLOCKS = {(0, 0): "\N{FULL BLOCK}", (0, 1): "\N{UPPER HALF BLOCK}", (1, 0): "\N{LOWER HALF BLOCK}", (1, 1): " "}


@dataclass(frozen=True)
class Host:
    """The server in this process. `addresses` returns its current addresses for other machines, best first."""

    addresses: Callable[[], list[str]]
    port: int
    usual_port: bool
    guests: Callable[[str], list[str]]  # returns the names of all who are here, except one
    keeps: bool  # matches continue when the host starts the server again
    fingerprint: str = ""  # of the server's certificate; "" without TLS

    def ways(self, address: str) -> tuple[str, str]:
        """Returns the commands that connect to the server at that address."""
        return ways_to(address, self.port, usual_port=self.usual_port, tls=bool(self.fingerprint))


def ways_to(address: str, port: int, *, usual_port: bool, tls: bool) -> tuple[str, str]:
    """Returns the commands that connect to a server: with magehall, and with standard tools."""
    play = f"magehall play --host {address}" + ("" if usual_port else f" --port {port}")
    if tls:
        return f"{play} --tls", f"openssl s_client -quiet -connect {_place(address)}:{port}"
    return play, f"telnet {address} {port}"


def _place(address: str) -> str:
    """Returns an address in the form for a colon and a port after it."""
    return f"[{address}]" if ":" in address else address


def invitation(host: Host) -> list[Line]:
    """Returns the lines to read out, for each address."""
    addresses = host.addresses()
    lines = [line for address in addresses for line in ways(host, address)]
    if not addresses:
        return [[("bad", _("This machine has no network now. New addresses will be shown here."))]]
    if host.fingerprint:
        lines.append([("", _("The fingerprint of its certificate, SHA-256: ")), ("key", host.fingerprint)])
    return [*lines, [("dim", _("In the same network, magehall play alone finds it too."))]]


def ways(host: Host, address: str) -> list[Line]:
    """Returns the lines to read out for one address."""
    play, plain = host.ways(address)
    first = _("The others type: ") if host.addresses()[:1] == [address] else _("Or, by another address: ")
    return [[("", first), ("key", play)], [("", _("  with nothing installed: ")), ("key", plain)]]


def codes(host: Host, wanted: str) -> Callable[[int, int], list[Line]]:
    """Returns the page with the QR code of the address with that number, by default the first. Raises Refusal."""
    addresses = host.addresses()
    number = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 4 else 0 if wanted else 1
    if not 0 < number <= len(addresses):
        raise Refusal("bad_field", _("There are {count} addresses: invite lists them.", count=len(addresses)))
    address = addresses[number - 1]
    return partial(_code, host.ways(address)[0] if host.fingerprint else f"telnet://{_place(address)}:{host.port}")


def _code(text: str, _width: int, _height: int) -> list[Line]:
    """Returns the link to the server as a QR code, light on dark. Its size is fixed."""
    return [[("", row)] for row in qr_rows(text)]


def qr_rows(text: str) -> list[str]:
    """Returns a QR code, with two rows of squares per line of text."""
    import segno  # a slow import that few users need

    squares = [list(row) for row in segno.make(text, micro=False, error="l").matrix_iter(border=2)]
    rows = []
    for upper, lower in zip_longest(squares[::2], squares[1::2], fillvalue=[0] * len(squares[0])):
        rows.append("".join(_BLOCKS[bool(above), bool(below)] for above, below in zip(upper, lower, strict=True)))
    return rows


def warn_guests(host: Host | None, name: str) -> str:
    """Returns a warning about the effects on others if the host of that name leaves; "" if no one else is there."""
    names = host.guests(name) if host is not None else []
    if not names:
        return ""
    return ngettext(
        "The server ends with you, and {names} is here.",
        "The server ends with you, and {names} are here.",
        len(names),
        names=", ".join(names[:5]),
    )
