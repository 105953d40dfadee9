"""The person's own open table of an earlier visit: taken up again if it is what the options describe, else closed."""

from __future__ import annotations

from collections.abc import Sequence

from client.cli.seats import usual_seats
from client.connecting import Connected, Options
from client.language import _
from games.registry import all_games
from matches.seat import is_attended
from people.rematch import bot_kind
from protocol import messages as m


def describes(options: Options) -> bool:
    """Whether they say what a new table is to be like, apart from its game."""
    return bool(options.seats or options.bots or options.options or options.delay or options.clock)


def missing_bots(info: m.TableInfo, options: Options, *, exact: bool = False) -> list[str] | None:
    """The bots to be added, so that an open table is what the options describe; None where it is another one. It has to
    be `exact` what they would open, or else only what they say."""
    if info.game != options.game and (exact or not options.any_game):
        return None
    if not exact and not describes(options):
        return []
    wanted = list(options.bots)
    for seat in info.seats:
        if seat.kind == "house":
            if bot_kind(seat.name) not in wanted:
                return None
            wanted.remove(bot_kind(seat.name))
    seats = options.seats or max(usual_seats(all_games()[options.game]), len(options.bots) + 1)
    same = (len(info.seats), dict(info.options), info.delay) == (seats, dict(options.options), options.delay)
    return wanted if same and (options.clock is None or options.clock == info.clock) else None


def is_shared(info: m.TableInfo, name: str) -> bool:
    """Whether another player than that one has a seat there."""
    return any(seat.kind in ("person", "bot") and seat.name != name for seat in info.seats)


async def take_up(visit: Connected, options: Options, *, beside: bool = False, exact: bool = False) -> bool:
    """Takes up the seat at an open table that the person has from an earlier visit, if it fits the options; one of
    their own that does not, and where nobody else sits, is closed. Those with others go on `beside`, if so wanted.
    `exact` is as for `missing_bots`. Raises LinkFailed, Refused."""
    for info in visit.welcome.seats:
        shared = is_shared(info, visit.name)
        if info.state != "open" or (shared and beside):
            continue
        bots = missing_bots(info, options, exact=exact and not shared)
        if bots is not None:
            visit.take_up(info)
            visit.say(_("You are back at {table}, which is open.", table=info.table), "good")
            for bot in bots:
                await visit.ask(m.Add(id=1, table=info.table, bot=bot), m.TableReply)
            return True
        if not shared and info.owner == visit.name:
            await visit.ask(m.Close(id=1, table=info.table), m.Done)
        elif not shared:
            await visit.ask(m.Leave(id=1, table=info.table), m.Left)
    return False


def attended(tables: Sequence[m.TableInfo], state: str) -> list[m.TableInfo]:
    """The tables in that state, those first where a player is there."""
    found = [info for info in tables if info.state == state]
    return sorted(found, key=lambda info: not is_attended(info))
