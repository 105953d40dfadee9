"""Texts with which a person who hosts a server invites others to it: lines to read out, and a QR code on demand.
Pure.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest

from games.api import StyledLine
from people.language import _, ngettext
from protocol.errors import Refusal

_BLOCKS = {(0, 0): "\N{FULL BLOCK}", (0, 1): "\N{UPPER HALF BLOCK}", (1, 0): "\N{LOWER HALF BLOCK}", (1, 1): " "}


@dataclass(frozen=True)
class Host:
    """The server that runs in the person's own process. `addresses` returns the addresses at which other machines can
    reach it now, best first."""

    addresses: Callable[[], list[str]]
    port: int
    usual_port: bool
    guests: Callable[[str], list[str]]  # returns the names of all connected people, except the given name
    keeps: bool  # whether running matches are stored, and go on when the host starts the server again
    fingerprint: str = ""  # the SHA-256 fingerprint of the server's certificate; "" without TLS
    web_port: int | None = None  # the port of the server's pages for browsers; None if it has none

    def connect_commands(self, address: str) -> tuple[str, str]:
        """Returns the two commands that connect to the server at that address: with magehall, and with standard
        tools."""
        return connect_commands_to(address, self.port, usual_port=self.usual_port, tls=bool(self.fingerprint))


def connect_commands_to(address: str, port: int, *, usual_port: bool, tls: bool) -> tuple[str, str]:
    """Returns two commands that connect to a server: one with magehall, and one with standard tools."""
    play = f"magehall play --host {address}" + ("" if usual_port else f" --port {port}")
    if tls:
        return f"{play} --tls", f"openssl s_client -quiet -connect {_place(address)}:{port}"
    return play, f"telnet {address} {port}"


def page_url(address: str, web_port: int, *, tls: bool) -> str:
    """Returns the URL of a server's page for browsers."""
    return f"{'https' if tls else 'http'}://{_place(address)}:{web_port}/"


def _place(address: str) -> str:
    """Returns an address such that a colon and a port can follow it: an IPv6 address in brackets."""
    return f"[{address}]" if ":" in address else address


def invitation_lines(host: Host) -> list[StyledLine]:
    """Returns the lines to read out to guests: how to connect to each of the server's addresses."""
    addresses = host.addresses()
    lines = [line for address in addresses for line in connect_lines(host, address)]
    if not addresses:
        return [[("bad", _("This machine has no network now. New addresses will be shown here."))]]
    if host.fingerprint:
        lines.append([("", _("The fingerprint of its certificate, SHA-256: ")), ("key", host.fingerprint)])
    return [*lines, [("dim", _("In the same network, magehall play alone finds it too."))]]


def connect_lines(host: Host, address: str) -> list[StyledLine]:
    """Returns the lines to read out to guests: how to connect to one address of the server."""
    play, plain = host.connect_commands(address)
    first = _("The others type: ") if host.addresses()[:1] == [address] else _("Or, by another address: ")
    lines: list[StyledLine] = [[("", first), ("key", play)], [("", _("  with nothing installed: ")), ("key", plain)]]
    if host.web_port is not None:
        page = page_url(address, host.web_port, tls=bool(host.fingerprint))
        lines.append([("", _("  in a browser or on a phone: ")), ("key", page)])
    return lines


def qr_code_page(host: Host, wanted: str) -> Callable[[int, int], list[StyledLine]]:
    """Returns a page with the QR code of one of the server's addresses. `wanted` is the typed number of the address, ""
    for the first one. Raises Refusal if there is no address of that number."""
    addresses = host.addresses()
    number = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 4 else 0 if wanted else 1
    if not 0 < number <= len(addresses):
        raise Refusal("bad_field", _("There are {count} addresses: invite lists them.", count=len(addresses)))
    address = addresses[number - 1]
    if host.web_port is not None:
        return partial(_code, page_url(address, host.web_port, tls=bool(host.fingerprint)))
    return partial(
        _code, host.connect_commands(address)[0] if host.fingerprint else f"telnet://{_place(address)}:{host.port}"
    )


def _code(text: str, _width: int, _height: int) -> list[StyledLine]:
    """Returns the rows of a QR code of that text, light on dark. Its size does not depend on the terminal's."""
    return [[("", row)] for row in qr_rows(text)]


def qr_rows(text: str) -> list[str]:
    """Returns a QR code of that text. Each returned line shows two rows of its squares."""
    import segno  # a slow import that few users need

    squares = [list(row) for row in segno.make(text, micro=False, error="l").matrix_iter(border=2)]
    rows = []
    for upper, lower in zip_longest(squares[::2], squares[1::2], fillvalue=[0] * len(squares[0])):
        rows.append("".join(_BLOCKS[bool(above), bool(below)] for above, below in zip(upper, lower, strict=True)))
    return rows


def guests_warning(host: Host | None, name: str) -> str:
    """Returns the warning that the server ends for its guests if the person of that name, who hosts it, leaves; "" if
    the person is no host or has no guests."""
    names = host.guests(name) if host is not None else []
    if not names:
        return ""
    return ngettext(
        "The server ends with you, and {names} is here.",
        "The server ends with you, and {names} are here.",
        len(names),
        names=", ".join(names[:5]),
    )
