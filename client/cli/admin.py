"""`magehall admin`: the operator's commands for a running server, through a socket in its data folder."""

from __future__ import annotations

import csv
import shlex
import socket
import sys
from pathlib import Path
from time import monotonic, sleep
from typing import Annotated, Any

import msgspec
import typer

from client.cli.arguments import AsJson, command_group
from client.cli.data import Data, resolve_data_folder
from client.exit_codes import FAILED, MISUSED, escape_controls, exit_with_error
from client.language import _
from languages import current_language
from people.text.times import parse_seconds
from protocol.printable import escape_text
from server.desk.operator import OperatorCommand
from server.net.admin import SECONDS, AdminAnswer, short_socket_path
from server.store.owner import owner_name
from server.store.sqlite import is_folder_locked

_EXAMPLES = """Examples:

\b
  magehall admin who                                who is here, and from where
  magehall admin status                             the server's state; --json for programs
  magehall admin ban Eve --for 2h                   a name
  magehall admin ban 203.0.113.7                    an address; of IPv6 the whole /64
  magehall admin unlock Ada                         after wrong tokens or codes of that name
  magehall admin announce "New cards at nine."      all players read it, from `server`
  magehall admin code --all --csv                   a class list: names, with codes to come in with
  magehall admin drain --wait 20m                   ends the server after the last match
  magehall admin --data /srv/hall tables            for a server with another --data

Only the user who runs the server may do this, on the same machine.
"""

app = command_group(
    "admin", "Administers a server on this machine: its health, people, tables, bans and shutdown.", _EXAMPLES
)

LOOK_SECONDS = 0.5

Name = Annotated[str, typer.Argument(metavar="NAME", help="A player's name.")]
NameOrAddress = Annotated[str, typer.Argument(metavar="NAME|ADDRESS", help="A player's name, or an IP address.")]
Why = Annotated[str, typer.Option("--reason", metavar="TEXT", help="The reason, shown to the players concerned.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Does not ask for confirmation.")]
Table = Annotated[str, typer.Argument(metavar="TABLE", help="A table, such as t1.")]


@app.callback()
def _folder(ctx: typer.Context, data: Data = "") -> None:
    folder = resolve_data_folder(data)
    if folder is None:
        exit_with_error(
            _("A server that stores nothing has no operator's socket. Name another folder with --data."), MISUSED
        )
    ctx.obj = folder


