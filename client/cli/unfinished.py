"""Unfinished tables of earlier sessions in the data of `magehall host`, and whether the host returns to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from shutil import get_terminal_size

import trio

from client.cli.own_table import has_table_options, is_shared, missing_bots
from client.connecting import CannotPlay, ConnectOptions, is_at_terminal
from client.house import BotHouse
from client.language import _
from games.api import Game
from people.text.folding import wrap_lines
from protocol import messages as m
from server.common import SharedObjects
from server.config import Config
from server.desk.recovery import unfinished_tables
from server.store.rows import Store


class UnfinishedChoice(Enum):
    """The host's answer about its unfinished tables of an earlier session."""

    BACK = "back"  # the host returns to them
    CLOSE = "close"  # they are closed, and a new table is opened
    BESIDE = "beside"  # they stay open, and a new table is opened beside them


def stored_tables(store: Store | None, config: Config, games: dict[str, Game]) -> list[m.TableInfo]:
    """Returns the open and running tables in the store of the server's data. Raises StoreFailed."""
    if store is None:
        return []

    async def look() -> list[m.TableInfo]:
        return unfinished_tables(store, SharedObjects(config, games, BotHouse()))

    return trio.run(look)


def tables_of_host(tables: Sequence[m.TableInfo], name: str) -> list[m.TableInfo]:
    """Returns those of the tables where the host of that name shares an open table with others, or plays a match. These
    are not closed without a question."""
    sits = [info for info in tables if any(seat.kind == "person" and seat.name == name for seat in info.seats)]
    return [info for info in sits if info.state == "playing" or is_shared(info, name)]


def choose_plan(
    tables: Sequence[m.TableInfo],
    options: ConnectOptions,
    said: UnfinishedChoice | None,
    ask: Callable[[str], str] | None,
) -> UnfinishedChoice:
    """Returns what happens to the host's unfinished tables. It asks the host only if the options describe another
    table; without `ask` it then raises CannotPlay. Raises EOFError if the host quits."""
    if said is UnfinishedChoice.BACK and not tables:
        print(_("Nothing of yours is unfinished there, so this is a new table."))
    if said is not None or not tables:
        return said or UnfinishedChoice.BACK
    if options.any_game and not has_table_options(options):
        return UnfinishedChoice.BACK
    if all(info.state == "open" and missing_bots(info, options) is not None for info in tables):
        return UnfinishedChoice.BACK
    lines = list(map(describe_table, tables))
    if ask is None:
        way_on = _("Say --resume to go back there, or --new to open another table beside.")
        raise CannotPlay(" ".join([*lines, way_on]))
    lines.append(_("Enter: back to it; c: close it and open the new table; n: the new table beside it; q: leave"))
    print("\n".join(wrap_lines(lines, get_terminal_size().columns)))
    answers = {"": UnfinishedChoice.BACK, "c": UnfinishedChoice.CLOSE, "n": UnfinishedChoice.BESIDE}
    while (word := ask(_("Enter, c, n or q: ")).strip().lower()) not in answers:
        if word == "q":
            raise EOFError
    return answers[word]


def describe_table(info: m.TableInfo) -> str:
    """Returns a sentence about one unfinished table."""
    names = ", ".join(seat.name for seat in info.seats if seat.kind != "empty")
    if info.state == "open":
        return _("{table} ({game}) is open: {names}.", table=info.table, game=info.game, names=names)
    return _("{table} ({game}) is not finished: {names}.", table=info.table, game=info.game, names=names)


def make_asker() -> Callable[[str], str] | None:
    """Returns a function that asks a question at the terminal; None if there is no terminal."""
    return input if is_at_terminal() else None
