"""The person's own open table of an earlier session. It is resumed if the command's options describe it, otherwise
closed."""

from __future__ import annotations

from collections.abc import Sequence

from client.cli.seats import default_seat_count
from client.connecting import ConnectedSession, ConnectOptions
from client.language import _
from games.registry import all_games
from matches.seat import is_attended
from people.rematch import unnumbered_bot_name
from protocol import messages as m


def has_table_options(options: ConnectOptions) -> bool:
    """Returns whether the options describe a new table by more than its game, such as by its seats or bots."""
    return bool(options.seats or options.bots or options.options or options.delay or options.clock)


def missing_bots(info: m.TableInfo, options: ConnectOptions, *, exact: bool = False) -> list[str] | None:
    """Returns the bots to add so that an open table fits the options; None if the options describe another table. With
    `exact` the table must be the one that the options would open; otherwise only the options that were given count."""
    if info.game != options.game and (exact or not options.any_game):
        return None
    if not exact and not has_table_options(options):
        return []
    wanted = list(options.bots)
    for seat in info.seats:
        if seat.kind == "house":
            if unnumbered_bot_name(seat.name) not in wanted:
                return None
            wanted.remove(unnumbered_bot_name(seat.name))
    seats = options.seats or max(default_seat_count(all_games()[options.game]), len(options.bots) + 1)
    same = (len(info.seats), dict(info.options), info.delay) == (seats, dict(options.options), options.delay)
    return wanted if same and (options.clock is None or options.clock == info.clock) else None


def is_shared(info: m.TableInfo, name: str) -> bool:
    """Returns whether a player other than the one called `name` has a seat at the table."""
    return any(seat.kind in ("person", "bot") and seat.name != name for seat in info.seats)


async def resume_open_seat(
    visit: ConnectedSession, options: ConnectOptions, *, beside: bool = False, exact: bool = False
) -> bool:
    """Resumes the person's seat at an open table if the table fits the options. A table that does not fit and has no
    other player is closed or left. With `beside`, tables with other players stay as they are.

    `exact` is as for `missing_bots`. Returns whether a seat was resumed. Raises LinkFailed, Refused.
    """
    for info in visit.welcome.seats:
        shared = is_shared(info, visit.name)
        if info.state != "open" or (shared and beside):
            continue
        bots = missing_bots(info, options, exact=exact and not shared)
        if bots is not None:
            visit.resume_seat(info)
            visit.show_text(_("You are back at {table}, which is open.", table=info.table), "good")
            for bot in bots:
                await visit.ask(m.Add(id=1, table=info.table, bot=bot), m.TableReply)
            return True
        if not shared and info.owner == visit.name:
            await visit.ask(m.Close(id=1, table=info.table), m.DoneReply)
        elif not shared:
            await visit.ask(m.Leave(id=1, table=info.table), m.Left)
    return False


def tables_in_state(tables: Sequence[m.TableInfo], state: str) -> list[m.TableInfo]:
    """Returns the tables in that state; those where a player is present come first."""
    found = [info for info in tables if info.state == state]
    return sorted(found, key=lambda info: not is_attended(info))