@app.command()
def status(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Prints the server's state: build, people, tables, response times, data, disk and memory.

    Exit code 1 if no server answers, or if the data cannot be written.
    """
    answer = _order(ctx, "status", as_json=as_json)
    store = answer.facts["store"]
    if isinstance(store, dict) and store["failing"]:
        raise typer.Exit(FAILED)


@app.command()
def who(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Lists the connected players, with their addresses and tables."""
    _order(ctx, "who", as_json=as_json)


@app.command()
def tables(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Lists the tables."""
    _order(ctx, "tables", as_json=as_json)


@app.command()
def kick(
    ctx: typer.Context,
    name: Name,
    table: Annotated[str, typer.Argument(metavar="[TABLE]", help="Only from this table.")] = "",
    reason: Why = "",
    as_json: AsJson = False,
) -> None:
    """Disconnects a player and takes every seat away, or removes them from one table permanently."""
    _order(ctx, "kick", who=name, table=table, text=reason, as_json=as_json)


@app.command()
def mute(ctx: typer.Context, name: Name, as_json: AsJson = False) -> None:
    """Mutes a player everywhere."""
    _order(ctx, "mute", who=name, as_json=as_json)


@app.command()
def unmute(ctx: typer.Context, name: Name, as_json: AsJson = False) -> None:
    """Lets a muted player talk again."""
    _order(ctx, "unmute", who=name, as_json=as_json)


@app.command()
def ban(
    ctx: typer.Context,
    who: NameOrAddress,
    time: Annotated[
        str, typer.Option("--for", metavar="TIME", help="How long, such as 30m, 2h or 7d. Default: permanently.")
    ] = "",
    reason: Why = "",
    as_json: AsJson = False,
) -> None:
    """Disconnects and bans a name or an address. Bans survive a restart."""
    _order(ctx, "ban", who=who, seconds=_seconds("--for", time), text=reason, as_json=as_json)


@app.command()
def unban(ctx: typer.Context, who: NameOrAddress, as_json: AsJson = False) -> None:
    """Ends a ban."""
    _order(ctx, "unban", who=who, as_json=as_json)


@app.command()
def bans(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Lists the bans and their ends."""
    _order(ctx, "bans", as_json=as_json)


@app.command()
def forget(ctx: typer.Context, name: Name, as_json: AsJson = False) -> None:
    """Deletes a name whose player is gone and has no table, so that it can be taken again."""
    _order(ctx, "forget", who=name, as_json=as_json)


@app.command()
def code(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="A player's name.")] = "",
    of_all: Annotated[bool, typer.Option("--all", help="Prints every person's name with a code for it.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="With --all: name and code as CSV.")] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Prints a code that gives a name back to its owner, whose token was lost or stolen.

    An online player is disconnected, so the command asks first. With --all, tokens, passwords and connections stay
    valid, and each person can also come in with their code, once.
    """
    if bool(name) == of_all:
        exit_with_error(_("code takes either a NAME or --all."), MISUSED)
    if as_csv and not of_all:
        exit_with_error(_("--csv needs --all."), MISUSED)
    if not of_all:
        _order(ctx, "code", who=name, careful=not yes, as_json=as_json)
    elif as_csv:
        answer = _obeyed(ctx, "codes", as_json=False)
        rows = csv.DictWriter(sys.stdout, ("name", "code"), lineterminator="\n")
        rows.writeheader()
        rows.writerows(msgspec.convert(answer.facts["codes"], list[dict[str, str]]))
    else:
        _order(ctx, "codes", as_json=as_json)


@app.command()
def unlock(ctx: typer.Context, name: Name, as_json: AsJson = False) -> None:
    """Lifts the waiting time after wrong proofs of a name, for an hour."""
    _order(ctx, "unlock", who=name, as_json=as_json)


@app.command()
def close(ctx: typer.Context, table: Table, as_json: AsJson = False) -> None:
    """Ends a table. A running match is aborted and does not count."""
    _order(ctx, "close", table=table, as_json=as_json)


@app.command()
def announce(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The message.")],
    as_json: AsJson = False,
) -> None:
    """Sends a message to all connected players."""
    _order(ctx, "announce", text=text, as_json=as_json)


@app.command()
def operator(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Prints a code that makes one connection the operator's, once: type `operator CODE` in the client or by telnet."""
    _order(ctx, "operator", as_json=as_json)


@app.command("stop-accepting")
def stop_accepting(ctx: typer.Context, reason: Why = "", as_json: AsJson = False) -> None:
    """Refuses new players and new matches. Running matches continue, and their players may reconnect."""
    _order(ctx, "stop-accepting", text=reason, as_json=as_json)


@app.command()
def drain(
    ctx: typer.Context,
    reason: Why = "",
    wait: Annotated[
        str,
        typer.Option("--wait", metavar="TIME", help="Waits until the server has stopped, at most for this time."),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Like stop-accepting, and stops the server after the last match.

    With --wait the exit code is 1 if the server still runs when the time is up, or if `accept` cancelled the drain.
    """
    seconds = _seconds("--wait", wait)
    _order(ctx, "drain", text=reason, as_json=as_json)
    if wait:
        _wait_for_end(ctx.obj, seconds)


@app.command()
def accept(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Cancels stop-accepting or drain."""
    _order(ctx, "accept", as_json=as_json)


def _seconds(option: str, time: str) -> float:
    """Returns the value of that option, such as `2h`, in seconds; 0 for none. Ends the command if it is not a time."""
    try:
        return float(parse_seconds(time)) if time else 0.0
    except ValueError as error:
        exit_with_error(_("{option}: {error}", option=option, error=error), MISUSED)


def _order(ctx: typer.Context, do: str, *, as_json: bool, **fields: Any) -> AdminAnswer:
    """Sends a command to the server and prints the answer. Exit code 1 if the server refuses or the operator
    declines."""
    answer = _obeyed(ctx, do, as_json=as_json, **fields)
    typer.echo(_in_json(answer) if as_json else "\n".join(escape_text(line) for line in answer.lines))
    return answer


def _obeyed(ctx: typer.Context, do: str, *, as_json: bool, **fields: Any) -> AdminAnswer:
    """Sends a command to the server. A refusal ends the command; with `as_json` it is also on stdout."""
    command = OperatorCommand(do, lang=current_language(), **fields)
    answer = _ask(ctx.obj, command)
    if answer.asks:
        _confirm("\n".join(answer.lines))
        answer = _ask(ctx.obj, msgspec.structs.replace(command, careful=False))
    if not answer.ok:
        if as_json:
            typer.echo(_in_json(answer))
        exit_with_error("\n".join(escape_text(line) for line in answer.lines))
    return answer


def _in_json(answer: AdminAnswer) -> str:
    """Returns the answer as one JSON object: `ok`, the sentences as `lines`, and the values that this command
    returns."""
    return msgspec.json.encode({"ok": answer.ok, "lines": answer.lines, **answer.facts}).decode()


def _wait_for_end(folder: Path, seconds: float) -> None:
    """Returns once the draining server has released its data folder. Ends the command if the server is still running
    after `seconds`."""
    until = monotonic() + seconds
    while monotonic() < until:
        sleep(LOOK_SECONDS)
        try:
            answer = _answered(folder, OperatorCommand("status"))
        except (OSError, msgspec.DecodeError):  # the server may end while it answers
            continue
        if answer is None and not is_folder_locked(folder):
            return
        if answer is not None and answer.facts.get("state") != "draining":
            exit_with_error(_("The server keeps running: the drain was cancelled."))
    exit_with_error(
        _(
            "The server is still running, because a match is not over. Wait longer, or stop the "
            "server: its matches continue when you start it again."
        )
    )


def _confirm(warning: str) -> None:
    """Returns if the operator confirms the warning. Ends the command if they decline, or if there is no terminal to ask
    at."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        exit_with_error(_("{warning} Add --yes to do it anyway.", warning=warning))
    print(escape_controls(warning), _("Go on? [y/N]"), end=" ", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes", *_("y yes").split()):
        exit_with_error(_("Nothing was done."))


def _ask(folder: Path, command: OperatorCommand) -> AdminAnswer:
    """Returns the server's answer to the command. Ends the program if no server answers."""
    try:
        answer = _answered(folder, command)
    except UnicodeEncodeError:
        exit_with_error(_("The text that you typed is not valid UTF-8."), MISUSED)
    except PermissionError:
        exit_with_error(_not_yours(folder))
    except (OSError, msgspec.DecodeError) as error:
        exit_with_error(
            _(
                "The server on the data in {folder} does not answer: {why}.",
                folder=folder,
                why=getattr(error, "strerror", "") or error,
            )
        )
    if answer is None:
        exit_with_error(_("No server runs on the data in {folder}; --data names another folder.", folder=folder))
    return answer


def _answered(folder: Path, command: OperatorCommand) -> AdminAnswer | None:
    """Returns the server's answer; None if no server runs. Raises OSError, msgspec.DecodeError, UnicodeEncodeError."""
    line = msgspec.json.encode(command) + b"\n"
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock, short_socket_path(folder) as address:
            sock.settimeout(SECONDS + 5)
            sock.connect(address)
            sock.sendall(line)
            with sock.makefile("rb") as file:
                return msgspec.json.decode(file.readline(), type=AdminAnswer)
    except (FileNotFoundError, ConnectionRefusedError):
        return None


def _not_yours(folder: Path) -> str:
    """Returns a sentence that names the user of the system who may run the command."""
    user = owner_name(folder)
    if not user:
        return _("You may not read the data in {folder}.", folder=folder)
    again = shlex.join(["sudo", "-u", user, "magehall", *sys.argv[1:]])
    return _("The data in {folder} belong to {user}. As that user: {command}", folder=folder, user=user, command=again)
