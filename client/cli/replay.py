"""`magehall replay`: steps through a finished match as a seat or the spectators saw it, or with all hands open."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Annotated

import msgspec
import typer

from client.cli.arguments import command_group
from client.cli.sources import ServerData, read_replay_source
from client.exit_codes import FAILED, MISUSED, exit_with_error
from client.language import _
from client.replay_store import ReplayNotFound
from client.screen.width import output_columns
from games.api import StyledLine
from games.registry import all_games
from matches.moments import Moment, count_decisions, moments
from matches.record import Record, verify_replay
from people.pages import MomentRenderer, parse_viewing_seat
from people.render import ansi_text, plain_text, wrap_rows
from protocol.replay import BadReplay

app = command_group("replay", "Steps through a finished match.")

Replay = Annotated[
    str, typer.Argument(metavar="FILE", help="A file, a name that `magehall matches` lists, last, or - for stdin.")
]
Seat = Annotated[
    str, typer.Option("--as", metavar="SEAT", help="Shows what this seat saw: its number, or its player's name.")
]


@app.command(
    epilog="""Examples:

\b
  magehall replay last                            n, p, a number and q step through it
  magehall replay last --as 2 --turn 17           what seat 2 knew before decision 17
  magehall replay last --as 2 --turn 17 --json    the message that seat 2 received then
"""
)
def replay(
    file: Replay,
    turn: Annotated[int, typer.Option(min=0, metavar="N", help="Begins with decision N of the match.")] = 0,
    seat: Seat = "",
    all_open: Annotated[bool, typer.Option("--all", help="Shows all hands.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Prints the `turn` of the seat that decides, or of --as.")
    ] = False,
    no_color: Annotated[bool, typer.Option("--no-color", help="Uses no colour.")] = False,
    data: ServerData = "",
) -> None:
    """Steps forward and back through a finished match. In a pipe it prints the whole match, or only decision N."""
    record = load_verified_replay(file, data)
    last = count_decisions(record) + 1
    if turn > last:
        exit_with_error(_("The match has {count} decisions; {last} is its end.", count=last - 1, last=last), MISUSED)
    people = [info.name for info in record.header.seats]
    try:
        hearer = parse_viewing_seat(seat, people)
    except ValueError as error:
        exit_with_error(str(error), MISUSED)
    if all_open and hearer:
        exit_with_error(_("--all and --as exclude each other."), MISUSED)
    if all_open and as_json:  # a turn is what one seat received, so it cannot have all hands open
        exit_with_error(_("--all and --json exclude each other."), MISUSED)
    if as_json:
        _print_turns(record, hearer, turn)
        return
    pages = MomentRenderer(record.game, people, hearer, all_open, output_columns())
    if sys.stdin.isatty() and sys.stdout.isatty():
        _step(record, pages, turn or 1, last, colour=not no_color)
        return
    for moment in moments(record, hearer, turn or 1):
        _print(pages.page_lines(moment), colour=False)
        if turn:
            return
        print()


def load_verified_replay(file: str, data: str) -> Record:
    """Returns the match in a replay file once every line is verified. Ends the command if the replay is not valid."""
    try:
        return verify_replay(read_replay_source(file, data), all_games())
    except ReplayNotFound as error:
        exit_with_error(str(error))
    except BadReplay as error:
        exit_with_error(_("{file}: line {line}: {text}", file=file, line=error.line, text=error.text))


def _step(record: Record, pages: MomentRenderer, number: int, last: int, *, colour: bool) -> None:
    while True:
        _print(pages.page_lines(_moment(record, pages.hearer, number)), colour=colour)
        try:
            word = input(_("[{number}/{last}] n, p, a number, q: ", number=number, last=last)).strip().lower()
        except EOFError:
            print()
            return
        if word == "q":
            return
        if word.isascii() and word.isdigit():
            number = int(word)
        elif word in ("", "n", "p"):
            number += -1 if word == "p" else 1
        else:
            print(_("n goes on, p goes back, a number goes to that decision, q ends."))
        number = min(max(number, 1), last)


def _moment(record: Record, hearer: int, number: int) -> Moment:
    return next(moments(record, hearer, number))


def _print(lines: Iterable[StyledLine], *, colour: bool) -> None:
    write = ansi_text if colour else plain_text
    for line in wrap_rows(lines, output_columns()):
        print(write(line))


def _print_turns(record: Record, hearer: int, number: int) -> None:
    """Prints the turn at decision `number` as JSON; for 0 the turns of all decisions, one per line."""
    printed = False
    deciders = [0, *(moment.decision.seat for moment in moments(record) if moment.decision is not None)]
    wanted = [number] if number else range(1, len(deciders))
    for one in wanted:
        if one == len(deciders) or (not number and hearer not in (0, deciders[one])):
            continue
        told = _moment(record, hearer or deciders[one], one).turn
        if told is not None:
            print(msgspec.json.encode(told).decode())
            printed = True
    if not printed and number == len(deciders):
        exit_with_error(_("There is no decision at that point: it is the end of the match."), FAILED)
    if not printed:
        mine = ", ".join(str(one) for one, seat in enumerate(deciders) if seat == hearer and one) or _("none")
        exit_with_error(_("That seat had no decision at that point. Its own decisions are: {mine}.", mine=mine), FAILED)
