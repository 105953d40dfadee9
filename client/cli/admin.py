"""`magehall admin`: what the operator of a running server asks and orders, through a socket in its data folder."""

from __future__ import annotations

import socket
import sys
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from client.cli.arguments import command_group
from client.cli.data import Data, data_folder
from client.ending import MISUSED, escaped, fail
from client.language import _
from languages import language
from protocol.printable import escape
from protocol.text.times import seconds_in
from server.desk.operator import Command
from server.net.admin import SECONDS, Answer, within_reach

_EXAMPLES = """Examples:

\b
  magehall admin who                                who is here, and from where
  magehall admin ban Eve --for 2h                   a name
  magehall admin ban 203.0.113.7                    an address; of IPv6 the whole /64
  magehall admin unlock Ada                         after wrong tokens or codes of that name
  magehall admin announce "New cards at nine."      everybody reads it, from `server`
  magehall admin drain                              ends the server after the last match
  magehall admin --data /srv/hall tables            of a server with another --data

Only the user who runs the server may do this, on the same machine.
"""

app = command_group("admin", "Keeps order on a server that runs here: people, tables, bans, its end.", _EXAMPLES)

Name = Annotated[str, typer.Argument(metavar="NAME", help="A player's name.")]
NameOrAddress = Annotated[str, typer.Argument(metavar="NAME|ADDRESS", help="A player's name, or an IP address.")]
Why = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Told to those concerned.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Does not ask.")]
Table = Annotated[str, typer.Argument(metavar="TABLE", help="A table, such as t1.")]


@app.callback()
def _folder(ctx: typer.Context, data: Data = "") -> None:
    folder = data_folder(data)
    if folder is None:
        fail(_("A server that keeps nothing has no operator's socket."), MISUSED)
    ctx.obj = folder


@app.command()
def who(ctx: typer.Context) -> None:
    """Lists who is here, from which address, at which tables."""
    _order(ctx, "who")


@app.command()
def tables(ctx: typer.Context) -> None:
    """Lists the tables."""
    _order(ctx, "tables")


@app.command()
def kick(
    ctx: typer.Context,
    name: Name,
    table: Annotated[str, typer.Argument(metavar="[TABLE]", help="From this table alone.")] = "",
    reason: Why = "",
) -> None:
    """Ends a player's connection and takes every seat away, or sends them away from one table for good."""
    _order(ctx, "kick", who=name, table=table, text=reason)


@app.command()
def mute(ctx: typer.Context, name: Name) -> None:
    """What the player says reaches nobody."""
    _order(ctx, "mute", who=name)


@app.command()
def unmute(ctx: typer.Context, name: Name) -> None:
    """The player is heard again."""
    _order(ctx, "unmute", who=name)


@app.command()
def ban(
    ctx: typer.Context,
    who: NameOrAddress,
    time: Annotated[str, typer.Option("--for", metavar="TIME", help="Such as 30m, 2h, 7d. Default: for good.")] = "",
    reason: Why = "",
) -> None:
    """Kicks, and lets nobody in with that name or from that address. Outlives the server."""
    try:
        seconds = float(seconds_in(time)) if time else 0.0
    except ValueError as error:
        fail(_("--for: {error}", error=error), MISUSED)
    _order(ctx, "ban", who=who, seconds=seconds, text=reason)


@app.command()
def unban(ctx: typer.Context, who: NameOrAddress) -> None:
    """Ends a ban."""
    _order(ctx, "unban", who=who)


@app.command()
def bans(ctx: typer.Context) -> None:
    """Lists who is banned, and until when."""
    _order(ctx, "bans")


@app.command()
def forget(ctx: typer.Context, name: Name) -> None:
    """Makes a name free, if its player is gone and has no table."""
    _order(ctx, "forget", who=name)


@app.command()
def code(ctx: typer.Context, name: Name, yes: Yes = False) -> None:
    """Gives a name anew, whose token was lost or stolen: prints a code with which its owner says hello.

    A player who is online loses the connection, so it asks first.
    """
    _order(ctx, "code", who=name, careful=not yes)


@app.command()
def unlock(ctx: typer.Context, name: Name) -> None:
    """After wrong proofs of a name: for an hour no proof of it has to wait."""
    _order(ctx, "unlock", who=name)


@app.command()
def close(ctx: typer.Context, table: Table) -> None:
    """Ends a table. A running match is aborted and does not count."""
    _order(ctx, "close", table=table)


@app.command()
def announce(ctx: typer.Context, text: Annotated[str, typer.Argument(metavar="TEXT", help="What to say.")]) -> None:
    """Says something to everybody who is here."""
    _order(ctx, "announce", text=text)


@app.command()
def operator(ctx: typer.Context) -> None:
    """Prints a code that makes one connection the operator's, once: type `operator CODE` in the client or by telnet."""
    _order(ctx, "operator")


@app.command("stop-accepting")
def stop_accepting(ctx: typer.Context, reason: Why = "") -> None:
    """Lets nobody new in, and no match begin; who plays goes on, and may come back."""
    _order(ctx, "stop-accepting", text=reason)


@app.command()
def drain(ctx: typer.Context, reason: Why = "") -> None:
    """The same, and ends the server when the last match is over."""
    _order(ctx, "drain", text=reason)


@app.command()
def accept(ctx: typer.Context) -> None:
    """Takes stop-accepting or drain back."""
    _order(ctx, "accept")


def _order(ctx: typer.Context, do: str, **fields: Any) -> None:
    """Has the server do it, and prints what it says; exit code 1 if it refuses, or the operator says no."""
    command = Command(do, lang=language(), **fields)
    answer = _ask(ctx.obj, command)
    if answer.asks:
        _confirm("\n".join(answer.lines))
        answer = _ask(ctx.obj, msgspec.structs.replace(command, careful=False))
    text = "\n".join(escape(line) for line in answer.lines)
    if not answer.ok:
        fail(text)
    typer.echo(text)


def _confirm(warning: str) -> None:
    """Returns if the operator says yes; without a terminal nobody can, and the command ends."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        fail(_("{warning} With --yes it is done.", warning=warning))
    print(escaped(warning), _("Go on? [y/N]"), end=" ", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes", *_("y yes").split()):
        fail(_("Nothing was done."))


def _ask(folder: Path, command: Command) -> Answer:
    try:
        line = msgspec.json.encode(command) + b"\n"
    except UnicodeEncodeError:
        fail(_("What you typed is no text in UTF-8."), MISUSED)
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock, within_reach(folder) as address:
            sock.settimeout(SECONDS + 5)
            sock.connect(address)
            sock.sendall(line)
            with sock.makefile("rb") as file:
                return msgspec.json.decode(file.readline(), type=Answer)
    except (FileNotFoundError, ConnectionRefusedError):
        fail(_("No server runs on the data in {folder}; --data names another folder.", folder=folder))
    except (OSError, msgspec.DecodeError) as error:
        fail(
            _(
                "The server on the data in {folder} does not answer: {why}.",
                folder=folder,
                why=getattr(error, "strerror", "") or error,
            )
        )
