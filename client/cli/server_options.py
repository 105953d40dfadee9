"""The options of all commands that connect to a server: its address, and how it must prove its identity."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from client.exit_codes import MISUSED, exit_with_error
from client.language import _
from protocol import PORT

if TYPE_CHECKING:
    from bots.sdk.link import Dial
    from bots.sdk.tls import Tls

HERE = "127.0.0.1"
_WITH_PORT = re.compile(r"(?P<host>[^:]+|\[[^]]+\]):(?P<port>[0-9]{1,9})", re.ASCII)

_OPTIONS: dict[str, tuple[Any, Any]] = {  # the type and the default of each parameter
    "host": (
        Annotated[str, typer.Option(metavar="HOST", help="Where `magehall serve` runs: a machine, or MACHINE:PORT.")],
        "",
    ),
    "port": (
        Annotated[int | None, typer.Option(min=1, max=65_535, help=f"The server's port. Default: {PORT}.")],
        None,
    ),
    "tls": (
        Annotated[bool, typer.Option("--tls", help="Uses TLS and remembers the server's certificate, like ssh.")],
        False,
    ),
    "tls_ca": (
        Annotated[
            str,
            typer.Option(metavar="FILE", help="The authority that signed the server's certificate. Uses TLS."),
        ],
        "",
    ),
    "tls_pin": (
        Annotated[str, typer.Option(metavar="SHA256", help="The fingerprint of the server's certificate. Uses TLS.")],
        "",
    ),
}


@dataclass(frozen=True)
class ServerOptions:
    """The address of a server, and how the server must prove its identity. `tls` is None for plain text."""

    host: str
    port: int
    tls: Tls | None = None

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    def make_dial(self) -> Dial:
        """Returns a function that opens a connection to this server."""
        from bots.sdk.link import tcp

        return tcp(self.host, self.port, self.tls)


def add_server_options(default: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Replaces a command's parameter `server` by the options --host, --port, --tls, --tls-ca and --tls-pin.

    Args:
        default: The host if the user gives none. If it is "", the command's `server` is None unless the user gives a
            host or a port.
    """

    def with_options(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        parameters: list[inspect.Parameter] = []
        for one in signature.parameters.values():
            if one.name != "server":
                parameters.append(one)
                continue
            for name, (kind, usual) in _OPTIONS.items():
                usual = default if name == "host" else usual
                parameters.append(inspect.Parameter(name, one.kind, default=usual, annotation=kind))

        @wraps(command)
        def run(*, host: str, port: int | None, tls: bool, tls_ca: str, tls_pin: str, **others: Any) -> None:
            command(server=_server(host, port, parse_tls_options(tls, tls_ca, tls_pin)), **others)

        run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in parameters}
        return run

    return with_options


def _server(host: str, port: int | None, tls: Tls | None) -> ServerOptions | None:
    """Returns the server that the options name. HOST may include the port: `192.168.0.7:7110`, `[::1]:7110`."""
    if not (host or port):
        if tls is not None:
            exit_with_error(_("--tls needs --host."), MISUSED)
        return None
    if found := _WITH_PORT.fullmatch(host):
        host, port = found["host"].strip("[]"), int(found["port"])
        if not 0 < port < 65_536:
            exit_with_error(_("{port} is not a port. Ports are numbers from 1 to 65535.", port=found["port"]), MISUSED)
    return ServerOptions(host or HERE, port or PORT, tls)


def parse_tls_options(wanted: bool, ca: str = "", pin: str = "") -> Tls | None:
    """Returns how the server must prove its identity; None for plain text. Ends the command if `pin` is not the
    fingerprint of a certificate."""
    if not (wanted or ca or pin):
        return None
    from bots.sdk.tls import Tls, parse_fingerprint

    if ca and pin:
        exit_with_error(_("--tls-ca and --tls-pin exclude each other."), MISUSED)
    try:
        return Tls(ca=ca, fingerprint=parse_fingerprint(pin) if pin else "")
    except ValueError:
        exit_with_error(
            _("--tls-pin takes the 64 digits of a SHA-256 fingerprint, as the server prints it; not {pin!r}.", pin=pin),
            MISUSED,
        )
